// Output times: hit exactly, at any size, in both directions; what is refused; progress.
#define BOOST_TEST_MODULE times
#include <boost/test/unit_test.hpp>

#include "lib/integrators/stepper.hpp"
#include "lib/models/equiangular.hpp"
#include "lib/real/text.hpp"
#include "lib/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace attndyn;
namespace tt = boost::test_tools;

namespace {

/// x' = -x / unit.
FunctionModel<double> decay(double unit) {
  return FunctionModel<double>(
      1, [unit](const Vector<double>& x, Vector<double>& dxdt, const double&) { dxdt[0] = -x[0] / unit; }, 1,
      [unit](const Vector<Recorded>& x, const Recorded&) { return Vector<Recorded>{-x[0] / unit}; });
}

Options<double> with(const std::string& stepper) {
  Options<double> options;
  options.stepper = stepper;
  options.tolerance = stepper == "euler" ? 1e-4 : 1e-9;
  return options;
}

bool refused(const Model<double>& model, const Vector<double>& x0, double t0, const Vector<double>& times,
             const std::string& message, const Options<double>& options = {}) {
  try {
    solve<double>(model, x0, t0, times, options);
  } catch (const std::invalid_argument& e) {
    BOOST_TEST_MESSAGE(e.what());
    BOOST_TEST(std::string(e.what()).find(message) == 0u, e.what());
    return std::string(e.what()).find('\n') == std::string::npos;
  }
  return false;
}

} // namespace

BOOST_AUTO_TEST_CASE(output_times_come_back_exactly_and_with_their_values) {
  Vector<double> times{0, 1e-300, 1e-30, 1e-9, 0.1, 0.1 + 1e-16, 0.2, 1.0 / 3, 0.5, 1};
  for (int k = 1; k <= 100; ++k) times.push_back(1 + k / 70.0);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  for (const std::string& stepper : stepper_names()) {
    const auto s = solve<double>(decay(1), {1}, 0.0, times, with(stepper));
    BOOST_TEST((s.why == Stop::reached_end), stepper << ": " << name_of(s.why) << " " << s.detail);
    BOOST_TEST_REQUIRE(s.samples.size() == times.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
      BOOST_TEST(s.samples[k].t == times[k]);
      BOOST_TEST(std::abs(s.samples[k].x[0] - std::exp(-times[k])) <= with(stepper).tolerance);
    }
    BOOST_TEST(s.t == times.back());
    BOOST_TEST(s.x[0] == s.samples.back().x[0]);
  }
}

BOOST_AUTO_TEST_CASE(a_sample_just_after_the_start_has_the_digits_of_its_small_change) {
  // x' = 1 from 0: x(t) = t, to relative accuracy.
  const FunctionModel<double> line(
      1, [](const Vector<double>&, Vector<double>& dxdt, const double&) { dxdt[0] = 1; }, 1,
      [](const Vector<Recorded>&, const Recorded&) { return Vector<Recorded>{1}; });
  for (const std::string& stepper : stepper_names()) {
    const auto s = solve<double>(line, {0}, 0.0, {1e-300, 1e-30, 1e-10, 1}, with(stepper));
    for (const auto& sample : s.samples) BOOST_TEST(sample.x[0] == sample.t, tt::tolerance(1e-14));
  }
}

BOOST_AUTO_TEST_CASE(times_may_be_as_small_as_1e_minus_30_or_as_large_as_1e30) {
  for (const double unit : {1e-300, 1e-30, 1.0, 1e30, 1e290})
    for (const int direction : {1, -1})
      for (const std::string& stepper : stepper_names()) {
        const double first = 0.3 * unit * direction, second = unit * direction;
        const auto s = solve<double>(decay(unit), {1}, 0.0, {first, second}, with(stepper));
        BOOST_TEST((s.why == Stop::reached_end),
                   stepper << " at " << unit << ": " << name_of(s.why) << " " << s.detail);
        BOOST_TEST_REQUIRE(s.samples.size() == 2u);
        BOOST_TEST(s.samples[0].t == first);
        BOOST_TEST(s.samples[1].t == second);
        BOOST_TEST(std::abs(s.samples[0].x[0] - std::exp(-0.3 * direction)) <= with(stepper).tolerance);
        BOOST_TEST(std::abs(s.samples[1].x[0] - std::exp(-1.0 * direction)) <= with(stepper).tolerance);
      }
}

