/// Particle systems over times of e^{c beta}: tokens that have met are replaced by one token with their mass,
/// so that what is left to compute is the slow motion between clusters (theory section 6, hazard 7; [DMS]).
///
/// Time runs as fast as the closest pair moves: along dt = ds/R(x), R = sum_{i<j} (m_i + m_j) e^{-beta (1 -
/// <x_i, x_j>)}. Each stage, from one merge to the next, is solved in units of the first 1/R, and only the
/// logarithm of the whole time is kept, so that times may exceed e^700.
#pragma once

#include "analysis/pair_clock.hpp"
#include "lib/models/particles.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace attndyn::analysis {

/// The clusters at one time.
struct Coarse {
  double log_time;                ///< in the clock of the parameters; -infinity at the start
  Matrix<double> theta;           ///< d x (clusters), unit columns
  Vector<double> masses;          ///< of the clusters, sum 1
  Vector<double> log_radii;       ///< of the clusters
  std::vector<std::size_t> label; ///< cluster of every token of the start
};

struct Merge {
  double log_time;
  std::vector<std::size_t> label; ///< cluster of every token after it
  double gap;                     ///< largest 1 - cosine that was closed by it
};

struct CoarseningOptions {
  double merge_gap =
      1e-14; ///< 1 - cosine at which two tokens become one, > 0; at least 900 tolerance^2 is taken
  double tolerance = 1e-10; ///< of every stage, see Options::tolerance; ten times it, or more, where rounding
                            ///< forbids it (Coarsening::tolerance says so)
  double last_log_time = 1e300; ///< the run ends at the first sample beyond it
  /// Where 1 - cosine of the closest pair is still this large after so long a stage (in s), nothing merges
  /// any more.
  double longest_stage = 1e4;
  std::uint64_t max_steps = 20'000; ///< of a stage, whose usual number is some hundred
  int samples_per_decade = 24;      ///< of s, from 1e-8 on; 0: merges only
  /// Falls through zero where the run shall end; empty: none. Evaluated along the steps.
  std::function<double(const Coarse&)> until = {};
};

enum class CoarseningEnd { one_cluster, nothing_merges, time_reached, until, solve_failed };
const char* name_of(CoarseningEnd);

struct Coarsening {
  CoarseningEnd why;
  std::string detail; ///< of solve_failed
  std::vector<Coarse>
      samples; ///< increasing log_time; the start first, then the samples, the merges and the end
  std::vector<Merge> merges;
  double log_time;      ///< where it ended
  double tolerance = 0; ///< the largest that a stage was solved to
};

/// Makes the right-hand side from parameters and a start. Its state must be that of Particles.
using MakeParticles = std::function<std::shared_ptr<const Model<double>>(const ParticleParams<double>&,
                                                                         const Tokens<double>& start)>;
/// Particles itself.
std::shared_ptr<const Model<double>> plain_particles(const ParticleParams<double>&, const Tokens<double>&);

/// Runs until one cluster is left, or as the options say. Post-LN with Q = K = V = I, SA or USA, any beta >=
/// 0 in either clock; pairs with beta (1 - cosine) above 700 do not attract each other. Throws
/// std::invalid_argument.
Coarsening coarsen(const ParticleParams<double>&, const Tokens<double>& start, const CoarseningOptions& = {},
                   const MakeParticles& = plain_particles);

} // namespace attndyn::analysis
