#include "analysis/clusters.hpp"

#include "analysis/gaps.hpp"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

namespace attndyn::analysis {
namespace {

class UnionFind {
public:
  explicit UnionFind(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }

  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The smaller index becomes the root, so that a root is the first token of its cluster.
  void join(std::size_t i, std::size_t j) {
    i = root(i);
    j = root(j);
    if (i < j)
      parent_[j] = i;
    else
      parent_[i] = j;
  }

private:
  std::vector<std::size_t> parent_;
};

} // namespace

template <class Real>
Clusters<Real> clusters(const Matrix<Real>& theta, const Real& cosine, const Vector<Real>& masses) {
  if (!(cosine >= -1 && cosine <= 1))
    throw std::invalid_argument(fmt::format("cosine = {}: must lie in [-1, 1]", brief(cosine)));
  const GapRows<Real> pairs(theta);
  const std::size_t n = pairs.tokens();
  require_masses(masses, n);
  const Real limit = 1 - cosine;
  UnionFind sets(n);
  Vector<Real> gaps(n);
  for (std::size_t i = 0; i < n; ++i) {
    pairs.row(i, i + 1, gaps);
    for (std::size_t j = i + 1; j < n; ++j)
      if (gaps[j] <= limit) sets.join(i, j);
  }

  Clusters<Real> out;
  out.label.resize(n);
  const Real equal = Real(1) / static_cast<int>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t first = sets.root(i);
    if (first == i) {
      out.label[i] = out.count();
      out.size.push_back(0);
      out.mass.push_back(Real(0));
    } else {
      out.label[i] = out.label[first];
    }
    ++out.size[out.label[i]];
    out.mass[out.label[i]] += masses.empty() ? equal : masses[i];
  }
  return out;
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template Clusters<Real> clusters(const Matrix<Real>&, const Real&, const Vector<Real>&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn::analysis
