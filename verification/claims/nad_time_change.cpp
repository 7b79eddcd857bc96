// [NAD] App. D: schemes with a common deterministic speed factor are one flow at different times.
#include "analysis/overlap.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/high.hpp"
#include "verification/proof/prove.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification::claims {
namespace {

struct Pair {
  SchemeParams slow, reference;
  std::function<double(double)> clock; ///< time of the reference when the slow one shows t
};

std::vector<Pair> pairs(const Context& context) {
  const double two = context.constant("clock of sqrt-scaling", 2);
  const auto root = [two](double t) { return two * (std::sqrt(t + 1) - 1); };
  const auto ngpt = [](const char* alpha, const char* decay) {
    return SchemeParams{.name = "ngpt", .alpha = alpha, .alpha_decay = decay};
  };
  return {{{.name = "sqrt"}, {.name = "post"}, root},
          {{.name = "lns"}, {.name = "pre"}, root},
          {ngpt("0.7", "0"), ngpt("1", "0"), [](double t) { return 0.7 * t; }},
          {ngpt("1", "0.5"), ngpt("1", "0"), root},
          {ngpt("1.5", "1"), ngpt("1", "0"), [](double t) { return 1.5 * std::log1p(t); }}};
}

/// The same equiangular start, g0 = 1/10 and r0 = 3/2, under both schemes.
std::pair<EquiangularParams, EquiangularParams> reduced_pair(const char* slow, const char* reference, int n,
                                                             const char* beta) {
  EquiangularParams a;
  a.scheme.name = slow;
  a.n = n;
  a.beta = beta;
  a.g0 = "1/10";
  a.r0 = "3/2";
  EquiangularParams b = a;
  b.scheme.name = reference;
  return {a, b};
}

/// Post-LN and Pre-LN reach at 2 (sqrt(t+1) - 1) what sqrt-scaling and LayerNorm scaling reach at t = 3, 15,
/// 99/4.
void prove(const Context&, Findings& out, Certificate& certificate) {
  Prover prover(certificate, out);
  for (const auto& [slow, reference] : {std::pair{"sqrt", "post"}, {"lns", "pre"}})
    for (const auto& [t, u] : {std::pair{"3", "2"}, {"15", "6"}, {"9/16", "1/2"}})
      for (const auto& [n, beta] : {std::pair{2, "1"}, {256, "5"}, {8, "-1/10"}}) {
        const auto [a, b] = reduced_pair(slow, reference, n, beta);
        Parameters arguments = text_of(a, "a_"), of_b = text_of(b, "b_");
        arguments.emplace_back("a_t", t);
        arguments.insert(arguments.end(), of_b.begin(), of_b.end());
        arguments.emplace_back("b_t", u);
        prover.vanishes("log_gap_difference", std::move(arguments));
      }
}

/// Both schemes from one start, at times that should match.
struct Matched {
  ParticleCase slow, reference;
  Run a, b;
};
Matched at_matching_times(const Context& context, Findings& out, const Pair& pair, ParticleParams<double> p,
                          const Tokens<double>& start, const std::string& start_name,
                          const std::vector<double>& times, bool refine) {
  p.scheme = pair.slow;
  auto slow = make_particles(context, p, start, start_name);
  p.scheme = pair.reference;
  auto reference = make_particles(context, p, start, start_name);
  std::vector<double> mapped;
  for (double t : times) mapped.push_back(pair.clock(t));
  auto a = refine ? refined_run(out, slow.where, *slow.model, slow.particles->start(), times)
                  : run(*slow.model, slow.particles->start(), times);
  auto b = run(*reference.model, reference.particles->start(), mapped);
  return {std::move(slow), std::move(reference), std::move(a), std::move(b)};
}

/// The largest difference of theta and log r.
void compare(const Context& context, Findings& out, const Pair& pair, const ParticleParams<double>& p,
             const Tokens<double>& start, const std::string& start_name, const std::vector<double>& times,
             bool refine) {
  const Matched m = at_matching_times(context, out, pair, p, start, start_name, times, refine);
  double worst = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t k = 0; k < m.a.samples[i].x.size(); ++k)
      worst = std::max(worst, std::abs(m.a.samples[i].x[k] - m.b.samples[i].x[k]));
  out.equal("max difference of theta and log r at matching times", worst, 0, m.a.error + m.b.error,
            m.slow.where + " against " + m.reference.where);
}

