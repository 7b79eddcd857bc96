/// The comparison of a user's claim at one point of its domain and one draw of its start.
#pragma once

#include "verification/user/system.hpp"

namespace attndyn::verification::user {

/// The name under which prediction is declared (Fixed).
constexpr const char* predicted_name = "prediction";

/// Adds its worst comparison to the findings. refine: first at the tolerance and the samples of the file,
/// then at a hundredth and twice as many, and the change is demanded to be within its bar; else at the former
/// alone. Returns measured against predicted, to be drawn.
Curve compare(const Description&, const Context&, const System&, Findings&, bool refine);

/// Throws std::invalid_argument in one line if a formula of the file is none in the names that it may use.
void check_formulas(const Description&, const System&);

/// The times of the window: both ends and `intervals` - 1 between them.
std::vector<double> window_times(const Description&, const System&, std::size_t intervals);

/// Relations <=, >=, == at the worst time of the window, or once at the first time that the file asks for.
Curve compare_at_all_times(const Description&, const Context&, const System&, Findings&, bool refine);
void check_all_times_formulas(const Description&, const System&);
/// Relations ~ and ->: what a sequence of local slopes or of values tends to.
Curve compare_in_the_limit(const Description&, const Context&, const System&, Findings&, bool refine);
void check_limit_formulas(const Description&, const System&);

} // namespace attndyn::verification::user
