/// Many claims at once, a thread each as far as there are processors. Outcomes do not depend on their number.
#pragma once

#include "verification/claim.hpp"

#include <functional>
#include <vector>

namespace attndyn::verification {

/// decide() of each, in the order given. jobs >= 1. done: called from one thread at a time after each claim
/// with its outcome and how many are decided. What decide() throws is thrown again, once the others have
/// ended.
std::vector<Outcome> decide_all(const std::vector<const Claim*>&, const Context&, unsigned jobs,
                                const std::function<void(const Outcome&, std::size_t decided)>& done);

} // namespace attndyn::verification
