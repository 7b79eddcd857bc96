// What the claims on merging and metastable clusters are built from.
#define BOOST_TEST_MODULE metastability
#include <boost/test/unit_test.hpp>

#include "lib/tokens.hpp"
#include "verification/closest_pair.hpp"
#include "verification/proof/facts.hpp"
#include "verification/search.hpp"
#include "verification/separated_caps.hpp"

#include <cmath>

using namespace attndyn;
using namespace attndyn::verification;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_CASE(tokens_stand_on_the_rim_of_caps_whose_centres_are_their_means) {
  for (const auto family : {Family::two_on_circle, Family::three_on_sphere, Family::two_on_sphere})
    for (double gap : {1e-6, 0.01}) {
      const Caps c = caps(family, 1.1, gap);
      const std::size_t d = c.tokens.rows;
      Matrix<double> mean(d, c.centres.cols);
      for (std::size_t j = 0; j < c.tokens.cols; ++j) {
        BOOST_TEST(chord_gap(&c.tokens(0, j), &c.centres(0, c.cap[j]), d) == gap, tt::tolerance(1e-9));
        for (std::size_t i = 0; i < d; ++i) mean(i, c.cap[j]) += c.tokens(i, j);
      }
      mean = tokens_from(mean, false).theta;
      double nearest = 2;
      for (std::size_t q = 0; q < c.centres.cols; ++q) {
        BOOST_TEST(chord_gap(&mean(0, q), &c.centres(0, q), d) < 1e-28);
        for (std::size_t p = 0; p < q; ++p)
          nearest = std::min(nearest, chord_gap(&c.centres(0, p), &c.centres(0, q), d));
      }
      BOOST_TEST(nearest == 1 - std::cos(1.1), tt::tolerance(1e-12));
    }
}

BOOST_AUTO_TEST_CASE(the_closest_pair_leads_by_what_was_asked) {
  for (std::size_t unit = 0; unit < 20; ++unit) {
    const PairStart p = closest_pair(6, 3, 0.7, 0.2, 0.5, 1, unit);
    BOOST_TEST(p.ratio() == std::exp(0.5), tt::tolerance(1e-13));
    double mass = 0;
    for (double m : p.masses) mass += m;
    BOOST_TEST(mass == 1, tt::tolerance(1e-13));
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const double cosine = dot(&p.tokens.theta(0, i), &p.tokens.theta(0, j), 3);
        if (i == 1)
          BOOST_TEST(cosine == 0.7, tt::tolerance(1e-14));
        else
          BOOST_TEST(cosine <= 0.5 + 1e-14);
      }
  }
  BOOST_CHECK_THROW(closest_pair(40, 2, 0.7, 0.3, 0, 1), NotApplicable);
}

BOOST_AUTO_TEST_CASE(facts_of_the_lemmas_have_the_values_of_their_closed_forms) {
  const BallBits bits(128);
  const auto value = [](const char* kind, Parameters arguments) {
    return plain_value(find_fact_kind(kind).quantity({kind, std::move(arguments), {}, {}}));
  };
  const double target = std::sqrt(20 * std::exp(-20.0)), t = std::log(std::tan(0.5) / std::tan(target / 2));
  BOOST_TEST(value("time_scale_printed_violation", {{"log_beta", "20"}, {"c", "1/20"}, {"u0", "1"}}) ==
                 40 - t - (2 * std::abs(std::log(std::tan(0.5))) + std::log(20.0)),
             tt::tolerance(1e-13));
  const double phi = 2 * std::atan(std::tan(0.5) * std::exp(-3.0)), c = (1 + std::cos(1.0)) / 2;
  BOOST_TEST(value("path_length_printed_violation", {{"phi0", "1"}, {"t", "3"}}) ==
                 c * (1 - phi) * (1 - phi) - (std::cos(phi) - std::cos(1.0)) / 2,
             tt::tolerance(1e-13));
  BOOST_CHECK_THROW(value("path_length_printed_violation", {{"phi0", "4"}, {"t", "3"}}),
                    std::invalid_argument);
  BOOST_CHECK_THROW(value("time_scale_printed_violation", {{"log_beta", "1/2"}, {"c", "1"}, {"u0", "1"}}),
                    std::invalid_argument);
}
