/// Tables, states, tokens and matrices to and from files: the only reader and writer of CSV, JSON and HDF5.
/// Numbers travel as decimal text, so none loses a digit on the way.
#pragma once

#include "lib/io/file.hpp"
#include "lib/tokens.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attndyn {

/// (name, value) in the order they are written. Names differ, are single lines, not empty, without ": ", and
/// not "skip"; values are single lines.
using Parameters = std::vector<std::pair<std::string, std::string>>;

struct Table {
  Parameters parameters;
  /// Names differ, are single lines, not empty, without '/'. At least one.
  std::vector<std::string> columns;
  /// One cell a column: decimal text, nan, inf, -inf, empty, or words; a single line.
  std::vector<std::vector<std::string>> rows;
  bool operator==(const Table&) const = default;
};

enum class Format { csv, json, hdf5 };
/// Throws std::invalid_argument: "format = xml: must be one of csv, json, hdf5".
Format parse_format(std::string_view name);

/// The table as the bytes of a file.
///
/// CSV: the line `# skip: K` (K lines before the header row, itself included), `# name: value` lines, header
/// row, rows; a cell with a comma or a quote is quoted. pandas reads it by read_csv(f, skiprows=K), NumPy by
/// loadtxt(f, delimiter=',', skiprows=K+1), gnuplot after `set datafile separator ','`.
///
/// JSON: {"parameters": {name: value}, "columns": [name], "rows": [[cell]]}. A column is numbers, with the
/// digits they have, if each of its cells has at most 17 significant digits and is 0, a normal double, nan,
/// inf or empty; else it is strings. nan, inf and empty cells are null unless the column holds words. A
/// parameter is a number by the same rule, else a string.
///
/// HDF5: parameters are string attributes of the root. A column without words is a dataset of doubles (nan
/// for empty cells), joined by the strings `<column>_text` where JSON would have strings; a column with words
/// is strings.
///
/// Throws std::invalid_argument if the table is not as its comments say.
std::string to_bytes(const Table& table, Format format);

/// to_bytes to a file, or to the standard output for "-", as write_text does and with its std::runtime_error.
void write_table(const Table& table, Format format, const std::string& path);

/// A CSV file that write_table wrote. Throws std::invalid_argument: "a.csv, line 7: cells = 3: must be 4, one
/// a column".
Table read_table(const std::string& path);

/// A path "list:1,0;0.6,0.8" is no file: it holds the lines themselves, separated by semicolons. Else:
/// one matrix row a line, comma separated, decimals or quotients p/q, exact in every number type. Spaces
/// around entries, blank lines, lines that begin with '#', CRLF, a byte-order mark and a missing last newline
/// are fine. rows, cols >= 1. Throws std::invalid_argument, one line: "m.csv, line 3, entry 2: `abc`: must be
/// a finite decimal number or a quotient p/q"; "m.csv, line 4: entries = 3: must be 5 as in line 1"; "m.csv:
/// holds no numbers"; and as read_text does.
template <class Real> Matrix<Real> read_matrix(const std::string& path);

/// The same with one token a line: d x n, the transpose of read_matrix.
template <class Real> Matrix<Real> read_tokens(const std::string& path);

/// One number a line, or all in one line.
template <class Real> Vector<Real> read_vector(const std::string& path);

/// Every theta and r at the given times. A path that ends in .h5 or .hdf5: HDF5 with t (T), theta (T x n x
/// d), r (T x n) as doubles, joined by strings `<name>_text` where the numbers have more than 17 digits. Any
/// other path: CSV as write_table has it with columns t, token (from 1), r, theta_1 ... theta_d. One state a
/// time, all of one shape, else std::invalid_argument; std::runtime_error as write_text.
template <class Real>
void write_states(const std::string& path, const Vector<Real>& times, const std::vector<Tokens<Real>>& states,
                  const Parameters& parameters = {});

} // namespace attndyn
