// What samples show, and how far the promised error of a state can move it.
#include "analysis/energy.hpp"
#include "analysis/overlap.hpp"
#include "verification/user/system.hpp"
#include "verification/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attndyn::verification::user {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Bar of a mean of chords squared over two, x, of tokens known to e each: a chord c is off by 2 e.
double gap_bar(double x, double e) {
  return 2 * std::sqrt(2 * x) * e + 2 * e * e + 32 * epsilon * x + epsilon * epsilon;
}

} // namespace

void System::put_particles(const Sample<double>& sample, double error, const std::vector<bool>& wanted,
                           Seen& out) const {
  const Tokens<double> tokens = to_tokens(sample.x, particles_->shape());
  // The promise is one for each component.
  const double of_token = error * std::sqrt(static_cast<double>(particles_->shape().d));
  const auto put = [&](std::size_t i, double value, double bar) {
    out.values[first_observable_ + i] = value;
    out.bars[first_observable_ + i] = bar;
  };
  if (wanted[0] || wanted[1]) {
    const double x = analysis::one_minus_mean_cosine(tokens.theta), bar = gap_bar(x, of_token);
    put(0, 1 - x, bar + epsilon);
    put(1, x, bar);
  }
  if (wanted[2] || wanted[3]) {
    const double x = analysis::one_minus_min_cosine(tokens.theta), bar = gap_bar(x, of_token);
    put(2, 1 - x, bar + epsilon);
    put(3, x, bar);
  }
  if (wanted[4]) {
    const double x = analysis::variance(tokens.theta, particles_->masses());
    put(4, x, gap_bar(x, of_token));
  }
  if (wanted[5]) {
    const double beta = std::abs(particles_->beta());
    const double x = analysis::energy(tokens.theta, particles_->masses(), particles_->beta()).value;
    // A cosine is off by 2 e times the chord, at most 4 e; E by beta E of that, at beta = 0 by half of it.
    put(5, x, (beta > 0 ? beta * std::abs(x) : 0.5) * 4 * of_token + 64 * epsilon * (1 + beta) * std::abs(x));
  }
  double mean = 0;
  for (const double r : tokens.r) mean += r / static_cast<double>(tokens.r.size()); // a sum may overflow
  const double least = *std::min_element(tokens.r.begin(), tokens.r.end());
  put(6, mean, mean * (error + 32 * epsilon));
  put(7, least, least * (error + 32 * epsilon));
}

void System::put_equiangular(const Sample<double>& sample, double error, Seen& out) const {
  const double y = sample.x[0], log_r = sample.x[1];
  const double of_y = error + 64 * epsilon * std::abs(y), of_r = error + 64 * epsilon * std::abs(log_r);
  const auto put = [&](std::size_t i, double value, double bar) {
    out.values[first_observable_ + i] = value;
    out.bars[first_observable_ + i] = bar;
  };
  const double gap = std::exp(y), r = std::exp(log_r);
  put(0, cosine_from_log_gap(y), gap * of_y + epsilon);
  put(1, gap, gap * of_y);
  put(2, y, of_y);
  put(3, r, r * of_r);
  const auto s = [&](double dy, double dr) {
    return equiangular_->speed_factor(sample.piece, {y + dy, log_r + dr}, sample.t);
  };
  const double here = s(0, 0);
  put(4, here, std::abs(s(of_y, 0) - here) + std::abs(s(0, of_r) - here) + 64 * epsilon * std::abs(here));
}

Seen System::see(const Sample<double>& sample, double error,
                 const std::vector<const Formula*>& formulas) const {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Seen out{setting_.values(), {}};
  out.values.resize(names_.size(), unknown);
  out.bars.assign(names_.size(), 0);
  out.values[time_index_] = sample.t;
  std::copy(implied_.begin(), implied_.end(),
            out.values.end() - static_cast<std::ptrdiff_t>(implied_.size()));
  // Rounding of what is no whole number; the others are exact, and may sit on the edge of a formula's domain.
  for (std::size_t i = 0; i < names_.size(); ++i)
    if ((i < first_observable_ || i == time_index_) && out.values[i] != std::floor(out.values[i]))
      out.bars[i] = epsilon * std::abs(out.values[i]);
  std::vector<bool> wanted(time_index_ - first_observable_);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    wanted[i] = std::any_of(formulas.begin(), formulas.end(),
                            [&](const Formula* f) { return f->uses(first_observable_ + i); });
  if (particles_) {
    put_particles(sample, error, wanted, out);
  } else if (equiangular_) {
    put_equiangular(sample, error, out);
  } else {
    out.values[first_observable_] = sample.x[0];
    out.bars[first_observable_] = std::max(error, 160 * epsilon * std::abs(sample.x[0]));
  }
  return out;
}

