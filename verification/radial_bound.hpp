/// How small <theta_j, A_j> gets over all configurations with n <= e^beta (SA, equal masses): the bound that
/// the corollary of [NAD] Thm 3.1 prints, and the least value itself. The numbers come from the models:
/// dr_j/dt of Pre-LN is <theta_j, A_j>, that of Peri-LN is at least as large.
#pragma once

#include "verification/search.hpp"

namespace attndyn::verification {

/// <theta_j, A_j> >= (e^beta - (n-1))/(n e^beta) >= 1/(n e^beta) at configurations that are bad for it and at
/// random ones, n = 2 .. 100, beta from log n.
void compare_radial_bound(const Context&, Findings&);

/// The least value by minimisation against theory::least_radial_part, asked of the context as "least radial
/// part"; no other configuration is below it; and it is above the printed bound.
void compare_sharp_radial_bound(const Context&, Findings&);

/// The least value in Float128: the field minimised, and Lambert's function.
void sharp_radial_bound_by_two_methods(const Context&, Findings&);

/// The hunt for a configuration that breaks the printed bound.
Search search_radial_bound(const Context&);

} // namespace attndyn::verification
