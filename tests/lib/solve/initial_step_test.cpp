// Standard S8: the first step offered to an adaptive method does not matter, over twelve decades.
#define BOOST_TEST_MODULE initial_step
#include <boost/test/unit_test.hpp>

#include "lib/models/equiangular.hpp"
#include "lib/solve.hpp"
#include "tests/lib/integrators/problems.hpp"

#include <cmath>
#include <string>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

const double tolerance = 1e-9;

Solution<double> run_with(const Model<double>& model, const Vector<double>& start, const char* stepper,
                          double step, const Vector<double>& times) {
  Options<double> options;
  options.stepper = stepper;
  options.tolerance = tolerance;
  options.step = step;
  return solve<double>(model, start, 0.0, times, options);
}

void check(const char* name, const Model<double>& model, const Vector<double>& start,
           const Vector<double>& times) {
  for (const char* stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "taylor"}) {
    if (needs_recording(stepper) && !model.record_field(0, start, 0)) continue;
    const auto chosen = run_with(model, start, stepper, 0, times);
    BOOST_TEST((chosen.why == Stop::reached_end));
    double worst = 0;
    for (int k = -10; k <= 2; ++k) {
      const auto s = run_with(model, start, stepper, std::pow(10.0, k), times);
      BOOST_TEST((s.why == Stop::reached_end),
                 stepper << " from a first step of 1e" << k << ": " << s.detail);
      BOOST_TEST_REQUIRE(s.samples.size() == times.size());
      for (std::size_t i = 0; i < times.size(); ++i)
        worst = std::max(worst, largest_difference(s.samples[i].x, chosen.samples[i].x));
    }
    BOOST_TEST_MESSAGE(name << ", " << stepper << ": results differ by " << worst / tolerance
                            << " tolerances");
    BOOST_TEST(worst < 10 * tolerance);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(the_first_step_does_not_change_the_result) {
  EquiangularParams mix;
  mix.scheme.name = "mix";
  const Equiangular<double> equiangular(mix);
  check("Mix-LN", equiangular, equiangular.start(), {1, 5, 10});

  const auto particles = four_tokens<double>("peri");
  check("4 tokens", *particles, particles->start(), {1, 5, 10});

  const auto p = modulated<double>();
  check("x' = x cos t", FunctionModel<double>(1, p.f), p.x0, {1, 5, 10});
}

// Not the state but the clock is large or small: the chosen first step has to follow.
BOOST_AUTO_TEST_CASE(the_chosen_first_step_needs_no_rejections_over_thirty_decades_of_time) {
  for (const char* stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "taylor"})
    for (int k = -15; k <= 15; k += 5) {
      const double unit = std::pow(10.0, k);
      const FunctionModel<double> decay(
          1, [&](const Vector<double>& x, Vector<double>& dxdt, const double&) { dxdt[0] = -x[0] / unit; }, 1,
          [&](const Vector<Recorded>& x, const Recorded&) { return Vector<Recorded>{-x[0] / unit}; });
      const auto s = run_with(decay, {1.0}, stepper, 0, {unit});
      BOOST_TEST((s.why == Stop::reached_end));
      BOOST_TEST(std::abs(s.x[0] - std::exp(-1.0)) < tolerance);
      BOOST_TEST(s.stats.rejected <= 1u);
    }
}
