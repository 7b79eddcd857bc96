#include "verification/theory/almost_sure.hpp"

#include <boost/math/special_functions/lambert_w.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace attndyn::verification::theory {
namespace {

void check(int n, int d) {
  if (n < 1 || n > 60) throw std::invalid_argument(fmt::format("n = {}: must be from 1 to 60", n));
  if (d < 1) throw std::invalid_argument(fmt::format("d = {}: must be >= 1", d));
}

template <class Real> Real least_radial_part_in(int n, const Real& beta) {
  using std::exp;
  const Real w = boost::math::lambert_w0(Real((n - 1) / exp(Real(1))));
  if (w + 1 <= 2 * beta) return 1 - w / beta;
  const Real q = (n - 1) * exp(Real(-2 * beta));
  return (1 - q) / (1 + q);
}

} // namespace

std::uint64_t wendel_count(int n, int d) {
  check(n, d);
  std::uint64_t sum = 0;
  std::uint64_t binomial = 1; // C(n-1, k), exact: below 2^64 before each division, and divisible
  for (int k = 0; k < std::min(n, d); ++k) {
    sum += binomial;
    binomial = binomial * static_cast<std::uint64_t>(n - 1 - k) / static_cast<std::uint64_t>(k + 1);
  }
  return sum;
}

std::uint64_t schlaefli_half_count(int n, int d) {
  check(n, d);
  const auto size = static_cast<std::size_t>(d);
  // One line through the origin of R^1 .. R^d cuts it in two halves; in R^0 there is nothing to cut.
  std::vector<std::uint64_t> half(size + 1, 1);
  half[0] = 0;
  for (int m = 2; m <= n; ++m)
    for (std::size_t k = size; k >= 1; --k) half[k] += half[k - 1];
  return half[size];
}

double least_radial_part(int n, double beta) { return least_radial_part_in(n, beta); }
Float128 least_radial_part(int n, const Float128& beta) { return least_radial_part_in(n, beta); }

double least_radial_cosine(int n, double beta) {
  return std::max(-1.0, least_radial_part(n, beta) - 1 / beta);
}

} // namespace attndyn::verification::theory
