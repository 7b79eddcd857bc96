// The precision floor of DOP853: a step so short that its truncation error lies below the rounding, in every
// number type up to 100 digits. A coefficient with too few digits stands out. All starts are x = 0: else the
// rounding of the state itself, 10^(digits/8) times the floor that is looked for, would hide it.
#define BOOST_TEST_MODULE precision_floor
#include <boost/test/unit_test.hpp>

#include "tests/lib/integrators/problems.hpp"

using namespace attndyn;
using namespace attndyn::testing;

namespace {

/// x' = 1 + x^2, x = tan t; x' = (1+x) cos t, x = e^{sin t} - 1; x' = cos t, x = sin t.
template <class Real> std::vector<Problem<Real>> from_zero() {
  using std::cos;
  using std::expm1;
  using std::sin;
  using std::tan;
  const Vector<Real> zero{Real(0)};
  return {{"x' = 1 + x^2",
           [](const Vector<Real>& x, Vector<Real>& dxdt, const Real&) { dxdt[0] = 1 + x[0] * x[0]; }, Real(0),
           zero, [](const Real& t) { return Vector<Real>{tan(t)}; }},
          {"x' = (1+x) cos t",
           [](const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) { dxdt[0] = (1 + x[0]) * cos(t); },
           Real(0), zero, [](const Real& t) { return Vector<Real>{expm1(Real(sin(t)))}; }},
          {"x' = cos t", [](const Vector<Real>&, Vector<Real>& dxdt, const Real& t) { dxdt[0] = cos(t); },
           Real(0), zero, [](const Real& t) { return Vector<Real>{sin(t)}; }}};
}

/// |x1 - x(h)| / h in units of epsilon |x'| (here 1), after one step of h = 10^-(digits/8).
template <class Real, class Method> double floor_of(Method& method, const Problem<Real>& p, double digits) {
  using std::abs;
  using std::pow;
  const Real h = pow(Real(10), Real(Real(-digits) / 8));
  Vector<Real> x(1);
  method.do_step(std::cref(p.f), p.x0, p.t0, x, h);
  return plain_value(Real(abs(Real(x[0] - p.exact(h)[0])) / h / epsilon<Real>()));
}

template <class Real> void check_floor(double digits) {
  for (const auto& p : from_zero<Real>()) {
    Dop853<Vector<Real>, Real> method;
    const double floor = floor_of(method, p, digits);
    BOOST_TEST_MESSAGE(digits << " digits, " << p.name << ": " << floor << " epsilons");
    BOOST_TEST(floor <= 1e3);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(in_double) { check_floor<double>(16); }
BOOST_AUTO_TEST_CASE(in_float128) { check_floor<Float128>(34); }

// The process-wide precision is changed between cases on purpose: everything is made anew after each change.
BOOST_AUTO_TEST_CASE(at_50_digits) {
  set_mpfr_digits(50);
  check_floor<Mpfr>(50);
}
BOOST_AUTO_TEST_CASE(at_100_digits) {
  set_mpfr_digits(100);
  check_floor<Mpfr>(100);
}

// Coefficients have the precision of the moment they are made (pitfall P26): what this test is there to see.
BOOST_AUTO_TEST_CASE(coefficients_of_30_digits_are_seen_at_100) {
  set_mpfr_digits(30);
  Dop853<Vector<Mpfr>, Mpfr> method;
  set_mpfr_digits(100);
  for (const auto& p : from_zero<Mpfr>()) BOOST_TEST(floor_of(method, p, 100) > 1e60);
}
