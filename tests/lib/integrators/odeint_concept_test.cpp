// Dop853 as what it says it is: an Odeint error stepper, on its own and inside Odeint's controlled steppers.
#define BOOST_TEST_MODULE odeint_concept
#include <boost/test/unit_test.hpp>

#include "tests/lib/integrators/problems.hpp"

#include <boost/numeric/odeint/stepper/generation.hpp>

#include <cmath>
#include <tuple>

using namespace attndyn;
using namespace attndyn::testing;
namespace odeint = boost::numeric::odeint;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(50); }
};
using Reals = std::tuple<double, Float128, Mpfr>;

/// x0' = x1, x1' = -x0: a circle.
struct Circle {
  template <class Real> void operator()(const Vector<Real>& x, Vector<Real>& dxdt, const Real&) const {
    dxdt[0] = x[1];
    dxdt[1] = -x[0];
  }
};

/// With a controlled stepper from (1, 0) to t = 1, the last step cut to end there; the largest error.
template <class Real, class Controlled> Real error_at_one(Controlled stepper) {
  using std::cos;
  using std::sin;
  Vector<Real> x{Real(1), Real(0)};
  Real t = 0, step = Real(1) / 100;
  for (int tries = 0; t < 1; ++tries) {
    BOOST_TEST_REQUIRE(tries < 100000);
    if (step > 1 - t) step = 1 - t;
    stepper.try_step(Circle(), x, t, step);
  }
  return largest_difference(x, Vector<Real>{Real(cos(t)), Real(-sin(t))});
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE_TEMPLATE(all_ways_to_call_do_step_agree, Real, Reals) {
  using Method = Dop853<Vector<Real>, Real>;
  const Vector<Real> x0{Real(1), Real(1) / 3};
  const Real t = Real(1) / 7, h = Real(1) / 10;
  Vector<Real> dxdt(2), expected(2), expected_error(2);
  const Circle f;
  f(x0, dxdt, t);
  Method().do_step(f, x0, t, expected, h, expected_error);
  BOOST_TEST((expected_error[0] != 0 && expected_error[1] != 0));

  Vector<Real> x = x0, error(2);
  const auto check = [&](bool with_error) {
    BOOST_TEST((x == expected));
    if (with_error) BOOST_TEST((error == expected_error));
    x = x0;
    error.assign(2, Real(0));
  };
  Method m;
  m.do_step(f, x, t, h), check(false);
  m.do_step(f, x, dxdt, t, h), check(false);
  m.do_step(f, x0, t, x, h), check(false);
  m.do_step(f, x0, dxdt, t, x, h), check(false);
  m.do_step(f, x, t, h, error), check(true);
  m.do_step(f, x, dxdt, t, h, error), check(true);
  m.do_step(f, x0, dxdt, t, x, h, error), check(true);
  m.do_step(std::ref(f), x0, t, x, h), check(false);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(it_works_inside_a_controlled_runge_kutta, Real, Reals) {
  using Method = Dop853<Vector<Real>, Real>;
  for (const char* text : {"1e-6", "1e-9", "1e-12"}) {
    const Real tolerance = parse_real<Real>(text);
    const odeint::default_error_checker<Real, odeint::range_algebra, odeint::default_operations> checker(
        tolerance, Real(0));
    const Real error = error_at_one<Real>(odeint::controlled_runge_kutta<Method>(checker));
    BOOST_TEST_MESSAGE(text << ": error " << plain_value(error));
    BOOST_TEST((error < tolerance));
  }
}

BOOST_AUTO_TEST_CASE(make_controlled_accepts_it) {
  const double error = error_at_one<double>(odeint::make_controlled(1e-10, 1e-10, Dop853<Vector<double>>()));
  BOOST_TEST(error < 1e-10);
}

BOOST_AUTO_TEST_CASE(odeint_reads_its_orders) {
  using Method = Dop853<Vector<double>>;
  BOOST_TEST(int{Method::order_value} == 8);
  BOOST_TEST(int{Method::stepper_order_value} == 8);
  BOOST_TEST(int{Method::error_order_value} == 7);
  BOOST_TEST((std::is_same_v<Method::stepper_category, odeint::explicit_error_stepper_tag>));
}

BOOST_AUTO_TEST_CASE(a_nan_derivative_makes_the_error_estimate_nan) {
  const auto f = [](const Vector<double>&, Vector<double>& dxdt, double t) {
    dxdt[0] = t > 0.05 ? std::nan("") : 1;
  };
  Vector<double> x{0}, error{0};
  Dop853<Vector<double>>().do_step(f, x, 0.0, 0.1, error);
  BOOST_TEST(std::isnan(error[0]));
  BOOST_TEST(std::isnan(x[0]));
}
