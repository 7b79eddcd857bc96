/// Post-LN: s = 1, rho = 0. [NAD] Table of schemes; layer x' = r N(theta + h A).
#pragma once

#include "lib/schemes/scheme.hpp"

namespace attndyn {

template <class Real> struct PostLN {
  static constexpr int degree = 1;
  static constexpr bool keeps_radius = true;
  Regulation<Real> operator()(const TokenState<Real>&) const { return {Real(1), Real(0)}; }
};

} // namespace attndyn
