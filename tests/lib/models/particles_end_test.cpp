// Where the particle flow ends by itself, and what it refuses to start: radii that reach zero, |A| = 0 where
// the scheme divides by it, non-finite fields, bad arguments.
#define BOOST_TEST_MODULE particles_end
#include <boost/test/unit_test.hpp>

#include "lib/models/equiangular.hpp"
#include "tests/support/laws.hpp"

using namespace attndyn;
using namespace attndyn::testing;

namespace {

using Reals = std::tuple<double, Float128>;

template <class Real>
Solution<Real> run(const ParticleParams<Real>& p, const Tokens<Real>& start, const Vector<Real>& times,
                   const char* tolerance) {
  const Particles<Real> model(p, start);
  Options<Real> options;
  options.tolerance = parse_real<Real>(tolerance);
  return solve<Real>(model, model.start(), Real(0), times, options);
}

/// Token 1 at u, the other n - 1 at -u, all radii r.
template <class Real> Tokens<Real> one_against_the_rest(std::size_t n, const Matrix<Real>& u, const Real& r) {
  Tokens<Real> out{Matrix<Real>(u.rows, n), Vector<Real>(n, r)};
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < u.rows; ++i) out.theta(i, j) = j == 0 ? u(i, 0) : Real(-u(i, 0));
  return out;
}

template <class Real> double relative(const Real& a, const Real& b) {
  using std::abs;
  return plain_value(Real(abs(a / b - 1)));
}

} // namespace

// n - 1 = 8 > e^{2 beta} at beta = 1: a_1 = (e^beta - 8 e^-beta)/(e^beta + 8 e^-beta) < 0, and r_1 reaches
// zero at t = r_1(0)/|a_1| under Pre-LN, at t = r_1(0) under Peri-LN, where 2 (sqrt(t+1) - 1) = r_1(0)/|a_1|
// under LayerNorm scaling. Theory section 2.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_radius_that_reaches_zero_ends_the_run_with_token_and_time, Real, Reals) {
  using std::abs;
  using std::exp;
  const Real r = Real(3) / 4, e = exp(Real(1)), a = abs((e - 8 / e) / (e + 8 / e)), lns = r / a / 2 + 1;
  const struct {
    SchemeParams scheme;
    Real time;
  } cases[] = {{{.name = "pre"}, r / a},
               {{.name = "peri"}, r},
               {{.name = "lns"}, lns * lns - 1},
               {{.name = "mix", .tau = "0.25"}, r / a + Real(1) / 4}};
  for (const auto& c : cases)
    for (std::size_t d : {1, 3}) {
      if (d > 1 && !std::is_same_v<Real, double>) continue; // saves seconds
      Matrix<Real> u(d, 1);
      u(d - 1, 0) = 1;
      ParticleParams<Real> p;
      p.scheme = c.scheme;
      const auto s = run<Real>(p, one_against_the_rest<Real>(9, u, r), {Real(1) / 2, Real(1000)}, "1e-12");
      BOOST_TEST((s.why == Stop::radius_zero), label(c.scheme) << ": " << name_of(s.why) << " " << s.detail);
      BOOST_TEST(s.detail.starts_with("token 1 at t = "), s.detail);
      BOOST_TEST(relative(s.t, c.time) <= 1e-11, label(c.scheme) << ": " << relative(s.t, c.time));
      BOOST_TEST(s.samples.size() == 1u); // the one before the end
    }
}

// The zero is extrapolated from r < tol r(0), so a loose tolerance still finds its time.
BOOST_AUTO_TEST_CASE(the_time_of_a_zero_radius_is_better_than_the_tolerance) {
  const double e = std::exp(1.0), a = std::abs((e - 8 / e) / (e + 8 / e));
  Matrix<double> u(1, 1);
  u(0, 0) = 1;
  ParticleParams<double> p;
  p.scheme.name = "pre";
  const auto s = run<double>(p, one_against_the_rest<double>(9, u, 0.75), {1000}, "1e-4");
  BOOST_TEST((s.why == Stop::radius_zero), name_of(s.why));
  BOOST_TEST(relative(s.t, 0.75 / a) <= 1e-6, relative(s.t, 0.75 / a));
}

