// The series of a solution: its columns against the tokens they stand for.
#define BOOST_TEST_MODULE series
#include <boost/test/unit_test.hpp>

#include "analysis/series.hpp"
#include "tests/analysis/tokens_for_tests.hpp"

#include <limits>

using namespace attndyn;
using namespace attndyn::analysis;
using namespace attndyn::testing;
namespace tt = boost::test_tools;

BOOST_TEST_GLOBAL_FIXTURE(SixtyDigits);

namespace {

template <class Real> Options<Real> options() {
  Options<Real> o;
  o.tolerance = Real(1) / 100000000;
  return o;
}

/// Two tokens of unequal mass and radius, at angle 1 in the plane.
template <class Real> Particles<Real> pair(const char* beta) {
  ParticleParams<Real> p;
  p.scheme.name = "pre";
  p.beta = beta;
  p.masses = {Real(1) / 4, Real(3) / 4};
  Tokens<Real> start{Matrix<Real>(2, 2), {Real(1), Real(2)}};
  start.theta.data = {Real(1), Real(0), Real(cos(Real(1))), Real(sin(Real(1)))};
  return Particles<Real>(p, start);
}

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_row_of_two_tokens_has_its_closed_values, Real, Reals) {
  const auto model = pair<Real>("2");
  const auto series =
      series_of(model, solve(model, model.start(), Real(0), {Real(0), Real(1) / 2}, options<Real>()));
  const auto check = [](const Real& measured, const Real& expected) {
    BOOST_TEST(plain_value(Real(abs(measured / expected - 1))) < 16 * epsilon_of<Real>());
  };
  const Real c = cos(Real(1));
  BOOST_TEST(series.t.size() == 2u);
  BOOST_TEST((series.t[0] == 0));
  BOOST_TEST((series.t[1] == Real(1) / 2));
  check(series.mean_cosine[0], c);
  check(series.min_cosine[0], c);
  check(series.one_minus_mean_cosine[0], 1 - c);
  check(series.one_minus_min_cosine[0], 1 - c);
  check(series.variance[0], Real(3) / 8 * (1 - c)); // 2 m_1 m_2 (1 - c)
  check(series.energy[0], (Real(10) / 16 * exp(Real(2)) + Real(6) / 16 * exp(Real(2 * c))) / 4);
  check(series.r_mean[0], Real(3) / 2);
  check(series.r_min[0], Real(1));
  BOOST_TEST((series.log_energy_scale == 0));
  // They attract each other.
  BOOST_TEST((series.min_cosine[1] > series.min_cosine[0]));
  BOOST_TEST((series.energy[1] > series.energy[0]));
}

