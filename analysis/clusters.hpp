/// Clusters of tokens: the connected components of the graph that joins two tokens when their cosine reaches
/// a threshold. [DMS], [EMC]: how the number of clusters is counted.
#pragma once

#include "lib/real/dense.hpp"

namespace attndyn::analysis {

template <class Real> struct Clusters {
  std::vector<std::size_t> label; ///< n entries; clusters count from 0 in the order of their first tokens
  std::vector<std::size_t> size;  ///< tokens of each cluster
  Vector<Real> mass;              ///< sum of the masses of each cluster
  std::size_t count() const { return size.size(); }
};

/// Tokens i, j are joined when the chord gap 1 - <theta_i, theta_j> <= 1 - cosine; chains count as one
/// cluster. O(n^2 d). theta: d x n unit columns; masses: n values with sum 1, or empty for 1/n each (a token
/// without mass is still a token); cosine in [-1, 1]; else std::invalid_argument.
template <class Real>
Clusters<Real> clusters(const Matrix<Real>& theta, const Real& cosine, const Vector<Real>& masses = {});

} // namespace attndyn::analysis
