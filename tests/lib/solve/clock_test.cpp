// Standard S17: time does not drift. 1e8 steps of 0.1 end within one unit in the last place of 1e7.
#define BOOST_TEST_MODULE clock
#include <boost/test/unit_test.hpp>

#include "lib/solve.hpp"

#include <cmath>

using namespace attndyn;

BOOST_AUTO_TEST_CASE(a_hundred_million_steps_of_a_tenth_end_at_ten_million) {
  const FunctionModel<double> still(
      1, [](const Vector<double>&, Vector<double>& dxdt, const double&) { dxdt[0] = 0; });
  Options<double> options;
  options.stepper = "euler";
  options.step = 0.1;
  options.control_global_error = false;
  options.max_steps = 100'000'000;
  double last = 0;
  std::uint64_t steps = 0;
  options.observer = [&](int, const double& t, const Vector<double>&) {
    last = t;
    ++steps;
    return Flow::go;
  };
  const auto s = solve<double>(still, {1}, 0.0, {2e7}, options);
  BOOST_TEST((s.why == Stop::max_steps));
  BOOST_TEST(steps == 100'000'001u);
  BOOST_TEST(std::abs(last - 1e7) <= std::nextafter(1e7, 2e7) - 1e7);
}
