/// A Transformer's depth as it is: discrete layers of size h instead of the flow. [NAD] Table of schemes.
#pragma once

#include "lib/models/particles.hpp"
#include "lib/solve.hpp"

namespace attndyn {

/// Applies layers of size h > 0 (layer k at time t = k h) until times.back(); a sample at a time is the state
/// after the layer that ends nearest to it. Ends with radius_zero where a layer makes a token zero. Throws
/// std::invalid_argument for a bad h, bad times, or more than max_layers layers.
template <class Real>
Solution<Real> run_layers(const Particles<Real>& model, const Vector<Real>& times, const Real& h,
                          std::uint64_t max_layers = 100'000'000);

} // namespace attndyn
