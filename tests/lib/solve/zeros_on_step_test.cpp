// Zeros of a scalar function along one step, above all near the ends of the step and where it only touches
// zero.
#define BOOST_TEST_MODULE zeros_on_step
#include <boost/test/unit_test.hpp>

#include "lib/events.hpp"
#include "lib/real/text.hpp"

#include <cmath>
#include <stdexcept>
#include <tuple>

using namespace attndyn;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(50); }
};
using Reals = std::tuple<double, Float128, Mpfr>;

template <class Real> using Function = std::function<Real(const Real&)>;

template <class Real> StepZeros<Real> zeros(Function<Real> v, int samples = 8, double uncertainty = 0) {
  AlongStep<Real> along;
  along.value = std::move(v);
  along.uncertainty = [uncertainty](const Real&) { return Real(uncertainty); };
  return zeros_on_step(along, samples);
}

/// In epsilons.
template <class Real> double off(const Real& theta, const Real& exact) {
  using std::abs;
  return plain_value(Real(abs(Real(theta - exact)) / epsilon<Real>()));
}
/// In square roots of epsilon: all that a double zero allows.
template <class Real> double off_double(const Real& theta, const Real& exact) {
  using std::abs;
  using std::sqrt;
  return plain_value(Real(abs(Real(theta - exact)) / sqrt(epsilon<Real>())));
}

