/// The one list of claims. A new claim is a file in claims/ and a line in all_claims.cpp.
#pragma once

#include "verification/claim.hpp"

#include <string_view>
#include <vector>

namespace attndyn::verification {

const std::vector<Claim>& all_claims();
/// Throws std::invalid_argument: "claim = foo: must be one of ...".
const Claim& find_claim(std::string_view id);

namespace claims {
Claim nad_flow();
Claim nad_time_change();
Claim nad_4_1_initial();
Claim nad_4_1_terminal();
Claim mft_equiangular();
Claim mft_hemisphere();
Claim mpt_orthogonal();
Claim mpt_dissipation();
Claim mft_long_context();
} // namespace claims

} // namespace attndyn::verification
