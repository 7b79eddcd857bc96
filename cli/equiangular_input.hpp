/// The options that name an equiangular system, for every subcommand that solves one.
#pragma once

#include "cli/options.hpp"
#include "lib/models/equiangular_flow.hpp"

#include <limits>

namespace attndyn::cli {

/// --scheme and its parameters, --attention, --n, --beta, --g0, --r0.
struct EquiangularInput {
  SchemeOptions scheme;
  std::string attention = "sa", n = "256", beta = "5", g0 = "0", r0 = "1";
  void add_to(CLI::App&);
  /// Every number within the range of Real. Throws BadInput, and std::invalid_argument with the rule of a
  /// combination.
  template <class Real> EquiangularParams resolve(TimeScale clock) const {
    EquiangularParams p{scheme.resolve<Real>(),
                        parse_attention(choice("attention", attention, {"sa", "usa"})),
                        static_cast<int>(whole("n", n, 2, std::numeric_limits<int>::max())),
                        number_in_range<Real>("beta", beta),
                        number_in_range<Real>("g0", g0),
                        number_in_range<Real>("r0", r0),
                        clock};
    if (const auto problem = problem_with(p); !problem.empty()) throw BadInput(problem);
    return p;
  }
};

} // namespace attndyn::cli
