// Wendel's theorem (Math. Scand. 11, 1962), used in [MPT]: the probability of a common open hemisphere.
#include "analysis/fit.hpp"
#include "analysis/hemisphere.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"
#include "verification/theory/almost_sure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attndyn::verification::claims {
namespace {

double probability(const Context& context, int n, int d) {
  const double base = context.constant("base", 2), power = context.exponent("power of the base", -(n - 1));
  return context.constant("probability", 1) * std::pow(base, power) *
         static_cast<double>(theory::wendel_count(n, d));
}

bool share_a_hemisphere(Shape shape, std::uint64_t seed, std::uint64_t unit) {
  return analysis::hemisphere(uniform_on_sphere<double>(shape, seed, unit).theta).margin > 0;
}

std::uint64_t successes(Shape shape, std::uint64_t seed, std::uint64_t first, std::uint64_t trials) {
  std::uint64_t k = 0;
  for (std::uint64_t unit = first; unit < first + trials; ++unit) k += share_a_hemisphere(shape, seed, unit);
  return k;
}

struct Share {
  double value, bar; ///< bar: half of the 99.9999 % Clopper-Pearson interval
};

Share share_of(std::uint64_t k, std::uint64_t n) {
  const auto interval = analysis::clopper_pearson(k, n, 1 - 1e-6);
  const double value = static_cast<double>(k) / static_cast<double>(n);
  return {value, std::max(interval.high - value, value - interval.low)};
}

/// One (n, d): the share of `trials` starts, and of twice as many.
Curve::Point compare_share(const Context& context, Findings& out, int n, int d, std::uint64_t trials) {
  const Shape shape{static_cast<std::size_t>(n), static_cast<std::size_t>(d)};
  const std::uint64_t first = successes(shape, context.seed, 0, trials),
                      all = first + successes(shape, context.seed, trials, trials);
  const Share half = share_of(first, trials), both = share_of(all, 2 * trials);
  const double predicted = probability(context, n, d);
  const std::string where =
      fmt::format("n = {}, d = {}, {} of {} trials, seed {}", n, d, all, 2 * trials, context.seed);
  out.equal("share of starts in an open hemisphere", both.value, predicted, both.bar, where);
  out.refined("share of starts in an open hemisphere with twice the trials", both.value - half.value,
              half.bar, where);
  return {static_cast<double>(n), both.value, both.bar, predicted};
}

void shares(const Context& context, Findings& out) {
  const std::uint64_t trials = context.quick ? 1500 : 20'000;
  std::size_t systems = 0;
  for (const int d : {1, 2, 3, 5, 8}) {
    Curve curve{
        fmt::format("d = {}: probability of an open hemisphere", d), "n", "probability", false, false, {}};
    for (const int n : {1, 2, 3, 4, 5, 6, 8, 12, 16}) {
      if (n > 3 * d + 3) continue;
      curve.points.push_back(compare_share(context, out, n, d, trials));
      ++systems;
    }
    out.draw(std::move(curve));
  }
  // One token less than certain: 1 - 2^{-d}, where a few trials tell 2 % apart.
  const int d = 12;
  compare_share(context, out, d + 1, d, context.quick ? 10'000 : 50'000);
  // n = 2 d: exactly one half.
  compare_share(context, out, 6, 3, context.quick ? 5000 : 200'000);
  out.note(fmt::format(
      "{} pairs (n, d), d = 1 .. 12, n = 1 .. 16, {} trials each and again with as many more; bars "
      "are 99.9999 % Clopper-Pearson",
      systems + 2, trials));
}

/// d = 2 by another route: the tokens share an open half circle if some gap between neighbouring angles
/// exceeds pi.
void half_circles(const Context& context, Findings& out) {
  const std::uint64_t trials = context.quick ? 1000 : 20'000;
  for (const std::size_t n : {1, 2, 3, 5, 9}) {
    std::uint64_t differ = 0;
    for (std::uint64_t unit = 0; unit < trials; ++unit) {
      const auto theta = uniform_on_sphere<double>({n, 2}, context.seed, unit).theta;
      std::vector<double> angle;
      for (std::size_t j = 0; j < n; ++j) angle.push_back(std::atan2(theta(1, j), theta(0, j)));
      std::sort(angle.begin(), angle.end());
      double widest = angle.front() + 2 * std::numbers::pi - angle.back();
      for (std::size_t j = 1; j < n; ++j) widest = std::max(widest, angle[j] - angle[j - 1]);
      differ += (widest > std::numbers::pi) != share_a_hemisphere({n, 2}, context.seed, unit);
    }
    out.equal("d = 2: starts on which the hull and the angles disagree", static_cast<double>(differ), 0, 0.1,
              fmt::format("n = {}, {} trials, seed {}", n, trials, context.seed));
  }
}

/// The sum of binomials against the recursion of Schlaefli's count, both exact.
void recursion(Findings& out) {
  std::uint64_t differ = 0;
  for (int n = 1; n <= 60; ++n)
    for (int d = 1; d <= 70; ++d) differ += theory::wendel_count(n, d) != theory::schlaefli_half_count(n, d);
  out.equal("pairs (n, d) at which binomials and recursion differ", static_cast<double>(differ), 0, 0.1,
            "n = 1 .. 60, d = 1 .. 70");
}

Search search_of(const Context&) {
  Search s;
  s.axes = {{"n", 1, 24, Axis::Scale::whole}, {"d", 1, 12, Axis::Scale::whole}};
  s.corners = {{1, 1}, {2, 1}, {2, 2}, {3, 2}, {3, 3}, {24, 1}, {24, 12}, {24, 2}, {13, 12}};
  s.at = [](const Context& context, const std::vector<double>& x, Findings& out) {
    const int n = static_cast<int>(x[0]), d = static_cast<int>(x[1]);
    const std::uint64_t trials = 2000;
    const std::uint64_t k = successes({static_cast<std::size_t>(n), static_cast<std::size_t>(d)},
                                      context.seed, 1'000'000, trials);
    const Share share = share_of(k, trials);
    out.equal("share of starts in an open hemisphere", share.value, probability(context, n, d), share.bar,
              fmt::format("n = {}, d = {}, {} of {} trials, seed {}", n, d, k, trials, context.seed));
  };
  return s;
}

} // namespace

Claim mpt_wendel() {
  return {
      .id = "MPT-wendel",
      .source = "[MPT], Wendel (1962)",
      .statement =
          "n independent uniform points of S^{d-1} lie in a common open hemisphere with probability 2^{-(n-1)} "
          "sum_{k<d} C(n-1, k).",
      .hypotheses = "d = 1 .. 12, n = 1 .. 24, n <= d and n = 2d among them.",
      .prediction = "2^{-(n-1)} sum_{k<d} C(n-1, k)",
      .blind_to = "probabilities below 1e-3, which no trial shows; there the two exact counts agree.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            shares(context, out);
            half_circles(context, out);
            recursion(out);
          },
      .fixes = {{"probability", Fixed::Kind::constant, "2^{-(n-1)} sum_{k<d} C(n-1, k)"},
                {"base", Fixed::Kind::constant, "2"},
                {"power of the base", Fixed::Kind::exponent, "-(n-1)"}},
      .search = search_of};
}

} // namespace attndyn::verification::claims