/// 1 - min cosine of sqrt-scaling at t and of Post-LN at 2 (sqrt(t+1) - 1).
void draw(const Context& context, Findings& out) {
  Curve c{"sqrt-scaling at t (measured) and Post-LN at 2(sqrt(t+1)-1) (predicted), n = 8, d = 3", "t",
          "1 - min cosine", false, true};
  ParticleParams<double> p;
  p.beta = 2;
  std::vector<double> times;
  for (int i = 1; i <= 60; ++i) times.push_back(0.5 * i);
  const Matched m = at_matching_times(context, out, pairs(context).front(), p,
                                      gaussian<double>({8, 3}, context.seed, 8), "Gaussian", times, false);
  const auto gap = [&](const Sample<double>& s) {
    return analysis::one_minus_min_cosine(to_tokens(s.x, m.slow.particles->shape()).theta);
  };
  for (std::size_t i = 0; i < times.size(); ++i)
    c.points.push_back({times[i], gap(m.a.samples[i]), m.a.error, gap(m.b.samples[i])});
  out.draw(std::move(c));
}

Search search(const Context& setting) {
  Search s;
  std::vector<std::string> names;
  for (const auto& pair : pairs(setting))
    names.push_back(pair.slow.name + " " + pair.slow.alpha.text() + " " + pair.slow.alpha_decay.text());
  s.axes = {{.name = "pair", .scale = Axis::Scale::choice, .names = names},
            {.name = "n", .low = 1, .high = 10, .scale = Axis::Scale::whole},
            {.name = "d", .low = 1, .high = 8, .scale = Axis::Scale::whole},
            {.name = "beta", .low = -4, .high = 6},
            {.name = "radius", .low = 1e-3, .high = 1e3, .scale = Axis::Scale::log},
            {.name = "t", .low = 1e-8, .high = 100, .scale = Axis::Scale::log},
            {.name = "start", .low = 0, .high = 1000, .scale = Axis::Scale::whole}};
  for (double pair = 0; pair < static_cast<double>(names.size()); ++pair) {
    s.corners.push_back({pair, 1, 2, 1, 1, 10, 0});
    s.corners.push_back({pair, 5, 2, 0, 1e3, 1e-8, 0});
    s.corners.push_back({pair, 2, 9, 6, 1, 100, 0});
  }
  s.at = [s](const Context& context, const std::vector<double>& x, Findings& out) {
    ParticleParams<double> p;
    p.beta = Number(x[3]);
    auto start = gaussian<double>({static_cast<std::size_t>(x[1]), static_cast<std::size_t>(x[2])},
                                  context.seed, static_cast<std::uint64_t>(x[6]));
    for (double& r : start.r) r *= x[4];
    compare(context, out, pairs(context)[static_cast<std::size_t>(x[0])], p, start, describe_point(s, x),
            {x[5]}, false);
  };
  return s;
}

/// Both schemes at matching times at 30 digits, and each against the separable solution.
void check_high(const Context&, Findings& out) {
  for (const auto& [slow, reference] : {std::pair{"sqrt", "post"}, {"lns", "pre"}})
    for (const auto& [n, beta] : {std::pair{2, "1"}, {16, "-1/2"}, {256, "3"}}) {
      const auto [a, b] = reduced_pair(slow, reference, n, beta);
      equal_high(
          out, "log(1-g) at matching times", two_routes(out, a, "15").log_gap,
          two_routes(out, b, "6").log_gap, 1e-27,
          fmt::format("{} at t = 15 against {} at t = 6, n = {}, beta = {}", slow, reference, n, beta));
    }
  out.note("t = 15 and 6, n = 2, 16, 256, Taylor steps in Float128 and the separable solution");
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
                for (const auto& pair : pairs(context)) {
                  ParticleParams<double> p;
                  p.beta = 2;
                  p.attention = attention;
                  compare(context, out, pair, p, gaussian<double>({n, d}, context.seed, n), "Gaussian", times,
                          n == 8);
                }
            draw(context, out);
            out.note(fmt::format(
                "n = 2, 3, 8, 12, four times to {}, tolerance {:g} (bars are ten times the estimates)",
                times.back(), default_tolerance));
          },
      .proves =
          "equiangular starts: both schemes share log(1-g) at matching times to 50 digits, at 18 parameter sets",
      .prove = prove,
      .fixes = {{"clock of sqrt-scaling", Fixed::Kind::constant, "2 (sqrt(t+1) - 1)"}},
      .search = search,
      .check_high = check_high};
}

} // namespace attndyn::verification::claims
