// Global control makes several runs. What comes out when they end for different reasons, or see different
// events.
#define BOOST_TEST_MODULE disagreeing_runs
#include <boost/test/unit_test.hpp>

#include "lib/solve.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <string>

using namespace attndyn;
namespace tt = boost::test_tools;

namespace {

const FunctionModel<double>& modulated() {
  static const FunctionModel<double> model(1, [](const Vector<double>& x, Vector<double>& dxdt,
                                                 const double& t) { dxdt[0] = x[0] * std::cos(t); });
  return model;
}

} // namespace

BOOST_AUTO_TEST_CASE(if_only_the_finer_run_runs_out_of_steps_the_coarser_stands_but_is_not_vouched_for) {
  Options<double> options;
  options.stepper = "dopri5";
  options.tolerance = 1e-8;
  options.control_global_error = false;
  const auto alone = solve<double>(modulated(), {1}, 0.0, {20}, options);
  options.control_global_error = true;
  // Enough for the first run, which asks for a quarter of the tolerance, not for the second.
  options.max_steps =
      static_cast<std::uint64_t>(1.4 * static_cast<double>(alone.stats.accepted + alone.stats.rejected));
  const auto s = solve<double>(modulated(), {1}, 0.0, {20}, options);
  BOOST_TEST_REQUIRE(s.stats.runs == 2);
  BOOST_TEST((s.why == Stop::tolerance_not_reached), name_of(s.why));
  BOOST_TEST(s.samples.size() == 1u);
  BOOST_TEST(s.x[0] == std::exp(std::sin(20.0)), tt::tolerance(1e-6));
  BOOST_TEST(s.detail.find("asked 1e-08") == 0u);
  BOOST_TEST(s.detail.find("max_steps") != std::string::npos);
  BOOST_TEST(!s.error_estimate.has_value());
}

BOOST_AUTO_TEST_CASE(if_only_the_finer_run_runs_out_of_time_the_coarser_stands_but_is_not_vouched_for) {
  Options<double> options;
  options.tolerance = 1e-8;
  options.max_seconds = 0.2;
  options.observer = [&](int run, const double&, const Vector<double>&) {
    // The second run is slow.
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(run == 0 ? 0 : 50);
    while (std::chrono::steady_clock::now() < until) {
    }
    return Flow::go;
  };
  const auto s = solve<double>(modulated(), {1}, 0.0, {20}, options);
  BOOST_TEST((s.why == Stop::tolerance_not_reached), name_of(s.why));
  BOOST_TEST(s.samples.size() == 1u);
  BOOST_TEST(s.x[0] == std::exp(std::sin(20.0)), tt::tolerance(1e-6));
  BOOST_TEST(s.detail.find("max_seconds") != std::string::npos);
}

