/// The hunt through the hypotheses of an almost-sure statement: random starts of any size, and starts next to
/// equilibria that attract nothing, one trial a point.
#pragma once

#include "verification/search.hpp"
#include "verification/trials.hpp"

#include <functional>

namespace attndyn::verification {

struct TrialDomain {
  std::vector<SchemeParams> schemes;
  std::vector<Attention> attentions = {Attention::softmax};
  std::size_t least_d = 2;
  double least_beta = 0.01, most_beta = 2; ///< above, groups may outlive the run
  std::vector<End> allowed = {End::synchronised};
  bool d_at_least_n = false; ///< d is raised to n + 1 where it is less
};

/// Axes: scheme, attention, start (uniform, near the simplex, near two antipodal groups, near the
/// cross-polytope), n, d, beta, distance from that equilibrium, and the radius of all tokens. A trial that
/// ends otherwise is a margin of -1: against the claim, but no refutation by itself, as one start is no set
/// of starts. A trial that is undecided throws.
Search search_trials(const TrialDomain&);

/// m tokens at e_1 and m at -e_1; and e_1, -e_1, e_2, -e_2, ...: equilibria for every beta.
Matrix<double> antipodal_groups(std::size_t m, std::size_t d);
Matrix<double> cross_polytope(std::size_t d);

} // namespace attndyn::verification
