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

/// How |v| goes at an end of a step. Each step hands it to the next, so that exactly one of the two looks for
/// a minimum that lies on or near their common boundary.
enum class Trend { unknown, falling, rising };

template <class Real> struct AlongStep {
  std::function<Real(const Real& theta)> value; ///< v, on [0, 1]
  /// How far value(theta) may be off, >= 0. Asked at the rare extrema that may be zeros.
  std::function<Real(const Real& theta)> uncertainty;
  Trend at_start = Trend::unknown;
  bool last = false; ///< no step follows that could find a zero hidden by rounding just after the end
};

template <class Real> struct StepZeros {
  std::vector<StepZero<Real>> zeros; ///< in order
  Trend at_end = Trend::unknown;
};

/// The zeros in theta of v on (0, 1]: sign changes between `samples` + 1 equidistant points, and zeros that
/// the function touches or crosses twice between two of them, found at the minima of |v|. A minimum, or a
/// pair of crossings around one, counts as a touching zero if |v| there is below the uncertainty or 100
/// epsilon of the largest |v| seen. A zero at theta = 0 belongs to the step before. samples >= 2. Throws
/// std::domain_error if v is not finite somewhere.
template <class Real> StepZeros<Real> zeros_on_step(const AlongStep<Real>& v, int samples);

} // namespace attndyn
