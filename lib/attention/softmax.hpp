/// Softmax (SA) and causal softmax: w_jk = m_k e^{logit_jk} / sum_l m_l e^{logit_jl}, over all l or over l <=
/// j. A mass adds log m_k to the logit. theory: section 1, [MFT] sec. 3.
#pragma once

#include "lib/attention/row.hpp"

namespace attndyn {

/// logit: the row of token j with its log m_k, overwritten by its weights (zeros from `count` to `size`),
/// which sum to 1. If no token in the row has mass the weights are NaN.
template <class Real> void softmax_row(Real* logit, std::size_t count, std::size_t size) {
  const Real shift = largest_in_row(logit, count);
  const Real sum = exponential_row(logit, count, shift);
  const Real scale = 1 / sum;
  for (std::size_t k = 0; k < count; ++k) logit[k] *= scale;
  for (std::size_t k = count; k < size; ++k) logit[k] = 0;
}

} // namespace attndyn
