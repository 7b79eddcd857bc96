/// The inner loops over one row of logits; double has vectorised versions (row_double.cpp), without Eigen and
/// without fast-math, with the same bits on every instruction set.
#pragma once

#include "lib/real/types.hpp"

#include <cmath>
#include <cstddef>

namespace attndyn {

/// w_k = m_k exp(logit_k - shift) in place, and their sum. mass may be null for all ones. shift: any number for which
/// the exponentials neither all vanish nor overflow.
template <class Real> Real exponential_row(Real* logit, const Real* mass, std::size_t count, const Real& shift) {
  using std::exp;
  Real sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    // A token without mass may have a logit far above the shift; its weight is 0, not 0 * infinity.
    if (mass && plain_value(mass[k]) == 0) logit[k] = 0;
    else logit[k] = exp(Real(logit[k] - shift)) * (mass ? mass[k] : Real(1));
    sum += logit[k];
  }
  return sum;
}
template <> double exponential_row(double* logit, const double* mass, std::size_t count, const double& shift);

/// max_k logit_k over the tokens with mass, as a double: the shift.
template <class Real> double largest_in_row(const Real* logit, const Real* mass, std::size_t count) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < count; ++k) {
    if (mass && plain_value(mass[k]) == 0) continue;
    const double v = plain_value(logit[k]);
    if (v > best || std::isnan(v)) best = v;
  }
  return best;
}
template <> double largest_in_row(const double* logit, const double* mass, std::size_t count);

}  // namespace attndyn
