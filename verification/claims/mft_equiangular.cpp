// [MFT] sec. 6.1: the equiangular reduction for SA and USA, and its rates near g = 1.
#include "analysis/overlap.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/high.hpp"
#include "verification/proof/prove.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

namespace attndyn::verification::claims {
namespace {

/// Particles from an equiangular start against the reduced equation.
void compare(const Context& context, Findings& out, const EquiangularParams& e,
             const std::vector<double>& times, bool refine) {
  ParticleParams<double> p;
  p.scheme = e.scheme;
  p.attention = e.attention;
  p.beta = e.beta;
  const auto size = static_cast<std::size_t>(e.n);
  auto start = equiangular<double>({size, size}, e.g0);
  for (double& r : start.r) r = e.r0.approx();
  const auto c = make_particles(context, p, start, fmt::format("equiangular:{}", e.g0.text()));
  const auto reduced = make_equiangular(context, e);
  const auto many = refine ? refined_run(out, c.where, *c.model, c.particles->start(), times)
                           : run(*c.model, c.particles->start(), times);
  const auto one = run(*reduced.model, reduced.equiangular->start(), times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto tokens = to_tokens(many.samples[i].x, c.particles->shape());
    const double gap = analysis::one_minus_min_cosine(tokens.theta), expected = std::exp(one.samples[i].x[0]);
    const std::string where = fmt::format("{}, t = {}", c.where, times[i]);
    // A chord of length c known to e gives its square to 2 c e.
    const double bar = 2 * std::sqrt(2 * expected) * many.error + expected * one.error + 1e-14;
    out.equal("1 - min cosine of particles against the reduction", gap, expected, bar, where);
    out.equal("log r of particles against the reduction", std::log(tokens.r[0]), one.samples[i].x[1],
              many.error + one.error, where);
  }
}

void particles_follow_reduction(const Context& context, Findings& out) {
  for (const auto attention : {Attention::softmax, Attention::unnormalised})
    for (int n : {2, 3, 8, 33})
      for (const auto& [beta, g0] : {std::pair{"-1", "0"}, {"0", "0.3"}, {"1.5", "0"}, {"2", "-0.02"}})
        for (const auto& scheme : every_scheme()) {
          EquiangularParams e;
          e.scheme = {.name = scheme, .tau = "0.4"};
          e.attention = attention;
          e.n = n;
          e.beta = beta;
          e.g0 = g0;
          compare(context, out, e, {0.2, 0.5, 1}, n == 8 && e.g0.text() == "0.3");
        }
  out.note(fmt::format(
      "particles against the reduced equation, seven schemes, SA and USA, n = 2, 3, 8, 33, tolerance {:g}",
      default_tolerance));
}

/// 1 - g of the particles and of the reduction, Peri-LN.
Curve curve(const Context& context) {
  Curve c{
      "1 - min cosine of 16 particles (measured) and 1 - g of the reduction (predicted), Peri-LN, beta = 3",
      "t", "1 - g", true, true};
  EquiangularParams e;
  e.scheme.name = "peri";
  e.n = 16;
  e.beta = 3;
  ParticleParams<double> p;
  p.scheme = e.scheme;
  p.beta = e.beta;
  const auto many = make_particles(context, p, orthogonal<double>({16, 16}), "orthogonal");
  const auto one = make_equiangular(context, e);
  std::vector<double> times;
  for (int i = 0; i <= 60; ++i) times.push_back(std::pow(10.0, -2 + 5.0 * i / 60));
  const auto a = run(*many.model, many.particles->start(), times);
  const auto b = run(*one.model, one.equiangular->start(), times);
  for (std::size_t i = 0; i < times.size(); ++i)
    c.points.push_back(
        {times[i], analysis::one_minus_min_cosine(to_tokens(a.samples[i].x, many.particles->shape()).theta),
         0, std::exp(b.samples[i].x[0])});
  return c;
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "scheme", .scale = Axis::Scale::choice, .names = every_scheme()},
            {.name = "attention", .scale = Axis::Scale::choice, .names = {"sa", "usa"}},
            {.name = "n", .low = 2, .high = 16, .scale = Axis::Scale::whole},
            {.name = "beta", .low = -5, .high = 5},
            {.name = "g0 between the simplex and 1", .low = 0.02, .high = 1 - 1e-6},
            {.name = "r0", .low = 1e-3, .high = 1e3, .scale = Axis::Scale::log},
            {.name = "t", .low = 1e-9, .high = 3, .scale = Axis::Scale::log}};
  for (double scheme = 0; scheme < 7; ++scheme)
    for (const auto& [n, beta, share, t] :
         {std::tuple{2.0, 1e-30, 0.5, 1e-9}, {3.0, -5.0, 0.02, 1.0}, {16.0, 5.0, 1 - 1e-6, 3.0}})
      s.corners.push_back({scheme, scheme < 4 ? 0.0 : 1.0, n, beta, share, 1, t});
  s.at = [](const Context& context, const std::vector<double>& x, Findings& out) {
    EquiangularParams e;
    e.scheme = {.name = every_scheme()[static_cast<std::size_t>(x[0])], .tau = "0.4"};
    e.attention = x[1] == 0 ? Attention::softmax : Attention::unnormalised;
    e.n = static_cast<int>(x[2]);
    e.beta = Number(x[3]);
    e.g0 = Number(x[4] - (1 - x[4]) / (x[2] - 1));
    e.r0 = Number(x[5]);
    compare(context, out, e, {x[6]}, false);
  };
  return s;
}

/// The reduced equation by two routes at parameters of either sign of beta, seven schemes, SA and USA.
void check_high(const Context&, Findings& out) {
  for (const auto attention : {Attention::softmax, Attention::unnormalised})
    for (const auto& scheme : every_scheme())
      for (const auto& [n, beta, g0] : {std::tuple{2, "1", "0"}, {16, "-3/2", "1/10"}, {256, "4", "0"}}) {
        EquiangularParams p;
        p.scheme = {.name = scheme, .tau = "1/2"};
        p.attention = attention;
        p.n = n;
        p.beta = beta;
        p.g0 = g0;
        p.r0 = "3/2";
        two_routes(out, p, 2);
      }
  out.note("t = 2, n = 2, 16, 256, beta = 1, -3/2, 4: Taylor steps in Float128 and the separable solution");
}

void late_rates(const Context& context, Findings& out) {
  for (const auto attention : {Attention::softmax, Attention::unnormalised})
    for (int n : {2, 16, 256})
      for (const char* beta : {"-1", "0", "1", "3"}) {
        EquiangularParams e;
        e.attention = attention;
        e.n = n;
        e.beta = beta;
        const auto c = make_equiangular(context, e);
        const bool sa = attention == Attention::softmax;
        const double rate = sa ? 2 : 2 * std::exp(e.beta.approx());
        // Long enough that 1-g is e^-60 of where its law begins.
        const double start = std::log(static_cast<double>(n)) + std::exp(std::max(0.0, e.beta.approx())),
                     t = (60 + 2 * start) / rate + start;
        const auto r = run(*c.model, c.equiangular->start(), {t, t + 10 / rate}, 1e-12);
        const double measured = (r.samples[0].x[0] - r.samples[1].x[0]) / (10 / rate);
        out.equal("-d log(1-g)/dt near g = 1, over its prediction", measured / rate,
                  context.constant(sa ? "rate of SA" : "rate of USA", 1), 1e-10,
                  fmt::format("{}, t = {:.3g}", c.where, t), c.witness);
      }
  out.note("late rates of the reduced Post-LN equation at 1-g below e^-40, n = 2, 16, 256, beta = -1 .. 3");
}

/// Values of log(1-g) at given times, the closed forms of beta = 0, and the clock of two tokens.
void prove(const Context& context, Findings& out, Certificate& certificate) {
  Prover prover(certificate, out);
  for (const auto attention : {Attention::softmax, Attention::unnormalised})
    for (const auto& scheme : every_scheme()) {
      EquiangularParams p;
      p.scheme = {.name = scheme, .tau = "1/2"};
      p.attention = attention;
      p.n = 16;
      p.beta = "3/2";
      prover.log_gap_at(p, 1, [&] {
        const auto c = make_equiangular(context, p);
        return run(*c.model, c.equiangular->start(), {1}).samples[0].x[0];
      });
    }
  for (const char* scheme : {"post", "pre", "peri", "ngpt"})
    for (int n : {2, 3, 100}) {
      EquiangularParams p;
      p.scheme.name = scheme;
      p.n = n;
      p.beta = 0;
      p.r0 = "3/2";
      Parameters arguments = text_of(p);
      arguments.emplace_back("t", "5/4");
      prover.vanishes("closed_form_defect", std::move(arguments));
    }
  for (const char* beta : {"-1", "1/3", "4"})
    for (const char* c : {"1/2", "99/100"}) {
      EquiangularParams p;
      p.n = 2;
      p.beta = beta;
      Parameters arguments = text_of(p);
      arguments.emplace_back("c", c);
      prover.vanishes("two_token_time_defect", std::move(arguments));
    }
}

} // namespace

Claim mft_equiangular() {
  return {
      .id = "MFT-equiangular",
      .source = "[MFT] sec. 6.1",
      .statement =
          "From an equiangular start the particles follow dg/dt = (2/s) w_off (1-g)(1+(n-1)g) (SA), (2/n) e^{beta "
          "g}(1-g)(1+(n-1)g) (USA); near g = 1, 1-g decays like e^{-2t} (SA) and e^{-2 e^beta t} (USA).",
      .hypotheses = "Q = K = V = I, equal masses and radii, -1/(n-1) < g0 < 1, both signs of beta.",
      .prediction = "particles = reduction; rates 2 and 2 e^beta",
      .blind_to = "long times from starts near the simplex, where round-off breaks the symmetry.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            particles_follow_reduction(context, out);
            late_rates(context, out);
            out.draw(curve(context));
          },
      .proves =
          "log(1-g) at t = 1 for seven schemes, SA and USA; the closed forms of beta = 0; the clock of two tokens",
      .prove = prove,
      .fixes = {{"rate of SA", Fixed::Kind::constant, "2"},
                {"rate of USA", Fixed::Kind::constant, "2 e^beta"}},
      .search = search,
      .check_high = check_high};
}

} // namespace attndyn::verification::claims
