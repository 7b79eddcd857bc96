/// Peri-LN: s = r |A|, rho = <theta, A>/|A|. [NAD] Table of schemes; layer x' = x + h N(A).
#pragma once

#include "lib/schemes/scheme.hpp"

namespace attndyn {

template <class Real> struct PeriLN {
  static constexpr int degree = 0;
  static constexpr bool keeps_radius = false;
  Regulation<Real> operator()(const TokenState<Real>& k) const { return {k.r * k.norm, k.radial / k.norm}; }
};

} // namespace attndyn
