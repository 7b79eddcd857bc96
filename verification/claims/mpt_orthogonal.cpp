// [MPT]: from an orthonormal start all cosines are equal and follow the equiangular equation.
#include "analysis/overlap.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/proof/prove.hpp"
#include "verification/runs.hpp"
#include "verification/theory/predictions.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification::claims {

namespace {

/// All cosines of orthonormal tokens at t = 1 against g(1): particles by interval steps, g by quadrature.
void prove(const Context&, Findings& out, Certificate& certificate) {
  Prover prover(certificate, out);
  for (const auto& scheme : every_scheme())
    for (const auto& [n, beta] : {std::pair{3, "2"}, {4, "-1"}}) {
      EquiangularParams p;
      p.scheme = {.name = scheme, .tau = "1/2"};
      p.n = n;
      p.beta = beta;
      p.r0 = "3/2";
      Parameters arguments = text_of(p);
      arguments.emplace_back("t", "1");
      arguments.emplace_back("digits", "17");
      prover.vanishes("orthonormal_cosine_defect", std::move(arguments), 15);
    }
}

} // namespace

Claim mpt_orthogonal() {
  return {
      .id = "MPT-orthogonal",
      .source = "[MPT] sec. 6",
      .statement =
          "From an orthonormal start all pairwise cosines are equal at every time and follow the equiangular equation.",
      .hypotheses = "Post-LN, Q = K = V = I, SA, n = 2 .. 64, d = n and d > n, both signs of beta.",
      .prediction = "every 1 - <theta_i,theta_j> equals 1 - g(t) of the separable clock",
      .blind_to = "round-off that breaks the symmetry in the end: for beta < 0 times beyond 5.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            for (const auto& [n, d] :
                 {std::pair<std::size_t, std::size_t>{2, 2}, {3, 7}, {16, 16}, {64, 100}})
              for (const char* beta : {"-1", "0", "1", "3"}) {
                ParticleParams<double> p;
                p.beta = beta;
                const auto c = make_particles(context, p, orthogonal<double>({n, d}), "orthogonal");
                for (const auto& s : run(*c.model, c.particles->start(), {0.5, 1.5, 5}).samples) {
                  const auto theta = to_tokens(s.x, c.particles->shape()).theta;
                  const double g_gap = theory::post_cosine_gap(static_cast<int>(n), p.beta.approx(), s.t);
                  const std::string where = fmt::format("{}, t = {}", c.where, s.t);
                  const double bar = 4 * std::sqrt(g_gap) * 10 * default_tolerance + 1e-12 * g_gap;
                  out.equal("largest 1-cos against 1-g(t)", analysis::one_minus_min_cosine(theta), g_gap, bar,
                            where);
                  out.equal("mean 1-cos against 1-g(t)", analysis::one_minus_mean_cosine(theta), g_gap, bar,
                            where);
                }
              }
            out.note(fmt::format(
                "n = 2, 3, 16, 64, t = 0.5, 1.5, 5, tolerance {:g}; g(t) by quadrature of its clock, not by the solver",
                default_tolerance));
          },
      .proves =
          "seven schemes, n = 3 and 4: every cosine at t = 1 is within 1e-15 of the solution of the equiangular equation",
      .prove = prove};
}

} // namespace attndyn::verification::claims
