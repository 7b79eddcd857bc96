/// dg/dt at the orthogonal start as [NAD] Thm 4.1 prints it, for proofs and for thirty digits.
#pragma once

#include <cmath>
#include <string_view>

namespace attndyn::verification::theory {

/// e_beta = e^beta, others = n - 1. scheme: one of the six; post, mix and sqrt share a formula.
template <class Real>
Real printed_initial_velocity(std::string_view scheme, const Real& e_beta, const Real& others, const Real& r0,
                              const Real& alpha) {
  using std::sqrt;
  if (scheme == "pre") return Real(2) / (r0 * (e_beta + others));
  if (scheme == "peri") return Real(2) / (r0 * sqrt(e_beta * e_beta + others));
  if (scheme == "ngpt") return Real(2) * alpha / sqrt(e_beta * e_beta + others);
  return Real(2) / (e_beta + others);
}

} // namespace attndyn::verification::theory
