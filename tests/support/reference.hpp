/// The reference files of tests/reference (see its README): numbers as text, made by programs that share no
/// code with the library. ATTNDYN_REFERENCE_DIR is set by CMake.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace attndyn::testing {

/// One line: column name -> text as written. Commas only separate.
using ReferenceRow = std::map<std::string, std::string>;

inline std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> out;
  std::string field;
  std::istringstream in(line);
  while (std::getline(in, field, separator)) out.push_back(field);
  if (!line.empty() && line.back() == separator) out.emplace_back();
  return out;
}

/// Every row of the file. Throws std::runtime_error if there is none, or a row does not fit the header.
inline std::vector<ReferenceRow> reference_rows(const std::string& file) {
  std::ifstream in(std::string(ATTNDYN_REFERENCE_DIR) + "/" + file);
  std::vector<std::string> columns;
  std::vector<ReferenceRow> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto fields = split(line, ',');
    if (columns.empty()) {
      columns = fields;
      continue;
    }
    if (fields.size() != columns.size()) throw std::runtime_error(file + ": " + line);
    ReferenceRow row;
    for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = fields[i];
    rows.push_back(std::move(row));
  }
  if (rows.empty()) throw std::runtime_error(file + ": no rows");
  return rows;
}

} // namespace attndyn::testing
