// Power series of the integrands and their bounds on circles.
#include "lib/models/separable_integrals.hpp"

#include <algorithm>
#include <cmath>

namespace attndyn::separable {
namespace {

constexpr int arcs = 40; // of a half circle
constexpr double ratio =
    0.375; // of a panel's half width, or the reach of the tail, to the radius of its disc
constexpr slong bound_bits = 64;
constexpr double largest_radius = 2.6; // < pi
constexpr int most_tries = 2000;

/// An integrand without r, on one arc or at one point.
struct Local {
  ComplexBall W2, base, slope, one_minus_p; ///< slope: -d T_softmax
};

/// What is known of an integrand on a circle.
struct CircleBound {
  Ball base{0}, slope{0}, k_minus_1{0}; ///< maxima of moduli
  Ball turned{0};                       ///< argument of |A|^2 gathered along the upper half circle
  bool usable = true;                   ///< finite, and no zero of |A|^2 inside
};

Ball larger(const Ball& a, const Ball& b) {
  Ball out;
  arb_max(out.raw(), a.raw(), b.raw(), BallBits::now());
  return out;
}

/// x to 16 bits, exactly representable: R and ratio R then are exact at every precision.
Ball short_number(const Ball& x) {
  Ball out;
  arf_set_round(arb_midref(out.raw()), arb_midref(x.raw()), 16, ARF_RND_DOWN);
  return out;
}

/// a - b of exact numbers, exact.
Ball exact_difference(const Ball& a, const Ball& b) {
  Ball out;
  arf_sub(arb_midref(out.raw()), arb_midref(a.raw()), arb_midref(b.raw()), ARF_PREC_EXACT, ARF_RND_DOWN);
  return out;
}

/// log2 of a positive ball, roughly; infinity if it is not finite and positive.
double log2_of(const Ball& x) {
  if (!x.is_finite() || !certainly_positive(x)) return INFINITY;
  return plain_value(log(x)) * 1.4426950408889634;
}

/// Visits the upper half of the circle |z - centre| = R; the lower one is its mirror image. local(z) gives
/// the integrand at a point or on all of an arc.
template <class F> CircleBound on_circle(Measure m, const Ball& centre, const Ball& R, F local) {
  CircleBound out;
  Ball pi;
  arb_const_pi(pi.raw(), BallBits::now());
  const auto at_angle = [&](const Ball& angle) {
    Ball sine, cosine;
    arb_sin_cos(sine.raw(), cosine.raw(), angle.raw(), BallBits::now());
    return ComplexBall(centre + R * cosine, R * sine);
  };
  // The ends of the half circle are real, so that the argument there is exactly 0.
  const auto corner = [&](int i) {
    if (i == 0) return ComplexBall(centre + R);
    if (i == arcs) return ComplexBall(centre - R);
    return at_angle(pi * Ball(i) / Ball(arcs));
  };
  ComplexBall last = has_norm(m) ? local(corner(0)).W2 : ComplexBall();
  for (int i = 0; i < arcs && out.usable; ++i) {
    const Ball angle = hull(pi * Ball(i) / Ball(arcs), pi * Ball(i + 1) / Ball(arcs));
    const Local here = local(at_angle(angle));
    out.base = larger(out.base, here.base.modulus());
    out.slope = larger(out.slope, here.slope.modulus());
    out.k_minus_1 =
        larger(out.k_minus_1, (here.slope * Ball(2) / here.one_minus_p - ComplexBall(Ball(1))).modulus());
    out.usable = out.base.is_finite() && out.slope.is_finite() && out.k_minus_1.is_finite();
    if (!has_norm(m) || !out.usable) continue;
    const ComplexBall next = local(corner(i + 1)).W2;
    out.usable = certainly_positive((here.W2 / last).real()); // less than a quarter turn on this arc
    out.turned += (next / last).argument();
    last = next;
  }
  // Both ends are real and positive: the argument turned by a multiple of 2 pi, which must be 0.
  if (has_norm(m)) out.usable = out.usable && certainly_less(abs(out.turned), Ball(3));
  return out;
}

/// base for a measure with |A| has W, whose modulus is sqrt|W^2| whatever the branch.
Local make_local(const Curve& c, Measure m, const ComplexBall& p, const ComplexBall& one_minus_p) {
  const ComplexBall q = exp(ComplexBall(c.b) * p), D = q + ComplexBall(Ball(c.n - 1));
  Local out;
  out.one_minus_p = one_minus_p;
  out.slope = D * Ball(Ball(1) / Ball(2 * c.n));
  if (has_norm(m)) {
    const ComplexBall across = q - ComplexBall(Ball(1));
    out.W2 = D * D * one_minus_p + across * across * p;
  }
  const ComplexBall W(has_norm(m) ? sqrt(out.W2.modulus()) : Ball(0));
  out.base = c.base(m, q, D, W);
  return out;
}

/// N >= 4 so that geometric_rest is below 2^-bits size.
slong terms_for(const Ball& M, const Ball& size, slong bits) {
  const double need = static_cast<double>(bits) + std::max(0.0, log2_of(M) - log2_of(size)) + 4;
  return static_cast<slong>(need / -std::log2(ratio)) + 4;
}

/// Bounds what an antiderivative loses with all terms of the integrand from N-1 on, |f_k| <= M ratio^k:
/// sum_{k >= N-1} M ratio^k/(k+1) <= M ratio^{N-1}/((1-ratio) N) < M ratio^N/(1-ratio) as N > 1/ratio.
Ball geometric_rest(const Ball& M, slong terms) {
  const BallBits low(bound_bits);
  Ball power;
  arb_pow_ui(power.raw(), Ball(ratio).raw(), static_cast<ulong>(terms), bound_bits);
  return Ball::around_zero((M * power / Ball(1 - ratio)).upper());
}

/// A bound this much above the size of the integrand costs more terms than a smaller disc costs panels.
bool too_large(const Ball& M, const Ball& size, slong bits) {
  return !(log2_of(M) - log2_of(size) < 30 + std::min(200.0, static_cast<double>(bits) / 3));
}

} // namespace

Ball Tail::value(const Ball& x) const {
  // log p = -log(1 + e^-x), here with x < 0
  Ball log_p = exp(x);
  arb_log1p(log_p.raw(), log_p.raw(), BallBits::now());
  log_p = x - log_p;
  const Ball corrected = (*correction_)(exp(log_p) / reach_);
  if (!radius_) return corrected - leading_ * log_p / Ball(2);
  return exp(log_p * Ball(-0.5)) * (leading_ + corrected);
}

Ball Panel::at(const Ball& x) const {
  return F_right + antiderivative(Ball(1)) - antiderivative((x - centre) / half);
}

Panel Clock::next_panel(const Ball& right, const Ball& F_right) {
  const slong bits = BallBits::now();
  Ball R = short_number(radius_ * Ball(1.5));
  if (certainly_less(Ball(largest_radius), R)) R = short_number(Ball(largest_radius));
  if (has_radius(measure_)) {
    // |T - T(c)| <= R max|slope| must stay moderate.
    const BallBits low(bound_bits);
    const Ball slope = (curve_.weight_ratio(right) + Ball(curve_.n - 1)) / Ball(2 * curve_.n);
    const Ball guess = Ball(60 + static_cast<double>(bits)) / slope;
    if (certainly_less(guess, R)) R = short_number(guess);
  }
  Ball M, size, centre, half;
  for (int tries = 0;; R = short_number(R * Ball(0.6))) {
    if (++tries > most_tries) throw NotEnoughBits("no disc serves the quadrature at this precision");
    half = (R * Ball(ratio)).midpoint();
    centre = exact_difference(right, half);
    const BallBits low(bound_bits);
    const auto local = [&](const ComplexBall& x) {
      // Each from its own exponential, so that balls stay narrow; 1 + e^x != 0 on the disc because R < pi.
      const ComplexBall one(Ball(1)), zero(Ball(0));
      return make_local(curve_, measure_, one / (one + exp(zero - x)), one / (one + exp(x)));
    };
    const CircleBound bound = on_circle(measure_, centre, R, local);
    if (!bound.usable) continue;
    M = bound.base;
    const Ball q = curve_.weight_ratio(centre), D = q + Ball(curve_.n - 1);
    const Ball W = sqrt(norm_square(curve_.p(centre), curve_.one_minus_p(centre), q, D));
    size = curve_.base(measure_, q, D, W);
    if (has_radius(measure_)) {
      // relative to r0 e^{T(c)} sqrt(1-p0): e^{T-T(c)} sqrt(1+E), sqrt increasing in Re x, |1+E| <= 1+|E|
      M *= exp(R * bound.slope) * sqrt(Ball(1) + exp(centre + R));
      size *= sqrt(Ball(1) + exp(centre));
    }
    if (!too_large(M, size, bits)) break;
  }
  radius_ = R;
  const slong terms = terms_for(M, size, bits);
  // In w = (x-centre)/half the disc is |w| < 1/ratio.
  const Series E = exp(Series(terms, centre, half));
  const Series one_plus = E + Ball(1), one_minus_p = reciprocal(one_plus), p = E * one_minus_p;
  const Series q = exp(p * curve_.b), D = q + Ball(curve_.n - 1);
  const Series W = has_norm(measure_) ? sqrt(norm_square(p, one_minus_p, q, D)) : D;
  Series f = curve_.base(measure_, q, D, W);
  Ball scale = half;
  if (has_radius(measure_)) {
    const Series fall = integral(D * Ball(half / Ball(-2 * curve_.n)));
    f = f * exp(fall) * sqrt(one_plus);
    scale *= curve_.r0 * exp(curve_.T_softmax(centre)) * sqrt(curve_.one_minus_p(curve_.x0));
  }
  Panel out{exact_difference(centre, half),
            right,
            centre,
            half,
            {integral(f) * scale, geometric_rest(M, terms) * scale},
            F_right,
            Ball()};
  out.F_left = out.at(out.left);
  if (!out.F_left.is_finite()) throw NotEnoughBits("the quadrature is not finite at this precision");
  return out;
}

Tail::Tail(const Curve& c, Measure m) : radius_(has_radius(m)) {
  const slong bits = BallBits::now();
  Ball M, size;
  Ball R = short_number(Ball(0.8));
  for (int tries = 0;; R = short_number(R * Ball(0.7))) {
    if (++tries > most_tries) throw NotEnoughBits("no disc round p = 0 serves at this precision");
    const BallBits low(bound_bits);
    const auto local = [&](const ComplexBall& p) { return make_local(c, m, p, ComplexBall(Ball(1)) - p); };
    const CircleBound bound = on_circle(m, Ball(0), R, local);
    if (!bound.usable) continue;
    const Ball closest = Ball(1) - R;
    M = Ball(2) * bound.base / closest;
    // |kappa| <= R max |(k-1)/v| = max |k-1| on the circle
    if (radius_) M *= exp(bound.k_minus_1 / Ball(2)) / sqrt(closest);
    size = c.usa && !has_norm(m) ? exp(-c.beta) : Ball(1);
    if (!too_large(M, size, bits)) break;
  }
  const slong terms = terms_for(M, size, bits);
  reach_ = (R * Ball(ratio)).midpoint();
  const Series p(terms, Ball(0), reach_), one_minus_p = Series(terms, Ball(1)) - p;
  const Series inverse_rest = reciprocal(one_minus_p);
  const Series q = exp(p * c.b), D = q + Ball(c.n - 1);
  const Series W = has_norm(m) ? sqrt(norm_square(p, one_minus_p, q, D)) : D;
  Series G = c.base(m, q, D, W) * inverse_rest * Ball(2);
  if (radius_) {
    const Series kappa = integral_over_w(D * inverse_rest / Ball(c.n));
    G = G * exp(kappa * Ball(-0.5)) * reciprocal_sqrt(one_minus_p);
  }
  leading_ = has_norm(m) ? Ball(1) : G[0]; // W(0) = n
  // -F' = G p^{-1}/2 dp gives -(1/2) G_k p^k/k, and K G p^{-3/2}/2 dp gives -(K/2) G_k p^{k-1/2}/(k-1/2).
  Series correction(terms);
  for (slong k = 1; k < terms; ++k)
    correction.set(k, G[k] / Ball(static_cast<int>(radius_ ? 1 - 2 * k : -2 * k)));
  Ball rest = geometric_rest(M, terms);
  if (radius_) {
    const Ball K = c.K();
    leading_ *= K;
    correction = correction * K;
    rest *= K;
  }
  if (!leading_.is_finite()) throw NotEnoughBits("r is not known at this precision");
  correction_ = std::make_unique<Polynomial>(Polynomial{correction, rest});
}

} // namespace attndyn::separable
