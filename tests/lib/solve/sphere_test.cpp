// Standard S9: directions stay on the unit sphere to rounding, and what the retraction removes after a step
// of order p is O(h^(p+1)).
#define BOOST_TEST_MODULE sphere
#include <boost/test/unit_test.hpp>

#include "lib/models/particles.hpp"
#include "lib/solve.hpp"
#include "tests/lib/integrators/problems.hpp"

#include <cmath>
#include <string>
#include <tuple>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(60); }
};

/// The largest | |theta_j| - 1 | in epsilons, the sum of squares taken with 60 digits.
template <class Real> double off_sphere(const Vector<Real>& x, Shape shape) {
  Mpfr worst = 0;
  for (std::size_t j = 0; j < shape.n; ++j) {
    Mpfr sum = 0;
    for (std::size_t i = 0; i < shape.d; ++i) {
      const Mpfr component(x[j * shape.d + i]);
      sum += component * component;
    }
    const Mpfr off = abs(Mpfr(sqrt(sum) - 1));
    if (!(off <= worst)) worst = off;
  }
  return plain_value(Mpfr(worst / Mpfr(epsilon<Real>())));
}

template <class Real> Tokens<Real> scattered(std::size_t n, std::size_t d) {
  Matrix<Real> x(d, n);
  for (std::size_t k = 0; k < n * d; ++k) x.data[k] = static_cast<int>((k * k * 37 + 11 * k + 5) % 41) - 20;
  return tokens_from(x, false);
}

template <class Real> ParticleParams<Real> params(const char* scheme) {
  ParticleParams<Real> p;
  p.scheme.name = scheme;
  p.beta = 3;
  return p;
}

} // namespace

BOOST_TEST_GLOBAL_FIXTURE(Precision);

using Reals = std::tuple<double, Float128>;
BOOST_AUTO_TEST_CASE_TEMPLATE(directions_are_unit_to_two_ulp_after_every_accepted_step, Real, Reals) {
  for (const char* stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "rk4", "euler", "taylor"})
    for (const auto& [n, d] : {std::pair{5u, 3u}, {3u, 17u}, {16u, 2u}, {4u, 1u}}) {
      ParticleParams<Real> p = params<Real>("peri");
      p.reduce_span = false;
      const Particles<Real> model(p, scattered<Real>(n, d));
      double worst = 0;
      std::size_t looked = 0;
      Options<Real> options;
      options.stepper = stepper;
      options.tolerance = Real(1) / 1000000000;
      options.control_global_error = false;
      if (has_fixed_step(stepper)) options.step = Real(1) / 32;
      options.observer = [&](int, const Real&, const Vector<Real>& x) {
        worst = std::max(worst, off_sphere(x, model.shape()));
        ++looked;
        return Flow::go;
      };
      const auto s = solve<Real>(model, model.start(), Real(0), {Real(1) / 3, Real(2), Real(3)}, options);
      BOOST_TEST((s.why == Stop::reached_end));
      BOOST_TEST(looked == s.stats.accepted + 1);
      for (const auto& sample : s.samples) worst = std::max(worst, off_sphere(sample.x, model.shape()));
      BOOST_TEST_MESSAGE(stepper << ", n = " << n << ", d = " << d << ": " << worst
                                 << " epsilons off; retracted from " << s.stats.largest_retraction);
      BOOST_TEST(worst <= 2);
    }
}

BOOST_AUTO_TEST_CASE(the_defect_before_retraction_is_one_order_smaller_than_the_steps) {
  for (const char* name : {"euler", "rk4", "dopri5", "fehlberg78", "dop853"})
    for (const char* scheme : {"post", "peri"}) {
      const auto model = four_tokens<Mpfr>(scheme);
      const System<Mpfr> f = [&](const Vector<Mpfr>& x, Vector<Mpfr>& dxdt, const Mpfr& t) {
        model->field(0, x, dxdt, t);
      };
      double last = 0, slope = 0;
      for (const int steps : {64, 128, 256}) {
        const auto stepper = make_stepper<Mpfr>(name, {Mpfr("1e100"), Mpfr(0)}); // accepts everything
        Step<Mpfr> s{Mpfr(0), Mpfr(1) / (2 * steps),      model->start(), Vector<Mpfr>(model->size()),
                     {},      Vector<Mpfr>(model->size())};
        double defect = 0;
        for (int k = 0; k < steps; ++k) {
          f(s.x, s.dxdt, s.t);
          BOOST_TEST_REQUIRE(stepper->attempt(f, s).accepted);
          defect = std::max(defect, model->retract(s.x_new));
          std::swap(s.x, s.x_new);
          s.t += s.step;
        }
        slope = std::log2(last / defect);
        last = defect;
      }
      BOOST_TEST_MESSAGE(name << ", " << scheme << ": defect " << last << ", slope " << slope);
      BOOST_TEST(slope > stepper_order(name) + 1 - 0.15);
    }
}

// With V = -I the field repels from the sphere: without retraction the norms drift away (theory: section 6,
// hazard 3).
BOOST_AUTO_TEST_CASE(repulsive_values_leave_the_tokens_on_the_sphere_to_1e_minus_14) {
  for (const char* scheme : {"post", "ngpt", "sqrt"})
    for (const char* stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "taylor"}) {
      ParticleParams<double> p = params<double>(scheme);
      Matrix<double> minus(3, 3);
      for (std::size_t i = 0; i < 3; ++i) minus(i, i) = -1;
      p.weights = {{Head<double>{{}, {}, minus, {}}}};
      const Particles<double> model(p, scattered<double>(6, 3));
      double worst = 0;
      Options<double> options;
      options.stepper = stepper;
      options.observer = [&](int, const double&, const Vector<double>& x) {
        worst = std::max(worst, off_sphere(x, model.shape()));
        return Flow::go;
      };
      const auto s = solve<double>(model, model.start(), 0.0, {1, 5, 10, 20}, options);
      BOOST_TEST((s.why == Stop::reached_end), scheme << " " << stepper << ": " << s.detail);
      for (const auto& sample : s.samples) worst = std::max(worst, off_sphere(sample.x, model.shape()));
      BOOST_TEST(worst * epsilon<double>() < 1e-14);
      BOOST_TEST_MESSAGE(scheme << ", " << stepper << ": off the sphere by " << worst * epsilon<double>()
                                << " at most, retracted from " << s.stats.largest_retraction);
    }
}

namespace {

/// The same field without the retraction.
class Unretracted final : public Model<double> {
public:
  explicit Unretracted(const Particles<double>& model) : model_(model) {}
  std::size_t size() const override { return model_.size(); }
  void field(std::size_t piece, const Vector<double>& x, Vector<double>& dxdt,
             const double& t) const override {
    model_.field(piece, x, dxdt, t);
  }

private:
  const Particles<double>& model_;
};

} // namespace

// What it takes to see the retraction's work: the bound of the test above is a hundredth of this drift.
BOOST_AUTO_TEST_CASE(without_retraction_the_norms_drift) {
  const Particles<double> model(params<double>("post"), scattered<double>(6, 3));
  Options<double> options;
  options.control_global_error = false;
  options.tolerance = 1e-6;
  const auto s = solve<double>(Unretracted(model), model.start(), 0.0, {20}, options);
  BOOST_TEST(off_sphere(s.x, model.shape()) * epsilon<double>() > 1e-12);
}
