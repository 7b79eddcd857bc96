// HDF5 files of the command line, read by the HDF5 library alone, none of our own reader.
#define BOOST_TEST_MODULE cli_hdf5
#include "tests/cli/attndyn_for_tests.hpp"

#if __has_include(<hdf5/serial/hdf5.h>)
#include <hdf5/serial/hdf5.h>
#else
#include <hdf5.h>
#endif

#include <cmath>

using namespace attndyn::tests;

namespace {

struct Hdf5 {
  hid_t file;
  explicit Hdf5(const std::string& path) : file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    BOOST_REQUIRE(file >= 0);
  }
  ~Hdf5() { H5Fclose(file); }

  std::vector<hsize_t> extents(const std::string& name) const {
    const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT), space = H5Dget_space(set);
    BOOST_REQUIRE(set >= 0);
    std::vector<hsize_t> out(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, out.data(), nullptr);
    H5Sclose(space);
    H5Dclose(set);
    return out;
  }
  std::vector<double> numbers(const std::string& name) const {
    std::size_t size = 1;
    for (hsize_t extent : extents(name)) size *= extent;
    std::vector<double> out(size);
    const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    BOOST_REQUIRE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) >= 0);
    H5Dclose(set);
    return out;
  }
  std::vector<std::string> texts(const std::string& name) const {
    const hid_t set = H5Dopen2(file, name.c_str(), H5P_DEFAULT), type = H5Dget_type(set);
    BOOST_REQUIRE(H5Tget_class(type) == H5T_STRING);
    const std::size_t length = H5Tget_size(type), count = extents(name).at(0);
    std::string all(length * count, '\0');
    BOOST_REQUIRE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) >= 0);
    H5Tclose(type);
    H5Dclose(set);
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count; ++i) out.emplace_back(all.substr(i * length, length).c_str());
    return out;
  }
  std::string attribute(const std::string& name) const {
    const hid_t attribute = H5Aopen(file, name.c_str(), H5P_DEFAULT), type = H5Aget_type(attribute);
    BOOST_REQUIRE(attribute >= 0);
    std::string out(H5Tget_size(type), '\0');
    H5Aread(attribute, type, out.data());
    H5Tclose(type);
    H5Aclose(attribute);
    return out.c_str();
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_table_in_hdf5_holds_what_csv_holds) {
  const Scratch folder;
  for (const Words& call :
       {Words{"equiangular", "--times", "0,1,500", "--n", "3", "--scheme", "post"},
        Words{"equiangular", "--times", "0.1", "--digits", "40"}, Words{"particles", "--times", "0,1"}}) {
    const Csv csv = csv_of(call);
    const Ran ran = run(call + Words{"--format", "hdf5", "--out", folder / "table.h5"});
    BOOST_TEST(ran.status == 0);
    BOOST_TEST(ran.out + ran.err == "");
    const Hdf5 file(folder / "table.h5");
    for (const std::string& column : split(csv.header, ',')) {
      const auto numbers = file.numbers(column);
      BOOST_REQUIRE(numbers.size() == csv.rows.size());
      const bool as_text = H5Lexists(file.file, (column + "_text").c_str(), H5P_DEFAULT) > 0;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        BOOST_TEST(numbers[i] == std::strtod(csv.text(i, column).c_str(), nullptr));
        if (as_text) BOOST_TEST(file.texts(column + "_text")[i] == csv.text(i, column));
      }
      const bool loses = csv.parameters.at("number_type") == "mpfr"
                             ? column == "g"
                             : column == "one_minus_g" && csv.rows.size() == 3;
      if (loses) BOOST_TEST(as_text, column);
    }
    for (const auto& [name, value] : csv.parameters) BOOST_TEST(file.attribute(name) == value, name);
  }
}

BOOST_AUTO_TEST_CASE(states_are_the_same_in_csv_and_hdf5_and_of_unit_length) {
  const Scratch folder;
  for (const std::string digits : {"10", "35"}) {
    const Words call{"particles", "--scheme", "pre",     "--n",      "3",    "--d",
                     "2",         "--times",  "0,1,2.5", "--digits", digits, "--states"};
    csv_of(call + Words{folder / "s.csv"});
    csv_of(call + Words{folder / "s.h5"});
    const Csv csv(content_of(folder / "s.csv"));
    BOOST_TEST(csv.header == "t,token,r,theta_1,theta_2");
    BOOST_REQUIRE(csv.rows.size() == 9U);
    const Hdf5 file(folder / "s.h5");
    BOOST_TEST((file.extents("theta") == std::vector<hsize_t>{3, 3, 2}));
    const auto t = file.numbers("t"), theta = file.numbers("theta"), r = file.numbers("r");
    BOOST_REQUIRE(t.size() == 3U);
    BOOST_REQUIRE(r.size() == 9U);
    for (std::size_t i = 0; i < 9; ++i) {
      BOOST_TEST(csv.value(i, "t") == t[i / 3]);
      BOOST_TEST(csv.text(i, "token") == std::to_string(i % 3 + 1));
      BOOST_TEST(csv.value(i, "r") == r[i]);
      BOOST_TEST(csv.value(i, "theta_1") == theta[2 * i]);
      BOOST_TEST(csv.value(i, "theta_2") == theta[2 * i + 1]);
      BOOST_TEST(std::hypot(theta[2 * i], theta[2 * i + 1]) == 1, boost::test_tools::tolerance(1e-15));
    }
    BOOST_TEST((H5Lexists(file.file, "theta_text", H5P_DEFAULT) > 0) == (digits == "35"));
    BOOST_TEST(file.attribute("scheme") == "pre");
  }
}

BOOST_AUTO_TEST_CASE(a_run_without_samples_leaves_files_that_say_so) {
  const Scratch folder;
  const std::string opposite = folder.file("opposite.csv", "1,0\n-1,0\n");
  const Words call{"particles", "--init", opposite,  "--scheme", "pre",
                   "--beta",    "-1",     "--times", "5",        "--states"};
  for (const std::string& path : {folder / "s.csv", folder / "s.h5"}) {
    const Ran ran = run(call + Words{path});
    BOOST_TEST(ran.status == 1);
    BOOST_TEST(Csv(ran.out).rows.empty());
  }
  const Csv csv(content_of(folder / "s.csv"));
  BOOST_TEST(csv.header == "t,token,r,theta_1,theta_2");
  BOOST_TEST(csv.rows.empty());
  BOOST_TEST(csv.parameters.at("why_ended") == "radius_zero");
  const Hdf5 file(folder / "s.h5");
  BOOST_TEST((file.extents("theta") == std::vector<hsize_t>{0, 2, 2}));
  BOOST_TEST(file.attribute("why_ended") == "radius_zero");
}
