// Standard S16: events are found, once, and at the right time: at 16 and at 50 digits, by every stepper. The
// equations of the first half are solved exactly by every method of order 3, so that the times show the event
// finder alone.
#define BOOST_TEST_MODULE events
#include <boost/test/unit_test.hpp>

#include "lib/integrators/stepper.hpp"
#include "lib/real/text.hpp"
#include "lib/solve.hpp"

#include <cmath>
#include <string>
#include <tuple>

using namespace attndyn;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(50); }
};
using Reals = std::tuple<double, Mpfr>;
const char* const steppers[] = {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "rk4", "taylor"};

template <class Real> using Direction = typename Event<Real>::Direction;

/// x = (t, t^3), with a switch of the equation that changes nothing at `at` if that is > 0.
template <class Real> class Powers final : public Model<Real> {
public:
  explicit Powers(Real at = Real(0)) {
    if (at > 0) switches_ = {at};
  }
  std::size_t size() const override { return 2; }
  const Vector<Real>& switches() const override { return switches_; }
  void field(std::size_t, const Vector<Real>& x, Vector<Real>& dxdt, const Real&) const override {
    dxdt[0] = 1;
    dxdt[1] = 3 * x[0] * x[0];
  }
  std::optional<Recording> record_field(std::size_t, const Vector<Real>& x, const Real& t) const override {
    return Recording{attndyn::record_field(plain_values(x), plain_value(t),
                                           [](const Vector<Recorded>& v, const Recorded&) {
                                             return Vector<Recorded>{1, 3 * v[0] * v[0]};
                                           }),
                     true};
  }
  static Vector<Real> at(const Real& t) { return {t, t * t * t}; }

private:
  Vector<Real> switches_;
};

template <class Real> Options<Real> with_events(const char* stepper, std::vector<Event<Real>> events) {
  Options<Real> options;
  options.stepper = stepper;
  options.tolerance = sizeof(Real) == sizeof(double) ? Real(1) / 10000000000000 : parse_real<Real>("1e-45");
  if (has_fixed_step(stepper)) options.step = Real(3) / 10;
  options.events = std::move(events);
  return options;
}

template <class Real>
Solution<Real> run(const Model<Real>& model, const Options<Real>& options, const char* from, const char* to) {
  const Real t0 = parse_real<Real>(from);
  return solve<Real>(model, Powers<Real>::at(t0), t0, {parse_real<Real>(to)}, options);
}

