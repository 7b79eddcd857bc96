#include "lib/io/parts.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <stdexcept>

namespace attndyn::detail {
namespace {

/// JSON's grammar: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
bool is_number(std::string_view s) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < s.size() && s[i] >= '0' && s[i] <= '9') ++i;
    return i - begin;
  };
  if (i < s.size() && s[i] == '-') ++i;
  const bool leading_zero = i < s.size() && s[i] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (leading_zero && whole > 1)) return false;
  if (i < s.size() && s[i] == '.') {
    ++i;
    if (digits() == 0) return false;
  }
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == s.size();
}

/// From the first to the last digit that is not 0.
std::size_t significant_digits(std::string_view number) {
  std::size_t seen = 0, significant = 0;
  for (char c : number.substr(0, number.find_first_of("eE"))) {
    if (c < '0' || c > '9' || (c == '0' && seen == 0)) continue;
    ++seen;
    if (c != '0') significant = seen;
  }
  return significant;
}

/// The nearest double of a cell that is no word; 0 or +-inf where that lies outside the range.
double value_of(const std::string& cell) {
  return cell.empty() ? std::numeric_limits<double>::quiet_NaN() : std::strtod(cell.c_str(), nullptr);
}

} // namespace

Cell kind_of(std::string_view cell) {
  if (cell.empty() || cell == "nan" || cell == "inf" || cell == "-inf") return Cell::missing;
  if (!is_number(cell)) return Cell::word;
  const std::size_t digits = significant_digits(cell);
  if (digits == 0) return Cell::number;
  double value = 0; // from_chars fails beyond the range, and rounds below it
  const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool fits = read.ec == std::errc{} && std::abs(value) >= std::numeric_limits<double>::min();
  return digits <= 17 && fits ? Cell::number : Cell::long_number;
}

void append_datasets(std::vector<Hdf5Dataset>& out, const std::string& name,
                     const std::vector<std::size_t>& dims, std::vector<std::string> cells, Cell kind) {
  if (kind == Cell::word) {
    out.push_back({name, dims, {}, std::move(cells)});
    return;
  }
  std::vector<double> numbers;
  numbers.reserve(cells.size());
  for (const std::string& cell : cells) numbers.push_back(value_of(cell));
  out.push_back({name, dims, std::move(numbers), {}});
  if (kind == Cell::long_number) out.push_back({name + "_text", dims, {}, std::move(cells)});
}

void require(bool satisfied, const std::string& message) {
  if (!satisfied) throw std::invalid_argument(message);
}

void check_parameters(const Parameters& parameters) {
  std::set<std::string_view> names{"skip"};
  for (const auto& [name, value] : parameters) {
    require(!name.empty() && name.find_first_of("\r\n") == std::string::npos &&
                name.find(": ") == std::string::npos && name.back() != ':',
            fmt::format("parameter `{}`: the name must be one line, not empty, without \": \"", name));
    require(value.find_first_of("\r\n") == std::string::npos,
            fmt::format("parameter `{}`: the value must be one line", name));
    require(names.insert(name).second,
            fmt::format("parameter `{}`: must be there once, and not `skip`", name));
  }
}

std::string csv_head(const Parameters& parameters) {
  std::string out = fmt::format("# skip: {}\n", parameters.size() + 1);
  for (const auto& [name, value] : parameters) out += fmt::format("# {}: {}\n", name, value);
  return out;
}

} // namespace attndyn::detail
