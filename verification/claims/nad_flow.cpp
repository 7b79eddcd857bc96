// [NAD] sec. 3: (NA) is a gradient flow of E with a metric that the scheme and the partition function set.
#include "analysis/energy.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"
#include "verification/theory/predictions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

namespace attndyn::verification::claims {
namespace {

struct Velocities {
  Vector<double> v;
  double scale; ///< the largest |grad_j E|/(2 beta s_j Z_j) before the projection: roundings are of this size
};

/// -(2 beta s_j Z_j)^{-1} P_{theta_j} grad_j E in long double, from the printed formula alone: grad_j of
/// E = -sum_jk e^{beta <theta_j,theta_k>} by central differences, Z_j by plain sums. The four scalars of s_j
/// come from the same sums.
Velocities gradient_velocity(const Tokens<double>& tokens, double beta, const std::string& scheme, double t) {
  using Wide = long double;
  const auto [n, d] = tokens.shape();
  std::vector<Wide> theta(tokens.theta.data.begin(), tokens.theta.data.end());
  const auto energy = [&] {
    Wide e = 0;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) // the constant n^2 has no gradient, and only costs digits
        e -= std::expm1(Wide(beta) * dot(&theta[j * d], &theta[k * d], d));
    return e;
  };
  Velocities out{Vector<double>(n * d), 0};
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
    const Wide factor = 2 * Wide(beta) * Wide(s) * partition;
    for (std::size_t i = 0; i < d; ++i) {
      out.v[j * d + i] = static_cast<double>(-(gradient[i] - along * theta[j * d + i]) / factor);
      out.scale = std::max(out.scale, static_cast<double>(std::abs(gradient[i] / factor)));
    }
  }
  return out;
}

/// The field at a state against the formula.
void compare_velocity(const Context& context, Findings& out, const std::string& scheme, const Number& beta,
                      const Tokens<double>& start, const std::string& start_name) {
  ParticleParams<double> p;
  p.scheme.name = scheme;
  p.beta = beta;
  p.reduce_span = false;
  const auto c = make_particles(context, p, start, start_name);
  const double t = 0.7; // before tau: the Post-LN half of Mix-LN
  Vector<double> dxdt(c.model->size());
  c.model->field(0, c.particles->start(), dxdt, t);
  const auto expected = gradient_velocity(start, p.beta.approx(), scheme == "mix" ? "post" : scheme, t);
  double worst = 0;
  for (std::size_t i = 0; i < expected.v.size(); ++i)
    worst = std::max(worst, std::abs(context.constant("velocity", 1) * expected.v[i] - dxdt[i]));
  out.equal("max |theta' - gradient formula| / size of the gradient", worst / expected.scale, 0, 1e-10,
            c.where);
}

void compare_velocities(const Context& context, Findings& out) {
  Curve curve{"one token's velocity against the gradient formula (Pre-LN, n = 5)", "gradient formula",
              "theta' of the field"};
  for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{2, 2}, {3, 2}, {5, 4}, {8, 3}})
    for (const char* beta : {"0.3", "1", "4"})
      for (const auto& scheme : every_scheme())
        compare_velocity(context, out, scheme, beta, gaussian<double>({n, d}, context.seed, n), "Gaussian");
  ParticleParams<double> p;
  p.scheme.name = "pre";
  p.beta = 1;
  const auto start = gaussian<double>({5, 4}, context.seed, 5);
  p.reduce_span = false;
  const auto c = make_particles(context, p, start, "Gaussian");
  Vector<double> dxdt(c.model->size());
  c.model->field(0, c.particles->start(), dxdt, 0);
  const auto expected = gradient_velocity(start, 1, "pre", 0);
  for (std::size_t i = 0; i < expected.v.size(); ++i)
    curve.points.push_back({expected.v[i], dxdt[i], 1e-10 * expected.scale, expected.v[i]});
  out.draw(std::move(curve));
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
        const bool refine = n == 8 && p.beta.text() == "3";
        const auto path = refine ? refined_run(out, c.where, *c.model, c.particles->start(), times)
                                 : run(*c.model, c.particles->start(), times);
        for (const auto& sample : path.samples) look(sample.x);
        const double noise =
            8 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(n)) / p.beta.approx();
        out.at_least("smallest decrease of E between two times", worst, 0, noise, c.where);
      }
  out.note(fmt::format("E along runs to t = {}, n = 3, 8, 33, steps of 0.1, tolerance {:g}",
                       context.quick ? 2 : 10, default_tolerance));
}

} // namespace

namespace {

/// Random states of any size and shape; the number of the start is its seed.
Search search(const Context&) {
  Search s;
  s.axes = {{.name = "scheme", .scale = Axis::Scale::choice, .names = every_scheme()},
            {.name = "n", .low = 1, .high = 12, .scale = Axis::Scale::whole},
            {.name = "d", .low = 1, .high = 8, .scale = Axis::Scale::whole},
            {.name = "beta", .low = 1e-6, .high = 20, .scale = Axis::Scale::log},
            {.name = "radius", .low = 1e-6, .high = 1e6, .scale = Axis::Scale::log},
            {.name = "start", .low = 0, .high = 1000, .scale = Axis::Scale::whole}};
  for (double scheme = 0; scheme < 7; ++scheme)
    for (const auto& [n, d, beta] :
         {std::tuple{1.0, 1.0, 1.0}, {2.0, 1.0, 1.0}, {3.0, 2.0, 1e-6}, {8.0, 2.0, 20.0}})
      s.corners.push_back({scheme, n, d, beta, scheme < 3 ? 1e-6 : 1e6, 0});
  s.at = [s](const Context& context, const std::vector<double>& x, Findings& out) {
    auto start = gaussian<double>({static_cast<std::size_t>(x[1]), static_cast<std::size_t>(x[2])},
                                  context.seed, static_cast<std::uint64_t>(x[5]));
    for (double& r : start.r) r *= x[4];
    compare_velocity(context, out, every_scheme()[static_cast<std::size_t>(x[0])], Number(x[3]), start,
                     describe_point(s, x));
  };
  return s;
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
      .check =
          [](const Context& context, Findings& out) {
            compare_velocities(context, out);
            follow_energy(context, out);
          },
      .fixes = {{"velocity", Fixed::Kind::constant, "2 beta s_j Z_j"}},
      .search = search};
}

} // namespace attndyn::verification::claims
