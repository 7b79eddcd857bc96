#include "verification/user/relations.hpp"

namespace attndyn::verification::user {
namespace {

bool is_asymptotic(const Description& d) {
  return d.relation == Relation::rate || d.relation == Relation::limit;
}

} // namespace

Curve compare(const Description& d, const Context& context, const System& system, Findings& out,
              bool refine) {
  return is_asymptotic(d) ? compare_in_the_limit(d, context, system, out, refine)
                          : compare_at_all_times(d, context, system, out, refine);
}

void check_formulas(const Description& d, const System& system) {
  if (is_asymptotic(d))
    check_limit_formulas(d, system);
  else
    check_all_times_formulas(d, system);
}

} // namespace attndyn::verification::user
