#include "lib/models/separable_algebra.hpp"

#include <algorithm>

namespace attndyn::separable {

Ball ComplexBall::modulus() const {
  Ball out;
  acb_abs(out.raw(), v_, BallBits::now());
  return out;
}

Ball ComplexBall::argument() const {
  Ball out;
  acb_arg(out.raw(), v_, BallBits::now());
  return out;
}

ComplexBall exp(const ComplexBall& z) {
  ComplexBall out;
  acb_exp(out.raw(), z.raw(), BallBits::now());
  return out;
}

Ball Series::operator[](slong k) const {
  Ball out;
  arb_poly_get_coeff_arb(out.raw(), v_, k);
  return out;
}

Ball Series::operator()(const Ball& w) const {
  Ball out;
  arb_poly_evaluate(out.raw(), v_, w.raw(), BallBits::now());
  return out;
}

void Series::round() {
  constexpr slong guard = 32;
  const slong length = arb_poly_length(v_);
  const auto exponent = [&](slong k) {
    return arf_abs_bound_lt_2exp_si(arb_midref(arb_poly_get_coeff_ptr(v_, k)));
  };
  slong largest = -ARF_PREC_EXACT;
  for (slong k = 0; k < length; ++k) largest = std::max(largest, exponent(k));
  for (slong k = 0; k < length; ++k) {
    arb_ptr c = arb_poly_get_coeff_ptr(v_, k);
    if (arf_is_special(arb_midref(c))) continue;
    const slong bits = exponent(k) - (largest - BallBits::now() - guard);
    arb_set_round(c, c, std::max<slong>(bits, 2));
  }
}

Series operator*(const Series& a, const Series& b) {
  Series out(a.size_);
  arb_poly_mullow(out.v_, a.v_, b.v_, a.size_, BallBits::now());
  out.round();
  return out;
}

#define ATTNDYN_SERIES(name, function)                                                                       \
  Series name(const Series& s) {                                                                             \
    Series out(s.size());                                                                                    \
    function(out.raw(), s.raw(), s.size(), BallBits::now());                                                 \
    out.round();                                                                                             \
    return out;                                                                                              \
  }
ATTNDYN_SERIES(exp, arb_poly_exp_series)
ATTNDYN_SERIES(sqrt, arb_poly_sqrt_series)
ATTNDYN_SERIES(reciprocal, arb_poly_inv_series)
ATTNDYN_SERIES(reciprocal_sqrt, arb_poly_rsqrt_series)
#undef ATTNDYN_SERIES

Series integral(const Series& s) {
  Series out(s.size());
  arb_poly_integral(out.raw(), s.raw(), BallBits::now());
  arb_poly_truncate(out.raw(), s.size());
  return out;
}

Series integral_over_w(const Series& s) {
  Series out(s.size());
  for (slong k = 1; k < s.size(); ++k) out.set(k, s[k] / Ball(static_cast<int>(k)));
  return out;
}

} // namespace attndyn::separable
