// Standards S18 and S26: nothing in the loop, the step control, the events or the comparison of runs has a
// size of its own. The same problem in units of time and of state from 2^-300 to 2^300 takes the same steps,
// bit for bit.
#define BOOST_TEST_MODULE scales
#include <boost/test/unit_test.hpp>

#include "lib/models/equiangular.hpp"
#include "lib/solve.hpp"

#include <cmath>
#include <string>

using namespace attndyn;

namespace {

/// Pieces x' = (-y - x/4, x/(1 + t^2)) and, from t = 1/3 on, x' = (-y, x), in units of time and state that
/// are powers of two.
class Scaled final : public Model<double> {
public:
  Scaled(int log2_time, int log2_state)
      : time_(std::ldexp(1, log2_time)), state_(std::ldexp(1, log2_state)), switches_{time_ / 3} {}
  std::size_t size() const override { return 2; }
  double scale() const override { return state_; }
  const Vector<double>& switches() const override { return switches_; }
  void field(std::size_t piece, const Vector<double>& x, Vector<double>& dxdt,
             const double& t) const override {
    const Vector<double> out = velocity(piece, x, t);
    dxdt = out;
  }
  std::optional<Recording> record_field(std::size_t piece, const Vector<double>& at,
                                        const double& time) const override {
    return Recording{
        attndyn::record_field(
            at, time, [&](const Vector<Recorded>& x, const Recorded& t) { return velocity(piece, x, t); }),
        true};
  }
  double time() const { return time_; }
  double state() const { return state_; }

private:
  template <class Real> Vector<Real> velocity(std::size_t piece, const Vector<Real>& x, const Real& t) const {
    const Real s = t / time_;
    if (piece == 0) return {(-x[1] - x[0] / 4) / time_, x[0] / (1 + s * s) / time_};
    return {-x[1] / time_, x[0] / time_};
  }

  double time_, state_;
  Vector<double> switches_;
};

Solution<double> run(const Scaled& model, const char* stepper, bool global, int direction) {
  const double T = model.time(), X = model.state();
  Options<double> options;
  options.stepper = stepper;
  options.tolerance = 1e-8;
  options.control_global_error = global;
  if (has_fixed_step(stepper)) options.step = T / 128;
  options.events = {
      {"x = 1/2", [X](const Vector<double>& x, const double&) { return x[0] - X / 2; }},
      {"y touches", [X](const Vector<double>& x, const double&) { return x[1] * x[1] / X / X; }}};
  Vector<double> times;
  for (int k = 0; k <= 8; ++k) times.push_back(direction * T * k * 0.7);
  if (direction > 0) return solve<double>(model, {X, X / 3}, 0.0, times, options);
  // Backward over the switch.
  for (double& t : times) t += 2 * T;
  return solve<double>(model, {X, X / 3}, 2 * T, times, options);
}

} // namespace

BOOST_AUTO_TEST_CASE(units_of_time_and_of_state_change_nothing_but_the_units) {
  for (const char* stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "rk4", "euler", "taylor"})
    for (const bool global : {false, true})
      for (const int direction : {1, -1}) {
        const auto unit = run(Scaled(0, 0), stepper, global, direction);
        BOOST_TEST_REQUIRE(unit.samples.size() == 9u);
        BOOST_TEST(unit.events.size() >= 2u);
        for (const auto& [time, state] : {std::pair{-300, 0},
                                          {-66, 0},
                                          {66, 0},
                                          {300, 0},
                                          {0, -300},
                                          {0, -66},
                                          {0, 66},
                                          {0, 300},
                                          {-66, 300},
                                          {300, -66}}) {
          const Scaled model(time, state);
          const auto s = run(model, stepper, global, direction);
          BOOST_TEST_CONTEXT(stepper << ", time 2^" << time << ", state 2^" << state
                                     << (global ? ", global" : "")) {
            BOOST_TEST((s.why == unit.why));
            BOOST_TEST(s.stats.accepted == unit.stats.accepted);
            BOOST_TEST(s.stats.rejected == unit.stats.rejected);
            BOOST_TEST(s.stats.rhs_calls == unit.stats.rhs_calls);
            BOOST_TEST(s.stats.runs == unit.stats.runs);
            BOOST_TEST(s.error_estimate.has_value() == unit.error_estimate.has_value());
            if (s.error_estimate) BOOST_TEST(*s.error_estimate == *unit.error_estimate);
            BOOST_TEST_REQUIRE(s.samples.size() == unit.samples.size());
            for (std::size_t k = 0; k < s.samples.size(); ++k)
              for (std::size_t i = 0; i < 2; ++i)
                BOOST_TEST(s.samples[k].x[i] == model.state() * unit.samples[k].x[i]);
            BOOST_TEST_REQUIRE(s.events.size() == unit.events.size());
            for (std::size_t k = 0; k < s.events.size(); ++k) {
              BOOST_TEST(s.events[k].t == model.time() * unit.events[k].t);
              BOOST_TEST(s.events[k].sign == unit.events[k].sign);
            }
          }
        }
      }
}

// nGPT's clock is alpha: alpha -> c alpha is t -> t/c.
BOOST_AUTO_TEST_CASE(a_model_of_its_own_clock_takes_the_same_steps_in_any_unit) {
  const auto solved = [](int log2_alpha) {
    EquiangularParams p;
    p.scheme.name = "ngpt";
    p.scheme.alpha = Number(std::ldexp(1, log2_alpha));
    const Equiangular<double> model(p);
    return solve<double>(model, model.start(), 0.0, {std::ldexp(8, -log2_alpha)}, {});
  };
  const auto unit = solved(0);
  for (const int k : {-40, -20, 20, 40}) {
    const auto s = solved(k);
    BOOST_TEST(s.stats.accepted == unit.stats.accepted);
    BOOST_TEST(s.stats.rhs_calls == unit.stats.rhs_calls);
    BOOST_TEST(s.x[0] == unit.x[0]);
  }
}
