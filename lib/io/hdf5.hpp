/// HDF5 through its C API, made in memory, so that writing it is writing any other file.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace attndyn {

/// Row-major; one of numbers and texts has the product of dims as its size, the other is empty.
struct Hdf5Dataset {
  std::string name; ///< not empty, no '/'
  std::vector<std::size_t> dims;
  std::vector<double> numbers;    ///< stored as 64-bit floating point
  std::vector<std::string> texts; ///< stored as UTF-8 strings of one length, zero-padded
  bool operator==(const Hdf5Dataset&) const = default;
};

struct Hdf5Content {
  std::vector<std::pair<std::string, std::string>> attributes; ///< strings, of the root group
  std::vector<Hdf5Dataset> datasets;                           ///< in order of creation
  bool operator==(const Hdf5Content&) const = default;
};

/// The bytes of the file. Throws std::runtime_error "HDF5 dataset `x`: refused by the HDF5 library" if HDF5
/// refuses (a name twice, for instance).
std::string hdf5_bytes(const Hdf5Content& content);

/// The content of a file that holds what hdf5_bytes writes. Throws std::invalid_argument, one line naming
/// path and what is wrong with it, if the file holds anything else or cannot be read.
Hdf5Content read_hdf5(const std::string& path);

} // namespace attndyn
