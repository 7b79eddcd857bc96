// [NAD] Thm 4.3, first part: from a start of cosines >= 1-delta the radii of Pre- and Peri-LN grow at least
// like (1-delta) t.
//
// For delta <= 1 the least cosine never falls (its derivative is a sum of terms <theta_k,theta_j> -
// <theta_i,theta_k><theta_i,theta_j> >= 0 at the least pair), and A_j is a convex combination of tokens, so
// that r_j' = a_j (Pre-LN) or a_j/|A_j| (Peri-LN, |A_j| <= 1) is at least 1-delta at every time. This is
// checked at every step of a run, r_j' as well as r_j: with r_j' >= 1-delta between steps no time is missed.
#include "analysis/overlap.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"
#include "verification/unit_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attndyn::verification::claims {
namespace {

struct Start {
  std::string scheme;
  Shape shape;
  double beta, share; ///< of the largest delta, below 1
  std::string start, weight;
  double radius;
};

ParticleCase make_case(const Context& context, const Start& s, double& delta) {
  ParticleParams<double> p;
  p.scheme.name = s.scheme;
  p.beta = Number(s.beta);
  p.weights = {{Head<double>{unit_weight(s.weight, s.shape.d, context.seed, 2), {}, {}, {}}}};
  const double asked = s.share * std::min(1.0, printed_largest_delta(s.shape.n, s.beta));
  auto start = close_start(s.start, s.shape, asked, context.seed);
  for (std::size_t j = 0; j < s.shape.n; ++j) start.r[j] = s.radius * (1 + 0.5 * static_cast<double>(j % 3));
  delta = analysis::one_minus_min_cosine(start.theta);
  auto c = make_particles(context, p, start, fmt::format("{}, delta = {:.6g}", s.start, delta));
  c.where += fmt::format(", Q {}, radii from {:g}", s.weight, s.radius);
  return c;
}

struct Worst {
  double value = std::numeric_limits<double>::infinity(), t = 0;
  void see(double v, double at) {
    if (!(v >= value)) value = v, t = at; // a NaN is the worst
  }
};

struct Growth {
  Worst rate, radius; ///< least r_j' - (1-delta), least r_j/t - (1-delta)
  double error;
};

Growth measure(const ParticleCase& c, double delta, double tolerance, double t_end) {
  const auto [n, d] = c.particles->shape();
  Growth out{};
  int last = -1;
  Vector<double> dxdt(c.particles->size());
  Options<double> options;
  options.tolerance = tolerance;
  options.max_steps = 3'000;
  options.observer = [&](int run, double t, const Vector<double>& x) {
    if (run != last) out.rate = out.radius = {}; // the last run is the answer
    last = run;
    c.model->field(0, x, dxdt, t);
    for (std::size_t j = 0; j < n; ++j) {
      const double r = std::exp(x[n * d + j]);
      out.rate.see(r * dxdt[n * d + j] - (1 - delta), t);
      if (t > 0) out.radius.see(r / t - (1 - delta), t);
    }
    return Flow::go;
  };
  const auto s = solve<double>(*c.model, c.particles->start(), 0.0, {t_end}, options);
  if (!s.ended_as_asked())
    throw std::runtime_error(fmt::format("{}: ended with {}: {}", c.where, name_of(s.why), s.detail));
  // r_j/t <= 1 + r_0/t: an error of log r is that of r_j/t up to a small factor.
  out.error = 20 * std::max(tolerance, s.error_estimate.value_or(0)) + 1e-14;
  return out;
}

Growth compare(const Context& context, Findings& out, const Start& s, double t_end) {
  double delta = 0;
  const auto c = make_case(context, s, delta);
  const Growth g = measure(c, delta, 1e-10, t_end);
  out.at_least("least r_j' - (1-delta) of a run", g.rate.value, 0, g.error,
               fmt::format("{}, t = {:.3g} of {:g}", c.where, g.rate.t, t_end));
  out.at_least("least r_j/t - (1-delta) of a run", g.radius.value, 0, g.error,
               fmt::format("{}, t = {:.3g} of {:g}", c.where, g.radius.t, t_end));
  return g;
}

/// The beta > 0 up to which every delta < 1 is admitted.
double widest(std::size_t n) { return 0.1 / static_cast<double>(n); }

void check(const Context& context, Findings& out) {
  const double t_end = context.quick ? 10 : 1e4;
  for (const char* scheme : {"pre", "peri"}) {
    for (const auto& weight : unit_weight_names())
      for (const auto& start : close_start_names())
        for (const auto& [shape, scale] :
             {std::pair{Shape{2, 2}, 1.0}, {Shape{3, 3}, -1.0}, {Shape{8, 8}, 3.0}, {Shape{12, 12}, -120.0}})
          for (const double radius : {1e-6, 1.0})
            compare(context, out, {scheme, shape, scale * widest(shape.n), 0.999, start, weight, radius},
                    t_end);
    // Many tokens opposite to one: its r' begins at 1 - delta + delta/n, the closest to the bound there is.
    for (const std::size_t n : {32, context.quick ? 64 : 256})
      compare(context, out, {scheme, {n, 2}, widest(n), 0.5, "one against the rest", "identity", 1e-6}, 10);
  }
  out.note(fmt::format(
      "n = 2 .. {}, radii from 1e-6 and 1, delta just below min(1, 1/(100 n^2 beta^2)), times to {:g}, "
      "every step; seed {}",
      context.quick ? 64 : 256, t_end, context.seed));
  const Start sharp{"pre", {32, 2}, widest(32), 0.5, "one against the rest", "identity", 1e-6};
  double delta = 0;
  const auto c = make_case(context, sharp, delta);
  const Growth coarse = measure(c, delta, 1e-10, 10), fine = measure(c, delta, 1e-12, 10);
  out.refined("least r_j' - (1-delta) at tolerances 1e-10 and 1e-12", fine.rate.value - coarse.rate.value,
              coarse.error, c.where);
  // There r_1' = w_11 + (1 - w_11)(1-delta) at the start; beta delta moves w_11 from 1/n by a small amount.
  const double w = 1 / (1 + 31 * std::exp(-sharp.beta * delta));
  out.equal("r_1'(0) - (1-delta) of one token against 31", fine.rate.value, w * delta, 1e-9, c.where);

  Curve curve{"r_1/t of one token against 31, Pre-LN, delta = 0.5", "t", "r_1/t", true, false, {}};
  std::vector<double> times;
  for (int i = 0; i <= 60; ++i) times.push_back(std::pow(10, -4 + 0.1 * i));
  const Run r = run(*c.model, c.particles->start(), times, 1e-10);
  for (const auto& s : r.samples)
    curve.points.push_back({s.t, std::exp(s.x[2 * 32]) / s.t, r.error, 1 - delta});
  curve.reference = "bound";
  out.draw(std::move(curve));
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "scheme", .scale = Axis::Scale::choice, .names = {"pre", "peri"}},
            {.name = "n", .low = 2, .high = 24, .scale = Axis::Scale::whole},
            {.name = "beta n", .low = -30, .high = 30},
            {.name = "delta / largest", .low = 1e-3, .high = 0.9999, .scale = Axis::Scale::log},
            {.name = "start", .scale = Axis::Scale::choice, .names = close_start_names()},
            {.name = "Q", .scale = Axis::Scale::choice, .names = unit_weight_names()},
            {.name = "radius", .low = 1e-9, .high = 10, .scale = Axis::Scale::log}};
  for (const double scheme : {0.0, 1.0})
    for (const double n : {2.0, 3.0, 24.0})
      for (const double beta_n : {0.1, -0.1, 30.0})
        s.corners.push_back({scheme, n, beta_n, 0.9999, 2, 0, 1e-9});
  s.at = [](const Context& c, const std::vector<double>& at, Findings& out) {
    const auto n = static_cast<std::size_t>(at[1]);
    compare(c, out,
            {at[0] == 0 ? "pre" : "peri",
             {n, n},
             at[2] / at[1],
             at[3],
             close_start_names()[static_cast<std::size_t>(at[4])],
             unit_weight_names()[static_cast<std::size_t>(at[5])],
             at[6]},
            100);
  };
  return s;
}

} // namespace

Claim nad_4_3i() {
  return {.id = "NAD-4.3i",
          .source = "[NAD] Thm 4.3",
          .statement =
              "V = I, |Q^T K| <= 1, all <theta_j,theta_k> >= 1-delta, delta < 1/(100 n^2 beta^2): Pre- and "
              "Peri-LN have r_j(t) >= (1-delta) t.",
          .hypotheses =
              "n = 2 .. 256, both signs of beta, Q of norm 1, K = I, delta <= 1; radii from 1e-6 on. (For "
              "delta > 1 the bound is negative and says nothing.)",
          .prediction = "r_j' >= 1-delta and r_j >= (1-delta) t at every time",
          .blind_to = "times beyond 1e4; between steps it leans on r_j' >= 1-delta at both ends.",
          .expected = Verdict::holds,
          .check = check,
          .search = search};
}

} // namespace attndyn::verification::claims
