// The time changes of theory section 2 from random starts (standard S15), schedules in time, and the scaled
// clock of USA.
#define BOOST_TEST_MODULE particles_clocks
#include <boost/test/unit_test.hpp>

#include "tests/support/laws.hpp"

#include <boost/math/quadrature/tanh_sinh.hpp>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

constexpr double tolerance = 1e-11, agreement = 1e-10;
constexpr Shape shapes[] = {{2, 2}, {3, 5}, {8, 3}, {33, 2}};

template <class Real = double>
ParticleParams<Real> params(const SchemeParams& scheme, Attention attention = Attention::softmax,
                            const Number& beta = 2) {
  ParticleParams<Real> p;
  p.scheme = scheme;
  p.attention = attention;
  p.beta = beta;
  return p;
}

/// From x at t0 to t, as a state of the model.
Vector<double> state_after(const Particles<double>& model, const Vector<double>& x, double t0, double t) {
  Options<double> options;
  options.tolerance = tolerance;
  const auto s = solve<double>(model, x, t0, {t}, options);
  BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, name_of(s.why) << " " << s.detail);
  return s.samples[0].x;
}

double largest_difference(const Vector<double>& a, const Vector<double>& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

} // namespace

// s depends on t alone: the path of sqrt-scaling at t is that of Post-LN at 2 (sqrt(t+1) - 1).
BOOST_AUTO_TEST_CASE(sqrt_scaling_is_post_ln_on_another_clock) {
  for (Attention kind : {Attention::softmax, Attention::unnormalised, Attention::causal})
    for (Shape shape : shapes)
      for (double t : {0.3, 3.0, 8.0}) {
        const auto start = random_tokens<double>(shape, 61);
        const double defect = distance(
            flow<double>(params({.name = "sqrt"}, kind), start, t, tolerance),
            flow<double>(params({.name = "post"}, kind), start, 2 * (std::sqrt(t + 1) - 1), tolerance));
        BOOST_TEST(defect <= agreement, name_of(kind)
                                            << ", n = " << shape.n << ", t = " << t << ": " << defect);
      }
}

BOOST_AUTO_TEST_CASE(layernorm_scaling_is_pre_ln_on_another_clock) {
  for (Attention kind : {Attention::softmax, Attention::unnormalised, Attention::causal})
    for (Shape shape : shapes)
      for (double t : {0.3, 3.0, 8.0}) {
        const auto start = random_tokens<double>(shape, 62);
        const double defect = distance(
            flow<double>(params({.name = "lns"}, kind), start, t, tolerance),
            flow<double>(params({.name = "pre"}, kind), start, 2 * (std::sqrt(t + 1) - 1), tolerance));
        BOOST_TEST(defect <= agreement, name_of(kind)
                                            << ", n = " << shape.n << ", t = " << t << ": " << defect);
      }
}

// nGPT with alpha(t) at t is nGPT with alpha = 1 at the integral of alpha.
BOOST_AUTO_TEST_CASE(ngpt_sees_the_integral_of_alpha) {
  for (Shape shape : shapes)
    for (double t : {0.3, 3.0}) {
      const auto start = random_tokens<double>(shape, 63);
      const auto plain = [&](double clock) {
        return flow<double>(params({.name = "ngpt"}), start, clock, tolerance);
      };
      const auto with = [&](const Number& alpha, const Number& decay) {
        return flow<double>(params({.name = "ngpt", .alpha = alpha, .alpha_decay = decay}), start, t,
                            tolerance);
      };
      BOOST_TEST(distance(with("0.6", 0), plain(0.6 * t)) <= agreement);
      BOOST_TEST(distance(with(1, 1), plain(std::log(1 + t))) <= agreement);
      BOOST_TEST(distance(with("1.5", "1/2"), plain(3 * (std::sqrt(1 + t) - 1))) <= agreement);
    }
}

BOOST_AUTO_TEST_CASE(mix_ln_is_post_ln_until_tau_and_then_pre_ln) {
  for (Shape shape : shapes) {
    const auto start = random_tokens<double>(shape, 64);
    const Particles<double> mix(params({.name = "mix", .tau = "0.7"}), start),
        post(params({.name = "post"}), start), pre(params({.name = "pre"}), start);
    const auto until = state_after(post, post.start(), 0, 0.7);
    BOOST_TEST(largest_difference(state_after(mix, mix.start(), 0, 0.7), until) <= agreement);
    BOOST_TEST(largest_difference(state_after(mix, mix.start(), 0, 2), state_after(pre, until, 0.7, 2)) <=
               agreement);
    // tau = 0: Pre-LN from the start.
    const Particles<double> at_once(params({.name = "mix", .tau = 0}), start);
    BOOST_TEST(largest_difference(state_after(at_once, at_once.start(), 0, 2),
                                  state_after(pre, pre.start(), 0, 2)) <= agreement);
  }
}

// Weights that change at given times, in every scheme, with the switch of Mix-LN between, at and away from
// them.
BOOST_AUTO_TEST_CASE(weights_take_over_at_their_switch_times) {
  for (SchemeParams scheme : every_scheme())
    for (const char* tau : {"0.3", "0.5", "0.9"}) {
      if (scheme.name != "mix" && std::string(tau) != "0.3") continue;
      scheme.tau = tau;
      const Shape shape{8, 3};
      const auto start = random_tokens<double>(shape, 65);
      const auto heads = [&](unsigned seed) {
        return Heads<double>{{random_rotation<double>(3, seed),
                              random_rotation<double>(3, seed + 1),
                              random_rotation<double>(3, seed + 2),
                              {}}};
      };
      auto p = params(scheme);
      p.weights = {heads(1), heads(10), heads(20)};
      p.weight_switches = {0.5, 0.75};
      const Particles<double> all(p, start);
      Vector<double> x = all.start();
      for (std::size_t k = 0; k < 3; ++k) {
        auto q = params(scheme);
        q.weights = {p.weights[k]};
        const double from = k == 0 ? 0 : p.weight_switches[k - 1], to = k == 2 ? 1.1 : p.weight_switches[k];
        x = state_after(Particles<double>(q, start), x, from, to);
      }
      BOOST_TEST(largest_difference(state_after(all, all.start(), 0, 1.1), x) <= agreement, label(scheme));
    }
}

