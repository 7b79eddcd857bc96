/// The clock in which times are given. USA moves at speed e^|beta|: beyond |beta| = 600, schemes of degree 1
/// need time measured in u = e^|beta| t.
#pragma once

#include "lib/attention/rule.hpp"

#include <string>

namespace attndyn {

/// In the scaled clock all times handed in or out, the switch of Mix-LN among them, are u = e^|beta| t; s and
/// alpha still see t = e^-|beta| u. Softmax and hardmax need no other clock than the natural one and refuse
/// it.
enum class TimeScale { natural, scaled };

/// Empty if this clock serves; else the rule it breaks, naming the option. degree: of the scheme in A.
std::string problem_with_clock(TimeScale clock, Attention attention, int degree, double beta);

/// log of (natural time per unit of the clock): 0 or -|beta|.
template <class Real> Real log_time_unit(TimeScale clock, const Real& abs_beta) {
  return clock == TimeScale::scaled ? Real(-abs_beta) : Real(0);
}

} // namespace attndyn
