// Forty digits: `--digits 40` (tolerance 1e-40 on Mpfr of 50 digits) agrees to 38 digits with the route of
// tests/reference/equiangular.py, which is mpmath quadrature of the clock t(g), exponential integrals for the radius and
// Newton's method - no differential equation and no code in common. Short runs of every scheme here; the long ones, the
// paper's own run at t = 10 among them, are in equiangular_mpfr_slow_test.cpp.
#define BOOST_TEST_MODULE equiangular_mpfr
#include "tests/lib/models/equiangular_mpfr_cases.hpp"

BOOST_AUTO_TEST_CASE(every_scheme_agrees_to_38_digits) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"}) agrees_to_38_digits(scheme, "sa", "256", "5", "0.1");
}

BOOST_AUTO_TEST_CASE(negative_beta_agrees_to_38_digits) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"}) agrees_to_38_digits(scheme, "sa", "8", "-0.1", "1");
}

BOOST_AUTO_TEST_CASE(beta_twenty_agrees_to_38_digits) {
  for (const char* scheme : {"post", "sqrt"}) agrees_to_38_digits(scheme, "sa", "33", "20", "0.5");
}

BOOST_AUTO_TEST_CASE(unnormalised_attention_agrees_to_38_digits) {
  for (const char* scheme : {"post", "pre", "peri"}) agrees_to_38_digits(scheme, "usa", "5", "0", "0.5");
}
