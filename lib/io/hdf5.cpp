#include "lib/io/hdf5.hpp"

#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>

namespace attndyn {
namespace {

/// An HDF5 identifier with the function that closes it.
class Handle {
public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error(what + ": refused by the HDF5 library");
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close_(id_); }
  operator hid_t() const { return id_; } // NOLINT: it stands for the identifier

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void require(bool done, const std::string& what) {
  if (!done) throw std::runtime_error(what + ": refused by the HDF5 library");
}

/// Our errors are exceptions; HDF5 need not print its own as well.
class Quiet {
public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, report_, data_); }

private:
  H5E_auto2_t report_ = nullptr;
  void* data_ = nullptr;
};

hid_t string_type(std::size_t length) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0) {
    H5Tset_size(type, std::max<std::size_t>(length, 1)); // HDF5 knows no strings of length 0
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
  }
  return type;
}

void put_attribute(hid_t root, const std::string& name, const std::string& value) {
  const std::string what = "HDF5 attribute `" + name + "`";
  const Handle type(string_type(value.size()), H5Tclose, what), space(H5Screate(H5S_SCALAR), H5Sclose, what);
  const Handle attribute(H5Acreate2(root, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         what);
  require(H5Awrite(attribute, type, value.c_str()) >= 0, what);
}

void put_dataset(hid_t root, const Hdf5Dataset& set) {
  const std::string what = "HDF5 dataset `" + set.name + "`";
  require(!set.name.empty() && set.name.find('/') == std::string::npos, what);
  std::size_t length = 1, size = 1;
  for (const std::string& text : set.texts) length = std::max(length, text.size());
  for (std::size_t extent : set.dims) size *= extent;
  const bool as_text = !set.texts.empty();
  if ((as_text ? set.texts.size() : set.numbers.size()) != size)
    throw std::logic_error(what + ": the values do not fill its dimensions");
  const std::vector<hsize_t> dims(set.dims.begin(), set.dims.end());
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose, what);
  const Handle type(as_text ? string_type(length) : H5Tcopy(H5T_IEEE_F64LE), H5Tclose, what);
  const Handle dataset(H5Dcreate2(root, set.name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose, what);
  if (size == 0) return;
  if (!as_text) {
    require(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, set.numbers.data()) >= 0,
            what);
    return;
  }
  std::string packed;
  packed.reserve(length * size);
  for (const std::string& text : set.texts) packed.append(text).append(length - text.size(), '\0');
  require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()) >= 0, what);
}

/// Length of strings as string_type makes them; 0 for any other type.
std::size_t text_length(hid_t type) {
  const bool ours = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                    H5Tget_strpad(type) == H5T_STR_NULLPAD && H5Tget_cset(type) == H5T_CSET_UTF8;
  if (!ours) return 0;
  return H5Tget_size(type);
}

std::string without_padding(const std::string& padded) {
  return padded.substr(0, padded.find_last_not_of('\0') + 1);
}

std::pair<std::string, std::string> get_attribute(hid_t root, hsize_t index) {
  const std::string what = "HDF5 attribute " + std::to_string(index + 1);
  const Handle attribute(
      H5Aopen_by_idx(root, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, index, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      what);
  const Handle type(H5Aget_type(attribute), H5Tclose, what), space(H5Aget_space(attribute), H5Sclose, what);
  const ssize_t name_length = H5Aget_name(attribute, 0, nullptr);
  const std::size_t length = text_length(type);
  require(name_length > 0 && length > 0 && H5Sget_simple_extent_npoints(space) == 1, what);
  std::string name(static_cast<std::size_t>(name_length) + 1, '\0'), value(length, '\0');
  require(H5Aget_name(attribute, name.size(), name.data()) == name_length, what);
  require(H5Aread(attribute, type, value.data()) >= 0, what);
  return {without_padding(name), without_padding(value)};
}

Hdf5Dataset get_dataset(hid_t root, hsize_t index) {
  Hdf5Dataset out;
  std::string what = "HDF5 dataset " + std::to_string(index + 1);
  const ssize_t name_length =
      H5Lget_name_by_idx(root, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, index, nullptr, 0, H5P_DEFAULT);
  require(name_length > 0, what);
  out.name.assign(static_cast<std::size_t>(name_length) + 1, '\0');
  H5Lget_name_by_idx(root, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, index, out.name.data(), out.name.size(),
                     H5P_DEFAULT);
  out.name = without_padding(out.name);
  what = "HDF5 dataset `" + out.name + "`";
  const Handle dataset(H5Dopen2(root, out.name.c_str(), H5P_DEFAULT), H5Dclose, what);
  const Handle type(H5Dget_type(dataset), H5Tclose, what), space(H5Dget_space(dataset), H5Sclose, what);
  const int rank = H5Sget_simple_extent_ndims(space);
  require(rank > 0, what);
  std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  out.dims.assign(dims.begin(), dims.end());
  const auto size = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  if (H5Tget_class(type) == H5T_FLOAT) {
    out.numbers.resize(size);
    require(size == 0 ||
                H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.numbers.data()) >= 0,
            what);
    return out;
  }
  const std::size_t length = text_length(type);
  require(length > 0, what);
  std::string packed(length * size, '\0');
  require(size == 0 || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()) >= 0, what);
  for (std::size_t i = 0; i < size; ++i)
    out.texts.push_back(without_padding(packed.substr(i * length, length)));
  return out;
}

std::mutex& library() { // not every build of HDF5 is safe in threads
  static std::mutex mutex;
  return mutex;
}

} // namespace

std::string hdf5_bytes(const Hdf5Content& content) {
  const std::lock_guard lock(library());
  const Quiet quiet;
  const std::string what = "HDF5 file";
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, what);
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, what);
  require(H5Pset_fapl_core(access, 1 << 20, false) >= 0, what);
  // The order is for whoever lists the file. With it the root also takes attributes longer than 64 kB. Asking
  // for that by H5Pset_libver_bounds makes H5Fget_file_image give a superblock with a wrong checksum
  // (HDF5 1.10.8).
  const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  require(H5Pset_link_creation_order(creation, order) >= 0, what);
  require(H5Pset_attr_creation_order(creation, order) >= 0, what);
  const Handle file(H5Fcreate("in memory", H5F_ACC_TRUNC, creation, access), H5Fclose, what);
  for (const auto& [name, value] : content.attributes) put_attribute(file, name, value);
  for (const Hdf5Dataset& set : content.datasets) put_dataset(file, set);
  require(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, what);
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  require(size > 0, what);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  require(H5Fget_file_image(file, bytes.data(), bytes.size()) == size, what);
  return bytes;
}

Hdf5Content read_hdf5(const std::string& path) {
  const std::lock_guard lock(library());
  const Quiet quiet;
  try {
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                      "not an HDF5 file that can be read");
    const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, "HDF5 file");
    const int attributes = H5Aget_num_attrs(root);
    H5G_info_t group{};
    require(attributes >= 0 && H5Gget_info(root, &group) >= 0, "HDF5 file");
    Hdf5Content content;
    for (int i = 0; i < attributes; ++i)
      content.attributes.push_back(get_attribute(root, static_cast<hsize_t>(i)));
    for (hsize_t i = 0; i < group.nlinks; ++i) content.datasets.push_back(get_dataset(root, i));
    return content;
  } catch (const std::runtime_error& problem) {
    throw std::invalid_argument(path + ": " + problem.what());
  }
}

} // namespace attndyn
