// [MFT] Thm 3 and Cor. 4: a start in an open hemisphere collapses to one point, exponentially fast.
#include "analysis/clusters.hpp"
#include "analysis/overlap.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification::claims {

namespace {

/// Until the farthest pair is at 1e-8, then four more decay times: the late rate, and one cluster.
void compare(const Context& context, Findings& out, const ParticleParams<double>& p,
             const Tokens<double>& start, const std::string& start_name, double give_up = 1e4,
             bool refine = false) {
  const auto c = make_particles(context, p, start, start_name);
  const double rate = p.attention == Attention::softmax ? 2 : 2 * std::exp(p.beta.approx());
  const Shape shape = c.particles->shape();
  const auto gap = [shape](const Vector<double>& x) {
    return analysis::one_minus_min_cosine(to_tokens(x, shape).theta);
  };
  Options<double> options;
  options.tolerance = default_tolerance;
  options.max_steps = 200'000;
  options.events = {{"gap", [&](const Vector<double>& x, const double&) { return std::log(gap(x) / 1e-8); },
                     Event<double>::Direction::falling, true}};
  const auto first = solve<double>(*c.model, c.particles->start(), 0, {give_up}, options);
  if (first.why != Stop::event) {
    out.at_least(
        fmt::format("the farthest pair reaches 1e-8 before t = {:g}: log10 of the gap left", give_up), -8,
        std::log10(gap(first.x)), 0.1, c.where);
    return;
  }
  const std::vector<double> times{1 / rate, 4 / rate};
  const auto late =
      refine ? refined_run(out, c.where, *c.model, first.x, times) : run(*c.model, first.x, times);
  const double a = gap(late.samples[0].x), b = gap(late.samples[1].x);
  out.equal("late rate over its prediction", std::log(a / b) / 3, context.constant("late rate", 1), 1e-4,
            c.where);
  out.equal("clusters at cosine 1 - 1e-7",
            static_cast<double>(
                analysis::clusters(to_tokens(late.samples[1].x, shape).theta, 1 - 1e-7).size.size()),
            1, 0.1, c.where);
}

/// 1 - min cosine along runs from a hemisphere, SA and USA, with the late law drawn through the last point.
void draw(const Context& context, Findings& out) {
  for (const auto attention : {Attention::softmax, Attention::unnormalised}) {
    ParticleParams<double> p;
    p.attention = attention;
    p.beta = 1;
    const auto c = make_particles(context, p, in_hemisphere<double>({8, 3}, context.seed), "hemisphere");
    const double rate = attention == Attention::softmax ? 2 : 2 * std::exp(1.0);
    std::vector<double> times;
    for (int i = 1; i <= 60; ++i) times.push_back(0.5 * i / rate);
    Curve curve{fmt::format("collapse from a hemisphere, {}, n = 8, d = 3, beta = 1", name_of(attention)),
                "t", "1 - min cosine", false, true};
    for (const auto& s : run(*c.model, c.particles->start(), times).samples)
      curve.points.push_back(
          {s.t, analysis::one_minus_min_cosine(to_tokens(s.x, c.particles->shape()).theta), 0, 0});
    const auto last = curve.points.back();
    for (auto& point : curve.points) point.predicted = last.measured * std::exp(rate * (last.x - point.x));
    out.draw(std::move(curve));
  }
}

/// Tokens on both sides of the rim of the hemisphere with pole e_1, at height `margin`: as spread as it
/// allows.
Tokens<double> on_the_rim(Shape shape, double margin, std::uint64_t seed, std::uint64_t unit) {
  auto tokens = uniform_on_sphere<double>(shape, seed, unit);
  Matrix<double> x(shape.d, shape.n);
  for (std::size_t j = 0; j < shape.n; ++j) {
    x(0, j) = margin;
    for (std::size_t i = 1; i < shape.d; ++i) x(i, j) = tokens.theta(i, j);
    if (shape.d == 2) x(1, j) = j % 2 == 0 ? 1 : -1;
  }
  return tokens_from(x, false);
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "attention", .scale = Axis::Scale::choice, .names = {"sa", "usa"}},
            {.name = "start", .scale = Axis::Scale::choice, .names = {"hemisphere", "on its rim"}},
            {.name = "n", .low = 2, .high = 12, .scale = Axis::Scale::whole},
            {.name = "d", .low = 2, .high = 6, .scale = Axis::Scale::whole},
            {.name = "beta", .low = 1e-3, .high = 3, .scale = Axis::Scale::log},
            {.name = "height of the rim", .low = 1e-6, .high = 0.5, .scale = Axis::Scale::log},
            {.name = "draw", .low = 0, .high = 1000, .scale = Axis::Scale::whole}};
  s.corners = {{0, 1, 2, 2, 1e-3, 1e-6, 0}, {1, 1, 2, 2, 1, 1e-6, 0}, {0, 1, 12, 2, 2, 1e-6, 0},
               {1, 1, 3, 2, 2, 1e-6, 0},    {0, 0, 12, 6, 3, 0.1, 0}, {0, 1, 8, 3, 1e-3, 1e-6, 0}};
  s.at = [s](const Context& context, const std::vector<double>& x, Findings& out) {
    ParticleParams<double> p;
    p.attention = x[0] == 0 ? Attention::softmax : Attention::unnormalised;
    p.beta = Number(x[4]);
    const Shape shape{static_cast<std::size_t>(x[2]), static_cast<std::size_t>(x[3])};
    const auto unit = static_cast<std::uint64_t>(x[6]);
    compare(context, out, p,
            x[1] == 0 ? in_hemisphere<double>(shape, context.seed, unit)
                      : on_the_rim(shape, x[5], context.seed, unit),
            describe_point(s, x));
  };
  return s;
}

} // namespace

Claim mft_hemisphere() {
  return {
      .id = "MFT-hemisphere",
      .source = "[MFT] Thm 3, Cor. 4",
      .statement =
          "Tokens that start in an open hemisphere converge to one point exponentially fast, for beta > 0, d >= 2, SA "
          "and USA.",
      .hypotheses =
          "Post-LN, Q = K = V = I; uniform starts conditioned on a hemisphere, and starts along its rim.",
      .prediction =
          "one cluster in the end; the late rate of (1 - min cosine) is 2 (SA), 2 e^beta (USA), so positive",
      .blind_to =
          "beta above 4, where the time to collapse grows like e^{c beta} and no run of this length sees it.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            const int seeds = context.quick ? 2 : 10;
            for (const auto attention : {Attention::softmax, Attention::unnormalised})
              for (const auto& [n, d] :
                   {std::pair<std::size_t, std::size_t>{2, 2}, {3, 2}, {8, 3}, {33, 5}, {16, 40}})
                for (const char* beta : {"0.1", "1", "4"})
                  for (int k = 0; k < seeds; ++k) {
                    ParticleParams<double> p;
                    p.attention = attention;
                    p.beta = beta;
                    const auto seed = context.seed + static_cast<std::uint64_t>(k);
                    compare(context, out, p, in_hemisphere<double>({n, d}, seed),
                            fmt::format("hemisphere, seed {}", seed), 1e4, k == 0 && n == 8);
                  }
            draw(context, out);
            out.note(fmt::format(
                "{} seeds from {}, n = 2 .. 33, d = 2 .. 40, beta = 0.1, 1, 4, SA and USA, tolerance {:g}",
                seeds, context.seed, default_tolerance));
          },
      .fixes = {{"late rate", Fixed::Kind::constant, "2 (SA), 2 e^beta (USA)"}},
      .search = search};
}

} // namespace attndyn::verification::claims
