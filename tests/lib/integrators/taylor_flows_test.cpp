// The Taylor stepper on the flows it was made for: against closed forms of theory section 4 and against other
// methods, at 50 digits.
#define BOOST_TEST_MODULE taylor_flows
#include <boost/test/unit_test.hpp>

#include "lib/models/equiangular.hpp"
#include "tests/lib/integrators/problems.hpp"
#include "tests/support/laws.hpp"

#include <string>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(50); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

Mpfr number(const char* text) { return parse_real<Mpfr>(text); }
const char* const tolerance_text = "1e-45";

/// The state {log(1-g), log r} of the equiangular flow at beta = 0 from g0 = 0.
Vector<Mpfr> equiangular_at(const char* scheme, int n, const char* r0, const Mpfr& t) {
  EquiangularParams p;
  p.scheme.name = scheme;
  p.n = n;
  p.beta = 0;
  p.r0 = r0;
  const Equiangular<Mpfr> model(p);
  Options<Mpfr> options;
  options.stepper = "taylor";
  options.tolerance = number(tolerance_text);
  const auto s = solve<Mpfr>(model, model.start(), Mpfr(0), {t}, options);
  BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, scheme << ": " << name_of(s.why) << " " << s.detail);
  BOOST_TEST_MESSAGE(scheme << " to t = " << brief(t) << ": " << s.stats.accepted
                            << " steps, 1-g = " << exp_to_text(s.x[0]));
  return s.x;
}

/// Within the tolerance, or within ten times 4 epsilon of the value itself.
bool close(const Mpfr& got, const Mpfr& expected) {
  const Mpfr floor = 40 * epsilon<Mpfr>() * abs(expected), tolerance = number(tolerance_text);
  return abs(got - expected) <= (floor > tolerance ? floor : tolerance);
}

template <class Real> Tokens<Real> pair(const Real& c) {
  using std::sqrt;
  Tokens<Real> out{Matrix<Real>(2, 2), Vector<Real>(2, Real(1))};
  out.theta(0, 0) = 1;
  out.theta(0, 1) = c;
  out.theta(1, 1) = sqrt(1 - c * c);
  return out;
}

template <class Real> ParticleParams<Real> params(const char* scheme, const Number& beta) {
  ParticleParams<Real> p;
  p.scheme.name = scheme;
  p.beta = beta;
  return p;
}

/// At time t, by Taylor.
template <class Real>
Tokens<Real> at(const ParticleParams<Real>& p, const Tokens<Real>& start, const Real& t,
                const Real& tolerance) {
  const Particles<Real> model(p, start);
  Options<Real> options;
  options.stepper = "taylor";
  options.tolerance = tolerance;
  const auto s = solve<Real>(model, model.start(), Real(0), {t}, options);
  BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, name_of(s.why) << " " << s.detail);
  return model.lift(s.x);
}

} // namespace

// Post-LN: log(1-g) = log n - 2t - log(1 + (n-1) e^-2t). nGPT (alpha = 1): 1-g = n/(n-1) sech^2(t + artanh
// n^-1/2). At t = 1151.5 they are about 1e-1000.
BOOST_AUTO_TEST_CASE(log_gaps_keep_their_digits_where_the_gap_is_1e_minus_1000) {
  const Mpfr t = number("1151.5");
  for (const int n : {2, 5, 256}) {
    const Mpfr post = equiangular_at("post", n, "1", t)[0];
    BOOST_TEST((post < -2290));
    BOOST_TEST(close(post, log(Mpfr(n)) - 2 * t - log1p((n - 1) * exp(-2 * t))), n);
    const Mpfr ngpt = equiangular_at("ngpt", n, "1", t)[0], s = t + atanh(1 / sqrt(Mpfr(n)));
    BOOST_TEST(close(ngpt, log(Mpfr(n) / (n - 1)) - 2 * (s + log1p(exp(-2 * s)) - log(Mpfr(2)))), n);
  }
}

// sqrt-scaling is Post-LN at 2 (sqrt(t+1) - 1).
BOOST_AUTO_TEST_CASE(stretched_exponential_tails_are_right_at_t_1e8) {
  const Mpfr t = number("1e8"), clock = 2 * (sqrt(t + 1) - 1);
  const auto x = equiangular_at("sqrt", 5, "1", t);
  BOOST_TEST(close(x[0], log(Mpfr(5)) - 2 * clock - log1p(4 * exp(-2 * clock))));
  BOOST_TEST((x[1] == 0));
}

