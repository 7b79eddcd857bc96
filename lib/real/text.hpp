/// Numbers as text: parameters stay decimal text or exact quotients until a model asks for them in its own
/// number type, so that 0.1 is one tenth at 40 digits; results are written with all the digits they carry.
#pragma once

#include "lib/real/types.hpp"

#include <string>
#include <string_view>

namespace attndyn {

/// The number written in text: a decimal ("0.1", "-1e-30") or a quotient of two decimals ("1/3"), spaces
/// around it ignored, correctly rounded up to one unit in the last place. Throws std::invalid_argument with
/// the rule if text is anything else, is not finite, or lies outside the range of Real.
template <class Real> Real parse_real(std::string_view text);

/// Shortest round-trip decimal for double; all digits (plus two) for Float128 and Mpfr. "nan", "inf", "-inf".
template <class Real> std::string to_text(const Real& x);

/// exp(y) in decimal, also where exp(y) under- or overflows Real ("3.2e-1304"). The relative error is the
/// absolute error of y.
template <class Real> std::string exp_to_text(const Real& y);

/// A parameter as its user wrote it. Checked when made; exact in every number type.
class Number {
public:
  Number(const char* text); // NOLINT: implicit on purpose, so that {"beta", "0.1"} reads well
  Number(std::string text); // NOLINT
  Number(int value);        // NOLINT
  /// The shortest decimal that reads back as value: 0.1 becomes one tenth. Throws std::invalid_argument if
  /// not finite.
  explicit Number(double value);

  template <class Real> Real as() const { return parse_real<Real>(text_); }
  /// Nearest double; 0 or +-infinity where text lies outside its range.
  double approx() const { return approx_; }
  const std::string& text() const { return text_; }

  /// log(1 - this) with all the digits of Real, however close to 1; this < 1 required.
  template <class Real> Real log_one_minus() const;

private:
  std::string text_;
  double approx_;
};

/// -1, 0 or 1 as a is below, at or above b, decided at 1100 digits.
int compare(const Number& a, const Number& b);

} // namespace attndyn
