#include "verification/separated_caps.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification {

Caps caps(Family family, double angle, double cap_gap) {
  Caps c;
  c.angle = angle;
  c.radius = std::acos(1 - cap_gap);
  const bool circle = family == Family::two_on_circle, third = family == Family::three_on_sphere;
  const std::size_t d = circle ? 2 : 3;
  const std::vector<double> at =
      third ? std::vector<double>{0, angle, angle + 2} : std::vector<double>{0, angle};
  const std::vector<int> sizes = third    ? std::vector<int>{3, 3, 2}
                                 : circle ? std::vector<int>{2, 2}
                                          : std::vector<int>{3, 2};
  c.centres = Matrix<double>(d, at.size());
  std::size_t n = 0;
  for (int size : sizes) n += static_cast<std::size_t>(size);
  c.tokens = Matrix<double>(d, n);
  std::size_t j = 0;
  for (std::size_t q = 0; q < at.size(); ++q) {
    // Basis of the tangent plane: along the circle of the centres, and across.
    const double co = std::cos(at[q]), si = std::sin(at[q]);
    c.centres(0, q) = co;
    c.centres(1, q) = si;
    for (int k = 0; k < sizes[q]; ++k, ++j) {
      const double turn = 2 * M_PI * k / sizes[q], x = std::cos(turn), y = circle ? 0 : std::sin(turn);
      c.tokens(0, j) = co * std::cos(c.radius) - si * std::sin(c.radius) * x;
      c.tokens(1, j) = si * std::cos(c.radius) + co * std::sin(c.radius) * x;
      if (!circle) c.tokens(2, j) = std::sin(c.radius) * y;
      c.cap.push_back(q);
    }
  }
  c.name = fmt::format("{} tokens in {} caps, d = {}, 1 - cosine <= {:.4g} from centres at angle {:.4g}", n,
                       at.size(), d, cap_gap, angle);
  return c;
}

} // namespace attndyn::verification
