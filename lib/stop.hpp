/// Why a solve ended: a closed list, each with a name for scripts and a sentence for readers.
#pragma once

namespace attndyn {

/// Why a solve ended. Only reached_end, event and observer are what the caller asked for.
enum class Stop {
  reached_end,           ///< all output times served
  event,                 ///< a terminal event
  observer,              ///< an observer said stop
  non_finite,            ///< the field or the state became NaN or infinite; no shorter step helped
  event_not_finite,      ///< an event function returned NaN
  singular_field,        ///< |A_j| = 0 to working precision where the scheme divides by it
  radius_zero,           ///< a radius reached zero
  step_too_small,        ///< the step fell below the spacing of numbers near t
  max_steps,             ///< Options::max_steps used up
  max_seconds,           ///< Options::max_seconds used up
  tolerance_not_reached, ///< two runs still differ by more than the tolerance where tightening must end
};
const char* name_of(Stop);
/// One sentence for a reader.
const char* sentence_for(Stop);

} // namespace attndyn
