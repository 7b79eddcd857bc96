// The discrete layer of every scheme against the last column of the table of theory section 2, written out;
// and its distance from the flow, which falls like h.
#define BOOST_TEST_MODULE particles_layers
#include <boost/test/unit_test.hpp>

#include "tests/support/laws.hpp"

using namespace attndyn;
using namespace attndyn::testing;

namespace {

using Vec = Vector<double>;

Vec plus(const Vec& a, double c, const Vec& b) {
  Vec out = a;
  for (std::size_t i = 0; i < a.size(); ++i) out[i] += c * b[i];
  return out;
}
double norm(const Vec& a) { return std::sqrt(dot(a.data(), a.data(), a.size())); }
Vec N(const Vec& a) { return plus(Vec(a.size(), 0), 1 / norm(a), a); }
Vec times(double c, const Vec& a) { return plus(Vec(a.size(), 0), c, a); }

/// Softmax or USA with Q = K = V = I and equal masses.
std::vector<Vec> attention(Attention kind, double beta, const std::vector<Vec>& theta) {
  std::vector<Vec> out;
  for (const Vec& x : theta) {
    Vec sum(x.size(), 0);
    double total = 0;
    for (const Vec& y : theta) {
      const double w = std::exp(beta * dot(x.data(), y.data(), x.size()));
      sum = plus(sum, w, y);
      total += w;
    }
    out.push_back(times(1 / (kind == Attention::softmax ? total : static_cast<double>(theta.size())), sum));
  }
  return out;
}

/// The last column of the table: x' from x = r theta, A = A(theta), at t = k h.
Vec layer(const SchemeParams& p, const Vec& x, const Vec& A, double t, double h) {
  const double r = norm(x), alpha_t = p.alpha.approx() * std::pow(1 + t, -p.alpha_decay.approx());
  const Vec theta = N(x);
  const std::string name = p.name == "mix" ? (t < p.tau.approx() ? "post" : "pre") : p.name;
  if (name == "post") return times(r, N(plus(theta, h, A)));
  if (name == "pre") return plus(x, h, A);
  if (name == "peri") return plus(x, h, N(A));
  if (name == "ngpt") return times(r, N(plus(theta, h * alpha_t, N(A))));
  if (name == "sqrt") return times(r, N(plus(theta, h / std::sqrt(t + 1), A)));
  if (name == "lns") return plus(x, h / std::sqrt(t + 1), A);
  BOOST_FAIL("write the layer of " << p.name << " into this test");
  return {};
}

ParticleParams<double> params(const SchemeParams& scheme, Attention kind, double beta) {
  ParticleParams<double> p;
  p.scheme = scheme;
  p.attention = kind;
  p.beta = Number(beta);
  return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_layer_is_the_formula_of_the_table) {
  for (const SchemeParams& scheme : every_scheme())
    for (Attention kind : {Attention::softmax, Attention::unnormalised})
      for (Shape shape : {Shape{1, 3}, Shape{2, 2}, Shape{8, 3}, Shape{3, 1}, Shape{33, 5}})
        for (double h : {1e-3, 0.1, 1.0})
          for (double t : {0.0, 0.2, 0.3, 2.0}) {
            const auto start = random_tokens<double>(shape, 81);
            const Particles<double> model(params(scheme, kind, 1.5), start);
            Vec x = model.start();
            BOOST_REQUIRE(model.layer(x, t, h));
            const auto got = model.lift(x);
            std::vector<Vec> theta;
            for (std::size_t j = 0; j < shape.n; ++j)
              theta.emplace_back(&start.theta(0, j), &start.theta(0, j) + shape.d);
            const auto A = attention(kind, 1.5, theta);
            for (std::size_t j = 0; j < shape.n; ++j) {
              const Vec expected = layer(scheme, times(start.r[j], theta[j]), A[j], t, h);
              const double difference = norm(
                  plus(times(got.r[j], Vec(&got.theta(0, j), &got.theta(0, j) + shape.d)), -1, expected));
              BOOST_TEST(difference <= 2e-14 * norm(expected),
                         label(scheme) << ", h = " << h << ", t = " << t << ": " << difference);
            }
          }
}

BOOST_AUTO_TEST_CASE(layers_approach_the_flow_like_h) {
  for (const SchemeParams& scheme : every_scheme()) {
    const auto start = random_tokens<double>({8, 3}, 82);
    const auto p = params(scheme, Attention::softmax, 2);
    const Particles<double> model(p, start);
    const auto flowed = flow<double>(p, start, 1.5, 1e-11);
    double before = 0;
    for (int layers : {150, 300, 600, 1200}) { // tau = 0.3 falls on a layer each time
      const double h = 1.5 / layers;
      Vec x = model.start();
      for (int k = 0; k < layers; ++k) BOOST_REQUIRE(model.layer(x, 1.5 * k / layers, h));
      const double gap = distance(model.lift(x), flowed);
      BOOST_TEST(gap < 3 * h, label(scheme) << ": " << gap);
      if (layers > 150) BOOST_TEST(before / gap == 2, boost::test_tools::tolerance(0.05));
      before = gap;
    }
  }
}

BOOST_AUTO_TEST_CASE(a_layer_that_makes_a_token_zero_says_so) {
  Head<double> minus;
  minus.V = Matrix<double>(1, 1);
  minus.V(0, 0) = -1;
  for (const char* name : {"post", "pre", "peri", "ngpt", "sqrt", "lns"}) {
    auto p = params({.name = name}, Attention::softmax, 1);
    p.weights = {{minus}};
    const Particles<double> model(p, Tokens<double>{Matrix<double>(1, 1), {1.0}});
    Vec x{1.0, 0.0};
    BOOST_TEST(!model.layer(x, 0.0, 1.0), name);
    x = {1.0, 0.0};
    BOOST_TEST(model.layer(x, 0.0, 0.5), name);
  }
}

// |A| = 0 under Peri-LN and nGPT: there is no N(A).
BOOST_AUTO_TEST_CASE(a_layer_without_attention_vector_says_so) {
  Tokens<double> start{Matrix<double>(1, 2), {1, 1}};
  start.theta(0, 0) = 1;
  start.theta(0, 1) = -1;
  for (const SchemeParams& scheme : every_scheme()) {
    const Particles<double> model(params(scheme, Attention::softmax, 0), start);
    Vec x = model.start();
    BOOST_TEST(model.layer(x, 0.0, 0.5) == (scheme.name != "peri" && scheme.name != "ngpt"), label(scheme));
  }
}
