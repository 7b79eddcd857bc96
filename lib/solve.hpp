/// The one time loop: from a model and a start to the states at given times, with the reason why it ended,
/// the work it took and a bound on its error.
#pragma once

#include "lib/integrators/stepper.hpp"
#include "lib/models/model.hpp"
#include "lib/stop.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attndyn {

enum class Flow { go, stop };

/// A zero of value(x, t) to be located, e.g. min cosine - 0.999. A zero that is touched, not crossed, to
/// within the tolerance counts in any direction; so does an exact zero at the start that v leaves in the
/// direction asked for.
template <class Real> struct Event {
  enum class Direction { any, rising, falling };
  std::string name;
  std::function<Real(const Vector<Real>& x, const Real& t)> value;
  Direction direction = Direction::any;
  bool terminal = false;
};

template <class Real> struct EventRecord {
  std::size_t event; ///< index into Options::events
  Real t;
  Vector<Real> x;
  int sign = 0; ///< +1 rising, -1 falling, 0 touching
};

template <class Real> struct Options {
  /// A name of stepper_names(). Empty: dop853 to 16 digits of tolerance, bulirsch_stoer to 20, then taylor
  /// where the model can be recorded.
  std::string stepper;
  /// Bound asked for the global error of every sample, in units of Model::scale(); > 4 epsilon<Real>().
  Real tolerance = Real(1) / 1000000000;
  /// false: one run with `tolerance` as local tolerance and no error estimate. (A work-precision study wants
  /// that.)
  bool control_global_error = true;
  /// First step, and for fixed-step methods the step (then one comparison run with half of it). 0: chosen.
  Real step = Real(0);
  std::uint64_t max_steps = 1'000'000; ///< accepted and rejected, each run
  double max_seconds = 0;              ///< wall time of all runs together; 0: no limit
  std::vector<Event<Real>> events;
  /// Looks at every accepted step, start included, of the run whose index is given (tightening makes several;
  /// the last one is the answer). Never touches the state.
  std::function<Flow(int run, const Real& t, const Vector<Real>& x)> observer;
  /// Called now and then from a long solve with the fraction of the last run that is done.
  std::function<void(int run, double fraction)> progress;
};

struct Statistics {
  std::uint64_t accepted = 0, rejected = 0, rhs_calls = 0;
  int runs = 0;
  double largest_retraction = 0; ///< largest relative defect that a retraction removed, before it did
  double seconds = 0;
};

template <class Real> struct Sample {
  Real t;
  Vector<Real> x;
  std::size_t piece; ///< of the schedule; on a switch the one that ends there
};

template <class Real> struct Solution {
  std::vector<Sample<Real>>
      samples; ///< at the output times, in order; fewer if the solve ended before the last
  Stop why = Stop::reached_end;
  std::string detail; ///< token, component, achieved tolerance: what the sentence cannot know
  Real t;             ///< where it ended (for radius_zero when the radius is zero)
  Vector<Real> x;     ///< the last good state
  std::vector<EventRecord<Real>> events;
  Statistics stats; ///< of all runs together; accepted and rejected of the last alone
  /// Largest difference of the last two runs over all samples, in units of max(scale, 16 eps |x|/tolerance);
  /// a bound on the error of the last, finer one. Empty without global control or when the first run ended
  /// early.
  std::optional<Real> error_estimate;

  bool ended_as_asked() const {
    return why == Stop::reached_end || why == Stop::event || why == Stop::observer;
  }
};

/// Solves x' = f(x, t), x(t0) = x0, up to times.back(), strictly monotone times on one side of t0 (the first
/// may be t0). A run that ends early is an answer; bad arguments throw std::invalid_argument naming value and
/// rule.
template <class Real>
Solution<Real> solve(const Model<Real>& model, const Vector<Real>& x0, const Real& t0,
                     const Vector<Real>& times, const Options<Real>& options);

} // namespace attndyn
