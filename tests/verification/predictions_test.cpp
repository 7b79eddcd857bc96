#define BOOST_TEST_MODULE predictions
#include "verification/theory/predictions.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace tt = boost::test_tools;
using namespace attndyn::verification;

// tests/reference/constants.csv (mpmath quadrature), n = 256, beta = 5, r0 = 1, tau = 2.5.
BOOST_AUTO_TEST_CASE(terminal_constants_meet_those_of_mpmath) {
  const auto c = [](const char* scheme) { return theory::terminal_constant(scheme, 256, 5, 1, 2.5); };
  BOOST_TEST(c("post") == 2134.80097947, tt::tolerance(1e-11));
  BOOST_TEST(c("pre") == 8.33906632604, tt::tolerance(1e-11));
  BOOST_TEST(c("mix") == 1.39813777871, tt::tolerance(1e-11));
  BOOST_TEST(c("sqrt") == 116556.184168, tt::tolerance(1e-11));
  BOOST_TEST(c("ngpt") == 18.0832683978, tt::tolerance(1e-11));
}

// beta = 0, n = 2: g = tanh t, so 1-g ~ 2 e^{-2t}.
BOOST_AUTO_TEST_CASE(two_tokens_at_beta_zero_have_the_constant_two) {
  BOOST_TEST(theory::terminal_constant("post", 2, 0, 1, 0) == 2, tt::tolerance(1e-13));
  BOOST_TEST(theory::post_cosine_gap(2, 0, 0.7) == 1 - std::tanh(0.7), tt::tolerance(1e-12));
}

// The limits of [MFT] Thm 7 and the n = 2 case by hand: a = 1/(1+e^{-beta(1-rho)}), c = 1-a.
BOOST_AUTO_TEST_CASE(the_long_context_formula_is_right_for_two_tokens_and_in_the_limit) {
  const double rho = 0.3, gamma = 2, beta = gamma * std::log(2.0), a = 1 / (1 + std::exp(-beta * (1 - rho))),
               c = 1 - a;
  const double expected = (rho + (1 - rho) * 2 * a * c) / (rho + (1 - rho) * (a * a + c * c));
  BOOST_TEST(theory::long_context_cosine(std::log(2.0), gamma, rho) == expected, tt::tolerance(1e-13));
  BOOST_TEST(theory::long_context_limit(0.5, rho) == 1);
  BOOST_TEST(theory::long_context_limit(2, rho) == rho);
  BOOST_TEST(theory::long_context_cosine(600, 1 / 0.7, rho) == 1.2 / 1.9, tt::tolerance(1e-10));
}

BOOST_AUTO_TEST_CASE(initial_velocities_agree_with_the_printed_formulas) {
  BOOST_TEST(theory::initial_velocity("pre", 3, 1, 2, 1) == 1 / (std::exp(1.0) + 2), tt::tolerance(1e-14));
  BOOST_TEST(theory::initial_velocity("ngpt", 3, 1, 2, 5) == 10 / std::sqrt(std::exp(2.0) + 2),
             tt::tolerance(1e-14));
  BOOST_CHECK_THROW(theory::speed_factor("foo", 0, 1, 1, 1), std::invalid_argument);
}
