// Standard S6 beyond double: proportionality of the local tolerance in Float128.
#define BOOST_TEST_MODULE tolerance_slow
#include <boost/test/unit_test.hpp>

#include "tests/lib/solve/tolerance_proportionality.hpp"

using namespace attndyn;
using namespace attndyn::testing;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(50); }
};

void check(const Target<Float128>& target, const char* stepper, int from, int to) {
  const auto r = ratios(target, stepper, from, to, false);
  BOOST_TEST_MESSAGE(
      fmt::format("  slope {:.3f}, largest change between decades {:.2g}", slope(r), largest_jump(r)));
  BOOST_TEST((slope(r) >= 0.85 && slope(r) <= 1.15));
  BOOST_TEST(largest_jump(r) < 10);
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE(the_error_is_proportional_to_the_local_tolerance_in_float128) {
  const auto mix = mix_target<Float128>(), tokens = tokens_target<Float128>();
  check(mix, "dop853", 12, 29);
  check(mix, "fehlberg78", 12, 29);
  check(mix, "bulirsch_stoer", 12, 29);
  check(mix, "dopri5", 10, 17);
  check(tokens, "dop853", 12, 20);
  check(tokens, "bulirsch_stoer", 12, 29);
}

BOOST_AUTO_TEST_CASE(global_control_keeps_its_promise_in_float128) {
  for (const double ratio : ratios(mix_target<Float128>(), "dop853", 14, 28, true)) BOOST_TEST(ratio <= 1);
  for (const double ratio : ratios(mix_target<Float128>(), "bulirsch_stoer", 14, 28, true))
    BOOST_TEST(ratio <= 1);
}
