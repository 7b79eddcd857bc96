/// Matrices of operator norm at most 1 and starts of pairwise cosines at least 1 - delta: the hypotheses of
/// [NAD] Thm 4.2 and 4.3 as families that a check or a search can run through.
#pragma once

#include "lib/real/dense.hpp"
#include "lib/tokens.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attndyn::verification {

/// identity, minus identity, rotation (a product of two random reflections), rank one (u v^T, random unit u
/// and v), projection (onto the first half of the coordinates), zero.
const std::vector<std::string>& unit_weight_names();
/// d x d, of norm exactly 1 (0 for zero) up to round-off; unit tells several random ones apart. Throws
/// std::invalid_argument for an unknown name.
Matrix<double> unit_weight(const std::string& name, std::size_t d, std::uint64_t seed, std::uint64_t unit);

/// cone (independent tokens, lib/initial), equiangular, one against the rest (all others coincide).
const std::vector<std::string>& close_start_names();
/// All cosines >= 1 - delta, to the last ones with equality but in the cone; 0 < delta < 2, d >= n for
/// equiangular, d >= 2 for the last.
Tokens<double> close_start(const std::string& name, Shape shape, double delta, std::uint64_t seed);

/// The largest delta that [NAD] Thm 4.3 admits as printed: 1/(100 n^2 beta^2); infinity for beta = 0.
double printed_largest_delta(std::size_t n, double beta);

} // namespace attndyn::verification
