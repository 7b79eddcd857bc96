/// Uniform starts in any dimension, at the price of n^2 random numbers instead of n d.
#pragma once

#include "lib/tokens.hpp"

#include <cstdint>

namespace attndyn::verification {

/// n independent tokens, uniform on S^{d-1}, r = 1, up to a rotation that takes their span to the first n
/// axes: what the flow with Q = K = V = I and every function of cosines sees. Up to `drawn_dimension` they
/// are drawn as such (lib/initial; the tokens are those of R^d). Beyond, the n x n factor R of a d x n
/// Gaussian matrix is drawn by its law (Bartlett): R_ij normal above the diagonal, R_ii the root of a
/// chi-squared number of d - i degrees of freedom, i from 0, and its columns are made unit. d >= n; d is a
/// double so that 1e12 is no problem.
Tokens<double> uniform_start(std::size_t n, double d, std::uint64_t seed, std::uint64_t unit);
constexpr double drawn_dimension = 2048;

/// The second of the two ways, for any d >= n.
Tokens<double> uniform_start_by_law(std::size_t n, double d, std::uint64_t seed, std::uint64_t unit);

} // namespace attndyn::verification
