#include "verification/theory/predictions.hpp"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attndyn::verification::theory {
namespace {

template <class F> double integral(F f, double a, double b) {
  return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(f, a, b, 6, 1e-13);
}

[[noreturn]] void unknown(std::string_view scheme) {
  throw std::invalid_argument(fmt::format("scheme = {}: no prediction", scheme));
}

/// exp(-2 int_0^inf (1-|A|) dT) along the Post-LN clock from g0 = 0: nGPT runs ahead by the defect of |A|.
double ngpt_factor(int n, double beta) {
  // In v = log(n - (n-1) u), as in orthogonal_integral.
  const auto integrand = [&](double v) {
    const double u = 1 - std::expm1(v) / (n - 1);
    const double q = std::exp(-std::abs(beta) * u);
    const double self = beta >= 0 ? 1 / (1 + (n - 1) * q) : q / (q + n - 1);
    const double off = beta >= 0 ? q * self : 1 / (q + n - 1);
    const double cosine = 1 - u;
    const double square =
        self * self + 2 * (n - 1) * self * off * cosine + (n - 1) * off * off * (1 + (n - 2) * cosine);
    return (2 * self + (n - 2) * off) / (2 * (1 + std::sqrt(square)));
  };
  return std::exp(-2 * integral(integrand, 0, std::log(static_cast<double>(n))));
}

} // namespace

double speed_factor(std::string_view scheme, double t, double r, double attention_norm, double alpha) {
  if (scheme == "post") return 1;
  if (scheme == "pre") return r;
  if (scheme == "peri") return r * attention_norm;
  if (scheme == "ngpt") return attention_norm / alpha;
  if (scheme == "sqrt") return std::sqrt(t + 1);
  if (scheme == "lns") return r * std::sqrt(t + 1);
  unknown(scheme);
}

double initial_velocity(std::string_view scheme, int n, double beta, double r0, double alpha) {
  const double partition = std::exp(beta) + n - 1;
  const double norm = std::sqrt(std::exp(2 * beta) + n - 1) / partition;
  if (scheme == "mix") return 2 / partition;
  return 2 / (partition * speed_factor(scheme, 0, r0, norm, alpha));
}

double orthogonal_integral(int n, double beta) {
  // In v = log(1 + (n-1)(1-u)) the pole at 1-u = -1/(n-1), close to the end for large n, is gone.
  return integral(
      [&](double v) {
        const double u = 1 - std::expm1(v) / (n - 1);
        return (std::abs(u) < 1e-12 ? beta : std::expm1(beta * u) / u) / (n - 1);
      },
      0, std::log(static_cast<double>(n)));
}

double terminal_constant(std::string_view scheme, int n, double beta, double r0, double tau) {
  const double curve = std::exp(orthogonal_integral(n, beta));
  if (scheme == "post") return n * curve;
  if (scheme == "pre" || scheme == "peri") return r0 * r0 * curve;
  if (scheme == "mix") {
    const double gap = post_cosine_gap(n, beta, tau);
    return r0 * r0 * curve * std::exp(-2 * tau) * (n - (n - 1) * gap);
  }
  if (scheme == "sqrt") return std::exp(4.0) * n * curve;
  if (scheme == "lns") return r0 * r0 * curve / 4;
  if (scheme == "ngpt") return n * curve * ngpt_factor(n, beta);
  unknown(scheme);
}

double post_cosine_gap(int n, double beta, double t) {
  if (t == 0) return 1;
  // The clock of Post-LN in y = log(1-g): dt = -dy (e^{beta e^y} + n - 1) / (2 (n - (n-1) e^y)).
  const auto clock = [&](double y) {
    const auto rate = [&](double v) {
      return (std::exp(beta * std::exp(v)) + n - 1) / (2 * (n - (n - 1) * std::exp(v)));
    };
    // Near y = 0 the denominator changes over a length 1/n.
    const double near = std::max(y, -2.0 / n);
    return integral(rate, near, 0) + (y < near ? integral(rate, y, near) : 0.0);
  };
  double low = -1;
  while (clock(low) < t) low *= 2;
  std::uintmax_t iterations = 200;
  const auto [a, b] =
      boost::math::tools::toms748_solve([&](double y) { return clock(y) - t; }, low, 0.0, clock(low) - t, -t,
                                        boost::math::tools::eps_tolerance<double>(50), iterations);
  return std::exp((a + b) / 2);
}

double long_context_cosine(double log_n, double gamma, double rho) {
  // With x = log((n-1) n^{-gamma(1-rho)}): a = 1/(1+e^x), (n-1) c = e^x/(1+e^x).
  const double inverse = std::exp(-log_n), log_others = log_n + std::log1p(-inverse);
  const double x = log_others - gamma * (1 - rho) * log_n;
  const double self = x > 0 ? std::exp(-x) / (1 + std::exp(-x)) : 1 / (1 + std::exp(x));
  const double rest = x > 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
  const double share = std::exp(-log_others); // c = rest * share
  const double c = rest * share;
  const double cross = 2 * self * c + rest * c - c * c; // 2 a c + (n-2) c^2
  const double square = self * self + rest * c;         // a^2 + (n-1) c^2
  return (rho + (1 - rho) * cross) / (rho + (1 - rho) * square);
}

double long_context_limit(double threshold, double rho) {
  if (threshold < 1) return 1;
  if (threshold > 1) return rho;
  return 4 * rho / (1 + 3 * rho);
}

} // namespace attndyn::verification::theory
