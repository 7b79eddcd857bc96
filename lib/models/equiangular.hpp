/// The equiangular reduction (Q = K = V = I, all <theta_i, theta_j> = g, all radii r, equal masses): theory section
/// 3, [NAD] sec. 4, [MFT] sec. 6.1.
///
///     dg/dt = (2/s) w_off (1-g)(1+(n-1) g),   dr/dt = rho,   in the unknowns y = log(1-g) and log r:
///     dy/dt = -(2/s) w_off (1+(n-1) g),       dlog r/dt = rho/r.
///
/// y keeps 1-g to full relative accuracy down to e^-1000 and beyond, and its equation is not stiff.
#pragma once

#include "lib/attention/rule.hpp"
#include "lib/models/clock.hpp"
#include "lib/models/model.hpp"
#include "lib/schemes/all.hpp"

namespace attndyn {

struct EquiangularParams {
  SchemeParams scheme;
  Attention attention = Attention::softmax;  ///< softmax or unnormalised
  int n = 256;                               ///< tokens, >= 2
  Number beta = 5;                           ///< inverse temperature, |beta| <= 1e4 tested
  Number g0 = 0;                             ///< cosine at t = 0, -1/(n-1) < g0 < 1
  Number r0 = 1;                             ///< radius at t = 0, > 0
  TimeScale clock = TimeScale::natural;
};

/// Empty if usable, else one line: parameter, value, rule.
std::string problem_with(const EquiangularParams&);

/// State: {log(1-g), log r}.
template <class Real> class Equiangular final : public Model<Real> {
 public:
  /// Throws std::invalid_argument with problem_with's line.
  explicit Equiangular(const EquiangularParams&);

  std::size_t size() const override { return 2; }
  const Vector<Real>& switches() const override { return schedule_.switches; }
  void field(std::size_t piece, const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) const override;
  std::optional<Trouble<Real>> trouble(const typename Model<Real>::Situation&) const override;

  Vector<Real> start() const { return start_; }
  /// The speed regulation factor s at a state.
  Real speed_factor(std::size_t piece, const Vector<Real>& x, const Real& t) const;
  /// dg/dt at a state.
  Real speed(std::size_t piece, const Vector<Real>& x, const Real& t) const;

 private:
  struct Attended;
  Attended attend(const Real& gap) const;
  TokenState<Real> token(const Vector<Real>& x, const Real& t, const Attended&) const;
  Real clock_factor(std::size_t piece, const Attended&) const;

  Schedule<Real> schedule_;
  bool unnormalised_, attractive_;  // beta >= 0
  int n_;
  Real abs_beta_, log_unit_, time_unit_;
  Vector<Real> start_;
};

/// g = 1 - e^y without cancellation near g = 0.
template <class Real> Real cosine_from_log_gap(const Real& y);

}  // namespace attndyn
