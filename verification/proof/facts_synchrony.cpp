// Facts that refute almost-sure synchronisation as printed: [NAD] Thm 3.1 in d = 1, and nGPT with a step of
// finite integral.
#include "lib/models/particle_flow.hpp"
#include "verification/proof/arguments.hpp"
#include "verification/proof/kinds.hpp"

#include <stdexcept>

namespace attndyn::verification {
namespace {

struct Pair {
  RigorousProblem problem;
  RigorousSample at;
};

/// theta = e_1 and -e_1 in R^d, r = 1, at the time of the fact.
Pair opposite_pair(const Fact& f, std::size_t d = 1) {
  ParticleFlowParams flow;
  flow.scheme.name = argument(f, "scheme");
  flow.scheme.tau = argument(f, "tau");
  flow.beta = argument(f, "beta");
  flow.shape = {2, d};
  std::vector<Number> vectors(2 * d, 0);
  vectors[0] = 1;
  vectors[d] = -1;
  Pair out{rigorous_problem(flow, vectors), {}};
  RigorousOptions options;
  options.digits = 40;
  options.keep_steps = false;
  auto s = solve_rigorously(out.problem, {Number(argument(f, "t"))}, options);
  if (s.why != RigorousStop::reached) throw std::runtime_error(name_of(s.why) + (": " + s.detail));
  out.at = std::move(s.samples.front());
  return out;
}

} // namespace

Ball opposite_pair_gap(const Fact& f) {
  const Vector<Ball> x = opposite_pair(f).at.x;
  return Ball(1) - x[0] * x[1];
}

Ball antipodal_gap(const Fact& f) {
  const auto d = static_cast<std::size_t>(integer(f, "d", 1, 8));
  const Vector<Ball> x = opposite_pair(f, d).at.x;
  Ball cosine;
  for (std::size_t i = 0; i < d; ++i) cosine += x[i] * x[d + i];
  return Ball(1) - cosine;
}

Ball opposite_pair_growth(const Fact& f) {
  const Pair pair = opposite_pair(f);
  Vector<Ball> inputs = pair.at.x;
  inputs.push_back(pair.at.t);
  const Vector<Ball> dxdt = Replay<Ball>(pair.problem.pieces[pair.at.piece])(inputs);
  const Ball a = dxdt[2] * exp(pair.at.x[2]), b = dxdt[3] * exp(pair.at.x[3]);
  // min(a, b)
  return (a + b - abs(a - b)) / Ball(2);
}

Ball finite_clock_angle_left(const Fact& f) {
  const Ball decay = ball(f, "alpha_decay");
  if (!certainly_less(Ball(1), decay))
    throw std::invalid_argument("argument alpha_decay: must be > 1 for a finite int alpha");
  return ball(f, "angle") - Ball(2) * ball(f, "alpha") / (decay - Ball(1));
}

} // namespace attndyn::verification
