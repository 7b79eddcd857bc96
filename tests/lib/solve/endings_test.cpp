// Standard S24: every way to end says its own name, keeps the last good (t, x), and is never a success that
// it is not.
#define BOOST_TEST_MODULE endings
#include <boost/test/unit_test.hpp>

#include "lib/integrators/stepper.hpp"
#include "lib/models/equiangular.hpp"
#include "lib/models/particles.hpp"
#include "lib/solve.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <thread>

using namespace attndyn;
namespace tt = boost::test_tools;

namespace {

using Field = FunctionModel<double>::Field;
const double nan_value = std::numeric_limits<double>::quiet_NaN();
const double inf_value = std::numeric_limits<double>::infinity();

Options<double> options_for(const std::string& stepper, bool global = true) {
  Options<double> options;
  options.stepper = stepper;
  options.control_global_error = global;
  if (has_fixed_step(stepper)) options.step = 1.0 / 64;
  return options;
}

Solution<double> solve_scalar(Field f, double x0, Vector<double> times, const Options<double>& options,
                              RecordedField recorded = {}) {
  return solve<double>(FunctionModel<double>(1, std::move(f), 1, std::move(recorded)), {x0}, 0.0, times,
                       options);
}

/// x' = 1, for the steppers that need a recording.
const RecordedField recorded_one = [](const Vector<Recorded>&, const Recorded&) {
  return Vector<Recorded>{1};
};
/// x' = x^2.
const RecordedField recorded_square = [](const Vector<Recorded>& x, const Recorded&) {
  return Vector<Recorded>{x[0] * x[0]};
};

bool good(const Solution<double>& s) { return std::isfinite(s.t) && all_finite(s.x); }

} // namespace

BOOST_AUTO_TEST_CASE(every_reason_has_its_own_name_and_sentence) {
  std::set<std::string> names, sentences;
  for (const Stop why :
       {Stop::reached_end, Stop::event, Stop::observer, Stop::non_finite, Stop::event_not_finite,
        Stop::singular_field, Stop::radius_zero, Stop::step_too_small, Stop::max_steps, Stop::max_seconds,
        Stop::tolerance_not_reached}) {
    BOOST_TEST(names.insert(name_of(why)).second);
    BOOST_TEST(sentences.insert(sentence_for(why)).second);
    Solution<double> s;
    s.why = why;
    BOOST_TEST(s.ended_as_asked() ==
               (why == Stop::reached_end || why == Stop::event || why == Stop::observer));
  }
}

// x' = 1 up to t = 1/2, then NaN or infinite: every finite value is exact, so the last good one is known.
BOOST_AUTO_TEST_CASE(a_field_that_becomes_nan_or_infinite_ends_there) {
  for (const double bad : {nan_value, inf_value, -inf_value})
    for (const std::string& stepper : stepper_names())
      for (const bool global : {false, true}) {
        if (needs_recording(stepper)) continue; // a branch is no straight-line code
        const auto s = solve_scalar([bad](const Vector<double>&, Vector<double>& dxdt,
                                          const double& t) { dxdt[0] = t > 0.5 ? bad : 1; },
                                    0, {0.25, 0.4, 2, 3}, options_for(stepper, global));
        BOOST_TEST_CONTEXT(stepper << ", " << bad << (global ? ", global" : "")) {
          BOOST_TEST((s.why == Stop::non_finite), name_of(s.why));
          BOOST_TEST(!s.ended_as_asked());
          BOOST_TEST(good(s));
          BOOST_TEST(s.t <= 0.5);
          // A fixed step is not shortened, an adaptive one is, down to the spacing of numbers.
          BOOST_TEST(s.t > (has_fixed_step(stepper) ? 0.5 - 2.0 / 64 : 0.5 - 1e-6));
          BOOST_TEST(s.x[0] == s.t, tt::tolerance(1e-13));
          BOOST_TEST_REQUIRE(s.samples.size() == 2u);
          BOOST_TEST(s.samples[1].x[0] == 0.4, tt::tolerance(1e-13));
          BOOST_TEST(s.detail.find("t = ") != std::string::npos);
          BOOST_TEST(!s.error_estimate.has_value());
        }
      }
}

