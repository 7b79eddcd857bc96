// [NAD] Thm 3.1, schemes with a radius: synchronisation, or a radius that stops to grow. False in d = 1.
#include "analysis/fit.hpp"
#include "verification/all_claims.hpp"
#include "verification/almost_surely.hpp"
#include "verification/opposite_pair.hpp"
#include "verification/proof/prove.hpp"
#include "verification/trial_search.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attndyn::verification::claims {
namespace {

const std::vector<SchemeParams>& schemes() {
  static const std::vector<SchemeParams> list{{.name = "pre"}, {.name = "mix"}, {.name = "peri"}};
  return list;
}

/// d = 1: m tokens at one point, n - m at the other. The rate of a radius has the sign of m e^{2 beta} -
/// (n-m) for the m tokens, so one reaches zero if the smaller group has m < n/(1+e^{2 beta}).
double share_of_zero_radii(int n, double beta) {
  double sum = 0;
  for (int m = 1; m < n; ++m)
    if (std::min(m, n - m) * std::exp(2 * beta) < std::max(m, n - m))
      sum += boost::math::pdf(boost::math::binomial(n, 0.5), m);
  return sum;
}

/// How the trials in d = 1 end: together, with a zero radius, or with neither alternative of the theorem.
void ends_on_the_sphere_of_two_points(const Context& context, Findings& out) {
  const std::uint64_t half = context.quick ? 100 : 1000;
  const Patience patience{.clock = 20}; // nothing moves, and radii that shrink are gone long before e^20
  Curve curve{"d = 1, Pre-LN, beta = 0.1: share of starts in which a radius reaches zero",
              "n",
              "probability",
              false,
              false,
              {}};
  for (const auto& scheme : schemes())
    for (const auto& [n, beta] : {std::pair<std::size_t, const char*>{2, "1"}, {4, "0.1"}, {8, "0.1"}}) {
      ParticleParams<double> p;
      p.scheme = scheme;
      p.beta = beta;
      const auto e = gaussian_trials(context, p, {n, 1});
      const Tally first = run_trials(context, e, 0, half, patience);
      Tally tally = first;
      tally += run_trials(context, e, half, half, patience);
      const double share = tally.share(End::radius_zero);
      const auto interval = analysis::clopper_pearson(tally.of(End::radius_zero), tally.size(), 0.999);
      const double bar = (interval.high - interval.low) / 2,
                   expected = share_of_zero_radii(static_cast<int>(n), p.beta.approx());
      const std::string where = fmt::format("{}, d = 1, n = {}, beta = {}, seed {}: {}", scheme.name, n, beta,
                                            context.seed, tally.words());
      out.equal("d = 1: share in which a radius reaches zero against its binomial sum", share, expected, bar,
                where);
      out.refined(fmt::format("share in which a radius reaches zero, from {} to {} trials", first.size(),
                              tally.size()),
                  share - first.share(End::radius_zero), 2 * bar, where);
      out.note("neither alternative in d = 1: " + where);
      if (scheme.name == "pre" && p.beta.text() == "0.1")
        curve.points.push_back({static_cast<double>(n), share, bar, expected});
    }
  out.draw(std::move(curve));
}

std::vector<Experiment> experiments(const Context& context) {
  std::vector<Experiment> list;
  for (const SchemeParams& scheme : {SchemeParams{.name = "pre"}, SchemeParams{.name = "mix"},
                                     SchemeParams{.name = "mix", .tau = 0}, SchemeParams{.name = "peri"}})
    // n - 1 > e^{2 beta}, so that radii may shrink, at (8, 0.1) and (24, 1).
    for (const auto& [n, d, beta] : {std::tuple<std::size_t, std::size_t, const char*>{2, 2, "1"},
                                     {8, 2, "0.1"},
                                     {6, 2, "1"},
                                     {8, 3, "0.1"},
                                     {24, 3, "1"},
                                     {8, 4, "2"}}) {
      ParticleParams<double> p;
      p.scheme = scheme;
      p.beta = beta;
      list.push_back(gaussian_trials(context, p, {n, d}));
    }
  return list;
}

/// beta <= 1: time counts by its logarithm.
TrialDomain domain(std::size_t least_d) {
  return {.schemes = schemes(),
          .least_d = least_d,
          .most_beta = 1,
          .allowed = {End::synchronised, End::at_rest_stalled}};
}

} // namespace

