// [MFT] Thm 1: one cluster from almost every start in d >= 3.
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
  const double noise = 1e-3;
  for (const auto attention : {Attention::softmax, Attention::unnormalised})
    for (const char* beta : {"0", "0.1", "1", "4"}) {
      ParticleParams<double> p;
      p.attention = attention;
      p.beta = beta;
      for (const Shape shape : {Shape{2, 3}, {8, 3}, {40, 3}, {16, 5}, {6, 12}})
        list.push_back(uniform_trials(context, p, shape));
      // Equilibria that attract nothing: almost every start near them must leave.
      list.push_back(near_start(context, p, simplex<double>({4, 3}).theta, "the simplex", noise));
      list.push_back(near_start(context, p, antipodal_groups(1, 3), "an antipodal pair", noise));
      list.push_back(near_start(context, p, antipodal_groups(4, 3), "two antipodal groups", noise));
      list.push_back(near_start(context, p, cross_polytope(3), "the octahedron", noise));
    }
  return list;
}

Search search_of(const Context&) {
  return search_trials({.schemes = {{.name = "post"}},
                        .attentions = {Attention::softmax, Attention::unnormalised},
                        .least_d = 3,
                        .least_beta = 0,
                        .most_beta = 3});
}

} // namespace

Claim mft_cluster() {
  return {
      .id = "MFT-cluster",
      .source = "[MFT] Thm 1",
      .statement =
          "d >= 3, any beta >= 0: from almost every start the tokens converge to one point (SA and USA).",
      .hypotheses =
          "Post-LN, Q = K = V = I, equal masses; n = 2 .. 40, d = 3, 5, 12, beta = 0, 0.1, 1, 4; uniform starts "
          "(most of them in no hemisphere) and starts within 1e-3 of unstable equilibria.",
      .prediction = "every start ends with 1 - min cosine < 1e-6",
      .blind_to =
          "sets of starts of a probability below what the number of trials shows; beta above 4, where the "
          "time to collapse grows like e^{c beta} and no run of this length sees it.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            const Tally tally = almost_surely(
                context, out, {"MFT-cluster", experiments(context), context.quick ? 4ull : 80ull});
            out.draw(survival(tally, "one cluster: SA and USA, d >= 3"));
          },
      .search = search_of};
}

} // namespace attndyn::verification::claims