BOOST_AUTO_TEST_CASE(a_field_that_is_nan_at_the_start_ends_at_the_start) {
  for (const double bad : {nan_value, inf_value})
    for (const std::string& stepper : stepper_names()) {
      const auto s =
          solve_scalar([bad](const Vector<double>&, Vector<double>& dxdt, const double&) { dxdt[0] = bad; },
                       7, {0, 1}, options_for(stepper));
      BOOST_TEST((s.why == Stop::non_finite));
      BOOST_TEST(s.t == 0.0);
      BOOST_TEST(s.x[0] == 7.0);
      BOOST_TEST(s.samples.size() == 1u); // the start itself was asked for
      BOOST_TEST(s.stats.accepted == 0u);
    }
}

// x' = x^2, x(0) = 1: x = 1/(1-t).
BOOST_AUTO_TEST_CASE(a_blow_up_is_not_crossed) {
  for (const std::string stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "taylor"})
    for (const bool global : {false, true}) {
      const auto s = solve_scalar(
          [](const Vector<double>& x, Vector<double>& dxdt, const double&) { dxdt[0] = x[0] * x[0]; }, 1,
          {0.5, 0.9, 2, 3}, options_for(stepper, global), recorded_square);
      BOOST_TEST_CONTEXT(stepper << (global ? ", global" : "")) {
        BOOST_TEST((s.why == Stop::step_too_small || s.why == Stop::non_finite), name_of(s.why)
                                                                                     << " " << s.detail);
        BOOST_TEST(good(s));
        BOOST_TEST(s.t == 1.0, tt::tolerance(1e-8));
        BOOST_TEST(s.x[0] > 1e8);
        BOOST_TEST_REQUIRE(s.samples.size() == 2u);
        BOOST_TEST(s.samples[0].x[0] == 2.0, tt::tolerance(1e-8));
        BOOST_TEST(s.samples[1].x[0] == 10.0, tt::tolerance(1e-7));
        BOOST_TEST(s.stats.accepted + s.stats.rejected < 100000u);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_blow_up_under_a_fixed_step_is_not_a_success_either) {
  for (const std::string stepper : {"rk4", "euler"}) {
    const auto s = solve_scalar(
        [](const Vector<double>& x, Vector<double>& dxdt, const double&) { dxdt[0] = x[0] * x[0]; }, 1, {2},
        options_for(stepper));
    BOOST_TEST((s.why == Stop::non_finite), name_of(s.why));
    BOOST_TEST(s.samples.empty());
    BOOST_TEST(good(s));
  }
}

// Two opposite tokens without temperature: A = 0 at once.
BOOST_AUTO_TEST_CASE(a_singular_start_names_the_token) {
  Matrix<double> x(2, 2);
  x.data = {1, 0, -1, 0};
  for (const char* scheme : {"peri", "ngpt"}) {
    ParticleParams<double> p;
    p.scheme.name = scheme;
    p.beta = 0;
    const Particles<double> model(p, tokens_from(x, false));
    const auto s = solve<double>(model, model.start(), 0.0, {1.0}, {});
    BOOST_TEST((s.why == Stop::singular_field), name_of(s.why));
    BOOST_TEST(s.detail.find("token 1") != std::string::npos);
    BOOST_TEST(s.t == 0.0);
    BOOST_TEST((s.x == model.start()));
    BOOST_TEST(s.samples.empty());
  }
}

// Theory: section 2. One token against n-1 at -u with n-1 > e^{2 beta}: Pre-LN ends when r_1 = 0, at
// r_1(0)/|a_1|.
BOOST_AUTO_TEST_CASE(a_radius_that_reaches_zero_is_reported_with_its_time) {
  const int n = 9;
  Matrix<double> x(2, n);
  for (std::size_t j = 0; j < n; ++j) x(0, j) = j == 0 ? 1 : -1;
  ParticleParams<double> p;
  p.scheme.name = "pre";
  p.beta = Number("0.5");
  const Particles<double> model(p, tokens_from(x, false));
  const double others = n - 1,
               a = (std::exp(0.5) - others * std::exp(-0.5)) / (std::exp(0.5) + others * std::exp(-0.5));
  for (const char* stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "taylor"}) {
    const auto s = solve<double>(model, model.start(), 0.0, {0.5, 100.0}, options_for(stepper));
    BOOST_TEST((s.why == Stop::radius_zero), stepper << ": " << name_of(s.why) << " " << s.detail);
    BOOST_TEST(s.t == -1 / a, tt::tolerance(1e-8));
    BOOST_TEST(s.detail.find("token 1") != std::string::npos);
    BOOST_TEST(s.samples.size() == 1u);
    BOOST_TEST(good(s));
  }
}

