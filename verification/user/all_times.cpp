// <=, >= and == at all times of a window, or at a first time.
#include "verification/user/relations.hpp"

#include <boost/math/tools/minima.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace attndyn::verification::user {
namespace {

constexpr std::size_t most_minima = 12;

struct Compared {
  double t;
  double measured, predicted, error, margin;
};

class AllTimes {
public:
  AllTimes(const Description& d, const Context& context, const System& system)
      : d_(d), context_(context), system_(system), observable_(system.formula("observable", d.observable)),
        prediction_(system.formula("prediction", d.prediction)) {}

  Compared at(const Sample<double>& sample, double error) const {
    const Seen seen = see(sample, error);
    return compared(sample.t,
                    d_.derivative ? system_.derivative(observable_, sample, error)
                                  : System::measure(observable_, seen),
                    System::measure(prediction_, seen));
  }

  /// Throws for a first_time that is no condition.
  void check_first_time() const {
    if (!d_.first_time.empty()) (void)difference();
  }

  /// At the grid of so many intervals.
  struct Pass {
    System::Track track;
    std::vector<Compared> points;
  };
  Pass pass(const std::vector<double>& times, double tolerance) const {
    Pass out{system_.solve(times, tolerance), {}};
    for (const auto& sample : out.track.samples) out.points.push_back(at(sample, out.track.error));
    return out;
  }

