/// What a normalisation scheme is: a pure function of four scalars.
///
/// (NA) of [NAD]: d theta_j/dt = (1/s_j) P_{theta_j} A_j, d r_j/dt = rho_j. A scheme names s_j and rho_j; it
/// is straight-line code in + - * / sqrt pow, generic in the number type, and never compares Reals or
/// branches on t (Mix-LN, which changes its equation at tau, is a schedule of two schemes).
///
/// Each scheme also states
///   degree        of the velocity in A: s(c A) = c^(1-degree) s(A), rho(c A) = c^degree rho(A), so that
///   attention
///                 may be handed over with its overflow factored out;
///   keeps_radius  rho = 0 identically; its discrete layer then renormalises (theory: section 2).
#pragma once

namespace attndyn {

template <class Real> struct TokenState {
  Real t;      ///< time
  Real r;      ///< magnitude of the token, > 0
  Real radial; ///< a = <theta, A>
  Real norm;   ///< |A|
};

template <class Real> struct Regulation {
  Real speed_factor; ///< s > 0
  Real radial_rate;  ///< rho = dr/dt
};

} // namespace attndyn
