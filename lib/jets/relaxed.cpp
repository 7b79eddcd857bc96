#include "lib/jets/relaxed.hpp"

#include <arb_poly.h>

#include <algorithm>

namespace attndyn {

template <class Real> void RelaxedProduct<Real>::start(int order) {
  relaxed_ = has_fast_products && order >= least_order;
  if (relaxed_) ahead_.assign(static_cast<std::size_t>(order) + 1, Coefficient(0));
}

template <class Real>
void RelaxedProduct<Real>::next(Coefficient& out, const Coefficient* f, const Coefficient* g, int m) {
  using Operations = Coefficients<Real>;
  if (m < 0) {
    out = Coefficient(0);
    return;
  }
  const bool relaxed = relaxed_ && m < static_cast<int>(ahead_.size());
  if (relaxed && (m + 2) % block == 0) add_blocks(f, g, m);
  const int direct = relaxed ? std::min(m + 1, block - 1) : m + 1; // of the first factor
  if (f == g && direct == m + 1) {                                 // f_i f_{m-i} twice
    const int half = (m + 1) / 2;
    Operations::dot(out, f, f + m, half);
    Operations::add(out, out, out);
    if (m % 2 == 0) {
      Operations::multiply(part_, f[m / 2], f[m / 2]);
      Operations::add(out, out, part_);
    }
    return;
  }
  Operations::dot(out, f, g + m, direct);
  if (direct == m + 1) return;
  const int mirrored = std::min(m + 1 - direct, block - 1); // g_j f_{m-j} with m-j beyond the direct ones
  Operations::dot(part_, g, f + m, mirrored);
  Operations::add(out, out, part_);
  Operations::add(out, out, ahead_[static_cast<std::size_t>(m)]);
}

/// Every square of known coefficients whose corner is reached at m: f_{p-1..2p-2} times the newest p of g,
/// and the other way round, for each power p >= block of 2 that divides m + 2.
template <class Real>
void RelaxedProduct<Real>::add_blocks(const Coefficient* f, const Coefficient* g, int m) {
  if constexpr (has_fast_products) {
    for (int p = block; (m + 2) % p == 0 && p < m + 2; p *= 2) {
      product_.resize(static_cast<std::size_t>(2 * p - 1));
      const bool corner = 2 * p == m + 2;
      for (const bool mirrored : {false, true}) {
        if (mirrored && (corner || f == g)) break;
        const Coefficient *old = (mirrored ? g : f) + (p - 1), *fresh = (mirrored ? f : g) + (m + 1 - p);
        _arb_poly_mul(product_[0].raw(), old[0].raw(), p, fresh[0].raw(), p, BallBits::now());
        const int times = f == g && !corner ? 2 : 1;
        const int count = std::min(2 * p - 1, static_cast<int>(ahead_.size()) - m);
        for (int i = 0; i < count; ++i) {
          Ball& term = product_[static_cast<std::size_t>(i)];
          if (std::is_same_v<Real, Mpfr>) mag_zero(arb_radref(term.raw()));
          if (times == 2) term += term;
          ahead_[static_cast<std::size_t>(m + i)] += term;
        }
      }
      if (corner) break;
    }
  }
}

template class RelaxedProduct<double>;
template class RelaxedProduct<Float128>;
template class RelaxedProduct<Mpfr>;
template class RelaxedProduct<Ball>;

} // namespace attndyn
