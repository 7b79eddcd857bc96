/// Almost-sure statements by counting trials: exact intervals, a stated power, two refinements.
#pragma once

#include "verification/trials.hpp"

#include <string>
#include <vector>

namespace attndyn::verification {

/// The smallest probability of failure that would have shown at least once with probability 0.99.
double seen_with_99_percent(std::uint64_t trials);

/// What is claimed of every trial: that it ends in one of these ways, almost surely.
struct AlmostSure {
  std::string claim; ///< id, for witnesses
  std::vector<Experiment> experiments;
  std::uint64_t trials; ///< of each experiment, before they are doubled
  std::vector<End> allowed = {End::synchronised};
  Patience patience = {};
};
/// For each experiment and for all together: no trial may end otherwise (one is a margin of -1, six of them
/// are a refutation). Refined twice: as many trials again, and a part of the first ones at a tolerance 100
/// times tighter. Notes tally, interval and power. Throws std::runtime_error if trials remain undecided: then
/// nothing is decided.
Tally almost_surely(const Context&, Findings&, const AlmostSure&);

/// The share of trials that are not yet synchronised, against time.
Curve survival(const Tally&, std::string title);

} // namespace attndyn::verification
