/// How the variance of tokens that start close together decays, measured against a law of its rate: what both
/// forms of [NAD] Thm 4.3, second part, compare.
#pragma once

#include "verification/runs.hpp"
#include "verification/unit_weights.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace attndyn::verification {

/// A scheme, the variable in which its rate is a power, and the power.
struct RateLaw {
  std::string name, variable;
  SchemeParams scheme;
  double first, last; ///< times, geometrically spread between
  double exponent;
  double x(double t) const {
    if (variable == "t + 1") return t + 1;
    if (variable == "alpha(t)") return scheme.alpha.approx() * std::pow(1 + t, -scheme.alpha_decay.approx());
    return t;
  }
};

struct CloseStart {
  Shape shape;
  double beta, delta;
  std::string start, weight;
  bool equal_radii;
};

/// The start with delta = share min(1, 1/(100 n^2 beta^2)): what Thm 4.3 admits, corrected.
CloseStart admitted(Shape shape, double beta, double share, std::string start, std::string weight,
                    bool equal_radii);

/// Q of the start's weight, K = V = I; radii 1 or 0.5, 1.5, 2.5, ...
ParticleCase make_close(const Context&, const RateLaw&, const CloseStart&);

/// -d log Var/dt = 2 sum_j <mean - theta_j, theta_j'>/(n Var), as theta_j' is tangent: from the right-hand
/// side itself, with differences that keep their digits.
double variance_rate(const ParticleCase&, std::size_t piece, const Vector<double>& x, double t);

struct Rates {
  std::vector<double> x, rate;
};
/// The law's variable and the rate at nine times. Throws std::runtime_error if the run ends early.
Rates measure_rates(const ParticleCase&, const RateLaw&, double tolerance);

/// The exponent of the rate and its constants (between 1 and 4, the limit being 2) at one start. The bar
/// holds the standard error twice, and twice by how much the later half of the range differs from all of it.
void compare_rates(const Context&, Findings&, const RateLaw&, const CloseStart&, bool demand_bar,
                   const std::string& witness = {});

} // namespace attndyn::verification
