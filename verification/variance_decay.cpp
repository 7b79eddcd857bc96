#include "verification/variance_decay.hpp"

#include "analysis/fit.hpp"
#include "analysis/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

namespace attndyn::verification {

double variance_rate(const ParticleCase& c, std::size_t piece, const Vector<double>& x, double t) {
  const auto [n, d] = c.particles->shape();
  Vector<double> dxdt(x.size()), mean(d, 0);
  c.model->field(piece, x, dxdt, t);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < d; ++i) mean[i] += x[j * d + i] / static_cast<double>(n);
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < d; ++i) sum += (mean[i] - x[j * d + i]) * dxdt[j * d + i];
  return 2 * sum / (static_cast<double>(n) * analysis::variance(to_tokens(x, {n, d}).theta));
}

ParticleCase make_close(const Context& context, const RateLaw& law, const CloseStart& s) {
  ParticleParams<double> p;
  p.scheme = law.scheme;
  p.beta = Number(s.beta);
  p.reduce_span = false; // a start along the axes keeps the digits of its chords
  p.weights = {{Head<double>{unit_weight(s.weight, s.shape.d, context.seed, 1), {}, {}, {}}}};
  auto start = close_start(s.start, s.shape, s.delta, context.seed);
  for (std::size_t j = 0; !s.equal_radii && j < s.shape.n; ++j) start.r[j] = 0.5 + static_cast<double>(j % 3);
  auto c = make_particles(context, p, start, fmt::format("{}, delta = {:.4g}", s.start, s.delta));
  c.where += fmt::format(", Q {}, {} radii", s.weight, s.equal_radii ? "equal" : "unequal");
  return c;
}

namespace {

std::vector<double> geometric(double first, double last, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(first * std::pow(last / first, i / (count - 1.0)));
  return out;
}

} // namespace

Rates measure_rates(const ParticleCase& c, const RateLaw& law, double tolerance) {
  Options<double> options;
  options.tolerance = tolerance;
  options.max_steps = 5'000;
  const auto s =
      solve<double>(*c.model, c.particles->start(), 0.0, geometric(law.first, law.last, 9), options);
  if (!s.ended_as_asked())
    throw std::runtime_error(fmt::format("{}: ended with {}: {}", c.where, name_of(s.why), s.detail));
  Rates out;
  for (const auto& at : s.samples) {
    out.x.push_back(law.x(at.t));
    out.rate.push_back(variance_rate(c, at.piece, at.x, at.t));
  }
  return out;
}

void compare_rates(const Context& context, Findings& out, const RateLaw& law, const CloseStart& s,
                   bool demand_bar, const std::string& witness) {
  const auto c = make_close(context, law, s);
  const Rates m = measure_rates(c, law, 1e-11);
  const std::string where = fmt::format("{}, t = {:g} .. {:g}", c.where, law.first, law.last);
  for (const double rate : m.rate) out.at_least("-d log Var/dt is positive", rate, 0, 1e-12, where, false);
  const auto all = analysis::log_slope(m.x, m.rate);
  const auto late = analysis::log_slope(std::span(m.x).subspan(4), std::span(m.rate).subspan(4));
  const double bar = 2 * all.error + 2 * std::abs(late.value - all.value) + 1e-6;
  out.equal("exponent of -d log Var/dt in " + law.variable, all.value, law.exponent, bar, where, witness);
  if (demand_bar) out.at_least("its bar is small", 0.01, bar, 1e-3, where);
  for (std::size_t i = 0; i < m.x.size(); ++i) {
    const double constant = m.rate[i] / std::pow(m.x[i], law.exponent);
    out.at_least("rate over its law, from below", constant, 1, 1e-3, where, true, witness);
    out.at_least("rate over its law, from above", 4, constant, 1e-3, where, true, witness);
  }
}

CloseStart admitted(Shape shape, double beta, double share, std::string start, std::string weight,
                    bool equal_radii) {
  const double delta = share * std::min(1.0, printed_largest_delta(shape.n, beta));
  return {shape, beta, delta, std::move(start), std::move(weight), equal_radii};
}

} // namespace attndyn::verification
