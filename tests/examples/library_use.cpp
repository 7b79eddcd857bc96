#include "analysis/overlap.hpp"
#include "lib/initial.hpp"
#include "lib/models/particles.hpp"
#include "lib/solve.hpp"

#include <fmt/format.h>

using namespace attndyn;

int main() {
  ParticleParams<double> params;
  params.scheme.name = "peri";
  params.beta = "2.5";
  const Particles<double> model(params, uniform_on_sphere<double>({.n = 32, .d = 8}, /*seed=*/1));

  Options<double> options;
  options.tolerance = 1e-10;
  const auto solution = solve<double>(model, model.start(), 0.0, {1, 2, 5, 10}, options);
  for (const auto& sample : solution.samples) {
    const auto tokens = to_tokens(sample.x, model.shape());
    fmt::print("t = {:4}  1 - min cosine = {:.10e}  r_1 = {:.10f}\n", sample.t,
               analysis::one_minus_min_cosine(tokens.theta), tokens.r[0]);
  }
  fmt::print("{} (error at most {:.1e})\n", sentence_for(solution.why), solution.error_estimate.value_or(1));
  return solution.ended_as_asked() ? 0 : 1;
}
