// Standard S17, a million steps (long_runs_slow_test.cpp takes a hundred million), and steps that are below
// the spacing of numbers near t.
#define BOOST_TEST_MODULE long_time
#include "tests/lib/solve/long_time.hpp"

using namespace attndyn;
using namespace attndyn::testing;

BOOST_AUTO_TEST_CASE(a_million_steps_of_a_tenth_are_a_hundred_thousand_to_one_ulp) {
  const double t = clock_after(1'000'000);
  BOOST_TEST_MESSAGE("off by " << (t - 1e5) / ulp(1e5) << " ulp");
  BOOST_TEST(std::abs(t - 1e5) <= ulp(1e5));
  // What plain addition makes of it: the bound can be missed.
  double plain = 0;
  for (int k = 0; k < 1'000'000; ++k) plain += 0.1;
  BOOST_TEST(std::abs(plain - 1e5) > 1000 * ulp(1e5));
}

// A step that does not move t ends the run by its name: a fixed one, and one that a stepper has shortened.
BOOST_AUTO_TEST_CASE(a_step_that_does_not_move_the_clock_is_a_step_too_small) {
  const FunctionModel<double> line(
      1, [](const Vector<double>&, Vector<double>& dxdt, const double&) { dxdt[0] = 1; });
  for (const double start : {1e17, -1e17})
    for (const char* stepper : {"euler", "rk4", "dop853", "dopri5", "fehlberg78"}) {
      Options<double> options;
      options.stepper = stepper;
      options.step = 0.1;
      options.control_global_error = false;
      const auto s = solve<double>(line, {0}, start, {start + 1000}, options);
      BOOST_TEST((s.why == Stop::step_too_small), stepper << ": " << name_of(s.why));
      BOOST_TEST(!s.ended_as_asked());
      BOOST_TEST(s.t == start);
      BOOST_TEST(s.x[0] == 0);
      BOOST_TEST(s.stats.accepted == 0u);
      BOOST_TEST(s.samples.empty());
      BOOST_TEST(s.detail.find("t = ") != std::string::npos);
    }
  // x' = -x on a scale of 1e-3 of the spacing of numbers at t = 1e16.
  const FunctionModel<double> fast(
      1, [](const Vector<double>& x, Vector<double>& dxdt, const double&) { dxdt[0] = -1000 * x[0]; });
  for (const char* stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer"}) {
    Options<double> options;
    options.stepper = stepper;
    const auto s = solve<double>(fast, {1}, 1e16, {1e16 + 100}, options);
    BOOST_TEST((s.why == Stop::step_too_small), stepper << ": " << name_of(s.why));
    BOOST_TEST(s.t == 1e16);
  }
}
