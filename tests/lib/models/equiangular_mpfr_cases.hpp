/// What the Mpfr tests of the equiangular model share: a test program includes this instead of Boost.Test.
#pragma once

#include <boost/test/unit_test.hpp>

#include "tests/support/equiangular_rows.hpp"

#include <fmt/format.h>

namespace {

using namespace attndyn;
using attndyn::testing::equiangular_row;
using attndyn::testing::run;

struct Precision {
  Precision() { set_mpfr_digits(50); } // what --digits 40 sets
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

/// log(1-g) and log r to an absolute error of 1e-38 max(1, |value|), from a run at tolerance 1e-40.
void agrees_to_38_digits(const char* scheme, const char* attention, const char* n, const char* beta,
                         const char* t) {
  const auto row = equiangular_row(scheme, attention, n, beta, t);
  const auto s = run<Mpfr>(row.params, {parse_real<Mpfr>(row.t)}, parse_real<Mpfr>("1e-40"));
  BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, row.label << ": " << name_of(s.why) << " " << s.detail);
  const Mpfr bound = parse_real<Mpfr>("1e-38");
  const std::string* const expected[] = {&row.log_gap, &row.log_r};
  double worst = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const Mpfr value = parse_real<Mpfr>(*expected[i]), size = abs(value) > 1 ? Mpfr(abs(value)) : Mpfr(1);
    worst = std::max(worst, plain_value(Mpfr(abs(s.samples[0].x[i] - value) / size / bound)));
  }
  BOOST_TEST(worst <= 1, row.label);
  BOOST_TEST_MESSAGE(fmt::format("{:<40} error {:7.1e} e-38, {:5.2f} s, {} steps", row.label, worst,
                                 s.stats.seconds, s.stats.accepted));
}

} // namespace
