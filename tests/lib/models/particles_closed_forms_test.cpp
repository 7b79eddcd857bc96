// The particle flow against the closed forms of theory section 4 (standard S12), in double and in Float128.
#define BOOST_TEST_MODULE particles_closed_forms
#include <boost/test/unit_test.hpp>

#include "tests/support/laws.hpp"
#include "tests/support/reference.hpp"

using namespace attndyn;
using namespace attndyn::testing;

namespace {

using Reals = std::tuple<double, Float128>;

/// Tolerance of the runs: three digits short of the number type; the closed forms are met to D - 5 digits.
template <class Real> Real tolerance() {
  return parse_real<Real>(std::is_same_v<Real, double> ? "1e-12" : "1e-29");
}
template <class Real> double digits() { return std::is_same_v<Real, double> ? 1e-11 : 1e-28; }

template <class Real>
ParticleParams<Real> params(const char* scheme, const Number& beta,
                            Attention attention = Attention::softmax) {
  ParticleParams<Real> p;
  p.scheme.name = scheme;
  p.beta = beta;
  p.attention = attention;
  return p;
}

/// theta_j = e_j in R^n.
template <class Real> Tokens<Real> orthonormal(std::size_t n, const Real& r) {
  Tokens<Real> out{Matrix<Real>(n, n), Vector<Real>(n, r)};
  for (std::size_t i = 0; i < n; ++i) out.theta(i, i) = 1;
  return out;
}

/// Two tokens with cosine c.
template <class Real> Tokens<Real> pair(const Real& c) {
  using std::sqrt;
  Tokens<Real> out{Matrix<Real>(2, 2), Vector<Real>(2, Real(1))};
  out.theta(0, 0) = 1;
  out.theta(0, 1) = c;
  out.theta(1, 1) = sqrt(1 - c * c);
  return out;
}

template <class Real> Real gap(const Tokens<Real>& tokens, std::size_t i, std::size_t j) {
  return chord_gap(&tokens.theta(0, i), &tokens.theta(0, j), tokens.theta.rows);
}

/// Largest relative error of 1 - <theta_i, theta_j> over all pairs.
template <class Real> double worst_gap_error(const Tokens<Real>& tokens, const Real& expected) {
  using std::abs;
  double worst = 0;
  for (std::size_t i = 0; i < tokens.theta.cols; ++i)
    for (std::size_t j = 0; j < i; ++j)
      worst = std::max(worst, plain_value(Real(abs(gap(tokens, i, j) / expected - 1))));
  return worst;
}

template <class Real> double relative(const Real& a, const Real& b) {
  using std::abs;
  return plain_value(Real(abs(a / b - 1)));
}

} // namespace

// beta = 0, orthonormal start: Post g = (1 - e^-2t)/(1 + (n-1) e^-2t); Peri r^2 = r0^2 (n-1)/n + (t + r0/sqrt
// n)^2 and g = 1 - r0^2/r^2; nGPT |mean| = tanh(alpha t + artanh(1/sqrt n)), g = (n |mean|^2 - 1)/(n-1); Pre
// r^2 (1-g) = r0^2.
BOOST_AUTO_TEST_CASE_TEMPLATE(at_beta_zero_the_orthonormal_start_has_closed_forms, Real, Reals) {
  using std::atanh;
  using std::exp;
  using std::sqrt;
  using std::tanh;
  for (int n : {2, 3, 8, 33}) {
    if (!std::is_same_v<Real, double> && n > 8) continue;
    const Real r0 = Real(3) / 2, t = Real(6) / 5;
    const auto start = orthonormal<Real>(static_cast<std::size_t>(n), r0);
    const auto reached = [&](const char* scheme) {
      auto p = params<Real>(scheme, 0);
      p.scheme.alpha = "1.25";
      return flow<Real>(p, start, t, tolerance<Real>());
    };
    const Real e = exp(Real(-2 * t));
    BOOST_TEST(worst_gap_error(reached("post"), Real(n * e / (1 + (n - 1) * e))) <= digits<Real>());

    const auto peri = reached("peri");
    const Real shifted = t + r0 / sqrt(Real(n)), square = r0 * r0 * (n - 1) / n + shifted * shifted;
    BOOST_TEST(relative(peri.r[0], sqrt(square)) <= digits<Real>());
    BOOST_TEST(worst_gap_error(peri, Real(r0 * r0 / square)) <= digits<Real>());

    const Real mean = tanh(Real(5 * t / 4 + atanh(Real(1 / sqrt(Real(n))))));
    BOOST_TEST(worst_gap_error(reached("ngpt"), Real(n * (1 - mean * mean) / (n - 1))) <= digits<Real>());

    const auto pre = reached("pre");
    BOOST_TEST(worst_gap_error(pre, Real(r0 * r0 / (pre.r[0] * pre.r[0]))) <= digits<Real>());
  }
}

