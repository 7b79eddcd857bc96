/// The equiangular reduction as a problem of the rigorous integrator.
#pragma once

#include "lib/integrators/rigorous.hpp"
#include "lib/models/equiangular_flow.hpp"

namespace attndyn {

/// Unknowns log(1-g), log r from t = 0. Throws std::invalid_argument with problem_with's line.
RigorousProblem rigorous_problem(const EquiangularParams&);

} // namespace attndyn
