// Standard S6, proportionality of tolerance: how the error follows the local tolerance, and what global
// control makes of it. The tables in the log are err/tol.
#define BOOST_TEST_MODULE tolerance
#include <boost/test/unit_test.hpp>

#include "tests/lib/solve/tolerance_proportionality.hpp"

#include <string>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(50); }
};

const char* const adaptive[] = {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer"};

std::vector<Target<double>> targets() {
  return {modulated_target<double>(), mix_target<double>(), tokens_target<double>()};
}

/// x' = cos t from 0 to 50.
Solution<double> quadrature_to_50(const char* stepper, double tolerance, bool global) {
  const auto p = quadrature<double>();
  const FunctionModel<double> model(1, p.f);
  Options<double> options;
  options.stepper = stepper;
  options.tolerance = tolerance;
  options.control_global_error = global;
  return solve<double>(model, {0.0}, 0.0, {50.0}, options);
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE(the_error_is_proportional_to_the_local_tolerance_from_1e_minus_4_to_1e_minus_12) {
  for (const auto& target : targets())
    for (const std::string stepper : adaptive) {
      const auto r = ratios(target, stepper.c_str(), 4, 12, false);
      BOOST_TEST_MESSAGE(
          fmt::format("  slope {:.3f}, largest change between decades {:.2g}", slope(r), largest_jump(r)));
      BOOST_TEST((slope(r) >= 0.85 && slope(r) <= 1.15));
      // On a single equation driven by t, Fehlberg's pair is half blind (P18) and Odeint's Bulirsch-Stoer,
      // which trusts one estimate to change its order, has accidents; neither is the default there, and
      // global control sees both.
      const bool scalar = target.cases.size() == 1;
      if (!scalar || stepper == "dop853" || stepper == "dopri5") BOOST_TEST(largest_jump(r) < 10);
    }
}

// The promise is 10; what rounding leaves alone keeps 1.
BOOST_AUTO_TEST_CASE(global_control_keeps_the_true_error_below_the_tolerance_asked_for) {
  for (const auto& target : targets())
    for (const char* stepper : adaptive) {
      const auto r = ratios(target, stepper, 4, 12, true);
      for (std::size_t i = 0; i + 1 < r.size(); ++i) BOOST_TEST(r[i] <= 1);
      BOOST_TEST(r.back() <= 10);
    }
}

// Pitfall P18. The estimate of Fehlberg's pair is zero on a quadrature, so any step passes.
BOOST_AUTO_TEST_CASE(
    fehlberg78_alone_is_wrong_on_a_quadrature_by_a_billion_tolerances_and_the_others_are_not) {
  for (const char* stepper : adaptive) {
    const auto s = quadrature_to_50(stepper, 1e-12, false);
    const double error = std::abs(s.x[0] - std::sin(50.0));
    BOOST_TEST_MESSAGE(stepper << ": " << s.stats.accepted << " steps, error " << error);
    if (stepper == std::string("fehlberg78"))
      BOOST_TEST(error > 1e-3);
    else
      BOOST_TEST(error < 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(global_control_never_calls_a_blind_run_a_success) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    const auto s = quadrature_to_50("fehlberg78", tolerance, true);
    const double error = std::abs(s.x[0] - std::sin(50.0));
    BOOST_TEST_MESSAGE("fehlberg78 at " << tolerance << ": " << name_of(s.why) << " " << s.detail
                                        << ", error " << error);
    if (s.why == Stop::reached_end)
      BOOST_TEST(error <= tolerance);
    else
      BOOST_TEST((s.why == Stop::tolerance_not_reached));
  }
}
