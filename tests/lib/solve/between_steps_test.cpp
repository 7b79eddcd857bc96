// Output between the steps of methods without dense output: a shorter step of the same method, as accurate as
// its steps, and without any influence on the run.
#define BOOST_TEST_MODULE between_steps
#include <boost/test/unit_test.hpp>

#include "lib/solve.hpp"
#include "tests/lib/integrators/problems.hpp"

#include <cmath>
#include <string>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(60); }
};

struct Errors {
  double at_steps = 0, between = 0;
};

/// x' = x cos t to t = 2: errors at the steps and at 16 points inside every step.
Errors errors(const char* stepper, const Mpfr& step, const Mpfr& tolerance) {
  const auto p = modulated<Mpfr>();
  const FunctionModel<Mpfr> model(1, p.f);
  Options<Mpfr> options;
  options.stepper = stepper;
  options.step = step;
  options.tolerance = tolerance;
  options.control_global_error = false;
  Vector<Mpfr> steps;
  Errors out;
  const auto take = [&](double& worst, const Mpfr& t, const Vector<Mpfr>& x) {
    worst = std::max(worst, plain_value(largest_difference(x, p.exact(t))));
  };
  options.observer = [&](int, const Mpfr& t, const Vector<Mpfr>& x) {
    steps.push_back(t);
    take(out.at_steps, t, x);
    return Flow::go;
  };
  const auto s = solve<Mpfr>(model, p.x0, p.t0, {Mpfr(2)}, options);
  Vector<Mpfr> times;
  for (std::size_t k = 1; k < steps.size(); ++k)
    for (int i = 1; i <= 17; ++i)
      times.push_back(i == 17 ? steps[k] : Mpfr(steps[k - 1] + (steps[k] - steps[k - 1]) * i / 17));
  options.observer = nullptr;
  const auto dense = solve<Mpfr>(model, p.x0, p.t0, times, options);
  BOOST_TEST_REQUIRE(dense.samples.size() == times.size());
  for (const auto& sample : dense.samples) take(out.between, sample.t, sample.x);
  BOOST_TEST((dense.x == s.x)); // looking changes nothing
  BOOST_TEST(dense.stats.accepted == s.stats.accepted);
  BOOST_TEST(dense.stats.rejected == s.stats.rejected);
  return out;
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE(fixed_steps_keep_their_order_between_the_steps) {
  for (const char* stepper : {"rk4", "euler"}) {
    const Errors coarse = errors(stepper, Mpfr(1) / 64, Mpfr("1e-9")),
                 fine = errors(stepper, Mpfr(1) / 128, Mpfr("1e-9"));
    BOOST_TEST_MESSAGE(stepper << ": at the steps " << fine.at_steps << ", between " << fine.between
                               << ", slopes " << std::log2(coarse.at_steps / fine.at_steps) << " and "
                               << std::log2(coarse.between / fine.between));
    BOOST_TEST(std::abs(std::log2(coarse.between / fine.between) - stepper_order(stepper)) < 0.15);
    BOOST_TEST(fine.between <= 1.1 * fine.at_steps);
  }
}

BOOST_AUTO_TEST_CASE(adaptive_steps_are_as_accurate_between_as_at_their_ends) {
  for (const std::string stepper : {"fehlberg78", "bulirsch_stoer"})
    for (const char* tolerance : {"1e-6", "1e-10", "1e-15", "1e-20"}) {
      const Errors e = errors(stepper.c_str(), Mpfr(0), Mpfr(tolerance));
      BOOST_TEST_MESSAGE(stepper << " at " << tolerance << ": at the steps " << e.at_steps << ", between "
                                 << e.between);
      // Bulirsch-Stoer may get through a shorter step at a lower order: then the tolerance is what holds.
      const double allowed = stepper == "bulirsch_stoer" ? plain_value(Mpfr(Mpfr(tolerance) / 10)) : 0;
      BOOST_TEST(e.between <= std::max(2 * e.at_steps, allowed));
    }
}

// Interpolation is less accurate than the steps (dense_output_test); global control counts it.
BOOST_AUTO_TEST_CASE(global_control_holds_between_the_steps_too) {
  const auto p = modulated<double>();
  const FunctionModel<double> model(1, p.f);
  Vector<double> times;
  for (int k = 1; k <= 500; ++k) times.push_back(k / 100.0);
  for (const std::string stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer"})
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      Options<double> options;
      options.stepper = stepper;
      options.tolerance = tolerance;
      const auto s = solve<double>(model, p.x0, 0.0, times, options);
      BOOST_TEST((s.why == Stop::reached_end));
      double worst = 0;
      for (const auto& sample : s.samples)
        worst = std::max(worst, largest_difference(sample.x, p.exact(sample.t)));
      BOOST_TEST_MESSAGE(stepper << " at " << tolerance << ": largest error of 500 outputs "
                                 << worst / tolerance << " tolerances, " << s.stats.rhs_calls << " calls");
      BOOST_TEST(worst <= tolerance);
    }
}

BOOST_AUTO_TEST_CASE(interpolation_does_not_change_the_run) {
  for (const char* stepper : {"dop853", "dopri5"}) errors(stepper, Mpfr(0), Mpfr("1e-10"));
}

// A step that is accepted but cannot be split: the run ends, it does not serve a state of another time.
BOOST_AUTO_TEST_CASE(a_state_between_steps_that_cannot_be_had_ends_the_run) {
  for (const char* stepper : {"fehlberg78", "rk4", "bulirsch_stoer"}) {
    bool broken = false;
    const FunctionModel<double> model(1, [&](const Vector<double>&, Vector<double>& dxdt, const double&) {
      dxdt[0] = broken ? std::nan("") : 1;
    });
    Options<double> options;
    options.stepper = stepper;
    options.step = 0.25;
    options.control_global_error = false;
    int calls = 0;
    // Breaks once the first step is accepted, when the event function is first evaluated inside of it.
    options.events = {{"probe", [&](const Vector<double>&, const double& t) {
                         if (t > 0 && ++calls == 1) broken = true;
                         return 1.0;
                       }}};
    const auto s = solve<double>(model, {0}, 0.0, {0.1, 5}, options);
    BOOST_TEST((s.why == Stop::non_finite), stepper << ": " << name_of(s.why));
    BOOST_TEST(s.t == 0.0);
    BOOST_TEST(s.samples.empty());
  }
}
