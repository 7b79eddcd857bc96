// Particles from an equiangular start follow the reduced equation, for every scheme: g and log r to 1e-11,
// and 1-g relatively to 1e-11 while 1-g >= 1e-8. The reduced equation is solved in Float128, which the
// particle code does not see.
#define BOOST_TEST_MODULE particles_equiangular
#include <boost/test/unit_test.hpp>

#include "lib/models/equiangular.hpp"
#include "tests/support/laws.hpp"

#include <fmt/format.h>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

/// n tokens with all cosines g, 0 <= g < 1, in R^n: sqrt(1-g) e_j + c (1, ..., 1), reflected so that (1, ...,
/// 1) is the first axis; there chords keep their digits near g = 1. The j-th column of the reflection I - 2 v
/// v^T, v along 1 - sqrt(n) e_1.
Tokens<double> equiangular_tokens(std::size_t n, double gap) {
  const double m = static_cast<double>(n), spread = std::sqrt(gap), mean = std::sqrt((m - (m - 1) * gap) / m);
  Tokens<double> out{Matrix<double>(n, n), Vector<double>(n, 1.0)};
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 1; i < n; ++i) {
      // v_i = 1/|v| for i >= 1, v_0 = (1 - sqrt n)/|v|, |v|^2 = 2 (n - sqrt n).
      const double v2 = 2 * (m - std::sqrt(m)), vj = j == 0 ? 1 - std::sqrt(m) : 1;
      out.theta(i, j) = spread * ((i == j ? 1 : 0) - 2 * vj / v2);
    }
    out.theta(0, j) = mean;
  }
  return out;
}

struct Worst {
  double gap = 0, g = 0, log_r = 0, smallest_gap = 1;
};

Worst compare(const SchemeParams& scheme, Attention kind, int n, const Number& beta, const Number& g0,
              const Vector<double>& times) {
  EquiangularParams reduced;
  reduced.scheme = scheme;
  reduced.attention = kind;
  reduced.n = n;
  reduced.beta = beta;
  reduced.g0 = g0;
  const Equiangular<Float128> exact(reduced);
  Options<Float128> fine;
  fine.tolerance = parse_real<Float128>("1e-20");
  const auto expected =
      solve<Float128>(exact, exact.start(), Float128(0), Vector<Float128>(times.begin(), times.end()), fine);
  BOOST_REQUIRE(expected.why == Stop::reached_end);

  ParticleParams<double> p;
  p.scheme = scheme;
  p.attention = kind;
  p.beta = beta;
  const Particles<double> model(p, equiangular_tokens(static_cast<std::size_t>(n), 1 - g0.approx()));
  // theta has an absolute tolerance, and chords of 1e-4 are asked for eleven digits of their own: one run at
  // a local tolerance of a few epsilons, by the method of highest order.
  Options<double> tight;
  tight.tolerance = 1e-15;
  tight.control_global_error = false;
  tight.stepper = "bulirsch_stoer";
  const auto run = solve<double>(model, model.start(), 0.0, times, tight);
  BOOST_REQUIRE_MESSAGE(run.why == Stop::reached_end, name_of(run.why) << " " << run.detail);
  std::vector<Tokens<double>> end;
  for (const auto& sample : run.samples) end.push_back(model.lift(sample.x));
  Worst worst;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const Float128 gap = exp(expected.samples[k].x[0]), log_r = expected.samples[k].x[1];
    for (std::size_t i = 0; i < end[k].theta.cols; ++i) {
      worst.log_r = std::max(worst.log_r, plain_value(Float128(abs(log(Float128(end[k].r[i])) - log_r))));
      for (std::size_t j = 0; j < i; ++j) {
        const double found = chord_gap(&end[k].theta(0, i), &end[k].theta(0, j), end[k].theta.rows);
        worst.g = std::max(worst.g, plain_value(Float128(abs(found - gap))));
        if (gap < 1e-8) continue;
        worst.gap = std::max(worst.gap, plain_value(Float128(abs(found / gap - 1))));
        worst.smallest_gap = std::min(worst.smallest_gap, plain_value(gap));
      }
    }
  }
  return worst;
}

} // namespace

BOOST_AUTO_TEST_CASE(particles_follow_the_reduced_equation_in_every_scheme) {
  BOOST_TEST_MESSAGE(fmt::format("{:<40}{:>4}{:>14}{:>12}{:>12}{:>14}", "scheme", "n", "rel. 1-g", "g",
                                 "log r", "smallest 1-g"));
  for (const SchemeParams& scheme : every_scheme())
    for (Attention kind : {Attention::softmax, Attention::unnormalised})
      for (int n : {2, 3, 8, 33}) {
        // Collapse like e^-ct is followed in equal steps, like a power of t in octaves of time.
        const bool power =
            scheme.name == "pre" || scheme.name == "mix" || scheme.name == "peri" || scheme.name == "lns";
        const double last = scheme.name == "sqrt" ? 30 : scheme.alpha_decay.approx() != 0 ? 20 : 9;
        Vector<double> times;
        for (int i = 1; i <= 24; ++i) times.push_back(power ? std::exp2(i - 5) : last * i / 24);
        const Worst w = compare(scheme, kind, n, 1, 0, times);
        BOOST_TEST_MESSAGE(fmt::format("{:<40}{:>4}{:>14.2g}{:>12.2g}{:>12.2g}{:>14.2g}",
                                       label(scheme) + ", " + name_of(kind), n, w.gap, w.g, w.log_r,
                                       w.smallest_gap));
        BOOST_TEST(w.gap <= 1e-11);
        BOOST_TEST(w.g <= 1e-11);
        BOOST_TEST(w.log_r <= 1e-11);
        BOOST_TEST(w.smallest_gap < 2e-6);
      }
}

// Other temperatures, and a start that is nearly collapsed.
BOOST_AUTO_TEST_CASE(so_they_do_at_other_temperatures_and_starts) {
  for (const SchemeParams& scheme : every_scheme())
    for (const auto& [beta, g0] : {std::pair{"4", "0.5"}, {"-1", "0.25"}, {"2", "0.9999"}})
      for (int n : {2, 3, 8, 33}) {
        const Worst w = compare(scheme, Attention::softmax, n, beta, g0, {0.2, 0.5, 1, 2});
        const std::string where = fmt::format("{}, n = {}, beta = {}, g0 = {}: {} {} {}", label(scheme), n,
                                              beta, g0, w.gap, w.g, w.log_r);
        BOOST_TEST(w.gap <= 1e-11, where);
        BOOST_TEST(w.g <= 1e-11, where);
        BOOST_TEST(w.log_r <= 1e-11, where);
      }
}
