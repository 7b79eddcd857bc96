#include "lib/models/separable_curve.hpp"

#include <arb_hypgeom.h>

namespace attndyn::separable {
namespace {

Ball exponential_integral(const Ball& z) {
  Ball out;
  arb_hypgeom_ei(out.raw(), z.raw(), BallBits::now());
  return out;
}

Ball log1p(const Ball& z) {
  Ball out;
  arb_log1p(out.raw(), z.raw(), BallBits::now());
  return out;
}

Ball euler_gamma() {
  Ball out;
  arb_const_euler(out.raw(), BallBits::now());
  return out;
}

Ball finite(Ball v) {
  if (!v.is_finite()) throw NotEnoughBits("the exponential integral is not known at this precision");
  return v;
}

} // namespace

Curve::Curve(int tokens, bool unnormalised, const Ball& inverse_temperature, bool zero, const Ball& start,
             const Ball& radius)
    : n(tokens), usa(unnormalised), beta(inverse_temperature), x0(start), r0(radius), beta_zero(zero) {
  const Ball U = Ball(n) / Ball(n - 1);
  b = beta * U;
  log_U = log(U);
  P0 = P(x0);
}

Ball Curve::p(const Ball& x) const { return Ball(1) / (Ball(1) + exp(-x)); }
Ball Curve::one_minus_p(const Ball& x) const { return Ball(1) / (Ball(1) + exp(x)); }
Ball Curve::weight_ratio(const Ball& x) const { return exp(b * p(x)); }

// Either form is exact; each keeps its digits on its side of x = 0.
Ball Curve::log_gap(const Ball& x) const {
  return plain_value(x) < 0 ? log_U + x - log1p(exp(x)) : log_U - log1p(exp(-x));
}

// Numbers of Arb have no bound on their exponent, so e^b needs no scaling.
Ball Curve::P(const Ball& x) const {
  if (beta_zero) return Ball(0);
  return exponential_integral(b * p(x)) - exp(b) * exponential_integral(-b * one_minus_p(x));
}

Ball Curve::T_softmax(const Ball& x) const {
  const Ball fall = x0 - x;
  if (beta_zero) return fall / Ball(2);
  return finite((P0 - P(x) + Ball(n - 1) * fall) / Ball(2 * n));
}

Ball Curve::T(const Ball& x) const {
  if (!usa) return T_softmax(x);
  return beta_zero ? Ball((x0 - x) / Ball(2)) : finite(exp(-beta) * (P0 - P(x)) / Ball(2));
}

/// lim P0 - P(x) + log p as p -> 0, from Ei(z) = gamma + log|z| + O(z).
Ball Curve::rise_to_limit() const {
  if (beta_zero) return x0;
  return finite(P0 - euler_gamma() - log(abs(b)) + exp(b) * exponential_integral(-b));
}

Ball Curve::T_softmax_limit() const { return (rise_to_limit() + Ball(n - 1) * x0) / Ball(2 * n); }

Ball Curve::T_limit() const { return usa ? rise_to_limit() / Ball(2) : T_softmax_limit(); }

Ball Curve::r(const Ball& x) const {
  // T at the middle, then the mean value theorem: Ei of a wide ball would be wider than it need be.
  const Ball middle = x.midpoint();
  const Ball q = weight_ratio(x), slope = (q + Ball(n - 1)) / Ball(2 * n);
  const Ball T_here = T_softmax(middle) - (x - middle) * slope;
  return r0 * exp(T_here) * sqrt(one_minus_p(x0) / one_minus_p(x));
}

Ball Curve::norm(const Ball& x) const {
  const Ball q = weight_ratio(x), D = q + Ball(n - 1);
  const Ball W = sqrt(norm_square(p(x), one_minus_p(x), q, D));
  return usa ? exp(beta) * W / (q * Ball(n)) : W / D;
}

Ball Curve::rate(Measure m, const Ball& x) const {
  const Ball q = weight_ratio(x), D = q + Ball(n - 1);
  const Ball W = has_norm(m) ? sqrt(norm_square(p(x), one_minus_p(x), q, D)) : Ball(0);
  const Ball without = base(m, q, D, W);
  return has_radius(m) ? without * r(x) : without;
}

Ball Curve::K() const { return r0 * exp(T_softmax_limit()) * sqrt(one_minus_p(x0)); }

} // namespace attndyn::separable
