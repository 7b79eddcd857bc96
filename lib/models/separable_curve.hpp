/// The curve of the equiangular flow in the plane (g, r) and the rates of its clocks: theory, sections 3
/// and 4.
///
/// The unknown is the logit x = log(p/(1-p)) of p = (1-g)/U, U = n/(n-1), which falls from x0 while g rises.
/// With b = beta U, q = e^{b p} = e^{beta (1-g)}, D = q + n - 1, an infinitesimal time of Post-LN is
///     SA   dT = -D/(2n) dx            USA   dT = -q e^{-beta}/2 dx,
/// and every scheme of (NA) moves along the same line with dt = s dT:
///     1 + (n-1) g = n (1-p),     D |A_SA| = sqrt(D^2 (1-p) + (q-1)^2 p),
///     r = r0 e^{T_SA} sqrt((1-p0)/(1-p))   where d log r/dT = <theta, A> (Pre-LN, Peri-LN, LayerNorm
///     scaling).
#pragma once

#include "lib/models/separable_algebra.hpp"

#include <stdexcept>

namespace attndyn::separable {

/// The working precision does not suffice for an enclosure: raise BallBits.
struct NotEnoughBits : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is integrated against dT to make a clock: 1 (Post-LN, sqrt), r (Pre-LN, LayerNorm scaling),
/// |A| (nGPT), r |A| (Peri-LN).
enum class Measure { one, radius, norm, radius_norm };
inline bool has_radius(Measure m) { return m == Measure::radius || m == Measure::radius_norm; }
inline bool has_norm(Measure m) { return m == Measure::norm || m == Measure::radius_norm; }

/// D^2 |A_SA|^2, a sum of two squares: nothing cancels for real p in (0,1).
template <class V> V norm_square(const V& p, const V& one_minus_p, const V& q, const V& D) {
  const V across = q - Ball(1);
  return D * D * one_minus_p + across * across * p;
}

struct Curve {
  int n;
  bool usa;
  Ball beta, x0, r0;
  Ball b, log_U;  ///< beta U, log U
  bool beta_zero; ///< exactly
  Ball P0;        ///< P at x0

  /// n >= 2, r0 > 0; x0 may have a radius (a start known to so much).
  Curve(int n, bool usa, const Ball& beta, bool beta_zero, const Ball& x0, const Ball& r0);

  Ball log_gap(const Ball& x) const; ///< log(1-g)
  Ball p(const Ball& x) const;
  Ball one_minus_p(const Ball& x) const;
  Ball weight_ratio(const Ball& x) const; ///< q

  /// Post-LN time since x0 by exponential integrals, P(p) = Ei(b p) - e^b Ei(-b (1-p)): of softmax attention
  ///     T_SA = [P0 - P + (n-1)(x0-x)]/(2n),
  /// and of the curve's own, USA: e^{-beta} [P0 - P]/2. Throw NotEnoughBits if not finite.
  Ball T_softmax(const Ball& x) const;
  Ball T(const Ball& x) const;
  /// Limits of T_SA + (log p)/2 and, for the curve's own attention, of e^{beta [USA]} T + (log p)/2 as p ->
  /// 0.
  Ball T_softmax_limit() const;
  Ball T_limit() const;

  Ball r(const Ball& x) const;             ///< on the curve of Pre-LN
  Ball norm(const Ball& x) const;          ///< |A| of the curve's own attention
  Ball rate(Measure, const Ball& x) const; ///< m (-dT/dx) > 0
  /// r = K e^{-kappa(p)/2} / sqrt(p (1-p)) with an analytic kappa, kappa(0) = 0.
  Ball K() const;

  /// m (-dT/dx) without the factor r; W = D |A_SA| is read only where the measure has it.
  template <class V> V base(Measure m, const V& q, const V& D, const V& W) const {
    if (has_norm(m)) return W * Ball(Ball(1) / Ball(2 * n)); // |A| dT does not see the difference of SA, USA
    if (usa) return q * Ball(exp(-beta) / Ball(2));
    return D * Ball(Ball(1) / Ball(2 * n));
  }

private:
  Ball P(const Ball& x) const;
  Ball rise_to_limit() const;
};

} // namespace attndyn::separable
