// Fits, limits and intervals against certified values, closed forms, exact sums and simulation.
#define BOOST_TEST_MODULE fit
#include <boost/test/unit_test.hpp>

#include "analysis/fit.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>

using namespace attndyn::analysis;
namespace tt = boost::test_tools;

namespace {

std::vector<double> map(const std::vector<double>& x, double (*f)(double)) {
  std::vector<double> y;
  for (double v : x) y.push_back(f(v));
  return y;
}

template <class F> void check_refuses(F&& f, const std::string& line) {
  BOOST_CHECK_EXCEPTION(f(), std::invalid_argument, [&](const std::invalid_argument& e) {
    if (e.what() == line) return true;
    BOOST_TEST_MESSAGE("said: " << e.what());
    return false;
  });
}

/// P(X >= k) for X binomial(n, p), summed up.
double upper_tail(unsigned k, unsigned n, double p) {
  double sum = 0;
  for (unsigned i = k; i <= n; ++i)
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * std::log(p) +
                    (n - i) * std::log1p(-p));
  return sum;
}

} // namespace

// NIST Statistical Reference Datasets, linear regression, "Norris" (36 observations), with its certified
// values.
BOOST_AUTO_TEST_CASE(the_line_through_norris_has_the_certified_values) {
  const std::vector<double> x = {0.2,   337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6,
                                 777.0, 558.2, 0.4,   0.6,   775.5, 666.9, 338.0, 447.5, 11.6,
                                 556.0, 228.1, 995.8, 887.6, 120.2, 0.3,   0.3,   556.8, 339.1,
                                 887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5};
  const std::vector<double> y = {0.1,   338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1,
                                 778.9, 559.2, 0.3,   0.1,   778.1, 668.8, 339.3, 448.9, 10.8,
                                 557.7, 228.3, 998.0, 888.8, 119.6, 0.3,   0.6,   557.6, 339.3,
                                 888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2};
  const Line line = fit_line(x, y);
  BOOST_TEST(line.slope.value == 1.00211681802045, tt::tolerance(1e-13));
  BOOST_TEST(line.slope.error == 0.429796848199937e-03, tt::tolerance(1e-12));
  BOOST_TEST(line.intercept.value == -0.262323073774029, tt::tolerance(1e-11));
  BOOST_TEST(line.intercept.error == 0.232818234301152, tt::tolerance(1e-12));
  BOOST_TEST(line.residual == 0.884796396144373, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_straight_line_is_found_far_from_the_origin) {
  std::vector<double> x, y;
  for (int i = 0; i < 10; ++i) {
    x.push_back(1e6 + i);
    y.push_back(3 + 2 * static_cast<double>(i));
  }
  const Line line = fit_line(x, y);
  BOOST_TEST(line.slope.value == 2, tt::tolerance(1e-14));
  BOOST_TEST(line.slope.error < 1e-14);
  BOOST_TEST(line.intercept.value == 3 - 2e6, tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(two_points_give_a_line_and_no_error_bar) {
  const Line line = fit_line(std::vector{1.0, 3.0}, std::vector{5.0, 1.0});
  BOOST_TEST(line.slope.value == -2);
  BOOST_TEST(line.intercept.value == 7);
  BOOST_TEST(std::isinf(line.slope.error));
  BOOST_TEST(std::isinf(line.intercept.error));
  BOOST_TEST(std::isnan(line.residual));
}

BOOST_AUTO_TEST_CASE(standard_errors_are_those_of_repeated_experiments) {
  // 20000 experiments of 8 uneven points, noise 0.3: the scatter of slope and intercept against the mean
  // squared error bar, and the share of error bars, widened to 95 % by Student's t with 6 degrees of freedom,
  // that hold the truth.
  const std::vector<double> x = {0.1, 0.5, 0.6, 2, 3, 3.2, 7, 9};
  constexpr int trials = 20000;
  std::mt19937_64 engine(1);
  std::normal_distribution<double> noise(0, 0.3);
  const double t95 = boost::math::quantile(boost::math::students_t(6), 0.975);
  double slope_scatter = 0, slope_bar = 0, intercept_scatter = 0, intercept_bar = 0, residual = 0;
  std::uint64_t slope_held = 0, intercept_held = 0;
  for (int k = 0; k < trials; ++k) {
    std::vector<double> y;
    for (double v : x) y.push_back(1.5 - 0.7 * v + noise(engine));
    const Line line = fit_line(x, y);
    const double slope_off = line.slope.value + 0.7, intercept_off = line.intercept.value - 1.5;
    slope_scatter += slope_off * slope_off;
    intercept_scatter += intercept_off * intercept_off;
    slope_bar += line.slope.error * line.slope.error;
    intercept_bar += line.intercept.error * line.intercept.error;
    residual += line.residual * line.residual;
    slope_held += std::abs(slope_off) < t95 * line.slope.error;
    intercept_held += std::abs(intercept_off) < t95 * line.intercept.error;
  }
  // A mean of squares over 20000 experiments is good to about 1 %.
  BOOST_TEST(slope_bar / slope_scatter == 1, tt::tolerance(0.04));
  BOOST_TEST(intercept_bar / intercept_scatter == 1, tt::tolerance(0.04));
  BOOST_TEST(std::sqrt(residual / trials) == 0.3, tt::tolerance(0.01));
  for (std::uint64_t held : {slope_held, intercept_held}) {
    const Interval share = clopper_pearson(held, trials, 0.9999);
    BOOST_TEST((share.low < 0.95 && 0.95 < share.high), "held " << held << " of " << trials);
  }
}

BOOST_AUTO_TEST_CASE(power_laws_and_rates_are_read_off) {
  const std::vector<double> x = {1, 2, 5, 10, 100, 1e4};
  const Estimate power = log_slope(x, map(x, [](double v) { return 3 * std::pow(v, -1.7); }));
  BOOST_TEST(power.value == -1.7, tt::tolerance(1e-13));
  BOOST_TEST(power.error < 1e-13);
  // log y of e^{-2t} far below the range of double.
  const Estimate rate = exponential_rate(x, map(x, [](double t) { return 4 - 2 * t; }));
  BOOST_TEST(rate.value == -2, tt::tolerance(1e-14));
  BOOST_TEST(rate.error < 1e-13);
  // Noise of 1 % on a power law: the truth lies within 5 error bars, and the bar is of the size that 1 %
  // makes.
  std::mt19937_64 engine(2);
  std::normal_distribution<double> noise(0, 0.01);
  std::vector<double> t, y;
  for (int i = 0; i < 50; ++i) {
    t.push_back(std::pow(10, i / 16.0));
    y.push_back(std::pow(t.back(), -2) * std::exp(noise(engine)));
  }
  const Estimate noisy = log_slope(t, y);
  BOOST_TEST(std::abs(noisy.value + 2) < 5 * noisy.error);
  BOOST_TEST(noisy.error > 1e-4);
  BOOST_TEST(noisy.error < 2e-2);
}

BOOST_AUTO_TEST_CASE(local_slopes_follow_a_changing_exponent) {
  // y = x^2 + x: x y'/y = (2x + 1)/(x + 1), from 1 to 2.
  for (double x : {1e-6, 0.5, 1.0, 1e6})
    BOOST_TEST(local_slope(x, x * x + x, 2 * x + 1) == (2 * x + 1) / (x + 1), tt::tolerance(1e-14));
  std::vector<double> x, log_y;
  for (int i = -20; i <= 20; ++i) {
    x.push_back(std::pow(1.1, i));
    log_y.push_back(std::log(x.back() * x.back() + x.back()));
  }
  const auto slopes = local_slopes(x, log_y);
  BOOST_TEST(slopes.size() == 40u);
  for (const LocalSlope& s : slopes) BOOST_TEST(s.value == (2 * s.x + 1) / (s.x + 1), tt::tolerance(1e-4));
  // A pure power is exact, in either direction of x, and y may lie below 1e-308.
  for (const LocalSlope& s :
       local_slopes(std::vector{8.0, 4.0, 2.0},
                    std::vector{-3000 * std::log(8.0), -3000 * std::log(4.0), -3000 * std::log(2.0)}))
    BOOST_TEST(s.value == -3000, tt::tolerance(1e-13));
  BOOST_TEST(local_slopes(std::vector{2.0, 8.0}, std::vector{0.0, 1.0})[0].x == 4, tt::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(aitken_finds_the_limit_of_geometric_sequences) {
  for (double q : {0.5, -0.5, 0.9, -0.9, 0.99, 1e-3}) {
    std::vector<double> s;
    for (int n = 0; n < 6; ++n) s.push_back(2.5 + 3 * std::pow(q, n));
    const Estimate limit = limit_of(s);
    BOOST_TEST(limit.value == 2.5, tt::tolerance(1e-10));
    BOOST_TEST(limit.error < 1e-8);
    // Three terms: as good a value, but the bar can only be the whole extrapolation.
    const Estimate early = limit_of(std::span(s).first(3));
    BOOST_TEST(early.value == 2.5, tt::tolerance(1e-10));
    BOOST_TEST(early.error == std::abs(3 * q * q), tt::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(the_error_bar_of_a_limit_holds_the_truth_when_a_second_rate_is_present) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  int held = 0, tries = 0, sharper = 0;
  for (int k = 0; k < 2000; ++k) {
    const double q = 0.2 + 0.75 * uniform(engine), p = q * uniform(engine), a = uniform(engine) * 4 - 2;
    const double b = uniform(engine) - 0.5; // smaller than the leading term
    std::vector<double> s;
    for (int n = 0; n < 12; ++n) s.push_back(a + std::pow(q, n) + b * std::pow(p, n));
    const Estimate limit = limit_of(s);
    ++tries;
    held += std::abs(limit.value - a) <= limit.error + 1e-13;
    sharper += std::abs(limit.value - a) < std::abs(s.back() - a);
  }
  BOOST_TEST_MESSAGE("held " << held << " of " << tries << ", better than the last term " << sharper);
  BOOST_TEST(held >= 0.98 * tries);
  BOOST_TEST(sharper >= 0.98 * tries);
}

BOOST_AUTO_TEST_CASE(sequences_without_a_limit_say_so) {
  BOOST_TEST(std::isinf(limit_of(std::vector{1.0, 2.0, 4.0, 8.0}).error));
  BOOST_TEST(std::isinf(limit_of(std::vector{1.0, 2.0, 3.0, 4.0}).error));
  BOOST_TEST(std::isinf(limit_of(std::vector{1.0, -1.0, 1.0, -1.0}).error));
  BOOST_TEST(std::isinf(limit_of(std::vector{0.0, 1.0, 3.0}).error));
}

BOOST_AUTO_TEST_CASE(a_sequence_that_has_converged_to_noise_keeps_the_noise_as_its_error) {
  const Estimate limit = limit_of(std::vector{1.0, 0.1, 0.01, 0.001, 1e-3 + 1e-12, 1e-3 - 2e-12});
  BOOST_TEST(limit.value == 1e-3, tt::tolerance(1e-8));
  BOOST_TEST(limit.error >= 1e-12);
  BOOST_TEST(limit.error < 1e-10);
  BOOST_TEST(limit_of(std::vector{0.3, 0.3, 0.3}).value == 0.3);
  BOOST_TEST(limit_of(std::vector{0.3, 0.3, 0.3}).error == 0);
}

BOOST_AUTO_TEST_CASE(richardson_extrapolates_with_the_known_power) {
  // Central differences of exp at 1: e (1 + h^2/6 + h^4/120 + ...).
  std::vector<double> h, v;
  for (double step : {0.4, 0.2, 0.1, 0.05}) {
    h.push_back(step);
    v.push_back((std::exp(1 + step) - std::exp(1 - step)) / (2 * step));
    if (h.size() < 2) continue;
    const Estimate limit = limit_of(h, v, 2);
    const double error = std::abs(limit.value - std::exp(1));
    BOOST_TEST(error <= limit.error);
    BOOST_TEST(error < 0.05 * std::abs(v.back() - std::exp(1)));
  }
  BOOST_TEST(limit_of(h, v, 2).value == std::exp(1), tt::tolerance(1e-10));
  // Steps that do not halve, and a fractional power: L + c t^{-1/2} + c' t^{-1}.
  std::vector<double> small, values;
  for (double t : {10.0, 50.0, 130.0, 1000.0}) {
    small.push_back(1 / t);
    values.push_back(4 - 3 / std::sqrt(t) + 2 / t);
  }
  const Estimate limit = limit_of(small, values, 0.5);
  BOOST_TEST(limit.value == 4, tt::tolerance(1e-13));
  // The wrong power does not pretend to know.
  const Estimate wrong = limit_of(small, values, 2);
  BOOST_TEST(wrong.error > 1e-3);
}

BOOST_AUTO_TEST_CASE(richardson_stops_where_noise_begins) {
  std::mt19937_64 engine(4);
  std::normal_distribution<double> noise(0, 1e-6);
  int held = 0;
  for (int k = 0; k < 500; ++k) {
    std::vector<double> h, v;
    for (int i = 0; i < 10; ++i) {
      h.push_back(std::pow(0.5, i));
      v.push_back(1 / (1 + h.back()) + noise(engine));
    }
    const Estimate limit = limit_of(h, v, 1);
    held += std::abs(limit.value - 1) <= 3 * limit.error;
    BOOST_TEST(std::abs(limit.value - 1) < 1e-4);
  }
  BOOST_TEST_MESSAGE("within three error bars: " << held << " of 500");
  BOOST_TEST(held >= 450);
}

BOOST_AUTO_TEST_CASE(clopper_pearson_leaves_half_the_rest_in_each_tail) {
  for (unsigned n : {1u, 2u, 10u, 100u, 1000u})
    for (unsigned k : {0u, 1u, n / 3, n / 2, n - 1, n}) {
      if (k > n) continue;
      for (double confidence : {0.5, 0.95, 0.9999}) {
        const Interval i = clopper_pearson(k, n, confidence);
        const double tail = (1 - confidence) / 2;
        if (k == 0)
          BOOST_TEST(i.low == 0);
        else
          BOOST_TEST(upper_tail(k, n, i.low) == tail, tt::tolerance(1e-9));
        if (k == n)
          BOOST_TEST(i.high == 1);
        else
          BOOST_TEST(1 - upper_tail(k + 1, n, i.high) == tail, tt::tolerance(1e-7));
      }
    }
  // Closed form without successes: 1 - (tail)^{1/n}.
  BOOST_TEST(clopper_pearson(0, 20, 0.95).high == 1 - std::pow(0.025, 1 / 20.0), tt::tolerance(1e-13));
  const Interval huge = clopper_pearson(500'000'000, 1'000'000'000, 0.95);
  BOOST_TEST(huge.high - huge.low == 2 * 1.959963985 * 0.5 / std::sqrt(1e9), tt::tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(clopper_pearson_covers_every_probability_at_least_as_often_as_it_says) {
  for (double p : {0.001, 0.03, 0.2, 0.5, 0.77, 0.999}) {
    double covered = 0;
    for (unsigned k = 0; k <= 30; ++k) {
      const Interval i = clopper_pearson(k, 30, 0.9);
      if (i.low <= p && p <= i.high) covered += upper_tail(k, 30, p) - upper_tail(k + 1, 30, p);
    }
    BOOST_TEST(covered >= 0.9 - 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(quantiles_lie_linearly_between_order_statistics) {
  const std::vector<double> v = {5, 1, 4, 2, 3};
  BOOST_TEST(quantile(v, 0) == 1);
  BOOST_TEST(quantile(v, 0.5) == 3);
  BOOST_TEST(quantile(v, 1) == 5);
  BOOST_TEST(quantile(v, 0.1) == 1.4, tt::tolerance(1e-14));
  BOOST_TEST(quantile(std::vector{7.0}, 0.3) == 7);
  BOOST_TEST(quantile(std::vector{0.0, 1.0, std::numeric_limits<double>::infinity()}, 0.5) == 1);
}

BOOST_AUTO_TEST_CASE(bad_data_is_refused_with_parameter_value_and_rule) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using V = std::vector<double>;
  check_refuses([] { fit_line(V{1}, V{1}); }, "x: there are 1 values, must be >= 2");
  check_refuses([] { fit_line(V{}, V{}); }, "x: there are 0 values, must be >= 2");
  check_refuses([] { fit_line(V{1, 2}, V{1}); }, "x: there are 2 values, but 1 of y");
  check_refuses([] { fit_line(V{2, 2, 2}, V{1, 2, 3}); }, "x: all values are 2, must not all be equal");
  check_refuses([&] { fit_line(V{1, 2}, V{1, nan}); }, "y: number 2 is nan, must be finite");
  check_refuses([] { log_slope(V{1, 2}, V{1, -3}); }, "y: number 2 is -3, must be > 0");
  check_refuses([] { log_slope(V{0, 2}, V{1, 3}); }, "x: number 1 is 0, must be > 0");
  check_refuses([] { exponential_rate(V{1}, V{1}); }, "t: there are 1 values, must be >= 2");
  check_refuses([] { local_slope(0, 1, 1); }, "x = 0: must be finite and not 0");
  check_refuses([] { local_slope(1, 0, 1); }, "y = 0: must be finite and not 0");
  check_refuses(
      [] {
        local_slopes(V{1, 3, 2}, V{1, 1, 1});
      },
      "x: number 3 is 2 after 3, must be strictly monotone");
  check_refuses([] { limit_of(V{1, 2}); }, "sequence: there are 2 values, must be >= 3");
  check_refuses([] { limit_of(V{1}, V{1}, 1); }, "h: there are 1 values, must be >= 2");
  check_refuses([] { limit_of(V{1, 2}, V{1, 1}, 1); }, "h: number 2 is 2 after 1, must decrease");
  check_refuses([] { limit_of(V{2, 1}, V{1, 1}, 0); }, "power = 0: must be finite and > 0");
  check_refuses([] { clopper_pearson(0, 0, 0.9); }, "n = 0: must be >= 1");
  check_refuses([] { clopper_pearson(3, 2, 0.9); }, "k = 3: must be <= n = 2");
  check_refuses([] { clopper_pearson(1, 2, 1); }, "confidence = 1: must lie in (0, 1)");
  check_refuses([] { quantile(V{}, 0.5); }, "values: there are 0 values, must be >= 1");
  check_refuses([] { quantile(V{1}, 1.5); }, "p = 1.5: must lie in [0, 1]");
  check_refuses([&] { quantile(V{1, nan}, 0.5); }, "values: number 2 is nan");
}
