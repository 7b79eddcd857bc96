/// The interaction energy, which every scheme increases (SA and USA, Q = K = V = I, beta > 0), and the rate
/// at which it does. theory section 2, [MPT] sec. 3, [NAD] sec. 3.
///
///     E = (1/(2 beta)) sum_jk m_j m_k e^{beta <theta_j, theta_k>}
///     E = (1/2) sum_jk m_j m_k <theta_j, theta_k>                      if beta = 0
///
/// theta: d x n, unit columns; masses: n values with sum 1, or empty for 1/n each; else
/// std::invalid_argument. Everything is O(n^2 d).
#pragma once

#include "lib/models/particles.hpp"

namespace attndyn::analysis {

/// A quantity that may lie outside the range of Real.
template <class Real> struct Scaled {
  Real value, log_scale; ///< the quantity is value * e^{log_scale}
  Real log_magnitude;    ///< log |quantity|, also where value under- or overflows; -infinity for 0
};

/// |beta| beyond which energies are given in units of e^{|beta|}.
constexpr int unscaled_up_to = 300;

/// log_scale of energy and dissipation: 0, or |beta| beyond unscaled_up_to.
template <class Real> Real log_energy_scale(const Real& beta) {
  const Real size = beta < 0 ? Real(-beta) : beta;
  return size > unscaled_up_to ? size : Real(0);
}

/// E. For beta < -300 the value may underflow (it is e^{-|beta|} even for orthogonal tokens): log_magnitude
/// does not.
template <class Real>
Scaled<Real> energy(const Matrix<Real>& theta, const Vector<Real>& masses, const Real& beta);

/// By how much E lies below its maximum over all tokens with these masses, reached where they coincide, for
/// either sign of beta:
///
///     (1/(2 beta)) sum_jk m_j m_k (e^beta - e^{beta <theta_j, theta_k>}) >= 0;     variance/2 if beta = 0
///
/// from chords by expm1, to full relative accuracy when tokens nearly coincide. log_scale = beta, but |beta|
/// for beta < -300.
template <class Real>
Scaled<Real> energy_deficit(const Matrix<Real>& theta, const Vector<Real>& masses, const Real& beta);

/// dE/dt at a state, t in the clock of the model:
///
///     sum_i m_i s_i Z_i |theta_i'|^2,     Z_i = sum_k m_k e^{beta <theta_i, theta_k>} for SA, 1 for USA
///
/// in the form sum_i m_i Z_i <P A_i, theta_i'> (P A_i = s_i theta_i'), into which no clock enters. log_scale
/// as energy. It is the rate of E for Q = K = V = I only, which is not checked. Throws std::invalid_argument
/// for causal and hardmax attention.
template <class Real>
Scaled<Real> dissipation(const Particles<Real>& model, std::size_t piece, const Vector<Real>& state,
                         const Real& t);

} // namespace attndyn::analysis