BOOST_AUTO_TEST_CASE(one_run_may_span_sixty_decades_of_time) {
  // x' = 1/(1+t): x = log(1+t), steps grow with t.
  const FunctionModel<double> log_growth(
      1, [](const Vector<double>&, Vector<double>& dxdt, const double& t) { dxdt[0] = 1 / (1 + t); }, 1,
      [](const Vector<Recorded>&, const Recorded& t) { return Vector<Recorded>{1 / (1 + t)}; });
  Vector<double> times;
  for (int k = -30; k <= 30; k += 5) times.push_back(std::pow(10.0, k));
  for (const char* stepper : {"dop853", "dopri5", "bulirsch_stoer", "taylor"}) {
    const auto s = solve<double>(log_growth, {0}, 0.0, times, with(stepper));
    BOOST_TEST((s.why == Stop::reached_end), stepper << ": " << name_of(s.why) << " " << s.detail);
    for (const auto& sample : s.samples) BOOST_TEST(std::abs(sample.x[0] - std::log1p(sample.t)) <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(backward_and_forward_again_returns_to_the_start) {
  const FunctionModel<double> model(2, [](const Vector<double>& x, Vector<double>& dxdt, const double& t) {
    dxdt[0] = x[1];
    dxdt[1] = -std::sin(x[0]) + std::cos(t) / 4;
  });
  for (const std::string stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "rk4"}) {
    const auto back = solve<double>(model, {1, 0.5}, 2.0, {2, 1, 0, -1, -3}, with(stepper));
    BOOST_TEST((back.why == Stop::reached_end));
    BOOST_TEST_REQUIRE(back.samples.size() == 5u);
    BOOST_TEST(back.samples[0].x[0] == 1.0);
    BOOST_TEST(back.t == -3.0);
    const auto there = solve<double>(model, back.x, -3.0, {2}, with(stepper));
    BOOST_TEST(std::abs(there.x[0] - 1) < 1e-7);
    BOOST_TEST(std::abs(there.x[1] - 0.5) < 1e-7);
  }
}

BOOST_AUTO_TEST_CASE(the_start_alone_may_be_asked_for) {
  for (const double t0 : {0.0, -3.5, 1e30}) {
    const auto s = solve<double>(decay(1), {5}, t0, {t0}, {});
    BOOST_TEST((s.why == Stop::reached_end));
    BOOST_TEST_REQUIRE(s.samples.size() == 1u);
    BOOST_TEST(s.samples[0].t == t0);
    BOOST_TEST(s.samples[0].x[0] == 5.0);
    BOOST_TEST(s.stats.accepted == 0u);
  }
}

BOOST_AUTO_TEST_CASE(samples_say_their_piece_and_values_at_a_switch_are_the_left_ones) {
  EquiangularParams p;
  p.scheme.name = "mix";
  p.n = 4;
  p.beta = 1;
  const Equiangular<double> mix(p);
  for (const std::string stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "rk4", "taylor"}) {
    const auto s = solve<double>(mix, mix.start(), 0.0, {0, 1, 2.5, 2.6, 4}, with(stepper));
    BOOST_TEST_REQUIRE(s.samples.size() == 5u);
    const std::size_t piece[] = {0, 0, 0, 1, 1};
    for (std::size_t k = 0; k < 5; ++k) BOOST_TEST(s.samples[k].piece == piece[k]);
    BOOST_TEST(s.samples[2].t == 2.5);
    BOOST_TEST(s.samples[2].x[1] == 0.0); // Post-LN keeps r = 1 up to there
    BOOST_TEST(s.samples[3].x[1] > 0.0);
  }
}

BOOST_AUTO_TEST_CASE(times_that_are_not_strictly_monotone_are_refused) {
  const auto model = decay(1);
  BOOST_TEST(refused(model, {1}, 0, {}, "times: "));
  BOOST_TEST(refused(model, {1}, 0, {1, 1}, "times[1] = 1"));
  BOOST_TEST(refused(model, {1}, 0, {1, 3, 2}, "times[2] = 2"));
  BOOST_TEST(refused(model, {1}, 0, {0, 0, 1}, "times[1] = 0"));
  BOOST_TEST(refused(model, {1}, 0, {-1, 1}, "times[0] = -1"));
  BOOST_TEST(refused(model, {1}, 0, {1, -1}, "times[0] = 1"));
  BOOST_TEST(refused(model, {1}, 5, {4, 6}, "times[0] = 4"));
  BOOST_TEST(refused(model, {1}, 5, {4, 3, 3.5}, "times[2] = 3.5"));
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    BOOST_TEST(refused(model, {1}, 0, {bad}, "times[0] = "));
    BOOST_TEST(refused(model, {1}, 0, {1, bad}, "times"));
    BOOST_TEST(refused(model, {1}, bad, {1}, "start time: "));
  }
}

