// Numbers as text: 0.1 is one tenth in every number type, what is no number is refused, and results keep
// their digits.
#define BOOST_TEST_MODULE text
#include <boost/test/unit_test.hpp>

#include "lib/real/text.hpp"

#include <chrono>
#include <stdexcept>

using namespace attndyn;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(40); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

using Reals = std::tuple<double, Float128, Mpfr>;

/// |a - b| / |b| in epsilons of Real.
template <class Real> double epsilons_apart(const Real& a, const Real& b) {
  using std::abs;
  return plain_value(Real(abs(a - b) / abs(b) / epsilon<Real>()));
}

template <class F> std::string message_of(F f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "accepted";
}

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(decimals_and_quotients_are_exact_up_to_rounding, Real, Reals) {
  BOOST_TEST((parse_real<Real>("0.1") == Real(1) / 10));
  BOOST_TEST((parse_real<Real>("1/3") == Real(1) / 3));
  BOOST_TEST((parse_real<Real>(" -7 / 4 ") == Real(-7) / 4));
  BOOST_TEST((parse_real<Real>("0.1/0.3") == Real(1) / 3));
  BOOST_TEST((parse_real<Real>("1e400/1e399") == 10));
  BOOST_TEST((parse_real<Real>("+2.5E+0") == Real(5) / 2));
  BOOST_TEST((parse_real<Real>(".5") == Real(1) / 2));
  BOOST_TEST((parse_real<Real>("3.") == 3));
  BOOST_TEST((parse_real<Real>("-0") == 0));
  BOOST_TEST((parse_real<Real>("0e99999999") == 0));
  Real power = 1;
  for (int i = 0; i < 30; ++i) power *= 10;
  BOOST_TEST(epsilons_apart<Real>(parse_real<Real>("1e-30"), Real(1 / power)) <= 1);
  BOOST_TEST(epsilons_apart<Real>(parse_real<Real>("-1e30"), Real(-power)) <= 1);
}

BOOST_AUTO_TEST_CASE(one_tenth_keeps_forty_digits) {
  BOOST_TEST(Number("0.1").as<Mpfr>().str(40) == "0.1");
  BOOST_TEST(Number(0.1).as<Mpfr>().str(40) == "0.1"); // the double nearest to 0.1 stands for one tenth
  BOOST_TEST(Number("1/3").as<Mpfr>().str(40) == "0." + std::string(40, '3'));
}

BOOST_AUTO_TEST_CASE(range_depends_on_the_number_type) {
  BOOST_TEST(message_of([] { parse_real<double>("1e400"); }).find("range") != std::string::npos);
  BOOST_TEST(message_of([] { parse_real<double>("-1e-400"); }).find("range") != std::string::npos);
  BOOST_TEST(message_of([] { parse_real<double>("1e-200/1e200"); }).find("range") != std::string::npos);
  BOOST_TEST(to_text(parse_real<Float128>("1e400")) == "1e+400");
  BOOST_TEST(message_of([] { parse_real<Float128>("1e5000"); }).find("range") != std::string::npos);
  BOOST_TEST((parse_real<Mpfr>("1e5000") > 0));
  // A parameter may be made before its number type is known.
  BOOST_TEST(std::isinf(Number("1e400").approx()));
  BOOST_TEST(compare("1e400", "1e399") == 1);
  BOOST_TEST(compare("1e-400", 0) == 1);
}

BOOST_AUTO_TEST_CASE(what_is_no_finite_number_is_refused_at_once_with_the_rule) {
  for (const char* text : {"nan",
                           "inf",
                           "-inf",
                           "infinity",
                           "",
                           " ",
                           "1e",
                           "1e+",
                           "0x1p3",
                           "1/0",
                           "0/0",
                           "1/0.000",
                           "1/",
                           "/2",
                           "1/2/3",
                           ".",
                           "-",
                           "e5",
                           "1,5",
                           "1 2",
                           "1.2.3",
                           "--1",
                           "1e1.5",
                           "1d3",
                           "5%",
                           "1e999999999",
                           "-1e-999999999",
                           "1e99999999999999999999999999",
                           "1e999999999/1e999999998"}) {
    BOOST_TEST_CONTEXT("text " << text) {
      const auto begin = std::chrono::steady_clock::now();
      for (const std::string& message :
           {message_of([&] { parse_real<double>(text); }), message_of([&] { parse_real<Float128>(text); }),
            message_of([&] { parse_real<Mpfr>(text); }), message_of([&] { Number{text}; })})
        BOOST_TEST(message.starts_with("must be a finite decimal number or a quotient p/q"));
      BOOST_TEST(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 0.1);
    }
  }
  for (double x : {std::nan(""), HUGE_VAL, -HUGE_VAL})
    BOOST_TEST(message_of([&] { Number{x}; }).starts_with("must be"));
}

