/// Starts with one closest pair of clusters, for the claims on who meets first as beta grows ([MFT] Thm 6).
#pragma once

#include "lib/models/particles.hpp"

#include <string>

namespace attndyn::verification {

/// Tokens 0 and 1 are the closest pair.
struct PairStart {
  Tokens<double> tokens;
  Vector<double> masses; ///< sum 1
  double cosine;         ///< of the pair
  double lead;           ///< by which it exceeds every other cosine
  std::string name;
  double ratio() const { return masses[1] / masses[0]; }
};

/// A pair of that cosine, a_j/a_i = e^log_ratio, and n - 2 others, random, at most cosine - lead from all
/// before them. n, d >= 2. Throws NotApplicable where they do not fit.
PairStart closest_pair(std::size_t n, std::size_t d, double cosine, double lead, double log_ratio,
                       std::uint64_t seed, std::uint64_t unit = 0);

/// SA with those masses, in the coordinates of the start.
ParticleParams<double> params_of(const PairStart&, double beta);

/// a_j/a_i + a_i/a_j: the pair has c' = K (1 - c^2) under the corrected limit.
double pair_rate(const PairStart&);

/// The end of [0, S]: the pair has cosine 1 - eps under a limit with rate K.
double end_time(const PairStart&, double rate, double eps);

} // namespace attndyn::verification
