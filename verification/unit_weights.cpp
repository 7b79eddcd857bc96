#include "verification/unit_weights.hpp"

#include "lib/initial.hpp"
#include "lib/random.hpp"

#include <cmath>
#include <stdexcept>

namespace attndyn::verification {
namespace {

Vector<double> random_direction(std::size_t d, Stream& noise) {
  Vector<double> u(d);
  for (double& x : u) x = noise.normal();
  const double length = std::sqrt(dot(u.data(), u.data(), d));
  for (double& x : u) x /= length;
  return u;
}

Matrix<double> identity_times(double factor, std::size_t d) {
  Matrix<double> m(d, d);
  for (std::size_t i = 0; i < d; ++i) m(i, i) = factor;
  return m;
}

/// m - 2 u u^T m.
void reflect(Matrix<double>& m, const Vector<double>& u) {
  for (std::size_t j = 0; j < m.cols; ++j) {
    const double along = 2 * dot(u.data(), &m(0, j), m.rows);
    for (std::size_t i = 0; i < m.rows; ++i) m(i, j) -= along * u[i];
  }
}

} // namespace

const std::vector<std::string>& unit_weight_names() {
  static const std::vector<std::string> names{"identity", "minus identity", "rotation",
                                              "rank one", "projection",     "zero"};
  return names;
}

Matrix<double> unit_weight(const std::string& name, std::size_t d, std::uint64_t seed, std::uint64_t unit) {
  Stream noise(seed, unit, Purpose::weights_q);
  if (name == "identity") return identity_times(1, d);
  if (name == "minus identity") return identity_times(-1, d);
  if (name == "zero") return identity_times(0, d);
  if (name == "rotation") {
    auto m = identity_times(1, d);
    for (int k = 0; k < 2; ++k) reflect(m, random_direction(d, noise));
    return m;
  }
  if (name == "rank one") {
    const auto u = random_direction(d, noise), v = random_direction(d, noise);
    Matrix<double> m(d, d);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i < d; ++i) m(i, j) = u[i] * v[j];
    return m;
  }
  if (name == "projection") {
    auto m = identity_times(1, d);
    for (std::size_t i = (d + 1) / 2; i < d; ++i) m(i, i) = 0;
    return m;
  }
  throw std::invalid_argument("weight = " + name + ": unknown");
}

const std::vector<std::string>& close_start_names() {
  static const std::vector<std::string> names{"cone", "equiangular", "one against the rest"};
  return names;
}

Tokens<double> close_start(const std::string& name, Shape shape, double delta, std::uint64_t seed) {
  if (name == "cone") return narrow_cone<double>(shape, seed, Number(delta));
  if (name == "equiangular") return equiangular<double>(shape, Number(1 - delta));
  if (name == "one against the rest") {
    if (shape.d < 2) throw std::invalid_argument("d: must be at least 2");
    Tokens<double> out{Matrix<double>(shape.d, shape.n), Vector<double>(shape.n, 1)};
    for (std::size_t j = 0; j < shape.n; ++j) out.theta(0, j) = 1;
    out.theta(0, 0) = 1 - delta;
    out.theta(1, 0) = std::sqrt(delta * (2 - delta));
    return out;
  }
  throw std::invalid_argument("start = " + name + ": unknown");
}

double printed_largest_delta(std::size_t n, double beta) {
  const double nb = static_cast<double>(n) * beta;
  return 1 / (100 * nb * nb);
}

} // namespace attndyn::verification
