/// The interaction energy, which every scheme increases (SA and USA, Q = K = V = I, beta > 0), and the rate at which
/// it does. theory section 2, [MPT] sec. 3, [NAD] sec. 3.
///
///     E = (1/(2 beta)) sum_jk m_j m_k e^{beta <theta_j, theta_k>};     beta = 0: E = (1/2) sum_jk m_j m_k <theta_j, theta_k>
///
/// theta: d x n, unit columns; masses: n values with sum 1, or empty for 1/n each; else std::invalid_argument.
/// Everything is O(n^2 d).
#pragma once

#include "lib/models/particles.hpp"

namespace attndyn::analysis {

/// A quantity that may lie outside the range of Real: it is value * e^{log_scale}, and log_magnitude = log |quantity|
/// (-infinity for 0) whether or not value under- or overflows.
template <class Real> struct Scaled {
  Real value, log_scale, log_magnitude;
};

/// |beta| beyond which energies are given in units of e^{|beta|}.
constexpr int unscaled_up_to = 300;

/// log_scale of energy and dissipation: 0, or |beta| beyond unscaled_up_to.
template <class Real> Real log_energy_scale(const Real& beta) {
  const Real size = beta < 0 ? Real(-beta) : beta;
  return size > unscaled_up_to ? size : Real(0);
}

/// E. For beta < -300 the value underflows in double unless some pair is nearly antipodal; log_magnitude does not.
template <class Real> Scaled<Real> energy(const Matrix<Real>& theta, const Vector<Real>& masses, const Real& beta);

/// By how much E lies below its maximum over all tokens with these masses, reached when they coincide (either sign of beta):
///     (1/(2 beta)) sum_jk m_j m_k (e^beta - e^{beta <theta_j, theta_k>}) >= 0,    beta = 0: variance/2,
/// from chords by expm1, to full relative accuracy when tokens nearly coincide. log_scale is beta, but |beta| below -300.
template <class Real>
Scaled<Real> energy_deficit(const Matrix<Real>& theta, const Vector<Real>& masses, const Real& beta);

/// dE/d(clock of the model) at a state, sum_i m_i s_i Z_i |theta_i'|^2 with Z_i = sum_k m_k e^{beta <theta_i, theta_k>} for SA
/// and 1 for USA, in the form sum_i m_i Z_i <P A_i, theta_i'>: P A_i = s_i theta_i', and no clock enters. log_scale as energy.
/// It is the derivative of E for Q = K = V = I only. Throws std::invalid_argument for causal and hardmax attention.
template <class Real>
Scaled<Real> dissipation(const Particles<Real>& model, std::size_t piece, const Vector<Real>& state, const Real& t);

}  // namespace attndyn::analysis
