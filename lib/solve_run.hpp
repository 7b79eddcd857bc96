/// One run of the time loop at one local tolerance; `solve` makes several and compares them. Not for other
/// users.
#pragma once

#include "lib/solve.hpp"

#include <chrono>

namespace attndyn::detail {

class Clock {
public:
  explicit Clock(double limit) : limit_(limit) {}
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  bool expired() const { return limit_ > 0 && seconds() > limit_; }

private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double limit_;
};

template <class Real> struct RunSettings {
  const Options<Real>* options;
  LocalTolerance<Real> tolerance;
  Real step; ///< 0: chosen
  int index;
  const Clock* clock;
};

template <class Real> struct Run {
  std::vector<Sample<Real>> samples;
  std::vector<EventRecord<Real>> events;
  Stop why = Stop::reached_end;
  std::string detail;
  Real t;
  Vector<Real> x;
  Statistics stats;
  bool ended_as_asked() const {
    return why == Stop::reached_end || why == Stop::event || why == Stop::observer;
  }
};

/// stepper_name: of stepper_names().
template <class Real>
Run<Real> run_once(const Model<Real>& model, const Vector<Real>& x0, const Real& t0,
                   const Vector<Real>& times, const std::string& stepper_name,
                   const RunSettings<Real>& settings);

} // namespace attndyn::detail
