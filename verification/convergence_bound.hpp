/// The bound of [MPT] App. D on 1-g from the orthogonal start, Post-LN, softmax, beta >= 0, at its worst
/// time.
///
///     B(t) = factor exp((n^2 e^beta/2 - n t)/(n + e^{beta/2})),   factor 1/2 in print.
///
/// With F(g) = 2 w_off (1+(n-1) g) = -d log(1-g)/dt and c = n/(n + e^{beta/2}), the log margin M(t) = log B -
/// log(1-g) has M' = F(g(t)) - c. F grows with g if beta >= 0, and g with t, so M is convex: its least value
/// is at t = 0 if F(0) >= c, else where F(g) = c. As F(1/2) > c for all n and beta, that is before g = 1/2,
/// and so before t = e^beta + n - 1.
#pragma once

#include "verification/runs.hpp"

namespace attndyn::verification {

struct ConvergenceBound {
  double log_start, rate; ///< log B(t) = log_start - rate t
  double log_at(double t) const { return log_start - rate * t; }
};
ConvergenceBound convergence_bound(int n, double beta, double factor);

/// Post-LN, softmax, g0 = 0.
EquiangularParams orthogonal_params(int n, const Number& beta);

struct WorstMargin {
  double t, margin, error; ///< the least M over all t >= 0, where, and a bar
};
/// By an event M' = 0 of a run; throws std::runtime_error if it is not found.
WorstMargin worst_by_run(const EquiangularCase&, const EquiangularParams&, double factor);
/// With the exact time to the worst g, for any beta: no time stepping.
WorstMargin worst_by_clock(int n, double beta, double factor);

} // namespace attndyn::verification
