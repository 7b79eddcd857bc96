// [MFT] Fig. 3: when nearly all of 32 tokens from a uniform start have met, as a curve t*(beta).
//
// At large d a uniform start is almost orthogonal, so that all cosines follow the equiangular g(t), and the
// share of pairs with cosine >= 0.999 jumps from 0 to 1 where g reaches 0.999. Cosines of size d^{-1/2} at
// the start speed single pairs up by e^{beta c/sqrt d}, which is why large beta needs large d.
#include "analysis/fit.hpp"
#include "analysis/overlap.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"
#include "verification/uniform_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attndyn::verification::claims {
namespace {

constexpr std::size_t tokens = 32;
constexpr double met = 1e-3; ///< 1 - 0.999
constexpr const char* place = "time of the jump over t*";

/// t*(beta) by an event of the reduced run.
double meeting_time(const Context& context, const std::string& beta) {
  EquiangularParams p;
  p.n = tokens;
  p.beta = beta;
  const auto c = make_equiangular(context, p);
  Options<double> options;
  options.tolerance = 1e-11;
  options.max_steps = 20'000;
  options.events.push_back({"g = 0.999", [](const Vector<double>& x, double) { return x[0] - std::log(met); },
                            Event<double>::Direction::falling, true});
  const double last = 10 + tokens + std::exp(p.beta.approx());
  const auto s = solve<double>(*c.model, c.equiangular->start(), 0.0, {last}, options);
  if (s.events.empty()) throw std::runtime_error(c.where + ": never reaches g = 0.999");
  return s.events[0].t;
}

double median_gap(const Vector<double>& x, Shape shape) {
  std::vector<double> gaps;
  for (std::size_t i = 0; i < shape.n; ++i)
    for (std::size_t j = 0; j < i; ++j) gaps.push_back(chord_gap(&x[i * shape.d], &x[j * shape.d], shape.d));
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

/// One start: shares of pairs at 0.9 t* and 1.1 t*, and when half of the pairs have met.
struct Trial {
  double early, late, half;
};

Trial trial(const Context& context, const std::string& beta, double d, std::uint64_t unit, double t_star,
            double tolerance = 1e-6) {
  ParticleParams<double> p;
  p.beta = beta;
  const auto c = make_particles(context, p, uniform_start(tokens, d, context.seed, unit), "uniform");
  const Shape shape = c.particles->shape();
  Trial out{0, 0, 1.1 * t_star};
  Options<double> options;
  options.tolerance = tolerance;
  options.max_steps = 20'000;
  options.events.push_back(
      {"half of the pairs",
       [=](const Vector<double>& x, double) { return std::log(median_gap(x, shape) / met); },
       Event<double>::Direction::falling, false});
  const auto s = solve<double>(*c.model, c.particles->start(), 0.0, {0.9 * t_star, 1.1 * t_star}, options);
  if (!s.ended_as_asked()) throw std::runtime_error(c.where + ": ended early: " + s.detail);
  const auto share = [&](std::size_t i) {
    return analysis::share_of_close_pairs(to_tokens(s.samples[i].x, shape).theta, 1 - met);
  };
  out.early = share(0);
  out.late = share(1);
  if (!s.events.empty()) out.half = s.events[0].t;
  return out;
}

struct Mean {
  double value, error;
};

/// Mean and standard error; the least error keeps the bar honest where all starts agree.
Mean mean_of(const std::vector<Trial>& trials, double Trial::*what, double least_error) {
  const auto count = static_cast<double>(trials.size());
  double sum = 0, squares = 0;
  for (const Trial& t : trials) sum += t.*what;
  const double mean = sum / count;
  for (const Trial& t : trials) squares += (t.*what - mean) * (t.*what - mean);
  return {mean, std::max(std::sqrt(squares / (count * std::max(count - 1, 1.0))), least_error)};
}

struct Row {
  const char* beta;
  std::vector<double> dimensions; ///< growing; the claim is tested at the last
  std::size_t trials;
};

std::vector<Row> rows(bool quick) {
  if (quick) return {{"1", {1e3, 1e6}, 12}, {"6", {1e4, 1e8}, 12}};
  return {{"0.1", {1e2, 1e3, 1e4, 1e6}, 12}, {"1", {1e2, 1e3, 1e4, 1e6}, 12}, {"3", {1e2, 1e3, 1e4, 1e7}, 12},
          {"5", {1e3, 1e4, 1e5, 1e8}, 12},   {"6", {1e3, 1e4, 1e5, 1e8}, 12}, {"9", {1e4, 1e5, 1e6, 1e9}, 8}};
}

void compare(const Context& context, Findings& out, const Row& row, std::vector<Curve>& curves) {
  const double t_star = meeting_time(context, row.beta);
  std::vector<Mean> halves;
  Mean early{}, late{};
  std::string where;
  std::uint64_t unit = 0;
  for (const double d : row.dimensions) {
    std::vector<Trial> trials;
    for (std::size_t k = 0; k < row.trials; ++k)
      trials.push_back(trial(context, row.beta, d, ++unit, t_star));
    // A share that is the same in so many starts is known to half of 1/(starts + 1), and no better.
    const double least = 0.5 / static_cast<double>(row.trials + 1);
    early = mean_of(trials, &Trial::early, least);
    late = mean_of(trials, &Trial::late, least);
    halves.push_back(mean_of(trials, &Trial::half, 1e-6 * t_star));
    where = fmt::format("n = {}, beta = {}, d = {}, t* = {:.8g}, {} starts, seed {}", tokens, row.beta, d,
                        t_star, row.trials, context.seed);
    out.note(fmt::format("mean shares {:.3f} at 0.9 t*, {:.3f} at 1.1 t*, half of the pairs at {:.5f} t*: {}",
                         early.value, late.value, halves.back().value / t_star, where));
    curves[0].points.push_back({d, early.value, early.error, 0.1});
    curves[1].points.push_back({d, late.value, late.error, 0.9});
  }
  out.at_least("0.1 - mean share at 0.9 t*", 0.1 - early.value, 0, 2 * early.error, where, false);
  out.at_least("mean share at 1.1 t* - 0.9", late.value - 0.9, 0, 2 * late.error, where, false);
  const double shift = std::abs(halves.back().value / t_star - 1),
               before = std::abs(halves.front().value / t_star - 1);
  out.refined(fmt::format("d = {} to {}: the jump moves from {:.2g} t* off to {:.2g} t* off",
                          row.dimensions.front(), row.dimensions.back(), before, shift));
  // The shift is of order d^{-1/2} at most: what can be left of it is seen from the smaller d.
  double left = 0;
  for (std::size_t i = 0; i + 1 < halves.size(); ++i)
    left = std::max(left, std::abs(halves[i].value / t_star - 1) *
                              std::sqrt(row.dimensions[i] / row.dimensions.back()));
  const double bar = 4 * halves.back().error / t_star + left + 1e-5;
  out.equal("time at which half of the pairs have met, over t*", halves.back().value / t_star,
            context.constant(place, 1), bar, where);
  out.at_least("its bar is small", 0.002, bar, 2e-5, where);
}

void check(const Context& context, Findings& out) {
  std::vector<Curve> curves{
      {"mean share of pairs with cosine >= 0.999 at 0.9 t*", "d", "share", true, false, {}},
      {"mean share of pairs with cosine >= 0.999 at 1.1 t*", "d", "share", true, false, {}}};
  for (const Row& row : rows(context.quick)) compare(context, out, row, curves);
  for (auto& c : curves) {
    c.reference = "bound";
    out.draw(std::move(c));
  }
  const double t_star = meeting_time(context, "1");
  const Trial coarse = trial(context, "1", 1000, 1, t_star),
              fine = trial(context, "1", 1000, 1, t_star, 1e-8);
  out.refined("half time over t* at tolerances 1e-6 and 1e-8", (fine.half - coarse.half) / t_star, 1e-4,
              "beta = 1, d = 1000");
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "beta", .low = 0, .high = 4},
            {.name = "d", .low = 2e4, .high = 1e9, .scale = Axis::Scale::whole_log},
            {.name = "unit", .low = 1, .high = 1e6, .scale = Axis::Scale::whole}};
  for (const double beta : {0.0, 1.0, 4.0}) s.corners.push_back({beta, 2e4, 1});
  s.at = [](const Context& context, const std::vector<double>& at, Findings& out) {
    const std::string beta = fmt::format("{}", at[0]);
    const double t_star = meeting_time(context, beta);
    const Trial one = trial(context, beta, at[1], static_cast<std::uint64_t>(at[2]), t_star);
    const std::string where =
        fmt::format("n = {}, beta = {}, d = {}, seed {}, unit {}", tokens, beta, at[1], context.seed, at[2]);
    out.at_least("0.1 - share at 0.9 t* of one start", 0.1 - one.early, 0, 0.01, where);
    out.at_least("share at 1.1 t* of one start - 0.9", one.late - 0.9, 0, 0.01, where);
  };
  return s;
}

} // namespace

Claim mft_phase_diagram() {
  return {
      .id = "MFT-phase-diagram",
      .source = "[MFT] Fig. 3",
      .statement =
          "n = 32, uniform start, Post-LN: the share of pairs with cosine >= 0.999 at (t, beta) jumps, as d "
          "grows, along the curve t*(beta) where the equiangular g reaches 0.999: its mean is < 0.1 at "
          "0.9 t* and > 0.9 at 1.1 t* for large d.",
      .hypotheses =
          "Q = K = V = I, softmax; beta = 0.1 .. 9, d to 1e6 .. 1e9 (beyond 2048 the Gram matrix is drawn by its law).",
      .prediction = "shares < 0.1 and > 0.9 at the largest d; half of the pairs have met at t*",
      .blind_to =
          "how large d must be: fluctuations of the first cosines act like e^{beta c/sqrt d}; beta beyond 9.",
      .expected = Verdict::holds,
      .check = check,
      .fixes = {{place, Fixed::Kind::constant, "1: g(t*) = 0.999"}},
      .search = search};
}

} // namespace attndyn::verification::claims
