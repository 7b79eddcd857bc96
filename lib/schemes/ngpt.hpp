/// nGPT: s = |A|/alpha(t), rho = 0, with alpha(t) = alpha (1+t)^(-decay). [NAD] Table of schemes; layer
/// x' = r N(theta + h alpha(t) N(A)).
#pragma once

#include "lib/schemes/scheme.hpp"

#include <cmath>

namespace attndyn {

template <class Real> struct NGPT {
  static constexpr int degree = 0;
  static constexpr bool keeps_radius = true;
  Real alpha;           ///< alpha(0) > 0
  Real decay = Real(0); ///< >= 0
  bool decays = false;  ///< decay != 0, decided once: a power per token is dear
  Regulation<Real> operator()(const TokenState<Real>& k) const {
    using std::pow;
    if (!decays) return {k.norm / alpha, Real(0)};
    return {k.norm * pow(1 + k.t, decay) / alpha, Real(0)};
  }
};

} // namespace attndyn
