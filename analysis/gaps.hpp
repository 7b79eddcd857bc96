/// The chord gaps 1 - <theta_i, theta_j> of all pairs of tokens, a row at a time: what every observable of
/// pairs is made of. The numbers are those of chord_gap, bit for bit, but the loop runs over tokens, not
/// coordinates, so that it vectorises without changing the order of any sum.
#pragma once

#include "lib/real/dense.hpp"

#include <stdexcept>
#include <string>

namespace attndyn::analysis {

/// Throws std::invalid_argument unless there is at least one token, of dimension >= 1.
template <class Real> void require_tokens(const Matrix<Real>& theta) {
  if (theta.empty())
    throw std::invalid_argument("theta: there must be at least one token, of dimension >= 1");
}

/// Throws std::invalid_argument unless masses is empty (it then stands for 1/n each) or has n entries.
template <class Real> void require_masses(const Vector<Real>& masses, std::size_t n) {
  if (!masses.empty() && masses.size() != n)
    throw std::invalid_argument("masses: there are " + std::to_string(masses.size()) + ", but " +
                                std::to_string(n) + " tokens");
}

template <class Real> class GapRows {
public:
  /// theta: d x n. Throws std::invalid_argument if it is empty.
  explicit GapRows(const Matrix<Real>& theta) : n_(theta.cols), d_(theta.rows), by_coordinate_(n_ * d_) {
    require_tokens(theta);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t k = 0; k < d_; ++k) by_coordinate_[k * n_ + j] = theta(k, j);
  }

  std::size_t tokens() const { return n_; }

  /// gaps[j] = |theta_i - theta_j|^2 / 2 for first <= j < n; gaps has n entries, those before first are kept.
  void row(std::size_t i, std::size_t first, Vector<Real>& gaps) const {
    Real* out = gaps.data();
    for (std::size_t j = first; j < n_; ++j) out[j] = 0;
    for (std::size_t k = 0; k < d_; ++k) {
      const Real* x = by_coordinate_.data() + k * n_;
      const Real mine = x[i];
      for (std::size_t j = first; j < n_; ++j) out[j] += (mine - x[j]) * (mine - x[j]);
    }
    for (std::size_t j = first; j < n_; ++j) out[j] /= 2;
  }

private:
  std::size_t n_, d_;
  Vector<Real> by_coordinate_; // n values of the first coordinate, then of the second, ...
};

} // namespace attndyn::analysis
