// What only goes one way along the particle flow: the energy (standard S10), its rate (S11), the margin of a
// hemisphere.
#define BOOST_TEST_MODULE particles_energy
#include <boost/test/unit_test.hpp>

#include "tests/support/laws.hpp"

#include <boost/math/quadrature/gauss.hpp>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

constexpr Shape shapes[] = {{2, 2}, {3, 5}, {8, 3}, {33, 2}};

ParticleParams<double> params(const SchemeParams& scheme, Attention attention, double beta, std::size_t n) {
  ParticleParams<double> p;
  p.scheme = scheme;
  p.attention = attention;
  p.beta = Number(beta);
  p.masses = random_masses<double>(n, 41);
  return p;
}

} // namespace

// S10: E_{k+1} >= E_k - 8 eps |E| sqrt(n), at every accepted step and at four points between neighbours.
BOOST_AUTO_TEST_CASE(the_energy_never_falls) {
  double worst = -HUGE_VAL;
  for (const SchemeParams& scheme : every_scheme())
    for (Attention kind : {Attention::softmax, Attention::unnormalised})
      for (Shape shape : shapes)
        for (double beta : {0.5, 3.0}) {
          const auto p = params(scheme, kind, beta, shape.n);
          const Particles<double> model(p, random_tokens<double>(shape, 42));
          const Shape working = model.shape();
          double largest = 0;
          const double fall = largest_fall(model, 2, 1e-12, 4, [&](const Vector<double>& x) {
            const double e = scaled_energy(x.data(), working, model.masses(), beta);
            largest = std::max(largest, e);
            return e;
          });
          const double unit = epsilon<double>() * largest * std::sqrt(static_cast<double>(shape.n));
          BOOST_TEST(fall <= 8 * unit, label(scheme) << ", " << name_of(kind) << ", n = " << shape.n
                                                     << ", beta = " << beta << ": " << fall / unit);
          worst = std::max(worst, fall / unit);
        }
  BOOST_TEST_MESSAGE("largest fall of the energy: " << worst << " eps |E| sqrt(n)");
}

// It would, were attention causal. Token 2 leaves a crowd that comes later in the order, and so does not hold
// it, for token 1.
BOOST_AUTO_TEST_CASE(the_energy_can_fall_under_causal_attention) {
  Matrix<double> x(2, 8);
  for (std::size_t j = 0; j < 8; ++j) {
    const double angle = j == 0 ? 0 : j == 1 ? 1.5 : 3 + 0.01 * static_cast<double>(j);
    x(0, j) = std::cos(angle);
    x(1, j) = std::sin(angle);
  }
  ParticleParams<double> p;
  p.attention = Attention::causal;
  const Particles<double> model(p, tokens_from(x, false));
  BOOST_TEST(largest_fall(model, 1, 1e-12, 4, [&](const Vector<double>& state) {
               return scaled_energy(state.data(), {8, 2}, model.masses(), 1);
             }) > 1e-6);
}

