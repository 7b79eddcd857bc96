/// How close the tokens are to each other, without cancellation: everything is made of differences of tokens,
/// so relative accuracy survives when they nearly coincide (theory section 6, hazard 2).
///
/// theta: d x n, unit columns; d, n >= 1, else std::invalid_argument. A NaN in a token makes the result NaN
/// (n > 1) and its pairs not close. Round-off in |theta_j| enters gaps squared: tokens a chord c apart lose
/// (epsilon/c)^2, relatively.
#pragma once

#include "lib/real/dense.hpp"

namespace attndyn::analysis {

/// 1 - (mean of <theta_i, theta_j> over pairs i < j), from differences to the mean token: O(nd).
/// In [0, n/(n-1)] up to round-off; 0 for n = 1.
template <class Real> Real one_minus_mean_cosine(const Matrix<Real>& theta);

/// 1 - min over pairs of <theta_i, theta_j>, from chords: O(n^2 d). In [0, 2] up to round-off; 0 for n = 1.
template <class Real> Real one_minus_min_cosine(const Matrix<Real>& theta);

/// The cosines themselves, to absolute accuracy; 1 for n = 1.
template <class Real> Real mean_cosine(const Matrix<Real>& theta);
template <class Real> Real min_cosine(const Matrix<Real>& theta);

/// 1 - |sum_i m_i theta_i|^2 as sum_i m_i |theta_i - mean|^2, which is the same for unit tokens. masses: n
/// values with sum 1, or empty for 1/n each. In [0, 1] up to round-off.
template <class Real> Real variance(const Matrix<Real>& theta, const Vector<Real>& masses = {});

/// The share of pairs i < j with <theta_i, theta_j> >= cosine (a chord gap <= 1 - cosine). 1 for n = 1.
template <class Real> double share_of_close_pairs(const Matrix<Real>& theta, const Real& cosine);

} // namespace attndyn::analysis
