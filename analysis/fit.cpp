#include "analysis/fit.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace attndyn::analysis {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

[[noreturn]] void refuse(const std::string& line) { throw std::invalid_argument(line); }

void require_size(const char* name, std::size_t size, std::size_t least) {
  if (size < least) refuse(fmt::format("{}: there are {} values, must be >= {}", name, size, least));
}

void require_same_size(const char* a, std::size_t size_a, const char* b, std::size_t size_b) {
  if (size_a != size_b) refuse(fmt::format("{}: there are {} values, but {} of {}", a, size_a, size_b, b));
}

void require_finite(const char* name, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      refuse(fmt::format("{}: number {} is {}, must be finite", name, i + 1, values[i]));
}

void require_positive(const char* name, std::span<const double> values) {
  require_finite(name, values);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] > 0)) refuse(fmt::format("{}: number {} is {}, must be > 0", name, i + 1, values[i]));
}

double mean(std::span<const double> values) {
  double first = values[0], sum = 0; // relative to one of them, so that equal values have exactly their mean
  for (double v : values) sum += v - first;
  return first + sum / static_cast<double>(values.size());
}

std::vector<double> logs(const char* name, std::span<const double> values) {
  require_positive(name, values);
  std::vector<double> out;
  for (double v : values) out.push_back(std::log(v));
  return out;
}

Line fit_named(const char* x_name, std::span<const double> x, const char* y_name, std::span<const double> y) {
  require_same_size(x_name, x.size(), y_name, y.size());
  require_size(x_name, x.size(), 2);
  require_finite(x_name, x);
  require_finite(y_name, y);
  const double n = static_cast<double>(x.size()), x_mean = mean(x), y_mean = mean(y);
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
  }
  if (!(xx > 0)) refuse(fmt::format("{}: all values are {}, must not all be equal", x_name, x[0]));
  Line line;
  line.slope.value = xy / xx;
  line.intercept.value = y_mean - line.slope.value * x_mean;
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double residual = (y[i] - y_mean) - line.slope.value * (x[i] - x_mean);
    squares += residual * residual;
  }
  if (x.size() == 2) {
    line.slope.error = line.intercept.error = infinite;
    line.residual = std::numeric_limits<double>::quiet_NaN();
    return line;
  }
  line.residual = std::sqrt(squares / (n - 2));
  line.slope.error = line.residual / std::sqrt(xx);
  line.intercept.error = line.residual * std::sqrt(1 / n + x_mean * x_mean / xx);
  return line;
}

/// The limit of the sequence whose last three terms are a, b, c.
double aitken(double a, double b, double c) { return c - (c - b) * (c - b) / ((c - b) - (b - a)); }

bool shrinks(double before, double now) { return std::abs(now) < std::abs(before); }

} // namespace

Line fit_line(std::span<const double> x, std::span<const double> y) { return fit_named("x", x, "y", y); }

Estimate log_slope(std::span<const double> x, std::span<const double> y) {
  require_same_size("x", x.size(), "y", y.size());
  return fit_named("x", logs("x", x), "y", logs("y", y)).slope;
}

Estimate exponential_rate(std::span<const double> t, std::span<const double> log_y) {
  return fit_named("t", t, "log_y", log_y).slope;
}

double local_slope(double x, double y, double dy_dx) {
  if (x == 0 || !std::isfinite(x)) refuse(fmt::format("x = {}: must be finite and not 0", x));
  if (y == 0 || !std::isfinite(y)) refuse(fmt::format("y = {}: must be finite and not 0", y));
  return x * (dy_dx / y);
}

std::vector<LocalSlope> local_slopes(std::span<const double> x, std::span<const double> log_y) {
  require_same_size("x", x.size(), "log_y", log_y.size());
  require_size("x", x.size(), 2);
  require_positive("x", x);
  require_finite("log_y", log_y);
  std::vector<LocalSlope> out;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    if (x[i] == x[i + 1] || (x[i] < x[i + 1]) != (x[0] < x[1]))
      refuse(fmt::format("x: number {} is {} after {}, must be strictly monotone", i + 2, x[i + 1], x[i]));
    out.push_back(
        {std::sqrt(x[i]) * std::sqrt(x[i + 1]), (log_y[i + 1] - log_y[i]) / std::log(x[i + 1] / x[i])});
  }
  return out;
}