BOOST_AUTO_TEST_CASE(beyond_beta_300_the_energy_comes_in_units_of_e_to_beta) {
  const auto model = pair<double>("1000");
  const auto series =
      series_of(model, solve(model, model.start(), 0.0, Vector<double>{0.0}, options<double>()));
  BOOST_TEST(series.log_energy_scale == 1000);
  BOOST_TEST(series.energy[0] == 10.0 / 16 / 2000, tt::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(columns_have_one_entry_per_sample_and_agree_with_the_lifted_tokens) {
  // d > n: the model works in the span; overlaps must be those of the tokens of R^d.
  ParticleParams<double> p;
  p.scheme.name = "peri";
  p.beta = 3;
  const auto theta = random_tokens<double>(4, 9, std::numeric_limits<double>::infinity(), 1);
  const Particles<double> model(p, {theta, {1, 2, 3, 4}});
  BOOST_TEST(model.shape().d == 4u);
  const auto solution = solve(model, model.start(), 0.0, {0.0, 0.5, 1.0, 4.0}, options<double>());
  const auto series = series_of(model, solution);
  for (const auto* column :
       {&series.t, &series.mean_cosine, &series.min_cosine, &series.one_minus_mean_cosine,
        &series.one_minus_min_cosine, &series.variance, &series.energy, &series.r_mean, &series.r_min})
    BOOST_TEST(column->size() == 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const Tokens<double> full = model.lift(solution.samples[k].x);
    double mean = 0, least = 1, sum_r = 0, energy = 0, least_r = 1e9;
    for (std::size_t i = 0; i < 4; ++i) {
      sum_r += full.r[i];
      least_r = std::min(least_r, full.r[i]);
      for (std::size_t j = 0; j < 4; ++j) {
        const double c = dot(&full.theta(0, i), &full.theta(0, j), 9);
        energy += std::exp(3 * c) / 16 / 6;
        if (i < j) mean += c / 6, least = std::min(least, c);
      }
    }
    BOOST_TEST(std::abs(series.mean_cosine[k] - mean) < 1e-13);
    BOOST_TEST(std::abs(series.min_cosine[k] - least) < 1e-13);
    BOOST_TEST(std::abs(series.variance[k] - 0.75 * (1 - mean)) < 1e-13);
    BOOST_TEST(series.energy[k] == energy, tt::tolerance(1e-13));
    BOOST_TEST(series.r_mean[k] == sum_r / 4, tt::tolerance(1e-13));
    BOOST_TEST(series.r_min[k] == least_r, tt::tolerance(1e-13));
  }
}

BOOST_AUTO_TEST_CASE(a_single_token_has_cosine_one_and_no_gap) {
  ParticleParams<double> p;
  const Particles<double> model(p, {random_tokens<double>(1, 3, 1, 2), {1}});
  const auto series = series_of(model, solve(model, model.start(), 0.0, {0.0, 1.0}, options<double>()));
  for (std::size_t k = 0; k < 2; ++k) {
    BOOST_TEST(series.mean_cosine[k] == 1);
    BOOST_TEST(series.min_cosine[k] == 1);
    BOOST_TEST(series.one_minus_mean_cosine[k] == 0);
    BOOST_TEST(series.one_minus_min_cosine[k] == 0);
    BOOST_TEST(series.variance[k] == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_ends_early_has_a_short_series) {
  // Pre-LN, one token against four at beta = 0 ([theory] section 2): its radius reaches zero.
  ParticleParams<double> p;
  p.scheme.name = "pre";
  p.beta = 0;
  Tokens<double> start{Matrix<double>(1, 5), Vector<double>(5, 1.0)};
  start.theta.data = {1, -1, -1, -1, -1};
  const Particles<double> model(p, start);
  const auto solution = solve(model, model.start(), 0.0, {0.0, 0.1, 100.0}, options<double>());
  BOOST_TEST((solution.why == Stop::radius_zero));
  BOOST_TEST(series_of(model, solution).t == (Vector<double>{0, 0.1}), tt::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_equiangular_series_is_consistent_and_follows_tanh_at_beta_zero, Real,
                              Reals) {
  // Post-LN, n = 2, beta = 0, g0 = 0: g = tanh t, closed form.
  EquiangularParams p;
  p.n = 2;
  p.beta = 0;
  const Equiangular<Real> model(p);
  const auto series =
      series_of(model, solve(model, model.start(), Real(0), {Real(0), Real(1), Real(50)}, options<Real>()));
  BOOST_TEST(series.t.size() == 3u);
  BOOST_TEST((series.g[0] == 0));
  BOOST_TEST(plain_value(Real(abs(series.g[1] - tanh(Real(1))))) < 1e-8);
  // 1 - tanh 50 = 2 e^{-100}/(1 + e^{-100}): g itself is 1 to double.
  BOOST_TEST(plain_value(Real(abs(series.y[2] - (log(Real(2)) - 100)))) < 1e-7);
  for (std::size_t k = 0; k < 3; ++k) {
    BOOST_TEST(plain_value(Real(abs(series.g[k] + expm1(series.y[k])))) < 4 * epsilon_of<Real>());
    BOOST_TEST((series.s[k] == 1));
    BOOST_TEST((series.log_r[k] == 0));
  }
}

BOOST_AUTO_TEST_CASE(at_the_switch_of_mix_ln_the_series_shows_the_post_ln_speed) {
  EquiangularParams p;
  p.scheme.name = "mix";
  p.scheme.tau = "1";
  p.r0 = 2;
  const Equiangular<double> model(p);
  const auto series = series_of(model, solve(model, model.start(), 0.0, {0.5, 1.0, 1.5}, options<double>()));
  BOOST_TEST(series.s[0] == 1);
  BOOST_TEST(series.s[1] == 1);
  BOOST_TEST(series.s[2] == std::exp(series.log_r[2]), tt::tolerance(1e-14));
  BOOST_TEST(series.s[2] > 2);
}
