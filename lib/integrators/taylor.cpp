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

template <class Real> double log_of(const Real& x) {
  using std::abs;
  using std::log;
  return plain_value(Real(log(Real(abs(x)))));
}

} // namespace

int taylor_order(double log_relative) {
  return std::max(least_order, static_cast<int>(std::ceil(-log_relative / 2)) + 1);
}

template <class Real>
TaylorStepper<Real>::TaylorStepper(const LocalTolerance<Real>& tolerance, FieldRecording<Real> recording)
    : tolerance_(tolerance), recording_(std::move(recording)) {
  if (!recording_) throw std::invalid_argument("stepper = taylor: needs a model whose field can be recorded");
  const Real& smallest = std::max(tolerance.absolute, tolerance.relative);
  order_ = taylor_order(std::min(log_of(smallest), -1.0));
}

/// The equation may have changed: its recording goes, too.
template <class Real> void TaylorStepper<Real>::reset() {
  expanded_ = false;
  jets_.reset();
}

template <class Real> void TaylorStepper<Real>::record(const Vector<Real>& x, const Real& t) {
  const Recording recording = recording_(x, t);
  jets_.emplace(recording.tape, x.size());
  everywhere_ = recording.everywhere;
}

template <class Real> double TaylorStepper<Real>::longest(const Step<Real>& s) const {
  double log_longest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    using std::abs;
    const Real floor = tolerance_.relative * abs(s.x[i]);
    const double weight = log_of(floor > tolerance_.absolute ? floor : tolerance_.absolute);
    for (int k : {order_ - 1, order_}) {
      const double size = Coefficients<Real>::log_size(jets_->series(i)[static_cast<std::size_t>(k)]);
      log_longest = std::min(log_longest, (weight - size) / k);
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
  double rate = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const double size = std::max(log_of(s.x[i]), log_of(tolerance_.absolute) / 2);
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
      longest_ = log_longest > 600 ? infinity<Real>() : Real(abs(unit)) * Real(std::exp(log_longest));
      return;
    }
  longest_ = 0;
}

template <class Real> Attempt<Real> TaylorStepper<Real>::attempt(const System<Real>&, Step<Real>& s) {
  using std::abs;
  const bool known = expanded_ && t_ == s.t && (s.step > 0) == (unit_ > 0) && x_ == s.x;
  if (!known) expand(s);
  if (!(longest_ > 0)) {
    expanded_ = false;
    return {false, false, s.step / 10};
  }
  const Real limit = s.step > 0 ? longest_ : Real(-longest_);
  if (abs(s.step) > longest_) return {false, true, limit};
  jets_->evaluate(Coefficients<Real>::from(Real(s.step / unit_)), s.x_new);
  if (!all_finite(s.x_new)) return {false, false, s.step / 10};
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
