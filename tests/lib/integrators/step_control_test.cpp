// The error of a step against its tolerance, and the next step.
#define BOOST_TEST_MODULE step_control
#include <boost/test/unit_test.hpp>

#include "lib/integrators/step_control.hpp"
#include "lib/integrators/stepper.hpp"

#include <cmath>
#include <limits>

using namespace attndyn;
namespace tt = boost::test_tools;

namespace {
const double nan_value = std::numeric_limits<double>::quiet_NaN();
const double inf_value = std::numeric_limits<double>::infinity();
} // namespace

BOOST_AUTO_TEST_CASE(the_worst_component_counts_in_its_own_weight) {
  const LocalTolerance<double> tolerance{1e-6, 1e-8};
  BOOST_TEST(error_ratio<double>(tolerance, {1e-7, -3e-6}, {1, 1}) == 3, tt::tolerance(1e-14));
  // 1e-8 of 1e3 is more than 1e-6.
  BOOST_TEST(error_ratio<double>(tolerance, {-1e-5}, {-1e3}) == 1, tt::tolerance(1e-14));
  BOOST_TEST(error_ratio<double>(tolerance, {0, 0}, {1, 1}) == 0);
}

// Pitfall P1: a comparison with < lets NaN pass.
BOOST_AUTO_TEST_CASE(what_is_not_finite_has_an_infinite_ratio) {
  const LocalTolerance<double> tolerance{1e-6, 0};
  for (const double bad : {nan_value, inf_value, -inf_value}) {
    BOOST_TEST(error_ratio<double>(tolerance, {0, bad}, {1, 1}) == inf_value);
    BOOST_TEST(error_ratio<double>(tolerance, {0, 0}, {bad, 1}) == inf_value);
  }
  StepControl control(8, 0);
  BOOST_TEST(!control.accepts(inf_value));
  BOOST_TEST(!control.accepts(nan_value));
  BOOST_TEST(control.factor(inf_value, 1) == 0.1);
  BOOST_TEST(control.factor(nan_value, 1) == 0.1);
}

BOOST_AUTO_TEST_CASE(a_huge_ratio_of_a_longer_type_is_finite) {
  set_mpfr_digits(400);
  const LocalTolerance<Mpfr> tolerance{Mpfr("1e-390"), Mpfr(0)};
  BOOST_TEST(std::isfinite(error_ratio<Mpfr>(tolerance, {Mpfr(1)}, {Mpfr(1)})));
}

BOOST_AUTO_TEST_CASE(the_factor_follows_the_order_of_the_error) {
  for (const int order : {5, 8}) {
    StepControl control(order, 0);
    for (const double ratio : {1e-2, 0.1, 0.5, 1.0}) {
      control.reset();
      BOOST_TEST(control.factor(ratio, 1) == 0.9 * std::pow(ratio, -1.0 / order), tt::tolerance(1e-12));
    }
    control.reset();
    BOOST_TEST(control.factor(1e-300, 1) <= 6);
    BOOST_TEST(control.factor(1e300, 1) == 0.2);
  }
}

BOOST_AUTO_TEST_CASE(a_step_does_not_grow_right_after_a_rejection) {
  StepControl control(8, 0);
  control.factor(10, 1);
  BOOST_TEST(control.factor(1e-9, 0.5) == 1.0);
  BOOST_TEST(control.factor(1e-9, 1) > 1.0);
}

// An estimate that passes through zero: ten times better than the last step lets expect is all that is
// believed.
BOOST_AUTO_TEST_CASE(an_accidentally_small_estimate_is_not_believed) {
  StepControl control(8, 0);
  control.factor(0.5, 1);
  BOOST_TEST(control.factor(1e-9, 1) == 0.9 * std::pow(0.05, -1.0 / 8), tt::tolerance(1e-12));
  // But a short step is expected to be good, and may grow at once.
  control.reset();
  control.factor(0.5, 1);
  BOOST_TEST(control.factor(0.5 * std::pow(0.1, 8), 0.1) == 6.0);
}

BOOST_AUTO_TEST_CASE(an_attempt_with_a_nan_is_rejected_by_every_stepper) {
  for (const auto& name : stepper_names()) {
    if (needs_recording(name)) continue; // a branch is no straight-line code
    const auto stepper = make_stepper<double>(name, {1e-6, 0});
    Step<double> s{0, 0.5, {1}, {1}, {0}, {0}};
    const System<double> f = [](const Vector<double>&, Vector<double>& dxdt, const double& t) {
      dxdt[0] = t > 0.1 ? nan_value : 1;
    };
    // Euler does not look beyond the start of a step; the time loop does.
    const Attempt<double> attempt = stepper->attempt(f, s);
    BOOST_TEST(attempt.accepted == (name == "euler"), name);
    BOOST_TEST(attempt.finite == (name == "euler"), name);
    if (!attempt.accepted) BOOST_TEST((attempt.next_step > 0 && attempt.next_step < 0.5));
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_stepper_is_refused_by_name) {
  BOOST_CHECK_EXCEPTION(make_stepper<double>("rk5", {1e-6, 0}), std::invalid_argument,
                        [](const std::invalid_argument& e) {
                          return std::string(e.what()).find("stepper = rk5: must be one of dop853, ") == 0;
                        });
  BOOST_CHECK_THROW(stepper_order(""), std::invalid_argument);
  BOOST_CHECK_THROW(has_fixed_step("DOP853"), std::invalid_argument);
}
