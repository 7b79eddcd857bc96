/// The number types of the toolkit and the few questions the rest of the code asks of them.
///
/// Everything above this folder is generic in Real. `double` is exact to 53 bits, `Float128` to 113; the
/// precision of `Mpfr` is set once per process by `set_mpfr_digits`, before any thread starts and before any
/// Mpfr number is made (Boost 1.74 keeps one process-wide default).
#pragma once

#include <boost/multiprecision/float128.hpp>
#include <boost/multiprecision/mpfr.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace attndyn {

using Float128 = boost::multiprecision::float128;
using Mpfr = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>,
                                           boost::multiprecision::et_off>;

template <class Real> using Vector = std::vector<Real>;

/// Sets the decimal precision of every Mpfr number made from now on. digits in [10, 100000].
/// Throws std::invalid_argument outside that range.
void set_mpfr_digits(int digits);

/// Decimal digits that Real carries: 15 for double, 33 for Float128, the process-wide setting for Mpfr.
template <class Real> int digits_of() {
  if constexpr (std::is_same_v<Real, Mpfr>)
    return static_cast<int>(Mpfr::default_precision());
  else
    return std::numeric_limits<Real>::digits10;
}

/// Distance from 1 to the next number; for Mpfr 10^(1-digits), which is never too small.
template <class Real> Real epsilon() {
  if constexpr (std::is_same_v<Real, Mpfr>) {
    static thread_local int known_for = 0;
    static thread_local Real value;
    if (known_for != digits_of<Mpfr>()) {
      known_for = digits_of<Mpfr>();
      value = pow(Real(10), 1 - known_for);
    }
    return value;
  } else {
    return std::numeric_limits<Real>::epsilon();
  }
}

/// A double near x, for decisions in which any nearby value is correct (a softmax shift, a step estimate).
inline double plain_value(double x) { return x; }
inline double plain_value(const Float128& x) { return static_cast<double>(x); }
inline double plain_value(const Mpfr& x) { return static_cast<double>(x); }

template <class Real> Vector<double> plain_values(const Vector<Real>& x) {
  Vector<double> out;
  for (const Real& v : x) out.push_back(plain_value(v));
  return out;
}

template <class Real> bool is_finite(const Real& x) {
  using std::isfinite;
  return isfinite(x);
}

template <class Real> bool all_finite(const Vector<Real>& x) {
  for (const Real& v : x)
    if (!is_finite(v)) return false;
  return true;
}

template <class Real> Real infinity() { return std::numeric_limits<Real>::infinity(); }
template <> inline Mpfr infinity<Mpfr>() { return Mpfr("inf"); }

/// A short printable form ("1.2e-05") for messages; never used for data.
template <class Real> std::string brief(const Real& x);

} // namespace attndyn
