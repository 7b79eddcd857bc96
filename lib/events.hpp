/// Zeros of a scalar function along one step, given only the power to evaluate it.
#pragma once

#include "lib/real/types.hpp"

#include <functional>
#include <vector>

namespace attndyn {

/// A zero at theta in (0, 1]; sign: +1 rising, -1 falling, 0 touching without crossing.
template <class Real> struct StepZero {
  Real theta;
  int sign;
};

/// The zeros in theta of v on (0, 1], in order: sign changes between `samples` + 1 equidistant points, and zeros that the
/// function touches or crosses twice between two of them, found at the extrema of its local parabola. A zero at
/// theta = 0 belongs to the step before. slack: |v| at an extremum counts as zero up to slack times the largest
/// |v| seen. Throws std::domain_error if v is not finite somewhere.
template <class Real>
std::vector<StepZero<Real>> zeros_on_step(const std::function<Real(const Real& theta)>& v, int samples,
                                          const Real& slack);

}  // namespace attndyn
