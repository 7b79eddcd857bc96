#define BOOST_TEST_MODULE trials
#include "verification/almost_surely.hpp"

#include "lib/initial.hpp"
#include "verification/theory/almost_sure.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace attndyn;
using namespace attndyn::verification;

namespace {

ParticleParams<double> params(const char* scheme, const char* beta) {
  ParticleParams<double> p;
  p.scheme.name = scheme;
  p.beta = beta;
  return p;
}

/// Tokens of R^1 at these points, whatever the unit.
Experiment fixed(ParticleParams<double> p, const std::vector<double>& points) {
  Matrix<double> x(1, points.size());
  for (std::size_t j = 0; j < points.size(); ++j) x(0, j) = points[j];
  return {std::move(p), {points.size(), 1}, "fixed", [x](std::uint64_t) { return tokens_from(x, true); }};
}

End end_of(const Experiment& e, Patience patience = {}) { return run_trial({}, e, 0, patience).end; }

} // namespace

BOOST_AUTO_TEST_CASE(each_end_is_recognised) {
  BOOST_TEST((end_of(uniform_trials({}, params("post", "1"), {8, 3})) == End::synchronised));
  // d = 1: nothing turns. r' = <theta, A> = (3 e^-beta - e^beta)/... < 0 for the one against three at beta =
  // 0.1.
  BOOST_TEST((end_of(fixed(params("post", "1"), {1, -1})) == End::at_rest_stalled)); // r' = 0
  BOOST_TEST((end_of(fixed(params("pre", "1"), {1, -1})) == End::at_rest));
  BOOST_TEST((end_of(fixed(params("pre", "0.1"), {1, -1, -1, -1})) == End::radius_zero));
  BOOST_TEST((end_of(fixed(params("pre", "0"), {1, -1})) == End::at_rest_stalled)); // A = 0
  BOOST_TEST((end_of(fixed(params("ngpt", "0"), {1, -1})) == End::singular));
  BOOST_TEST((end_of(uniform_trials({}, params("post", "1"), {8, 3}), {.clock = 0.1}) == End::undecided));
  BOOST_TEST((end_of(uniform_trials({}, params("post", "1"), {8, 3}), {.max_steps = 2}) == End::undecided));
}

BOOST_AUTO_TEST_CASE(the_time_of_a_clock_inverts_the_integral_of_the_speed) {
  BOOST_TEST(time_of_clock({.name = "post"}, 7) == 7);
  BOOST_TEST(time_of_clock({.name = "sqrt"}, 2 * (std::sqrt(10.0) - 1)) == 9,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(time_of_clock({.name = "peri"}, 3) == std::exp(3), boost::test_tools::tolerance(1e-12));
  BOOST_TEST(time_of_clock({.name = "ngpt", .alpha = 2, .alpha_decay = "0.5"}, 4 * (std::sqrt(10.0) - 1)) ==
                 9,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(time_of_clock({.name = "ngpt", .alpha_decay = 1}, std::log(10.0)) == 9,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(time_of_clock({.name = "ngpt", .alpha_decay = 2}, 0.5) == 1,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(
      std::isfinite(time_of_clock({.name = "ngpt", .alpha_decay = 2}, 5))); // never: the clock ends at 1
}

BOOST_AUTO_TEST_CASE(trials_are_a_function_of_seed_and_unit_and_add_up) {
  const Experiment e = uniform_trials({}, params("post", "1"), {4, 1});
  const Tally whole = run_trials({}, e, 0, 40);
  Tally parts = run_trials({}, e, 0, 15);
  parts += run_trials({}, e, 15, 25);
  BOOST_TEST_REQUIRE(parts.size() == 40u);
  for (std::size_t k = 0; k < 40; ++k) BOOST_TEST((whole.trials[k].end == parts.trials[k].end));
  BOOST_TEST(whole.of(End::synchronised) + whole.of(End::at_rest_stalled) == 40u);
  BOOST_TEST(whole.words().find("40 trials:") == 0u);
}

BOOST_AUTO_TEST_CASE(almost_surely_counts_failures_and_does_not_decide_over_the_undecided) {
  Findings good;
  almost_surely({}, good, {"X", {uniform_trials({}, params("post", "1"), {4, 3})}, 5});
  BOOST_TEST(good.evidence().worst.margin > 0);
  BOOST_TEST(good.evidence().refinement.size() == 2u);

  Findings bad; // 20 opposite pairs
  almost_surely({}, bad, {"X", {fixed(params("post", "1"), {1, -1})}, 10});
  BOOST_TEST(bad.evidence().worst.margin == 1 - 20 / 0.5);
  BOOST_TEST(bad.evidence().worst.witness.find("min_cosine") != std::string::npos);

  Findings open;
  const AlmostSure impatient{
      "X", {uniform_trials({}, params("post", "1"), {8, 3})}, 5, {End::synchronised}, {.clock = 0.01}};
  BOOST_CHECK_THROW(almost_surely({}, open, impatient), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(the_power_is_that_of_independent_trials) {
  const double p = seen_with_99_percent(300);
  BOOST_TEST(1 - std::pow(1 - p, 300) == 0.99, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(wendel_counts_agree_with_hand_counts_and_with_the_recursion) {
  using namespace theory;
  for (int n = 1; n <= 20; ++n) {
    BOOST_TEST(wendel_count(n, 1) == 1u);                       // all at one of two points
    BOOST_TEST(wendel_count(n, 2) == static_cast<unsigned>(n)); // n/2^{n-1}
    BOOST_TEST(wendel_count(n, n) == 1ull << (n - 1));          // certain
    for (int d = 1; d <= 22; ++d) BOOST_TEST(wendel_count(n, d) == schlaefli_half_count(n, d));
  }
  BOOST_TEST(2 * wendel_count(14, 7) == 1ull << 13); // n = 2d: one half
  BOOST_CHECK_THROW(wendel_count(0, 1), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_least_radial_part_is_a_minimum_and_zero_where_it_should_be) {
  for (int n : {2, 5, 50})
    for (double beta : {0.3, 1.0, 2.5, 6.0}) {
      const auto value = [&](double c) {
        const double w = (n - 1) * std::exp(-beta * (1 - c));
        return (1 + w * c) / (1 + w);
      };
      const double least = theory::least_radial_part(n, beta), at = theory::least_radial_cosine(n, beta);
      BOOST_TEST(value(at) == least, boost::test_tools::tolerance(1e-12));
      for (int k = 0; k <= 1000; ++k) BOOST_TEST(value(-1 + k / 500.0) >= least - 1e-14);
    }
  // beta >= 1: zero at n - 1 = beta e^{beta + 1}.
  const double beta = std::log(2.0) + 1; // (n-1)/beta = 2 e^2
  const double n_minus_1 = beta * std::exp(beta + 1);
  BOOST_TEST(theory::least_radial_part(static_cast<int>(n_minus_1) + 1, beta) > 0);
  BOOST_TEST(theory::least_radial_part(static_cast<int>(n_minus_1) + 2, beta) < 0);
}
