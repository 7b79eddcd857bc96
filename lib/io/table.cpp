#include "lib/io/lines.hpp"
#include "lib/io/parts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>
#include <utility>

namespace attndyn {
namespace {

using namespace detail;

std::vector<Cell> kinds_of_columns(const Table& table) {
  std::vector<Cell> kinds(table.columns.size(), Cell::missing);
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) kinds[i] = std::max(kinds[i], kind_of(row[i]));
  return kinds;
}

void check(const Table& table) {
  check_parameters(table.parameters);
  require(!table.columns.empty(), "table: must have a column");
  const auto is_single_line = [](const std::string& s) {
    return s.find_first_of("\r\n") == std::string::npos;
  };
  std::set<std::string_view> names;
  for (const std::string& name : table.columns) {
    require(!name.empty() && is_single_line(name) && name.find('/') == std::string::npos,
            fmt::format("column `{}`: the name must be one line, not empty, without '/'", name));
    require(names.insert(name).second, fmt::format("column `{}`: must be there once", name));
  }
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    require(table.rows[i].size() == table.columns.size(),
            fmt::format("table row {}: cells = {}: must be {}, one a column", i + 1, table.rows[i].size(),
                        table.columns.size()));
    for (const std::string& cell : table.rows[i])
      require(is_single_line(cell), fmt::format("table row {}: a cell must be one line", i + 1));
  }
}

void append_csv_row(std::string& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    if (cells[i].find_first_of(",\"") == std::string::npos) {
      out += cells[i];
      continue;
    }
    out += '"';
    for (char c : cells[i]) out.append(c == '"' ? 2 : 1, c);
    out += '"';
  }
  out += '\n';
}

std::string csv(const Table& table) {
  std::string out = csv_head(table.parameters);
  append_csv_row(out, table.columns);
  for (const auto& row : table.rows) append_csv_row(out, row);
  return out;
}

std::string quoted(const std::string& s) {
  return nlohmann::json(s).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json(const Table& table) {
  std::string out = "{\n\"parameters\": {";
  const char* separator = "\n";
  for (const auto& [name, value] : table.parameters) {
    out += fmt::format("{}  {}: {}", separator, quoted(name),
                       kind_of(value) == Cell::number ? value : quoted(value));
    separator = ",\n";
  }
  out += "\n},\n\"columns\": [";
  separator = "";
  for (const std::string& name : table.columns) out += separator + quoted(name), separator = ", ";
  out += "],\n\"rows\": [";
  const std::vector<Cell> kinds = kinds_of_columns(table);
  const char* line = "\n";
  for (const auto& row : table.rows) {
    out += line;
    line = ",\n";
    separator = "  [";
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += separator;
      separator = ", ";
      if (kinds[i] == Cell::word)
        out += quoted(row[i]);
      else if (kind_of(row[i]) == Cell::missing)
        out += "null";
      else
        out += kinds[i] == Cell::number ? row[i] : quoted(row[i]);
    }
    out += ']';
  }
  return out + "\n]\n}\n";
}

std::string hdf5(const Table& table) {
  const std::vector<Cell> kinds = kinds_of_columns(table);
  std::vector<Hdf5Dataset> datasets;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::vector<std::string> cells;
    for (const auto& row : table.rows) cells.push_back(row[i]);
    append_datasets(datasets, table.columns[i], {table.rows.size()}, std::move(cells), kinds[i]);
  }
  return hdf5_bytes({table.parameters, std::move(datasets)});
}

/// The cells of a line of ours.
std::vector<std::string> csv_cells(std::string_view line, const std::string& where) {
  std::vector<std::string> cells(1);
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (!inside && c == ',')
      cells.emplace_back();
    else if (c != '"')
      cells.back() += c;
    else if (inside && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else
      inside = !inside;
  }
  require(!inside, where + ": a quote must be closed");
  return cells;
}

} // namespace

Format parse_format(std::string_view name) {
  if (name == "csv") return Format::csv;
  if (name == "json") return Format::json;
  if (name == "hdf5") return Format::hdf5;
  throw std::invalid_argument(fmt::format("format = {}: must be one of csv, json, hdf5", name));
}

std::string to_bytes(const Table& table, Format format) {
  check(table);
  switch (format) {
  case Format::csv: return csv(table);
  case Format::json: return json(table);
  case Format::hdf5: return hdf5(table);
  }
  throw std::logic_error("unknown format");
}

void write_table(const Table& table, Format format, const std::string& path) {
  write_text(path, to_bytes(table, format));
}

Table read_table(const std::string& path) {
  const std::string text = read_text(path);
  Table table;
  std::size_t skip = 0;
  for_each_line(text, [&](std::size_t number, std::string_view line) {
    const std::string where = fmt::format("{}, line {}", path, number);
    if (number == 1) {
      constexpr std::string_view key = "# skip: ";
      require(line.starts_with(key), where + ": must be `# skip: K`");
      const auto [end, error] = std::from_chars(line.data() + key.size(), line.data() + line.size(), skip);
      require(error == std::errc{} && end == line.data() + line.size() && skip >= 1,
              where + ": must be `# skip: K`");
    } else if (number <= skip) {
      const std::size_t colon = line.find(": ");
      require(line.starts_with("# ") && colon != std::string_view::npos, where + ": must be `# name: value`");
      table.parameters.emplace_back(line.substr(2, colon - 2), line.substr(colon + 2));
    } else if (number == skip + 1) {
      table.columns = csv_cells(line, where);
    } else {
      table.rows.push_back(csv_cells(line, where));
      const std::size_t cells = table.rows.back().size();
      require(cells == table.columns.size(),
              fmt::format("{}: cells = {}: must be {}, one a column", where, cells, table.columns.size()));
    }
  });
  require(!table.columns.empty(), path + ": has no header row");
  return table;
}

} // namespace attndyn
