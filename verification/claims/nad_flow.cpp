// [NAD] sec. 3: (NA) is a gradient flow of E with a metric that the scheme and the partition function set.
#include "analysis/energy.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"
#include "verification/theory/predictions.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification::claims {
namespace {

/// -(2 beta s_j Z_j)^{-1} P_{theta_j} grad_j E in long double, from the printed formula alone: grad_j of
/// E = -sum_jk e^{beta <theta_j,theta_k>} by central differences, Z_j by plain sums. The four scalars of s_j
/// come from the same sums.
Vector<double> gradient_velocity(const Tokens<double>& tokens, double beta, const std::string& scheme,
                                 double t) {
  using Wide = long double;
  const auto [n, d] = tokens.shape();
  std::vector<Wide> theta(tokens.theta.data.begin(), tokens.theta.data.end());
  const auto energy = [&] {
    Wide e = 0;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) e -= std::exp(Wide(beta) * dot(&theta[j * d], &theta[k * d], d));
    return e;
  };
  Vector<double> out(n * d);
  for (std::size_t j = 0; j < n; ++j) {
    Wide partition = 0;
    std::vector<Wide> mean(d, 0), gradient(d);
    for (std::size_t k = 0; k < n; ++k) {
      const Wide w = std::exp(Wide(beta) * dot(&theta[j * d], &theta[k * d], d));
      partition += w;
      for (std::size_t i = 0; i < d; ++i) mean[i] += w * theta[k * d + i];
    }
    const Wide norm = std::sqrt(dot(mean.data(), mean.data(), d)) / partition;
    const double s = theory::speed_factor(scheme, t, tokens.r[j], static_cast<double>(norm), 1);
    // Fourth-order differences: h^4 ~ 1e-16 against round-off 1e-19 / h.
    const Wide h = 1e-4L;
    for (std::size_t i = 0; i < d; ++i) {
      const Wide at = theta[j * d + i];
      const auto shifted = [&](Wide by) {
        theta[j * d + i] = at + by;
        const Wide e = energy();
        theta[j * d + i] = at;
        return e;
      };
      gradient[i] = (8 * (shifted(h) - shifted(-h)) - (shifted(2 * h) - shifted(-2 * h))) / (12 * h);
    }
    const Wide along = dot(gradient.data(), &theta[j * d], d);
    for (std::size_t i = 0; i < d; ++i)
      out[j * d + i] = static_cast<double>(-(gradient[i] - along * theta[j * d + i]) /
                                           (2 * Wide(beta) * Wide(s) * partition));
  }
  return out;
}

void compare_velocities(const Context& context, Findings& out) {
  for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{2, 2}, {3, 2}, {5, 3}, {8, 5}})
    for (const char* beta : {"0.3", "1", "4"})
      for (const auto& scheme : every_scheme()) {
        auto start = gaussian<double>({n, d}, context.seed, n);
        ParticleParams<double> p;
        p.scheme.name = scheme;
        p.beta = beta;
        p.reduce_span = false;
        const auto c = make_particles(context, p, start, "Gaussian");
        const double t = 0.7; // before tau: the Post-LN half of Mix-LN
        Vector<double> dxdt(c.model->size());
        c.model->field(0, c.particles->start(), dxdt, t);
        const auto expected = gradient_velocity(start, p.beta.approx(), scheme == "mix" ? "post" : scheme, t);
        double size = 0, worst = 0;
        for (std::size_t i = 0; i < n * d; ++i) {
          size = std::max(size, std::abs(expected[i]));
          worst = std::max(worst, std::abs(expected[i] - dxdt[i]));
        }
        out.equal("max |theta' - gradient formula| / max |theta'|", worst / size, 0, 1e-10, c.where);
      }
  out.note(
      "velocities at seeded random states, n = 2, 3, 5, 8, against fourth-order differences of E in long double (bar 1e-10)");
}

void follow_energy(const Context& context, Findings& out) {
  for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{3, 2}, {8, 3}, {33, 5}})
    for (const char* beta : {"0.5", "3"})
      for (const auto& scheme : every_scheme()) {
        ParticleParams<double> p;
        p.scheme.name = scheme;
        p.scheme.tau = "1.5";
        p.beta = beta;
        const auto c =
            make_particles(context, p, uniform_on_sphere<double>({n, d}, context.seed, n), "uniform");
        std::vector<double> times;
        for (int i = 1; i <= (context.quick ? 20 : 100); ++i) times.push_back(0.1 * i);
        double before = std::numeric_limits<double>::quiet_NaN(),
               worst = std::numeric_limits<double>::infinity();
        const auto look = [&](const Vector<double>& x) {
          const auto tokens = to_tokens(x, c.particles->shape());
          const double deficit =
              analysis::energy_deficit(tokens.theta, c.particles->masses(), p.beta.approx()).value;
          // E printed is -(...): falling E is a falling deficit. In units of e^beta.
          if (!std::isnan(before)) worst = std::min(worst, before - deficit);
          before = deficit;
        };
        look(c.particles->start());
        for (const auto& sample : run(*c.model, c.particles->start(), times).samples) look(sample.x);
        const double noise =
            8 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(n)) / p.beta.approx();
        out.at_least("smallest decrease of E between two times", worst, 0, noise, c.where);
      }
  out.note(fmt::format("E along runs to t = {}, n = 3, 8, 33, steps of 0.1, tolerance {:g}",
                       context.quick ? 2 : 10, default_tolerance));
}

} // namespace

Claim nad_flow() {
  return {
      .id = "NAD-flow",
      .source = "[NAD] sec. 3",
      .statement =
          "For Q = K = V = I and beta > 0, (NA) is d theta_j/dt = -(2 beta s_j Z_j)^{-1} P grad_j E with E = "
          "-sum_jk e^{beta <theta_j,theta_k>} and Z_j = sum_k e^{beta <theta_j,theta_k>}; E is monotone "
          "along every scheme.",
      .hypotheses =
          "softmax attention, equal masses, random radii and directions, beta in [0.3, 4], seven schemes.",
      .prediction = "velocity equals the gradient formula; E does not increase",
      .blind_to = "beta above 4 and long times, where E changes by less than its rounding.",
      .expected = Verdict::holds,
      .check = [](const Context& context, Findings& out) {
        compare_velocities(context, out);
        follow_energy(context, out);
      }};
}

} // namespace attndyn::verification::claims