// A direction that is no axis: rounding moves the tokens off their antipodes, an unstable place, so a quick
// end is needed: n - 1 = 32, beta = 1/2.
BOOST_AUTO_TEST_CASE(a_radius_reaches_zero_along_any_direction) {
  const double e = std::exp(0.5), a = std::abs((e - 32 / e) / (e + 32 / e));
  for (unsigned seed = 0; seed < 10; ++seed) {
    ParticleParams<double> p;
    p.scheme.name = "pre";
    p.beta = "1/2";
    const auto s = run<double>(
        p, one_against_the_rest<double>(33, random_tokens<double>({1, 4}, seed).theta, 0.5), {10}, "1e-8");
    BOOST_TEST((s.why == Stop::radius_zero), name_of(s.why) << " " << s.detail);
    BOOST_TEST(s.detail.starts_with("token 1 at t = "), s.detail);
    BOOST_TEST(relative(s.t, 0.5 / a) <= 1e-7);
  }
}

BOOST_AUTO_TEST_CASE(a_radius_that_only_shrinks_does_not_end_the_run) {
  ParticleParams<double> p;
  p.scheme.name = "pre";
  Matrix<double> u(3, 1);
  u(0, 0) = 1;
  BOOST_TEST(
      (run<double>(p, one_against_the_rest<double>(9, u, 0.75), {0.5}, "1e-10").why == Stop::reached_end));
}

// An antipodal pair at beta = 0 has A = 0: Peri-LN and nGPT cannot start, the others stay where they are.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_vanishing_field_at_the_start_is_named, Real, Reals) {
  Matrix<Real> u(2, 1);
  u(0, 0) = Real(3) / 5;
  u(1, 0) = Real(4) / 5;
  for (const SchemeParams& scheme : every_scheme()) {
    ParticleParams<Real> p;
    p.scheme = scheme;
    p.beta = 0;
    const auto s = run<Real>(p, one_against_the_rest<Real>(2, u, Real(1)), {Real(1)}, "1e-10");
    if (scheme.name == "peri" || scheme.name == "ngpt") {
      BOOST_TEST((s.why == Stop::singular_field), label(scheme) << ": " << name_of(s.why));
      BOOST_TEST(s.detail == "|A| = 0 for token 1 at t = 0");
    } else {
      BOOST_TEST((s.why == Stop::reached_end), label(scheme) << ": " << name_of(s.why));
    }
  }
}

// V = -I at beta = 0: A = -(theta_1 + theta_2)/2 drives a pair to antipodes in finite time. With 2x the angle
// missing there, nGPT has x' = -alpha cos x, so t = artanh(sin x0)/alpha; Peri-LN x' = -cos x/r, r' = -sin x,
// so t = r0 sin x0.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_field_that_vanishes_on_the_way_is_named_with_token_and_time, Real, Reals) {
  using std::atanh;
  using std::cos;
  using std::sin;
  const Real x0 = Real(1) / 2, r0 = Real(5) / 4;
  Tokens<Real> start{Matrix<Real>(2, 2), {r0, r0}};
  for (std::size_t j = 0; j < 2; ++j) {
    start.theta(0, j) = (j == 0 ? 1 : -1) * cos(x0);
    start.theta(1, j) = sin(x0);
  }
  ParticleParams<Real> p;
  p.beta = 0;
  Head<Real> minus;
  minus.V = Matrix<Real>(2, 2);
  for (std::size_t i = 0; i < 2; ++i) minus.V(i, i) = -1;
  p.weights = {{minus}};
  for (const char* name : {"ngpt", "peri"}) {
    p.scheme.name = name;
    p.scheme.alpha = "1.5";
    const Real expected =
        std::string(name) == "peri" ? Real(r0 * sin(x0)) : Real(atanh(Real(sin(x0))) * 2 / 3);
    const auto s = run<Real>(p, start, {Real(5)}, "1e-10");
    BOOST_TEST((s.why == Stop::singular_field), name << ": " << name_of(s.why) << " " << s.detail);
    const std::string says = "|A| = 0 for token 1 at t = ";
    BOOST_REQUIRE_MESSAGE(s.detail.starts_with(says), s.detail);
    // The time is looked for ahead of the last step, and printed to six digits.
    BOOST_TEST(relative(parse_real<Real>(s.detail.substr(says.size())), expected) <= 1e-5,
               name << ": " << s.detail);
    BOOST_TEST(relative(s.t, expected) <= 2e-5, name << ": " << relative(s.t, expected));
  }
}

