// Order conditions of the coefficients that the Runge-Kutta steppers use: DOP853's table, and Odeint's own.
#define BOOST_TEST_MODULE tableau
#include <boost/test/unit_test.hpp>

#include "lib/integrators/tables/dop853_table.inc"
#include "lib/real/odeint.hpp"
#include "lib/real/types.hpp"
#include "tests/support/rooted_trees.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace odeint = boost::numeric::odeint;
using namespace attndyn;
using attndyn::testing::rooted_trees;
using attndyn::testing::RootedTree;
using attndyn::testing::Tableau;
using attndyn::testing::worst_defect;
using attndyn::testing::worst_row_sum;

namespace {

using Reals = std::tuple<double, Float128, Mpfr>;

struct Precision {
  Precision() { Mpfr::default_precision(130); }
};

// Defects are compared as double: BOOST_TEST(x < y) does not compile for Float128 (Boost 1.74).
template <class Real> double in_epsilons(const Real& x) { return plain_value(Real(x / epsilon<Real>())); }
constexpr double rounding = 10; // epsilons, relative to the sum of the absolute terms
constexpr double plain = 1e-9;  // a defect that no rounding explains

template <class Real> Real number(const char* text) {
  if (text == nullptr) return Real(0);
  if constexpr (std::is_same_v<Real, double>)
    return std::stod(text);
  else
    return Real(text);
}

template <class Real, std::size_t N>
Vector<Real> numbers(const char* const (&text)[N], std::size_t size = N) {
  Vector<Real> values(size, Real(0));
  for (std::size_t i = 0; i < N; ++i) values[i] = number<Real>(text[i]);
  return values;
}

/// All 16 stages; weights padded with zeros.
template <class Real> struct Dop853Method : Tableau<Real> {
  Vector<Real> e5 = numbers<Real>(dop853_e5, 16), e3 = numbers<Real>(dop853_e3, 16);
  std::vector<Vector<Real>> d;
  Dop853Method() {
    for (const auto& row : dop853_a) this->a.push_back(numbers<Real>(row));
    this->b = numbers<Real>(dop853_b, 16);
    this->c = numbers<Real>(dop853_c);
    for (const auto& row : dop853_d) d.push_back(numbers<Real>(row));
  }
};

/// What sum_i weights_i phi_i must be for the weights of a step, for error weights,
template <class Real> auto one_over_gamma() {
  return [](const RootedTree& tree) { return Real(Real(1) / Real(tree.gamma)); };
}
template <class Real> auto nothing() {
  return [](const RootedTree&) { return Real(0); };
}
/// and for the weights of a dense output at theta: theta^order / gamma.
template <class Real> auto at(const Real& theta) {
  return [theta](const RootedTree& tree) {
    Real value = Real(1) / Real(tree.gamma);
    for (int k = 0; k < tree.order; ++k) value *= theta;
    return value;
  };
}

/// The weights b_i(theta) of DOP853's dense output; with absolute = true the sum of absolute terms instead.
template <class Real>
Vector<Real> dense_weights(const Dop853Method<Real>& method, const Real& theta, bool absolute) {
  using std::abs;
  const Real minus(absolute ? 1 : -1);
  const auto term = [absolute](const Real& x) { return absolute ? Real(abs(x)) : x; };
  Vector<Real> weights(16);
  for (std::size_t i = 0; i < 16; ++i) {
    const Real b = term(method.b[i]), first(i == 0 ? 1 : 0), last(i == 12 ? 1 : 0);
    const Real f[7] = {b,
                       first + minus * b,
                       2 * b + minus * (first + last),
                       term(method.d[0][i]),
                       term(method.d[1][i]),
                       term(method.d[2][i]),
                       term(method.d[3][i])};
    Real sum = f[6];
    for (std::size_t k = 6; k-- > 0;) sum = f[k] + (k % 2 == 0 ? Real(1 - theta) : theta) * sum;
    weights[i] = theta * sum;
  }
  return weights;
}

template <class Real> Real dense_defect(const Dop853Method<Real>& method, const Real& theta, int order) {
  return worst_defect(rooted_trees(order), method, dense_weights(method, theta, false),
                      dense_weights(method, theta, true), at(theta));
}

/// The coefficients inside an Odeint stepper, found by one step of size 1 from 0 in which the derivative of
/// stage i is the unit vector e_i: then stage i is evaluated at (row i of a, c_i), and the step ends in b.
/// step(f, in, out) makes the step; derivatives that it supplies itself take part if `supplied` counts them.
template <class Real, class Step>
Tableau<Real> coefficients_of(std::size_t stages, const Step& step, std::size_t supplied = 0) {
  Tableau<Real> method;
  for (std::size_t i = 0; i < supplied; ++i) {
    method.a.push_back(Vector<Real>(stages, Real(0)));
    method.c.push_back(Real(0));
  }
  const auto f = [&](const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) {
    BOOST_TEST_REQUIRE(method.c.size() < stages);
    dxdt.assign(stages, Real(0));
    dxdt[method.c.size()] = 1;
    method.a.push_back(x);
    method.c.push_back(t);
  };
  method.b.assign(stages, Real(0));
  step(f, Vector<Real>(stages, Real(0)), method.b);
  BOOST_TEST(method.c.size() == stages);
  return method;
}

template <class Real> Vector<Real> unit(std::size_t size, std::size_t i) {
  Vector<Real> e(size, Real(0));
  e[i] = 1;
  return e;
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

BOOST_AUTO_TEST_CASE(the_trees_are_all_there_and_monotone_labellings_add_up) {
  const auto trees = rooted_trees(8);
  std::map<int, std::uint64_t> count, labellings;
  std::vector<std::uint64_t> symmetry; // sigma(t): permutations of equal branches, times the branches' own
  for (const RootedTree& tree : trees) {
    std::uint64_t sigma = 1, factorial = 1, equal = 0;
    for (std::size_t k = 0; k < tree.branches.size(); ++k) {
      equal = k > 0 && tree.branches[k] == tree.branches[k - 1] ? equal + 1 : 1;
      sigma *= equal * symmetry[tree.branches[k]];
    }
    symmetry.push_back(sigma);
    for (int k = 2; k <= tree.order; ++k) factorial *= static_cast<std::uint64_t>(k);
    BOOST_TEST(factorial % (sigma * tree.gamma) == 0u);
    ++count[tree.order];
    labellings[tree.order] += factorial / (sigma * tree.gamma);
  }
  const std::map<int, std::uint64_t> known = {{1, 1}, {2, 1},  {3, 2},  {4, 4},
                                              {5, 9}, {6, 20}, {7, 48}, {8, 115}};
  BOOST_TEST((count == known));
  // Every vertex but the first is hung on one of those before it: (n-1)! ways.
  const std::map<int, std::uint64_t> ways = {{1, 1},  {2, 1},   {3, 2},   {4, 6},
                                             {5, 24}, {6, 120}, {7, 720}, {8, 5040}};
  BOOST_TEST((labellings == ways));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dop853_rows_sum_to_its_nodes, Real, Reals) {
  BOOST_TEST(in_epsilons(worst_row_sum(Dop853Method<Real>())) < rounding);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dop853_satisfies_the_200_conditions_to_order_8_and_no_more, Real, Reals) {
  const Dop853Method<Real> method;
  BOOST_TEST(rooted_trees(8).size() == 200u);
  const Real defect = worst_defect(rooted_trees(8), method, method.b, one_over_gamma<Real>());
  BOOST_TEST_MESSAGE("order 8: " << in_epsilons(defect) << " epsilons");
  BOOST_TEST(in_epsilons(defect) < rounding);
  BOOST_TEST(plain_value(worst_defect(rooted_trees(9), method, method.b, one_over_gamma<Real>())) > plain);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_last_row_of_the_step_is_its_weights, Real, Reals) {
  const Dop853Method<Real> method;
  BOOST_TEST((method.a[12] == method.b));
  BOOST_TEST((method.c[12] == Real(1)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_embedded_weights_have_orders_5_and_3_and_no_more, Real, Reals) {
  const Dop853Method<Real> method;
  BOOST_TEST(in_epsilons(worst_defect(rooted_trees(5), method, method.e5, nothing<Real>())) < rounding);
  BOOST_TEST(plain_value(worst_defect(rooted_trees(6), method, method.e5, nothing<Real>())) > plain);
  BOOST_TEST(in_epsilons(worst_defect(rooted_trees(3), method, method.e3, nothing<Real>())) < rounding);
  BOOST_TEST(plain_value(worst_defect(rooted_trees(4), method, method.e3, nothing<Real>())) > plain);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_dense_output_has_order_7_and_no_more_inside_the_step, Real, Reals) {
  const Dop853Method<Real> method;
  for (const Real& theta : {Real(Real(1) / 4), Real(Real(1) / 2), Real(Real(9) / 10)}) {
    const Real defect = dense_defect(method, theta, 7);
    BOOST_TEST_MESSAGE("dense output at " << theta << ": " << in_epsilons(defect) << " epsilons");
    BOOST_TEST(in_epsilons(defect) < rounding);
    BOOST_TEST(plain_value(dense_defect(method, theta, 8)) > plain);
  }
}

// What the tests above can see: each coefficient alone, changed in its 115th digit.
BOOST_AUTO_TEST_CASE(every_coefficient_of_dop853_is_pinned_by_a_condition) {
  Dop853Method<Mpfr> method;
  const auto trees = rooted_trees(8);
  const auto defect = [&] {
    using std::max;
    return max({worst_row_sum(method), worst_defect(trees, method, method.b, one_over_gamma<Mpfr>()),
                worst_defect(rooted_trees(5), method, method.e5, nothing<Mpfr>()),
                worst_defect(rooted_trees(3), method, method.e3, nothing<Mpfr>()),
                dense_defect(method, Mpfr(Mpfr(1) / 2), 7)});
  };
  int seen = 0;
  double least = infinity<double>();
  const auto change_each = [&](Vector<Mpfr>& coefficients) {
    for (Mpfr& x : coefficients) {
      if (x == 0) continue;
      const Mpfr exact = x;
      x *= 1 + pow(Mpfr(10), -115);
      least = std::min(least, in_epsilons(defect()));
      x = exact;
      ++seen;
    }
  };
  for (auto& row : method.a) change_each(row);
  for (auto* row : {&method.b, &method.c, &method.e5, &method.e3}) change_each(*row);
  for (auto& row : method.d) change_each(row);
  BOOST_TEST_MESSAGE("least defect " << least << " epsilons");
  BOOST_TEST(seen == 82 + 8 + 15 + 8 + 8 + 48);
  BOOST_TEST(least > 1000 * rounding);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(odeint_rk4_has_order_4, Real, Reals) {
  odeint::runge_kutta4<Vector<Real>, Real, Vector<Real>, Real> stepper;
  const auto method = coefficients_of<Real>(
      4, [&](const auto& f, const auto& in, auto& out) { stepper.do_step(f, in, Real(0), out, Real(1)); });
  BOOST_TEST(in_epsilons(worst_row_sum(method)) < rounding);
  BOOST_TEST(in_epsilons(worst_defect(rooted_trees(4), method, method.b, one_over_gamma<Real>())) < rounding);
  BOOST_TEST(plain_value(worst_defect(rooted_trees(5), method, method.b, one_over_gamma<Real>())) > plain);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(odeint_dopri5_has_order_5_error_order_4_and_dense_order_4, Real, Reals) {
  odeint::runge_kutta_dopri5<Vector<Real>, Real, Vector<Real>, Real> stepper;
  const Vector<Real> first = unit<Real>(7, 0);
  Vector<Real> error(7, Real(0)), last(7, Real(0));
  auto method = coefficients_of<Real>(
      7,
      [&](const auto& f, const auto& in, auto& out) {
        stepper.do_step(f, in, first, Real(0), out, last, Real(1), error);
      },
      1);
  BOOST_TEST(in_epsilons(worst_row_sum(method)) < rounding);
  BOOST_TEST(in_epsilons(worst_defect(rooted_trees(5), method, method.b, one_over_gamma<Real>())) < rounding);
  BOOST_TEST(plain_value(worst_defect(rooted_trees(6), method, method.b, one_over_gamma<Real>())) > plain);
  BOOST_TEST((method.a[6] == method.b));
  BOOST_TEST(in_epsilons(worst_defect(rooted_trees(4), method, error, nothing<Real>())) < rounding);
  BOOST_TEST(plain_value(worst_defect(rooted_trees(5), method, error, nothing<Real>())) > plain);
  for (const Real& theta : {Real(Real(1) / 4), Real(Real(1) / 2), Real(Real(9) / 10)}) {
    Vector<Real> weights(7, Real(0));
    stepper.calc_state(theta, weights, Vector<Real>(7, Real(0)), first, Real(0), method.b, last, Real(1));
    BOOST_TEST(in_epsilons(worst_defect(rooted_trees(4), method, weights, at(theta))) < rounding);
    BOOST_TEST(plain_value(worst_defect(rooted_trees(5), method, weights, at(theta))) > plain);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(odeint_fehlberg78_has_order_8_and_error_order_7, Real, Reals) {
  odeint::runge_kutta_fehlberg78<Vector<Real>, Real, Vector<Real>, Real> stepper;
  Vector<Real> error(13, Real(0));
  const auto method = coefficients_of<Real>(13, [&](const auto& f, const auto& in, auto& out) {
    stepper.do_step(f, in, Real(0), out, Real(1), error);
  });
  BOOST_TEST(in_epsilons(worst_row_sum(method)) < rounding);
  BOOST_TEST(in_epsilons(worst_defect(rooted_trees(8), method, method.b, one_over_gamma<Real>())) < rounding);
  BOOST_TEST(plain_value(worst_defect(rooted_trees(9), method, method.b, one_over_gamma<Real>())) > plain);
  BOOST_TEST(in_epsilons(worst_defect(rooted_trees(7), method, error, nothing<Real>())) < rounding);
  BOOST_TEST(plain_value(worst_defect(rooted_trees(8), method, error, nothing<Real>())) > plain);
}

// x' = f(t): the error weights see sum_i e_i c_i^k. Fehlberg's sit on nodes 0 and 1 alone and cancel there;
// this is why DOP853 is the default.
BOOST_AUTO_TEST_CASE(fehlberg78_is_blind_to_every_quadrature_and_dop853_is_not) {
  odeint::runge_kutta_fehlberg78<Vector<Mpfr>, Mpfr, Vector<Mpfr>, Mpfr> stepper;
  Vector<Mpfr> error(13, Mpfr(0));
  const auto fehlberg = coefficients_of<Mpfr>(13, [&](const auto& f, const auto& in, auto& out) {
    stepper.do_step(f, in, Mpfr(0), out, Mpfr(1), error);
  });
  const auto seen = [](const Vector<Mpfr>& weights, const Vector<Mpfr>& c, int power) {
    Mpfr sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      sum += weights[i] * (power == 0 ? Mpfr(1) : pow(c[i], power));
    return Mpfr(abs(sum));
  };
  for (int power = 0; power <= 20; ++power)
    BOOST_TEST(in_epsilons(seen(error, fehlberg.c, power)) < rounding);
  const Dop853Method<Mpfr> ours;
  for (int power = 5; power <= 20; ++power) BOOST_TEST(plain_value(seen(ours.e5, ours.c, power)) > 1e-4);
  for (int power = 3; power <= 20; ++power) BOOST_TEST(plain_value(seen(ours.e3, ours.c, power)) > 1e-4);
}
