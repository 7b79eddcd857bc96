#include "lib/random.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <limits>

namespace attndyn {
namespace {

/// log x for finite x > 0 from + - * / alone, within 2 ulp where |log x| > 1. The log of the C library is as
/// good, but its last bit depends on the processor (glibc picks a variant with fused multiply-add where there
/// is one).
double portable_log(double x) {
  constexpr double ln2_high = 0x1.62e42fefap-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1), s2 = s * s; // |s| < 0.1716
  double sum = 0;                                 // atanh(s)/s - 1 up to s^22
  for (int k = 23; k >= 3; k -= 2) sum = s2 * (1.0 / k + sum);
  return exponent * ln2_high + (exponent * ln2_low + (2 * s + 2 * s * sum));
}

template <int N> double polynomial(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (int i = N - 2; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}

// Wichura, Algorithm AS 241, Appl. Statist. 37 (1988) 477-484: numerators and denominators for p near 1/2
// (a/b), in the tails (c/d) and far out (e/f).
constexpr double a[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                        1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                        3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr double b[] = {1.0,
                        4.2313330701600911252e1,
                        6.8718700749205790830e2,
                        5.3941960214247511077e3,
                        2.1213794301586595867e4,
                        3.9307895800092710610e4,
                        2.8729085735721942674e4,
                        5.2264952788528545610e3};
constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                        3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                        2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double d[] = {1.0,
                        2.05319162663775882187e0,
                        1.67638483018380384940e0,
                        6.89767334985100004550e-1,
                        1.48103976427480074590e-1,
                        1.51986665636164571966e-2,
                        5.47593808499534494600e-4,
                        1.05075007164441684324e-9};
constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                        2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                        2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double f[] = {1.0,
                        5.99832206555887937690e-1,
                        1.36929880922735805310e-1,
                        1.48753612908506148525e-2,
                        7.86869131145613259100e-4,
                        1.84631831751005468180e-5,
                        1.42151175831644588870e-7,
                        2.04426310338993978564e-15};

double uniform_from(std::uint64_t bits) {
  // Adding the half before scaling keeps every value inside (0, 1); with 53 bits the largest would round
  // to 1.
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

} // namespace

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double tail = q < 0 ? p : 1 - p;
  if (tail == 0) return std::copysign(std::numeric_limits<double>::infinity(), q);
  const double r = std::sqrt(-portable_log(tail));
  const double size =
      r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -size : size;
}

Stream::Stream(std::uint64_t seed, std::uint64_t unit, Purpose purpose)
    : seed_(seed), unit_(unit), purpose_(static_cast<std::uint64_t>(purpose)) {}

Stream::Block Stream::block(std::uint64_t number) const {
  const r123::Philox4x64::ctr_type counter{{number, 0, 0, purpose_}};
  const r123::Philox4x64::key_type key{{seed_, unit_}};
  const auto out = r123::Philox4x64{}(counter, key);
  return {out[0], out[1], out[2], out[3]};
}

std::uint64_t Stream::bits_at(std::uint64_t index) const { return block(index / 4)[index % 4]; }
double Stream::uniform_at(std::uint64_t index) const { return uniform_from(bits_at(index)); }
double Stream::normal_at(std::uint64_t index) const { return normal_quantile(uniform_at(index)); }

std::uint64_t Stream::bits() {
  if (next_ % 4 == 0) current_ = block(next_ / 4);
  return current_[next_++ % 4];
}
double Stream::uniform() { return uniform_from(bits()); }
double Stream::normal() { return normal_quantile(uniform()); }

} // namespace attndyn
