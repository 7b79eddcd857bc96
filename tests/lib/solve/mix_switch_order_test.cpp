// Orders survive the switch of Mix-LN: fixed steps that do not divide tau, forward and backward, at 120
// digits. True values: tests/reference/equiangular.csv (mpmath quadrature, no differential equation), 60
// digits.
#define BOOST_TEST_MODULE mix_switch_order
#include <boost/test/unit_test.hpp>

#include "tests/support/equiangular_rows.hpp"

#include <cmath>
#include <vector>

using namespace attndyn;
using attndyn::testing::equiangular_rows;
using attndyn::testing::EquiangularRow;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(120); }
};

EquiangularRow mix_row(const char* tau, const char* t) {
  for (const EquiangularRow& row : equiangular_rows())
    if (row.params.scheme.name == "mix" && row.params.attention == Attention::softmax && row.params.n == 2 &&
        row.params.beta.text() == "1" && row.params.scheme.tau.text() == tau && row.t == t)
      return row;
  throw std::out_of_range("no such row");
}

Vector<Mpfr> values(const EquiangularRow& row) {
  return {parse_real<Mpfr>(row.log_gap), parse_real<Mpfr>(row.log_r)};
}

/// log2 of the errors with steps 3/2^k, 3/2^(k+1), ..., 3/2^(k+4).
std::vector<double> errors(const char* stepper, const EquiangularRow& row, int k, bool forward) {
  const Equiangular<Mpfr> model(row.params);
  const Mpfr end = parse_real<Mpfr>(row.t);
  const Vector<Mpfr> from = forward ? model.start() : values(row), to = forward ? values(row) : model.start();
  std::vector<double> out;
  for (int i = k; i <= k + 4; ++i) {
    Options<Mpfr> options;
    options.stepper = stepper;
    options.control_global_error = false;
    options.step = ldexp(end, -i);
    const auto s = solve<Mpfr>(model, from, forward ? Mpfr(0) : end, {forward ? end : Mpfr(0)}, options);
    BOOST_TEST_REQUIRE(s.ended_as_asked());
    // One step more than 2^i: tau is no multiple of the step, and the step that it cuts is made up for at the
    // end.
    BOOST_TEST(s.stats.accepted == (1u << i) + 1);
    Mpfr worst = 0;
    for (std::size_t c = 0; c < 2; ++c) worst = std::max(worst, Mpfr(abs(Mpfr(s.samples[0].x[c] - to[c]))));
    out.push_back(plain_value(Mpfr(log2(worst))));
  }
  return out;
}

void check(const char* stepper, int k) {
  for (const char* tau : {"0.1", "2.5"})
    for (const bool forward : {true, false}) {
      const auto e = errors(stepper, mix_row(tau, "3"), k, forward);
      BOOST_TEST_MESSAGE(stepper << ", tau = " << tau << (forward ? ", forward" : ", backward") << ": orders "
                                 << e[0] - e[1] << " " << e[1] - e[2] << " " << e[2] - e[3] << " "
                                 << e[3] - e[4] << ", last error 2^" << e[4]);
      for (const std::size_t i : {2u, 3u})
        BOOST_TEST(std::abs(e[i] - e[i + 1] - stepper_order(stepper)) < 0.1);
    }
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE(rk4_keeps_its_order_across_the_switch) { check("rk4", 6); }
BOOST_AUTO_TEST_CASE(euler_keeps_its_order_across_the_switch) { check("euler", 8); }

// A scheme that switches inside a step drops every method to order 1: what the landing is for.
BOOST_AUTO_TEST_CASE(a_switch_inside_a_step_would_cost_the_order) {
  const EquiangularRow row = mix_row("0.1", "3");
  const Equiangular<Mpfr> mix(row.params);
  const FunctionModel<Mpfr> blind(2, [&](const Vector<Mpfr>& x, Vector<Mpfr>& dxdt, const Mpfr& t) {
    mix.field(t <= mix.switches()[0] ? 0 : 1, x, dxdt, t);
  });
  const Vector<Mpfr> exact = values(row);
  std::vector<double> e;
  for (int i = 6; i <= 10; ++i) {
    Options<Mpfr> options;
    options.stepper = "rk4";
    options.control_global_error = false;
    options.step = ldexp(Mpfr(3), -i);
    const auto s = solve<Mpfr>(blind, mix.start(), Mpfr(0), {Mpfr(3)}, options);
    e.push_back(plain_value(Mpfr(log2(abs(Mpfr(s.x[0] - exact[0]))))));
  }
  BOOST_TEST_MESSAGE("blind to the switch: mean order " << (e[0] - e[4]) / 4);
  BOOST_TEST((e[0] - e[4]) / 4 < 2);
}