Measured System::measure(const Formula& f, const Seen& seen) {
  const double value = f(seen.values);
  double bar = 16 * epsilon * std::abs(value);
  std::vector<double> moved = seen.values;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    if (!f.uses(i) || seen.bars[i] == 0) continue;
    double change = 0;
    for (const double sign : {-1.0, 1.0}) {
      moved[i] = seen.values[i] + sign * seen.bars[i];
      const double difference = std::abs(f(moved) - value);
      change = difference <= change ? change : difference; // keeps NaN
      if (std::isnan(difference)) break;
    }
    bar += change;
    moved[i] = seen.values[i];
  }
  return {value, bar};
}

Measured System::measure(const Formula& f, const Sample<double>& sample, double error) const {
  return measure(f, see(sample, error, {&f}));
}

Measured System::derivative(const Formula& f, const Sample<double>& sample, double error) const {
  Vector<double> speed(sample.x.size());
  model_->field(sample.piece, sample.x, speed, sample.t);
  double fastest = 1e-300;
  for (const double v : speed) fastest = std::max(fastest, std::abs(v));
  double size = 0; // of the values that are subtracted
  const auto at = [&](double h) {
    Sample<double> moved = sample;
    for (std::size_t i = 0; i < speed.size(); ++i) moved.x[i] += h * speed[i];
    moved.t += h;
    const double value = f(see(moved, error, {&f}).values);
    size = std::max(size, std::abs(value));
    return value;
  };
  const auto slope = [&](double h) { return (at(h) - at(-h)) / (2 * h); };
  double h = 0.1 * std::min(1 / fastest, std::max(sample.t, 1.0));
  for (int k = 0; k < 30 && !std::isfinite(slope(h)); ++k) h /= 4; // into the domain of the formula
  size = 0;
  // Along the tangent central differences have even powers of h alone: Ridders' extrapolation. The ratio is
  // no simple number, so that no period of f fits all steps; three neighbours must agree, and rounding is
  // counted.
  constexpr int levels = 28;
  constexpr double ratio = 1.37;
  std::vector<double> before, now;
  Measured best{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  for (int i = 0; i < levels; ++i, h /= ratio) {
    now.assign(1, slope(h));
    double factor = 1;
    for (int j = 1; j <= std::min(i, 8); ++j) {
      factor *= ratio * ratio;
      const auto k = static_cast<std::size_t>(j);
      now.push_back((factor * now[k - 1] - before[k - 1]) / (factor - 1));
      const double bar = 2 * std::max(std::abs(now[k] - now[k - 1]), std::abs(now[k] - before[k - 1])) +
                         16 * epsilon * (size / h + std::abs(now[k])) +
                         4 * epsilon * sample.t / h * std::abs(now[k]); // t + h is rounded as well
      if (i >= 3 && j >= 2 && bar < best.bar) best = {now[k], bar};
    }
    before = now;
  }
  // A state that is off moves the rate by about as much of itself as the formula.
  const double own = measure(f, sample, error).bar;
  return {best.value, best.bar + 2 * own * std::max(1.0, std::abs(best.value))};
}

std::string System::witness(const std::string& says, const std::string& observe, double t,
                            const Seen& seen) const {
  if (replay_.empty()) return {};
  Witness w{description_->id, particles_ ? "particles" : "equiangular", replay_, says, observe, {}};
  w.options.emplace_back("times", to_text(t));
  w.options.emplace_back("tol", to_text(description_->tolerance / 100));
  const auto& observables = observable_names(description_->kind);
  for (std::size_t i = 0; i < observables.size(); ++i) {
    const std::size_t at = first_observable_ + i;
    if (std::isfinite(seen.values[at]) && std::isfinite(seen.bars[at]))
      w.values.push_back({to_text(t), observables[i], seen.values[at],
                          std::max(seen.bars[at], std::numeric_limits<double>::min())});
  }
  return w.values.empty() ? std::string() : to_toml(w);
}

} // namespace attndyn::verification::user
