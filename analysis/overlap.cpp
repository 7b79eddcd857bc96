#include "analysis/overlap.hpp"

#include "analysis/gaps.hpp"

#include <algorithm>
#include <cstdint>

namespace attndyn::analysis {
namespace {

/// sum_i m_i |theta_i - mean|^2. The tokens are first taken relative to the heaviest one: that difference is
/// exact for tokens near it, and the heaviest token is never far from the rest on the scale of the result.
template <class Real> Real spread(const Matrix<Real>& theta, const Vector<Real>& masses) {
  require_tokens(theta);
  const std::size_t n = theta.cols, d = theta.rows;
  require_masses(masses, n);
  const std::size_t heaviest =
      masses.empty()
          ? 0
          : static_cast<std::size_t>(std::max_element(masses.begin(), masses.end()) - masses.begin());
  const Real equal = Real(1) / static_cast<int>(n);
  const auto mass = [&](std::size_t j) -> const Real& { return masses.empty() ? equal : masses[j]; };

  Vector<Real> offset(n * d), mean(d, Real(0));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < d; ++k) {
      offset[j * d + k] = theta(k, j) - theta(k, heaviest);
      mean[k] += mass(j) * offset[j * d + k];
    }
  Real total = 0;
  for (std::size_t j = 0; j < n; ++j) {
    Real square = 0;
    for (std::size_t k = 0; k < d; ++k) {
      const Real from_mean = offset[j * d + k] - mean[k];
      square += from_mean * from_mean;
    }
    total += mass(j) * square;
  }
  return total;
}

} // namespace

template <class Real> Real one_minus_mean_cosine(const Matrix<Real>& theta) {
  // sum_{i<j} |theta_i - theta_j|^2 = n sum_i |theta_i - mean|^2
  const Real mean_square = spread(theta, Vector<Real>{});
  const int n = static_cast<int>(theta.cols);
  return n == 1 ? Real(0) : Real(mean_square * n / (n - 1));
}

template <class Real> Real one_minus_min_cosine(const Matrix<Real>& theta) {
  const GapRows<Real> pairs(theta);
  Vector<Real> gaps(pairs.tokens());
  Real worst = 0;
  for (std::size_t i = 0; i < pairs.tokens(); ++i) {
    pairs.row(i, i + 1, gaps);
    for (std::size_t j = i + 1; j < pairs.tokens(); ++j) {
      if (gaps[j] > worst)
        worst = gaps[j];
      else if (gaps[j] != gaps[j])
        return gaps[j]; // NaN
    }
  }
  return worst;
}

template <class Real> Real mean_cosine(const Matrix<Real>& theta) { return 1 - one_minus_mean_cosine(theta); }
template <class Real> Real min_cosine(const Matrix<Real>& theta) { return 1 - one_minus_min_cosine(theta); }

template <class Real> Real variance(const Matrix<Real>& theta, const Vector<Real>& masses) {
  return spread(theta, masses);
}

template <class Real> double share_of_close_pairs(const Matrix<Real>& theta, const Real& cosine) {
  const GapRows<Real> pairs(theta);
  const std::size_t n = pairs.tokens();
  if (n == 1) return 1;
  const Real limit = 1 - cosine;
  Vector<Real> gaps(n);
  std::uint64_t close = 0;
  for (std::size_t i = 0; i < n; ++i) {
    pairs.row(i, i + 1, gaps);
    for (std::size_t j = i + 1; j < n; ++j) close += gaps[j] <= limit ? 1 : 0;
  }
  return static_cast<double>(close) / (static_cast<double>(n) * static_cast<double>(n - 1) / 2);
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template Real one_minus_mean_cosine(const Matrix<Real>&);                                                  \
  template Real one_minus_min_cosine(const Matrix<Real>&);                                                   \
  template Real mean_cosine(const Matrix<Real>&);                                                            \
  template Real min_cosine(const Matrix<Real>&);                                                             \
  template Real variance(const Matrix<Real>&, const Vector<Real>&);                                          \
  template double share_of_close_pairs(const Matrix<Real>&, const Real&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn::analysis
