/// sqrt-scaling (LN-Scaling in [NAD] v1): s = sqrt(t+1), rho = 0; layer x' = r N(theta + h A/sqrt(t+1)).
#pragma once

#include "lib/schemes/scheme.hpp"

#include <cmath>

namespace attndyn {

template <class Real> struct SqrtScaling {
  static constexpr int degree = 1;
  static constexpr bool keeps_radius = true;
  Regulation<Real> operator()(const TokenState<Real>& k) const {
    using std::sqrt;
    return {sqrt(1 + k.t), Real(0)};
  }
};

} // namespace attndyn
