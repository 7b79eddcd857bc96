// Tolerance is true error (design): the tolerance asked for against the true error, for every scheme. True
// values: rows of tests/reference/equiangular.csv (mpmath quadrature and Newton; no differential equation, no
// code of the library).
#define BOOST_TEST_MODULE equiangular_tolerance
#include <boost/test/unit_test.hpp>

#include "lib/schemes/all.hpp"
#include "tests/support/equiangular_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

using namespace attndyn;
using attndyn::testing::equiangular_row;
using attndyn::testing::EquiangularRow;
using attndyn::testing::promise_ratio;
using attndyn::testing::run;

namespace {

struct Set {
  const char *attention, *n, *beta, *t;
};

/// One line a scheme and set: error / max(tol, 4 eps |y|) for each tolerance. Returns the largest.
template <class Real> double table(const std::vector<Set>& sets, const std::vector<const char*>& tolerances) {
  std::string head = fmt::format("{:<42}", "error / max(tol, 4 eps |y|) at tol");
  for (const char* tol : tolerances) head += fmt::format("{:>10}", tol);
  BOOST_TEST_MESSAGE(head);
  double worst = 0;
  for (const Set& set : sets)
    for (const auto& info : scheme_list()) {
      const EquiangularRow row = equiangular_row(info.name, set.attention, set.n, set.beta, set.t);
      std::string line = fmt::format("{:<42}", row.label);
      for (const char* text : tolerances) {
        const Real tolerance = parse_real<Real>(text);
        const auto s = run<Real>(row.params, {parse_real<Real>(row.t)}, tolerance);
        BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end,
                              row.label << ": " << name_of(s.why) << " " << s.detail);
        const double ratio = promise_ratio(s.samples[0].x, row, tolerance);
        BOOST_TEST(ratio <= 10, row.label << " at " << text << ": " << ratio);
        // The run's own estimate bounds its error.
        BOOST_REQUIRE(s.error_estimate.has_value());
        BOOST_TEST(plain_value(Real(*s.error_estimate / tolerance)) <= 1);
        line += fmt::format("{:>10.2g}", ratio);
        worst = std::max(worst, ratio);
      }
      BOOST_TEST_MESSAGE(line);
    }
  return worst;
}

} // namespace

BOOST_AUTO_TEST_CASE(true_error_in_double_stays_within_ten_tolerances_from_1e_minus_4_to_1e_minus_13) {
  const double worst = table<double>({{"sa", "256", "5", "10"},
                                      {"sa", "2", "1", "3"},
                                      {"sa", "33", "20", "5"},
                                      {"sa", "3", "-2", "4"},
                                      {"usa", "16", "1.5", "0.5"}},
                                     {"1e-4", "1e-6", "1e-8", "1e-10", "1e-12", "1e-13"});
  BOOST_TEST_MESSAGE(fmt::format("largest: {:.2g}", worst));
}

BOOST_AUTO_TEST_CASE(true_error_in_float128_stays_within_ten_tolerances_to_1e_minus_28) {
  const double worst = table<Float128>({{"sa", "256", "5", "10"}, {"sa", "3", "-2", "4"}},
                                       {"1e-4", "1e-8", "1e-13", "1e-18", "1e-23", "1e-28"});
  BOOST_TEST_MESSAGE(fmt::format("largest: {:.2g}", worst));
}
