/// Ball: a real number known to lie in an interval, midpoint +- radius. Arithmetic is Arb's, so every result
/// encloses the exact one whatever its inputs in theirs; that is what makes an answer a theorem.
///
/// The working precision belongs to the thread (BallBits). Nothing compares two balls by < or ==: an order
/// that is not certain must not look like one. Ask certainly_less, overlap, contains.
#pragma once

#include "lib/real/text.hpp"

#include <arb.h>

#include <string>

namespace attndyn {

/// Sets the precision of this thread's ball arithmetic, in bits, for the life of the object; [2, 4000000].
/// Throws std::invalid_argument outside.
class BallBits {
public:
  explicit BallBits(slong bits);
  ~BallBits() { current = outer_; }
  BallBits(const BallBits&) = delete;
  BallBits& operator=(const BallBits&) = delete;

  static slong now() { return current; }
  /// Bits that hold so many decimal digits.
  static slong of_digits(int digits) { return static_cast<slong>(digits * 3.3219280948873623) + 2; }

private:
  static thread_local slong current;
  slong outer_;
};

class Ball {
public:
  Ball() { arb_init(v_); }
  Ball(int exact) : Ball() { arb_set_si(v_, exact); } // NOLINT: implicit as in every Real
  Ball(double exact); // NOLINT; NaN and infinities become the ball that contains all
  explicit Ball(const Mpfr& exact);
  explicit Ball(const arb_t v) : Ball() { arb_set(v_, v); }
  /// [lower, upper], both exact; any order.
  static Ball between(const Ball& a, const Ball& b);
  /// [-radius, radius]; radius exact, >= 0.
  static Ball around_zero(const Ball& radius);

  Ball(const Ball& o) : Ball() { arb_set(v_, o.v_); }
  Ball(Ball&& o) noexcept : Ball() { arb_swap(v_, o.v_); }
  Ball& operator=(const Ball& o) {
    arb_set(v_, o.v_);
    return *this;
  }
  Ball& operator=(Ball&& o) noexcept {
    arb_swap(v_, o.v_);
    return *this;
  }
  ~Ball() { arb_clear(v_); }

  arb_ptr raw() { return v_; }
  arb_srcptr raw() const { return v_; }

  Ball& operator+=(const Ball& b) { return arb_add(v_, v_, b.v_, BallBits::now()), *this; }
  Ball& operator-=(const Ball& b) { return arb_sub(v_, v_, b.v_, BallBits::now()), *this; }
  Ball& operator*=(const Ball& b) { return arb_mul(v_, v_, b.v_, BallBits::now()), *this; }
  Ball& operator/=(const Ball& b) { return arb_div(v_, v_, b.v_, BallBits::now()), *this; }
  friend Ball operator+(Ball a, const Ball& b) { return std::move(a += b); }
  friend Ball operator-(Ball a, const Ball& b) { return std::move(a -= b); }
  friend Ball operator*(Ball a, const Ball& b) { return std::move(a *= b); }
  friend Ball operator/(Ball a, const Ball& b) { return std::move(a /= b); }
  friend Ball operator-(Ball a) { return arb_neg(a.v_, a.v_), std::move(a); }

  // Found through their argument alone: a double must not turn into a ball on the way to std::exp.
  friend Ball exp(const Ball&);
  friend Ball expm1(const Ball&);
  friend Ball log(const Ball&); ///< not finite if 0 or less cannot be excluded
  friend Ball sqrt(const Ball&);
  friend Ball pow(const Ball& x, const Ball& y);
  friend Ball abs(const Ball&);

  /// The smallest and largest number of the ball (to the working precision, rounded outward) and its middle,
  /// as balls of radius 0.
  Ball lower() const;
  Ball upper() const;
  Ball midpoint() const;
  /// Upper bound of the radius; infinity if that exceeds double.
  double radius() const;
  bool is_finite() const { return arb_is_finite(v_); }
  /// Nearest Mpfr to the midpoint, in the current Mpfr precision.
  Mpfr to_mpfr() const;

private:
  arb_t v_;
};

inline double plain_value(const Ball& x) { return arf_get_d(arb_midref(x.raw()), ARF_RND_NEAR); }
inline bool is_finite(const Ball& x) { return x.is_finite(); }

/// Every number of a is below every number of b.
inline bool certainly_less(const Ball& a, const Ball& b) { return arb_lt(a.raw(), b.raw()); }
inline bool certainly_positive(const Ball& a) { return arb_is_positive(a.raw()); }
inline bool certainly_negative(const Ball& a) { return arb_is_negative(a.raw()); }
inline bool overlap(const Ball& a, const Ball& b) { return arb_overlaps(a.raw(), b.raw()); }
/// inner is a part of outer.
inline bool contains(const Ball& outer, const Ball& inner) { return arb_contains(outer.raw(), inner.raw()); }
inline bool contains_zero(const Ball& a) { return arb_contains_zero(a.raw()); }
/// Smallest ball around both; what both have in common (throws std::logic_error if that is nothing).
Ball hull(const Ball& a, const Ball& b);
Ball common(const Ball& a, const Ball& b);
/// The ball widened by radius >= 0 on both sides.
Ball widened(const Ball& a, const Ball& radius);
/// Decimal digits that all numbers of the ball share, relative: -log10(radius/|midpoint|); 0 at worst.
double relative_digits(const Ball&);

/// A ball around the decimal or quotient as written.
template <> Ball parse_real(std::string_view text);

/// "[0.3333333333 +/- 4.57e-11]": a decimal and a radius that contain the ball, rounded outward; at most so
/// many digits. Exact numbers come without a radius if they fit.
std::string ball_text(const Ball&, int digits);
/// Ends in decimal, rounded outward, with so many digits.
std::string lower_text(const Ball&, int digits);
std::string upper_text(const Ball&, int digits);

/// Exact, by way of hexadecimal mantissa and exponent: for certificates. from_exact throws
/// std::invalid_argument.
std::string to_exact(const Ball&);
Ball from_exact(const std::string&);

} // namespace attndyn
