/// Enclosures of the equiangular solution at given times, by the route that suits the parameters.
#pragma once

#include "lib/models/separable.hpp"

#include <functional>
#include <string>
#include <vector>

namespace attndyn {

struct Enclosed {
  std::vector<SeparableState> states; ///< at the times, in order; fewer if it ended early
  std::string route;                  ///< in words
  std::string problem;                ///< why it ended early; empty if it did not
};

/// log(1-g) to 10^-digits max(1, |log(1-g)|) and r to 10^-digits relative, at strictly increasing times >= 0
/// in the unit of params.clock. The separable solution where its integrals are cheap (Post-LN and
/// sqrt-scaling always; the others for moderate |beta| and n), else interval Taylor steps. max_seconds:
/// looked at between times and steps, 0 for no limit. progress is told the time that is being enclosed.
/// Throws std::invalid_argument naming value and rule.
Enclosed enclose_equiangular(const EquiangularParams& params, const std::vector<Number>& times, int digits,
                             double max_seconds, const std::function<void(const std::string&)>& progress);

} // namespace attndyn
