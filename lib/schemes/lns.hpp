/// LayerNorm scaling on the value path: s = r sqrt(t+1), rho = <theta, A>/sqrt(t+1). After [LNS]; ours,
/// beyond [NAD] (the logits keep beta, which the full rule also divides). Layer x' = x + h A/sqrt(t+1).
#pragma once

#include "lib/schemes/scheme.hpp"

#include <cmath>

namespace attndyn {

template <class Real> struct LayerNormScaling {
  static constexpr int degree = 1;
  static constexpr bool keeps_radius = false;
  Regulation<Real> operator()(const TokenState<Real>& k) const {
    using std::sqrt;
    const Real depth = sqrt(1 + k.t);
    return {k.r * depth, k.radial / depth};
  }
};

} // namespace attndyn
