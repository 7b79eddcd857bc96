// The precision floor of DOP853: a step so short that its truncation error lies below the rounding, in every number
// type up to 100 digits. A coefficient with too few digits stands out.
#define BOOST_TEST_MODULE precision_floor
#include <boost/test/unit_test.hpp>

#include "tests/lib/integrators/problems.hpp"

using namespace attndyn;
using namespace attndyn::testing;

namespace {

/// |x1 - x(h)| / h in units of epsilon |x'|, after one step of h = 10^-(digits/8).
template <class Real> double floor_of(const Problem<Real>& p, double digits) {
  using std::abs;
  using std::pow;
  const Real h = pow(Real(10), Real(-digits / 8));
  Vector<Real> dxdt(1), x(1);
  p.f(p.x0, dxdt, p.t0);
  Dop853<Vector<Real>, Real>().do_step(std::cref(p.f), p.x0, p.t0, x, h);
  return plain_value(Real(abs(Real(x[0] - p.exact(Real(p.t0 + h))[0])) / h / (epsilon<Real>() * abs(dxdt[0]))));
}

template <class Real> void check_floor(double digits) {
  for (const auto& p : {cubic<Real>(), modulated<Real>(), quadrature<Real>()}) {
    const double floor = floor_of<Real>(p, digits);
    BOOST_TEST_MESSAGE(digits << " digits, " << p.name << ": " << floor << " epsilons");
    BOOST_TEST(floor <= 1e3);
  }
}

}  // namespace

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
