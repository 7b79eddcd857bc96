// Energy, deficit and dissipation against plain sums at 60 digits, against differences in time, and at both
// ends of beta.
#define BOOST_TEST_MODULE energy
#include <boost/test/unit_test.hpp>

#include "analysis/energy.hpp"
#include "analysis/overlap.hpp"
#include "tests/analysis/tokens_for_tests.hpp"

#include <algorithm>
#include <limits>

using namespace attndyn;
using namespace attndyn::analysis;
using namespace attndyn::testing;
namespace tt = boost::test_tools;

BOOST_TEST_GLOBAL_FIXTURE(SixtyDigits);

namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();
constexpr std::pair<std::size_t, std::size_t> shapes[] = {{1, 1}, {1, 3}, {2, 2}, {3, 1}, {3, 5}, {33, 3}};
const char* const betas[] = {"-1000", "-300.5", "-20", "-0.1", "-1e-10", "1e-10",
                             "0.1",   "1",      "5",   "299",  "301",    "10000"};

/// (1/(2 beta)) sum_jk m_j m_k (shift + sign e^{beta c_jk}), as it is written.
Mpfr plain_sum(const Matrix<Mpfr>& c, const Vector<Mpfr>& m, const Mpfr& beta, const Mpfr& shift, int sign) {
  Mpfr sum = 0;
  for (std::size_t j = 0; j < m.size(); ++j)
    for (std::size_t k = 0; k < m.size(); ++k)
      sum += m[j] * m[k] * (shift + sign * exp(Mpfr(beta * c(j, k))));
  return sum / (2 * beta);
}

/// Relative error of measured e^{log_scale} and absolute error of log_magnitude (relative beyond 1), the
/// larger. A value that underflows counts as no error, its log_magnitude does not.
template <class Real> double error_of(const Scaled<Real>& measured, const Mpfr& truth) {
  const Mpfr scaled = truth * exp(Mpfr(-static_cast<Mpfr>(measured.log_scale)));
  double error = 0;
  if (abs(scaled) > Mpfr(1e-300)) error = relative_error(measured.value, scaled);
  const Mpfr log_error = abs(Mpfr(static_cast<Mpfr>(measured.log_magnitude) - log(abs(truth))));
  return std::max(error, plain_value(Mpfr(log_error / std::max(Mpfr(1), Mpfr(abs(log(abs(truth))))))));
}

template <class Real> ParticleParams<Real> params(const char* scheme, Attention attention, const char* beta) {
  ParticleParams<Real> p;
  p.scheme.name = scheme;
  p.attention = attention;
  p.beta = beta;
  return p;
}

template <class Real> Matrix<Real> directions(const Vector<Real>& state, Shape shape) {
  return to_tokens(state, shape).theta;
}

