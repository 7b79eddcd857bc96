/// Probabilities and bounds behind the almost-sure statements: closed forms that share no code with the
/// models.
#pragma once

#include "lib/real/types.hpp"

#include <cstdint>

namespace attndyn::verification::theory {

/// sum_{k<d} C(n-1, k), exactly: Wendel's probability is 2^{-(n-1)} of it. 1 <= n <= 60, d >= 1.
std::uint64_t wendel_count(int n, int d);

/// The same by the recursion C(n, d) = C(n-1, d) + C(n-1, d-1) of Schlaefli's count of the cells into which n
/// hyperplanes in general position cut R^d, halved: no binomials.
std::uint64_t schlaefli_half_count(int n, int d);

/// min of <theta_j, A_j> over all configurations of n tokens (SA, equal masses, beta > 0, d >= 2).
///
/// Derived. With c_k = <theta_j, theta_k> it is the quotient (e^beta + sum c_k e^{beta c_k}) / (e^beta + sum
/// e^{beta c_k}) over k != j, whose least value lambda makes min sum (c - lambda) e^{beta c} + e^beta
/// (1 - lambda) vanish; so every c_k = max(-1, lambda - 1/beta). If W((n-1)/e) + 1 <= 2 beta (W: Lambert)
/// lambda = 1 - W((n-1)/e)/beta, else lambda = (e^{2 beta} - (n-1))/(e^{2 beta} + (n-1)).
double least_radial_part(int n, double beta);
Float128 least_radial_part(int n, const Float128& beta);
/// The common cosine that attains it.
double least_radial_cosine(int n, double beta);

} // namespace attndyn::verification::theory
