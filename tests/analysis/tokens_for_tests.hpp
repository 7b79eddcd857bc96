/// Tokens, and what is true of them by the plainest route: inner products of exactly normalised tokens at 60
/// digits.
#pragma once

#include "lib/tokens.hpp"

#include <cmath>
#include <random>
#include <tuple>

namespace attndyn::testing {

using Reals = std::tuple<double, Float128, Mpfr>;

/// To be a global fixture of each test program that uses Mpfr.
struct SixtyDigits {
  SixtyDigits() { set_mpfr_digits(60); }
};

/// BOOST_TEST(x < y) does not compile for Float128 (Boost 1.74): errors are compared as double, in epsilons
/// of Real.
template <class Real> double relative_error(const Real& measured, const Mpfr& truth) {
  const Mpfr exact = static_cast<Mpfr>(measured);
  if (exact == truth) return 0;
  return plain_value(Mpfr(abs(Mpfr(exact - truth)) / abs(truth)));
}
template <class Real> double epsilon_of() { return plain_value(epsilon<Real>()); }

/// Unit columns at distance about `size` from one random direction (size = infinity: uniform on the sphere),
/// and of unit length to the rounding of Real.
template <class Real> Matrix<Real> random_tokens(std::size_t n, std::size_t d, double size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Matrix<Real> x(d, n);
  Vector<Real> centre(d);
  for (Real& c : centre) c = normal(engine);
  const Real length = sqrt(dot(centre.data(), centre.data(), d));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < d; ++i)
      x(i, j) =
          std::isinf(size) ? Real(normal(engine)) : Real(centre[i] / length + Real(size) * normal(engine));
  return tokens_from(x, false).theta;
}

/// Random masses with sum 1 (to rounding), spread over two decades.
template <class Real> Vector<Real> random_masses(std::size_t n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-2, 0);
  Vector<Real> m(n);
  Real sum = 0;
  for (Real& x : m) sum += x = std::pow(10, uniform(engine));
  for (Real& x : m) x /= sum;
  return m;
}

/// <theta_i, theta_j> of the exactly normalised columns.
template <class Real> Matrix<Mpfr> exact_cosines(const Matrix<Real>& theta) {
  Matrix<Mpfr> x(theta.rows, theta.cols), c(theta.cols, theta.cols);
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] = static_cast<Mpfr>(theta.data[i]);
  for (std::size_t j = 0; j < x.cols; ++j) {
    const Mpfr norm = sqrt(dot(&x(0, j), &x(0, j), x.rows));
    for (std::size_t i = 0; i < x.rows; ++i) x(i, j) /= norm;
  }
  for (std::size_t i = 0; i < x.cols; ++i)
    for (std::size_t j = 0; j < x.cols; ++j) c(i, j) = dot(&x(0, i), &x(0, j), x.rows);
  return c;
}

template <class Real> Vector<Mpfr> exact(const Vector<Real>& v) {
  Vector<Mpfr> out;
  for (const Real& x : v) out.push_back(static_cast<Mpfr>(x));
  return out;
}

} // namespace attndyn::testing