template <class Real> Vector<Real> radii(std::size_t n) {
  Vector<Real> r;
  for (std::size_t j = 0; j < n; ++j) r.push_back(1 + Real(static_cast<int>(j)) / 4);
  return r;
}

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_energy_is_the_plain_sum_for_every_beta, Real, Reals) {
  double worst = 0;
  for (const auto& [n, d] : shapes)
    for (const char* text : betas) {
      const auto theta = random_tokens<Real>(n, d, anywhere, 1);
      const auto masses = random_masses<Real>(n, 2);
      const Real beta = parse_real<Real>(text);
      const Mpfr exact_beta = static_cast<Mpfr>(beta);
      const auto measured = energy(theta, masses, beta);
      const double error =
          error_of(measured, plain_sum(exact_cosines(theta), exact(masses), exact_beta, Mpfr(0), 1));
      // beta times the rounding of a cosine is an error of the exponent.
      const double bound = (32 + 4 * std::abs(plain_value(beta))) * epsilon_of<Real>() + 1e-50;
      BOOST_TEST(error <= bound, "n = " << n << ", d = " << d << ", beta = " << text << ": error " << error);
      BOOST_TEST((measured.log_scale == (abs(beta) > 300 ? Real(abs(beta)) : Real(0))));
      worst = std::max(worst, error / bound);
    }
  BOOST_TEST_MESSAGE("worst error: " << worst << " of the bound");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_deficit_keeps_its_digits_near_the_maximum, Real, Reals) {
  double worst = 0;
  for (const auto& [n, d] : shapes)
    for (const char* text : betas)
      for (double size : {anywhere, 1e-3, 1e-7}) {
        if (n == 1 || d == 1) continue;
        const auto theta = random_tokens<Real>(n, d, size, 3);
        const auto masses = random_masses<Real>(n, 4);
        const Real beta = parse_real<Real>(text);
        const Mpfr exact_beta = static_cast<Mpfr>(beta);
        const auto measured = energy_deficit(theta, masses, beta);
        const double error = error_of(
            measured, plain_sum(exact_cosines(theta), exact(masses), exact_beta, exp(exact_beta), -1));
        const double gap = plain_value(one_minus_min_cosine(theta));
        // Below -300 the unit e^{|beta|} is not that of the deficit, and the exponent between them is
        // rounded.
        const double size_of_beta = std::abs(plain_value(beta)), unit = beta < -300 ? 4 * size_of_beta : 0;
        const double bound = (32 + 8 * size_of_beta * gap + unit) * epsilon_of<Real>() +
                             1e-54 / (gap * std::min(1.0, size_of_beta));
        BOOST_TEST(error <= bound, "n = " << n << ", d = " << d << ", beta = " << text << ", size = " << size
                                          << ": error " << error);
        worst = std::max(worst, error / bound);
      }
  BOOST_TEST_MESSAGE("worst error: " << worst << " of the bound");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(at_beta_zero_energy_and_deficit_are_half_the_squared_mean_and_half_the_variance,
                              Real, Reals) {
  for (const auto& [n, d] : shapes) {
    const auto theta = random_tokens<Real>(n, d, anywhere, 5);
    const auto masses = random_masses<Real>(n, 6);
    const Matrix<Mpfr> c = exact_cosines(theta);
    const Vector<Mpfr> m = exact(masses);
    Mpfr energy_truth = 0, deficit_truth = 0;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        energy_truth += m[j] * m[k] * c(j, k) / 2;
        deficit_truth += m[j] * m[k] * (1 - c(j, k)) / 2;
      }
    BOOST_TEST(relative_error(energy(theta, masses, Real(0)).value, energy_truth) < 64 * epsilon_of<Real>());
    const auto deficit = energy_deficit(theta, masses, Real(0));
    if (deficit_truth < 1e-50)
      BOOST_TEST(plain_value(deficit.value) < 64 * epsilon_of<Real>() * epsilon_of<Real>());
    else
      BOOST_TEST(relative_error(deficit.value, deficit_truth) < 64 * epsilon_of<Real>());
    // beta -> 0 of the deficit from both sides.
    for (int sign : {1, -1})
      BOOST_TEST(plain_value(Real(abs(energy_deficit(theta, masses, Real(sign * 1e-9)).value -
                                      deficit.value))) < 1e-8 * plain_value(deficit.value) + 1e-300);
  }
}

BOOST_AUTO_TEST_CASE(coincident_tokens_have_the_largest_energy_and_no_deficit) {
  Matrix<double> theta(3, 4);
  for (std::size_t j = 0; j < 4; ++j) theta(1, j) = 1;
  for (double beta : {-1000.0, -3.0, 0.5, 7.0, 1e4}) {
    const auto e = energy(theta, {}, beta);
    BOOST_TEST(e.log_magnitude == beta - std::log(2 * std::abs(beta)), tt::tolerance(1e-14));
    BOOST_TEST((beta > 0) == (e.value > 0));
    BOOST_TEST(energy_deficit(theta, {}, beta).value == 0);
    BOOST_TEST(energy_deficit(theta, {}, beta).log_magnitude == -anywhere);
  }
}

