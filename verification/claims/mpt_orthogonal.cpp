// [MPT]: from an orthonormal start all cosines are equal and follow the equiangular equation.
#include "analysis/overlap.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/high.hpp"
#include "verification/proof/prove.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"
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

/// Largest and mean 1 - cosine of orthonormal tokens at a time against the quadrature of its clock.
void compare(const Context& context, Findings& out, const ParticleCase& c, double beta, const Run& run_of) {
  const std::size_t n = c.particles->shape().n;
  for (const auto& s : run_of.samples) {
    const auto theta = to_tokens(s.x, c.particles->shape()).theta;
    const double g_gap =
        context.constant("1 - g(t)", theory::post_cosine_gap(static_cast<int>(n), beta, s.t));
    const std::string where = fmt::format("{}, t = {}", c.where, s.t);
    const double bar = 4 * std::sqrt(g_gap) * run_of.error + 1e-12 * g_gap;
    out.equal("largest 1-cos against 1-g(t)", analysis::one_minus_min_cosine(theta), g_gap, bar, where);
    out.equal("mean 1-cos against 1-g(t)", analysis::one_minus_mean_cosine(theta), g_gap, bar, where);
  }
}

void draw(const Context& context, Findings& out) {
  ParticleParams<double> p;
  p.beta = 3;
  const auto c = make_particles(context, p, orthogonal<double>({16, 16}), "orthogonal");
  std::vector<double> times;
  for (int i = 1; i <= 60; ++i) times.push_back(0.1 * i);
  Curve curve{"largest 1 - cosine of 16 orthonormal tokens, beta = 3", "t", "1 - min cosine", false, true};
  for (const auto& s : run(*c.model, c.particles->start(), times).samples)
    curve.points.push_back({s.t, analysis::one_minus_min_cosine(to_tokens(s.x, c.particles->shape()).theta),
                            0, theory::post_cosine_gap(16, 3, s.t)});
  out.draw(std::move(curve));
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "n", .low = 2, .high = 40, .scale = Axis::Scale::whole},
            {.name = "d - n", .low = 0, .high = 20, .scale = Axis::Scale::whole},
            {.name = "beta", .low = -3, .high = 8},
            {.name = "t", .low = 1e-8, .high = 5, .scale = Axis::Scale::log}};
  s.corners = {{2, 0, 1e-30, 1e-8}, {2, 0, 8, 5}, {3, 20, -3, 5}, {40, 0, 8, 5}, {40, 1, -3, 1}};
  s.at = [s](const Context& context, const std::vector<double>& x, Findings& out) {
    ParticleParams<double> p;
    p.beta = Number(x[2]);
    const auto n = static_cast<std::size_t>(x[0]);
    const auto c = make_particles(context, p, orthogonal<double>({n, n + static_cast<std::size_t>(x[1])}),
                                  "orthogonal, " + describe_point(s, x));
    compare(context, out, c, x[2], run(*c.model, c.particles->start(), {x[3]}));
  };
  return s;
}

/// Four particles by Taylor steps in Float128 against the separable solution.
void check_high(const Context&, Findings& out) {
  using std::exp;
  for (const auto& [n, beta] : {std::pair{3, "2"}, {4, "-1"}}) {
    const auto size = static_cast<std::size_t>(n);
    EquiangularParams e;
    e.n = n;
    e.beta = beta;
    const HighState g = two_routes(out, e, 1);
    ParticleParams<Float128> p;
    p.beta = beta;
    const Particles<Float128> model(p, orthogonal<Float128>({size, size}));
    Options<Float128> options;
    options.tolerance = Float128(1) / parse_real<Float128>("1e28");
    const auto s = solve<Float128>(model, model.start(), Float128(0), {Float128(1)}, options);
    if (!s.ended_as_asked()) throw std::runtime_error(s.detail);
    equal_high(out, "1 - min cosine of particles against 1 - g(1)",
               analysis::one_minus_min_cosine(to_tokens(s.samples.at(0).x, model.shape()).theta),
               exp(g.log_gap), 1e-27, fmt::format("n = {}, beta = {}, t = 1", n, beta));
  }
  out.note(
      "t = 1, n = 3 and 4: particles and reduction by Taylor steps in Float128, and the separable solution");
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
                const std::vector<double> times{0.5, 1.5, 5};
                compare(context, out, c, p.beta.approx(),
                        n == 16 ? refined_run(out, c.where, *c.model, c.particles->start(), times)
                                : run(*c.model, c.particles->start(), times));
              }
            draw(context, out);
            out.note(fmt::format(
                "n = 2, 3, 16, 64, t = 0.5, 1.5, 5, tolerance {:g}; g(t) by quadrature of its clock, not by the solver",
                default_tolerance));
          },
      .proves =
          "seven schemes, n = 3 and 4: every cosine at t = 1 is within 1e-15 of the solution of the equiangular equation",
      .prove = prove,
      .fixes = {{"1 - g(t)", Fixed::Kind::constant, "solution of the equiangular equation"}},
      .search = search,
      .check_high = check_high};
}

} // namespace attndyn::verification::claims