// The field breaks only in the run that a counter says: whatever the first run was, a later non-finite one is
// no success.
BOOST_AUTO_TEST_CASE(if_only_the_finer_run_meets_a_nan_nobody_vouches_for_the_coarser) {
  int run_now = 0;
  const FunctionModel<double> model(1, [&](const Vector<double>& x, Vector<double>& dxdt, const double& t) {
    dxdt[0] = run_now > 0 && t > 1 ? std::numeric_limits<double>::quiet_NaN() : -x[0];
  });
  Options<double> options;
  options.observer = [&](int run, const double&, const Vector<double>&) {
    run_now = run;
    return Flow::go;
  };
  const auto s = solve<double>(model, {1}, 0.0, {2}, options);
  BOOST_TEST((s.why == Stop::tolerance_not_reached), name_of(s.why));
  BOOST_TEST(s.detail.find("non_finite") != std::string::npos);
  BOOST_TEST(s.x[0] == std::exp(-2.0), tt::tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(an_event_that_only_some_runs_see_is_not_vouched_for) {
  // Exists in every other run.
  int run_now = 0;
  Options<double> options;
  options.observer = [&](int run, const double&, const Vector<double>&) {
    run_now = run;
    return Flow::go;
  };
  options.events = {{"sometimes",
                     [&](const Vector<double>&, const double& t) { return run_now % 2 == 0 ? t - 1 : t + 1; },
                     Event<double>::Direction::any, true}};
  const auto s = solve<double>(modulated(), {1}, 0.0, {2}, options);
  BOOST_TEST((s.why == Stop::tolerance_not_reached), name_of(s.why));
  BOOST_TEST(s.detail.find("ended differently") != std::string::npos);
  BOOST_TEST(!s.error_estimate.has_value());
  BOOST_TEST(s.stats.runs < 20);
}

BOOST_AUTO_TEST_CASE(a_fixed_step_that_is_given_is_compared_with_its_half_and_no_more) {
  Options<double> options;
  options.stepper = "rk4";
  options.step = 0.25;
  options.tolerance = 1e-12;
  const auto s = solve<double>(modulated(), {1}, 0.0, {4}, options);
  BOOST_TEST((s.why == Stop::reached_end));
  BOOST_TEST(s.stats.runs == 2);
  BOOST_TEST(s.stats.accepted == 32u);
  BOOST_TEST_REQUIRE(s.error_estimate.has_value());
  const double error = std::abs(s.x[0] - std::exp(std::sin(4.0)));
  BOOST_TEST(*s.error_estimate > 1e-12);
  BOOST_TEST(error <= *s.error_estimate);
}

BOOST_AUTO_TEST_CASE(a_fixed_step_that_is_chosen_is_halved_until_the_tolerance_holds) {
  Options<double> options;
  options.stepper = "rk4";
  options.tolerance = 1e-9;
  const auto s = solve<double>(modulated(), {1}, 0.0, {4}, options);
  BOOST_TEST((s.why == Stop::reached_end));
  BOOST_TEST(std::abs(s.x[0] - std::exp(std::sin(4.0))) < 1e-9);
}

// Explicit steps of 1/64 of the time overflow on x' = -10 (x^3 - 1); shorter ones do not. Too long is not
// non-finite.
BOOST_AUTO_TEST_CASE(a_chosen_fixed_step_that_overflows_is_shortened) {
  const FunctionModel<double> stiff(1, [](const Vector<double>& x, Vector<double>& dxdt, const double&) {
    dxdt[0] = -10 * (x[0] * x[0] * x[0] - 1);
  });
  for (const char* stepper : {"rk4", "euler"}) {
    Options<double> options;
    options.stepper = stepper;
    options.tolerance = 1e-6;
    const auto s = solve<double>(stiff, {3}, 0.0, {10}, options);
    BOOST_TEST((s.why == Stop::reached_end), stepper << ": " << name_of(s.why) << " " << s.detail);
    BOOST_TEST(s.x[0] == 1.0, tt::tolerance(1e-6));
    options.step = 0.2;
    BOOST_TEST((solve<double>(stiff, {3}, 0.0, {10}, options).why == Stop::non_finite));
  }
}

BOOST_AUTO_TEST_CASE(a_field_that_is_not_finite_is_still_found_out_by_a_chosen_fixed_step) {
  const FunctionModel<double> bad(1, [](const Vector<double>&, Vector<double>& dxdt, const double& t) {
    dxdt[0] = t > 0.5 ? std::nan("") : 1;
  });
  for (const char* stepper : {"rk4", "euler"}) {
    Options<double> options;
    options.stepper = stepper;
    const auto s = solve<double>(bad, {0}, 0.0, {2}, options);
    BOOST_TEST((s.why == Stop::non_finite));
    BOOST_TEST(s.t <= 0.5);
    BOOST_TEST(s.t > 0.49);
    BOOST_TEST(s.stats.rhs_calls < 100000u);
  }
}

// Where an equation amplifies errors a lot, tightening goes on as long as it helps.
BOOST_AUTO_TEST_CASE(an_unstable_equation_is_tightened_until_it_holds) {
  // x' = 2 (x - sin t) + cos t from x = 0: x = sin t, errors grow like e^{2t}.
  const FunctionModel<double> model(1, [](const Vector<double>& x, Vector<double>& dxdt, const double& t) {
    dxdt[0] = 2 * (x[0] - std::sin(t)) + std::cos(t);
  });
  Options<double> options;
  options.tolerance = 1e-6;
  const auto s = solve<double>(model, {0}, 0.0, {8}, options);
  BOOST_TEST((s.why == Stop::reached_end));
  BOOST_TEST(s.stats.runs > 2);
  BOOST_TEST(std::abs(s.x[0] - std::sin(8.0)) < 1e-6);
  // e^{2 * 20} is more than double has.
  const auto lost = solve<double>(model, {0}, 0.0, {20}, options);
  BOOST_TEST((lost.why == Stop::tolerance_not_reached), name_of(lost.why));
  BOOST_TEST_REQUIRE(lost.error_estimate.has_value());
  BOOST_TEST(*lost.error_estimate > 1e-6);
}
