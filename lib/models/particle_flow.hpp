/// The particle system (NA) of [NAD] with Q = K = V = I as a right-hand side alone, straight-line code for
/// recording: theta_j' = (1/s_j) (A_j - <theta_j, A_j> theta_j), (log r_j)' = rho_j / r_j. theory: section 1.
#pragma once

#include "lib/attention/rule.hpp"
#include "lib/integrators/rigorous.hpp"
#include "lib/models/clock.hpp"
#include "lib/real/recorded.hpp"
#include "lib/schemes/all.hpp"
#include "lib/tokens.hpp"

namespace attndyn {

struct ParticleFlowParams {
  SchemeParams scheme;
  Attention attention = Attention::softmax; ///< softmax, unnormalised or causal
  Number beta = 1;                          ///< inverse temperature
  std::vector<Number> masses;               ///< n values >= 0, not all 0, rescaled to sum 1; empty: 1/n each
  Shape shape;                              ///< n >= 1, d >= 1
  TimeScale clock = TimeScale::natural;
};

/// Empty if usable, else one line: parameter, value, rule.
std::string problem_with(const ParticleFlowParams&);

/// For double and Recorded. The state is that of Particles: theta (columns), then log r.
///
/// Unit columns stay unit under the exact flow, so nothing here normalises them: on columns of other lengths
/// this is another field than Particles', which does. Where <theta_j, A_j> > 0 the unit sphere attracts.
template <class Real> class ParticleFlow {
public:
  /// Throws std::invalid_argument with problem_with's line.
  explicit ParticleFlow(const ParticleFlowParams&);

  const Schedule<Real>& schedule() const { return schedule_; }

  /// dxdt (n d + n elements already) at x.
  void operator()(std::size_t piece, const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) const;

private:
  Schedule<Real> schedule_;
  Attention kind_;
  Shape shape_;
  Real beta_, abs_beta_, log_unit_, time_unit_;
  Vector<Real> masses_; ///< sum 1
};

/// The field of a piece as a tape: inputs theta, log r, t; good at all states. Throws as ParticleFlow, and
/// std::invalid_argument for a state of another shape.
Tape record_particles(const ParticleFlowParams&, std::size_t piece, const Vector<double>& at, double t);

/// Enclosures of the start: directions x_j/|x_j| of the vectors given as numbers (d x n, non-zero columns)
/// and radii (n values > 0; empty: 1 each), from t = 0. Throws std::invalid_argument.
RigorousProblem rigorous_problem(const ParticleFlowParams&, const std::vector<Number>& vectors,
                                 const std::vector<Number>& radii = {});

} // namespace attndyn