Claim nad_3_1b() {
  return {
      .id = "NAD-3.1b",
      .source = "[NAD] Thm 3.1",
      .statement =
          "Pre-, Mix- and Peri-LN, Q = K = V = I, standard Gaussian start, any d: almost surely the directions "
          "synchronise or min_j liminf dr_j/dt = 0.",
      .hypotheses = "any d >= 1, as printed; beta = 0.1 .. 4.",
      .prediction =
          "the smaller of 1 - min cosine and min dr/dt tends to 0. It does not in d = 1: two opposite tokens "
          "stay so and their radii grow at tanh(beta) (Peri-LN: at 1)",
      .blind_to = "whether the theorem tacitly excludes d = 1. A radius that reaches zero counts as neither "
                  "alternative, but the verdict does not rest on it.",
      .expected = Verdict::fails,
      .check =
          [](const Context& context, Findings& out) {
            for (const auto& scheme : schemes())
              for (const char* beta : {"0.5", "1", "4"})
                opposite_pair_stays_apart(context, out, "NAD-3.1b", scheme, beta);
            ends_on_the_sphere_of_two_points(context, out);
          },
      .proves = "two opposite tokens of S^0 at t = 1: apart, and both radii grow; three schemes, three beta",
      .prove =
          [](const Context&, Findings& out, Certificate& certificate) {
            Prover prover(certificate, out);
            for (const auto& scheme : schemes())
              for (const char* beta : {"1/2", "1", "4"})
                for (const char* kind : {"opposite_pair_gap", "opposite_pair_growth"})
                  prover.refutes(kind, {{"scheme", scheme.name}, {"beta", beta}, {"tau", "1/2"}, {"t", "1"}});
          },
      .search = [](const Context&) { return search_trials(domain(1)); },
      .check_high =
          [](const Context&, Findings& out) {
            for (const auto& scheme : schemes())
              for (const char* beta : {"0.5", "1", "4"}) opposite_pair_by_two_methods(out, scheme, beta);
          }};
}

Claim nad_3_1b_corrected() {
  return {
      .id = "NAD-3.1b-corrected",
      .source = "[NAD] Thm 3.1, corrected",
      .statement =
          "Pre-, Mix- and Peri-LN, Q = K = V = I, beta > 0, standard Gaussian start, d >= 2: almost surely the "
          "directions synchronise or min_j liminf dr_j/dt = 0; no radius reaches zero.",
      .hypotheses = "n = 2 .. 24, d = 2, 3, 4, beta = 0.1, 1, 2; tau = 0 and 2.5.",
      .prediction = "every start ends with 1 - min cosine < 1e-6, or at rest with min dr_j/dt = 0",
      .blind_to =
          "beta above 2: time counts by its logarithm, and metastable groups outlive t = e^600; sets of "
          "starts of a probability below what the number of trials shows.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            const Tally tally = almost_surely(context, out,
                                              {"NAD-3.1b-corrected",
                                               experiments(context),
                                               context.quick ? 15ull : 300ull,
                                               {End::synchronised, End::at_rest_stalled}});
            out.note(fmt::format("a radius reached zero in {} of {} trials in d >= 2 (a point x_j = 0 with "
                                 "<theta_j, A_j> < 0 repels in all d - 1 directions: a null event)",
                                 tally.of(End::radius_zero), tally.size()));
            out.draw(survival(tally, "synchronisation of Gaussian starts, d >= 2"));
          },
      .search = [](const Context&) { return search_trials(domain(2)); }};
}

} // namespace attndyn::verification::claims