// USA in the scaled clock u = e^|beta| t: the same path as in the natural one where both serve, in every
// scheme.
BOOST_AUTO_TEST_CASE(the_scaled_clock_of_usa_is_the_natural_one_times_e_to_the_beta) {
  for (const SchemeParams& scheme : every_scheme())
    for (const char* beta : {"2", "-1.5", "300"}) {
      auto natural = params(scheme, Attention::unnormalised, beta), scaled = natural;
      scaled.clock = TimeScale::scaled;
      const double factor = std::exp(std::abs(natural.beta.approx()));
      // Degree 1 moves at speed e^beta, degree 0 at speed 1.
      const bool fast = scheme.name != "peri" && scheme.name != "ngpt";
      const double t = fast ? 0.9 / factor * 2 : 0.9;
      natural.scheme.tau = scheme.name == "mix" ? Number(t / 2) : scheme.tau;
      scaled.scheme.tau = scheme.name == "mix" ? Number(t / 2 * factor) : scheme.tau;
      const auto start = random_tokens<double>({8, 3}, 66);
      const double defect = distance(flow<double>(scaled, start, t * factor, tolerance),
                                     flow<double>(natural, start, t, tolerance));
      BOOST_TEST(defect <= agreement, label(scheme) << ", beta = " << beta << ": " << defect);
    }
}

// beta = 1000, where e^beta is no double: two tokens with gap w = 1 - c obey dw/du = -w (2 - w) e^{-beta w},
// so u is the integral of e^{beta v}/(v (2 - v)) over [w, w0], here by the tanh-sinh rule.
BOOST_AUTO_TEST_CASE(usa_at_beta_1000_follows_its_quadrature_in_the_scaled_clock) {
  for (double w0 : {1e-3, 4e-3})
    for (double w : {5e-4, 1e-5}) {
      const double u = boost::math::quadrature::tanh_sinh<double>().integrate(
          [](double v) { return std::exp(1000 * v) / (v * (2 - v)); }, w, w0);
      Tokens<double> start{Matrix<double>(2, 2), {1, 1}};
      const double half = std::asin(std::sqrt(w0 / 2)); // half the angle
      for (std::size_t j = 0; j < 2; ++j) {
        start.theta(0, j) = std::cos(half);
        start.theta(1, j) = (j == 0 ? 1 : -1) * std::sin(half);
      }
      auto p = params({.name = "post"}, Attention::unnormalised, 1000);
      p.clock = TimeScale::scaled;
      const auto end = flow<double>(p, start, u, 1e-13);
      BOOST_TEST(chord_gap(&end.theta(0, 0), &end.theta(0, 1), 2) == w, boost::test_tools::tolerance(1e-9));
    }
}

BOOST_AUTO_TEST_CASE(beta_from_minus_1000_to_10000_runs_in_every_attention_and_scheme) {
  for (const SchemeParams& scheme : every_scheme())
    for (Attention kind :
         {Attention::softmax, Attention::unnormalised, Attention::causal, Attention::hardmax})
      for (double beta : {-1e3, -600.0, 0.0, 1e-30, 50.0, 1e3, 1e4}) {
        auto p = params(scheme, kind, Number(beta));
        const bool divides_by_norm = scheme.name == "peri" || scheme.name == "ngpt";
        if (kind == Attention::unnormalised && !divides_by_norm) p.clock = TimeScale::scaled;
        auto start = random_tokens<double>({kind == Attention::hardmax ? 2u : 8u, 3}, 67);
        for (double& r : start.r) r *= 3;
        const auto end = flow<double>(p, start, 1.0, 1e-8);
        BOOST_TEST(all_finite(end.theta.data));
        BOOST_TEST(all_finite(end.r));
      }
}

BOOST_AUTO_TEST_CASE(clocks_that_cannot_serve_are_refused) {
  const auto start = random_tokens<double>({2, 2}, 68);
  const auto message = [&](const SchemeParams& scheme, Attention kind, double beta, TimeScale clock) {
    auto p = params(scheme, kind, Number(beta));
    p.clock = clock;
    try {
      Particles<double> model(p, start);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  BOOST_TEST(message({.name = "post"}, Attention::unnormalised, 601, TimeScale::natural) ==
             "beta = 601: |beta| must be <= 600 with usa in the natural clock; use --clock scaled");
  BOOST_TEST(
      message({.name = "mix"}, Attention::unnormalised, -601, TimeScale::natural).starts_with("beta = -601"));
  BOOST_TEST(message({.name = "peri"}, Attention::unnormalised, 601, TimeScale::natural) == "accepted");
  BOOST_TEST(message({.name = "peri"}, Attention::unnormalised, 601, TimeScale::scaled)
                 .starts_with("beta = 601: |beta| must be <= 600 in the scaled clock"));
  BOOST_TEST(message({.name = "post"}, Attention::unnormalised, 601, TimeScale::scaled) == "accepted");
  BOOST_TEST(
      message({.name = "peri"}, Attention::unnormalised, 601, TimeScale::scaled).starts_with("beta = 601"));
  BOOST_TEST(message({.name = "post"}, Attention::softmax, 2, TimeScale::scaled) ==
             "clock = scaled: only for --attention usa, not sa");
}
