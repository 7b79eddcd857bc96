#define BOOST_TEST_MODULE figures
#include "lib/io.hpp"
#include "lib/models/equiangular.hpp"
#include "lib/solve.hpp"
#include "paper_figures/all_figures.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <map>

using namespace attndyn;
namespace tt = boost::test_tools;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("attndyn figures " + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

figures::Drawn drawn(const Folder& folder, const char* name) {
  return figures::find_figure(name).run({folder.path.string(), true});
}

void all_files_are_there(const std::string& stem) {
  for (const char* end : {".csv", ".pdf", ".png", ".svg"}) {
    BOOST_TEST(fs::exists(stem + end), end);
    BOOST_TEST(fs::file_size(stem + end) > 1000u, end);
  }
}

std::size_t column(const Table& t, const std::string& name) {
  const auto at = std::find(t.columns.begin(), t.columns.end(), name);
  BOOST_TEST_REQUIRE((at != t.columns.end()));
  return static_cast<std::size_t>(at - t.columns.begin());
}

} // namespace

// Values: published parameters, quadrature (tests/reference/constants.csv has them to 40 digits).
BOOST_AUTO_TEST_CASE(the_symmetric_figure_shows_the_known_values_and_constants) {
  const Folder folder;
  const auto d = drawn(folder, "nad-symmetric");
  all_files_are_there(d.stem);
  BOOST_TEST(d.refinement.find("refinement") == 0u);
  const Table t = read_table(d.stem + ".csv");
  const std::map<std::string, double> gap_at_10{{"post", 4.400133e-6}, {"pre", 3.113966e-1},
                                                {"peri", 9.076882e-2}, {"ngpt", 3.727239e-8},
                                                {"sqrt", 1.674085e-1}, {"mix", 3.161689e-2}};
  const std::map<std::string, double> constants{{"post", 2134.80097947}, {"pre", 8.33906632604},
                                                {"peri", 8.33906632604}, {"mix", 1.39813777871},
                                                {"sqrt", 116556.184168}, {"ngpt", 18.0832683978}};
  std::size_t seen = 0;
  for (const auto& row : t.rows) {
    const std::string scheme = row[column(t, "scheme")];
    const double time = parse_real<double>(row[column(t, "t")]);
    if (time != 10) continue;
    ++seen;
    // Known to seven printed digits.
    BOOST_TEST(parse_real<double>(row[column(t, "one_minus_g")]) == gap_at_10.at(scheme),
               tt::tolerance(5e-7));
    const double law = parse_real<double>(row[column(t, "terminal_law")]);
    const double shape = scheme == "post" || scheme == "ngpt" ? std::exp(-20.0)
                         : scheme == "sqrt"                   ? std::exp(-4 * std::sqrt(10.0))
                                                              : 0.01;
    BOOST_TEST(law / shape == constants.at(scheme), tt::tolerance(1e-11));
  }
  BOOST_TEST(seen == 6u);
}

BOOST_AUTO_TEST_CASE(the_schemes_reach_the_cosine_0_999_when_they_should) {
  const std::map<std::string, double> times{{"post", 7.286434}, {"pre", 97.890145},  {"peri", 92.140290},
                                            {"ngpt", 4.901112}, {"sqrt", 20.559464}, {"mix", 40.917971}};
  for (const auto& [scheme, expected] : times) {
    const Equiangular<double> model({.scheme = {.name = scheme}});
    Options<double> options;
    options.events = {{"0.999", [](const Vector<double>& x, const double&) { return x[0] - std::log(1e-3); },
                       Event<double>::Direction::falling, true}};
    const auto s = solve<double>(model, model.start(), 0, {200}, options);
    BOOST_TEST((s.why == Stop::event));
    BOOST_TEST(s.t == expected, tt::tolerance(1e-7));
  }
}

// [NAD] Thm 4.1 at n = 256, beta = 5: Post 2/(e^5+255), Peri 2/sqrt(e^10+255).
BOOST_AUTO_TEST_CASE(the_speed_figure_shows_the_initial_velocities_and_the_growth_of_s) {
  const Folder folder;
  const auto d = drawn(folder, "nad-speed");
  all_files_are_there(d.stem);
  const Table t = read_table(d.stem + ".csv");
  std::size_t seen = 0;
  for (const auto& row : t.rows) {
    const double x = parse_real<double>(row[2]), y = parse_real<double>(row[3]);
    if (row[0] == "beta" && x == 5) {
      const bool fast = row[1] == "peri" || row[1] == "ngpt";
      BOOST_TEST(y == (fast ? 2 / std::sqrt(std::exp(10.0) + 255) : 2 / (std::exp(5.0) + 255)),
                 tt::tolerance(1e-13));
      ++seen;
    }
    if (row[0] == "s" && row[1] == "post") BOOST_TEST(y == 1);
    if (row[0] == "s" && row[1] == "sqrt") BOOST_TEST(y == std::sqrt(1 + x), tt::tolerance(1e-12));
    if (row[0] == "s" && row[1] == "pre" && x > 900) BOOST_TEST(y == x, tt::tolerance(0.05));
  }
  BOOST_TEST(seen == 6u);
}

BOOST_AUTO_TEST_CASE(an_unknown_figure_is_refused_with_the_list) {
  BOOST_CHECK_EXCEPTION(figures::find_figure("nad"), std::invalid_argument, [](const std::exception& e) {
    return std::string(e.what()).find("nad-speed") != std::string::npos;
  });
}
