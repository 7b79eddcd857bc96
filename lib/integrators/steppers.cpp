#include "lib/integrators/dop853.hpp"
#include "lib/integrators/step_control.hpp"
#include "lib/integrators/stepper.hpp"
#include "lib/integrators/taylor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace attndyn {

template <class Real>
void Stepper<Real>::interpolate(const System<Real>&, const Step<Real>&, const Real&, Vector<Real>&) {
  throw std::logic_error("this stepper has no dense output");
}

namespace {

namespace odeint = boost::numeric::odeint;

/// One step size for ever: RK4, Euler.
template <class Real, class Method> class FixedStep final : public Stepper<Real> {
public:
  int order() const override { return Method::order_value; }
  bool adaptive() const override { return false; }
  Attempt<Real> attempt(const System<Real>& f, Step<Real>& s) override {
    s.x_new.resize(s.x.size());
    method_.do_step(std::cref(f), s.x, s.dxdt, s.t, s.x_new, s.step);
    const bool finite = all_finite(s.x_new);
    return {finite, finite, finite ? s.step : Real(s.step / 10)};
  }

private:
  Method method_;
};

/// What all embedded pairs share: their error against the tolerance, and the next step.
template <class Real> class EmbeddedPair : public Stepper<Real> {
public:
  EmbeddedPair(const LocalTolerance<Real>& tolerance, int exponent_order, double beta)
      : tolerance_(tolerance), control_(exponent_order, beta) {}
  void reset() override {
    control_.reset();
    last_step_ = 0;
  }

protected:
  Attempt<Real> judge(const Step<Real>& s) {
    const double ratio = error_ratio(tolerance_, error_, s.x_new);
    const bool accepted = control_.accepts(ratio);
    const double growth = last_step_ == 0 ? 1 : plain_value(Real(s.step / last_step_));
    if (accepted) last_step_ = s.step;
    return {accepted, std::isfinite(ratio), s.step * Real(control_.factor(ratio, growth))};
  }
  Vector<Real> error_;

private:
  LocalTolerance<Real> tolerance_;
  StepControl control_;
  Real last_step_ = 0; ///< accepted; 0: none yet
};

template <class Real> class Dop853Stepper final : public EmbeddedPair<Real> {
public:
  explicit Dop853Stepper(const LocalTolerance<Real>& tolerance) : EmbeddedPair<Real>(tolerance, 8, 0.0) {}
  int order() const override { return 8; }
  int dense_order() const override { return 7; }
  Attempt<Real> attempt(const System<Real>& f, Step<Real>& s) override {
    dense_ready_ = false;
    method_.do_step(std::cref(f), s.x, s.dxdt, s.t, s.x_new, s.step, this->error_);
    return this->judge(s);
  }
  void interpolate(const System<Real>& f, const Step<Real>& s, const Real& theta,
                   Vector<Real>& out) override {
    if (!dense_ready_) method_.prepare_dense(std::cref(f), s.x, s.dxdt, s.t, s.step, s.x_new, s.dxdt_new);
    dense_ready_ = true;
    method_.interpolate(s.x, theta, out);
  }

private:
  Dop853<Vector<Real>, Real> method_;
  bool dense_ready_ = false;
};

template <class Real> class Dopri5Stepper final : public EmbeddedPair<Real> {
public:
  explicit Dopri5Stepper(const LocalTolerance<Real>& tolerance) : EmbeddedPair<Real>(tolerance, 5, 0.04) {}
  int order() const override { return 5; }
  int dense_order() const override { return 4; }
  bool first_same_as_last() const override { return true; }
  Attempt<Real> attempt(const System<Real>& f, Step<Real>& s) override {
    s.x_new.resize(s.x.size());
    s.dxdt_new.resize(s.x.size());
    this->error_.resize(s.x.size());
    method_.do_step(std::cref(f), s.x, s.dxdt, s.t, s.x_new, s.dxdt_new, s.step, this->error_);
    return this->judge(s);
  }
  void interpolate(const System<Real>&, const Step<Real>& s, const Real& theta, Vector<Real>& out) override {
    out.resize(s.x.size());
    method_.calc_state(Real(theta * s.step), out, s.x, s.dxdt, Real(0), s.x_new, s.dxdt_new, s.step);
  }

private:
  odeint::runge_kutta_dopri5<Vector<Real>, Real, Vector<Real>, Real> method_;
};

template <class Real> class Fehlberg78Stepper final : public EmbeddedPair<Real> {
public:
  explicit Fehlberg78Stepper(const LocalTolerance<Real>& tolerance) : EmbeddedPair<Real>(tolerance, 8, 0.0) {}
  int order() const override { return 8; }
  Attempt<Real> attempt(const System<Real>& f, Step<Real>& s) override {
    s.x_new.resize(s.x.size());
    this->error_.resize(s.x.size());
    method_.do_step(std::cref(f), s.x, s.dxdt, s.t, s.x_new, s.step, this->error_);
    return this->judge(s);
  }

private:
  odeint::runge_kutta_fehlberg78<Vector<Real>, Real, Vector<Real>, Real> method_;
};

/// Extrapolated modified midpoint; order up to 16 (Odeint's cap), chosen by Odeint step by step.
///
/// Odeint compares steps with an absolute epsilon, and compares work per step as if steps were positive:
/// backward it falls to its lowest order. So it is shown a time that runs forward and in which the first step
/// has a size near 1: measured in a power of two, hence without rounding. Its error estimate is a difference
/// of states and sees their rounding at any step size (those of the pairs above shrink with the step), so it
/// is not asked for less.
template <class Real> class BulirschStoerStepper final : public Stepper<Real> {
public:
  explicit BulirschStoerStepper(const LocalTolerance<Real>& tolerance)
      : method_(tolerance.absolute, std::max(tolerance.relative, Real(4 * epsilon<Real>())), Real(1),
                Real(0)) {}
  int order() const override { return stepper_order("bulirsch_stoer"); }

  Attempt<Real> attempt(const System<Real>& f, Step<Real>& s) override {
    using std::abs;
    if (unit_ == 0) unit_ = power_of_two_near(s.step);
    const auto in_units = [&](const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) {
      f(x, dxdt, t * unit_);
      for (Real& v : dxdt) v *= unit_;
    };
    dxdt_ = s.dxdt;
    for (Real& v : dxdt_) v *= unit_;
    s.x_new.resize(s.x.size());
    Real t = s.t / unit_, step = s.step / unit_;
    const bool accepted = method_.try_step(in_units, s.x, dxdt_, t, s.x_new, step) == odeint::success;
    step *= unit_;
    if (!all_finite(s.x_new) || !is_finite(step) || step == 0) {
      reset();
      return {false, false, s.step / 10};
    }
    // After two rejections in a row Odeint may propose the rejected step again.
    if (!accepted && abs(step) > abs(s.step) * 9 / 10) step = s.step / 4;
    return {accepted, true, step};
  }

  void reset() override {
    method_.reset();
    unit_ = 0;
  }

private:
  /// With the sign of x, not 0.
  static Real power_of_two_near(const Real& x) {
    using std::frexp;
    using std::ldexp;
    int exponent = 0;
    frexp(x, &exponent);
    return ldexp(Real(x > 0 ? 1 : -1), exponent);
  }

  odeint::bulirsch_stoer<Vector<Real>, Real, Vector<Real>, Real> method_;
  Real unit_ = 0; ///< of Odeint's time; 0: to be chosen
  Vector<Real> dxdt_;
};

template <class Real> struct Entry {
  const char* name;
  int order;
  bool fixed;
  std::unique_ptr<Stepper<Real>> (*make)(const LocalTolerance<Real>&, const FieldRecording<Real>&);
};

template <class Real, class Adaptor>
std::unique_ptr<Stepper<Real>> with_tolerance(const LocalTolerance<Real>& t, const FieldRecording<Real>&) {
  return std::make_unique<Adaptor>(t);
}
template <class Real, class Adaptor>
std::unique_ptr<Stepper<Real>> without(const LocalTolerance<Real>&, const FieldRecording<Real>&) {
  return std::make_unique<Adaptor>();
}
template <class Real>
std::unique_ptr<Stepper<Real>> make_taylor(const LocalTolerance<Real>& t,
                                           const FieldRecording<Real>& recording) {
  return std::make_unique<TaylorStepper<Real>>(t, recording);
}

/// The one list of steppers.
template <class Real> const std::vector<Entry<Real>>& entries() {
  using V = Vector<Real>;
  using RK4 = FixedStep<Real, odeint::runge_kutta4<V, Real, V, Real>>;
  using Euler = FixedStep<Real, odeint::euler<V, Real, V, Real>>;
  static const std::vector<Entry<Real>> list{
      {"dop853", 8, false, with_tolerance<Real, Dop853Stepper<Real>>},
      {"dopri5", 5, false, with_tolerance<Real, Dopri5Stepper<Real>>},
      {"fehlberg78", 8, false, with_tolerance<Real, Fehlberg78Stepper<Real>>},
      {"bulirsch_stoer", 16, false, with_tolerance<Real, BulirschStoerStepper<Real>>},
      {"rk4", 4, true, without<Real, RK4>},
      {"euler", 1, true, without<Real, Euler>},
      {"taylor", 0, false, make_taylor<Real>}};
  return list;
}

template <class Real> const Entry<Real>& entry(std::string_view name) {
  for (const auto& e : entries<Real>())
    if (name == e.name) return e;
  throw std::invalid_argument(
      fmt::format("stepper = {}: must be one of {}", name, fmt::join(stepper_names(), ", ")));
}

} // namespace

const std::vector<std::string>& stepper_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const auto& e : entries<double>()) out.emplace_back(e.name);
    return out;
  }();
  return names;
}

int stepper_order(std::string_view name) { return entry<double>(name).order; }
bool has_fixed_step(std::string_view name) { return entry<double>(name).fixed; }
bool needs_recording(std::string_view name) { return entry<double>(name).make == make_taylor<double>; }

template <class Real>
std::unique_ptr<Stepper<Real>> make_stepper(std::string_view name, const LocalTolerance<Real>& tolerance,
                                            const FieldRecording<Real>& recording) {
  return entry<Real>(name).make(tolerance, recording);
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template class Stepper<Real>;                                                                              \
  template std::unique_ptr<Stepper<Real>> make_stepper(std::string_view, const LocalTolerance<Real>&,        \
                                                       const FieldRecording<Real>&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn
