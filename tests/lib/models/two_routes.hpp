/// Random equiangular problems solved by two routes that share no code: Taylor series of the differential
/// equation, and the separable solution, which encloses.
#pragma once

#include "lib/models/equiangular.hpp"
#include "lib/models/separable.hpp"
#include "lib/random.hpp"
#include "lib/solve.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace attndyn::testing {

/// Set `unit` of the family: beta in [-1, 20], n to 1e6, g0 from near -1/(n-1) to 0.9, r0 and t over decades.
inline std::pair<EquiangularParams, Number> random_problem(const char* scheme, std::uint64_t unit) {
  Stream u(2026, unit, Purpose::search);
  const auto in = [&](double a, double b) { return a + (b - a) * u.uniform(); };
  const auto text = [](double x) { return Number(fmt::format("{:.6g}", x)); };
  EquiangularParams p;
  p.scheme.name = scheme;
  p.scheme.tau = text(in(0.1, 3));
  p.scheme.alpha = text(in(0.5, 2));
  p.scheme.alpha_decay = text(unit % 2 == 0 ? 0 : in(0.1, 0.9));
  p.n = static_cast<int>(std::exp(in(std::log(2.0), std::log(1e6))));
  p.beta = text(in(-1, 20));
  p.g0 = text(in(-0.9 / (p.n - 1), 0.9));
  p.r0 = text(std::exp(in(-2, 2)));
  return {p, text(std::exp(in(std::log(0.1), std::log(50.0))))};
}

/// log(1-g) and log r of both routes at 60 digits: all digits but 3 of the larger of 1 and the value.
inline void check_two_routes(const char* scheme, std::uint64_t unit) {
  constexpr int digits = 60; // of 70
  const auto [p, t] = random_problem(scheme, unit);
  const Equiangular<Mpfr> model(p);
  Options<Mpfr> o;
  o.stepper = "taylor";
  o.tolerance = parse_real<Mpfr>(fmt::format("1e-{}", digits));
  const auto s = solve<Mpfr>(model, model.start(), Mpfr(0), {t.as<Mpfr>()}, o);
  const std::string label = fmt::format("{} n = {}, beta = {}, g0 = {}, r0 = {}, t = {}", scheme, p.n,
                                        p.beta.text(), p.g0.text(), p.r0.text(), t.text());
  BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, label << ": " << name_of(s.why) << " " << s.detail);
  const SeparableState exact = Separable(p).at_digits(t, digits + 4);
  const BallBits bits(BallBits::of_digits(2 * digits));
  const Ball expected[] = {exact.log_gap, log(exact.r)};
  const Ball bound = parse_real<Ball>(fmt::format("1e-{}", digits - 3));
  for (std::size_t i = 0; i < 2; ++i) {
    const Ball value(s.samples[0].x[i]), size = Ball(1) + abs(value);
    BOOST_TEST(certainly_less(abs(value - expected[i]), bound * size),
               label << ": component " << i << " differs by " << plain_value(value - expected[i]));
    // What differs by 1e-6 of itself is told apart, so the comparison can fail.
    const Ball wrong = value * (Ball(1) + parse_real<Ball>("1e-6"));
    if (std::abs(plain_value(value)) > 1e-30)
      BOOST_TEST(!certainly_less(abs(wrong - expected[i]), bound * size), label);
  }
}

struct SeventyDigits {
  SeventyDigits() { set_mpfr_digits(70); }
};
BOOST_TEST_GLOBAL_FIXTURE(SeventyDigits);

} // namespace attndyn::testing