BOOST_AUTO_TEST_CASE(other_bad_arguments_are_refused) {
  const auto model = decay(1);
  BOOST_TEST(refused(model, {}, 0, {1}, "start: has 0 components, the model has 1"));
  BOOST_TEST(refused(model, {1, 2}, 0, {1}, "start: has 2 components, the model has 1"));
  BOOST_TEST(refused(model, {std::nan("")}, 0, {1}, "start: "));
  const auto option = [&](const std::string& message, auto change) {
    Options<double> options;
    change(options);
    BOOST_TEST(refused(model, {1}, 0, {1}, message, options));
  };
  option("stepper = rk5", [](auto& o) { o.stepper = "rk5"; });
  option("step = -1", [](auto& o) { o.step = -1; });
  option("step = ", [](auto& o) { o.step = std::nan(""); });
  option("max_steps = 0", [](auto& o) { o.max_steps = 0; });
  option("tolerance = ", [](auto& o) { o.tolerance = 0; });
  option("event nothing", [](auto& o) { o.events = {{"nothing", {}}}; });
  for (const double scale : {0.0, -1.0, std::nan("")}) {
    const FunctionModel<double> flat(
        1, [](const Vector<double>&, Vector<double>&, const double&) {}, scale);
    BOOST_TEST(refused(flat, {1}, 0, {1}, "scale = "));
  }
}

BOOST_AUTO_TEST_CASE(progress_is_reported_from_a_long_solve) {
  for (const int direction : {1, -1}) {
    Options<double> options;
    options.stepper = "rk4";
    options.step = 1.0 / 1024;
    int calls = 0, last_run = 0;
    double last = 0;
    options.progress = [&](int run, double fraction) {
      ++calls;
      if (run != last_run) last = 0;
      last_run = run;
      BOOST_TEST(fraction > last);
      BOOST_TEST(fraction < 1);
      last = fraction;
    };
    solve<double>(decay(direction), {1}, 0.0, {8.0 * direction}, options);
    BOOST_TEST(calls > 10);
    BOOST_TEST(last_run == 1);
    BOOST_TEST(last > 0.8);
  }
}

BOOST_AUTO_TEST_CASE(the_observer_sees_the_start_and_every_accepted_step_of_every_run) {
  for (const std::string& stepper : stepper_names()) {
    Options<double> options = with(stepper);
    options.max_steps = 100000;
    std::vector<std::uint64_t> seen;
    double last = 0;
    options.observer = [&](int run, const double& t, const Vector<double>& x) {
      if (seen.size() == static_cast<std::size_t>(run)) {
        seen.push_back(0);
        BOOST_TEST(t == 0.0);
        BOOST_TEST(x[0] == 1.0);
      } else {
        BOOST_TEST(t > last);
      }
      last = t;
      ++seen.back();
      return Flow::go;
    };
    const auto s = solve<double>(decay(1), {1}, 0.0, {1}, options);
    BOOST_TEST(seen.size() == static_cast<std::size_t>(s.stats.runs));
    BOOST_TEST(seen.back() == s.stats.accepted + 1);
  }
}
