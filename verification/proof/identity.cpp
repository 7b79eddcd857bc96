#include "verification/proof/identity.hpp"

#include "lib/schemes/all.hpp"

#include <boost/multiprecision/gmp.hpp>
#include <fmt/format.h>

#include <stdexcept>

namespace attndyn::verification {
namespace {

/// An exact rational that a scheme can be evaluated in; its root is that of a perfect square.
class Rational {
public:
  Rational(int value = 0) : v_(value) {} // NOLINT: implicit as in every Real
  explicit Rational(boost::multiprecision::mpq_rational v) : v_(std::move(v)) {}
  friend Rational operator+(const Rational& a, const Rational& b) { return Rational(a.v_ + b.v_); }
  friend Rational operator-(const Rational& a, const Rational& b) { return Rational(a.v_ - b.v_); }
  friend Rational operator*(const Rational& a, const Rational& b) { return Rational(a.v_ * b.v_); }
  friend Rational operator/(const Rational& a, const Rational& b) { return Rational(a.v_ / b.v_); }
  friend bool operator==(const Rational& a, const Rational& b) { return a.v_ == b.v_; }
  friend Rational sqrt(const Rational& a) {
    const boost::multiprecision::mpz_int n = numerator(a.v_), d = denominator(a.v_), p = sqrt(n), q = sqrt(d);
    if (p * p != n || q * q != d) throw std::domain_error("the root is not rational");
    return Rational(boost::multiprecision::mpq_rational(p, q));
  }
  friend Rational pow(const Rational&, const Rational&) { throw std::domain_error("no power is rational"); }

private:
  boost::multiprecision::mpq_rational v_;
};

AnyScheme<Rational> scheme_of(const std::string& name, const Rational& alpha) {
  if (name == "post" || name == "mix") return PostLN<Rational>{};
  if (name == "pre") return PreLN<Rational>{};
  if (name == "peri") return PeriLN<Rational>{};
  if (name == "ngpt") return NGPT<Rational>{alpha};
  if (name == "sqrt") return SqrtScaling<Rational>{};
  throw std::invalid_argument(fmt::format("scheme = {}: is not in the theorem", name));
}

Rational printed(const std::string& scheme, const Rational& sum, const Rational& m, const Rational& r0,
                 const Rational& alpha) {
  if (scheme == "pre") return 2 / (r0 * sum);
  if (scheme == "peri") return 2 / (r0 * m);
  if (scheme == "ngpt") return 2 * alpha / m;
  return 2 / sum;
}

} // namespace

bool initial_velocity_identity(const std::string& scheme) {
  constexpr int points = 9;
  for (int e = 1; e <= points; ++e)
    for (int k = 1; k <= points; ++k)
      for (int r = 1; r <= points; ++r)
        for (int a = 1; a <= points; ++a) {
          const Rational E = Rational(e) / 3, m = E + k, r0 = Rational(r) / 2, alpha = Rational(a) / 5;
          const Rational sum = E + m * m - E * E; // e^beta + n - 1
          const Regulation<Rational> reg =
              regulation(scheme_of(scheme, alpha), TokenState<Rational>{0, r0, E / sum, m / sum});
          if (!(2 / (sum * reg.speed_factor) == printed(scheme, sum, m, r0, alpha))) return false;
        }
  return true;
}

} // namespace attndyn::verification
