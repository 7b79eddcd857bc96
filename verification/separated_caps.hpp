/// Starts in caps around separated centres, for the claims on metastable clusters ([DMS] Thm 1.1).
#pragma once

#include "lib/real/dense.hpp"

#include <string>
#include <vector>

namespace attndyn::verification {

/// Caps around centres, with tokens on their rims, placed so that each centre is kept: a pair, or a regular
/// triangle.
struct Caps {
  Matrix<double> tokens;
  Matrix<double> centres;
  std::vector<std::size_t> cap; ///< of every token
  double angle;                 ///< between the two nearest centres
  double radius;                ///< of the caps, as an angle
  std::string name;
};

/// n = 4, d = 2; n = 3 + 3 + 2, d = 3, the third centre 2 radians further; n = 3 + 2, d = 3.
enum class Family { two_on_circle, three_on_sphere, two_on_sphere };

/// angle: between the two nearest centres. cap_gap: 1 - cosine of the rim, on which the tokens are.
Caps caps(Family, double angle, double cap_gap);

} // namespace attndyn::verification
