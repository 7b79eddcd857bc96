// Forty digits: `--digits 40` (tolerance 1e-40 on Mpfr of 50 digits) agrees to 38 digits with the route of
// tests/reference/equiangular.py, which is mpmath quadrature of the clock t(g), exponential integrals for the
// radius and Newton's method - no differential equation and no code in common.
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

// Peri-LN: `attndyn equiangular --scheme peri --n 256 --beta 5 --times 10 --digits 40`.
BOOST_AUTO_TEST_CASE(the_run_of_the_paper_agrees_to_38_digits_at_t_10_in_every_scheme) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"})
    agrees_to_38_digits(scheme, "sa", "256", "5", "10");
}

BOOST_AUTO_TEST_CASE(negative_beta_agrees_to_38_digits_at_t_10_in_every_scheme) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"})
    agrees_to_38_digits(scheme, "sa", "8", "-0.1", "10");
}

BOOST_AUTO_TEST_CASE(beta_twenty_agrees_to_38_digits_at_t_5_in_every_scheme) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"})
    agrees_to_38_digits(scheme, "sa", "33", "20", "5");
}

// log(1-g) keeps its digits where 1-g = 1.6e-49 (Post-LN) and 1.4e-51 (nGPT).
BOOST_AUTO_TEST_CASE(one_minus_g_below_1e_minus_40_agrees_to_38_digits) {
  for (const char* scheme : {"post", "ngpt"}) {
    BOOST_TEST(
        (parse_real<Mpfr>(equiangular_row(scheme, "sa", "256", "5", "60").log_gap) < -40 * log(Mpfr(10))));
    agrees_to_38_digits(scheme, "sa", "256", "5", "60");
  }
}

// S15: the path of sqrt-scaling at t = 3 is that of Post-LN at 2 (sqrt(t+1) - 1) = 2, LayerNorm scaling's
// that of Pre-LN.
BOOST_AUTO_TEST_CASE(schemes_with_a_common_speed_factor_share_their_path_to_45_digits) {
  const Mpfr tolerance = parse_real<Mpfr>("1e-46");
  for (const auto& [scaled, plain] : {std::pair{"sqrt", "post"}, {"lns", "pre"}}) {
    const auto reach = [&](const char* scheme, int t) {
      const auto s = run<Mpfr>(
          EquiangularParams{.scheme = {.name = scheme}, .n = 16, .beta = 2, .g0 = "0.1", .r0 = "3/2"},
          {Mpfr(t)}, tolerance);
      BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, scheme << ": " << name_of(s.why) << " " << s.detail);
      BOOST_TEST_MESSAGE(fmt::format("{} to t = {} at 1e-46: {:.1f} s", scheme, t, s.stats.seconds));
      return s.samples[0].x;
    };
    const auto a = reach(scaled, 3), b = reach(plain, 2);
    for (std::size_t i = 0; i < 2; ++i) BOOST_TEST((abs(a[i] - b[i]) < parse_real<Mpfr>("1e-45")), scaled);
  }
}
