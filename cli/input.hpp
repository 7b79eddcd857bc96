/// Bad input, said in one line: parameter, value, rule. Options reach us as text, so that every refusal reads
/// alike.
#pragma once

#include "lib/real/text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attndyn::cli {

/// Exit status 2; nothing has been written.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// "beta = nan: must be ..."; the value cut to a length that fits on a line.
BadInput refused(std::string_view option, std::string_view value, std::string_view rule);

/// For terminals and files: control characters, line ends among them, become '?', and long text is cut.
std::string one_line(std::string_view text, std::size_t most = 1000);

/// A finite decimal or quotient. Throws BadInput, as all of these do.
Number number(std::string_view option, const std::string& text);

/// The same, within the range of Real.
template <class Real> Number number_in_range(std::string_view option, const std::string& text) {
  const Number value = number(option, text);
  try {
    (void)value.as<Real>();
  } catch (const std::invalid_argument& problem) {
    throw refused(option, text, problem.what());
  }
  return value;
}

/// Digits alone, from least to most.
std::uint64_t whole(std::string_view option, const std::string& text, std::uint64_t least,
                    std::uint64_t most);

/// One of the words.
const std::string& choice(std::string_view option, const std::string& text,
                          const std::vector<std::string>& words);

/// What read() gives; its std::invalid_argument gets the option's name in front.
template <class Read> auto named(std::string_view option, const std::string& value, const Read& read) {
  try {
    return read();
  } catch (const std::invalid_argument& problem) {
    const std::string_view rule = problem.what();
    if (rule.starts_with(fmt::format("{} = ", option))) throw;
    // Readers begin with the path, and may go on with the line.
    if (rule.starts_with(value)) throw BadInput(fmt::format("{} = {}", option, rule));
    throw refused(option, value, rule);
  }
}

/// That path ("-": standard output) can be made or replaced; asked before the work, not after it.
void check_output(std::string_view option, const std::string& path);

/// Makes the folder where it is missing, and sees that files can be made in it.
void make_folder(std::string_view option, const std::string& path);

/// That two outputs are not one file.
void check_distinct(std::string_view a, const std::string& path_a, std::string_view b,
                    const std::string& path_b);

/// That the machine has so much memory at all; what: "n = 5, d = 7".
void check_memory(const std::string& what, double bytes);

} // namespace attndyn::cli
