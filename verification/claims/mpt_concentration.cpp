// [MPT] Thm 6.9: from a uniform start the cosines stay near the equiangular g(t), the nearer the larger d.
//
// At t = 0 the cosines are independent up to their pairs, of variance 1/d; at a fixed time they are smooth
// functions of the initial ones, so that D = max_ij |cos_ij(t) - g(t)| is of order d^{-1/2} at fixed n, beta,
// t. The printed bound, a multiple of sqrt(log d/d), is what makes the probability tend to 1.
#include "analysis/fit.hpp"
#include "analysis/overlap.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"
#include "verification/uniform_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attndyn::verification::claims {
namespace {

constexpr const char* power = "exponent of max |cos - g| in d";

struct Setting {
  std::size_t n;
  const char *beta, *t;
};

double equiangular_gap(const Context& context, const Setting& s) {
  EquiangularParams p;
  p.n = static_cast<int>(s.n);
  p.beta = s.beta;
  const auto c = make_equiangular(context, p);
  return std::exp(run(*c.model, c.equiangular->start(), {Number(s.t).approx()}).samples[0].x[0]);
}

/// D of one start.
double deviation(const Context& context, const Setting& s, const Tokens<double>& start, double gap,
                 double tolerance = 1e-8) {
  ParticleParams<double> p;
  p.beta = s.beta;
  const auto c = make_particles(context, p, start, "uniform");
  Options<double> options;
  options.tolerance = tolerance;
  options.max_steps = 20'000;
  const auto solution = solve<double>(*c.model, c.particles->start(), 0.0, {Number(s.t).approx()}, options);
  if (!solution.ended_as_asked()) throw std::runtime_error(c.where + ": ended early: " + solution.detail);
  const Shape shape = c.particles->shape();
  double largest = 0;
  const auto& x = solution.samples[0].x;
  for (std::size_t i = 0; i < shape.n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      largest = std::max(largest, std::abs(chord_gap(&x[i * shape.d], &x[j * shape.d], shape.d) - gap));
  return largest;
}

/// log D over starts: mean and its standard error.
analysis::Estimate mean_log(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double v : values) sum += std::log(v);
  const double mean = sum / count;
  for (const double v : values) squares += (std::log(v) - mean) * (std::log(v) - mean);
  return {mean, std::sqrt(squares / (count - 1) / count)};
}

void compare(const Context& context, Findings& out, const Setting& s, const std::vector<double>& dimensions,
             std::size_t trials, bool demand_bar) {
  const double gap = equiangular_gap(context, s), predicted = context.exponent(power, -0.5);
  std::vector<double> x, first;
  std::vector<analysis::Estimate> y;
  std::vector<std::uint64_t> beyond;
  double multiple = 0;
  Curve curve{fmt::format("max |cos - g|, n = {}, beta = {}, t = {}", s.n, s.beta, s.t),
              "d",
              "exp mean log D",
              true,
              true,
              {}};
  std::uint64_t unit = 0;
  for (const double d : dimensions) {
    std::vector<double> values;
    for (std::size_t k = 0; k < trials; ++k)
      values.push_back(deviation(context, s, uniform_start(s.n, d, context.seed, ++unit), gap));
    const double unit_of_bound = std::sqrt(std::log(d) / d);
    // The multiple: what three starts in four keep at the smallest dimension.
    if (x.empty()) multiple = analysis::quantile(values, 0.75) / unit_of_bound;
    beyond.push_back(static_cast<std::uint64_t>(std::count_if(
        values.begin(), values.end(), [&](double v) { return !(v <= multiple * unit_of_bound); })));
    x.push_back(std::log(d));
    y.push_back(mean_log(values));
  }
  // Weighted line with known errors; they are much alike, so that ordinary weights serve.
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  double sxx = 0, slope = 0, variance = 0;
  for (const double v : x) sxx += (v - mean_x) * (v - mean_x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = (x[i] - mean_x) / sxx;
    slope += weight * y[i].value;
    variance += weight * weight * y[i].error * y[i].error;
  }
  const std::string where =
      fmt::format("post, n = {}, beta = {}, t = {}, d = {} .. {}, {} starts each, seed {}", s.n, s.beta, s.t,
                  dimensions.front(), dimensions.back(), trials, context.seed);
  // Four standard errors; the first correction is of relative order 1/sqrt d, its slope at most half that.
  const double bias = 0.5 / std::sqrt(dimensions.front()) / (x.back() - x.front());
  const double bar = 4 * std::sqrt(variance) + bias;
  out.equal("exponent of max |cos - g| in d", slope, predicted, bar, where);
  if (demand_bar) out.at_least("its bar is small", 0.0105, bar, 1e-4, where);
  const auto early = analysis::clopper_pearson(beyond.front(), trials, 0.99),
             late = analysis::clopper_pearson(beyond.back(), trials, 0.99);
  out.at_least("share of starts beyond the multiple: smallest d against largest", early.low - late.high, 0,
               0.01, where);
  out.note(fmt::format(
      "share beyond {:.3g} sqrt(log d/d) at 99 %: {:.3f} .. {:.3f} at the smallest d, {:.3f} .. {:.3f} at "
      "the largest ({})",
      multiple, early.low, early.high, late.low, late.high, where));
  for (std::size_t i = 0; i < x.size(); ++i)
    curve.points.push_back({std::exp(x[i]), std::exp(y[i].value), std::exp(y[i].value) * y[i].error,
                            std::exp(y[0].value + predicted * (x[i] - x[0]))});
  out.draw(std::move(curve));
}

/// The two ways to draw a start give D of one law: means of log D within four standard errors.
void compare_starts(const Context& context, Findings& out, const Setting& s, std::size_t trials) {
  const double gap = equiangular_gap(context, s);
  std::vector<double> drawn, by_law;
  for (std::size_t k = 0; k < trials; ++k) {
    drawn.push_back(deviation(context, s, uniform_start(s.n, 512, context.seed, k), gap));
    by_law.push_back(deviation(context, s, uniform_start_by_law(s.n, 512, context.seed, k), gap));
  }
  const auto a = mean_log(drawn), b = mean_log(by_law);
  out.equal("mean log D of tokens drawn in R^d against Gram matrices drawn by their law", a.value, b.value,
            4 * std::hypot(a.error, b.error), fmt::format("n = {}, d = 512, {} starts each", s.n, trials));
}

void check(const Context& context, Findings& out) {
  const Setting main{8, "1", "1"};
  if (context.quick)
    compare(context, out, main, {1e3, 1e5, 1e7}, 400, true);
  else {
    compare(context, out, main, {1e3, 1e4, 1e5, 1e6, 1e7, 1e8}, 800, true);
    compare(context, out, {2, "0", "0.5"}, {1e3, 1e5, 1e7}, 3000, false);
    compare(context, out, {4, "3", "1"}, {1e3, 1e5, 1e7}, 800, false);
  }
  compare_starts(context, out, main, context.quick ? 100 : 1000);
  const double gap = equiangular_gap(context, main);
  const auto start = uniform_start(main.n, 1024, context.seed, 1);
  out.refined("max |cos - g| at tolerances 1e-8 and 1e-11",
              deviation(context, main, start, gap, 1e-11) - deviation(context, main, start, gap), 1e-6,
              "n = 8, beta = 1, t = 1, d = 1024");
}

/// One start must keep a generous multiple: 6 times the size of the largest of n(n-1)/2 normal variables,
/// carried to t at the growth e^{2t} of the equiangular equation and that of beta.
Search search(const Context&) {
  Search s;
  s.axes = {{.name = "n", .low = 2, .high = 8, .scale = Axis::Scale::whole},
            {.name = "d", .low = 256, .high = 8192, .scale = Axis::Scale::whole_log},
            {.name = "beta", .low = 0, .high = 3},
            {.name = "t", .low = 0, .high = 2},
            {.name = "unit", .low = 1, .high = 1e6, .scale = Axis::Scale::whole}};
  for (const double n : {2.0, 8.0})
    for (const double d : {256.0, 8192.0})
      for (const double beta : {0.0, 3.0}) s.corners.push_back({n, d, beta, 1, 1});
  s.at = [](const Context& context, const std::vector<double>& at, Findings& out) {
    const std::string beta = fmt::format("{}", at[2]), t = fmt::format("{}", std::max(at[3], 1e-3));
    const Setting setting{static_cast<std::size_t>(at[0]), beta.c_str(), t.c_str()};
    const double gap = equiangular_gap(context, setting),
                 value = deviation(
                     context, setting,
                     uniform_start(setting.n, at[1], context.seed, static_cast<std::uint64_t>(at[4])), gap);
    const double multiple = 6 * std::exp(2 * at[3] + at[2] * gap);
    out.at_least("multiple - max |cos - g| / sqrt(log d/d)",
                 multiple - value / std::sqrt(std::log(at[1]) / at[1]), 0, 0.01,
                 fmt::format("n = {}, d = {}, beta = {}, t = {}, unit {}", at[0], at[1], beta, t, at[4]));
  };
  return s;
}

} // namespace

Claim mpt_concentration() {
  return {
      .id = "MPT-concentration",
      .source = "[MPT] Thm 6.9",
      .statement =
          "Uniform start, SA, Q = K = V = I: at a fixed t all pairwise cosines are within a multiple "
          "(depending on n, beta, t) of sqrt(log d/d) of the equiangular g(t), with probability tending to 1.",
      .hypotheses =
          "n = 2 .. 8, beta = 0 .. 3, t = 0.5 .. 2, d = 256 .. 1e8 (beyond 2048 the initial Gram matrix is drawn by its law).",
      .prediction = "max |cos - g| falls like d^{-1/2}; the share of starts beyond a fixed multiple of "
                    "sqrt(log d/d) falls",
      .blind_to = "how the multiple depends on n, beta and t; the factor sqrt(log d) against the exponent.",
      .expected = Verdict::holds,
      .check = check,
      .fixes = {{power, Fixed::Kind::exponent, "-1/2"}},
      .search = search};
}

} // namespace attndyn::verification::claims
