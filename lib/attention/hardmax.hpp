/// Hardmax: all the weight on the arg max of the logits over k != j, shared equally by ties. For ordered
/// number types only. theory: section 1.
#pragma once

#include "lib/real/types.hpp"

#include <cstddef>

namespace attndyn {

/// logit: the row of token j, overwritten by its weights. Logits within `ties` of the largest count as equal:
/// two that are equal on paper differ by rounding. A single token attends to itself. Masses play no part.
template <class Real> void hardmax_row(Real* logit, std::size_t self, std::size_t size, const Real& ties) {
  if (size == 1) {
    logit[0] = 1;
    return;
  }
  std::size_t best = self == 0 ? 1 : 0;
  for (std::size_t k = 0; k < size; ++k)
    if (k != self && logit[k] > logit[best]) best = k;
  const Real threshold = logit[best] - ties;
  int count = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const bool chosen = k != self && logit[k] >= threshold;
    logit[k] = chosen ? 1 : 0;
    count += chosen;
  }
  const Real share = Real(1) / count;
  for (std::size_t k = 0; k < size; ++k) logit[k] *= share;
}

} // namespace attndyn
