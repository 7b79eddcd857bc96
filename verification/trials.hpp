/// Independent random starts of one system, each run until its directions synchronise or until it is certain
/// that they will not.
#pragma once

#include "verification/runs.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attndyn::verification {

/// How one trial ended.
enum class End {
  synchronised,    ///< 1 - min cosine < synchrony_gap
  radius_zero,     ///< a radius reached zero
  singular,        ///< |A_j| = 0 where the scheme divides by it
  at_rest,         ///< apart, and as long again would move no token by rest_distance; every dr_j/dt > 0
  at_rest_stalled, ///< the same, but min_j dr_j/dt is zero (or negative) to rest_distance
  undecided        ///< still moving at the time limit, or out of steps
};
constexpr End all_ends[] = {End::synchronised, End::radius_zero,     End::singular,
                            End::at_rest,      End::at_rest_stalled, End::undecided};
const char* name_of(End);

constexpr double synchrony_gap = 1e-6, rest_distance = 1e-6;

/// One system with random starts: start(unit) is a function of the unit alone.
struct Experiment {
  ParticleParams<double> params;
  Shape shape; ///< of every start
  std::string start_name;
  std::function<Tokens<double>(std::uint64_t unit)> start;
};
/// Directions independent and uniform, r = 1; or standard Gaussian tokens with r_j = |x_j|.
Experiment uniform_trials(const Context&, ParticleParams<double>, Shape);
Experiment gaussian_trials(const Context&, ParticleParams<double>, Shape);
/// The unit start moved by independent normal noise of that size a coordinate, then made unit.
Experiment near_start(const Context&, ParticleParams<double>, const Matrix<double>& centre, std::string name,
                      double noise);

struct Patience {
  /// Until the clock int dt/s shows this (radial schemes: with s = t, so at most t = e^600).
  double clock = 2e4;
  double tolerance = 1e-8; ///< local, relative to the unit sphere; outcomes are counted, not states
  std::uint64_t max_steps = 30'000;
};
/// The natural time at which int_0^t dt/s has reached `clock` (s with r = t and |A| = 1), at most e^600; for
/// a clock that never gets so far, infinity stands as e^600 too.
double time_of_clock(const SchemeParams&, double clock);

struct Trial {
  End end;
  std::uint64_t unit;
  double t;              ///< when
  double gap;            ///< 1 - min cosine there
  double slowest_growth; ///< min_j dr_j/dt there; 0 for schemes that keep the radius
};
Trial run_trial(const Context&, const Experiment&, std::uint64_t unit, const Patience& = {});

/// Trials in the order of their units.
struct Tally {
  std::vector<Trial> trials;
  std::uint64_t of(End) const;
  std::uint64_t size() const { return trials.size(); }
  Tally& operator+=(const Tally&);
  /// The share that ends so. Throws std::runtime_error if a trial is undecided.
  double share(End) const;
  /// "120 trials: 118 synchronised, 2 radius_zero".
  std::string words() const;
};
/// Units [first, first + trials). An undecided trial is run again with five times the patience; one that
/// stays so is the last of the tally.
Tally run_trials(const Context&, const Experiment&, std::uint64_t first, std::uint64_t trials,
                 const Patience& = {});

} // namespace attndyn::verification
