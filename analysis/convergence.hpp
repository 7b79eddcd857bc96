/// How the error of a run follows what is asked of it: the studies of `attndyn converge`. Every error is
/// measured against the separable solution of the equiangular flow, which no time-stepping touches.
#pragma once

#include "lib/io.hpp"
#include "lib/models/equiangular_flow.hpp"

#include <functional>
#include <string>

namespace attndyn::analysis {

struct Study {
  EquiangularParams params;
  Number t = 20;           ///< end of every run, > 0, in the unit of params.clock
  double max_seconds = 10; ///< of one run; a method stops where its next run takes longer
  /// Told what is about to run.
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// Time against error for dopri5, fehlberg78, bulirsch_stoer and taylor in numbers of 15, 33, 50, 100 and 300
/// digits, one run a tolerance, without global control. Columns: method, digits, tolerance, error (absolute,
/// of log(1-g) at t), seconds, steps, rhs_calls (0 for taylor, which needs the field only to begin).
Table precision_study(const Study&);

/// Asked tolerance against true error with global control, in double (1e-4 to 1e-13) and Float128 (to 1e-29),
/// for every adaptive stepper. Columns: method, digits, tolerance, error, ratio (error over tolerance,
/// promised
/// <= 10), estimate (of the error, by the run itself), steps, rhs_calls.
Table tolerance_study(const Study&);

/// Fixed steps t/2^k at 60 digits, over four halvings, for every stepper with an order of its own. Columns:
/// method, order (nominal), step, error, observed (log2 of successive errors; empty in the first row of
/// each).
Table order_study(const Study&);

/// The studies by the name that `--study` takes.
struct StudyEntry {
  const char *name, *title;
  Table (*run)(const Study&);
};
const std::vector<StudyEntry>& all_studies();

} // namespace attndyn::analysis
