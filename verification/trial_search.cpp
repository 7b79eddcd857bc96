#include "verification/trial_search.hpp"

#include "lib/initial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace attndyn::verification {
namespace {

enum Coordinate { scheme, attention, start, tokens, dimension, beta, noise, radius };

/// The largest radius of the radial schemes adds log r to the clock that a run has; 10^2 is little of e^600.
constexpr double largest_radius = 100;

Experiment experiment_at(const Context& context, const TrialDomain& domain, const std::vector<double>& x) {
  ParticleParams<double> p;
  p.scheme = domain.schemes.at(static_cast<std::size_t>(x[scheme]));
  p.attention = domain.attentions.at(static_cast<std::size_t>(x[attention]));
  p.beta = Number(x[beta]);
  const auto n = static_cast<std::size_t>(x[tokens]);
  auto d = static_cast<std::size_t>(x[dimension]);
  if (domain.d_at_least_n) d = std::max(d, n + 1); // room for groups of equal size, too
  Experiment out;
  switch (static_cast<int>(x[start])) {
  case 0: out = uniform_trials(context, p, {n, d}); break;
  case 1:
    out = near_start(context, p, simplex<double>({std::min(n, d + 1), d}).theta, "the simplex", x[noise]);
    break;
  case 2:
    out = near_start(context, p, antipodal_groups((n + 1) / 2, d), "two antipodal groups", x[noise]);
    break;
  default: out = near_start(context, p, cross_polytope(d), "the cross-polytope", x[noise]);
  }
  if (domain.d_at_least_n && out.shape.n > d)
    throw NotApplicable(fmt::format("d = {}: must be >= n = {}", d, out.shape.n));
  out.start = [inner = std::move(out.start), r = x[radius]](std::uint64_t unit) {
    Tokens<double> t = inner(unit);
    std::fill(t.r.begin(), t.r.end(), r);
    return t;
  };
  return out;
}

} // namespace

Matrix<double> antipodal_groups(std::size_t m, std::size_t d) {
  Matrix<double> out(d, 2 * m);
  for (std::size_t j = 0; j < 2 * m; ++j) out(0, j) = j < m ? 1 : -1;
  return out;
}

Matrix<double> cross_polytope(std::size_t d) {
  Matrix<double> out(d, 2 * d);
  for (std::size_t i = 0; i < d; ++i) {
    out(i, 2 * i) = 1;
    out(i, 2 * i + 1) = -1;
  }
  return out;
}

Search search_trials(const TrialDomain& domain) {
  Search s;
  std::vector<std::string> schemes, attentions;
  for (const auto& one : domain.schemes)
    schemes.push_back(one.name == "ngpt" && compare(one.alpha_decay, 0) != 0
                          ? fmt::format("ngpt with alpha-decay {}", one.alpha_decay.text())
                          : one.name);
  for (const auto one : domain.attentions) attentions.emplace_back(name_of(one));
  const auto least_d = static_cast<double>(domain.least_d);
  s.axes = {{"scheme", 0, 1, Axis::Scale::choice, schemes},
            {"attention", 0, 1, Axis::Scale::choice, attentions},
            {"start", 0, 1, Axis::Scale::choice, {"uniform", "simplex", "groups", "cross-polytope"}},
            {"n", 1, 40, Axis::Scale::whole_log},
            {"d", least_d, 8, Axis::Scale::whole},
            {"beta", domain.least_beta, domain.most_beta},
            {"noise", 1e-6, 1e-1, Axis::Scale::log},
            {"r", 1 / largest_radius, largest_radius, Axis::Scale::log}};
  for (std::size_t k = 0; k < schemes.size(); ++k)
    for (std::size_t a = 0; a < attentions.size(); ++a)
      for (const double where : {1.0, 2.0, 3.0})
        s.corners.push_back({static_cast<double>(k), static_cast<double>(a), where, 4, least_d,
                             where == 1 ? domain.most_beta : domain.least_beta, 1e-6, 1});
  for (const double n : {1.0, 2.0})
    s.corners.push_back({0, 0, 0, n, least_d, domain.least_beta, 1e-3, 1 / largest_radius});
  s.at = [domain](const Context& context, const std::vector<double>& x, Findings& out) {
    const Experiment e = experiment_at(context, domain, x);
    const Trial t = run_trials(context, e, 0, 1).trials[0];
    const std::string where = fmt::format(
        "{}, n = {}, d = {}, beta = {:.17g}, r = {:.17g}, start {}, seed {}", e.params.scheme.name, e.shape.n,
        e.shape.d, x[beta], x[radius], e.start_name, context.seed);
    if (t.end == End::undecided)
      throw std::runtime_error(fmt::format("{}: still moving at t = {:.4g}", where, t.t));
    const bool allowed =
        std::find(domain.allowed.begin(), domain.allowed.end(), t.end) != domain.allowed.end();
    out.at_least("minus the trials that end otherwise", allowed ? 0 : -1, 0, 0.5, where);
  };
  return s;
}

} // namespace attndyn::verification
