// The equiangular model against tests/reference/equiangular.csv: log(1-g) and log r of every scheme by mpmath
// quadrature of the clock t(g), exponential integrals for the radius, and Newton's method for g. That route
// integrates no differential equation and shares no code with the library.
#define BOOST_TEST_MODULE equiangular_reference
#include <boost/test/unit_test.hpp>

#include "tests/support/equiangular_rows.hpp"

#include <algorithm>
#include <map>

using namespace attndyn;
using attndyn::testing::equiangular_rows;
using attndyn::testing::EquiangularRow;
using attndyn::testing::promise_ratio;
using attndyn::testing::run;

namespace {

/// Rows that differ in their time only.
std::map<std::string, std::vector<EquiangularRow>> rows_by_run() {
  std::map<std::string, std::vector<EquiangularRow>> out;
  for (const auto& row : equiangular_rows()) out[row.label.substr(0, row.label.rfind("t "))].push_back(row);
  return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_row_is_met_in_double_to_the_promise_at_tolerance_1e_minus_12) {
  double worst = 0;
  std::string where;
  int count = 0;
  for (const auto& row : equiangular_rows()) {
    const auto s = run<double>(row.params, {parse_real<double>(row.t)}, 1e-12);
    BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, row.label << ": " << name_of(s.why) << " " << s.detail);
    const double ratio = promise_ratio(s.samples[0].x, row, 1e-12);
    BOOST_TEST(ratio <= 10, row.label << ": " << ratio);
    if (ratio > worst) {
      worst = ratio;
      where = row.label;
    }
    ++count;
  }
  BOOST_TEST(count == 330);
  BOOST_TEST_MESSAGE(count << " rows in double at 1e-12; largest error / max(tol, 4 eps |y|) = " << worst
                           << " (" << where << ")");
}

// All times of a run at once: all but the last come out of the middle of a step.
BOOST_AUTO_TEST_CASE(output_times_inside_a_run_are_met_as_well) {
  double worst = 0;
  for (const auto& [label, rows] : rows_by_run()) {
    Vector<double> times;
    for (const auto& row : rows) times.push_back(parse_real<double>(row.t));
    const auto s = run<double>(rows[0].params, times, 1e-12);
    BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, label << ": " << name_of(s.why) << " " << s.detail);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double ratio = promise_ratio(s.samples[i].x, rows[i], 1e-12);
      BOOST_TEST(ratio <= 10, rows[i].label << ": " << ratio);
      worst = std::max(worst, ratio);
    }
  }
  BOOST_TEST_MESSAGE("several times a run: largest ratio " << worst);
}

// One early and one late row of every scheme and start, at the tolerance of 25 digits.
BOOST_AUTO_TEST_CASE(float128_meets_the_promise_at_tolerance_1e_minus_25) {
  const auto tolerance = parse_real<Float128>("1e-25");
  double worst = 0;
  int count = 0;
  for (const auto& [label, rows] : rows_by_run()) {
    if (rows[0].params.scheme.name == "ngpt" && rows[0].params.scheme.alpha_decay.text() == "1") continue;
    for (const auto& row : rows) {
      if (parse_real<double>(row.t) > 10) continue;
      const auto s = run<Float128>(row.params, {parse_real<Float128>(row.t)}, tolerance);
      BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end,
                            row.label << ": " << name_of(s.why) << " " << s.detail);
      const double ratio = promise_ratio(s.samples[0].x, row, tolerance);
      BOOST_TEST(ratio <= 10, row.label << ": " << ratio);
      worst = std::max(worst, ratio);
      ++count;
    }
  }
  BOOST_TEST_MESSAGE(count << " rows in Float128 at 1e-25: largest ratio " << worst);
}
