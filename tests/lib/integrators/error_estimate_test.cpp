// What the error estimates of the embedded pairs are worth, in one step at 120 digits on four kinds of
// problem; and Fehlberg's pair, which sees no error in a quadrature.
#define BOOST_TEST_MODULE error_estimate
#include <boost/test/unit_test.hpp>

#include "tests/lib/integrators/problems.hpp"

#include <vector>

using namespace attndyn;
using namespace attndyn::testing;
namespace utf = boost::unit_test;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(120); }
};

/// One step: the new state, the state of the embedded solution, and what the method says about its error.
struct Step120 {
  Vector<Mpfr> x, embedded, estimate;
};

Vector<Mpfr> minus(Vector<Mpfr> a, const Vector<Mpfr>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

/// Pairs whose estimate is the difference of their two solutions.
template <class Method> Step120 step_of(const Problem<Mpfr>& p, const Mpfr& h) {
  Method method;
  Step120 s{p.x0, {}, Vector<Mpfr>(p.x0.size())};
  method.do_step(std::cref(p.f), p.x0, p.t0, s.x, h, s.estimate);
  s.embedded = minus(s.x, s.estimate);
  return s;
}

/// DOP853 combines two embedded solutions; the one of order 5 can be looked at.
template <> Step120 step_of<DormandPrince853<Mpfr>>(const Problem<Mpfr>& p, const Mpfr& h) {
  DormandPrince853<Mpfr> method;
  Vector<Mpfr> dxdt(p.x0.size()), difference;
  Step120 s{p.x0, {}, Vector<Mpfr>(p.x0.size())};
  p.f(p.x0, dxdt, p.t0);
  method.do_step(std::cref(p.f), p.x0, dxdt, p.t0, s.x, h, s.estimate);
  method.embedded_error(dxdt, h, difference);
  s.embedded = minus(s.x, difference);
  return s;
}

Vector<Mpfr> solution_after(const Problem<Mpfr>& p, const Mpfr& h) {
  if (p.exact) return p.exact(Mpfr(p.t0 + h));
  const auto coarse = run(DormandPrince853<Mpfr>(), p, Mpfr(h / 32), 32, Placement::out_of_place);
  auto fine = run(DormandPrince853<Mpfr>(), p, Mpfr(h / 64), 64, Placement::out_of_place);
  for (std::size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) / 255;
  return fine;
}

template <class Method> void check_estimate(const char* name, const Problem<Mpfr>& p) {
  const Vector<Mpfr> nothing(p.x0.size(), Mpfr(0));
  for (const int k : {-6, -8, 6, 8}) {
    const Mpfr h = (k < 0 ? -1 : 1) * ldexp(Mpfr(1), -std::abs(k));
    const Step120 s = step_of<Method>(p, h);
    const Vector<Mpfr> exact = solution_after(p, h);
    const double claimed = plain_value(largest_difference(s.x, s.embedded));
    const double embedded = plain_value(largest_difference(s.embedded, exact));
    const double estimate = plain_value(largest_difference(s.estimate, nothing));
    const double error = plain_value(largest_difference(s.x, exact));
    BOOST_TEST_MESSAGE(name << " on " << p.name << ", step " << plain_value(h) << ": error " << error
                            << ", estimate " << estimate << ", embedded solution off by " << embedded
                            << ", said to be off by " << claimed);
    BOOST_TEST((claimed >= embedded / 2 && claimed <= 2 * embedded));
    BOOST_TEST(estimate >= 0.01 * error);
  }
}

template <class Method> void check_all(const char* name) {
  check_estimate<Method>(name, cubic<Mpfr>());
  check_estimate<Method>(name, modulated<Mpfr>());
  check_estimate<Method>(name, tokens<Mpfr>());
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE(dop853_tells_its_error) {
  check_all<DormandPrince853<Mpfr>>("dop853");
  check_estimate<DormandPrince853<Mpfr>>("dop853", quadrature<Mpfr>());
}

BOOST_AUTO_TEST_CASE(dopri5_tells_its_error) {
  check_all<Dopri5<Mpfr>>("dopri5");
  check_estimate<Dopri5<Mpfr>>("dopri5", quadrature<Mpfr>());
}

BOOST_AUTO_TEST_CASE(fehlberg78_tells_its_error_where_the_state_matters) {
  check_all<Fehlberg78<Mpfr>>("fehlberg78");
}

// Its two solutions have equal quadrature weights (pitfall P18): both checks fail at each of the four steps.
BOOST_AUTO_TEST_CASE(fehlberg78_sees_no_error_in_a_quadrature, *utf::expected_failures(8)) {
  check_estimate<Fehlberg78<Mpfr>>("fehlberg78", quadrature<Mpfr>());
}
