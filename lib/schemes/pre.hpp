/// Pre-LN: s = r, rho = <theta, A>. [NAD] Table of schemes; layer x' = x + h A.
#pragma once

#include "lib/schemes/scheme.hpp"

namespace attndyn {

template <class Real> struct PreLN {
  static constexpr int degree = 1;
  static constexpr bool keeps_radius = false;
  Regulation<Real> operator()(const TokenState<Real>& k) const { return {k.r, k.radial}; }
};

} // namespace attndyn
