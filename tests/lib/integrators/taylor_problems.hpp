/// Scalar equations with closed forms, each one expression for numbers and for recording.
#pragma once

#include "tests/lib/solve/tolerance_proportionality.hpp"

namespace attndyn::testing {

/// x' = f(x, t); f is called with Real and with Recorded.
template <class Real, class F> std::shared_ptr<const Model<Real>> scalar(F f, const Real& scale = Real(1)) {
  return std::make_shared<FunctionModel<Real>>(
      1, [f](const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) { dxdt[0] = f(x[0], t); }, scale,
      [f](const Vector<Recorded>& x, const Recorded& t) { return Vector<Recorded>{f(x[0], t)}; });
}

/// The states at 20 times up to `end`.
template <class Real, class F, class Exact>
Target<Real> scalar_target(const char* name, F f, int end, Exact exact) {
  Case<Real> c{scalar<Real>(f), {exact(Real(0))}, {}, {}};
  for (int k = 1; k <= 20; ++k) {
    c.times.push_back(Real(k * end) / 20);
    c.exact.push_back({exact(c.times.back())});
  }
  return {name, {c}};
}

template <class Real> std::vector<Target<Real>> scalar_targets() {
  using std::exp;
  using std::log;
  using std::sqrt;
  return {scalar_target<Real>(
              "x' = -x^3/2", [](const auto& x, const auto&) { return -x * x * x / 2; }, 20,
              [](const Real& t) -> Real { return 1 / sqrt(Real(1 + t)); }),
          scalar_target<Real>(
              "x' = -2 t x", [](const auto& x, const auto& t) { return -2 * t * x; }, 4,
              [](const Real& t) -> Real { return exp(Real(-t * t)); }),
          scalar_target<Real>(
              "x' = 1/(1+t)", [](const auto&, const auto& t) { return 1 / (1 + t); }, 100,
              [](const Real& t) -> Real { return log(Real(1 + t)); })};
}

} // namespace attndyn::testing
