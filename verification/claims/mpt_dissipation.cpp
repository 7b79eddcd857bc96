// [MPT] sec. 3: the rate at which the energy grows, and where it is largest.
#include "analysis/energy.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"

#include <boost/math/quadrature/gauss.hpp>

#include <fmt/format.h>

#include <cmath>
#include <tuple>

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

/// int of the dissipation along a run over the gain of energy.
void compare(const Context& context, Findings& out, const ParticleParams<double>& p,
             const Tokens<double>& start, const std::string& start_name, double t_end, bool refine) {
  const auto c = make_particles(context, p, start, start_name);
  std::vector<double> times;
  const auto nodes = rule(t_end);
  for (const auto& node : nodes) times.push_back(node.first);
  times.push_back(t_end);
  const auto r = refine ? refined_run(out, c.where, *c.model, c.particles->start(), times)
                        : run(*c.model, c.particles->start(), times);
  // The path is that of the factory's model, the dissipation along it that of (NA).
  double gained = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    gained += nodes[i].second *
              analysis::dissipation(*c.particles, r.samples[i].piece, r.samples[i].x, r.samples[i].t).value;
  const auto deficit = [&](const Vector<double>& x) {
    return analysis::energy_deficit(to_tokens(x, c.particles->shape()).theta, c.particles->masses(),
                                    p.beta.approx())
               .value *
           std::exp(p.beta.approx());
  };
  const double before = deficit(c.particles->start()), change = before - deficit(r.samples.back().x);
  if (!(change > 1e-6 * before))
    throw NotApplicable("the energy hardly changes: equal tokens or an equilibrium");
  out.equal("int sum m s Z |theta'|^2 dt over E(T) - E(0)", gained / change,
            context.constant("dissipation", 1), 1e-7 + 100 * r.error * before / change, c.where);
}

void check_identity(const Context& context, Findings& out) {
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
            compare(context, out, p, uniform_on_sphere<double>({n, d}, context.seed, n), "uniform", 2,
                    n == 5 && equal);
          }
  out.note(fmt::format(
      "identity over [0, 2] by Gauss-Legendre in {} panels, seven schemes, SA and USA, equal and unequal masses, n = 2, 5, 16",
      panels));
}

/// dE/dt by central differences of E along a run against the dissipation, USA.
void draw(const Context& context, Findings& out) {
  ParticleParams<double> p;
  p.attention = Attention::unnormalised;
  p.beta = 2;
  const auto c = make_particles(context, p, uniform_on_sphere<double>({16, 3}, context.seed, 16), "uniform");
  const double h = 1e-3;
  std::vector<double> times;
  for (int i = 1; i <= 40; ++i) { // later the differences are rounding
    times.push_back(0.1 * i - h);
    times.push_back(0.1 * i);
    times.push_back(0.1 * i + h);
  }
  const auto r = run(*c.model, c.particles->start(), times);
  const auto energy = [&](std::size_t i) {
    return analysis::energy(to_tokens(r.samples[i].x, c.particles->shape()).theta, c.particles->masses(), 2.0)
        .value;
  };
  Curve curve{"dE/dt by differences of E and by the identity, USA, n = 16, d = 3, beta = 2", "t", "dE/dt",
              false, true};
  for (std::size_t i = 1; i < times.size(); i += 3)
    curve.points.push_back({times[i], (energy(i + 1) - energy(i - 1)) / (2 * h), 0,
                            analysis::dissipation(*c.particles, 0, r.samples[i].x, times[i]).value});
  out.draw(std::move(curve));
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "scheme", .scale = Axis::Scale::choice, .names = every_scheme()},
            {.name = "attention", .scale = Axis::Scale::choice, .names = {"sa", "usa"}},
            {.name = "masses", .scale = Axis::Scale::choice, .names = {"equal", "unequal", "one is zero"}},
            {.name = "n", .low = 1, .high = 10, .scale = Axis::Scale::whole},
            {.name = "d", .low = 2, .high = 6, .scale = Axis::Scale::whole},
            {.name = "beta", .low = 1e-6, .high = 4, .scale = Axis::Scale::log},
            {.name = "T (USA: T e^beta)", .low = 1e-2, .high = 2, .scale = Axis::Scale::log},
            {.name = "start", .low = 0, .high = 1000, .scale = Axis::Scale::whole}};
  for (double scheme = 0; scheme < 7; ++scheme)
    for (const auto& [n, d, beta] : {std::tuple{1.0, 2.0, 1.0}, {2.0, 2.0, 1e-6}, {3.0, 6.0, 4.0}})
      s.corners.push_back({scheme, scheme < 3 ? 1.0 : 0.0, scheme < 5 ? 2.0 : 1.0, n, d, beta, 2, 0});
  s.at = [s](const Context& context, const std::vector<double>& x, Findings& out) {
    ParticleParams<double> p;
    p.scheme = {.name = every_scheme()[static_cast<std::size_t>(x[0])], .tau = "5"};
    p.attention = x[1] == 0 ? Attention::softmax : Attention::unnormalised;
    p.beta = Number(x[5]);
    const auto n = static_cast<std::size_t>(x[3]);
    if (x[2] > 0) p.masses = unequal_masses(n);
    if (x[2] == 2 && n > 1) p.masses[0] = 0;
    compare(context, out, p,
            uniform_on_sphere<double>({n, static_cast<std::size_t>(x[4])}, context.seed,
                                      static_cast<std::uint64_t>(x[7])),
            describe_point(s, x), x[1] == 0 ? x[6] : x[6] * std::exp(-x[5]), false);
  };
  return s;
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
          "E = (1/(2 beta)) sum_jk m_j m_k e^{beta <theta_j,theta_k>}: dE/dt = sum_i m_i s_i Z_i |theta_i'|^2 with Z_i = sum_k m_k e^{beta <theta_i,theta_k>} for SA and Z_i = 1 for "
          "USA; the maximisers of E are the single points.",
      .hypotheses = "Q = K = V = I, beta > 0, any masses, any scheme, SA and USA.",
      .prediction =
          "the integral of the dissipation equals the gain of energy; E is below e^beta/(2 beta) off single points",
      .blind_to = "maximisers: random configurations and their contractions are tried, not all.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            check_identity(context, out);
            check_maximisers(context, out);
            draw(context, out);
          },
      .fixes = {{"dissipation", Fixed::Kind::constant, "sum_i m_i s_i Z_i |theta_i'|^2"}},
      .search = search};
}

} // namespace attndyn::verification::claims