// Peri-LN: r^2 = r0^2 (n-1)/n + (t + r0 n^-1/2)^2 and 1-g = (r0/r)^2.
BOOST_AUTO_TEST_CASE(the_algebraic_tail_of_peri_ln_is_right_at_t_1e8) {
  for (const int n : {2, 5, 256})
    for (const char* r0_text : {"1", "3/2"}) {
      const Mpfr t = number("1e8"), r0 = number(r0_text), shifted = t + r0 / sqrt(Mpfr(n));
      const auto x = equiangular_at("peri", n, r0_text, t);
      const Mpfr log_r = log(r0 * r0 * (n - 1) / n + shifted * shifted) / 2;
      BOOST_TEST(close(x[1], log_r), n);
      BOOST_TEST(close(x[0], 2 * (log(r0) - log_r)), n);
    }
}

// Pre-LN: r^2 (1-g) = r0^2, hence r' = 1 - k^2/r^2 with k^2 = r0^2 (n-1)/n, hence
// r + (k/2) log((r-k)/(r+k)) = t + the same at t = 0. LayerNorm scaling is Pre-LN at 2 (sqrt(t+1) - 1).
BOOST_AUTO_TEST_CASE(the_algebraic_tails_of_pre_ln_and_layer_norm_scaling_are_right_at_t_1e8) {
  for (const int n : {2, 5, 256})
    for (const char* scheme : {"pre", "lns"}) {
      const Mpfr t = number("1e8"), r0 = Mpfr(3) / 2, k = r0 * sqrt(Mpfr(n - 1) / n);
      const auto x = equiangular_at(scheme, n, "3/2", t);
      const auto time = [&](const Mpfr& r) { return Mpfr(r + k / 2 * log((r - k) / (r + k))); };
      const Mpfr clock = scheme == std::string("lns") ? Mpfr(2 * (sqrt(t + 1) - 1)) : t;
      // dr = r d(log r): relative to r this is the error of log r.
      const Mpfr r = exp(x[1]), off = (time(r) - time(r0) - clock) / r;
      BOOST_TEST((abs(off) <= number("1e-44")), scheme << " " << n << ": " << brief(off));
      BOOST_TEST(close(x[0], 2 * (log(r0) - x[1])), n);
    }
}

// The other method: dop853 in the next number type, from the start that double carries.
BOOST_AUTO_TEST_CASE(four_tokens_agree_with_dop853_at_higher_precision) {
  for (const char* scheme : {"post", "pre", "peri", "ngpt"}) {
    const auto model = four_tokens<double>(scheme);
    const auto wide = four_tokens<Float128>(scheme);
    Vector<Float128> start(model->start().begin(), model->start().end());
    wide->retract(start);
    Options<Float128> reference;
    reference.stepper = "dop853";
    reference.tolerance = parse_real<Float128>("1e-19");
    const auto exact = solve<Float128>(*wide, start, Float128(0), {Float128(1), Float128(4)}, reference);
    BOOST_REQUIRE((exact.why == Stop::reached_end));
    for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
      Options<double> options;
      options.stepper = "taylor";
      options.tolerance = tolerance;
      const auto s = solve<double>(*model, model->start(), 0.0, {1, 4}, options);
      BOOST_REQUIRE((s.why == Stop::reached_end));
      for (std::size_t i = 0; i < 2; ++i) {
        const Vector<Float128> got(s.samples[i].x.begin(), s.samples[i].x.end());
        const double error = plain_value(largest_difference(got, exact.samples[i].x));
        BOOST_TEST(error <= tolerance, scheme << " at " << tolerance << ": " << error);
      }
    }
  }
}

// Standard S14: backward, where the flow expands, then forward. The bound is the error of the second run and
// that of the first as the flow carries it, measured by moving each component of the middle state.
BOOST_AUTO_TEST_CASE(tokens_taken_backward_and_forward_return_within_the_measured_bound) {
  for (const char* scheme : {"post", "pre", "peri"}) {
    const auto model = four_tokens<double>(scheme);
    const double tolerance = 1e-11, T = 1.5;
    Options<double> options;
    options.stepper = "taylor";
    options.tolerance = tolerance;
    const auto reach = [&](const Vector<double>& x, double from, double to) {
      const auto s = solve<double>(*model, x, from, {to}, options);
      BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, scheme << name_of(s.why) << s.detail);
      return s.x;
    };
    const auto late = reach(model->start(), 0, T), back = reach(late, T, 0), again = reach(back, 0, T);
    const double delta = 1e-6;
    double condition = 0;
    for (std::size_t i = 0; i < back.size(); ++i) {
      auto moved = back;
      moved[i] += delta;
      model->retract(moved); // the flow lives on the spheres
      condition += largest_difference(reach(moved, 0, T), again) / delta;
    }
    const double off = largest_difference(again, late);
    BOOST_TEST_MESSAGE(scheme << ": off by " << off / tolerance << " tolerances, condition " << condition);
    BOOST_TEST(off <= tolerance * (1 + condition));
  }
}

