#define BOOST_TEST_MODULE rates
#include "analysis/overlap.hpp"
#include "verification/all_claims.hpp"
#include "verification/convergence_bound.hpp"
#include "verification/uniform_start.hpp"
#include "verification/unit_weights.hpp"
#include "verification/variance_decay.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace attndyn;
using namespace attndyn::verification;

BOOST_AUTO_TEST_CASE(unit_weights_never_lengthen_a_vector) {
  for (const auto& name : unit_weight_names())
    for (const std::size_t d : {1, 2, 7}) {
      const auto m = unit_weight(name, d, 3, 1);
      const auto u = uniform_start(20, static_cast<double>(std::max<std::size_t>(d, 1)), 5, 1).theta;
      for (std::size_t j = 0; j < 20; ++j) {
        Vector<double> image(d);
        multiply(d, 1, d, m.data.data(), &u(0, j), image.data());
        BOOST_TEST(dot(image.data(), image.data(), d) <= 1 + 1e-12, name);
      }
    }
}

BOOST_AUTO_TEST_CASE(close_starts_have_the_cosines_they_promise) {
  for (const auto& name : close_start_names())
    for (const double delta : {1e-8, 0.3, 0.99}) {
      const double gap = analysis::one_minus_min_cosine(close_start(name, {4, 4}, delta, 1).theta);
      BOOST_TEST(gap <= delta * (1 + 1e-7), name);
      if (name != "cone") BOOST_TEST(std::abs(gap / delta - 1) < 1e-7, name);
    }
}

// Cosines of uniform tokens have mean square 1/d, whichever way they are drawn.
BOOST_AUTO_TEST_CASE(both_ways_to_draw_a_uniform_start_give_cosines_of_mean_square_one_over_d) {
  const double d = 50;
  for (const bool by_law : {false, true}) {
    double sum = 0;
    std::size_t pairs = 0;
    for (std::uint64_t unit = 0; unit < 400; ++unit) {
      const auto theta = (by_law ? uniform_start_by_law(5, d, 9, unit) : uniform_start(5, d, 9, unit)).theta;
      for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < i; ++j, ++pairs)
          sum += std::pow(dot(&theta(0, i), &theta(0, j), theta.rows), 2);
    }
    // A square of a normal variable has variance 2: four standard errors of 4000 pairs.
    BOOST_TEST(std::abs(d * sum / static_cast<double>(pairs) - 1) < 4 * std::sqrt(2.0 / 4000));
  }
}

BOOST_AUTO_TEST_CASE(the_worst_time_of_the_bound_is_no_better_than_any_sampled_one) {
  for (const int n : {2, 3, 20})
    for (const char* beta : {"0", "1", "4"}) {
      const auto p = orthogonal_params(n, beta);
      const auto c = make_equiangular({}, p);
      const auto worst = worst_by_run(c, p, 0.5);
      const auto clock = worst_by_clock(n, p.beta.approx(), 0.5);
      BOOST_TEST(std::abs(worst.margin - clock.margin) < worst.error + clock.error);
      std::vector<double> times;
      for (int i = 1; i <= 100; ++i) times.push_back(0.02 * i * (std::exp(p.beta.approx()) + n));
      const auto bound = convergence_bound(n, p.beta.approx(), 0.5);
      for (const auto& s : run(*c.model, c.equiangular->start(), times).samples)
        BOOST_TEST(bound.log_at(s.t) - s.x[0] > worst.margin - 1e-9);
    }
}

// Equal cosines g, Post-LN: Var = (n-1)(1-g)/n, so that -d log Var/dt = 2 w_off (1+(n-1) g).
BOOST_AUTO_TEST_CASE(the_rate_of_the_variance_is_that_of_the_equiangular_equation) {
  const std::size_t n = 5;
  const double delta = 0.3, beta = 2;
  const RateLaw post{"post", "t", {}, 1, 2, 0};
  const CloseStart start{{n, n}, beta, delta, "equiangular", "identity", true};
  const auto c = make_close({}, post, start);
  const double off = std::exp(-beta * delta) / (1 + 4 * std::exp(-beta * delta));
  BOOST_TEST(std::abs(variance_rate(c, 0, c.particles->start(), 0) - 2 * off * (1 + 4 * 0.7)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(the_search_finds_the_counterexamples_and_none_to_the_corrections) {
  Context c;
  c.quick = true;
  c.search = 40;
  for (const char* id : {"MPT-close", "NAD-4.3ii", "MPT-close-corrected", "NAD-4.3ii-corrected"}) {
    const Outcome o = decide(find_claim(id), c);
    BOOST_TEST(o.as_expected(), id);
    BOOST_TEST_REQUIRE(o.evidence.hunted.has_value());
    const bool found = o.evidence.hunted->margin < -margin_to_fail;
    BOOST_TEST(found == (o.claim->expected == Verdict::fails), id);
  }
}