BOOST_AUTO_TEST_CASE(a_field_that_overflows_is_not_finite) {
  ParticleParams<double> p;
  Head<double> huge;
  huge.V = Matrix<double>(2, 2);
  for (double& v : huge.V.data) v = 1.7e308;
  p.weights = {{huge}};
  const auto s = run<double>(p, random_tokens<double>({3, 2}, 71), {1.0}, "1e-10");
  BOOST_TEST((s.why == Stop::non_finite));
}

BOOST_AUTO_TEST_CASE(bad_arguments_are_refused_with_name_value_and_rule) {
  const auto start = random_tokens<double>({3, 2}, 72);
  const auto refused = [](const ParticleParams<double>& p, const Tokens<double>& tokens,
                          const std::string& line) {
    BOOST_CHECK_EXCEPTION(Particles<double>(p, tokens), std::invalid_argument, [&](const std::exception& e) {
      BOOST_TEST(e.what() == line);
      return e.what() == line;
    });
  };
  const ParticleParams<double> good;
  const double nan = std::nan(""), inf = HUGE_VAL;
  auto p = good;
  p.masses = {0.5, 0.5};
  refused(p, start, "masses: there are 2, but 3 tokens");
  p.masses = {0.5, -0.5, 1};
  refused(p, start, "masses: number 2 is -0.5: must be finite and >= 0");
  p.masses = {0.5, nan, 1};
  refused(p, start, "masses: number 2 is nan: must be finite and >= 0");
  p.masses = {0, 0, 0};
  refused(p, start, "masses: must not all be zero, and have a finite sum");
  p.masses = {0, 0.5, 0.5};
  p.attention = Attention::causal;
  refused(p, start, "masses: number 1 is 0: the first token must have mass under causal attention");

  for (const auto& [value, text] : {std::pair{0.0, "0"}, {-1.0, "-1"}, {inf, "inf"}, {nan, "nan"}}) {
    auto tokens = start;
    tokens.r[1] = value;
    refused(good, tokens, std::string("radii: number 2 is ") + text + ": must be finite and > 0");
  }
  auto tokens = start;
  tokens.r.pop_back();
  refused(good, tokens, "radii: there are 2, but 3 tokens");

  p = good;
  p.scheme.name = "postln";
  BOOST_CHECK_THROW(Particles<double>(p, start), std::invalid_argument);
  p = good;
  p.weights = {{}, {}};
  refused(p, start, "weights: 2 sets need 1 switch times, there are 0");
  p.weight_switches = {nan};
  refused(p, start, "weights: switch time nan must be finite");
  p.weights = {{}, {}, {}};
  p.weight_switches = {0.5, 0.25};
  refused(p, start, "weights: switch time 0.25 must exceed the one before");
  p = good;
  Head<double> head;
  head.V = Matrix<double>(3, 3);
  p.weights = {{head}};
  refused(p, start, "head 1: V is 3 x 3, must have d = 2 columns");
}

BOOST_AUTO_TEST_CASE(tokens_without_a_direction_are_refused) {
  const auto message = [](double bad) {
    Matrix<double> x(2, 3);
    x.data = {1, 2, 3, 4, bad, 0};
    try {
      tokens_from(x, true);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  BOOST_TEST(message(0) == "token 3: is zero, so it has no direction");
  BOOST_TEST(message(std::nan("")) == "token 3: must be finite");
  BOOST_TEST(message(HUGE_VAL) == "token 3: must be finite");
  BOOST_TEST(message(5e-324) == "accepted");
  BOOST_CHECK_THROW(tokens_from(Matrix<double>(), true), std::invalid_argument);
}

// Lengths over the whole range of double: directions to an ulp, radii as they are.
BOOST_AUTO_TEST_CASE(tokens_of_any_length_become_unit_vectors) {
  for (double size : {5e-324, 1e-310, 1e-200, 1.0, 1e200, 1e308}) {
    Matrix<double> x(3, 1);
    x.data = {0.36 * size, -0.48 * size, 0.8 * size};
    if (size < 1e-300) x.data = {0, 0, -size};
    const auto tokens = tokens_from(x, true);
    BOOST_TEST(dot(&tokens.theta(0, 0), &tokens.theta(0, 0), 3) == 1, boost::test_tools::tolerance(4e-16));
    BOOST_TEST(tokens.r[0] == size, boost::test_tools::tolerance(4e-16));
    BOOST_TEST(tokens_from(x, false).r[0] == 1);
    const auto back = to_tokens(to_state(tokens), {1, 3});
    BOOST_TEST(back.r[0] == size, boost::test_tools::tolerance(1e-13));
  }
}