BOOST_AUTO_TEST_CASE(a_massless_token_and_empty_masses_change_nothing) {
  const auto three = random_tokens<double>(3, 3, anywhere, 8);
  Matrix<double> four(3, 4);
  std::copy(three.data.begin(), three.data.end(), four.data.begin());
  for (std::size_t k = 0; k < 3; ++k)
    four(k, 3) = -three(k, 0); // antipodal: the largest exponent for beta < 0
  const Vector<double> thirds(3, 1.0 / 3), masses = {1.0 / 3, 1.0 / 3, 1.0 / 3, 0};
  for (double beta : {-1e3, -5.0, 0.0, 5.0, 1e4}) {
    const auto check = [](const Scaled<double>& a, const Scaled<double>& b) {
      BOOST_TEST(a.value == b.value, tt::tolerance(1e-13));
      BOOST_TEST(a.log_magnitude == b.log_magnitude, tt::tolerance(1e-13));
    };
    check(energy(four, masses, beta), energy(three, thirds, beta));
    check(energy(three, {}, beta), energy(three, thirds, beta));
    check(energy_deficit(four, masses, beta), energy_deficit(three, thirds, beta));
    check(energy_deficit(three, {}, beta), energy_deficit(three, thirds, beta));
  }
}

// theory section 2: sum_i m_i s_i Z_i |theta_i'|^2, term by term as it is printed.
BOOST_AUTO_TEST_CASE_TEMPLATE(dissipation_is_the_printed_sum_for_every_scheme, Real, Reals) {
  double worst = 0;
  for (const SchemeInfo& scheme : scheme_list())
    for (Attention attention : {Attention::softmax, Attention::unnormalised})
      for (const char* beta_text : {"-40", "0", "2", "50"})
        for (const auto& [n, d] : shapes) {
          auto p = params<Real>(scheme.name, attention, beta_text);
          p.masses = random_masses<Real>(n, 9);
          const Particles<Real> model(p, {random_tokens<Real>(n, d, anywhere, 10), radii<Real>(n)});
          const Real t = Real(3) / 2, beta = model.beta();
          const Vector<Real>& x = model.start();
          const Shape shape = model.shape();
          Vector<Real> velocity(model.size());
          model.field(0, x, velocity, t);
          const Vector<Real> s = model.speed_factors(0, x, t);
          const Matrix<Mpfr> c = exact_cosines(directions(x, shape));
          Mpfr truth = 0;
          for (std::size_t i = 0; i < n; ++i) {
            Mpfr z = 0;
            for (std::size_t k = 0; k < n; ++k)
              z += static_cast<Mpfr>(model.masses()[k]) * exp(Mpfr(static_cast<Mpfr>(beta) * c(i, k)));
            if (attention == Attention::unnormalised) z = 1;
            const Real* v = velocity.data() + i * shape.d;
            truth += static_cast<Mpfr>(model.masses()[i]) * static_cast<Mpfr>(s[i]) * z *
                     static_cast<Mpfr>(dot(v, v, shape.d));
          }
          const auto measured = dissipation(model, 0, x, t);
          if (n == 1 || shape.d == 1) {
            // Nothing moves: one token, or tangent spaces of dimension zero.
            BOOST_TEST(plain_value(Real(abs(measured.value))) <= 1e-25);
            continue;
          }
          const double error = error_of(measured, truth);
          const double bound = (64 + 8 * std::abs(plain_value(beta))) * epsilon_of<Real>();
          BOOST_TEST(error <= bound, scheme.name << " " << name_of(attention) << " n = " << n
                                                 << " beta = " << beta_text << ": error " << error);
          worst = std::max(worst, error / bound);
        }
  BOOST_TEST_MESSAGE("worst error: " << worst << " of the bound");
}

// The energy itself, differenced in the clock of the model along the field: no formula for the rate enters.
BOOST_AUTO_TEST_CASE(dissipation_is_the_derivative_of_the_energy_in_the_models_clock) {
  for (const SchemeInfo& scheme : scheme_list())
    for (Attention attention : {Attention::softmax, Attention::unnormalised})
      for (const char* beta : {"-3", "0", "2", "400"}) {
        auto p = params<Mpfr>(scheme.name, attention, beta);
        p.masses = random_masses<Mpfr>(5, 11);
        if (attention == Attention::unnormalised) p.clock = TimeScale::scaled;
        const Particles<Mpfr> model(p, {random_tokens<Mpfr>(5, 3, 0.1, 12), radii<Mpfr>(5)});
        const Mpfr t = Mpfr(5) / 4;
        Vector<Mpfr> velocity(model.size()), ahead = model.start(), behind = ahead;
        model.field(0, model.start(), velocity, t);
        Mpfr largest = 0;
        for (std::size_t i = 0; i < 15; ++i) largest = std::max(largest, Mpfr(abs(velocity[i])));
        const Mpfr h =
            Mpfr("1e-20") / largest; // central differences: of 60 digits 40 stay, and the error is 1e-40
        for (std::size_t i = 0; i < velocity.size(); ++i) {
          ahead[i] += h * velocity[i];
          behind[i] -= h * velocity[i];
        }
        normalise_directions(ahead, model.shape());
        normalise_directions(behind, model.shape());
        const auto value = [&](const Vector<Mpfr>& x) {
          return energy(directions(x, model.shape()), model.masses(), model.beta()).value;
        };
        const Mpfr difference = (value(ahead) - value(behind)) / (2 * h);
        const auto measured = dissipation(model, 0, model.start(), t);
        BOOST_TEST(relative_error(measured.value, difference) < 1e-25,
                   scheme.name << " " << name_of(attention) << " beta = " << beta);
        BOOST_TEST((measured.log_scale == (std::string(beta) == "400" ? Mpfr(400) : Mpfr(0))));
      }
}

