/// What the writers of tables and of states share.
#pragma once

#include "lib/io.hpp"
#include "lib/io/hdf5.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attndyn::detail {

/// What a cell is, in order of what a column must give up for it: nan, inf, -inf or empty; a number of at
/// most 17 significant digits that is 0 or a normal double; any other number; anything else.
enum class Cell { missing, number, long_number, word };
Cell kind_of(std::string_view cell);

/// The datasets that stand for cells of at most this kind, row-major in dims: see to_bytes.
void append_datasets(std::vector<Hdf5Dataset>& out, const std::string& name,
                     const std::vector<std::size_t>& dims, std::vector<std::string> cells, Cell kind);

/// Throws std::invalid_argument with this message if not satisfied.
void require(bool satisfied, const std::string& message);

/// Throws std::invalid_argument if they are not as Table says.
void check_parameters(const Parameters& parameters);

/// The lines of a CSV file before its header row.
std::string csv_head(const Parameters& parameters);

} // namespace attndyn::detail
