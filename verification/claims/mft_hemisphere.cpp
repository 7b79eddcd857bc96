// [MFT] Thm 3 and Cor. 4: a start in an open hemisphere collapses to one point, exponentially fast.
#include "analysis/clusters.hpp"
#include "analysis/overlap.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification::claims {

Claim mft_hemisphere() {
  return {
      .id = "MFT-hemisphere",
      .source = "[MFT] Thm 3, Cor. 4",
      .statement =
          "Tokens that start in an open hemisphere converge to one point exponentially fast, for beta > 0, d >= 2, SA "
          "and USA.",
      .hypotheses =
          "Post-LN, Q = K = V = I; uniform starts conditioned on a hemisphere, and two tight groups nearly opposite.",
      .prediction =
          "one cluster in the end; the late rate of (1 - min cosine) is 2 (SA), 2 e^beta (USA), so positive",
      .blind_to =
          "beta above 4, where the time to collapse grows like e^{c beta} and no run of this length sees it.",
      .expected = Verdict::holds,
      .check = [](const Context& context, Findings& out) {
        const int seeds = context.quick ? 2 : 10;
        for (const auto attention : {Attention::softmax, Attention::unnormalised})
          for (const auto& [n, d] :
               {std::pair<std::size_t, std::size_t>{2, 2}, {3, 2}, {8, 3}, {33, 5}, {16, 40}})
            for (const char* beta : {"0.1", "1", "4"})
              for (int k = 0; k < seeds; ++k) {
                ParticleParams<double> p;
                p.attention = attention;
                p.beta = beta;
                auto start = in_hemisphere<double>({n, d}, context.seed + static_cast<std::uint64_t>(k));
                const auto c = make_particles(
                    context, p, start,
                    fmt::format("hemisphere, seed {}", context.seed + static_cast<std::uint64_t>(k)));
                // Until the farthest pair is at 1e-8, then four more decay times.
                const double rate = attention == Attention::softmax ? 2 : 2 * std::exp(p.beta.approx());
                const Shape shape = c.particles->shape();
                const auto gap = [shape](const Vector<double>& x) {
                  return analysis::one_minus_min_cosine(to_tokens(x, shape).theta);
                };
                Options<double> options;
                options.tolerance = default_tolerance;
                options.events = {
                    {"gap", [&](const Vector<double>& x, const double&) { return std::log(gap(x) / 1e-8); },
                     Event<double>::Direction::falling, true}};
                auto first = solve<double>(*c.model, c.particles->start(), 0, {1e4}, options);
                if (first.why != Stop::event) {
                  out.at_least("the farthest pair reaches 1e-8 before t = 1e4: log10 of the gap left", -8,
                               std::log10(gap(first.x)), 0.1, c.where);
                  continue;
                }
                const auto late = run(*c.model, first.x, {1 / rate, 4 / rate});
                const double a = gap(late.samples[0].x), b = gap(late.samples[1].x);
                out.equal("late rate over its prediction", std::log(a / b) / 3, 1, 1e-4, c.where);
                out.equal(
                    "clusters at cosine 1 - 1e-7",
                    static_cast<double>(
                        analysis::clusters(to_tokens(late.samples[1].x, shape).theta, 1 - 1e-7).size.size()),
                    1, 0.5, c.where);
              }
        out.note(fmt::format(
            "{} seeds from {}, n = 2 .. 33, d = 2 .. 40, beta = 0.1, 1, 4, SA and USA, tolerance {:g}", seeds,
            context.seed, default_tolerance));
      }};
}

} // namespace attndyn::verification::claims
