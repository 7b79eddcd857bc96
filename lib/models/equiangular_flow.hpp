/// The equiangular reduction (Q = K = V = I, all <theta_i, theta_j> = g, all radii r, equal masses) as a
/// right-hand side alone: theory section 3, [NAD] sec. 4, [MFT] sec. 6.1.
///
///     dg/dt = (2/s) w_off (1-g)(1+(n-1) g),   dr/dt = rho,   in the unknowns y = log(1-g) and log r:
///     dy/dt = -(2/s) w_off (1+(n-1) g),       dlog r/dt = rho/r.
///
/// y keeps 1-g to full relative accuracy down to e^-1000 and beyond, and its equation is not stiff.
#pragma once

#include "lib/attention/rule.hpp"
#include "lib/models/clock.hpp"
#include "lib/real/recorded.hpp"
#include "lib/schemes/all.hpp"

namespace attndyn {

struct EquiangularParams {
  SchemeParams scheme;
  Attention attention = Attention::softmax; ///< softmax or unnormalised
  int n = 256;                              ///< tokens, >= 2
  Number beta = 5;                          ///< inverse temperature, |beta| <= 1e4 tested
  Number g0 = 0;                            ///< cosine at t = 0, -1/(n-1) < g0 < 1
  Number r0 = 1;                            ///< radius at t = 0, > 0
  TimeScale clock = TimeScale::natural;
};

/// Empty if usable, else one line: parameter, value, rule.
std::string problem_with(const EquiangularParams&);

/// Straight-line code: for double, Float128, Mpfr and Recorded.
template <class Real> class EquiangularFlow {
public:
  /// Throws std::invalid_argument with problem_with's line.
  explicit EquiangularFlow(const EquiangularParams&);

  const Schedule<Real>& schedule() const { return schedule_; }
  int tokens() const { return n_; }

  /// The attention vector of any token; w_off, <theta, A>, |A| and the total lack a factor e^log_scale.
  struct Attended {
    Real off;       ///< w_off
    Real mean;      ///< 1 + (n-1) g, which is n |mean token|^2
    Real radial;    ///< <theta, A>
    Real norm;      ///< |A|
    Real total;     ///< w_self + (n-1) w_off
    Real log_scale; ///< 0 except for USA
  };
  /// y: log(1-g). Every quotient is written with e^{-|beta| (1-g)}.
  Attended attend(const Real& y) const;

  /// dxdt (2 elements already) at x = {log(1-g), log r}.
  void operator()(std::size_t piece, const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) const;

  /// The speed regulation factor s.
  Real speed_factor(std::size_t piece, const Vector<Real>& x, const Real& t) const;

private:
  TokenState<Real> token(const Vector<Real>& x, const Real& t, const Attended&) const;

  Schedule<Real> schedule_;
  bool unnormalised_, attractive_; // beta >= 0
  int n_;
  Real abs_beta_, log_unit_, time_unit_;
};

/// The field of a piece as a tape: inputs log(1-g), log r, t; good at all states. Throws as EquiangularFlow.
Tape record_equiangular(const EquiangularParams&, std::size_t piece, const Vector<double>& x, double t);

} // namespace attndyn
