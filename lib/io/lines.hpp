/// Text cut into lines.
#pragma once

#include <cstddef>
#include <string_view>

namespace attndyn::detail {

/// Calls line(number from 1, text without its end) for every line. A byte-order mark is no part of the first.
template <class Line> void for_each_line(std::string_view text, const Line& line) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view content = text.substr(0, end);
    if (!content.empty() && content.back() == '\r') content.remove_suffix(1);
    line(number, content);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

} // namespace attndyn::detail
