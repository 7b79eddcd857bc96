// ~ and ->: the rate, the exponent or the limit that a sequence tends to.
#include "analysis/fit.hpp"
#include "verification/user/relations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace attndyn::verification::user {
namespace {

struct Tending {
  analysis::Estimate limit;
  std::vector<Curve::Point> points;
};

/// The limit of a sequence whose terms are off by so much each. Late terms may creep by less than that: of
/// the limits that the beginnings of the sequence give (at least half of it) the one with the smallest bar is
/// taken.
analysis::Estimate limit_with_noise(const std::vector<double>& terms, const std::vector<double>& noise) {
  analysis::Estimate best{terms.back(), std::numeric_limits<double>::infinity()};
  double q = 0.9; // by what the differences shrink a step, from the last that stand above the noise
  for (std::size_t n = std::max<std::size_t>(5, terms.size() / 2); n <= terms.size(); ++n) {
    const double last = terms[n - 1] - terms[n - 2], before = terms[n - 2] - terms[n - 3];
    const double bar = std::max({noise[n - 1], noise[n - 2], noise[n - 3]});
    analysis::Estimate now{terms[n - 1], 0};
    if (std::min(std::abs(last), std::abs(before)) > 4 * bar) {
      q = std::clamp(std::abs(last / before), 0.0, 0.99);
      now = analysis::limit_of(std::span(terms).first(n));
      // Aitken's extrapolation multiplies the noise of its terms.
      now.error += bar * (1 + q) * (1 + q) / ((1 - q) * (1 - q));
    } else {
      now.error = (std::abs(last) + 2 * bar) / (1 - q);
    }
    if (now.error < best.error) best = now;
  }
  return best;
}

class InTheLimit {
public:
  InTheLimit(const Description& d, const Context& context, const System& system)
      : d_(d), system_(system), observable_(system.formula("observable", text())),
        prediction_(system.formula("prediction", d.prediction)) {
    for (std::size_t i = system.first_observable(); i <= system.time_index(); ++i)
      if (prediction_.uses(i))
        throw d.problem("prediction", d.prediction,
                        "must be made of parameters alone for the relations ~ and ->");
    const Measured p = system.measure(prediction_, system.start_sample(), 0);
    predicted_ = {is_exponent() ? context.exponent(predicted_name, p.value)
                                : context.constant(predicted_name, p.value),
                  p.bar};
  }

  Tending at(std::size_t intervals, double tolerance) const {
    const auto times = window_times(d_, system_, intervals);
    const auto track = system_.solve(times, tolerance);
    std::vector<Measured> values;
    for (const auto& sample : track.samples) {
      values.push_back(d_.derivative ? system_.derivative(observable_, sample, track.error)
                                     : system_.measure(observable_, sample, track.error));
      if (!std::isfinite(values.back().value) || !std::isfinite(values.back().bar))
        throw std::domain_error(fmt::format("{} = {} (error bar {:.2g}) is not comparable at {}, t = {:.6g}",
                                            text(), values.back().value, values.back().bar, system_.where(),
                                            sample.t));
    }
    std::vector<double> terms, noise;
    Tending out;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (d_.relation == Relation::limit) {
        terms.push_back(values[i].value);
        out.points.push_back({times[i], values[i].value, values[i].bar, predicted_.value});
        noise.push_back(values[i].bar);
      } else if (i > 0) {
        const double step = d_.power_law ? std::log(times[i] / times[i - 1]) : times[i] - times[i - 1];
        const double sign = d_.power_law ? 1 : -1, bar = (values[i].bar + values[i - 1].bar) / step;
        terms.push_back(sign * (values[i].value - values[i - 1].value) / step);
        out.points.push_back({times[i], terms.back(), bar, predicted_.value});
        noise.push_back(bar);
      }
    }
    out.limit = limit_with_noise(terms, noise);
    return out;
  }

  Measured predicted() const { return predicted_; }
  std::string quantity() const {
    if (d_.relation == Relation::limit)
      return "limit of " + std::string(d_.derivative ? "d/dt of " : "") + d_.observable;
    return d_.power_law ? "exponent p of " + d_.observable + " ~ C t^p"
                        : "rate k of " + d_.observable + " ~ C exp(-k t)";
  }
  bool is_exponent() const { return d_.relation == Relation::rate && d_.power_law; }

private:
  /// What is followed; 1-g keeps its digits, and does not underflow, as its logarithm.
  std::string text() const {
    if (d_.relation == Relation::limit) return d_.observable;
    return d_.kind == SystemKind::equiangular && d_.observable == "one_minus_g"
               ? "log_one_minus_g"
               : "log(" + d_.observable + ")";
  }

  const Description& d_;
  const System& system_;
  Formula observable_, prediction_;
  Measured predicted_{0, 0};
};

} // namespace

Curve compare_in_the_limit(const Description& d, const Context& context, const System& system, Findings& out,
                           bool refine) {
  const InTheLimit c(d, context, system);
  auto [limit, points] = c.at(d.samples, d.tolerance);
  const std::string where = fmt::format("{}, t = {:g} .. {:g}", system.where(), system.begin(), system.end());
  if (refine) {
    auto fine = c.at(2 * d.samples, d.tolerance / 100);
    const double change = std::abs(fine.limit.value - limit.value);
    // Not a comparison of its own: it widens the bar, and a bar that is too wide decides nothing.
    out.refined(fmt::format("{} at tolerances {:g} and {:g}, {} and {} samples: changes by {:.2g} at {}",
                            c.quantity(), d.tolerance, d.tolerance / 100, d.samples, 2 * d.samples, change,
                            where));
    limit = {fine.limit.value, fine.limit.error + change};
    points = std::move(fine.points);
  }
  const double error = std::max(limit.error + c.predicted().bar, 1e-300);
  if (!std::isfinite(limit.error))
    throw std::domain_error(
        c.quantity() + " is not comparable: what is measured does not settle in the window, at " + where);
  out.equal(c.quantity(), limit.value, c.predicted().value, error, where);
  // A bar so wide that a prediction off by 2 % (0.1 for an exponent) would pass too decides nothing.
  double size = std::abs(c.predicted().value);
  if (d.relation == Relation::limit)
    for (const auto& p : points) size = std::max(size, std::abs(p.measured));
  if (const double widest = c.is_exponent() ? 0.01 : 0.002 * size; error > widest)
    throw std::runtime_error(
        fmt::format("{} is known to +-{:.2g} only, +-{:.2g} is needed: a later window or more samples "
                    "would decide it, at {}",
                    c.quantity(), error, widest, where));
  return {d.id + " at " + system.where(), "t", c.quantity(), d.log_spacing, false, std::move(points)};
}

void check_limit_formulas(const Description& d, const System& system) { InTheLimit(d, {}, system); }

} // namespace attndyn::verification::user
