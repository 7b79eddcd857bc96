// The particle model against tests/reference/particles_ref.csv: every scheme and attention, masses, heads,
// one token, a line, by an extrapolated midpoint rule at 230 bits in gmpy2, which shares no code with the
// library.
#define BOOST_TEST_MODULE particles_reference
#include <boost/test/unit_test.hpp>

#include "tests/support/particle_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

using namespace attndyn;
using attndyn::testing::particle_runs;
using attndyn::testing::true_error;

namespace {

template <class Real> double worst_over_all_runs(const char* tolerance_text) {
  const Real tolerance = parse_real<Real>(tolerance_text);
  double worst = 0;
  int count = 0;
  for (const auto& run : particle_runs<Real>()) {
    const double ratio = true_error(run, tolerance) / plain_value(tolerance);
    BOOST_TEST(ratio <= 10, run.name << ": " << ratio << " tolerances");
    worst = std::max(worst, ratio);
    ++count;
  }
  BOOST_TEST(count == 34);
  return worst;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_run_is_met_in_double_at_tolerance_1e_minus_12) {
  const double worst = worst_over_all_runs<double>("1e-12");
  BOOST_TEST_MESSAGE("double at 1e-12: largest error " << worst << " tolerances");
}

BOOST_AUTO_TEST_CASE(every_run_is_met_in_float128_at_tolerance_1e_minus_25) {
  const double worst = worst_over_all_runs<Float128>("1e-25");
  BOOST_TEST_MESSAGE("Float128 at 1e-25: largest error " << worst << " tolerances");
}

// Tolerance is true error: theta absolute, r relative, within ten tolerances.
BOOST_AUTO_TEST_CASE(true_error_stays_within_ten_tolerances_from_1e_minus_4_to_1e_minus_13) {
  const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13};
  std::string head = fmt::format("{:<22}", "true error / tol at tol");
  for (double tol : tolerances) head += fmt::format("{:>10.0e}", tol);
  BOOST_TEST_MESSAGE(head);
  for (const auto& run : particle_runs<double>()) {
    if (run.name == "line" || run.name.starts_with("one_token"))
      continue; // nothing or next to nothing to integrate
    std::string line = fmt::format("{:<22}", run.name);
    for (double tol : tolerances) {
      const double ratio = true_error(run, tol) / tol;
      BOOST_TEST(ratio <= 10, run.name << " at " << tol << ": " << ratio);
      line += fmt::format("{:>10.2g}", ratio);
    }
    BOOST_TEST_MESSAGE(line);
  }
}
