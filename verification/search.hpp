/// The hunt for a counterexample: a claim states its hypotheses as a box of parameters with corners, and the
/// search looks for the point with the worst margin. Corners and degenerate starts come first, then a
/// low-discrepancy sequence, then local optimisation from the worst point (NLopt). A seed fixes all of it.
#pragma once

#include "verification/claim.hpp"

namespace attndyn::verification {

/// One parameter of the domain.
struct Axis {
  enum class Scale {
    linear,
    log,   ///< 0 < low
    whole, ///< integers from low to high, spread evenly
    whole_log,
    choice ///< 0 .. names.size()-1; low and high are not used
  };
  std::string name;
  double low = 0, high = 1;
  Scale scale = Scale::linear;
  std::vector<std::string> names = {}; ///< of a choice: schemes, starts
};

struct Search {
  std::vector<Axis> axes;
  /// Points in the order of the axes, in their own units: what breaks statements first.
  std::vector<std::vector<double>> corners;
  /// Compares at a point, in the axes' own units (integers exact). Throws NotApplicable where the hypotheses
  /// do not hold; any other exception means that the point stays undecided.
  std::function<void(const Context&, const std::vector<double>& point, Findings&)> at;
};

/// The point lies outside the hypotheses.
struct NotApplicable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// "n = 3, beta = 0.1, scheme = peri".
std::string describe_point(const Search&, const std::vector<double>& point);

/// Spends context.search evaluations and adds to the findings: every comparison, a line on what was tried,
/// and the worst case (Evidence::hunted).
void hunt(const Claim&, const Context&, Findings&);

} // namespace attndyn::verification
