#include "verification/all_claims.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn::verification {

const std::vector<Claim>& all_claims() {
  using namespace claims;
  static const std::vector<Claim> list{
      nad_flow(),       nad_time_change(),  nad_4_1_initial(), nad_4_1_terminal(), mft_equiangular(),
      mft_hemisphere(), mft_long_context(), mpt_orthogonal(),  mpt_dissipation(),
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
