#include "lib/io/lines.hpp"
#include "lib/io/parts.hpp"
#include "lib/real/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace attndyn {
namespace {

using namespace detail;

std::string_view trimmed(std::string_view s) {
  constexpr std::string_view space = " \t\r\v\f";
  const std::size_t begin = s.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return s.substr(begin, s.find_last_not_of(space) - begin + 1);
}

/// For messages: at most 40 characters, printable ones.
std::string shown(std::string_view s) {
  constexpr std::size_t most = 40;
  std::string out(s.substr(0, most));
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return s.size() > most ? out + "..." : out;
}

/// The numbers of a file, row after row.
template <class Real> struct NumberRows {
  std::size_t rows = 0, cols = 0;
  Vector<Real> data;
};

constexpr std::string_view inline_prefix = "list:";

/// The file, or what the path itself holds.
std::string text_of(const std::string& path) {
  if (!path.starts_with(inline_prefix)) return read_text(path);
  std::string text = path.substr(inline_prefix.size());
  std::replace(text.begin(), text.end(), ';', '\n');
  return text;
}

template <class Real> NumberRows<Real> read_rows(const std::string& path) {
  const std::string text = text_of(path);
  NumberRows<Real> out;
  std::size_t first_line = 0;
  for_each_line(text, [&](std::size_t number, std::string_view line) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') return;
    const auto entries = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
    std::size_t entry = 0;
    for (bool more = true; more;) {
      const std::size_t comma = line.find(',');
      const std::string_view cell = trimmed(line.substr(0, comma));
      ++entry;
      try {
        out.data.push_back(parse_real<Real>(cell));
      } catch (const std::exception& problem) {
        throw std::invalid_argument(
            fmt::format("{}, line {}, entry {}: `{}`: {}", path, number, entry, shown(cell), problem.what()));
      }
      more = comma != std::string_view::npos;
      if (more) line.remove_prefix(comma + 1);
    }
    if (out.rows == 0) {
      out.cols = entries;
      first_line = number;
    } else if (entries != out.cols) {
      throw std::invalid_argument(fmt::format("{}, line {}: entries = {}: must be {} as in line {}", path,
                                              number, entries, out.cols, first_line));
    }
    ++out.rows;
  });
  if (out.rows == 0) throw std::invalid_argument(path + ": holds no numbers");
  return out;
}

} // namespace

template <class Real> Matrix<Real> read_matrix(const std::string& path) {
  const NumberRows<Real> in = read_rows<Real>(path);
  Matrix<Real> out(in.rows, in.cols);
  for (std::size_t i = 0; i < in.rows; ++i)
    for (std::size_t j = 0; j < in.cols; ++j) out(i, j) = in.data[i * in.cols + j];
  return out;
}

template <class Real> Matrix<Real> read_tokens(const std::string& path) {
  NumberRows<Real> in = read_rows<Real>(path);
  Matrix<Real> out;
  out.rows = in.cols;
  out.cols = in.rows;
  out.data = std::move(in.data);
  return out;
}

template <class Real> Vector<Real> read_vector(const std::string& path) {
  NumberRows<Real> in = read_rows<Real>(path);
  require(in.rows == 1 || in.cols == 1,
          fmt::format("{}: {} x {} numbers: must be one a line or all in one line", path, in.rows, in.cols));
  return std::move(in.data);
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template Matrix<Real> read_matrix(const std::string&);                                                     \
  template Matrix<Real> read_tokens(const std::string&);                                                     \
  template Vector<Real> read_vector(const std::string&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn
