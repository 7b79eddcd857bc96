// [NAD] Thm 4.1, first part: the velocities of the cosines at the orthogonal start.
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/high.hpp"
#include "verification/proof/prove.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"
#include "verification/theory/initial_velocity.hpp"
#include "verification/theory/predictions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

namespace attndyn::verification::claims {
namespace {

constexpr double bar = 1e-12; // relative; a handful of roundings

double reduced_velocity(const EquiangularCase& c) {
  Vector<double> dxdt(2);
  c.model->field(0, c.equiangular->start(), dxdt, 0);
  return -std::exp(c.equiangular->start()[0]) * dxdt[0];
}

/// d<theta_1, theta_2>/dt of the particle system.
double pair_velocity(const ParticleCase& c) {
  const std::size_t d = c.particles->shape().d;
  const Vector<double>& x = c.particles->start();
  Vector<double> dxdt(c.model->size());
  c.model->field(0, x, dxdt, 0);
  return dot(&x[0], &dxdt[d], d) + dot(&x[d], &dxdt[0], d);
}

void compare_one(const Context& context, Findings& out, const EquiangularParams& p) {
  const auto c = make_equiangular(context, p);
  const double predicted =
      theory::initial_velocity(p.scheme.name, p.n, p.beta.approx(), p.r0.approx(), p.scheme.alpha.approx());
  out.equal("g'(0) / prediction", reduced_velocity(c) / predicted, context.constant("velocity", 1),
            bar * (1 + std::abs(p.beta.approx())), c.where, c.witness);
}

void compare_reduced(const Context& context, Findings& out) {
  for (int n : {2, 3, 8, 256, 100000})
    for (const char* beta : {"-3", "-0.1", "0", "1e-30", "1", "5", "40"})
      for (const auto& scheme : paper_schemes())
        for (const auto& [r0, alpha] : {std::pair{"1", "1"}, {"0.2", "3"}}) {
          EquiangularParams p;
          p.scheme.name = scheme;
          p.scheme.alpha = alpha;
          p.n = n;
          p.beta = beta;
          p.r0 = r0;
          compare_one(context, out, p);
        }
  out.note("reduced equation, n = 2 .. 1e5, beta = -3 .. 40, r0 and alpha both 1 and not");
}

/// The field in double against the same field in Float128.
void refine(const Context& context, Findings& out) {
  double worst = 0;
  for (const auto& scheme : paper_schemes()) {
    EquiangularParams p;
    p.scheme.name = scheme;
    p.beta = 5;
    const auto c = make_equiangular(context, p);
    const Equiangular<Float128> wide(p);
    const auto exact = static_cast<double>(wide.speed(0, wide.start(), 0));
    worst = std::max(worst, std::abs(reduced_velocity(c) / exact - 1));
  }
  out.refined("g'(0) in double and in Float128, relative", worst, bar * 6, "six schemes, n = 256, beta = 5");
}

void draw(const Context& context, Findings& out) {
  for (const char* scheme : {"post", "peri"}) {
    Curve c{fmt::format("initial velocity, {}, n = 256", scheme), "beta", "g'(0)", false, true};
    for (int i = 0; i <= 40; ++i) {
      EquiangularParams p;
      p.scheme.name = scheme;
      p.beta = Number(-2 + 0.25 * i);
      c.points.push_back({p.beta.approx(), reduced_velocity(make_equiangular(context, p)), 0,
                          theory::initial_velocity(scheme, p.n, p.beta.approx(), 1, 1)});
    }
    out.draw(std::move(c));
  }
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "scheme", .scale = Axis::Scale::choice, .names = paper_schemes()},
            {.name = "n", .low = 2, .high = 1e9, .scale = Axis::Scale::whole_log},
            {.name = "beta", .low = -300, .high = 300},
            {.name = "r0", .low = 1e-100, .high = 1e100, .scale = Axis::Scale::log},
            {.name = "alpha", .low = 1e-6, .high = 1e6, .scale = Axis::Scale::log}};
  for (double scheme = 0; scheme < 6; ++scheme)
    for (const auto& [n, beta, r0] :
         {std::tuple{2.0, 1e-30, 1.0}, {2.0, -300.0, 1e-100}, {1e9, 300.0, 1e100}})
      s.corners.push_back({scheme, n, beta, r0, 1});
  s.at = [](const Context& context, const std::vector<double>& x, Findings& out) {
    EquiangularParams p;
    p.scheme.name = paper_schemes()[static_cast<std::size_t>(x[0])];
    p.n = static_cast<int>(x[1]);
    p.beta = Number(x[2]);
    p.r0 = Number(x[3]);
    p.scheme.alpha = Number(x[4]);
    compare_one(context, out, p);
  };
  return s;
}