// A pair keeps its plane and is one equation for its cosine. Values by mpmath quadrature and Newton
// (tests/reference/constants.csv); those of hardmax and of a massless token are tanh(2t + artanh c0), tanh(t
// + artanh c0).
BOOST_AUTO_TEST_CASE_TEMPLATE(pairs_with_and_without_masses_follow_their_quadratures, Real, Reals) {
  int count = 0;
  for (const auto& row : reference_rows("constants.csv")) {
    const std::string& quantity = row.at("quantity");
    if (!quantity.starts_with("pair_")) continue;
    const bool one_minus = quantity.starts_with("pair_one_minus_cosine_");
    auto p = params<Real>("post", row.at("beta"), parse_attention(quantity.substr(quantity.rfind('_') + 1)));
    p.masses = {parse_real<Real>(row.at("mass1")), parse_real<Real>(row.at("mass2"))};
    const auto end =
        flow<Real>(p, pair(parse_real<Real>(row.at("g0"))), parse_real<Real>(row.at("t")), tolerance<Real>());
    const Real expected = parse_real<Real>(row.at("value")),
               got = one_minus ? gap(end, 0, 1) : Real(1 - gap(end, 0, 1));
    BOOST_TEST(relative(got, expected) <= digits<Real>(),
               quantity << " beta " << row.at("beta") << " masses " << row.at("mass1") << " "
                        << row.at("mass2") << ": " << relative(got, expected));
    ++count;
  }
  BOOST_TEST(count == 20);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_hardmax_pair_and_a_massless_token_follow_tanh, Real, Reals) {
  using std::atanh;
  using std::tanh;
  for (const char* cosine : {"-0.9", "0", "0.6"}) {
    const Real c0 = parse_real<Real>(cosine), t = Real(4) / 5;
    const auto hardmax =
        flow<Real>(params<Real>("post", 3, Attention::hardmax), pair(c0), t, tolerance<Real>());
    BOOST_TEST(relative(Real(1 - gap(hardmax, 0, 1)), Real(tanh(Real(2 * t + atanh(c0))))) <= digits<Real>());
    // The massless token sees a unit mass alone, whatever beta; the mass sees itself alone and stays.
    auto p = params<Real>("post", 2);
    p.masses = {Real(0), Real(1)};
    const auto start = pair(c0), end = flow<Real>(p, start, t, tolerance<Real>());
    BOOST_TEST(relative(Real(1 - gap(end, 0, 1)), Real(tanh(Real(t + atanh(c0))))) <= digits<Real>());
    BOOST_TEST(plain_value(chord_gap(&end.theta(0, 1), &start.theta(0, 1), 2)) <=
               plain_value(epsilon<Real>()));
  }
}

// One token and a matrix V under Post-LN: theta(t) = e^{tV} theta_0 / |e^{tV} theta_0|, e^{tV} from its power
// series.
BOOST_AUTO_TEST_CASE_TEMPLATE(one_token_follows_the_exponential_of_v, Real, Reals) {
  using std::abs;
  using std::sqrt;
  const std::size_t d = 4;
  const Real t = Real(3) / 2;
  std::mt19937 generator(51);
  std::normal_distribution<double> normal(0, 0.6);
  Head<Real> head;
  head.V = Matrix<Real>(d, d);
  for (Real& v : head.V.data) v = normal(generator);
  auto p = params<Real>("post", 1);
  p.weights = {{head}};
  const auto start = random_tokens<Real>({1, d}, 52);
  const auto end = flow<Real>(p, start, t, tolerance<Real>());
  Vector<Real> term = start.theta.data, sum = term;
  for (int k = 1; k <= 120; ++k) {
    Vector<Real> next(d, Real(0));
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i < d; ++i) next[i] += t / k * head.V(i, j) * term[j];
    term = next;
    for (std::size_t i = 0; i < d; ++i) sum[i] += term[i];
  }
  const Real length = sqrt(dot(sum.data(), sum.data(), d));
  for (std::size_t i = 0; i < d; ++i)
    BOOST_TEST(plain_value(Real(abs(end.theta(i, 0) - sum[i] / length))) <= digits<Real>());
}

// One token, V = I: it stays, and its radius grows by t under Pre-LN and Peri-LN, by 2 (sqrt(t+1) - 1) under
// LayerNorm scaling.
BOOST_AUTO_TEST_CASE_TEMPLATE(one_token_alone_grows_and_stays, Real, Reals) {
  using std::sqrt;
  const Real t = 3;
  const auto start = random_tokens<Real>({1, 3}, 53);
  for (const auto& [scheme, growth] :
       {std::pair{"pre", t}, {"peri", t}, {"lns", Real(2 * (sqrt(Real(t + 1)) - 1))}, {"post", Real(0)}}) {
    auto expected = start;
    expected.r[0] += growth;
    BOOST_TEST(distance(flow<Real>(params<Real>(scheme, 5), start, t, tolerance<Real>()), expected) <=
                   digits<Real>(),
               scheme);
  }
}
