// [NAD] Thm 4.1, first part: the velocities of the cosines at the orthogonal start.
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/proof/prove.hpp"
#include "verification/runs.hpp"
#include "verification/theory/predictions.hpp"

#include <fmt/format.h>

#include <cmath>

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
          const auto c = make_equiangular(context, p);
          const double predicted =
              theory::initial_velocity(scheme, n, p.beta.approx(), p.r0.approx(), p.scheme.alpha.approx());
          out.equal("g'(0) / prediction", reduced_velocity(c) / predicted, 1,
                    bar * (1 + std::abs(p.beta.approx())), c.where, c.witness);
        }
  out.note("reduced equation, n = 2 .. 1e5, beta = -3 .. 40, r0 and alpha both 1 and not");
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
          },
      .proves =
          "the six formulas as identities of rational functions of e^beta, n, r0, alpha; and the field of the toolkit at 18 parameter sets to 50 digits",
      .prove = prove};
}

} // namespace attndyn::verification::claims
