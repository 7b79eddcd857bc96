/// The laws that schemes, attention and the particle flow obey, as checks that any test can run on its own
/// cases. A new scheme of the list is in `every_scheme` by itself.
///
/// check_* assert with Boost.Test; the others measure, and the test says how much is too much.
#pragma once

#include <boost/test/unit_test.hpp>

#include "lib/models/particles.hpp"
#include "lib/solve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>

namespace attndyn::testing {

/// Every scheme of the list; those with parameters come with values at which the parameters matter. tau =
/// 0.3, so that runs to t = 1 see both sides of Mix-LN.
inline std::vector<SchemeParams> every_scheme() {
  std::vector<SchemeParams> out;
  for (const auto& info : scheme_list()) {
    SchemeParams p;
    p.name = info.name;
    p.tau = "0.3";
    out.push_back(p);
    if (p.name == "ngpt") {
      p.alpha = "1.5";
      p.alpha_decay = "1/2";
      out.push_back(p);
    }
  }
  return out;
}

/// "ngpt with alpha(t) = 1.5 (1+t)^-1/2", for messages.
inline std::string label(const SchemeParams& p) {
  if (p.name == "mix") return "mix with tau = " + p.tau.text();
  if (p.name == "ngpt") return "ngpt with alpha(t) = " + p.alpha.text() + " (1+t)^-" + p.alpha_decay.text();
  return p.name;
}

inline const std::vector<Attention>& every_attention() {
  static const std::vector<Attention> all{Attention::softmax, Attention::unnormalised, Attention::causal,
                                          Attention::hardmax};
  return all;
}

// --- schemes

/// s > 0 for r from 1e-6 to 1e6.
template <class Real>
void check_speed_factor_is_positive(const AnyScheme<Real>& scheme, const std::string& name) {
  Real r = Real(1) / 1000000;
  for (int decade = -6; decade <= 6; ++decade, r *= 10)
    for (const char* t : {"0", "1e-9", "3", "1e6"})
      for (const char* radial : {"-0.3", "0", "0.3"}) {
        const TokenState<Real> k{parse_real<Real>(t), r, parse_real<Real>(radial), parse_real<Real>("0.3")};
        BOOST_TEST((regulation(scheme, k).speed_factor > 0), name << " at r = 1e" << decade << ", t = " << t);
      }
}

/// s(c A) = c^(1-degree) s(A) and rho(c A) = c^degree rho(A).
template <class Real> void check_degree(const AnyScheme<Real>& scheme, const std::string& name) {
  using std::abs;
  using std::pow;
  for (const char* factor : {"1e-8", "0.3", "7", "1e5"})
    for (const char* r : {"1e-3", "2"})
      for (const char* radial : {"-0.4", "0.25"}) {
        const Real c = parse_real<Real>(factor), a = parse_real<Real>(radial), norm = parse_real<Real>("0.5");
        const Real t = parse_real<Real>("0.7");
        const auto plain = regulation(scheme, {t, parse_real<Real>(r), a, norm});
        const auto scaled = regulation(scheme, {t, parse_real<Real>(r), Real(c * a), Real(c * norm)});
        const Real s = degree(scheme) == 1 ? plain.speed_factor : Real(c * plain.speed_factor);
        const Real rho = degree(scheme) == 1 ? Real(c * plain.radial_rate) : plain.radial_rate;
        const Real few = 8 * epsilon<Real>();
        BOOST_TEST((degree(scheme) == 0 || degree(scheme) == 1), name);
        BOOST_TEST((abs(scaled.speed_factor - s) <= few * s), name << ", c = " << factor);
        BOOST_TEST((abs(scaled.radial_rate - rho) <= few * abs(rho)), name << ", c = " << factor);
      }
}

// --- tokens

/// Independent uniform directions, and radii spread over [0.5, 2].
template <class Real> Tokens<Real> random_tokens(Shape shape, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.5, 2);
  Matrix<Real> x(shape.d, shape.n);
  for (Real& v : x.data) v = normal(generator);
  Tokens<Real> out = tokens_from(x, false);
  for (Real& r : out.r) r = uniform(generator);
  return out;
}