/// The zeros of v on consecutive steps that end at the given times, as the time loop asks for them: each step
/// gets the trend of the one before, and a zero at its start belongs to the one before.
std::vector<StepZero<double>> on_steps(const Function<double>& v, const std::vector<double>& ends,
                                       double uncertainty = 0) {
  std::vector<StepZero<double>> out;
  Trend trend = Trend::unknown;
  double begin = 0;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const double end = ends[k];
    AlongStep<double> along;
    along.value = [&](const double& theta) { return v(theta == 1 ? end : begin + theta * (end - begin)); };
    along.uncertainty = [&](const double&) { return uncertainty; };
    along.at_start = trend;
    along.last = k + 1 == ends.size();
    const auto found = zeros_on_step(along, 8);
    trend = found.at_end;
    for (const auto& zero : found.zeros) out.push_back({begin + zero.theta * (end - begin), zero.sign});
    begin = end;
  }
  return out;
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE_TEMPLATE(a_crossing_anywhere_in_the_step_is_found_to_rounding, Real, Reals) {
  using std::exp;
  for (const char* where :
       {"1e-12", "1e-6", "0.1", "0.124999", "0.5", "0.7071", "0.999999", "0.999999999999"})
    for (const int sign : {1, -1}) {
      const Real at = parse_real<Real>(where);
      const auto z =
          zeros<Real>([&](const Real& theta) -> Real { return sign * (exp(theta) - exp(at)); }).zeros;
      BOOST_TEST_REQUIRE(z.size() == 1u);
      BOOST_TEST(z[0].sign == sign);
      BOOST_TEST(off(z[0].theta, at) <= 10);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_zero_that_is_touched_is_found_and_has_no_sign, Real, Reals) {
  using std::cos;
  for (const char* where : {"1e-5", "0.01", "0.1", "0.125", "0.3", "0.5", "0.9", "0.99", "0.99999"})
    for (const int sign : {1, -1}) {
      const Real at = parse_real<Real>(where);
      const auto z =
          zeros<Real>([&](const Real& theta) -> Real { return sign * (1 - cos(Real(theta - at))); }).zeros;
      BOOST_TEST_REQUIRE(z.size() == 1u, "at " << where);
      BOOST_TEST(z[0].sign == 0);
      BOOST_TEST(off_double(z[0].theta, at) <= 10);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(two_zeros_between_two_samples_are_both_found, Real, Reals) {
  for (const auto& [a, b] : {std::pair{"0.01", "0.02"},
                             {"0.06", "0.061"},
                             {"0.51", "0.56"},
                             {"0.98", "0.99"},
                             {"0.0001", "0.1"},
                             {"0.9", "0.9999"}}) {
    const Real first = parse_real<Real>(a), second = parse_real<Real>(b);
    const auto z = zeros<Real>([&](const Real& t) -> Real { return (t - first) * (t - second); }).zeros;
    BOOST_TEST_REQUIRE(z.size() == 2u, a << " and " << b);
    BOOST_TEST(z[0].sign == -1);
    BOOST_TEST(z[1].sign == 1);
    // The value near one zero is small by the distance to the other.
    BOOST_TEST(off(z[0].theta, first) <= 10 / plain_value(Real(second - first)));
    BOOST_TEST(off(z[1].theta, second) <= 10 / plain_value(Real(second - first)));
  }
}

BOOST_AUTO_TEST_CASE(a_zero_at_the_end_belongs_to_the_step_and_one_at_the_start_does_not) {
  const auto at_end = zeros<double>([](const double& t) { return 1 - t; }).zeros;
  BOOST_TEST_REQUIRE(at_end.size() == 1u);
  BOOST_TEST(at_end[0].theta == 1.0);
  BOOST_TEST(at_end[0].sign == -1);
  BOOST_TEST(zeros<double>([](const double& t) { return t; }).zeros.empty());
  BOOST_TEST(zeros<double>([](const double& t) { return t * t; }).zeros.empty());
  const auto touched_at_end = zeros<double>([](const double& t) { return (1 - t) * (1 - t); }).zeros;
  BOOST_TEST_REQUIRE(touched_at_end.size() == 1u);
  BOOST_TEST(touched_at_end[0].sign == 0);
}

BOOST_AUTO_TEST_CASE(a_step_that_starts_on_a_zero_still_sees_the_next_one) {
  // From 0 down, and up again through 0 before the first sample.
  const auto z = zeros<double>([](const double& t) { return t * (t - 0.05); }).zeros;
  BOOST_TEST_REQUIRE(z.size() == 1u);
  BOOST_TEST(z[0].theta == 0.05, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(z[0].sign == 1);
}

BOOST_AUTO_TEST_CASE(what_stays_away_from_zero_has_none_however_small_its_dip) {
  for (const double depth : {1e-3, 1e-6, 1e-9, 1e-12})
    for (const double at : {1e-4, 0.3, 0.5, 0.99})
      BOOST_TEST(zeros<double>([&](const double& t) { return depth + (t - at) * (t - at); }).zeros.empty());
  BOOST_TEST(zeros<double>([](const double&) { return 0.0; }).zeros.empty());
  BOOST_TEST(zeros<double>([](const double&) { return 1.0; }).zeros.empty());
}

BOOST_AUTO_TEST_CASE(a_dip_below_the_uncertainty_is_a_touch_on_either_side_of_zero) {
  for (const double depth : {1e-7, -1e-7, 1e-12, -1e-12}) {
    const auto v = [&](const double& t) { return depth + (t - 0.3) * (t - 0.3); };
    const auto z = zeros<double>(v, 8, 1e-6).zeros;
    BOOST_TEST_REQUIRE(z.size() == 1u);
    BOOST_TEST(z[0].sign == 0);
    BOOST_TEST(std::abs(z[0].theta - 0.3) < 1e-3);
    // And without it, what it is: nothing, or two crossings.
    BOOST_TEST(zeros<double>(v).zeros.size() == (depth > 0 ? 0u : 2u));
  }
}

BOOST_AUTO_TEST_CASE(a_touch_near_the_boundary_of_two_steps_is_found_exactly_once) {
  const Function<double> shapes[] = {[](const double& s) { return 1 - std::cos(s); },
                                     [](const double& s) { return s * s; },
                                     [](const double& s) { return -s * s * (1 + s / 2) * 1e-20; }};
  for (const auto& shape : shapes)
    for (const double distance :
         {0.0, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1})
      for (const int side : {-1, 1})
        for (const double second_end : {1.1, 1.7, 2.5}) {
          const double at = 1 + side * distance;
          const auto z = on_steps([&](const double& t) { return shape(t - at); }, {1.0, second_end});
          BOOST_TEST_REQUIRE(z.size() == 1u, "at 1 + " << side * distance << ": " << z.size());
          BOOST_TEST(std::abs(z[0].theta - at) < 1e-6);
        }
}

BOOST_AUTO_TEST_CASE(a_crossing_near_the_boundary_of_two_steps_is_found_exactly_once) {
  for (const double distance : {0.0, 1e-16, 3e-16, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1})
    for (const int side : {-1, 1}) {
      const double at = 1 + side * distance;
      const auto z = on_steps([&](const double& t) { return std::sin(t - at); }, {1.0, 2.0, 3.0});
      BOOST_TEST_REQUIRE(z.size() == 1u);
      BOOST_TEST(std::abs(z[0].theta - at) < 1e-15);
      BOOST_TEST(z[0].sign == 1);
    }
}

BOOST_AUTO_TEST_CASE(two_crossings_on_both_sides_of_a_boundary_are_both_found) {
  for (const double gap : {1e-1, 1e-3, 1e-5}) {
    const auto z = on_steps([&](const double& t) { return (t - 1) * (t - 1) - gap * gap; }, {1.0, 2.0});
    BOOST_TEST_REQUIRE(z.size() == 2u);
    BOOST_TEST(z[0].sign == -1);
    BOOST_TEST(z[1].sign == 1);
  }
}

BOOST_AUTO_TEST_CASE(a_zero_that_rounding_puts_just_behind_the_last_step_is_found) {
  const double tiny = 1e-13;
  const auto v = [&](const double& t) { return 1 + tiny - t; };
  BOOST_TEST(on_steps(v, {1.0}, 1e-12).size() == 1u);
  BOOST_TEST(on_steps(v, {1.0}, 1e-14).empty());
  // Where a step follows, that one finds it, once.
  BOOST_TEST(on_steps(v, {1.0, 2.0}, 1e-12).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_function_that_is_not_finite_throws) {
  BOOST_CHECK_THROW(zeros<double>([](const double& t) { return t > 0.4 ? std::nan("") : 1.0; }),
                    std::domain_error);
  BOOST_CHECK_THROW(zeros<double>([](const double& t) { return 1 / (t - 0.5); }), std::domain_error);
}
