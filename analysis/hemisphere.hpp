/// Whether all tokens lie in one open hemisphere, and by how much. [MFT] Thm 3; theory sections 2 and 4.
#pragma once

#include "lib/real/dense.hpp"

namespace attndyn::analysis {

template <class Real> struct Hemisphere {
  /// max over unit w of min_i <theta_i, w>, which is the distance from the origin to the convex hull of the
  /// tokens; 0 if the hull contains the origin (to 16 sqrt(d+1) epsilon). In [0, 1].
  Real margin;
  /// The w that attains it, unit; d zeros if margin = 0.
  Vector<Real> pole;
  /// margin + uncertainty is an upper bound that the weights of the hull's nearest point prove (round-off of
  /// the size of epsilon apart); margin itself is attained by pole. Some epsilons, unless the computation
  /// stalled.
  Real uncertainty;
};

/// theta: d x n unit columns, d, n >= 1, any rank; duplicates and antipodal pairs welcome. Throws
/// std::invalid_argument if theta is empty or not finite.
///
/// Method: Wolfe's nearest point of a polytope (Math. Programming 11, 1976), as the nonnegative least squares
/// problem min |e - M u|, u >= 0, with columns (1, theta_i) of M and e = (1, 0, ..., 0) (Lawson-Hanson). The
/// residual is (q, -p) with p along the pole and margin = q/|p|. An orthonormal basis of the active columns
/// is kept, so condition numbers are not squared.
template <class Real> Hemisphere<Real> hemisphere(const Matrix<Real>& theta);

} // namespace attndyn::analysis