BOOST_AUTO_TEST_CASE(a_tolerance_below_the_precision_is_refused) {
  const Field f = [](const Vector<double>& x, Vector<double>& dxdt, const double&) { dxdt[0] = -x[0]; };
  for (const double tolerance : {1e-16, 3.9 * epsilon<double>(), 1e-300, 0.0, -1e-6, nan_value, inf_value}) {
    Options<double> options;
    options.tolerance = tolerance;
    BOOST_CHECK_EXCEPTION(
        solve_scalar(f, 1, {1}, options), std::invalid_argument,
        [](const std::invalid_argument& e) { return std::string(e.what()).find("tolerance = ") == 0; });
  }
  // The same in the other types, each with its own precision.
  const FunctionModel<Float128> quad(
      1, [](const Vector<Float128>& x, Vector<Float128>& dxdt, const Float128&) { dxdt[0] = -x[0]; });
  Options<Float128> options;
  options.tolerance = Float128("1e-34");
  BOOST_CHECK_THROW(solve<Float128>(quad, {Float128(1)}, Float128(0), {Float128(1)}, options),
                    std::invalid_argument);
  options.tolerance = Float128("1e-20");
  BOOST_TEST(
      (solve<Float128>(quad, {Float128(1)}, Float128(0), {Float128(1)}, options).why == Stop::reached_end));
}

// Between what is refused and what can be had, a run may say so; it may not take for ever, or claim what is
// not true.
BOOST_AUTO_TEST_CASE(tolerances_at_the_edge_of_the_precision_end_soon_and_honestly) {
  for (const std::string stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer"})
    for (const double tolerance : {1e-13, 1e-14, 5e-15, 2e-15, 9e-16}) {
      Options<double> options = options_for(stepper);
      options.tolerance = tolerance;
      const auto s = solve_scalar([](const Vector<double>& x, Vector<double>& dxdt,
                                     const double& t) { dxdt[0] = x[0] * std::cos(t); },
                                  1, {1, 5, 10}, options);
      double error = 0;
      for (const auto& sample : s.samples)
        error = std::max(error, std::abs(sample.x[0] - std::exp(std::sin(sample.t))));
      BOOST_TEST_MESSAGE(stepper << " at " << tolerance << ": " << name_of(s.why) << " " << s.detail
                                 << ", error " << error << ", " << s.stats.rhs_calls << " calls in "
                                 << s.stats.runs << " runs");
      BOOST_TEST((s.why == Stop::reached_end || s.why == Stop::tolerance_not_reached));
      BOOST_TEST(s.samples.size() == 3u);
      if (s.why == Stop::reached_end) BOOST_TEST(error <= 10 * tolerance);
      BOOST_TEST(s.stats.rhs_calls < 200000u);
    }
}

BOOST_AUTO_TEST_CASE(the_number_of_steps_is_limited) {
  for (const std::string& stepper : stepper_names())
    for (const bool global : {false, true}) {
      if (needs_recording(stepper)) continue; // a cosine is no recorded operation
      Options<double> options = options_for(stepper, global);
      options.max_steps = 3;
      const auto s = solve_scalar([](const Vector<double>& x, Vector<double>& dxdt,
                                     const double& t) { dxdt[0] = x[0] * std::cos(t); },
                                  1, {0, 1000}, options);
      BOOST_TEST((s.why == Stop::max_steps), stepper << ": " << name_of(s.why));
      BOOST_TEST(s.stats.accepted + s.stats.rejected == 3u);
      BOOST_TEST(s.samples.size() == 1u);
      BOOST_TEST(good(s));
      BOOST_TEST(s.x[0] == std::exp(std::sin(s.t)), tt::tolerance(stepper == "euler" ? 1e-3 : 1e-6));
      BOOST_TEST(s.detail.find("3 steps") == 0u);
    }
}

BOOST_AUTO_TEST_CASE(the_wall_time_is_limited) {
  for (const bool global : {false, true}) {
    Options<double> options = options_for("dop853", global);
    options.max_seconds = 0.05;
    const auto before = std::chrono::steady_clock::now();
    const auto s = solve_scalar(
        [](const Vector<double>& x, Vector<double>& dxdt, const double& t) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          dxdt[0] = x[0] * std::cos(t);
        },
        1, {0, 1e6}, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    BOOST_TEST((s.why == Stop::max_seconds), name_of(s.why));
    BOOST_TEST(good(s));
    BOOST_TEST(s.t > 0);
    BOOST_TEST(s.t < 1e6);
    BOOST_TEST(s.x[0] == std::exp(std::sin(s.t)), tt::tolerance(1e-6));
    BOOST_TEST(seconds < 10);
    BOOST_TEST(s.stats.seconds >= 0.05);
  }
}

BOOST_AUTO_TEST_CASE(an_event_function_that_is_not_finite_ends_the_run_before_it) {
  for (const double bad : {nan_value, inf_value})
    for (const std::string& stepper : stepper_names()) {
      Options<double> options = options_for(stepper);
      options.events = {
          {"broken", [bad](const Vector<double>&, const double& t) { return t > 0.5 ? bad : 1.0; }}};
      const Field f = [](const Vector<double>&, Vector<double>& dxdt, const double&) { dxdt[0] = 1; };
      const auto s = solve_scalar(f, 0, {0.01, 1, 2}, options, recorded_one);
      BOOST_TEST((s.why == Stop::event_not_finite), stepper << ": " << name_of(s.why));
      BOOST_TEST(s.detail.find("event broken") == 0u);
      BOOST_TEST(good(s));
      BOOST_TEST(s.t <= 0.5);
      BOOST_TEST(s.x[0] == s.t, tt::tolerance(1e-13));

      options.events[0].value = [bad](const Vector<double>&, const double&) { return bad; };
      const auto at_start = solve_scalar(f, 0, {0, 1}, options, recorded_one);
      BOOST_TEST((at_start.why == Stop::event_not_finite));
      BOOST_TEST(at_start.t == 0.0);
      BOOST_TEST(at_start.samples.size() == 1u);
    }
}

BOOST_AUTO_TEST_CASE(an_observer_that_says_stop_is_obeyed_at_once) {
  for (const std::string& stepper : stepper_names())
    for (const int run_to_stop : {0, 1}) {
      Options<double> options = options_for(stepper);
      double stopped_at = -1;
      options.observer = [&](int run, const double& t, const Vector<double>&) {
        if (run != run_to_stop || t < 0.5) return Flow::go;
        BOOST_TEST(stopped_at == -1); // not asked again
        stopped_at = t;
        return Flow::stop;
      };
      const auto s =
          solve_scalar([](const Vector<double>&, Vector<double>& dxdt, const double&) { dxdt[0] = 1; }, 0,
                       {0.25, 1, 2}, options, recorded_one);
      BOOST_TEST((s.why == Stop::observer), stepper << ": " << name_of(s.why));
      BOOST_TEST(s.ended_as_asked());
      BOOST_TEST(s.t == stopped_at);
      BOOST_TEST(s.x[0] == s.t, tt::tolerance(1e-13));
    }
}

BOOST_AUTO_TEST_CASE(an_observer_may_stop_at_the_start) {
  Options<double> options;
  options.observer = [](int, const double&, const Vector<double>&) { return Flow::stop; };
  const auto s = solve_scalar([](const Vector<double>&, Vector<double>& dxdt, const double&) { dxdt[0] = 1; },
                              3, {1}, options);
  BOOST_TEST((s.why == Stop::observer));
  BOOST_TEST(s.t == 0.0);
  BOOST_TEST(s.x[0] == 3.0);
  BOOST_TEST(s.samples.empty());
}
