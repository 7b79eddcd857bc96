#include "analysis/pair_clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attndyn::analysis {
namespace {

double gap(const Vector<double>& x, std::size_t d, std::size_t i, std::size_t j) {
  return chord_gap(x.data() + i * d, x.data() + j * d, d);
}

/// v e^{-log_rate} where e^{-log_rate} alone may overflow.
double slowed(double v, double log_rate) {
  const double half = std::exp(-log_rate / 2);
  return v * half * half;
}

} // namespace

double smallest_gap(const Vector<double>& x, Shape shape) {
  double least = 2;
  for (std::size_t i = 0; i < shape.n; ++i)
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, gap(x, shape.d, i, j));
  return least;
}

double log_pair_rate(const Vector<double>& x, Shape shape, double beta, const Vector<double>& masses) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double most = -infinite, sum = 0;
  for (std::size_t i = 0; i < shape.n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double rate = std::log(masses[i] + masses[j]) - beta * gap(x, shape.d, i, j);
      if (rate > most) {
        sum = sum * std::exp(most - rate) + 1;
        most = rate;
      } else if (rate > -infinite) {
        sum += std::exp(rate - most);
      }
    }
  return sum > 0 ? most + std::log(sum) : most;
}

void PairClock::field(std::size_t piece, const Vector<double>& x, Vector<double>& dxdt,
                      const double& t) const {
  const auto split = static_cast<std::ptrdiff_t>(state_size(shape_));
  Vector<double> at(x.begin(), x.begin() + split), out(at.size());
  tokens_->field(piece, at, out, t);
  const double log_rate = log_pair_rate(x, shape_, beta_, masses_);
  for (std::size_t i = 0; i < out.size(); ++i) dxdt[i] = slowed(out[i], log_rate);
  dxdt.back() = std::exp(log_rate_at_start_ - log_rate);
}

void Reclocked::field(std::size_t piece, const Vector<double>& x, Vector<double>& dxdt,
                      const double& t) const {
  model_->field(piece, x, dxdt, t);
  const double log_rate = log_rate_(x);
  for (double& v : dxdt) v = slowed(v, log_rate);
}

} // namespace attndyn::analysis
