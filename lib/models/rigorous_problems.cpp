#include "lib/models/rigorous_problems.hpp"

#include <cmath>

namespace attndyn {

RigorousProblem rigorous_problem(const EquiangularParams& p) {
  RigorousProblem out;
  const Vector<double> near = {p.g0.log_one_minus<double>(), std::log(p.r0.approx())};
  // Throws for wrong parameters before anything is recorded.
  const std::size_t pieces = EquiangularFlow<double>(p).schedule().pieces.size();
  for (std::size_t i = 0; i < pieces; ++i) out.pieces.push_back(record_equiangular(p, i, near, 0));
  if (pieces == 2) out.switches = {p.scheme.tau};
  out.start = [g0 = p.g0, r0 = p.r0] {
    return Vector<Ball>{log(Ball(1) - g0.as<Ball>()), log(r0.as<Ball>())};
  };
  return out;
}

} // namespace attndyn
