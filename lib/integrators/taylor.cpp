#include "lib/integrators/taylor.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attndyn {
namespace {

constexpr int least_order = 4;
/// Shorter units are tried when the series leaves the range of the number type, each by this power of two.
constexpr int shorter_by = 20, shorter_times = 60;
/// The next attempt asks for this many times the last step: too long ones cost nothing.
constexpr int growth = 4;
/// A defect of so many units in the last place of the state, or of its change, is rounding.
constexpr int rounding_allowed = 8;

template <class Real> double log_of(const Real& x) {
  using std::abs;
  using std::log;
  return plain_value(Real(log(Real(abs(x)))));
}

/// e^x rounded down to 2^(k/64): the rounding of the logarithms that led to x, which depends on the units of
/// the state, does not reach the step.
template <class Real> Real power_of_two_below(double x) {
  using std::ldexp;
  constexpr int parts = 64;
  const double power = std::floor(x / std::log(2.0) * parts);
  const int whole = static_cast<int>(std::floor(power / parts));
  return ldexp(Real(std::exp2(power / parts - whole)), whole);
}

} // namespace

int taylor_order(double log_relative) {
  return std::max(least_order, static_cast<int>(std::ceil(-log_relative / 2)) + 1);
}

template <class Real>
TaylorStepper<Real>::TaylorStepper(const LocalTolerance<Real>& tolerance, FieldRecording<Real> recording)
    : tolerance_(tolerance), recording_(std::move(recording)) {
  if (!recording_) throw std::invalid_argument("stepper = taylor: needs a model whose field can be recorded");
  const Real absolute = tolerance.absolute / tolerance.scale;
  order_ = taylor_order(std::min(log_of(std::max(absolute, tolerance.relative)), -1.0));
}

/// The recording goes too: the next piece of a schedule is another equation.
template <class Real> void TaylorStepper<Real>::reset() {
  expanded_ = false;
  jets_.reset();
}

template <class Real> void TaylorStepper<Real>::record(const Vector<Real>& x, const Real& t) {
  const Recording recording = recording_(x, t);
  jets_.emplace(recording.tape, x.size());
  everywhere_ = recording.everywhere;
}

template <class Real> Real TaylorStepper<Real>::weight(const Real& x) const {
  using std::abs;
  const Real floor = tolerance_.relative * abs(x);
  return floor > tolerance_.absolute ? floor : tolerance_.absolute;
}

/// What is asked of a component above the scale is less than the tolerance, relative to its size.
template <class Real> int TaylorStepper<Real>::order_at(const Vector<Real>& x) const {
  using std::abs;
  double least = -1;
  for (const Real& v : x) {
    const Real size = abs(v) > tolerance_.scale ? Real(abs(v)) : tolerance_.scale;
    least = std::min(least, log_of(Real(weight(v) / size)));
  }
  return taylor_order(least);
}

/// Coefficients that happen to vanish (x' = t^20 at t = 0) make any step look good: so the equation itself is
/// asked at the end of the step. Its defect there over order + 1 is about the error.
template <class Real>
double TaylorStepper<Real>::defect(const System<Real>& f, Step<Real>& s, const Coefficient& tau) {
  using std::abs;
  s.dxdt_new.resize(s.x.size());
  f(s.x_new, s.dxdt_new, s.t + s.step);
  jets_->evaluate_slope(tau, slope_);
  double worst = 0;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const Real change = s.step * s.dxdt_new[i], off = abs(Real(slope_[i] - change));
    const Real rounding =
        rounding_allowed * epsilon<Real>() * std::max(Real(abs(change)), Real(abs(s.x_new[i])));
    const double ratio = plain_value(Real(off / ((order_ + 1) * std::max(weight(s.x_new[i]), rounding))));
    if (!(ratio <= worst)) worst = ratio; // takes NaN, too
  }
  return worst;
}

template <class Real> double TaylorStepper<Real>::longest(const Step<Real>& s) const {
  double log_longest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const double log_weight = log_of(weight(s.x[i]));
    for (int k : {order_ - 1, order_}) {
      const double size = Coefficients<Real>::log_size(jets_->series(i)[static_cast<std::size_t>(k)]);
      log_longest = std::min(log_longest, (log_weight - size) / k);
    }
  }
  return log_longest - 0.7 / (order_ - 1);
}

template <class Real> bool TaylorStepper<Real>::expand_in(const Step<Real>& s, const Real& unit) {
  jets_->start(s.x, s.t, unit);
  jets_->extend(order_);
  unit_ = unit;
  return jets_->finite();
}

/// In a unit near the time in which the state changes by its own size (or by its scale): the coefficients of
/// double then stay in range, and no absolute constant enters.
template <class Real> void TaylorStepper<Real>::expand(const Step<Real>& s) {
  using std::abs;
  using std::ldexp;
  expanded_ = true;
  x_ = s.x;
  t_ = s.t;
  order_ = order_at(s.x);
  const double least = (log_of(tolerance_.absolute) + log_of(tolerance_.scale)) / 2;
  double rate = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const double size = std::max(log_of(s.x[i]), least);
    if (s.dxdt[i] != 0) rate = std::max(rate, log_of(s.dxdt[i]) - size);
  }
  const double asked = log_of(s.step), log_unit = rate > -asked ? -rate : asked;
  Real unit = ldexp(Real(s.step > 0 ? 1 : -1), static_cast<int>(std::round(log_unit / std::log(2.0))));
  const bool fresh = !jets_ || !everywhere_;
  if (fresh) record(s.x, s.t);
  for (int i = 0; i <= shorter_times; ++i, unit = ldexp(unit, -shorter_by))
    if (expand_in(s, unit)) {
      const double log_longest = longest(s);
      // Beyond any step that could be asked for: a polynomial solution.
      longest_ =
          log_longest > 600 ? infinity<Real>() : Real(abs(unit)) * power_of_two_below<Real>(log_longest);
      return;
    }
  longest_ = 0;
}

template <class Real> Attempt<Real> TaylorStepper<Real>::attempt(const System<Real>& f, Step<Real>& s) {
  using std::abs;
  const bool known = expanded_ && t_ == s.t && (s.step > 0) == (unit_ > 0) && x_ == s.x;
  if (!known) expand(s);
  if (!(longest_ > 0)) {
    reset();
    return {false, false, s.step / 10};
  }
  const Real limit = s.step > 0 ? longest_ : Real(-longest_);
  if (abs(s.step) > longest_) return {false, true, limit};
  const auto tau = Coefficients<Real>::from(Real(s.step / unit_));
  jets_->evaluate(tau, s.x_new);
  if (!all_finite(s.x_new)) return {false, false, s.step / 10};
  const double ratio = defect(f, s, tau);
  if (!std::isfinite(ratio)) return {false, false, s.step / 10};
  if (ratio > 1)
    return {false, true, s.step * Real(std::clamp(0.9 * std::pow(ratio, -1.0 / (order_ + 1)), 0.1, 0.9))};
  return {true, true, is_finite(limit) ? Real(limit * growth) : Real(s.step * growth)};
}

template <class Real>
void TaylorStepper<Real>::interpolate(const System<Real>&, const Step<Real>& s, const Real& theta,
                                      Vector<Real>& out) {
  jets_->evaluate(Coefficients<Real>::from(Real(theta * s.step / unit_)), out);
}

template class TaylorStepper<double>;
template class TaylorStepper<Float128>;
template class TaylorStepper<Mpfr>;

} // namespace attndyn