template <class Real> double off(const Real& t, const Real& exact) {
  using std::abs;
  return plain_value(Real(abs(Real(t - exact)) / (epsilon<Real>() * abs(exact))));
}
/// For double zeros.
template <class Real> double off_double(const Real& t, const Real& exact) {
  using std::abs;
  using std::sqrt;
  return plain_value(Real(abs(Real(t - exact)) / (sqrt(epsilon<Real>()) * abs(exact))));
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE_TEMPLATE(a_simple_zero_forward_and_backward, Real, Reals) {
  using std::cbrt;
  const Real exact = cbrt(Real(2));
  for (const char* stepper : steppers)
    for (const bool forward : {true, false}) {
      const auto options = with_events<Real>(
          stepper, {{"cube", [](const Vector<Real>& x, const Real&) -> Real { return x[1] - 2; }}});
      const auto s = run<Real>(Powers<Real>(), options, forward ? "0.1" : "1.5", forward ? "1.5" : "0.1");
      BOOST_TEST((s.why == Stop::reached_end), stepper << ": " << s.detail);
      BOOST_TEST_REQUIRE(s.events.size() == 1u);
      BOOST_TEST(off(s.events[0].t, exact) <= 10,
                 stepper << (forward ? " forward " : " backward ") << off(s.events[0].t, exact));
      BOOST_TEST(off(s.events[0].x[0], exact) <= 10,
                 stepper << (forward ? " forward " : " backward ") << off(s.events[0].x[0], exact));
      BOOST_TEST(s.events[0].sign == (forward ? 1 : -1));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_double_zero_that_is_only_touched, Real, Reals) {
  const Real exact = Real(4) / 3;
  for (const char* stepper : steppers)
    for (const bool forward : {true, false}) {
      // (t - 4/3)^2 (t + 8/3) = t^3 - 16/3 t + 128/27, where the zero is a cancellation; and a plain square.
      const auto options = with_events<Real>(
          stepper,
          {{"cubic",
            [](const Vector<Real>& x, const Real&) -> Real { return x[1] - x[0] * 16 / 3 + Real(128) / 27; }},
           {"square",
            [&](const Vector<Real>& x, const Real&) -> Real { return (x[0] - exact) * (x[0] - exact); }}});
      const auto s = run<Real>(Powers<Real>(), options, forward ? "0.1" : "2.3", forward ? "2.3" : "0.1");
      BOOST_TEST((s.why == Stop::reached_end), stepper << ": " << s.detail);
      BOOST_TEST_REQUIRE(s.events.size() == 2u, stepper << ": " << s.events.size());
      for (const auto& event : s.events) {
        BOOST_TEST(off_double(event.t, exact) <= 10);
        BOOST_TEST(event.sign == 0);
      }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(two_zeros_in_one_step, Real, Reals) {
  const Real first = Real(1003) / 1000, second = Real(1004) / 1000;
  for (const char* stepper : steppers) {
    const auto options =
        with_events<Real>(stepper, {{"pair", [&](const Vector<Real>& x, const Real&) -> Real {
                                       return (x[0] - first) * (x[0] - second);
                                     }}});
    const auto s = run<Real>(Powers<Real>(), options, "0", "3");
    BOOST_TEST_REQUIRE(s.events.size() == 2u, stepper << ": " << s.events.size());
    // Near either zero the other factor is 1/1000: so are the digits.
    BOOST_TEST(off(s.events[0].t, first) <= 1e4);
    BOOST_TEST(off(s.events[1].t, second) <= 1e4);
    BOOST_TEST(s.events[0].sign == -1);
    BOOST_TEST(s.events[1].sign == 1);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_zero_at_the_start_at_the_end_and_on_a_switch, Real, Reals) {
  const Real at = Real(1) / 3;
  for (const char* stepper : steppers)
    for (const bool forward : {true, false}) {
      const auto options = with_events<Real>(
          stepper, {{"low", [](const Vector<Real>& x, const Real&) -> Real { return x[0]; }},
                    {"switch", [&](const Vector<Real>&, const Real& t) -> Real { return t - at; }},
                    {"high", [](const Vector<Real>&, const Real& t) -> Real { return t - 1; }}});
      const auto s = run<Real>(Powers<Real>(at), options, forward ? "0" : "1", forward ? "1" : "0");
      BOOST_TEST_REQUIRE(s.events.size() == 3u,
                         stepper << (forward ? " forward: " : " backward: ") << s.events.size());
      for (std::size_t k = 0; k < 3; ++k) {
        BOOST_TEST(s.events[k].event == (forward ? k : 2 - k));
        BOOST_TEST(s.events[k].sign == (forward ? 1 : -1));
      }
      BOOST_TEST(off(s.events[1].t, at) <= 1);
      BOOST_TEST((s.events[forward ? 2 : 0].t == 1));
    }
}

BOOST_AUTO_TEST_CASE(the_direction_asked_for_holds_at_the_start_too) {
  const auto zero = [](const Vector<double>& x, const double&) { return x[0]; };
  for (const bool forward : {true, false}) {
    const auto s = run<double>(Powers<double>(),
                               with_events<double>("dop853", {{"rising", zero, Direction<double>::rising},
                                                              {"falling", zero, Direction<double>::falling}}),
                               "0", forward ? "1" : "-1");
    BOOST_TEST_REQUIRE(s.events.size() == 1u);
    BOOST_TEST(s.events[0].event == (forward ? 0u : 1u));
    BOOST_TEST(s.events[0].t == 0.0);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(simultaneous_events_are_both_recorded_also_if_one_ends_the_run, Real, Reals) {
  for (const char* stepper : steppers)
    for (const std::size_t terminal : {0u, 1u, 2u}) { // 2: none
      std::vector<Event<Real>> events{
          {"line", [](const Vector<Real>& x, const Real&) -> Real { return x[0] - Real(7) / 10; }},
          {"cube", [](const Vector<Real>& x, const Real&) -> Real { return x[1] - Real(343) / 1000; }}};
      if (terminal < 2) events[terminal].terminal = true;
      const auto s = run<Real>(Powers<Real>(), with_events<Real>(stepper, events), "0", "2");
      BOOST_TEST((s.why == (terminal < 2 ? Stop::event : Stop::reached_end)), stepper << ": " << s.detail);
      BOOST_TEST_REQUIRE(s.events.size() == 2u);
      for (const auto& event : s.events) BOOST_TEST(off(event.t, Real(Real(7) / 10)) <= 10);
      if (terminal < 2) {
        BOOST_TEST(off(s.t, Real(Real(7) / 10)) <= 10);
        BOOST_TEST(s.detail == events[terminal].name);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_terminal_event_ends_the_run_there_and_serves_the_outputs_before_it) {
  for (const char* stepper : steppers) {
    auto options = with_events<double>(
        stepper, {{"cube", [](const Vector<double>& x, const double&) { return x[1] - 2; },
                   Direction<double>::rising, true}});
    const auto s =
        solve<double>(Powers<double>(), {0, 0}, 0.0, {0.25, 0.5, 1.0, 1.25, 1.26, 5.0, 6.0}, options);
    BOOST_TEST((s.why == Stop::event));
    BOOST_TEST(s.detail == "cube");
    BOOST_TEST(s.ended_as_asked());
    BOOST_TEST(s.t == std::cbrt(2.0), boost::test_tools::tolerance(1e-14));
    BOOST_TEST(s.x[0] == s.t, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(s.samples.size() == 4u);
    BOOST_TEST(s.samples.back().t == 1.25);
  }
}

BOOST_AUTO_TEST_CASE(a_run_started_again_where_an_event_ended_it_does_not_meet_it_again) {
  for (const char* stepper : steppers)
    for (const char* threshold : {"2", "0.3", "1", "3.7", "2.9"}) {
      const double c = parse_real<double>(threshold);
      const auto options = with_events<double>(
          stepper, {{"cube", [c](const Vector<double>& x, const double&) { return x[1] - c; },
                     Direction<double>::any, true}});
      const auto first = solve<double>(Powers<double>(), {0, 0}, 0.0, {2.0}, options);
      BOOST_TEST_REQUIRE((first.why == Stop::event));
      // Behind the zero, unless the state is exactly on it: there it would be an event at the start.
      if (first.x[1] == c) continue;
      const auto second = solve<double>(Powers<double>(), first.x, first.t, {2.0}, options);
      BOOST_TEST((second.why == Stop::reached_end),
                 stepper << " " << threshold << ": " << name_of(second.why) << " at " << second.t);
    }
}

namespace {

/// x = (cos t, -sin t).
const FunctionModel<double>& circle() {
  static const FunctionModel<double> model(
      2,
      [](const Vector<double>& x, Vector<double>& dxdt, const double&) {
        dxdt[0] = x[1];
        dxdt[1] = -x[0];
      },
      1,
      [](const Vector<Recorded>& x, const Recorded&) {
        return Vector<Recorded>{x[1], -x[0]};
      });
  return model;
}

const double pi = 3.14159265358979323846;

} // namespace

// A hundred crossings, each once: no zero is met again by the step after it, or lost between two steps.
BOOST_AUTO_TEST_CASE(every_crossing_of_a_long_oscillation_is_found_exactly_once) {
  for (const char* stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "taylor"})
    for (const double tolerance : {1e-6, 1e-9, 1e-11}) {
      Options<double> options;
      options.stepper = stepper;
      options.tolerance = tolerance;
      options.events = {{"x", [](const Vector<double>& x, const double&) { return x[0]; }},
                        {"falling", [](const Vector<double>& x, const double&) { return x[0]; },
                         Direction<double>::falling}};
      const auto s = solve<double>(circle(), {1, 0}, 0.0, {100 * pi}, options);
      BOOST_TEST((s.why == Stop::reached_end), stepper << " " << tolerance << ": " << s.detail);
      BOOST_TEST_REQUIRE(s.events.size() == 150u, stepper << " " << tolerance << ": " << s.events.size());
      int crossing = 0, falling = 0;
      double worst = 0;
      for (const auto& event : s.events) {
        if (event.event == 0) {
          BOOST_TEST(event.sign == (crossing % 2 == 0 ? -1 : 1));
          worst = std::max(worst, std::abs(event.t - (crossing++ + 0.5) * pi));
        } else {
          worst = std::max(worst, std::abs(event.t - (2 * falling++ + 0.5) * pi));
        }
      }
      BOOST_TEST(crossing == 100);
      BOOST_TEST(falling == 50);
      BOOST_TEST(worst <= 10 * tolerance * 100 * pi);
    }
}

// 1 - x touches zero once a turn, to within the error of the state: above or below is chance, one event is
// not.
BOOST_AUTO_TEST_CASE(every_touch_of_a_long_oscillation_is_found_exactly_once) {
  for (const char* stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "taylor"})
    for (const double tolerance : {1e-6, 1e-9, 1e-11})
      for (const double sign : {1.0, -1.0}) {
        Options<double> options;
        options.stepper = stepper;
        options.tolerance = tolerance;
        options.events = {
            {"touch", [sign](const Vector<double>& x, const double&) { return sign * (1 - x[0]); }}};
        const auto s = solve<double>(circle(), {0, 1}, 0.0, {20 * pi}, options);
        BOOST_TEST((s.why == Stop::reached_end), stepper << " " << tolerance << ": " << s.detail);
        BOOST_TEST_REQUIRE(s.events.size() == 10u, stepper << " " << tolerance << ": " << s.events.size());
        for (std::size_t k = 0; k < 10; ++k) {
          BOOST_TEST(s.events[k].sign == 0);
          // The minimum has half the digits, and lies where the state says.
          BOOST_TEST(std::abs(s.events[k].t - (2 * static_cast<double>(k) + 0.5) * pi) <=
                     10 * (1.5e-8 + tolerance) * s.events[k].t);
        }
      }
}

BOOST_AUTO_TEST_CASE(what_only_comes_near_is_no_event) {
  for (const double distance : {1e-3, 1e-6, 1e-8}) {
    Options<double> options;
    options.tolerance = 1e-10;
    options.events = {
        {"near", [distance](const Vector<double>& x, const double&) { return 1 + distance - x[0]; }},
        {"pair", [distance](const Vector<double>& x, const double&) { return 1 - distance - x[0]; }}};
    const auto s = solve<double>(circle(), {0, 1}, 0.0, {4 * pi}, options);
    BOOST_TEST((s.why == Stop::reached_end));
    BOOST_TEST_REQUIRE(s.events.size() == 4u, distance << ": " << s.events.size());
    for (const auto& event : s.events) BOOST_TEST(event.event == 1u);
  }
}

// Neither events nor outputs touch the run.
BOOST_AUTO_TEST_CASE(looking_for_events_does_not_change_the_run) {
  for (const char* stepper : steppers) {
    auto options = with_events<double>(stepper, {});
    options.tolerance = 1e-9;
    options.control_global_error = false;
    const auto plain = solve<double>(circle(), {1, 0}, 0.0, {10.0}, options);
    options.events = {{"x", [](const Vector<double>& x, const double&) { return x[0]; }},
                      {"touch", [](const Vector<double>& x, const double&) { return 1 - x[0]; }}};
    Vector<double> times;
    for (int k = 1; k <= 1000; ++k) times.push_back(k / 100.0);
    const auto watched = solve<double>(circle(), {1, 0}, 0.0, times, options);
    BOOST_TEST(watched.events.size() > 3u);
    BOOST_TEST((watched.x == plain.x));
    BOOST_TEST(watched.stats.accepted == plain.stats.accepted);
    BOOST_TEST(watched.stats.rejected == plain.stats.rejected);
  }
}
