// Merged tokens against full runs where these are possible, and against exact times where they are not.
#define BOOST_TEST_MODULE coarsening
#include <boost/test/unit_test.hpp>

#include "analysis/coarsening.hpp"
#include "analysis/energy.hpp"
#include "lib/initial.hpp"
#include "lib/solve.hpp"

#include <cmath>

using namespace attndyn;
using namespace attndyn::analysis;
namespace tt = boost::test_tools;

namespace {

Tokens<double> on_circle(const std::vector<double>& angles) {
  Matrix<double> x(2, angles.size());
  for (std::size_t j = 0; j < angles.size(); ++j) {
    x(0, j) = std::cos(angles[j]);
    x(1, j) = std::sin(angles[j]);
  }
  return tokens_from(x, false);
}

ParticleParams<double> params(Attention attention, const Number& beta, Vector<double> masses = {}) {
  ParticleParams<double> p;
  p.attention = attention;
  p.beta = beta;
  p.masses = std::move(masses);
  return p;
}

/// Largest relative difference of the energies of a coarse run and of the full one at the same times.
double energy_defect(const ParticleParams<double>& p, const Tokens<double>& start, const Coarsening& c,
                     std::size_t every) {
  Vector<double> times;
  std::vector<const Coarse*> at;
  for (std::size_t i = 0; i < c.samples.size(); i += every)
    if (const double t = std::exp(c.samples[i].log_time);
        t > (times.empty() ? 0 : times.back() * (1 + 1e-9))) {
      times.push_back(t);
      at.push_back(&c.samples[i]);
    }
  ParticleParams<double> full = p;
  full.reduce_span = false;
  const Particles<double> model(full, start);
  Options<double> options;
  options.tolerance = 1e-9;
  const auto s = solve<double>(model, model.start(), 0.0, times, options);
  BOOST_TEST_REQUIRE(s.ended_as_asked(), name_of(s.why) << " " << s.detail);
  double worst = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double e =
        energy(to_tokens(s.samples[i].x, start.shape()).theta, model.masses(), model.beta()).value;
    worst = std::max(worst, std::abs(energy(at[i]->theta, at[i]->masses, model.beta()).value / e - 1));
  }
  return worst;
}

} // namespace

BOOST_AUTO_TEST_CASE(energies_are_those_of_the_full_run) {
  for (const auto attention : {Attention::softmax, Attention::unnormalised})
    for (double beta : {0.0, 1.0, 8.0, 16.0})
      for (std::size_t d : {2, 3, 5})
        for (const Vector<double>& masses : {Vector<double>{}, Vector<double>{1, 2, 3, 1, 2, 0}}) {
          const auto start = in_hemisphere<double>({6, d}, 3);
          auto p = params(attention, Number(beta), masses);
          if (attention == Attention::unnormalised) p.clock = TimeScale::scaled;
          CoarseningOptions options;
          options.last_log_time = 7;
          const auto c = coarsen(p, start, options);
          BOOST_TEST(c.samples.size() > 50u);
          BOOST_TEST(energy_defect(p, start, c, 12) < 1e-8, name_of(attention) << beta << " " << d);
        }
}

BOOST_AUTO_TEST_CASE(two_tokens_meet_when_the_full_run_says) {
  // Until 1 - cosine = 1e-8, where both have their digits.
  for (const auto attention : {Attention::softmax, Attention::unnormalised})
    for (double beta : {0.0, 3.0, 12.0}) {
      const auto start = on_circle({0, 1});
      const auto p = params(attention, Number(beta), {0.3, 0.7});
      CoarseningOptions coarse;
      coarse.merge_gap = 1e-8;
      const auto c = coarsen(p, start, coarse);
      BOOST_TEST((c.why == CoarseningEnd::one_cluster));
      BOOST_TEST_REQUIRE(c.merges.size() == 1u);
      const Particles<double> model(p, start);
      Options<double> options;
      options.tolerance = 1e-12;
      options.events = {{"met",
                         [](const Vector<double>& x, const double&) {
                           return std::log(chord_gap(x.data(), x.data() + 2, 2) / 1e-8);
                         },
                         Event<double>::Direction::falling, true}};
      const auto s = solve<double>(model, model.start(), 0.0, {1e6}, options);
      BOOST_TEST_REQUIRE((s.why == Stop::event));
      BOOST_TEST(std::exp(c.merges[0].log_time) == s.t, tt::tolerance(1e-7));
      BOOST_TEST(c.merges[0].gap == 1e-8, tt::tolerance(1e-5));
    }
}

