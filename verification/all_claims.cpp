#include "verification/all_claims.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn::verification {

const std::vector<Claim>& all_claims() {
  static const std::vector<Claim> list{
#define ATTNDYN_CLAIM(name) claims::name(),
#include "verification/claims/list.def"
#undef ATTNDYN_CLAIM
  };
  return list;
}

const Claim& find_claim(std::string_view id) {
  std::string ids;
  for (const Claim& c : all_claims()) {
    if (c.id == id) return c;
    ids += (ids.empty() ? "" : ", ") + c.id;
  }
  throw std::invalid_argument(fmt::format("claim = {}: must be one of {}", id, ids));
}

} // namespace attndyn::verification
