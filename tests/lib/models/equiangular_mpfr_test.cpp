// Forty digits: `--digits 40` (tolerance 1e-40 on Mpfr of 50 digits) agrees to 38 digits with the route of
// tests/reference/equiangular.py, which is mpmath quadrature of the clock t(g), exponential integrals for the
// radius and Newton's method - no differential equation and no code in common. Every scheme on short runs,
// and the two long ones that tell most; the others are in equiangular_mpfr_slow_test.cpp.
#define BOOST_TEST_MODULE equiangular_mpfr
#include "tests/lib/models/equiangular_mpfr_cases.hpp"

BOOST_AUTO_TEST_CASE(every_scheme_agrees_to_38_digits) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"})
    agrees_to_38_digits(scheme, "sa", "256", "5", "0.1");
}

BOOST_AUTO_TEST_CASE(negative_beta_agrees_to_38_digits) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"})
    agrees_to_38_digits(scheme, "sa", "8", "-0.1", "1");
}

BOOST_AUTO_TEST_CASE(beta_twenty_agrees_to_38_digits) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"})
    agrees_to_38_digits(scheme, "sa", "33", "20", "0.5");
}

BOOST_AUTO_TEST_CASE(unnormalised_attention_agrees_to_38_digits) {
  for (const char* scheme : {"post", "pre", "peri"}) agrees_to_38_digits(scheme, "usa", "5", "0", "0.5");
}

// `attndyn equiangular --scheme peri --n 256 --beta 5 --times 10 --digits 40`.
BOOST_AUTO_TEST_CASE(the_peri_ln_run_of_the_paper_agrees_to_38_digits_at_t_10) {
  agrees_to_38_digits("peri", "sa", "256", "5", "10");
}

// log(1-g) keeps its digits where 1-g = 1.6e-49.
BOOST_AUTO_TEST_CASE(one_minus_g_below_1e_minus_40_agrees_to_38_digits) {
  BOOST_TEST(
      (parse_real<Mpfr>(equiangular_row("post", "sa", "256", "5", "60").log_gap) < -40 * log(Mpfr(10))));
  agrees_to_38_digits("post", "sa", "256", "5", "60");
}
