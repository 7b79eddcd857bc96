/// n tokens x_j = r_j theta_j of R^d, and where they stand in a flat state vector.
#pragma once

#include "lib/real/dense.hpp"

#include <string>

namespace attndyn {

struct Shape {
  std::size_t n = 0; ///< tokens, >= 1
  std::size_t d = 0; ///< dimension, >= 1
  bool operator==(const Shape&) const = default;
};

/// A state is theta (d x n, column-major) followed by log r (n).
inline std::size_t state_size(Shape s) { return s.n * s.d + s.n; }

template <class Real> struct Tokens {
  Matrix<Real> theta; ///< d x n, unit columns
  Vector<Real> r;     ///< n, > 0
  Shape shape() const { return {theta.cols, theta.rows}; }
};

/// Tokens from vectors of any non-zero length: directions normalised, r_j = |x_j| if radii_from_length,
/// else 1. Throws std::invalid_argument: "token 3: is zero and has no direction", "... is not finite".
template <class Real> Tokens<Real> tokens_from(const Matrix<Real>& vectors, bool radii_from_length);

template <class Real> Vector<Real> to_state(const Tokens<Real>&);
template <class Real> Tokens<Real> to_tokens(const Vector<Real>& state, Shape shape);

/// Scales every column of the theta part to unit length; returns the largest | |theta_j| - 1 | found.
template <class Real> double normalise_directions(Vector<Real>& state, Shape shape);

/// |theta_i - theta_j|^2 / 2 = 1 - <theta_i, theta_j>, with the digits that the difference has.
template <class Real> Real chord_gap(const Real* a, const Real* b, std::size_t d) {
  Real sum = 0;
  for (std::size_t i = 0; i < d; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum / 2;
}

} // namespace attndyn
