#include "verification/uniform_start.hpp"

#include "lib/initial.hpp"
#include "lib/random.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace attndyn::verification {
namespace {

/// The root of a chi-squared number: the quantile of the gamma law at a uniform number.
double chi(double degrees, Stream& noise) {
  using namespace boost::math::policies;
  using Plain = policy<promote_double<false>>;
  return std::sqrt(2 * boost::math::gamma_p_inv(degrees / 2, noise.uniform(), Plain()));
}

} // namespace

Tokens<double> uniform_start_by_law(std::size_t n, double d, std::uint64_t seed, std::uint64_t unit) {
  if (!(d >= static_cast<double>(n)))
    throw std::invalid_argument(fmt::format("d = {}: must be >= n = {}", d, n));
  Stream noise(seed, unit, Purpose::tokens);
  Matrix<double> vectors(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i) vectors(i, j) = noise.normal();
    vectors(j, j) = chi(d - static_cast<double>(j), noise);
  }
  return tokens_from(vectors, false);
}

Tokens<double> uniform_start(std::size_t n, double d, std::uint64_t seed, std::uint64_t unit) {
  if (d > drawn_dimension) return uniform_start_by_law(n, d, seed, unit);
  return uniform_on_sphere<double>({n, static_cast<std::size_t>(d)}, seed, unit);
}

} // namespace attndyn::verification
