// Forty digits, the long runs; see equiangular_mpfr_test.cpp. Reference: mpmath quadrature and Newton (equiangular.csv).
#define BOOST_TEST_MODULE equiangular_mpfr_slow
#include "tests/lib/models/equiangular_mpfr_cases.hpp"

BOOST_AUTO_TEST_CASE(the_run_of_the_paper_agrees_to_38_digits_at_t_10_in_every_scheme) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"}) agrees_to_38_digits(scheme, "sa", "256", "5", "10");
}

BOOST_AUTO_TEST_CASE(negative_beta_agrees_to_38_digits_at_t_10_in_every_scheme) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"}) agrees_to_38_digits(scheme, "sa", "8", "-0.1", "10");
}

BOOST_AUTO_TEST_CASE(beta_twenty_agrees_to_38_digits_in_every_scheme) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"}) agrees_to_38_digits(scheme, "sa", "33", "20", "5");
}

// Post-LN at t = 60 has 1-g = 1.6e-49, nGPT reaches it too: log(1-g) still has its digits.
BOOST_AUTO_TEST_CASE(one_minus_g_below_1e_minus_40_agrees_to_38_digits) {
  for (const char* scheme : {"post", "ngpt"}) {
    const auto row = equiangular_row(scheme, "sa", "256", "5", "60");
    BOOST_TEST((parse_real<Mpfr>(row.log_gap) < -40 * log(Mpfr(10))));
    agrees_to_38_digits(scheme, "sa", "256", "5", "60");
  }
}