/// Velocities of the field in Float128 against the formulas in ball arithmetic.
void check_high(const Context&, Findings& out) {
  const BallBits bits(256);
  for (const auto& scheme : paper_schemes())
    for (const auto& [n, beta] : {std::pair{2, "1/3"}, {256, "5"}, {1000000, "-2"}}) {
      EquiangularParams p;
      p.scheme = {.name = scheme, .alpha = "3/7"};
      p.n = n;
      p.beta = beta;
      p.r0 = "0.2";
      const Equiangular<Float128> wide(p);
      Vector<Float128> dxdt(2);
      wide.field(0, wide.start(), dxdt, 0);
      const Ball printed = theory::printed_initial_velocity(scheme, exp(p.beta.as<Ball>()), Ball(n - 1),
                                                            p.r0.as<Ball>(), p.scheme.alpha.as<Ball>());
      const auto where = fmt::format("{}, n = {}, beta = {}, r0 = 0.2, alpha = 3/7", scheme, n, beta);
      const Float128 predicted = Number(upper_text(printed, 40)).as<Float128>();
      equal_high(out, "g'(0) / prediction", -dxdt[0] / predicted, 1, 1e-30, where);
      const Equiangular<double> narrow(p);
      out.refined("g'(0) in double and in Float128, relative",
                  narrow.speed(0, narrow.start(), 0) / static_cast<double>(wide.speed(0, wide.start(), 0)) -
                      1,
                  6 * bar, where);
    }
  out.note("the recorded formulas at 18 parameter sets: field in Float128, prediction in balls of 256 bits");
}

void compare_particles(const Context& context, Findings& out) {
  for (std::size_t n : {2, 3, 8, 33})
    for (const char* beta : {"-1", "0", "2"})
      for (const auto& scheme : paper_schemes()) {
        ParticleParams<double> p;
        p.scheme.name = scheme;
        p.beta = beta;
        auto start = orthogonal<double>({n, n + 1});
        start.r[0] = 0.5;
        start.r[1] = 3;
        const auto c = make_particles(context, p, start, "orthogonal, r = 0.5, 3, 1, ...");
        const double first =
            theory::initial_velocity(scheme, static_cast<int>(n), p.beta.approx(), start.r[0], 1);
        const double second =
            theory::initial_velocity(scheme, static_cast<int>(n), p.beta.approx(), start.r[1], 1);
        // (1/s_1 + 1/s_2)/(e^beta + n - 1) is the mean of the two velocities with equal factors.
        out.equal("d<theta_1,theta_2>/dt(0) / prediction", pair_velocity(c) / ((first + second) / 2), 1,
                  bar * 10, c.where);
      }
  out.note("particles, n = 2, 3, 8, 33, unequal radii 0.5 and 3: (1/s_1 + 1/s_2)/(e^beta + n - 1)");
}

void compare_order(const Context& context, Findings& out) {
  for (int n : {2, 3, 16, 256})
    for (const char* beta : {"0", "0.5", "2", "5"}) {
      const auto velocity = [&](const std::string& scheme) {
        EquiangularParams p;
        p.scheme.name = scheme;
        p.n = n;
        p.beta = beta;
        return reduced_velocity(make_equiangular(context, p));
      };
      for (const char* fast : {"peri", "ngpt"})
        for (const char* other : {"post", "pre", "mix", "sqrt"})
          out.at_least(fmt::format("g'(0) of {} over {}", fast, other), velocity(fast) / velocity(other), 1,
                       bar, fmt::format("n = {}, beta = {}, r0 = alpha = 1", n, beta), false);
    }
  out.note("r0 = alpha = 1: Peri-LN and nGPT strictly fastest, n = 2 .. 256, beta = 0 .. 5");
}

/// The printed velocities as identities, and at parameters of their own to 50 digits.
void prove(const Context&, Findings& out, Certificate& certificate) {
  Prover prover(certificate, out);
  for (const auto& scheme : paper_schemes()) {
    prover.holds("initial_velocity_identity", {{"scheme", scheme}});
    for (const auto& [n, beta] : {std::pair{2, "1/3"}, {256, "5"}, {1000000, "-2"}}) {
      EquiangularParams p;
      p.scheme = {.name = scheme, .alpha = "3/7"};
      p.n = n;
      p.beta = beta;
      p.r0 = "0.2";
      prover.vanishes("initial_velocity_defect", text_of(p));
    }
  }
}

} // namespace

Claim nad_4_1_initial() {
  return {
      .id = "NAD-4.1-initial",
      .source = "[NAD] Thm 4.1",
      .statement =
          "Orthogonal start: g'(0) is 2/(e^beta+n-1) for Post-, Mix-LN and sqrt-scaling, 2/(r0(e^beta+n-1)) for "
          "Pre-LN, 2/(r0 sqrt(e^{2 beta}+n-1)) for Peri-LN, 2 alpha(0)/sqrt(e^{2 beta}+n-1) for nGPT; with r0 = "
          "alpha(0) = 1 Peri-LN and nGPT are fastest.",
      .hypotheses =
          "Q = K = V = I, softmax, g = 0, equal radii; in particles also (1/s_j+1/s_k)/(e^beta+n-1).",
      .prediction = "the six formulas; ratios of velocities > 1",
      .blind_to =
          "nothing of the formulas' form: they are compared in relative error at isolated n and beta only.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            compare_reduced(context, out);
            compare_particles(context, out);
            compare_order(context, out);
            refine(context, out);
            draw(context, out);
          },
      .proves =
          "the six formulas as identities of rational functions of e^beta, n, r0, alpha; and the field of the toolkit at 18 parameter sets to 50 digits",
      .prove = prove,
      .fixes = {{"velocity", Fixed::Kind::constant, "each of the six formulas"}},
      .search = search,
      .check_high = check_high};
}

} // namespace attndyn::verification::claims
