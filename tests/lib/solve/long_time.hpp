/// Standard S17: the clock of a run of many equal steps.
#pragma once

#include "lib/solve.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace attndyn::testing {

/// The clock after so many Euler steps of 0.1 on x' = 1.
inline double clock_after(std::uint64_t steps) {
  const FunctionModel<double> model(
      1, [](const Vector<double>&, Vector<double>& dxdt, const double&) { dxdt[0] = 1; });
  Options<double> options;
  options.stepper = "euler";
  options.step = 0.1;
  options.control_global_error = false;
  options.max_steps = 2 * steps;
  std::uint64_t seen = 0;
  options.observer = [&](int, const double&, const Vector<double>&) {
    return seen++ == steps ? Flow::stop : Flow::go; // the start is seen, too
  };
  const auto s = solve<double>(model, {0}, 0.0, {0.2 * static_cast<double>(steps)}, options);
  BOOST_REQUIRE((s.why == Stop::observer));
  BOOST_REQUIRE(s.stats.accepted == steps);
  return s.t;
}

inline double ulp(double x) { return std::nextafter(x, HUGE_VAL) - x; }

} // namespace attndyn::testing
