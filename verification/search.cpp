#include "verification/search.hpp"

#include "lib/random.hpp"

#include <boost/random/sobol.hpp>
#include <boost/random/uniform_01.hpp>
#include <fmt/format.h>
#include <nlopt.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attndyn::verification {
namespace {

using Point = std::vector<double>;
constexpr double unknown = std::numeric_limits<double>::infinity();

/// From u in [0, 1] to the axis' own units.
double value_at(const Axis& axis, double u) {
  u = std::clamp(u, 0.0, 1.0);
  const auto between = [&](double low, double high) { return low + u * (high - low); };
  switch (axis.scale) {
  case Axis::Scale::linear: return between(axis.low, axis.high);
  case Axis::Scale::log: return std::exp(between(std::log(axis.low), std::log(axis.high)));
  case Axis::Scale::whole: return std::min(std::floor(between(axis.low, axis.high + 1)), axis.high);
  case Axis::Scale::whole_log:
    return std::min(std::floor(std::exp(between(std::log(axis.low), std::log(axis.high + 1)))), axis.high);
  case Axis::Scale::choice: {
    const auto count = static_cast<double>(axis.names.size());
    return std::min(std::floor(u * count), count - 1);
  }
  }
  throw std::logic_error("unknown scale");
}

/// The way back, to the middle of the cell of an integer.
double unit_of(const Axis& axis, double value) {
  const auto share = [](double x, double low, double high) {
    return high > low ? (x - low) / (high - low) : 0.5;
  };
  switch (axis.scale) {
  case Axis::Scale::linear: return share(value, axis.low, axis.high);
  case Axis::Scale::log: return share(std::log(value), std::log(axis.low), std::log(axis.high));
  case Axis::Scale::whole: return share(value + 0.5, axis.low, axis.high + 1);
  case Axis::Scale::whole_log:
    return share(std::log(value + 0.5), std::log(axis.low), std::log(axis.high + 1));
  case Axis::Scale::choice: return (value + 0.5) / static_cast<double>(axis.names.size());
  }
  throw std::logic_error("unknown scale");
}

class Hunt {
public:
  Hunt(const Claim& claim, const Context& context, Findings& out)
      : search_(claim.search(context)), context_(context), out_(out), left_(context.search),
        noise_(context.seed, 0, Purpose::search) {}

  void run() {
    corners();
    const std::size_t local = search_.axes.empty() ? 0 : left_ * 2 / 5;
    sample(left_ - local);
    optimise();
    std::string domain;
    for (const Axis& axis : search_.axes)
      domain += axis.scale == Axis::Scale::choice
                    ? fmt::format(", {} among {}", axis.name, fmt::join(axis.names, "/"))
                    : fmt::format(", {} = {:g} .. {:g}", axis.name, axis.low, axis.high);
    if (!domain.empty()) out_.note("searched:" + domain.substr(1));
    out_.note(fmt::format(
        "search: {} corners, {} low-discrepancy points, {} of local optimisation (seed {}); {} outside "
        "the hypotheses, {} undecided{}",
        corners_, samples_, optimised_, context_.seed, outside_, undecided_,
        undecided_ > 0 ? " (first: " + first_undecided_ + ")" : ""));
  }

private:
  bool spent() const { return left_ == 0; }

  /// The worst margin at a point; unknown outside the hypotheses and where it stays undecided.
  double margin(const Point& p) {
    --left_;
    Findings found;
    try {
      search_.at(context_, p, found);
    } catch (const NotApplicable&) {
      ++outside_;
      return unknown;
    } catch (const std::exception& e) {
      if (undecided_++ == 0) first_undecided_ = describe_point(search_, p) + ": " + e.what();
    }
    out_.hunted(found); // what was compared before an exception counts
    if (found.evidence().comparisons == 0) return unknown;
    const double value = found.evidence().worst.margin;
    if (value < worst_) {
      worst_ = value;
      worst_point_ = p;
    }
    return value;
  }

  Point from_unit(const Point& u) const {
    Point out(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) out[i] = value_at(search_.axes[i], u[i]);
    return out;
  }

  void corners() {
    for (const Point& p : search_.corners) {
      if (spent()) return;
      if (p.size() != search_.axes.size())
        throw std::logic_error("a corner has another number of coordinates");
      margin(p);
      ++corners_;
    }
  }

  /// Sobol's sequence, shifted modulo 1 by the seed.
  void sample(std::size_t count) {
    if (search_.axes.empty()) return;
    boost::random::sobol sequence(search_.axes.size());
    boost::random::uniform_01<double> to_unit;
    Point shift(search_.axes.size());
    for (double& s : shift) s = noise_.uniform();
    for (; count > 0 && !spent(); --count, ++samples_) {
      Point u(shift.size());
      for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = to_unit(sequence) + shift[i];
        u[i] -= std::floor(u[i]);
      }
      margin(from_unit(u));
    }
  }

  /// Nelder-Mead from the worst point, in the axes that are not choices; again from there while the budget
  /// lasts.
  void optimise() {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < search_.axes.size(); ++i)
      if (search_.axes[i].scale != Axis::Scale::choice) free.push_back(i);
    if (free.empty() || worst_point_.empty()) return;
    for (int round = 0; round < 3 && !spent(); ++round) {
      const Point origin = worst_point_;
      Point x;
      for (const std::size_t i : free) x.push_back(std::clamp(unit_of(search_.axes[i], origin[i]), 0.0, 1.0));
      const auto objective = [&](const Point& u) {
        Point p = origin;
        for (std::size_t k = 0; k < free.size(); ++k) p[free[k]] = value_at(search_.axes[free[k]], u[k]);
        ++optimised_;
        const double m = margin(p);
        return std::isfinite(m) ? m : 1e3 + std::max(0.0, std::isfinite(worst_) ? worst_ : 0.0);
      };
      nlopt::opt method(nlopt::LN_NELDERMEAD, static_cast<unsigned>(free.size()));
      method.set_lower_bounds(0.0);
      method.set_upper_bounds(1.0);
      method.set_initial_step(round == 0 ? 0.15 : 0.03);
      method.set_maxeval(static_cast<int>(std::min<std::size_t>(left_, 100'000)));
      method.set_xtol_rel(1e-6);
      std::function<double(const Point&)> callback = objective;
      method.set_min_objective(
          [](const Point& u, Point&, void* data) {
            return (*static_cast<std::function<double(const Point&)>*>(data))(u);
          },
          &callback);
      double value = 0;
      try {
        method.optimize(x, value);
      } catch (const nlopt::roundoff_limited&) { // as good as it gets
      }
      if (worst_point_ == origin) break;
    }
  }

  Search search_;
  const Context& context_;
  Findings& out_;
  std::size_t left_, corners_ = 0, samples_ = 0, optimised_ = 0, outside_ = 0, undecided_ = 0;
  Stream noise_;
  double worst_ = unknown;
  Point worst_point_;
  std::string first_undecided_;
};

} // namespace

std::string describe_point(const Search& search, const Point& point) {
  std::string out;
  for (std::size_t i = 0; i < point.size(); ++i) {
    const Axis& axis = search.axes[i];
    out += fmt::format("{}{} = {}", i == 0 ? "" : ", ", axis.name,
                       axis.scale == Axis::Scale::choice ? axis.names.at(static_cast<std::size_t>(point[i]))
                                                         : fmt::format("{:.6g}", point[i]));
  }
  return out;
}

void hunt(const Claim& claim, const Context& context, Findings& out) { Hunt(claim, context, out).run(); }

} // namespace attndyn::verification
