#include "lib/real/text.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <stdexcept>

namespace attndyn {
namespace {

constexpr const char* rule = "must be a finite decimal number or a quotient p/q";
// Exponents beyond this are typing errors; within it quotients too stay inside the exponent range of MPFR.
constexpr long max_exponent = 100'000'000;

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return s;
}

/// [+-] digits [. digits] [e [+-] digits], at least one digit in the mantissa.
bool is_decimal(std::string_view s) {
  std::size_t i = 0, digits = 0;
  const auto skip_digits = [&] {
    std::size_t count = 0;
    while (i < s.size() && std::isdigit(static_cast<unsigned char>(s[i]))) ++i, ++count;
    return count;
  };
  if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
  digits += skip_digits();
  if (i < s.size() && s[i] == '.') {
    ++i;
    digits += skip_digits();
  }
  if (digits == 0) return false;
  if (i == s.size()) return true;
  if (s[i] != 'e' && s[i] != 'E') return false;
  ++i;
  const std::size_t exponent_begin = i;
  if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
  if (skip_digits() == 0 || i != s.size()) return false;
  long exponent = 0;
  std::string_view e = s.substr(exponent_begin);
  if (e.front() == '+') e.remove_prefix(1);
  const auto [end, error] = std::from_chars(e.data(), e.data() + e.size(), exponent);
  return error == std::errc{} && end == e.data() + e.size() && std::labs(exponent) <= max_exponent;
}

bool is_zero_text(std::string_view s) {
  for (char c : s) {
    if (c == 'e' || c == 'E') break;
    if (c >= '1' && c <= '9') return false;
  }
  return true;
}

template <class Real> Real decimal(std::string_view s) {
  std::string copy(s.front() == '+' ? s.substr(1) : s);
  if constexpr (std::is_same_v<Real, double>) {
    char* end = nullptr;
    return std::strtod(copy.c_str(), &end);
  } else {
    return Real(copy);
  }
}

template <unsigned digits>
using MpfrOf = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<digits>,
                                             boost::multiprecision::et_off>;
using Exact = MpfrOf<1100>;

/// x in the precision of Real: Boost would make an Mpfr of 1100 digits, and everything computed from it too.
template <class Real> Real rounded(const Exact& x) {
  if constexpr (std::is_same_v<Real, Mpfr>) {
    Mpfr out;
    mpfr_set(out.backend().data(), x.backend().data(), MPFR_RNDN);
    return out;
  } else {
    return Real(x);
  }
}

template <class Real> Real quotient(std::string_view p, std::string_view q) {
  if (digits_of<Real>() < std::numeric_limits<Exact>::digits10)
    return rounded<Real>(decimal<Exact>(p) / decimal<Exact>(q));
  return decimal<Real>(p) / decimal<Real>(q);
}

template <class Real> Real checked(std::string_view text, bool range_matters) {
  const std::string_view s = trimmed(text);
  const std::size_t slash = s.find('/');
  const std::string_view p = trimmed(s.substr(0, slash));
  if (!is_decimal(p)) throw std::invalid_argument(rule);
  std::string_view q;
  if (slash != std::string_view::npos) {
    q = trimmed(s.substr(slash + 1));
    if (!is_decimal(q)) throw std::invalid_argument(rule);
    if (is_zero_text(q)) throw std::invalid_argument(std::string(rule) + " with q not zero");
  }
  const Real value = q.empty() ? decimal<Real>(p) : quotient<Real>(p, q);
  const bool in_range = is_finite(value) && (value != 0 || is_zero_text(p));
  if (range_matters && !in_range)
    throw std::invalid_argument("must lie within the range of the number type (ask for more --digits)");
  return value;
}

} // namespace

template <class Real> Real parse_real(std::string_view text) { return checked<Real>(text, true); }

template <> std::string to_text(const double& x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return fmt::format("{}", x);
}

namespace {
template <class Real> std::string multiprecision_text(const Real& x) {
  if (boost::multiprecision::isnan(x)) return "nan";
  if (boost::multiprecision::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x.str(digits_of<Real>() + 2, std::ios_base::fmtflags{});
}
} // namespace

template <> std::string to_text(const Float128& x) { return multiprecision_text(x); }
template <> std::string to_text(const Mpfr& x) { return multiprecision_text(x); }

template <class Real> std::string exp_to_text(const Real& y) {
  using std::exp;
  if (!is_finite(y)) return y < 0 ? "0" : to_text(y);
  if constexpr (std::is_same_v<Real, Mpfr>) {
    const Mpfr value = exp(y);
    if (value != 0 && is_finite(value)) return to_text(value);
  }
  using Wide = std::conditional_t<std::is_same_v<Real, Mpfr>, Exact, MpfrOf<80>>;
  const Wide decimal_log = Wide(y) / log(Wide(10));
  Wide exponent = floor(decimal_log);
  const int digits = digits_of<Real>() + 1;
  std::string mantissa = Wide(pow(Wide(10), Wide(decimal_log - exponent))).str(digits, std::ios_base::fixed);
  if (mantissa.starts_with("10")) { // 9.99... rounded up
    mantissa.erase(1, 1);
    exponent += 1;
  }
  const std::string e = exponent.str(0, std::ios_base::fixed);
  return mantissa + "e" + e.substr(0, e.find('.'));
}

template <> std::string brief(const double& x) { return fmt::format("{:.6g}", x); }
template <> std::string brief(const Float128& x) { return x.str(6, std::ios_base::fmtflags{}); }
template <> std::string brief(const Mpfr& x) { return x.str(6, std::ios_base::fmtflags{}); }

void set_mpfr_digits(int digits) {
  if (digits < 10 || digits > 100000)
    throw std::invalid_argument(fmt::format("digits = {}: must be in [10, 100000]", digits));
  Mpfr::default_precision(static_cast<unsigned>(digits));
}

Number::Number(const char* text) : Number(std::string(text)) {}
Number::Number(std::string text) : text_(trimmed(text)), approx_(checked<double>(text_, false)) {}
Number::Number(int value) : text_(std::to_string(value)), approx_(value) {}
Number::Number(double value) : text_(to_text(value)), approx_(value) {
  if (!std::isfinite(value)) throw std::invalid_argument(rule);
}

int compare(const Number& a, const Number& b) {
  const Exact x = checked<Exact>(a.text(), false), y = checked<Exact>(b.text(), false);
  return x < y ? -1 : x > y ? 1 : 0;
}

template <class Real> Real Number::log_one_minus() const {
  if (digits_of<Real>() < std::numeric_limits<Exact>::digits10)
    return rounded<Real>(log(Exact(1 - checked<Exact>(text_, false))));
  return log(Real(1 - checked<Real>(text_, false)));
}

template double Number::log_one_minus() const;
template Float128 Number::log_one_minus() const;
template Mpfr Number::log_one_minus() const;
template double parse_real(std::string_view);
template Float128 parse_real(std::string_view);
template Mpfr parse_real(std::string_view);
template std::string exp_to_text(const double&);
template std::string exp_to_text(const Float128&);
template std::string exp_to_text(const Mpfr&);

} // namespace attndyn
