/// The arithmetic of one coefficient of a power series, for each number type: in place, and with the dot
/// product in which a series spends its time.
#pragma once

#include "lib/real/ball.hpp"

#include <cmath>
#include <limits>

namespace attndyn {

/// double and Float128: plain loops.
template <class Real> struct Coefficients {
  using Type = Real;
  /// Held while coefficients are computed.
  struct Precision {
    Precision() {} // not trivial, so that holding it is no unused variable
  };

  static Real from(const Real& x) { return x; }
  static Real to_real(const Real& c) { return c; }
  static void add(Real& out, const Real& a, const Real& b) { out = a + b; }
  static void subtract(Real& out, const Real& a, const Real& b) { out = a - b; }
  static void multiply(Real& out, const Real& a, const Real& b) { out = a * b; }
  static void multiply(Real& out, const Real& a, int b) { out = a * b; }
  static void divide(Real& out, const Real& a, int b) { out = a / b; }
  static void negate(Real& out, const Real& a) { out = -a; }
  static Real inverse(const Real& a) { return 1 / a; }
  /// sum_{i<n} a_i b_{-i}
  static void dot(Real& out, const Real* a, const Real* b, int n) {
    Real sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[-i];
    out = sum;
  }
  static bool finite(const Real& c) { return is_finite(c); }
  /// log |c|, -infinity for 0
  static double log_size(const Real& c) {
    using std::abs;
    using std::log;
    return plain_value(Real(log(Real(abs(c)))));
  }
};

namespace detail {

inline double log_size_of(const Ball& c) {
  mag_t size;
  mag_init(size);
  arb_get_mag(size, c.raw());
  const double value =
      mag_is_inf(size) ? std::numeric_limits<double>::infinity() : mag_get_d_log2_approx(size);
  mag_clear(size);
  return value * 0.6931471805599453;
}

struct BallCoefficients {
  using Type = Ball;
  static void add(Ball& out, const Ball& a, const Ball& b) {
    arb_add(out.raw(), a.raw(), b.raw(), BallBits::now());
  }
  static void subtract(Ball& out, const Ball& a, const Ball& b) {
    arb_sub(out.raw(), a.raw(), b.raw(), BallBits::now());
  }
  static void multiply(Ball& out, const Ball& a, const Ball& b) {
    arb_mul(out.raw(), a.raw(), b.raw(), BallBits::now());
  }
  static void multiply(Ball& out, const Ball& a, int b) {
    arb_mul_si(out.raw(), a.raw(), b, BallBits::now());
  }
  static void divide(Ball& out, const Ball& a, int b) { arb_div_si(out.raw(), a.raw(), b, BallBits::now()); }
  static void negate(Ball& out, const Ball& a) { arb_neg(out.raw(), a.raw()); }
  static Ball inverse(const Ball& a) {
    Ball out;
    arb_inv(out.raw(), a.raw(), BallBits::now());
    return out;
  }
  static bool finite(const Ball& c) { return c.is_finite(); }
  static double log_size(const Ball& c) { return log_size_of(c); }
};

} // namespace detail

/// Balls: every coefficient encloses.
template <> struct Coefficients<Ball> : detail::BallCoefficients {
  struct Precision {
    Precision() {}
  };
  static const Ball& from(const Ball& x) { return x; }
  static const Ball& to_real(const Ball& c) { return c; }
  static void dot(Ball& out, const Ball* a, const Ball* b, int n) {
    arb_dot(out.raw(), nullptr, 0, a->raw(), 1, b->raw(), -1, n, BallBits::now());
  }
};

/// Mpfr borrows Arb's dot product, which is several times faster than a loop, and forgets the radii.
template <> struct Coefficients<Mpfr> : detail::BallCoefficients {
  /// Bits like Mpfr's own, and a few for the sums.
  struct Precision {
    BallBits bits{BallBits::of_digits(digits_of<Mpfr>()) + 8};
  };
  static Ball from(const Mpfr& x) { return Ball(x); }
  static Mpfr to_real(const Ball& c) { return c.to_mpfr(); }
  static void dot(Ball& out, const Ball* a, const Ball* b, int n) {
    arb_approx_dot(out.raw(), nullptr, 0, a->raw(), 1, b->raw(), -1, n, BallBits::now());
    mag_zero(arb_radref(out.raw()));
  }
};

static_assert(sizeof(Ball) == sizeof(arb_struct), "an array of balls is an array of arb_struct");

} // namespace attndyn