// S11: E(T) - E(0) = int_0^T sum_i m_i s_i Z_i |theta_i'|^2 dt, Z_i = sum_k m_k e^{beta <theta_i, theta_k>}
// for SA and 1 for USA; the integral by Gauss-Legendre rules on panels that end at the switch of Mix-LN.
BOOST_AUTO_TEST_CASE(the_energy_grows_at_the_rate_of_the_dissipation_identity) {
  const double tolerance = 1e-12;
  double worst = 0;
  for (const SchemeParams& scheme : every_scheme())
    for (Attention kind : {Attention::softmax, Attention::unnormalised})
      for (Shape shape : shapes) {
        const double beta = 1.5;
        const auto p = params(scheme, kind, beta, shape.n);
        const Particles<double> model(p, random_tokens<double>(shape, 43));
        const std::size_t n = shape.n, d = model.shape().d;
        using Gauss = boost::math::quadrature::gauss<double, 15>;
        Vector<double> times, weights;
        const double half = 0.05; // panels [0, 0.1], [0.1, 0.2], ... meet tau = 0.3
        for (int panel = 0; panel < 10; ++panel) {
          const double middle = (2 * panel + 1) * half;
          for (int side : {-1, 1})
            for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i) {
              if (side < 0 && Gauss::abscissa()[i] == 0) continue;
              times.push_back(middle + side * half * Gauss::abscissa()[i]);
              weights.push_back(half * Gauss::weights()[i]);
            }
        }
        std::vector<std::size_t> order(times.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return times[a] < times[b]; });
        Vector<double> sorted;
        for (std::size_t i : order) sorted.push_back(times[i]);
        sorted.push_back(20 * half);

        Options<double> options;
        options.tolerance = tolerance;
        const auto path = solve<double>(model, model.start(), 0.0, sorted, options);
        BOOST_REQUIRE(path.why == Stop::reached_end);
        double integral = 0;
        Vector<double> dxdt(model.size());
        for (std::size_t q = 0; q < order.size(); ++q) {
          const auto& sample = path.samples[q];
          model.field(sample.piece, sample.x, dxdt, sample.t);
          const auto s = model.speed_factors(sample.piece, sample.x, sample.t);
          double rate = 0;
          for (std::size_t i = 0; i < n; ++i) {
            double z = 0;
            for (std::size_t k = 0; k < n; ++k)
              z += model.masses()[k] * std::exp(beta * dot(&sample.x[i * d], &sample.x[k * d], d));
            rate += model.masses()[i] * s[i] * (kind == Attention::softmax ? z : 1) *
                    dot(&dxdt[i * d], &dxdt[i * d], d);
          }
          integral += weights[order[q]] * rate;
        }
        const double unit = std::exp(beta) / beta; // the energy from the scaled one
        const double gain =
            unit * (scaled_energy(path.samples.back().x.data(), model.shape(), model.masses(), beta) -
                    scaled_energy(model.start().data(), model.shape(), model.masses(), beta));
        BOOST_TEST(std::abs(gain - integral) <= 50 * tolerance, label(scheme)
                                                                    << ", " << name_of(kind) << ", n = " << n
                                                                    << ": " << gain << " and " << integral);
        BOOST_TEST(gain > 1e-3);
        worst = std::max(worst, std::abs(gain - integral) / tolerance);
      }
  BOOST_TEST_MESSAGE("dissipation identity: largest defect " << worst << " tolerances");
}

// Tokens in an open hemisphere, any Q and K, every attention: min_j <theta_j, pole> does not fall.
BOOST_AUTO_TEST_CASE(the_margin_of_a_hemisphere_never_falls) {
  double worst = -HUGE_VAL;
  for (const SchemeParams& scheme : every_scheme())
    for (Attention kind : every_attention())
      for (Shape shape : shapes) {
        if (kind == Attention::hardmax && shape.n > 2) continue; // jumps of the arg max
        const auto pole = random_tokens<double>({1, shape.d}, 44).theta.data;
        auto start = random_tokens<double>(shape, 45);
        for (std::size_t j = 0; j < shape.n; ++j)
          if (dot(&start.theta(0, j), pole.data(), shape.d) < 0)
            for (std::size_t i = 0; i < shape.d; ++i) start.theta(i, j) *= -1;
        auto p = params(scheme, kind, 2, shape.n);
        p.reduce_span = false;
        p.weights = {{{random_rotation<double>(shape.d, 46), random_rotation<double>(shape.d, 47), {}, {}}}};
        const double fall =
            largest_fall(Particles<double>(p, start), 2, 1e-12, 4,
                         [&](const Vector<double>& x) { return hemisphere_margin(x.data(), shape, pole); });
        BOOST_TEST(fall <= 8 * epsilon<double>(), label(scheme)
                                                      << ", " << name_of(kind) << ", n = " << shape.n
                                                      << ", d = " << shape.d << ": " << fall);
        worst = std::max(worst, fall);
      }
  BOOST_TEST_MESSAGE("largest fall of the margin: " << worst / epsilon<double>() << " eps");
}
