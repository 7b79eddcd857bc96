#include "cli/expect.hpp"

#include "cli/options.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attndyn::cli {
namespace {

std::string text_of(const toml::table& in, const char* key) { return in[key].value_or(std::string()); }

/// The cell of the row at time t; null if there is none.
const std::string* cell_at(const Table& table, const std::string& t, const std::string& column) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), column);
  if (found == table.columns.end()) return nullptr;
  const double at = Number(t).approx();
  for (const auto& row : table.rows)
    if (std::abs(std::strtod(row.front().c_str(), nullptr) - at) <= 1e-12 * std::abs(at))
      return &row[static_cast<std::size_t>(found - table.columns.begin())];
  return nullptr;
}

} // namespace

Expected read_expected(const std::string& path) {
  toml::table file;
  try {
    file = toml::parse(read_text(path), path);
  } catch (const toml::parse_error& e) {
    throw refused("expect", path, fmt::format("line {}: {}", e.source().begin.line, e.description()));
  } catch (const std::invalid_argument& e) {
    throw refused("expect", path, e.what());
  }
  Expected out;
  const toml::table* expect = file["expect"].as_table();
  if (expect == nullptr) return out;
  out.claim = text_of(*expect, "claim");
  out.says = text_of(*expect, "says");
  out.observe = text_of(*expect, "observe");
  if (!expect->contains("value")) return out;
  const toml::array* values = (*expect)["value"].as_array();
  if (values == nullptr || values->empty())
    throw refused("expect", path, "value: must be a list of tables, not empty");
  for (const toml::node& node : *values) {
    const toml::table* value = node.as_table();
    const auto problem = [&](const char* rule) {
      return refused("expect", path, fmt::format("value {}: {}", out.values.size() + 1, rule));
    };
    if (value == nullptr) throw problem("must be a table");
    Expected::Value v{text_of(*value, "t"), text_of(*value, "column"), 0, 0};
    const auto measured = (*value)["measured"].value<double>(),
               tolerance = (*value)["tolerance"].value<double>();
    if (v.column.empty() || !measured || !tolerance || !(*tolerance >= 0) || !std::isfinite(*tolerance) ||
        !std::isfinite(*measured))
      throw problem("must have t (text), column (text), measured (finite) and tolerance (>= 0)");
    (void)number(fmt::format("expect = {}, value {}, t", path, out.values.size() + 1), v.t);
    v.measured = *measured;
    v.tolerance = *tolerance;
    out.values.push_back(std::move(v));
  }
  return out;
}

bool reproduced(const Expected& expected, const Table& table) {
  bool all = true;
  for (const auto& v : expected.values) {
    const std::string* cell = cell_at(table, v.t, v.column);
    const double here = cell == nullptr ? std::nan("") : std::strtod(cell->c_str(), nullptr);
    const bool same = cell != nullptr && std::abs(here - v.measured) <= v.tolerance;
    all = all && same;
    say(fmt::format("expect: t = {}, {} = {} (witness: {:.10g} +- {:.2g}): {}", v.t, v.column,
                    cell == nullptr ? "not there" : *cell, v.measured, v.tolerance,
                    same ? "reproduced" : "NOT reproduced"));
  }
  if (!expected.claim.empty()) say(fmt::format("{} says: {}", expected.claim, expected.says));
  if (!expected.observe.empty()) say("this run shows: " + expected.observe);
  return all;
}

} // namespace attndyn::cli
