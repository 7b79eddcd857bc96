// [MFT] Cor. 4: with d >= n a uniform start lies in an open hemisphere, and collapses exponentially fast.
#include "analysis/hemisphere.hpp"
#include "analysis/overlap.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/almost_surely.hpp"
#include "verification/trial_search.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification::claims {
namespace {

std::vector<Experiment> experiments(const Context& context) {
  std::vector<Experiment> list;
  for (const auto attention : {Attention::softmax, Attention::unnormalised})
    for (const char* beta : {"0.1", "1", "4"})
      for (const Shape shape : {Shape{1, 1}, {2, 2}, {3, 3}, {8, 8}, {8, 20}, {24, 40}}) {
        ParticleParams<double> p;
        p.attention = attention;
        p.beta = beta;
        list.push_back(uniform_trials(context, p, shape));
      }
  return list;
}

/// Every start is in an open hemisphere: for almost every one the tokens are linearly independent.
void in_a_hemisphere(const Context& context, Findings& out) {
  const std::uint64_t trials = context.quick ? 200 : 2000;
  for (const Shape shape : {Shape{1, 1}, {2, 2}, {3, 3}, {8, 8}, {16, 16}, {8, 20}}) {
    double least = 1;
    std::uint64_t worst = 0;
    for (std::uint64_t unit = 0; unit < trials; ++unit) {
      const auto h = analysis::hemisphere(uniform_on_sphere<double>(shape, context.seed, unit).theta);
      if (h.margin < least) {
        least = h.margin;
        worst = unit;
      }
    }
    out.at_least(
        "the least cosine to the pole of a hemisphere", least, 0, 1e-12,
        fmt::format("n = {}, d = {}, seed {}, unit {} of {}", shape.n, shape.d, context.seed, worst, trials),
        false);
  }
}

/// The rate of 1 - min cosine near the end: 2 (SA), 2 e^beta (USA), all modes alike.
void late_rates(const Context& context, Findings& out) {
  for (const Experiment& e : experiments(context)) {
    if (e.shape.n == 1) continue;
    const bool softmax = e.params.attention == Attention::softmax;
    const double rate = softmax ? 2 : 2 * std::exp(e.params.beta.approx());
    const double predicted = context.constant(softmax ? "late rate of SA" : "late rate of USA", 1);
    for (std::uint64_t unit = 0; unit < (context.quick ? 1 : 3); ++unit) {
      const auto c = make_particles(context, e.params, e.start(unit),
                                    fmt::format("uniform, seed {}, unit {}", context.seed, unit));
      const Shape shape = c.particles->shape();
      const auto gap = [shape](const Vector<double>& x) {
        return analysis::one_minus_min_cosine(to_tokens(x, shape).theta);
      };
      Options<double> options;
      options.tolerance = default_tolerance;
      options.control_global_error = false;
      options.max_steps = 100'000;
      options.observer = [&](int, const double&, const Vector<double>& x) {
        return gap(x) < 1e-7 ? Flow::stop : Flow::go;
      };
      const auto first = solve<double>(*c.model, c.particles->start(), 0, {2e4}, options);
      if (first.why != Stop::observer) {
        out.at_least("the farthest pair reaches 1e-7 before t = 2e4: log10 of the gap left", -7,
                     std::log10(gap(first.x)), 0.1, c.where);
        continue;
      }
      const std::vector<double> times{1 / rate, 3 / rate};
      const auto late = run(*c.model, first.x, times);
      const double a = gap(late.samples[0].x), b = gap(late.samples[1].x);
      // A chord of length c known to e gives log of its square to 2 e/c; the law itself is good to O(gap).
      const double bar = 4 * late.error / std::sqrt(2 * b) + 20 * (1 + e.params.beta.approx()) * a;
      out.equal("late rate of 1 - min cosine over 2 (SA) or 2 e^beta (USA)", std::log(a / b) / 2, predicted,
                bar, c.where);
    }
  }
}

Search search_of(const Context&) {
  return search_trials({.schemes = {{.name = "post"}},
                        .attentions = {Attention::softmax, Attention::unnormalised},
                        .least_d = 1,
                        .most_beta = 3,
                        .d_at_least_n = true});
}

} // namespace

Claim mft_d_ge_n() {
  return {
      .id = "MFT-d-ge-n",
      .source = "[MFT] Cor. 4",
      .statement =
          "A uniform start with d >= n, beta > 0, SA or USA: almost surely exponential convergence to one point.",
      .hypotheses = "Post-LN, Q = K = V = I; n = 1 .. 24, d = n .. 40, beta = 0.1, 1, 4.",
      .prediction =
          "every start is in an open hemisphere and ends with 1 - min cosine < 1e-6; the late rate of 1 - min "
          "cosine is 2 (SA), 2 e^beta (USA)",
      .blind_to = "sets of starts of a probability below what the number of trials shows; beta above 4.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            in_a_hemisphere(context, out);
            late_rates(context, out);
            const Tally tally = almost_surely(
                context, out, {"MFT-d-ge-n", experiments(context), context.quick ? 8ull : 100ull});
            out.draw(survival(tally, "one point from uniform starts with d >= n"));
          },
      .fixes = {{"late rate of SA", Fixed::Kind::constant, "2"},
                {"late rate of USA", Fixed::Kind::constant, "2 e^beta"}},
      .search = search_of};
}

} // namespace attndyn::verification::claims
