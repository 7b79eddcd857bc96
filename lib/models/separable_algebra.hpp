/// Two more number types for the formulas of separable_curve.hpp, next to Ball: complex balls, which bound a
/// function on a circle, and truncated power series with balls as coefficients, which integrate it.
#pragma once

#include "lib/real/ball.hpp"

#include <acb.h>
#include <arb_poly.h>

namespace attndyn::separable {

/// A rectangle of the complex plane; arithmetic as for Ball, at BallBits::now().
class ComplexBall {
public:
  ComplexBall() { acb_init(v_); }
  ComplexBall(const Ball& re) : ComplexBall() { acb_set_arb(v_, re.raw()); } // NOLINT: reals are complex
  ComplexBall(const Ball& re, const Ball& im) : ComplexBall() { acb_set_arb_arb(v_, re.raw(), im.raw()); }
  ComplexBall(const ComplexBall& o) : ComplexBall() { acb_set(v_, o.v_); }
  ComplexBall& operator=(const ComplexBall& o) { return acb_set(v_, o.v_), *this; }
  ~ComplexBall() { acb_clear(v_); }
  acb_ptr raw() { return v_; }
  acb_srcptr raw() const { return v_; }

  friend ComplexBall operator+(ComplexBall a, const ComplexBall& b) {
    return acb_add(a.v_, a.v_, b.v_, BallBits::now()), a;
  }
  friend ComplexBall operator-(ComplexBall a, const ComplexBall& b) {
    return acb_sub(a.v_, a.v_, b.v_, BallBits::now()), a;
  }
  friend ComplexBall operator*(ComplexBall a, const ComplexBall& b) {
    return acb_mul(a.v_, a.v_, b.v_, BallBits::now()), a;
  }
  friend ComplexBall operator/(ComplexBall a, const ComplexBall& b) {
    return acb_div(a.v_, a.v_, b.v_, BallBits::now()), a;
  }

  Ball real() const { return Ball(acb_realref(v_)); }
  Ball modulus() const;
  Ball argument() const; ///< in (-pi, pi]

private:
  acb_t v_;
};

ComplexBall exp(const ComplexBall&);

/// sum_k c_k w^k, k < size, with the same size in every operand of an operation. size >= 2. Meant for |w| <=
/// 1: products and functions keep as many digits of every coefficient as count against the largest.
class Series {
public:
  explicit Series(slong size) : size_(size) { arb_poly_init2(v_, size); }
  Series(slong size, const Ball& constant) : Series(size) { set(0, constant); }
  /// constant + slope w
  Series(slong size, const Ball& constant, const Ball& slope) : Series(size, constant) { set(1, slope); }
  Series(const Series& o) : Series(o.size_) { arb_poly_set(v_, o.v_); }
  Series& operator=(const Series& o) { return arb_poly_set(v_, o.v_), size_ = o.size_, *this; }
  ~Series() { arb_poly_clear(v_); }

  slong size() const { return size_; }
  Ball operator[](slong k) const;
  void set(slong k, const Ball& c) { arb_poly_set_coeff_arb(v_, k, c.raw()); }
  arb_poly_struct* raw() { return v_; }
  const arb_poly_struct* raw() const { return v_; }
  Ball operator()(const Ball& w) const; ///< value of the polynomial
  /// Rounds every coefficient, outward, to a common absolute precision. Numbers of one exponent multiply many
  /// times faster than coefficients that decay at full relative precision.
  void round();

  friend Series operator+(Series a, const Series& b) {
    return arb_poly_add_series(a.v_, a.v_, b.v_, a.size_, BallBits::now()), a;
  }
  friend Series operator-(Series a, const Series& b) {
    return arb_poly_sub_series(a.v_, a.v_, b.v_, a.size_, BallBits::now()), a;
  }
  friend Series operator*(const Series& a, const Series& b);
  friend Series operator+(const Series& a, const Ball& b) { return a + Series(a.size_, b); }
  friend Series operator-(const Series& a, const Ball& b) { return a - Series(a.size_, b); }
  friend Series operator*(Series a, const Ball& b) {
    return arb_poly_scalar_mul(a.v_, a.v_, b.raw(), BallBits::now()), a;
  }
  friend Series operator/(Series a, const Ball& b) {
    return arb_poly_scalar_div(a.v_, a.v_, b.raw(), BallBits::now()), a;
  }

private:
  arb_poly_t v_;
  slong size_;
};

Series exp(const Series&);
Series sqrt(const Series&);
Series reciprocal(const Series&);      ///< 1/s
Series reciprocal_sqrt(const Series&); ///< 1/sqrt(s)
Series integral(const Series&);        ///< from 0
Series integral_over_w(const Series&); ///< of (s - s_0)/w from 0: coefficients s_k/k

} // namespace attndyn::separable
