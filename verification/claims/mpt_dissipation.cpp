// [MPT] sec. 3: the rate at which the energy grows, and where it is largest.
#include "analysis/energy.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"

#include <boost/math/quadrature/gauss.hpp>

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification::claims {
namespace {

constexpr int panels = 12;

/// Gauss-Legendre nodes and weights on [0, t_end] in `panels` panels: a rule that shares nothing with the
/// stepper.
std::vector<std::pair<double, double>> rule(double t_end) {
  using Gauss = boost::math::quadrature::gauss<double, 10>;
  std::vector<std::pair<double, double>> nodes;
  const double half = t_end / panels / 2;
  for (int k = 0; k < panels; ++k)
    for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i)
      for (double sign : {-1.0, 1.0})
        nodes.emplace_back(half * (2 * k + 1 + sign * Gauss::abscissa()[i]), half * Gauss::weights()[i]);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

void check_identity(const Context& context, Findings& out) {
  const double t_end = 2;
  for (const auto attention : {Attention::softmax, Attention::unnormalised})
    for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{2, 2}, {5, 3}, {16, 4}})
      for (const char* beta : {"0.5", "2"})
        for (const bool equal : {true, false})
          for (const auto& scheme : every_scheme()) {
            ParticleParams<double> p;
            p.scheme = {.name = scheme, .tau = "5"};
            p.attention = attention;
            p.beta = beta;
            if (!equal) p.masses = unequal_masses(n);
            const auto c =
                make_particles(context, p, uniform_on_sphere<double>({n, d}, context.seed, n), "uniform");
            std::vector<double> times;
            const auto nodes = rule(t_end);
            for (const auto& node : nodes) times.push_back(node.first);
            times.push_back(t_end);
            const auto r = run(*c.model, c.particles->start(), times);
            // The path is that of the factory's model, the dissipation along it that of (NA).
            double gained = 0;
            for (std::size_t i = 0; i < nodes.size(); ++i)
              gained += nodes[i].second * analysis::dissipation(*c.particles, r.samples[i].piece,
                                                                r.samples[i].x, r.samples[i].t)
                                              .value;
            const auto deficit = [&](const Vector<double>& x) {
              return analysis::energy_deficit(to_tokens(x, c.particles->shape()).theta, c.particles->masses(),
                                              p.beta.approx())
                         .value *
                     std::exp(p.beta.approx());
            };
            const double change = deficit(c.particles->start()) - deficit(r.samples.back().x);
            out.equal("int sum m s Z |theta'|^2 dt over E(T) - E(0)", gained / change, 1, 1e-7, c.where);
          }
  out.note(fmt::format(
      "identity over [0, 2] by Gauss-Legendre in {} panels, seven schemes, SA and USA, equal and unequal masses, n = 2, 5, 16",
      panels));
}

void check_maximisers(const Context& context, Findings& out) {
  for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{2, 2}, {5, 3}, {33, 8}})
    for (double beta : {0.1, 1.0, 10.0})
      for (std::uint64_t k = 0; k < 20; ++k) {
        auto tokens = uniform_on_sphere<double>({n, d}, context.seed, k);
        // From far apart to nearly one point: the deficit must stay positive.
        for (double shrink : {1.0, 1e-2, 1e-5}) {
          Matrix<double> moved(d, n);
          for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < d; ++i)
              moved(i, j) = tokens.theta(i, 0) * (1 - shrink) + shrink * tokens.theta(i, j);
          const auto near = tokens_from(moved, false);
          const double deficit = analysis::energy_deficit(near.theta, Vector<double>{}, beta).value;
          out.at_least("energy deficit over squared spread", deficit / (shrink * shrink), 0, 1e-12,
                       fmt::format("n = {}, d = {}, beta = {}, spread {}", n, d, beta, shrink), false);
        }
      }
  out.note("E below its value at one point, at 20 seeded random configurations shrunk to 1, 1e-2, 1e-5");
}

} // namespace

Claim mpt_dissipation() {
  return {
      .id = "MPT-dissipation",
      .source = "[MPT] sec. 3",
      .statement =
          "dE/dt = sum_i m_i s_i Z_i |theta_i'|^2 with Z_i = sum_k m_k e^{beta <theta_i,theta_k>} for SA and Z_i = 1 for "
          "USA; the maximisers of E are the single points.",
      .hypotheses = "Q = K = V = I, beta > 0, any masses, any scheme, SA and USA.",
      .prediction =
          "the integral of the dissipation equals the gain of energy; E is below e^beta/(2 beta) off single points",
      .blind_to = "maximisers: random configurations and their contractions are tried, not all.",
      .expected = Verdict::holds,
      .check = [](const Context& context, Findings& out) {
        check_identity(context, out);
        check_maximisers(context, out);
      }};
}

} // namespace attndyn::verification::claims
