/// Products of power series whose coefficients become known one after the other. From an order on they are
/// formed from blocks of known coefficients with fast polynomial products, so that an order costs less than
/// its own length: the relaxed multiplication of van der Hoeven, Relax, but don't be too lazy, J. Symb. Comp.
/// 34 (2002), sec. 4.2.
#pragma once

#include "lib/jets/coefficients.hpp"

namespace attndyn {

/// The coefficients m = 0, 1, 2, ... of f g, asked for in this order, when f_0..f_m and g_0..g_m are known.
template <class Real> class RelaxedProduct {
public:
  using Coefficient = typename Coefficients<Real>::Type;

  /// Begins again at m = 0. order: the largest m expected; beyond it every coefficient costs its length.
  void start(int order);

  /// out = sum_{i=0}^m f_i g_{m-i}; 0 for m < 0. f = g is a square, at half the price. out is none of them.
  void next(Coefficient& out, const Coefficient* f, const Coefficient* g, int m);

private:
  /// Below this length a dot product is faster than any trick; below this order blocks do not pay.
  static constexpr int block = 32, least_order = 224;
  static constexpr bool has_fast_products = std::is_same_v<Coefficient, Ball>;

  void add_blocks(const Coefficient* f, const Coefficient* g, int m);

  bool relaxed_ = false;
  Vector<Coefficient> ahead_; ///< of coefficient m: what the blocks have contributed so far
  Vector<Coefficient> product_;
  Coefficient part_{};
};

} // namespace attndyn
