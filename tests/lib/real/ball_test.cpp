// Balls against numbers computed at more digits: every operation encloses, and not by much too much.
#define BOOST_TEST_MODULE ball
#include "lib/real/ball.hpp"

#include <boost/test/unit_test.hpp>

using namespace attndyn;

namespace {

struct MpfrDigits {
  MpfrDigits() { set_mpfr_digits(80); }
};

Ball exact(const char* text) { return parse_real<Ball>(text); }

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(MpfrDigits);

BOOST_AUTO_TEST_CASE(every_operation_encloses_the_result_at_twice_the_digits) {
  const char* values[] = {"0.1", "-7/3", "1e-30", "1e30", "-0.9999", "3", "1.5e-5"};
  for (const char* xs : values)
    for (const char* ys : values) {
      const BallBits bits(BallBits::of_digits(30));
      const Ball x = exact(xs), y = exact(ys);
      const Mpfr wide_x = parse_real<Mpfr>(xs), wide_y = parse_real<Mpfr>(ys);
      const auto encloses = [&](const Ball& ball, const Mpfr& value, const char* what) {
        const Ball wide = widened(Ball(value), Ball(Mpfr(abs(value) * Mpfr("1e-78"))));
        BOOST_TEST(overlap(ball, wide), what << " of " << xs << ", " << ys);
        BOOST_TEST(relative_digits(ball) > 24, what << " of " << xs << ", " << ys << " is too wide");
      };
      encloses(x * y, wide_x * wide_y, "product");
      encloses(x / y, wide_x / wide_y, "quotient");
      if (xs != ys) encloses(x - y, wide_x - wide_y, "difference");
      encloses(sqrt(abs(x)), sqrt(abs(wide_x)), "root");
      encloses(log(abs(x)), log(abs(wide_x)), "logarithm");
      if (abs(wide_x) < 100) {
        encloses(exp(x), exp(wide_x), "exponential");
        encloses(expm1(x), expm1(wide_x), "expm1");
        if (abs(wide_y) < 100) encloses(pow(abs(x), y), pow(abs(wide_x), wide_y), "power");
      }
    }
}

BOOST_AUTO_TEST_CASE(text_is_read_outward_and_written_outward) {
  const BallBits bits(60);
  const Ball third = exact(" 1 / 3 ");
  BOOST_TEST(third.radius() > 0);
  BOOST_TEST((overlap(third * Ball(3), Ball(1))));
  BOOST_TEST(exact("0.1").radius() > 0);
  BOOST_TEST(exact("0.5").radius() == 0);
  for (const char* bad : {"", "nan", "inf", "1/0", "[1 +/- 2]", "0.1x"})
    BOOST_CHECK_THROW(exact(bad), std::invalid_argument);
  {
    const BallBits more(300);
    BOOST_TEST((contains(
        Ball::between(exact(lower_text(third, 12).c_str()), exact(upper_text(third, 12).c_str())), third)));
    BOOST_TEST(lower_text(third, 5) == "3.3333e-01");
    BOOST_TEST(upper_text(third, 5) == "3.3334e-01");
  }
  BOOST_TEST((arb_equal(from_exact(to_exact(third)).raw(), third.raw())));
  BOOST_CHECK_THROW(from_exact("17 what"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(an_order_is_claimed_only_where_it_is_certain) {
  const BallBits bits(60);
  const Ball zero_to_one = Ball::between(0, 1), one_to_two = Ball::between(1, 2);
  BOOST_TEST(!certainly_less(zero_to_one, one_to_two));
  BOOST_TEST(certainly_less(zero_to_one, Ball::between(2, 3)));
  BOOST_TEST(overlap(zero_to_one, one_to_two));
  BOOST_TEST(!certainly_positive(zero_to_one));
  BOOST_TEST(contains_zero(zero_to_one));
  BOOST_CHECK_THROW(common(zero_to_one, Ball::between(2, 3)), std::logic_error);
  // Radii have 30 bits, so the ball around a common part is a little larger than that.
  BOOST_TEST((contains(Ball::between(0.49999, 1.00001), common(zero_to_one, Ball::between(0.5, 3)))));
}

BOOST_AUTO_TEST_CASE(what_is_not_finite_says_so) {
  const BallBits bits(60);
  BOOST_TEST(!is_finite(log(Ball::between(-1, 1))));
  BOOST_TEST(!is_finite(Ball(1) / Ball::between(-1, 1)));
  BOOST_TEST(!is_finite(Ball(std::numeric_limits<double>::quiet_NaN())));
  BOOST_TEST(!is_finite(sqrt(Ball(-1))));
  BOOST_CHECK_THROW(BallBits(1), std::invalid_argument);
}
