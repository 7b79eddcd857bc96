// The vectorised row loops of double against exact exponentials.
#define BOOST_TEST_MODULE row
#include <boost/test/unit_test.hpp>

#include "lib/attention/row.hpp"

#include <cstdint>
#include <random>

using namespace attndyn;

namespace {

/// |computed - e^x| in units in the last place of e^x, in Float128.
double ulps(double computed, double x) {
  const Float128 exact = exp(Float128(x));
  const double nearest = static_cast<double>(exact);
  const double ulp = std::nextafter(nearest, HUGE_VAL) - nearest;
  return static_cast<double>(Float128(abs(Float128(computed) - exact) / ulp));
}

/// Where the reduction x = k log 2 + r turns over, and its neighbours; the ends; tiny arguments.
Vector<double> special_points() {
  Vector<double> out{
      0.0, -0.0, -1e-300, -1e-20, -1e-16, -1.1102230246251565e-16, -1e-8, -708.0, std::nextafter(-708.0, 0)};
  for (int k = 0; k <= 2042; ++k) {
    const double x = -0.34657359027997264 * k;
    if (x < -708) break;
    for (double y : {std::nextafter(x, -HUGE_VAL), x, std::nextafter(x, HUGE_VAL)})
      if (y <= 0 && y >= -708) out.push_back(y);
  }
  return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(exponentials_are_within_two_units_in_the_last_place_on_minus_708_to_0) {
  Vector<double> x = special_points();
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-708, 0), near(-1, 0);
  for (int i = 0; i < 300'000; ++i) {
    x.push_back(uniform(generator));
    x.push_back(near(generator));
    x.push_back(-std::exp2(-60 * near(generator) - 60));
  }
  Vector<double> y = x;
  exponential_row(y.data(), y.size(), 0.0);
  double worst = 0, where = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (const double error = ulps(y[i], x[i]); !(error <= worst)) {
      worst = error;
      where = x[i];
    }
  BOOST_TEST(worst <= 2);
  BOOST_TEST_MESSAGE("largest error of exp over " << x.size() << " points: " << worst << " ulp, at "
                                                  << where);
}

BOOST_AUTO_TEST_CASE(exp_of_zero_is_one_and_below_minus_708_it_is_zero) {
  Vector<double> x{0.0, -708.5, -1e4, -1e300, -HUGE_VAL};
  const double sum = exponential_row(x.data(), x.size(), 0.0);
  BOOST_TEST(x == (Vector<double>{1, 0, 0, 0, 0}), boost::test_tools::per_element());
  BOOST_TEST(sum == 1);
}

BOOST_AUTO_TEST_CASE(nan_goes_through) {
  for (std::size_t place = 0; place < 19; ++place) {
    Vector<double> x(19, -1.0);
    x[place] = std::nan("");
    BOOST_TEST(std::isnan(exponential_row(x.data(), x.size(), 0.0)));
    BOOST_TEST(std::isnan(x[place]));
  }
}

// A row of any length: the lanes of the vector loop and its remainder give the same bits, and nothing is
// written beyond.
BOOST_AUTO_TEST_CASE(a_weight_does_not_depend_on_its_place_in_the_row) {
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> uniform(-50, 0);
  for (std::size_t count = 1; count <= 40; ++count) {
    Vector<double> x(count + 1);
    for (double& v : x) v = uniform(generator);
    Vector<double> y = x;
    const double shift = largest_in_row(x.data(), count), sum = exponential_row(y.data(), count, shift);
    double largest = -HUGE_VAL, total = 0;
    for (std::size_t k = 0; k < count; ++k) {
      double alone = x[k];
      exponential_row(&alone, 1, shift);
      BOOST_TEST(y[k] == alone);
      largest = std::max(largest, x[k]);
      total += y[k];
    }
    BOOST_TEST(y[count] == x[count]);
    BOOST_TEST(shift == largest);
    BOOST_TEST(sum == total, boost::test_tools::tolerance(1e-14));
  }
}

BOOST_AUTO_TEST_CASE(the_loops_of_the_other_number_types_agree) {
  Vector<Float128> wide{-3, 0.5, -700, -2000};
  Vector<double> narrow{-3, 0.5, -700, -2000};
  BOOST_TEST(largest_in_row(wide.data(), 4) == 0.5);
  const Float128 sum = exponential_row(wide.data(), 4, Float128(0.5));
  const double narrow_sum = exponential_row(narrow.data(), 4, 0.5);
  BOOST_TEST(static_cast<double>(sum) == narrow_sum, boost::test_tools::tolerance(1e-15));
  for (std::size_t k = 0; k < 3; ++k)
    BOOST_TEST(static_cast<double>(wide[k]) == narrow[k], boost::test_tools::tolerance(1e-15));
}
