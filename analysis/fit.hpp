/// From data to numbers with error bars: straight lines, exponents, rates, limits, and the intervals of
/// counted trials. Everything is double: precision ends where an error bar begins. All functions throw
/// std::invalid_argument with one line (parameter, value, rule) on data that cannot give an answer: sizes
/// that differ, too few points, values not finite.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace attndyn::analysis {

/// A measured number and its error bar, >= 0; infinity where the data say nothing about the error. What the
/// bar means (one standard error, a bound, the last correction) is said by the function that made it.
struct Estimate {
  double value = 0, error = 0;
};

struct Line {
  Estimate slope, intercept; ///< with one standard error each
  double residual;           ///< sqrt(sum of squared residuals / (n - 2)); NaN for n = 2
};

/// Least squares y = intercept + slope x. The standard errors hold for independent errors of y of equal size,
/// whatever that size (it is taken from the residuals): they do not see curvature, nor errors that neighbours
/// share. n >= 2 points, not all x equal; for n = 2 both errors are infinite.
Line fit_line(std::span<const double> x, std::span<const double> y);

/// The exponent p of y = C x^p: the slope of log y against log x, with its standard error. x, y > 0.
Estimate log_slope(std::span<const double> x, std::span<const double> y);

/// The rate k of y = C e^{k t} from t and log y, which exists where y under- or overflows too; k < 0: decay.
Estimate exponential_rate(std::span<const double> t, std::span<const double> log_y);

/// d log y / d log x = x y'/y at one point, from the derivative itself: no regression, no error but
/// round-off. x, y != 0.
double local_slope(double x, double y, double dy_dx);

struct LocalSlope {
  double x;     ///< geometric mean of two neighbours
  double value; ///< d log y / d log x between them; right to second order in log of their ratio
};
/// The local exponents of sampled data, from x > 0, strictly monotone, and log y: one fewer than the points,
/// of which there must be at least 2.
std::vector<LocalSlope> local_slopes(std::span<const double> x, std::span<const double> log_y);

/// The limit of a sequence that converges geometrically, by Aitken's delta-squared. At least 3 values.
///
/// error: the change of the extrapolated value by the last term, enlarged to twice what is to come, 2r/(1-r)
/// changes, where these shrink by a factor r > 1/3 only; the whole last extrapolation where they do not
/// shrink and for 3 values; never less than the rounding of the terms (if not all of the last three are
/// equal). Where the last differences of the terms do not shrink the value is the last term, and the error
/// the larger of them, or infinite if even the first difference was no larger than the last. Blind to slower
/// than geometric convergence (1/n, 1/log n): the limit can be off by more than error.
Estimate limit_of(std::span<const double> sequence);

/// The limit as h -> 0 of values = L + c_1 h^p + c_2 h^{2p} + ... by Richardson's extrapolation (Neville's
/// scheme in h^p). h > 0, pairwise different, in the order of decreasing h; power p > 0; at least 2 values.
///
/// Among the extrapolations that use the last value the one with the smallest correction is taken; error:
/// that correction, the largest difference from the neighbours in Neville's scheme (the two it is made of,
/// and its predecessor of the same order). Where noise decides, about one truth in ten lies more than three
/// bars away.
Estimate limit_of(std::span<const double> h, std::span<const double> values, double power);

struct Interval {
  double low, high;
};

/// The exact (Clopper-Pearson) interval of a probability after k successes in n trials: it covers the truth
/// with at least this confidence, half of the rest on each side. 0 <= k <= n, n >= 1, 0 < confidence < 1.
Interval clopper_pearson(std::uint64_t k, std::uint64_t n, double confidence);

/// The p-quantile of a sample of at least one value, 0 <= p <= 1, linear between order statistics: p = 1/2 is
/// the median.
double quantile(std::span<const double> values, double p);

} // namespace attndyn::analysis
