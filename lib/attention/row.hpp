/// The inner loops over one row of logits; double has vectorised versions (row_double.cpp), without Eigen and
/// without fast-math, with the same bits on every instruction set.
#pragma once

#include "lib/real/recorded.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attndyn {

/// w_k = exp(logit_k - shift) in place, and their sum. shift: any number for which the exponentials neither
/// all vanish nor overflow. A logit of -infinity (a token without mass) has weight 0.
template <class Real> Real exponential_row(Real* logit, std::size_t count, const Real& shift) {
  using std::exp;
  Real sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    logit[k] = exp(Real(logit[k] - shift));
    sum += logit[k];
  }
  return sum;
}
template <> double exponential_row(double* logit, std::size_t count, const double& shift);

/// max_k logit_k as a double: the shift.
template <class Real> double largest_in_row(const Real* logit, std::size_t count) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < count; ++k) {
    const double v = plain_value(logit[k]);
    if (v > best || std::isnan(v)) best = v;
  }
  return best;
}
template <> double largest_in_row(const double* logit, std::size_t count);

/// While recording: a token without mass (logit -infinity) has no weight, whatever comes later.
template <> inline Recorded exponential_row(Recorded* logit, std::size_t count, const Recorded& shift) {
  Recorded sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const bool massless = std::isinf(plain_value(logit[k]));
    logit[k] = massless ? Recorded(0) : exp(logit[k] - shift);
    sum += logit[k];
  }
  return sum;
}
/// While recording any number near the largest will do: a whole one, so that rows that share an exponential
/// say so in the same way and the tape keeps it once.
template <> inline double largest_in_row(const Recorded* logit, std::size_t count) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < count; ++k) best = std::max(best, plain_value(logit[k]));
  return std::ceil(best - 1e-6);
}

} // namespace attndyn
