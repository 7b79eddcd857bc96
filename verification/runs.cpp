#include "verification/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attndyn::verification {

Run run(const Model<double>& model, const Vector<double>& start, const std::vector<double>& times,
        double tolerance) {
  Options<double> options;
  options.tolerance = tolerance;
  auto solution = solve<double>(model, start, 0.0, times, options);
  if (!solution.ended_as_asked())
    throw std::runtime_error(fmt::format("a run ended with {}: {}", name_of(solution.why), solution.detail));
  return {std::move(solution.samples), 10 * std::max(tolerance, solution.error_estimate.value_or(0))};
}

Run refined_run(Findings& out, const std::string& where, const Model<double>& model,
                const Vector<double>& start, const std::vector<double>& times, double tolerance) {
  Run coarse = run(model, start, times, tolerance);
  const double tighter = std::max(tolerance / 100, 1e-13);
  const Run fine = run(model, start, times, tighter);
  double change = 0, size = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    for (std::size_t k = 0; k < start.size(); ++k) {
      change = std::max(change, std::abs(fine.samples[i].x[k] - coarse.samples[i].x[k]));
      size = std::max(size, std::abs(fine.samples[i].x[k]));
    }
  out.refined(fmt::format("states at tolerances {:g} and {:g}", tolerance, tighter), change,
              coarse.error + 64 * std::numeric_limits<double>::epsilon() * size, where);
  return coarse;
}

namespace {

std::string scheme_text(const SchemeParams& s) {
  if (s.name == "mix") return fmt::format("mix, tau = {}", s.tau.text());
  if (s.name == "ngpt" && (s.alpha.text() != "1" || s.alpha_decay.text() != "0"))
    return fmt::format("ngpt, alpha(t) = {} (1+t)^-{}", s.alpha.text(), s.alpha_decay.text());
  return s.name;
}

} // namespace

ParticleCase make_particles(const Context& context, const ParticleParams<double>& params,
                            const Tokens<double>& start, std::string start_name) {
  auto particles = std::make_shared<const Particles<double>>(params, start);
  return {particles, context.factory.particles(particles),
          fmt::format("{}, {}, n = {}, d = {}, beta = {}, start {}{}", scheme_text(params.scheme),
                      name_of(params.attention), start.shape().n, start.shape().d, params.beta.text(),
                      start_name, params.masses.empty() ? "" : ", unequal masses")};
}

EquiangularCase make_equiangular(const Context& context, const EquiangularParams& p) {
  auto equiangular = std::make_shared<const Equiangular<double>>(p);
  return {equiangular, context.factory.equiangular(equiangular),
          fmt::format("{}, {}, n = {}, beta = {}, g0 = {}, r0 = {}", scheme_text(p.scheme),
                      name_of(p.attention), p.n, p.beta.text(), p.g0.text(), p.r0.text()),
          fmt::format(
              "scheme = \"{}\"\nattention = \"{}\"\nn = {}\nbeta = \"{}\"\ng0 = \"{}\"\nr0 = \"{}\"\ntau = "
              "\"{}\"\nalpha = \"{}\"\nalpha-decay = \"{}\"\n",
              p.scheme.name, name_of(p.attention), p.n, p.beta.text(), p.g0.text(), p.r0.text(),
              p.scheme.tau.text(), p.scheme.alpha.text(), p.scheme.alpha_decay.text())};
}

const std::vector<std::string>& paper_schemes() {
  static const std::vector<std::string> names{"post", "pre", "mix", "peri", "ngpt", "sqrt"};
  return names;
}

const std::vector<std::string>& every_scheme() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const auto& info : scheme_list()) out.emplace_back(info.name);
    return out;
  }();
  return names;
}

Vector<double> unequal_masses(std::size_t n) {
  Vector<double> m(n);
  for (std::size_t j = 0; j < n; ++j) m[j] = 1.0 + static_cast<double>(j % 3);
  return m;
}

} // namespace attndyn::verification
