/// The four problems on which the standards measure one-step methods, and fixed-step runs of Odeint steppers
/// on them: autonomous and nonlinear, non-autonomous, a pure quadrature, and a real model.
#pragma once

#include "lib/integrators/dop853.hpp"
#include "lib/integrators/stepper.hpp"
#include "lib/models/particles.hpp"
#include "lib/real/odeint.hpp"

#include <functional>
#include <memory>
#include <string>

namespace attndyn::testing {

template <class Real> struct Problem {
  std::string name;
  System<Real> f;
  Real t0;
  Vector<Real> x0;
  std::function<Vector<Real>(const Real& t)> exact;
};

/// x' = -x^3/2, x(0) = 1: x = (1+t)^(-1/2).
template <class Real> Problem<Real> cubic() {
  using std::sqrt;
  return {"x' = -x^3/2",
          [](const Vector<Real>& x, Vector<Real>& dxdt, const Real&) { dxdt[0] = -x[0] * x[0] * x[0] / 2; },
          Real(0),
          {Real(1)},
          [](const Real& t) { return Vector<Real>{1 / Real(sqrt(Real(1 + t)))}; }};
}

/// x' = x cos t, x(0) = 1: x = e^{sin t}.
template <class Real> Problem<Real> modulated() {
  using std::cos;
  using std::exp;
  using std::sin;
  return {"x' = x cos t",
          [](const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) { dxdt[0] = x[0] * cos(t); },
          Real(0),
          {Real(1)},
          [](const Real& t) { return Vector<Real>{exp(Real(sin(t)))}; }};
}

/// x' = cos t, x(t0) = sin t0.
template <class Real> Problem<Real> quadrature() {
  using std::cos;
  using std::sin;
  return {"x' = cos t",
          [](const Vector<Real>&, Vector<Real>& dxdt, const Real& t) { dxdt[0] = cos(t); },
          Real(1) / 3,
          {Real(sin(Real(Real(1) / 3)))},
          [](const Real& t) { return Vector<Real>{sin(t)}; }};
}

/// Four tokens on S^2, beta = 2. Under Pre-LN every part of the state moves, the radii too.
template <class Real> std::shared_ptr<Particles<Real>> four_tokens(const char* scheme = "pre") {
  ParticleParams<Real> p;
  p.scheme.name = scheme;
  p.beta = 2;
  Matrix<Real> x(3, 4);
  const int entries[] = {10, 0, 3, 1, 10, -2, -3, 2, 10, 7, 6, -5};
  for (std::size_t i = 0; i < 12; ++i) x.data[i] = entries[i];
  return std::make_shared<Particles<Real>>(p, tokens_from(x, false));
}

/// Without an exact solution: `four_tokens` is compared with a reference that the user computes.
template <class Real> Problem<Real> tokens() {
  const auto model = four_tokens<Real>();
  return {"4 tokens on S^2",
          [model](const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) { model->field(0, x, dxdt, t); },
          Real(0),
          model->start(),
          {}};
}

template <class Real> Real largest_difference(const Vector<Real>& a, const Vector<Real>& b) {
  using std::abs;
  Real worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(abs(Real(a[i] - b[i])) <= worst)) worst = abs(Real(a[i] - b[i])); // takes NaN, too
  return worst;
}

enum class Placement { in_place, out_of_place };

/// The state after `steps` steps of size `step`, t = t0 + k step exactly (step is a power of two).
template <class Method, class Real>
Vector<Real> run(Method method, const Problem<Real>& p, const Real& step, int steps, Placement placement) {
  Vector<Real> x = p.x0, out(x.size());
  for (int k = 0; k < steps; ++k) {
    const Real t = p.t0 + k * step;
    if (placement == Placement::in_place) {
      method.do_step(std::cref(p.f), x, t, step);
    } else {
      method.do_step(std::cref(p.f), x, t, out, step);
      std::swap(x, out);
    }
  }
  return x;
}

template <class Real> using Euler = boost::numeric::odeint::euler<Vector<Real>, Real, Vector<Real>, Real>;
template <class Real>
using RungeKutta4 = boost::numeric::odeint::runge_kutta4<Vector<Real>, Real, Vector<Real>, Real>;
template <class Real>
using Dopri5 = boost::numeric::odeint::runge_kutta_dopri5<Vector<Real>, Real, Vector<Real>, Real>;
template <class Real>
using Fehlberg78 = boost::numeric::odeint::runge_kutta_fehlberg78<Vector<Real>, Real, Vector<Real>, Real>;
template <class Real> using DormandPrince853 = Dop853<Vector<Real>, Real>;

} // namespace attndyn::testing