// Every coordinate to two units in the last place of 1, repulsive values included.
BOOST_AUTO_TEST_CASE(tokens_stay_on_the_sphere_at_fifty_digits) {
  for (const bool repulsive : {false, true})
    for (const char* scheme : {"post", "ngpt"}) {
      auto p = params<Mpfr>(scheme, "1.5");
      if (repulsive) {
        Matrix<Mpfr> minus(3, 3);
        for (std::size_t i = 0; i < 3; ++i) minus(i, i) = -1;
        p.weights = {{Head<Mpfr>{{}, {}, minus, {}}}};
      }
      const Particles<Mpfr> model(p, random_tokens<Mpfr>({5, 3}, 31));
      Mpfr worst = 0;
      Options<Mpfr> options;
      options.stepper = "taylor";
      options.tolerance = number("1e-40");
      options.control_global_error = false;
      options.observer = [&](int, const Mpfr&, const Vector<Mpfr>& x) {
        for (std::size_t j = 0; j < 5; ++j)
          worst = std::max(worst, Mpfr(abs(sqrt(dot(&x[3 * j], &x[3 * j], 3)) - 1)));
        return Flow::go;
      };
      const auto s = solve<Mpfr>(model, model.start(), Mpfr(0), {Mpfr(3)}, options);
      BOOST_REQUIRE((s.why == Stop::reached_end));
      BOOST_TEST((worst <= 2 * epsilon<Mpfr>()), scheme);
      BOOST_TEST(s.stats.largest_retraction < 1e-38);
    }
}

BOOST_AUTO_TEST_CASE(a_massless_token_that_faces_a_unit_mass_follows_tanh) {
  for (const char* cosine : {"-0.9", "0", "0.6"})
    for (const char* beta : {"0", "4", "-3"}) {
      const Mpfr c0 = number(cosine), t = Mpfr(4) / 5;
      auto p = params<Mpfr>("post", beta);
      p.masses = {Mpfr(0), Mpfr(1)};
      const auto end = at(p, pair(c0), t, number(tolerance_text));
      const Mpfr c = 1 - chord_gap(&end.theta(0, 0), &end.theta(0, 1), 2);
      BOOST_TEST((abs(c - tanh(t + atanh(c0))) <= 2 * number(tolerance_text)), cosine << " " << beta);
    }
}

BOOST_AUTO_TEST_CASE(two_tokens_of_mass_a_quarter_at_one_point_are_one_of_mass_a_half) {
  for (const char* scheme : {"post", "pre", "peri", "ngpt"}) {
    auto single = params<Mpfr>(scheme, 2), twin = single;
    single.masses = {Mpfr(1) / 2, Mpfr(3) / 8, Mpfr(1) / 8};
    twin.masses = {Mpfr(1) / 4, Mpfr(1) / 4, Mpfr(3) / 8, Mpfr(1) / 8};
    const auto start = random_tokens<Mpfr>({3, 3}, 12);
    const Mpfr tolerance = number("1e-40");
    const auto a = at(single, start, Mpfr(2), tolerance),
               b = at(twin, chosen(start, {0, 0, 1, 2}), Mpfr(2), tolerance);
    BOOST_TEST(distance(chosen(a, {0, 0, 1, 2}), b) <= 1e-39, scheme);
  }
}

// n = 1, V = I: it stays, and r = r0 + t under Pre-LN and Peri-LN. d = 1: every token stays where it is, and
// under Post-LN so does its radius.
BOOST_AUTO_TEST_CASE(one_token_and_one_dimension) {
  const Mpfr tolerance = number(tolerance_text);
  for (const char* scheme : {"pre", "peri"}) {
    const auto start = random_tokens<Mpfr>({1, 3}, 2);
    auto expected = start;
    expected.r[0] += 3;
    BOOST_TEST(distance(at(params<Mpfr>(scheme, 5), start, Mpfr(3), tolerance), expected) <= 1e-44, scheme);
  }
  Tokens<Mpfr> line{Matrix<Mpfr>(1, 3), Vector<Mpfr>(3, Mpfr(2))};
  line.theta.data = {Mpfr(1), Mpfr(-1), Mpfr(1)};
  BOOST_TEST(distance(at(params<Mpfr>("post", 1), line, Mpfr(3), tolerance), line) <= 1e-48);
  // Pre-LN: r_j' = a_j, constant. a = (2 e - e^-1)/(2 e + e^-1) for the two, (e - 2 e^-1)/(e + 2 e^-1).
  const auto end = at(params<Mpfr>("pre", 1), line, Mpfr(1), tolerance);
  const Mpfr e = exp(Mpfr(1)), two = (2 * e - 1 / e) / (2 * e + 1 / e), one = (e - 2 / e) / (e + 2 / e);
  BOOST_TEST((abs(end.r[0] - 2 - two) <= 4 * tolerance));
  BOOST_TEST((abs(end.r[1] - 2 - one) <= 4 * tolerance));
}