  /// Times between samples at which the margin is least, from brackets around its deepest minima.
  std::vector<double> worst_between(const Pass& pass, double tolerance) const {
    const auto& p = pass.points;
    std::vector<std::size_t> minima;
    for (std::size_t i = 0; i < p.size(); ++i)
      if ((i == 0 || p[i].margin <= p[i - 1].margin) && (i + 1 == p.size() || p[i].margin <= p[i + 1].margin))
        minima.push_back(i);
    std::sort(minima.begin(), minima.end(), [&](auto a, auto b) { return p[a].margin < p[b].margin; });
    minima.resize(std::min(minima.size(), most_minima));
    std::vector<double> out;
    for (const std::size_t i : minima) {
      const std::size_t low = i == 0 ? 0 : i - 1, high = std::min(i + 1, p.size() - 1);
      const auto margin = [&](double t) {
        const double m = at(system_.near(pass.track.samples[low], t, tolerance), pass.track.error).margin;
        return std::isnan(m) ? -std::numeric_limits<double>::max() : m; // not comparable is the worst
      };
      std::uintmax_t most_calls = 24;
      out.push_back(boost::math::tools::brent_find_minima(margin, p[low].t, p[high].t, 20, most_calls).first);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  /// The first time that the file asks for, and the comparison there.
  std::pair<Sample<double>, Compared> first_time(double tolerance) const {
    const Formula condition = difference();
    Event<double> event{"first_time", {}, Event<double>::Direction::falling, true};
    const auto value = [&](const Sample<double>& s) {
      return condition(system_.see(s, 0, {&condition}).values);
    };
    event.value = [&](const Vector<double>& x, const double& t) { return value(system_.sample(x, t)); };
    Sample<double> found = system_.start_sample();
    Measured time{0, 0};
    double error = 10 * tolerance;
    if (const double at_start = value(found); std::isnan(at_start)) {
      throw std::domain_error("first_time = " + d_.first_time + " is not a number at t = 0, at " +
                              system_.where());
    } else if (at_start > 0) {
      const auto track = system_.solve({system_.end()}, tolerance, &event);
      if (!track.met)
        throw std::runtime_error(fmt::format("first_time = {} is not met by t = {:g}, at {}", d_.first_time,
                                             system_.end(), system_.where()));
      found = track.samples.back();
      error = track.error;
      const double speed = std::abs(system_.derivative(condition, found, error).value);
      time = {found.t, system_.measure(condition, found, error).bar / speed + error * std::max(1.0, found.t)};
    }
    Seen seen = see(found, error);
    const std::size_t T = system_.time_index() + 1;
    seen.values[T] = time.value;
    seen.bars[T] = time.bar;
    return {found, compared(found.t, System::measure(observable_, seen), System::measure(prediction_, seen))};
  }

  void add(Findings& out, const Compared& c, const Sample<double>& sample, double error) const {
    const std::string where = fmt::format("{}, t = {:.10g}", system_.where(), c.t);
    const std::string quantity = this->quantity();
    std::string witness;
    if (c.margin < 0 && d_.first_time.empty() && !d_.derivative)
      witness = system_.witness(
          fmt::format("{} {} {} = {:.12g}", d_.observable, symbol(), d_.prediction, c.predicted),
          fmt::format("{} = {:.12g}", d_.observable, c.measured), c.t, see(sample, error));
    if (d_.relation == Relation::equal) out.equal(quantity, c.measured, c.predicted, c.error, where, witness);
    if (d_.relation == Relation::at_least)
      out.at_least(quantity, c.measured, c.predicted, c.error, where, true, witness);
    if (d_.relation == Relation::at_most)
      out.at_most(quantity, c.measured, c.predicted, c.error, where, true, witness);
  }

private:
  const char* symbol() const {
    return d_.relation == Relation::equal ? "==" : d_.relation == Relation::at_least ? ">=" : "<=";
  }

  std::string quantity() const { return (d_.derivative ? "d/dt of " : "") + d_.observable; }

  Seen see(const Sample<double>& sample, double error) const {
    return system_.see(sample, error, {&observable_, &prediction_});
  }

  Compared compared(double t, Measured measured, Measured predicted) const {
    const double value = context_.constant(predicted_name, predicted.value);
    const double error = std::max(measured.bar + predicted.bar, std::numeric_limits<double>::min());
    const double above = (measured.value - value) / error;
    const double margin = 1 + (d_.relation == Relation::equal      ? -std::abs(above)
                               : d_.relation == Relation::at_least ? above
                                                                   : -above);
    if (!std::isfinite(margin) &&
        !(std::isfinite(measured.value) && std::isfinite(value) && std::isfinite(error)))
      throw std::domain_error(
          fmt::format("{} = {} and {} = {} (error bar {:.2g}) are not comparable at {}, t = {:.6g}",
                      quantity(), measured.value, d_.prediction, value, error, system_.where(), t));
    return {t, measured.value, value, error, margin};
  }

  /// Positive until the condition of first_time is met.
  Formula difference() const {
    const auto at = std::min(d_.first_time.find("<="), d_.first_time.find(">="));
    if (at == std::string::npos || d_.first_time.find_first_of("<>", at + 2) != std::string::npos)
      throw d_.problem("first_time", d_.first_time, "must be X <= Y or X >= Y with formulas X and Y");
    const std::string left = "(" + d_.first_time.substr(0, at) + ")",
                      right = "(" + d_.first_time.substr(at + 2) + ")";
    return system_.formula("first_time", d_.first_time[at] == '<' ? left + "-" + right : right + "-" + left);
  }

  const Description& d_;
  const Context& context_;
  const System& system_;
  Formula observable_, prediction_;
};

/// The largest change in units of its bar.
void demand_small_change(const Description& d, Findings& out, const std::vector<Compared>& coarse,
                         const std::vector<Compared>& fine, std::size_t stride, const std::string& where) {
  std::size_t worst = 0;
  const auto change = [&](std::size_t i) { return std::abs(fine[i * stride].measured - coarse[i].measured); };
  for (std::size_t i = 1; i < coarse.size(); ++i)
    if (change(i) / coarse[i].error > change(worst) / coarse[worst].error) worst = i;
  const std::string what = fmt::format(
      "{} at tolerances {:g} and {:g}{}", d.observable, d.tolerance, d.tolerance / 100,
      stride == 1 ? std::string() : fmt::format(", {} and {} samples", coarse.size(), fine.size()));
  const std::string at = fmt::format("{}, t = {:.6g}", where, coarse[worst].t);
  // Not for the statement to answer for: a run that does not settle says nothing about it.
  if (change(worst) > coarse[worst].error)
    throw std::runtime_error(fmt::format("{} changes by {:.2g}, more than its bar {:.2g}, at {}", what,
                                         change(worst), coarse[worst].error, at));
  out.refined(what, change(worst), coarse[worst].error, at);
}

/// Throws where the bars are so wide that a wrong statement would hold as well: an equality that is nowhere
/// resolved to a tenth of 2 %, an inequality that holds by less than a bar of more than that of all that is
/// there.
void demand_resolution(const Description& d, const System& system, const std::vector<Compared>& points) {
  constexpr double fine = 0.002;
  if (d.relation == Relation::equal) {
    if (std::none_of(points.begin(), points.end(), [](const Compared& p) {
          return p.predicted == 0 || p.error <= fine * std::abs(p.predicted);
        }))
      throw std::runtime_error(
          fmt::format("{}: the error bars exceed 0.2 % of the prediction at every time, at {}", d.observable,
                      system.where()));
    return;
  }
  double size = 0;
  for (const Compared& p : points) size = std::max({size, std::abs(p.measured), std::abs(p.predicted)});
  for (const Compared& p : points)
    if (p.margin >= 0 && p.margin < 2 && p.error > fine * size)
      throw std::runtime_error(fmt::format(
          "{}: is decided by an error bar of {:.2g}, more than 0.2 % of the largest value {:.2g}, at {}, t = {:.6g}: a "
          "tighter tolerance, an earlier end of the window or an observable that keeps its digits would decide it",
          d.observable, p.error, size, system.where(), p.t));
}

} // namespace

void check_all_times_formulas(const Description& d, const System& system) {
  AllTimes(d, {}, system).check_first_time();
}

std::vector<double> window_times(const Description& d, const System& system, std::size_t intervals) {
  const double a = system.begin(), b = system.end();
  std::vector<double> out{a};
  for (std::size_t i = 1; i < intervals; ++i) {
    const double u = static_cast<double>(i) / static_cast<double>(intervals);
    out.push_back(d.log_spacing ? a * std::exp(u * std::log(b / a)) : a + u * (b - a));
  }
  out.push_back(b);
  if (std::adjacent_find(out.begin(), out.end(), std::greater_equal<>()) != out.end())
    throw std::domain_error(
        fmt::format("the window [{:.17g}, {:.17g}] is too narrow for {} samples", a, b, intervals));
  return out;
}

Curve compare_at_all_times(const Description& d, const Context& context, const System& system, Findings& out,
                           bool refine) {
  const AllTimes c(d, context, system);
  const double tolerance = refine ? d.tolerance / 100 : d.tolerance;
  Curve curve{d.id + " at " + system.where(), "t", d.observable, d.log_spacing, false, {}};
  if (!d.first_time.empty()) {
    const auto [sample, found] = c.first_time(tolerance);
    if (refine) {
      const auto [rough_sample, rough] = c.first_time(d.tolerance);
      demand_small_change(d, out, {rough}, {found}, 1, system.where());
    }
    c.add(out, found, sample, tolerance);
    return curve;
  }
  const std::size_t intervals = d.samples;
  const auto pass = c.pass(window_times(d, system, refine ? 2 * intervals : intervals), tolerance);
  if (refine) {
    const auto coarse = c.pass(window_times(d, system, intervals), d.tolerance);
    demand_small_change(d, out, coarse.points, pass.points, 2, system.where());
  }
  const auto extremes = c.pass(c.worst_between(pass, tolerance), tolerance);
  for (const auto* one : {&pass, &extremes}) {
    std::size_t worst = 0;
    for (std::size_t i = 1; i < one->points.size(); ++i)
      if (one->points[i].margin < one->points[worst].margin) worst = i;
    c.add(out, one->points[worst], one->track.samples[worst], one->track.error);
  }
  demand_resolution(d, system, pass.points);
  for (const auto& p : pass.points) curve.points.push_back({p.t, p.measured, p.error, p.predicted});
  return curve;
}

} // namespace attndyn::verification::user