BOOST_AUTO_TEST_CASE(comparison_is_exact) {
  BOOST_TEST(compare("0.1", "1/10") == 0);
  BOOST_TEST(compare("0.1", Number(0.1)) == 0);
  BOOST_TEST(compare("1/3", "0.3333333333333333333333333333333333333333") == 1);
  BOOST_TEST(compare("1", "0.99999999999999999999999999999999999999999999999999") == 1);
  BOOST_TEST(compare("-1/7", "-0.142857142857142857142857142857142857") == -1);
  BOOST_TEST(compare(-2, 3) == -1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(text_reads_back_as_the_same_number, Real, Reals) {
  using std::exp;
  Real x = Real(1) / 3;
  for (int i = 0; i < 200; ++i) {
    const Real y = i % 2 == 0 ? x : Real(-x);
    BOOST_TEST((parse_real<Real>(to_text(y)) == y), to_text(y));
    x = x * Real(33) / 7;
    if (i == 100) x = exp(Real(-300)) / 3;
  }
  BOOST_TEST(to_text(infinity<Real>()) == "inf");
  BOOST_TEST(to_text(Real(-infinity<Real>())) == "-inf");
  BOOST_TEST(to_text(Real(infinity<Real>() - infinity<Real>())) == "nan");
}

// e^y: log 10 = 2.302585092994045684017991454684364207601101488628772976..., and 3000 = 1302.88... log 10
// with e^-3000 = 1.30783901892125043787985918145100203... 10^-1303 (mpmath, 60 digits).
BOOST_AUTO_TEST_CASE(exponentials_are_written_beyond_the_range_of_the_number_type) {
  BOOST_TEST(exp_to_text(-3000.0).starts_with("1.3078390189212"));
  BOOST_TEST(exp_to_text(-3000.0).ends_with("e-1303"));
  BOOST_TEST(exp_to_text(Float128(-3000)).starts_with("1.307839018921250437879859181451002"));
  BOOST_TEST(exp_to_text(Mpfr(-3000)).starts_with("1.30783901892125043787985918145100203"));
  BOOST_TEST(exp_to_text(Float128(-30000)).ends_with("e-13029"));
  BOOST_TEST(exp_to_text(1e5).ends_with("e43429"));
  BOOST_TEST(exp_to_text(Mpfr("-1e15")).ends_with("e-434294481903252")); // beyond the exponents of MPFR too
  BOOST_TEST(exp_to_text(-infinity<double>()) == "0");
  BOOST_TEST(exp_to_text(infinity<double>()) == "inf");
  BOOST_TEST(exp_to_text(std::nan("")) == "nan");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(exponentials_are_written_in_normal_form_and_read_back, Real, Reals) {
  using std::abs;
  using std::exp;
  for (const char* text : {"0", "-1e-30", "-1e-17", "1e-20", "-2.302585092994045684017991454684364207601",
                           "-4.605170185988091368035982909368728415202",
                           "2.302585092994045684017991454684364207601", "-0.7", "300", "-700"}) {
    const Real y = parse_real<Real>(text);
    const std::string written = exp_to_text(y);
    BOOST_TEST(epsilons_apart<Real>(parse_real<Real>(written), exp(y)) <= 2 + plain_value(Real(abs(y))),
               text << ": " << written);
    if (!std::is_same_v<Real, Mpfr>) {
      BOOST_TEST(written.at(0) != '0', written);
      BOOST_TEST(written.at(1) == '.', written);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(log_of_one_minus_keeps_its_digits_near_one, Real, Reals) {
  using std::log;
  BOOST_TEST(epsilons_apart<Real>(Number("1/3").log_one_minus<Real>(), log(Real(2) / 3)) <= 2);
  BOOST_TEST(epsilons_apart<Real>(Number("-0.3").log_one_minus<Real>(), log(Real(13) / 10)) <= 2);
  BOOST_TEST((Number(0).log_one_minus<Real>() == 0));
  // 1 - (1 - 10^-45) = 10^-45, and log(1 - 1e-40) = -1e-40 to all digits.
  const std::string nines = "0." + std::string(45, '9');
  BOOST_TEST(epsilons_apart<Real>(Number(nines).log_one_minus<Real>(), -45 * log(Real(10))) <= 2);
  BOOST_TEST(epsilons_apart<Real>(Number("1e-40").log_one_minus<Real>(), -parse_real<Real>("1e-40")) <= 2);
}

// A number that carries more digits than asked would hand them on to everything computed from it.
BOOST_AUTO_TEST_CASE(mpfr_numbers_have_the_precision_of_the_process) {
  const unsigned digits = Mpfr(1).precision();
  for (const Mpfr& x : {Number("1/3").as<Mpfr>(), Number("0.1").as<Mpfr>(),
                        Number("1/3").log_one_minus<Mpfr>(), epsilon<Mpfr>()}) {
    BOOST_TEST(x.precision() == digits);
    BOOST_TEST(Mpfr(x * x).precision() == digits);
  }
}
