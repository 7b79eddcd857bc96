/// Rooted trees and the order conditions of Runge-Kutta methods, in any number type.
///
/// A method has order p exactly if  sum_i b_i phi_i(t) = 1 / gamma(t)  for every rooted tree t with up to p
/// vertices. E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I (2nd ed.),
/// section II.2, Theorem 2.13.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace attndyn::testing {

/// A rooted tree, given by the trees that hang from its root.
struct RootedTree {
  std::vector<std::size_t>
      branches;            ///< positions in the list that the tree is part of, ascending; all earlier
  int order = 1;           ///< number of vertices
  std::uint64_t gamma = 1; ///< density: order times the gammas of the branches
};

/// Every rooted tree of 1 to max_order vertices once, by ascending order: 1, 1, 2, 4, 9, 20, 48, 115, ...
/// trees of order 1, 2, 3, ... . max_order >= 1, and at most 20 so that gamma (at most 20!) fits.
inline std::vector<RootedTree> rooted_trees(int max_order) {
  std::vector<RootedTree> trees(1);
  // Extends the branches by every ascending choice of trees, from position `first` on, with `left` vertices.
  const auto extend = [&trees](const auto& self, RootedTree tree, std::size_t first, int left) -> void {
    if (left == 0) {
      tree.gamma *= static_cast<std::uint64_t>(tree.order);
      trees.push_back(tree);
      return;
    }
    for (std::size_t next = first; next < trees.size() && trees[next].order <= left; ++next) {
      RootedTree longer = tree;
      longer.branches.push_back(next);
      longer.gamma *= trees[next].gamma;
      self(self, longer, next, left - trees[next].order);
    }
  };
  for (int order = 2; order <= max_order; ++order) extend(extend, RootedTree{{}, order, 1}, 0, order - 1);
  return trees;
}

/// An explicit Runge-Kutta method: k_i = f(t + c_i h, x + h sum_{j<i} a_ij k_j), x_new = x + h sum_i b_i k_i.
template <class Real> struct Tableau {
  std::vector<std::vector<Real>> a; ///< row i has at least i entries; those from i on are not read
  std::vector<Real> b, c;           ///< one entry a stage
};

/// phi_i(t) for every tree t of the list and every stage i. A single vertex hanging from the root enters with
/// c_i, as for x' = f(t); where the row sums of a are the nodes that is the same as sum_j a_ij.
template <class Real>
std::vector<std::vector<Real>> elementary_weights(const std::vector<RootedTree>& trees,
                                                  const Tableau<Real>& method) {
  const std::size_t stages = method.c.size();
  std::vector<std::vector<Real>> phi,
      hanging; // phi of a tree, and of a root with this tree as its one branch
  for (const RootedTree& tree : trees) {
    std::vector<Real> own(stages, Real(1)), above(stages, Real(0));
    for (std::size_t i = 0; i < stages; ++i)
      for (std::size_t branch : tree.branches) own[i] *= hanging[branch][i];
    for (std::size_t i = 0; i < stages; ++i)
      for (std::size_t j = 0; j < i; ++j) above[i] += method.a[i][j] * own[j];
    hanging.push_back(tree.branches.empty() ? method.c : above);
    phi.push_back(own);
  }
  return phi;
}

namespace detail {

/// The larger of worst and |sum| / scale, where scale = 0 only if every term of the sum is 0. NaN if either
/// is.
template <class Real> Real larger(const Real& worst, const Real& sum, const Real& scale) {
  using std::abs;
  if (scale == 0) return worst;
  const Real defect = abs(sum) / scale;
  return worst != worst || defect <= worst ? worst : defect;
}

} // namespace detail

/// The largest |sum_i weights_i phi_i(t) - target(t)| over the trees of the list, each divided by the same
/// sum with absolute values throughout: what rounding can do to it is a few epsilons. weight_scale_i >=
/// |weights_i| is the size of the terms that weights_i was summed from. target: RootedTree -> Real.
template <class Real, class Target>
Real worst_defect(const std::vector<RootedTree>& trees, const Tableau<Real>& method,
                  const std::vector<Real>& weights, const std::vector<Real>& weight_scale,
                  const Target& target) {
  using std::abs;
  Tableau<Real> absolute = method;
  for (auto& row : absolute.a)
    for (Real& x : row) x = abs(x);
  for (Real& x : absolute.c) x = abs(x);
  const auto phi = elementary_weights(trees, method), phi_scale = elementary_weights(trees, absolute);
  Real worst(0);
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Real wanted = target(trees[t]);
    Real sum = -wanted, scale = abs(wanted);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      sum += weights[i] * phi[t][i];
      scale += weight_scale[i] * phi_scale[t][i];
    }
    worst = detail::larger(worst, sum, scale);
  }
  return worst;
}

/// As above, for weights that are not sums themselves.
template <class Real, class Target>
Real worst_defect(const std::vector<RootedTree>& trees, const Tableau<Real>& method,
                  const std::vector<Real>& weights, const Target& target) {
  using std::abs;
  std::vector<Real> weight_scale = weights;
  for (Real& x : weight_scale) x = abs(x);
  return worst_defect(trees, method, weights, weight_scale, target);
}

/// The largest |sum_j a_ij - c_i| over the stages, each divided by sum_j |a_ij| + |c_i|.
template <class Real> Real worst_row_sum(const Tableau<Real>& method) {
  using std::abs;
  Real worst(0);
  for (std::size_t i = 1; i < method.c.size(); ++i) {
    Real sum = -method.c[i], scale = abs(method.c[i]);
    for (std::size_t j = 0; j < i; ++j) {
      sum += method.a[i][j];
      scale += abs(method.a[i][j]);
    }
    worst = detail::larger(worst, sum, scale);
  }
  return worst;
}

} // namespace attndyn::testing
