/// Two opposite tokens on S^0 = {-1, 1}: the start that keeps almost-sure synchronisation from holding in
/// d = 1. Every theta' is zero there, because a sphere of two points has no tangent.
#pragma once

#include "verification/runs.hpp"

namespace attndyn::verification {

/// Runs the pair to t = 100 and compares what [NAD] Thm 3.1 wants to become zero: 1 - min cosine for schemes
/// that keep the radius, and the smaller of 1 - min cosine and min_j dr_j/dt for the others. With a witness.
void opposite_pair_stays_apart(const Context&, Findings&, const std::string& claim, const SchemeParams&,
                               const Number& beta);

/// 1 - cosine of the pair against t, for the report.
void draw_opposite_pair(const Context&, Findings&, const SchemeParams&, const Number& beta);

/// The same at level high: to t = 10 in Float128 by Taylor and by extrapolation, which must agree, and
/// against the closed form r = 1 + t tanh(beta) (Pre-LN), 1 + t (Peri-LN), 1 + (t - tau) tanh(beta) (Mix-LN
/// after tau).
void opposite_pair_by_two_methods(Findings&, const SchemeParams&, const Number& beta);

} // namespace attndyn::verification