BOOST_AUTO_TEST_CASE(times_of_e_to_the_680_are_those_of_two_tokens) {
  // USA, masses 1/2, scaled clock: c' = (1-c^2) e^{-beta (1-c)}, so that u = int dc e^{beta (1-c)}/(1-c^2);
  // for large beta Laplace's method gives e^{beta (1-c0)}/(beta (1-c0^2)) (1 + 2 c0/(beta (1-c0^2)) + ...).
  auto p = params(Attention::unnormalised, 4000);
  p.clock = TimeScale::scaled;
  const double angle = std::acos(0.83), c0 = 0.83, s = 1 - c0 * c0;
  const auto run = coarsen(p, on_circle({0, angle}));
  BOOST_TEST_REQUIRE(run.merges.size() == 1u);
  const double leading = 4000 * (1 - c0) - std::log(4000 * s);
  BOOST_TEST(run.merges[0].log_time - leading == 2 * c0 / (4000 * s), tt::tolerance(1e-2));
  // The natural clock is the same run, e^4000 faster.
  p.clock = TimeScale::natural;
  BOOST_TEST(coarsen(p, on_circle({0, angle})).merges[0].log_time == run.merges[0].log_time - 4000,
             tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(neither_the_gap_of_merging_nor_the_tolerance_matters) {
  for (const auto attention : {Attention::softmax, Attention::unnormalised}) {
    const auto start = on_circle({0, .04249034, .16996135, .33992269, .59486471});
    const auto p = params(attention, 400);
    CoarseningOptions options;
    options.tolerance = 1e-9;
    const auto coarse = coarsen(p, start, options);
    BOOST_TEST(coarse.tolerance == 1e-9);
    options.merge_gap /= 100;
    options.tolerance /= 10;
    const auto fine = coarsen(p, start, options);
    BOOST_TEST_REQUIRE(coarse.merges.size() == 4u, name_of(coarse.why) << " " << coarse.detail);
    BOOST_TEST_REQUIRE(fine.merges.size() == 4u);
    for (std::size_t k = 0; k < 4; ++k) {
      // Meeting to a hundredth of the gap takes time by itself, log(100) over the rate of two light tokens.
      const double own = 30 / std::exp(coarse.merges[k].log_time) + 1e-6;
      BOOST_TEST(std::abs(fine.merges[k].log_time - coarse.merges[k].log_time) < own);
      BOOST_TEST(fine.merges[k].label == coarse.merges[k].label, tt::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(degenerate_starts) {
  const auto p = params(Attention::softmax, 5);
  const auto one = coarsen(p, on_circle({1}));
  BOOST_TEST((one.why == CoarseningEnd::one_cluster));
  BOOST_TEST(one.samples.size() == 1u);
  const auto equal = coarsen(p, on_circle({1, 1, 1}));
  BOOST_TEST((equal.why == CoarseningEnd::one_cluster));
  BOOST_TEST(equal.merges.size() == 1u);
  BOOST_TEST(std::isinf(equal.merges[0].log_time));
  auto opposite = on_circle({0, 0});
  opposite.theta(0, 1) = -1;
  const auto antipodal = coarsen(p, opposite);
  BOOST_TEST((antipodal.why == CoarseningEnd::nothing_merges));
}

BOOST_AUTO_TEST_CASE(a_new_clock_changes_times_and_nothing_else) {
  // Two tokens of mass 1/2, SA: c' = 2 (1-c^2)/(1 + e^{beta (1-c)}), in the clock of the closest pair
  // 2 (1-c^2)/(1 + e^{-beta (1-c)}); for beta = 60 that is 2 (1-c^2), c = tanh(2s + artanh c0).
  const auto start = on_circle({0, 1.3});
  const auto p = params(Attention::softmax, 60);
  const Reclocked model(plain_particles(p, start),
                        [](const Vector<double>& x) { return -60 * chord_gap(x.data(), x.data() + 2, 2); });
  Options<double> options;
  options.tolerance = 1e-11;
  const auto s = solve<double>(model, to_state(start), 0.0, {0.2}, options);
  const double c = 1 - chord_gap(s.x.data(), s.x.data() + 2, 2);
  BOOST_TEST(c == std::tanh(0.4 + std::atanh(std::cos(1.3))), tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(loose_tolerances_do_not_wait_for_distances_that_are_noise) {
  const auto p = params(Attention::softmax, 60);
  CoarseningOptions options;
  options.tolerance = 1e-6;
  options.merge_gap = 1e-20;
  const auto c = coarsen(p, on_circle({0, .3, .7}), options);
  BOOST_TEST((c.why == CoarseningEnd::one_cluster));
  BOOST_TEST(c.merges[0].gap > 1e-11);
}

BOOST_AUTO_TEST_CASE(a_run_ends_where_it_is_told_to) {
  const auto p = params(Attention::softmax, 10);
  CoarseningOptions options;
  options.until = [](const Coarse& c) { return chord_gap(&c.theta(0, 0), &c.theta(0, 1), 2) - 0.1; };
  const auto c = coarsen(p, on_circle({0, 1}), options);
  BOOST_TEST((c.why == CoarseningEnd::until));
  BOOST_TEST(chord_gap(&c.samples.back().theta(0, 0), &c.samples.back().theta(0, 1), 2) == 0.1,
             tt::tolerance(1e-8));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_merged_is_refused) {
  auto p = params(Attention::causal, 1);
  BOOST_CHECK_THROW(coarsen(p, on_circle({0, 1})), std::invalid_argument);
  p.attention = Attention::softmax;
  p.scheme.name = "pre";
  BOOST_CHECK_THROW(coarsen(p, on_circle({0, 1})), std::invalid_argument);
  p.scheme.name = "post";
  p.beta = -1;
  BOOST_CHECK_THROW(coarsen(p, on_circle({0, 1})), std::invalid_argument);
}