Estimate limit_of(std::span<const double> s) {
  require_size("sequence", s.size(), 3);
  require_finite("sequence", s);
  const std::size_t n = s.size();
  const double last = s[n - 1] - s[n - 2], before = s[n - 2] - s[n - 3];
  if (last == 0 && before == 0) return {s[n - 1], 0};
  if (!shrinks(before, last)) {
    // Either it has converged and this is noise, or it does not converge.
    const bool never_shrank = !shrinks(s[1] - s[0], last);
    return {s[n - 1], never_shrank ? infinite : std::max(std::abs(last), std::abs(before))};
  }
  const double value = aitken(s[n - 3], s[n - 2], s[n - 1]);
  if (n == 3 || !shrinks(s[n - 3] - s[n - 4], before)) return {value, std::abs(value - s[n - 1])};
  const double earlier = aitken(s[n - 4], s[n - 3], s[n - 2]), change = std::abs(value - earlier);
  // What rounding of the terms alone does to the extrapolation.
  const double size = std::max({std::abs(s[n - 1]), std::abs(s[n - 2]), std::abs(s[n - 3])}),
               q = last / before;
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * size / ((1 - q) * (1 - q));
  if (change <= rounding) return {value, rounding};
  double error = change;
  if (n > 4 && shrinks(s[n - 4] - s[n - 5], s[n - 3] - s[n - 4])) {
    const double r = change / std::abs(earlier - aitken(s[n - 5], s[n - 4], s[n - 3]));
    error = r < 1 ? std::max(1.0, 2 * r / (1 - r)) * change : std::max(change, std::abs(value - s[n - 1]));
  }
  return {value, error};
}

Estimate limit_of(std::span<const double> h, std::span<const double> values, double power) {
  require_same_size("h", h.size(), "values", values.size());
  require_size("h", h.size(), 2);
  require_positive("h", h);
  require_finite("values", values);
  if (!(power > 0) || !std::isfinite(power)) refuse(fmt::format("power = {}: must be finite and > 0", power));
  const std::size_t n = h.size();
  for (std::size_t i = 0; i + 1 < n; ++i)
    if (!(h[i + 1] < h[i]))
      refuse(fmt::format("h: number {} is {} after {}, must decrease", i + 2, h[i + 1], h[i]));

  // row[k] extrapolates from the k+1 values that end at the row's own.
  std::vector<double> row(values.begin(), values.begin() + 1), previous;
  for (std::size_t i = 1; i < n; ++i) {
    previous = std::exchange(row, {values[i]});
    for (std::size_t k = 1; k <= i; ++k)
      row.push_back(row[k - 1] +
                    (row[k - 1] - previous[k - 1]) / std::expm1(power * std::log(h[i - k] / h[i])));
  }
  Estimate best{values[n - 1], infinite};
  for (std::size_t k = 1; k < n; ++k) {
    double correction = std::max(std::abs(row[k] - row[k - 1]), std::abs(row[k] - previous[k - 1]));
    if (k < previous.size()) correction = std::max(correction, std::abs(row[k] - previous[k]));
    if (correction < best.error) best = {row[k], correction};
  }
  return best;
}

Interval clopper_pearson(std::uint64_t k, std::uint64_t n, double confidence) {
  if (n == 0) refuse("n = 0: must be >= 1");
  if (k > n) refuse(fmt::format("k = {}: must be <= n = {}", k, n));
  if (!(confidence > 0 && confidence < 1))
    refuse(fmt::format("confidence = {}: must lie in (0, 1)", confidence));
  const double tail = (1 - confidence) / 2, successes = static_cast<double>(k),
               failures = static_cast<double>(n - k);
  return {k == 0 ? 0.0 : boost::math::ibeta_inv(successes, failures + 1, tail),
          k == n ? 1.0 : boost::math::ibetac_inv(successes + 1, failures, tail)};
}

double quantile(std::span<const double> values, double p) {
  require_size("values", values.size(), 1);
  if (!(p >= 0 && p <= 1)) refuse(fmt::format("p = {}: must lie in [0, 1]", p));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isnan(values[i])) refuse(fmt::format("values: number {} is nan", i + 1));
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const double part = position - static_cast<double>(below);
  if (part == 0) return sorted[below];
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

} // namespace attndyn::analysis
