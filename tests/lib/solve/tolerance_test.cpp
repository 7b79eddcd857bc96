#define BOOST_TEST_MODULE tolerance
#include <boost/test/unit_test.hpp>

#include "tests/lib/solve/tolerance_proportionality.hpp"

using namespace attndyn;
using namespace attndyn::testing;
namespace {
struct Precision {
  Precision() { set_mpfr_digits(50); }
};
}  // namespace
BOOST_TEST_GLOBAL_FIXTURE(Precision);
BOOST_AUTO_TEST_CASE(x) {
  for (const auto& target : {modulated_target<double>(), mix_target<double>(), tokens_target<double>()})
    for (const char* st : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer"}) {
      const auto r = ratios<double>(target, st, 4, 12, false);
      BOOST_TEST_MESSAGE("  slope " << slope(r) << " jump " << largest_jump(r));
    }
}
