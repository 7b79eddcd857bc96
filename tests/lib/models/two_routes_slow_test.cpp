// The equiangular flow by Taylor series and by its separable solution agree to all of 60 digits but three, at
// random parameters (50 of every scheme).
#define BOOST_TEST_MODULE two_routes_slow
#include "tests/lib/models/two_routes.hpp"

using namespace attndyn;
using namespace attndyn::testing;

BOOST_AUTO_TEST_CASE(two_routes_agree_at_60_digits_at_random_parameters) {
  for (const auto& scheme : scheme_list())
    for (std::uint64_t unit = 0; unit < 50; ++unit) check_two_routes(scheme.name, unit);
}
