#include "verification/trials.hpp"

#include "analysis/overlap.hpp"
#include "lib/initial.hpp"
#include "lib/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attndyn::verification {
namespace {

constexpr double latest_log_time = 600; // radii that grow like t, and their inverses, stay representable
constexpr int more_patience = 5;

/// The largest speed |theta_j'| and the slowest dr_j/dt at the end of a run.
struct Motion {
  double fastest = 0, slowest_growth = std::numeric_limits<double>::infinity();
};

Motion motion_of(const Model<double>& model, Shape shape, const Vector<double>& x, double t) {
  Vector<double> dxdt(x.size());
  model.field(model.switches().size(), x, dxdt, t);
  Motion out;
  for (std::size_t j = 0; j < shape.n; ++j) {
    for (std::size_t i = 0; i < shape.d; ++i)
      out.fastest = std::max(out.fastest, std::abs(dxdt[j * shape.d + i])); // a norm would underflow
    const std::size_t radius = shape.n * shape.d + j;
    out.slowest_growth = std::min(out.slowest_growth, dxdt[radius] * std::exp(x[radius]));
  }
  return out;
}

End end_of(const Solution<double>& solution, const Motion& motion) {
  if (solution.why == Stop::observer) return End::synchronised;
  if (solution.why == Stop::radius_zero) return End::radius_zero;
  if (solution.why == Stop::singular_field) return End::singular;
  if (solution.why != Stop::reached_end || !(motion.fastest * solution.t < rest_distance))
    return End::undecided;
  return motion.slowest_growth > rest_distance ? End::at_rest : End::at_rest_stalled;
}

} // namespace

const char* name_of(End end) {
  constexpr const char* names[] = {"synchronised", "radius_zero",     "singular",
                                   "at_rest",      "at_rest_stalled", "undecided"};
  return names[static_cast<std::size_t>(end)];
}

Experiment uniform_trials(const Context& context, ParticleParams<double> params, Shape shape) {
  return {std::move(params), shape, "uniform", [shape, seed = context.seed](std::uint64_t unit) {
            return uniform_on_sphere<double>(shape, seed, unit);
          }};
}

Experiment gaussian_trials(const Context& context, ParticleParams<double> params, Shape shape) {
  return {std::move(params), shape, "Gaussian",
          [shape, seed = context.seed](std::uint64_t unit) { return gaussian<double>(shape, seed, unit); }};
}

Experiment near_start(const Context& context, ParticleParams<double> params, const Matrix<double>& centre,
                      std::string name, double noise) {
  return {std::move(params),
          {centre.cols, centre.rows},
          fmt::format("within {:g} of {}", noise, name),
          [centre, noise, seed = context.seed](std::uint64_t unit) {
            Matrix<double> moved = centre;
            Stream stream(seed, unit, Purpose::noise);
            for (double& x : moved.data) x += noise * stream.normal();
            return tokens_from(moved, false);
          }};
}

double time_of_clock(const SchemeParams& s, double clock) {
  const double latest = std::exp(latest_log_time);
  double t = clock;
  if (s.name == "pre" || s.name == "mix" || s.name == "peri") t = std::exp(std::min(clock, latest_log_time));
  if (s.name == "sqrt") t = (clock / 2 + 1) * (clock / 2 + 1) - 1;
  if (s.name == "lns") t = std::exp(2 * std::min(clock, latest_log_time / 2));
  if (s.name == "ngpt") {
    const double u = clock / s.alpha.approx(), k = s.alpha_decay.approx();
    t = k == 1                     ? std::expm1(std::min(u, latest_log_time))
        : k < 1 || (k - 1) * u < 1 ? std::pow(1 + (1 - k) * u, 1 / (1 - k)) - 1
                                   : latest;
  }
  return std::min(t, latest);
}

Trial run_trial(const Context& context, const Experiment& e, std::uint64_t unit, const Patience& patience) {
  const Tokens<double> start = e.start(unit);
  const auto c = make_particles(context, e.params, start, e.start_name);
  const Shape shape = c.particles->shape();
  const auto gap_of = [shape](const Vector<double>& x) {
    return analysis::one_minus_min_cosine(to_tokens(x, shape).theta);
  };
  Options<double> options;
  options.tolerance = patience.tolerance;
  options.control_global_error = false;
  options.max_steps = patience.max_steps;
  options.observer = [&](int, const double&, const Vector<double>& x) {
    return gap_of(x) < synchrony_gap ? Flow::stop : Flow::go;
  };
  const auto solution = solve<double>(*c.model, c.particles->start(), 0,
                                      {time_of_clock(e.params.scheme, patience.clock)}, options);
  const Motion motion = motion_of(*c.model, shape, solution.x, solution.t);
  return {end_of(solution, motion), unit, solution.t, gap_of(solution.x), motion.slowest_growth};
}

std::uint64_t Tally::of(End end) const {
  return static_cast<std::uint64_t>(
      std::count_if(trials.begin(), trials.end(), [end](const Trial& t) { return t.end == end; }));
}

double Tally::share(End end) const {
  if (of(End::undecided) > 0)
    throw std::runtime_error(fmt::format(
        "unit {} stays undecided: {}",
        std::find_if(trials.begin(), trials.end(), [](const Trial& t) { return t.end == End::undecided; })
            ->unit,
        words()));
  return static_cast<double>(of(end)) / static_cast<double>(size());
}

Tally& Tally::operator+=(const Tally& o) {
  trials.insert(trials.end(), o.trials.begin(), o.trials.end());
  return *this;
}

std::string Tally::words() const {
  std::string out = fmt::format("{} trials:", size());
  for (const End end : all_ends)
    if (of(end) > 0) out += fmt::format(" {} {},", of(end), name_of(end));
  out.pop_back();
  return out;
}

Tally run_trials(const Context& context, const Experiment& e, std::uint64_t first, std::uint64_t trials,
                 const Patience& patience) {
  Patience longer = patience;
  longer.clock *= more_patience;
  longer.max_steps *= more_patience;
  Tally out;
  for (std::uint64_t unit = first; unit < first + trials; ++unit) {
    out.trials.push_back(run_trial(context, e, unit, patience));
    if (out.trials.back().end != End::undecided) continue;
    out.trials.back() = run_trial(context, e, unit, longer);
    if (out.trials.back().end == End::undecided)
      break; // no verdict without it, and the next may take as long
  }
  return out;
}

} // namespace attndyn::verification
