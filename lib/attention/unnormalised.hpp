/// Unnormalised attention (USA): w_jk = m_k e^{logit_jk}. theory: section 1, [MFT] sec. 3.
#pragma once

#include "lib/attention/row.hpp"

namespace attndyn {

/// logit: the row of token j with its log m_k, overwritten by its weights times e^{-L}. total: their sum.
/// Returns L, the row's largest entry.
template <class Real> double unnormalised_row(Real* logit, std::size_t count, Real& total) {
  const double shift = largest_in_row(logit, count);
  total = exponential_row(logit, count, Real(shift));
  return shift;
}

} // namespace attndyn
