// [NAD] corollary of Thm 3.1: Pre- and Peri-LN with n <= e^beta synchronise, because <theta_j, A_j> stays
// away from zero there. The bound holds; synchronisation fails in d = 1.
#include "verification/all_claims.hpp"
#include "verification/almost_surely.hpp"
#include "verification/opposite_pair.hpp"
#include "verification/proof/prove.hpp"
#include "verification/radial_bound.hpp"

namespace attndyn::verification::claims {
namespace {

std::vector<Experiment> experiments(const Context& context) {
  std::vector<Experiment> list;
  for (const char* scheme : {"pre", "peri"})
    for (const auto& [n, d, beta] : {std::tuple<std::size_t, std::size_t, const char*>{2, 2, "0.7"},
                                     {3, 2, "1.1"},
                                     {6, 2, "1.8"},
                                     {7, 3, "2"},
                                     {7, 6, "2"}}) {
      ParticleParams<double> p;
      p.scheme.name = scheme;
      p.beta = beta;
      list.push_back(gaussian_trials(context, p, {n, d}));
    }
  return list;
}

} // namespace

Claim nad_3_2() {
  return {
      .id = "NAD-3.2",
      .source = "[NAD] corollary of Thm 3.1",
      .statement =
          "Pre- and Peri-LN with n <= e^beta, any d: synchronisation almost surely; there <theta_j, A_j> >= "
          "(e^beta - (n-1))/(n e^beta) >= 1/(n e^beta).",
      .hypotheses = "any d >= 1, as printed; n = 2 .. 200, beta = log n to 4 log n.",
      .prediction =
          "the bounds hold for all configurations, but two opposite tokens on S^0 (n = 2 <= e^beta) never "
          "meet, with probability 1/2",
      .blind_to = "whether the statement tacitly excludes d = 1.",
      .expected = Verdict::fails,
      .check =
          [](const Context& context, Findings& out) {
            compare_radial_bound(context, out);
            for (const char* scheme : {"pre", "peri"})
              for (const char* beta : {"0.7", "1", "4"})
                opposite_pair_stays_apart(context, out, "NAD-3.2", {.name = scheme}, beta);
            draw_opposite_pair(context, out, {.name = "pre"}, 1);
          },
      .proves =
          "two opposite tokens of S^0 at t = 1, n = 2 <= e^beta: apart as at the start, and both radii grow",
      .prove =
          [](const Context&, Findings& out, Certificate& certificate) {
            Prover prover(certificate, out);
            for (const char* scheme : {"pre", "peri"})
              for (const char* beta : {"7/10", "1", "4"})
                for (const char* kind : {"opposite_pair_gap", "opposite_pair_growth"})
                  prover.refutes(kind, {{"scheme", scheme}, {"beta", beta}, {"tau", "1/2"}, {"t", "1"}});
          },
      .search = search_radial_bound,
      .check_high =
          [](const Context&, Findings& out) {
            for (const char* scheme : {"pre", "peri"})
              for (const char* beta : {"0.7", "1", "4"})
                opposite_pair_by_two_methods(out, {.name = scheme}, beta);
          }};
}

Claim nad_3_2_corrected() {
  return {
      .id = "NAD-3.2-corrected",
      .source = "[NAD] corollary of Thm 3.1, corrected",
      .statement =
          "Pre- and Peri-LN with n <= e^beta and d >= 2: synchronisation almost surely; there <theta_j, A_j> >= 1 - "
          "W((n-1)/e)/beta (W: Lambert), which is attained and is "
          "at least the printed (e^beta - (n-1))/(n e^beta).",
      .hypotheses =
          "Gaussian starts, n = 2 .. 7, d = 2, 3, 6, beta just above log n; the bound for n = 2 .. 200.",
      .prediction =
          "every start ends with 1 - min cosine < 1e-6; the minimum over configurations is the Lambert form",
      .blind_to =
          "larger beta, where time counts by its logarithm and metastable groups outlive any run; sets of "
          "starts of a probability below what the number of trials shows.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            compare_radial_bound(context, out);
            compare_sharp_radial_bound(context, out);
            almost_surely(context, out,
                          {"NAD-3.2-corrected", experiments(context), context.quick ? 25ull : 500ull});
          },
      .fixes = {{"least radial part", Fixed::Kind::constant, "1 - W((n-1)/e)/beta"}},
      .search = search_radial_bound,
      .check_high = sharp_radial_bound_by_two_methods};
}

} // namespace attndyn::verification::claims
