// The hot loops of the field in double. The compiler vectorises them for each instruction set named in CLONES
// and picks one at run time; without contraction (no FMA is formed) all give the same bits.
#include "lib/attention/row.hpp"

#include <bit>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) &&                            \
    !defined(__SANITIZE_UNDEFINED__)
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CLONES
#endif

namespace attndyn {
namespace {

constexpr std::size_t lanes = 8;

/// exp(x) for x <= 0, to about one unit in the last place; 0 below -708 (under the softmax's largest weight,
/// 1, that is nothing). Cody-Waite reduction to |r| <= log(2)/2, Taylor polynomial of degree 13, exponent by
/// bits.
inline double exp_nonpositive(double x) {
  constexpr double log2_e = 1.4426950408889634074, ln2_high = 6.93147180369123816490e-01,
                   ln2_low = 1.90821492927058770002e-10, round_to_integer = 6755399441055744.0; // 1.5 * 2^52
  const double bounded = x < -708.0 ? -708.0 : x;
  const double shifted = bounded * log2_e + round_to_integer;
  const double k = shifted - round_to_integer;
  const double r = (bounded - k * ln2_high) - k * ln2_low;
  // Two interleaved Horner chains in r^2, then exp(r) = 1 + r + r^2 q(r).
  const double s = r * r;
  const double even =
      1 / 2.0 +
      s * (1 / 24.0 + s * (1 / 720.0 + s * (1 / 40320.0 + s * (1 / 3628800.0 + s * (1 / 479001600.0)))));
  const double odd =
      1 / 6.0 +
      s * (1 / 120.0 + s * (1 / 5040.0 + s * (1 / 362880.0 + s * (1 / 39916800.0 + s * (1 / 6227020800.0)))));
  const double p = 1.0 + (r + s * (even + r * odd));
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  const double value = p * std::bit_cast<double>(exponent);
  return x < -708.0 ? 0.0 : value + (x - x); // NaN goes through
}

CLONES double exponentials(double* x, std::size_t count, double shift) {
  double partial[lanes] = {};
  const std::size_t whole = count - count % lanes;
  for (std::size_t k = 0; k < whole; k += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const double w = exp_nonpositive(x[k + l] - shift);
      x[k + l] = w;
      partial[l] += w;
    }
  for (std::size_t k = whole; k < count; ++k) {
    x[k] = exp_nonpositive(x[k] - shift);
    partial[k - whole] += x[k];
  }
  return ((partial[0] + partial[4]) + (partial[1] + partial[5])) +
         ((partial[2] + partial[6]) + (partial[3] + partial[7]));
}

CLONES double largest(const double* x, std::size_t count) {
  double best[lanes];
  for (double& b : best) b = -std::numeric_limits<double>::infinity();
  const std::size_t whole = count - count % lanes;
  for (std::size_t k = 0; k < whole; k += lanes)
    for (std::size_t l = 0; l < lanes; ++l) best[l] = x[k + l] > best[l] ? x[k + l] : best[l];
  for (std::size_t k = whole; k < count; ++k)
    best[k - whole] = x[k] > best[k - whole] ? x[k] : best[k - whole];
  double out = best[0];
  for (double b : best) out = b > out ? b : out;
  return out;
}

} // namespace

template <> double exponential_row(double* logit, std::size_t count, const double& shift) {
  return exponentials(logit, count, shift);
}

template <> double largest_in_row(const double* logit, std::size_t count) { return largest(logit, count); }

} // namespace attndyn
