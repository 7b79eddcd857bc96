/// Identities of rational functions, proved by exact arithmetic on enough points.
#pragma once

#include <string>

namespace attndyn::verification {

/// At the orthogonal start with E = e^beta, m = E + k and n - 1 = m^2 - E^2, so that |A| = m/(E+n-1), the
/// velocity (2/s) w_off and the one printed in [NAD] Thm 4.1 are rational functions of (E, k, r0, alpha).
/// Their difference, cleared of denominators, has degree at most 8 in each variable, so it vanishes if it
/// does on a grid of 9 values of each: these are tried in exact rationals, with the scheme's own code. True
/// if all agree. Throws std::invalid_argument for a scheme that is not in the theorem.
bool initial_velocity_identity(const std::string& scheme);

} // namespace attndyn::verification