/// Random masses with sum 1, from 0.1/n to about 2/n.
template <class Real> Vector<Real> random_masses(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(0.1, 2);
  Vector<Real> m(n);
  Real sum = 0;
  for (Real& v : m) sum += v = uniform(generator);
  for (Real& v : m) v /= sum;
  return m;
}

/// An orthogonal d x d matrix: the product of d random reflections.
template <class Real> Matrix<Real> random_rotation(std::size_t d, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Matrix<Real> q(d, d);
  for (std::size_t i = 0; i < d; ++i) q(i, i) = 1;
  for (std::size_t k = 0; k < d; ++k) {
    Vector<Real> v(d);
    for (Real& x : v) x = normal(generator);
    const Real square = dot(v.data(), v.data(), d);
    for (std::size_t j = 0; j < d; ++j) {
      const Real twice = 2 * dot(v.data(), &q(0, j), d) / square;
      for (std::size_t i = 0; i < d; ++i) q(i, j) -= twice * v[i];
    }
  }
  return q;
}

template <class Real> Tokens<Real> rotated(const Matrix<Real>& q, const Tokens<Real>& tokens) {
  return {product(q, tokens.theta), tokens.r};
}

/// Tokens number order[0], order[1], ...; a number may occur twice.
template <class Real> Tokens<Real> chosen(const Tokens<Real>& tokens, const std::vector<std::size_t>& order) {
  Tokens<Real> out{Matrix<Real>(tokens.theta.rows, order.size()), {}};
  for (std::size_t j = 0; j < order.size(); ++j) {
    for (std::size_t i = 0; i < tokens.theta.rows; ++i) out.theta(i, j) = tokens.theta(i, order[j]);
    out.r.push_back(tokens.r[order[j]]);
  }
  return out;
}

/// Largest |theta_j - theta_j'| and largest |log(r_j/r_j')|.
template <class Real> double distance(const Tokens<Real>& a, const Tokens<Real>& b) {
  using std::abs;
  using std::log;
  using std::sqrt;
  BOOST_REQUIRE((a.shape() == b.shape()));
  Real worst = 0;
  for (std::size_t j = 0; j < a.theta.cols; ++j) {
    const Real chord = sqrt(2 * chord_gap(&a.theta(0, j), &b.theta(0, j), a.theta.rows)),
               ratio = abs(log(a.r[j] / b.r[j]));
    worst = std::max({worst, chord, ratio});
  }
  return plain_value(worst);
}

// --- the flow

/// The tokens at each of the times, which the run must reach.
template <class Real>
std::vector<Tokens<Real>> flow(const ParticleParams<Real>& p, const Tokens<Real>& start,
                               const Vector<Real>& times, const Real& tolerance) {
  const Particles<Real> model(p, start);
  Options<Real> options;
  options.tolerance = tolerance;
  const auto solution = solve<Real>(model, model.start(), Real(0), times, options);
  BOOST_REQUIRE_MESSAGE(solution.why == Stop::reached_end, label(p.scheme) << ", " << name_of(p.attention)
                                                                           << ": " << name_of(solution.why)
                                                                           << " " << solution.detail);
  std::vector<Tokens<Real>> out;
  for (const auto& sample : solution.samples) out.push_back(model.lift(sample.x));
  return out;
}
template <class Real>
Tokens<Real> flow(const ParticleParams<Real>& p, const Tokens<Real>& start, const Real& t,
                  const Real& tolerance) {
  return flow(p, start, Vector<Real>{t}, tolerance)[0];
}

/// Rotations commute with the flow (Q = K = V = I): distance of the rotated end from the end of the rotated
/// start.
template <class Real>
double rotation_defect(const ParticleParams<Real>& p, const Tokens<Real>& start, const Real& t,
                       const Real& tolerance) {
  const auto q = random_rotation<Real>(start.theta.rows, 77);
  return distance(rotated(q, flow(p, start, t, tolerance)), flow(p, rotated(q, start), t, tolerance));
}

