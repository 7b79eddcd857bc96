#include "verification/closest_pair.hpp"

#include "lib/random.hpp"
#include "verification/search.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification {

PairStart closest_pair(std::size_t n, std::size_t d, double cosine, double lead, double log_ratio,
                       std::uint64_t seed, std::uint64_t unit) {
  Stream stream(seed, unit, Purpose::search);
  Matrix<double> x(d, n);
  x(0, 0) = 1;
  x(0, 1) = cosine;
  x(1, 1) = std::sqrt(1 - cosine * cosine);
  for (std::size_t j = 2; j < n; ++j) {
    int tries = 0;
    for (bool close = true; close;) {
      if (++tries > 2000) throw NotApplicable("no room for so many clusters at that distance");
      double length = 0;
      for (std::size_t i = 0; i < d; ++i) {
        x(i, j) = stream.normal();
        length += x(i, j) * x(i, j);
      }
      for (std::size_t i = 0; i < d; ++i) x(i, j) /= std::sqrt(length);
      close = false;
      for (std::size_t k = 0; k < j; ++k) close = close || dot(&x(0, j), &x(0, k), d) > cosine - lead;
    }
  }
  Vector<double> masses{1, std::exp(log_ratio)};
  for (std::size_t j = 2; j < n; ++j) masses.push_back(0.5 + stream.uniform());
  double sum = 0;
  for (double m : masses) sum += m;
  for (double& m : masses) m /= sum;
  return {
      tokens_from(x, false), masses, cosine, lead,
      fmt::format(
          "{} clusters in d = {}, cosine of the pair {:.4g}, others below {:.4g}, a_j/a_i = {:.4g}, seed {}, "
          "draw {}",
          n, d, cosine, cosine - lead, std::exp(log_ratio), seed, unit)};
}

ParticleParams<double> params_of(const PairStart& c, double beta) {
  ParticleParams<double> p;
  p.beta = Number(beta);
  p.masses = c.masses;
  p.reduce_span = false;
  return p;
}

double pair_rate(const PairStart& c) { return c.ratio() + 1 / c.ratio(); }

double end_time(const PairStart& c, double rate, double eps) {
  return (std::atanh(1 - eps) - std::atanh(c.cosine)) / rate;
}

} // namespace attndyn::verification
