#include "verification/convergence_bound.hpp"

#include "lib/models/separable.hpp"

#include <boost/math/tools/toms748_solve.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attndyn::verification {

ConvergenceBound convergence_bound(int n, double beta, double factor) {
  const double e = std::exp(beta / 2), sum = n + e;
  return {std::log(factor) + n * (n * e * e) / (2 * sum), n / sum};
}

EquiangularParams orthogonal_params(int n, const Number& beta) {
  EquiangularParams p;
  p.n = n;
  p.beta = beta;
  return p;
}

WorstMargin worst_by_run(const EquiangularCase& c, const EquiangularParams& p, double factor) {
  const double beta = p.beta.approx();
  const ConvergenceBound b = convergence_bound(p.n, beta, factor);
  const auto slope = [&](const Vector<double>& x, double t) {
    Vector<double> dxdt(2);
    c.model->field(0, x, dxdt, t);
    return -dxdt[0] - b.rate;
  };
  const Vector<double> start = c.equiangular->start();
  Vector<double> x = start;
  double t = 0;
  Options<double> options;
  options.tolerance = default_tolerance;
  options.max_steps = 200'000;
  if (slope(start, 0) < 0) {
    options.events.push_back({"M' = 0", slope, Event<double>::Direction::rising, true});
    const auto s = solve<double>(*c.model, start, 0.0, {std::exp(beta) + p.n}, options);
    if (!s.ended_as_asked() || s.events.empty())
      throw std::runtime_error(c.where + ": the least margin was not found: " + s.detail);
    x = s.events[0].x;
    t = s.events[0].t;
  }
  // At the minimum an error of t does not enter; the bound itself has the rounding of its exponent.
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * (1 + b.log_start + b.rate * t);
  return {t, b.log_at(t) - x[0], 10 * options.tolerance + rounding};
}

WorstMargin worst_by_clock(int n, double beta, double factor) {
  const ConvergenceBound b = convergence_bound(n, beta, factor);
  const auto slope = [&](double u) { // F(1-u) - c
    return 2 * (n - (n - 1) * u) / (std::exp(beta * u) + n - 1) - b.rate;
  };
  if (slope(1) >= 0) return {0, b.log_start, 1e-15 * (1 + b.log_start)};
  std::uintmax_t iterations = 200;
  const auto [low, high] = boost::math::tools::toms748_solve(
      slope, 0.5, 1.0, boost::math::tools::eps_tolerance<double>(50), iterations);
  const double u = (low + high) / 2;
  const BallBits bits(384 + static_cast<slong>(16 * beta)); // the exponential integrals cancel
  const Ball time = Separable(orthogonal_params(n, Number(beta))).time_of(Ball(u));
  const double t = plain_value(time);
  return {t, b.log_at(t) - std::log(u), 1e-14 * (1 + b.log_start + b.rate * t) + b.rate * time.radius()};
}

} // namespace attndyn::verification