/// So do permutations of tokens and masses together (not causal).
template <class Real>
double permutation_defect(const ParticleParams<Real>& p, const Tokens<Real>& start, const Real& t,
                          const Real& tolerance) {
  std::vector<std::size_t> order(start.theta.cols);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(78));
  ParticleParams<Real> permuted = p;
  for (std::size_t j = 0; j < p.masses.size(); ++j) permuted.masses[j] = p.masses[order[j]];
  return distance(chosen(flow(p, start, t, tolerance), order),
                  flow(permuted, chosen(start, order), t, tolerance));
}

/// Two tokens of half the mass at one point act as one (S13; not hardmax, and causal sees the order): n -> 2n
/// clones, each next to its original.
template <class Real>
double duplication_defect(const ParticleParams<Real>& p, const Tokens<Real>& start, const Real& t,
                          const Real& tolerance) {
  std::vector<std::size_t> twice;
  ParticleParams<Real> doubled = p;
  doubled.masses.clear();
  for (std::size_t j = 0; j < start.theta.cols; ++j) {
    twice.insert(twice.end(), {j, j});
    if (!p.masses.empty()) doubled.masses.insert(doubled.masses.end(), 2, p.masses[j] / 2);
  }
  return distance(chosen(flow(p, start, t, tolerance), twice),
                  flow(doubled, chosen(start, twice), t, tolerance));
}

/// (1/2) sum_jk m_j m_k e^{-beta |theta_j - theta_k|^2/2}, which is beta e^-beta times the energy of theory
/// section 2. theta: columns of a flat state. beta > 0.
inline double scaled_energy(const double* theta, Shape shape, const Vector<double>& masses, double beta) {
  double sum = 0;
  for (std::size_t j = 0; j < shape.n; ++j)
    for (std::size_t k = 0; k < shape.n; ++k)
      sum += masses[j] * masses[k] *
             std::exp(-beta * chord_gap(theta + j * shape.d, theta + k * shape.d, shape.d));
  return sum / 2;
}

/// min_j <theta_j, pole>.
inline double hemisphere_margin(const double* theta, Shape shape, const Vector<double>& pole) {
  double least = 1;
  for (std::size_t j = 0; j < shape.n; ++j)
    least = std::min(least, dot(theta + j * shape.d, pole.data(), shape.d));
  return least;
}

/// Largest fall of value(x) from one point of the path to the next, over every accepted step of the last run
/// and `between` points between neighbours; <= 0 means that it never falls.
template <class Value>
double largest_fall(const Particles<double>& model, double t, double tolerance, int between, Value value) {
  Options<double> options;
  options.tolerance = tolerance;
  Vector<double> steps;
  options.observer = [&](int, const double& at, const Vector<double>&) {
    if (at == 0)
      steps.clear(); // a new run
    else
      steps.push_back(at);
    return Flow::go;
  };
  const auto first = solve<double>(model, model.start(), 0.0, {t}, options);
  BOOST_REQUIRE_MESSAGE(first.why == Stop::reached_end, name_of(first.why) << " " << first.detail);
  // The same run again with outputs on the steps and between them.
  Vector<double> times;
  double last = 0;
  for (double s : steps) {
    for (int i = 1; i <= between; ++i) times.push_back(last + (s - last) * i / (between + 1));
    times.push_back(last = s);
  }
  options.observer = nullptr;
  const auto path = solve<double>(model, model.start(), 0.0, times, options);
  BOOST_REQUIRE_MESSAGE(path.why == Stop::reached_end, name_of(path.why) << " " << path.detail);
  double fall = -HUGE_VAL, before = value(model.start());
  for (const auto& sample : path.samples) {
    const double now = value(sample.x);
    fall = std::max(fall, before - now);
    before = now;
  }
  return fall;
}

} // namespace attndyn::testing