BOOST_AUTO_TEST_CASE(dissipation_survives_large_beta_in_double) {
  // Against 60 digits, where nothing overflows. USA needs the scaled clock where the scheme is of degree 1 in
  // A; the others would stand still in it. For beta < 0 the tokens are spread, else nothing moves by more
  // than e^{-2000}.
  for (const auto& [attention, beta] : {std::pair{Attention::unnormalised, "10000"},
                                        {Attention::unnormalised, "-1000"},
                                        {Attention::softmax, "10000"},
                                        {Attention::softmax, "-1000"}})
    for (const SchemeInfo& scheme : scheme_list()) {
      const auto theta = random_tokens<double>(6, 3, beta[0] == '-' ? anywhere : 1e-2, 13);
      const bool degree_zero = scheme.name == std::string("peri") || scheme.name == std::string("ngpt");
      auto p = params<double>(scheme.name, attention, beta);
      auto q = params<Mpfr>(scheme.name, attention, beta);
      if (attention == Attention::unnormalised && !degree_zero) p.clock = q.clock = TimeScale::scaled;
      Matrix<Mpfr> same(3, 6);
      for (std::size_t i = 0; i < 18; ++i) same.data[i] = theta.data[i];
      const Particles<double> model(p, {theta, radii<double>(6)});
      const Particles<Mpfr> truth(q, tokens_from(same, false));
      Vector<Mpfr> x = truth.start();
      for (std::size_t j = 0; j < 6; ++j) x[18 + j] = log(radii<Mpfr>(6)[j]);
      const auto measured = dissipation(model, 0, model.start(), 2.0);
      const auto exact = dissipation(truth, 0, x, Mpfr(2));
      BOOST_TEST(measured.log_magnitude == plain_value(exact.log_magnitude), tt::tolerance(1e-11));
      BOOST_TEST(std::isfinite(measured.value));
      if (exact.value > 1e-300) BOOST_TEST(measured.value == plain_value(exact.value), tt::tolerance(1e-10));
    }
}

BOOST_AUTO_TEST_CASE(causal_and_hardmax_have_no_dissipation) {
  for (Attention attention : {Attention::causal, Attention::hardmax}) {
    const Particles<double> model(params<double>("post", attention, "1"),
                                  {random_tokens<double>(3, 3, anywhere, 14), radii<double>(3)});
    BOOST_CHECK_EXCEPTION(dissipation(model, 0, model.start(), 0.0), std::invalid_argument,
                          [&](const auto& e) {
                            return std::string(e.what()).starts_with(
                                std::string("attention = ") + name_of(attention) + ": must be sa or usa");
                          });
  }
}

BOOST_AUTO_TEST_CASE(bad_shapes_are_refused) {
  const auto theta = random_tokens<double>(3, 2, anywhere, 15);
  BOOST_CHECK_THROW(energy(Matrix<double>{}, {}, 1.0), std::invalid_argument);
  BOOST_CHECK_THROW(energy(theta, {0.5, 0.5}, 1.0), std::invalid_argument);
  BOOST_CHECK_THROW(energy(theta, {0.5, 0.5}, 0.0), std::invalid_argument);
  BOOST_CHECK_THROW(energy_deficit(theta, {1.0}, 1.0), std::invalid_argument);
}
