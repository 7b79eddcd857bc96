/// The size of the next step from the error of this one: a PI controller (Hairer, Norsett, Wanner I, IV.2).
#pragma once

#include "lib/integrators/stepper.hpp"

#include <algorithm>
#include <cmath>

namespace attndyn {

/// max_i |error_i| / max(absolute, relative |x_i|); infinity if any error or new state is not finite.
/// (Odeint's own checker compares with <, which is false for NaN, and so accepts it.)
template <class Real>
double error_ratio(const LocalTolerance<Real>& tolerance, const Vector<Real>& error,
                   const Vector<Real>& x_new) {
  using std::abs;
  Real worst = 0;
  for (std::size_t i = 0; i < error.size(); ++i) {
    if (!is_finite(error[i]) || !is_finite(x_new[i])) return std::numeric_limits<double>::infinity();
    const Real floor = tolerance.relative * abs(x_new[i]);
    const Real ratio = abs(error[i]) / (floor > tolerance.absolute ? floor : tolerance.absolute);
    if (ratio > worst) worst = ratio;
  }
  // A huge ratio of another number type must not look like one that is not finite.
  return std::min(plain_value(worst), std::numeric_limits<double>::max());
}

/// Decisions are made in double: they are dimensionless, and any nearby factor is as good.
class StepControl {
public:
  /// exponent_order: the error of one step behaves like step^exponent_order. beta: weight of the last error.
  StepControl(int exponent_order, double beta)
      : order_(exponent_order), beta_(beta), alpha_(1.0 / exponent_order - 0.75 * beta) {}

  bool accepts(double ratio) const { return ratio <= 1; }

  /// Factor for the next step after an error of `ratio` times the tolerance. growth: this step over the last
  /// one accepted; ignored for the first.
  double factor(double ratio, double growth) {
    if (!std::isfinite(ratio)) {
      after_rejection_ = true;
      return 0.1;
    }
    // An estimate may pass through zero, in a scalar equation above all, while the error does not: it is not
    // believed to be much better than the last one lets expect.
    const double expected = std::isfinite(growth) && last_ > 0 ? last_ * std::pow(growth, order_) : 0;
    const double bounded = std::max({ratio, doubt * expected, 1e-10});
    if (!accepts(ratio)) {
      after_rejection_ = true;
      return std::max(0.2, safety * std::pow(bounded, -alpha_));
    }
    double f = safety * std::pow(bounded, -alpha_) * (last_ > 0 ? std::pow(std::max(last_, 1e-4), beta_) : 1);
    f = std::clamp(f, 0.33, 6.0);
    if (after_rejection_) f = std::min(f, 1.0);
    after_rejection_ = false;
    last_ = bounded;
    return f;
  }

  void reset() {
    last_ = 0;
    after_rejection_ = false;
  }

private:
  static constexpr double safety = 0.9, doubt = 0.1;
  double order_, beta_, alpha_;
  double last_ = 0; ///< ratio of the last accepted step; 0: none yet
  bool after_rejection_ = false;
};

} // namespace attndyn
