// Observed orders of the fixed steps of every Runge-Kutta method at 120 digits: four kinds of problem, in
// place and out of place, forward and backward.
#define BOOST_TEST_MODULE order
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

/// Runs of 2^k, ..., 2^(k+4) steps over a time of 2^-m: so many that the next term of the error no longer
/// shows, and errors stay between 1e-6 and 1e-80.
struct Plan {
  const char* name;
  int closed_steps, tokens_steps; // k
  int inverse_time;               // m
};
template <class Method> constexpr Plan plan{};
template <> constexpr Plan plan<Euler<Mpfr>>{"euler", 6, 5, 9};
template <> constexpr Plan plan<RungeKutta4<Mpfr>>{"rk4", 5, 4, 2};
template <> constexpr Plan plan<Dopri5<Mpfr>>{"dopri5", 6, 3, 2};
template <> constexpr Plan plan<Fehlberg78<Mpfr>>{"fehlberg78", 4, 2, 2};
template <> constexpr Plan plan<DormandPrince853<Mpfr>>{"dop853", 4, 2, 2};

using Methods =
    std::tuple<Euler<Mpfr>, RungeKutta4<Mpfr>, Dopri5<Mpfr>, Fehlberg78<Mpfr>, DormandPrince853<Mpfr>>;

Mpfr power_of_two(int exponent) { return ldexp(Mpfr(1), exponent); }

/// Four tokens at t0 + time: Richardson's extrapolation of two runs of order 8 with steps so short that what
/// remains of their error is far below the errors measured here.
Vector<Mpfr> reference_for_tokens(const Problem<Mpfr>& p, const Mpfr& time) {
  constexpr int steps = 128;
  const auto coarse = run(DormandPrince853<Mpfr>(), p, Mpfr(time / steps), steps, Placement::out_of_place);
  auto fine = run(DormandPrince853<Mpfr>(), p, Mpfr(time / (2 * steps)), 2 * steps, Placement::out_of_place);
  for (std::size_t i = 0; i < fine.size(); ++i) fine[i] += (fine[i] - coarse[i]) / 255;
  return fine;
}

struct Measured {
  std::vector<double> log2_error;
  bool in_range = true;
};

/// log2 of the errors at t0 + time of runs with 2^k, ..., 2^(k+4) steps.
template <class Method>
Measured errors(const Problem<Mpfr>& p, const Mpfr& time, const Vector<Mpfr>& exact, int log2_steps,
                Placement placement) {
  Measured out;
  for (int k = log2_steps; k <= log2_steps + 4; ++k) {
    const int steps = 1 << k;
    const Mpfr error = largest_difference(run(Method(), p, Mpfr(time / steps), steps, placement), exact);
    out.in_range = out.in_range && error > Mpfr("1e-80") && error < Mpfr("1e-6");
    out.log2_error.push_back(plain_value(Mpfr(log2(error))));
  }
  return out;
}

template <class Method>
void check_order(const Problem<Mpfr>& p, const Mpfr& time, const Vector<Mpfr>& exact, int log2_steps) {
  for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
    const Measured m = errors<Method>(p, time, exact, log2_steps, placement);
    BOOST_TEST(m.in_range, plan<Method>.name << " on " << p.name << ": an error is outside 1e-80..1e-6");
    const auto& e = m.log2_error;
    BOOST_TEST_MESSAGE(plan<Method>.name
                       << " on " << p.name << (time > 0 ? ", forward" : ", backward")
                       << (placement == Placement::in_place ? ", in place" : ", out of place") << ": orders "
                       << e[0] - e[1] << " " << e[1] - e[2] << " " << e[2] - e[3] << " " << e[3] - e[4]);
    for (const std::size_t i : {2u, 3u}) BOOST_TEST(std::abs(e[i] - e[i + 1] - Method::order_value) < 0.1);
  }
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE_TEMPLATE(observed_orders_on_equations_with_closed_solutions, Method, Methods) {
  for (const Problem<Mpfr>& p : {cubic<Mpfr>(), modulated<Mpfr>(), quadrature<Mpfr>()})
    for (const int direction : {1, -1}) {
      const Mpfr time = direction * power_of_two(-plan<Method>.inverse_time);
      check_order<Method>(p, time, p.exact(Mpfr(p.t0 + time)), plan<Method>.closed_steps);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(observed_orders_on_tokens_of_a_sphere, Method, Methods) {
  const Problem<Mpfr> p = tokens<Mpfr>();
  for (const int direction : {1, -1}) {
    const Mpfr time = direction * power_of_two(-plan<Method>.inverse_time);
    check_order<Method>(p, time, reference_for_tokens(p, time), plan<Method>.tokens_steps);
  }
}

BOOST_AUTO_TEST_CASE(the_adaptors_claim_the_orders_of_their_methods) {
  const LocalTolerance<Mpfr> tolerance{Mpfr("1e-10"), Mpfr(0)};
  const auto check = [&](const char* name, int order) {
    BOOST_TEST(make_stepper<Mpfr>(name, tolerance)->order() == order);
    BOOST_TEST(stepper_order(name) == order);
  };
  check("euler", int{Euler<Mpfr>::order_value});
  check("rk4", int{RungeKutta4<Mpfr>::order_value});
  check("dopri5", int{Dopri5<Mpfr>::order_value});
  check("fehlberg78", int{Fehlberg78<Mpfr>::order_value});
  check("dop853", int{DormandPrince853<Mpfr>::order_value});
}
