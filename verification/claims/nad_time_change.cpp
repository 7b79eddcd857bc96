// [NAD] App. D: schemes with a common deterministic speed factor are one flow at different times.
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/proof/prove.hpp"
#include "verification/runs.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification::claims {
namespace {

struct Pair {
  SchemeParams slow, reference;
  std::function<double(double)> clock; ///< time of the reference when the slow one shows t
};

std::vector<Pair> pairs() {
  const auto root = [](double t) { return 2 * (std::sqrt(t + 1) - 1); };
  const auto ngpt = [](const char* alpha, const char* decay) {
    return SchemeParams{.name = "ngpt", .alpha = alpha, .alpha_decay = decay};
  };
  return {{{.name = "sqrt"}, {.name = "post"}, root},
          {{.name = "lns"}, {.name = "pre"}, root},
          {ngpt("0.7", "0"), ngpt("1", "0"), [](double t) { return 0.7 * t; }},
          {ngpt("1", "0.5"), ngpt("1", "0"), root},
          {ngpt("1.5", "1"), ngpt("1", "0"), [](double t) { return 1.5 * std::log1p(t); }}};
}

/// Post-LN and Pre-LN reach at 2 (sqrt(t+1) - 1) what sqrt-scaling and LayerNorm scaling reach at t = 3, 15,
/// 99/4.
void prove(const Context&, Findings& out, Certificate& certificate) {
  Prover prover(certificate, out);
  for (const auto& [slow, reference] : {std::pair{"sqrt", "post"}, {"lns", "pre"}})
    for (const auto& [t, u] : {std::pair{"3", "2"}, {"15", "6"}, {"9/16", "1/2"}})
      for (const auto& [n, beta] : {std::pair{2, "1"}, {256, "5"}, {8, "-1/10"}}) {
        EquiangularParams a;
        a.scheme.name = slow;
        a.n = n;
        a.beta = beta;
        a.g0 = "1/10";
        a.r0 = "3/2";
        EquiangularParams b = a;
        b.scheme.name = reference;
        Parameters arguments = text_of(a, "a_"), of_b = text_of(b, "b_");
        arguments.emplace_back("a_t", t);
        arguments.insert(arguments.end(), of_b.begin(), of_b.end());
        arguments.emplace_back("b_t", u);
        prover.vanishes("log_gap_difference", std::move(arguments));
      }
}

} // namespace

Claim nad_time_change() {
  return {
      .id = "NAD-time-change",
      .source = "[NAD] App. D",
      .statement = "With t = t(u), (NA) in time u has the speed factor s(t(u))/t'(u): schemes with a common "
                   "deterministic s are one flow at different times. So sqrt-scaling at t is Post-LN at "
                   "2(sqrt(t+1)-1), from any start.",
      .hypotheses = "Q, K, V constant in t; softmax and causal attention; random starts with random radii.",
      .prediction = "theta and r of both runs agree at matching times",
      .blind_to = "time changes beyond the five pairs sqrt/Post, lns/Pre and three laws of alpha for nGPT.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            const std::vector<double> times{0.3, 1, 4, context.quick ? 8.0 : 25.0};
            for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{2, 2}, {3, 3}, {8, 3}, {12, 20}})
              for (const auto attention : {Attention::softmax, Attention::causal})
                for (const auto& pair : pairs()) {
                  ParticleParams<double> p;
                  p.beta = 2;
                  p.attention = attention;
                  const auto start = gaussian<double>({n, d}, context.seed, n);
                  p.scheme = pair.slow;
                  const auto slow = make_particles(context, p, start, "Gaussian");
                  p.scheme = pair.reference;
                  const auto reference = make_particles(context, p, start, "Gaussian");
                  std::vector<double> mapped;
                  for (double t : times) mapped.push_back(pair.clock(t));
                  const auto a = run(*slow.model, slow.particles->start(), times);
                  const auto b = run(*reference.model, reference.particles->start(), mapped);
                  double worst = 0;
                  for (std::size_t i = 0; i < times.size(); ++i)
                    for (std::size_t k = 0; k < a.samples[i].x.size(); ++k)
                      worst = std::max(worst, std::abs(a.samples[i].x[k] - b.samples[i].x[k]));
                  out.equal("max difference of theta and log r at matching times", worst, 0,
                            a.error + b.error, slow.where + " against " + reference.where);
                }
            out.note(fmt::format(
                "n = 2, 3, 8, 12, four times to {}, tolerance {:g} (bars are ten times the estimates)",
                times.back(), default_tolerance));
          },
      .proves =
          "equiangular starts: both schemes share log(1-g) at matching times to 50 digits, at 18 parameter sets",
      .prove = prove};
}

} // namespace attndyn::verification::claims
