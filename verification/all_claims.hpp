/// The claims of the literature. A new one is a file in claims/ and a line in claims/list.def.
#pragma once

#include "verification/claim.hpp"

#include <string_view>
#include <vector>

namespace attndyn::verification {

const std::vector<Claim>& all_claims();
/// Throws std::invalid_argument: "claim = foo: must be one of ...".
const Claim& find_claim(std::string_view id);

namespace claims {
#define ATTNDYN_CLAIM(name) Claim name();
#include "verification/claims/list.def"
#undef ATTNDYN_CLAIM
} // namespace claims

} // namespace attndyn::verification
