// States between the steps: the order of the dense output of DOP853 and of Dormand-Prince 5, at 120 digits.
//
// Its error is measured against the estimate that the step control holds below the tolerance. The steps
// themselves are far better than their estimate, so the published interpolants are 10 to 1000 times worse
// than the ends of their steps (SciPy's DOP853 and RK45 show the same factors); a global tolerance counts the
// samples between steps, too.
#define BOOST_TEST_MODULE dense_output
#include <boost/test/unit_test.hpp>

#include "tests/lib/integrators/problems.hpp"

#include <cmath>
#include <vector>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(120); }
};

struct Errors {
  Mpfr inside = 0; ///< largest over 16 interior points of every step
  Mpfr at_steps = 0;
  Mpfr estimated = 0; ///< for one step
};

void take(Mpfr& largest, const Mpfr& value) {
  if (!(value <= largest)) largest = value;
}

/// |estimate| of the step s.
template <class Method> Mpfr estimate(const Problem<Mpfr>& p, const Step<Mpfr>& s) {
  Vector<Mpfr> out(s.x.size()), error(s.x.size());
  Method().do_step(std::cref(p.f), s.x, s.t, out, s.step, error);
  return largest_difference(error, Vector<Mpfr>(s.x.size(), Mpfr(0)));
}

/// `steps` equal steps over `time`. from_exact: every step starts on the solution, so that its errors are
/// local.
template <class Method>
Errors errors(const char* name, const Problem<Mpfr>& p, const Mpfr& time, int steps, bool from_exact) {
  const auto stepper = make_stepper<Mpfr>(name, {Mpfr("1e100"), Mpfr(0)}); // accepts everything
  const std::size_t size = p.x0.size();
  Step<Mpfr> s{p.t0, Mpfr(time / steps), p.x0, Vector<Mpfr>(size), Vector<Mpfr>(size), Vector<Mpfr>(size)};
  Vector<Mpfr> x;
  Errors out;
  for (int k = 0; k < steps; ++k) {
    s.t = p.t0 + k * s.step;
    if (from_exact) s.x = p.exact(s.t);
    p.f(s.x, s.dxdt, s.t);
    BOOST_TEST_REQUIRE(stepper->attempt(p.f, s).accepted);
    if (!stepper->first_same_as_last()) p.f(s.x_new, s.dxdt_new, Mpfr(s.t + s.step));
    for (int i = 1; i <= 16; ++i) {
      const Mpfr theta = Mpfr(i) / 17;
      stepper->interpolate(p.f, s, theta, x);
      take(out.inside, largest_difference(x, p.exact(Mpfr(s.t + theta * s.step))));
    }
    take(out.at_steps, largest_difference(s.x_new, p.exact(Mpfr(s.t + s.step))));
    take(out.estimated, estimate<Method>(p, s));
    stepper->interpolate(p.f, s, Mpfr(0), x);
    BOOST_TEST((largest_difference(x, s.x) <= 10 * epsilon<Mpfr>()));
    stepper->interpolate(p.f, s, Mpfr(1), x);
    BOOST_TEST((largest_difference(x, s.x_new) <= 10 * epsilon<Mpfr>()));
    std::swap(s.x, s.x_new);
  }
  return out;
}

double slope(const Mpfr& coarse, const Mpfr& fine) { return plain_value(Mpfr(log2(coarse / fine))); }

template <class Method> void check(const char* name) {
  const int q = make_stepper<Mpfr>(name, {Mpfr(1), Mpfr(0)})->dense_order();
  for (const auto& p : {cubic<Mpfr>(), modulated<Mpfr>(), quadrature<Mpfr>()})
    for (const int direction : {1, -1}) {
      const Mpfr time = Mpfr(direction) / 2;
      const auto local = errors<Method>(name, p, time, 64, true),
                 finer = errors<Method>(name, p, time, 128, true);
      const auto along = errors<Method>(name, p, time, 64, false),
                 along_finer = errors<Method>(name, p, time, 128, false);
      const double over_estimate = plain_value(Mpfr(finer.inside / finer.estimated));
      BOOST_TEST_MESSAGE(name << ", " << p.name << (direction > 0 ? ", forward" : ", backward")
                              << ": slope of one step " << slope(local.inside, finer.inside)
                              << ", over a fixed time " << slope(along.inside, along_finer.inside)
                              << "; inside over estimate " << over_estimate << ", over the ends of the steps "
                              << plain_value(Mpfr(along_finer.inside / along_finer.at_steps)));
      // Order q: the error over one step is O(h^(q+1)); with q >= p-1 it follows the order p of the steps.
      BOOST_TEST(std::abs(slope(local.inside, finer.inside) - (q + 1)) < 0.15);
      BOOST_TEST(std::abs(slope(along.inside, along_finer.inside) - Method::order_value) < 0.15);
      BOOST_TEST(over_estimate < 10);
    }
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE(dop853_has_dense_output_of_order_7) {
  BOOST_TEST(make_stepper<Mpfr>("dop853", {Mpfr(1), Mpfr(0)})->dense_order() == 7);
  check<DormandPrince853<Mpfr>>("dop853");
}

BOOST_AUTO_TEST_CASE(dopri5_has_dense_output_of_order_4) {
  BOOST_TEST(make_stepper<Mpfr>("dopri5", {Mpfr(1), Mpfr(0)})->dense_order() == 4);
  check<Dopri5<Mpfr>>("dopri5");
}

BOOST_AUTO_TEST_CASE(the_others_have_none_and_say_so) {
  Step<Mpfr> s;
  Vector<Mpfr> out;
  for (const char* name : {"fehlberg78", "bulirsch_stoer", "rk4", "euler"}) {
    const auto stepper = make_stepper<Mpfr>(name, {Mpfr(1), Mpfr(0)});
    BOOST_TEST(stepper->dense_order() == 0);
    BOOST_CHECK_THROW(stepper->interpolate({}, s, Mpfr(0), out), std::logic_error);
  }
}
