#include "lib/models/clock.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn {

std::string problem_with_clock(TimeScale clock, Attention attention, int degree, double beta) {
  const bool usa = attention == Attention::unnormalised;
  if (clock == TimeScale::scaled && !usa)
    return fmt::format("clock = scaled: only for --attention usa, not {}", name_of(attention));
  if (clock == TimeScale::natural && usa && degree > 0 && std::abs(beta) > 600)
    return fmt::format("beta = {}: |beta| must be <= 600 with usa in the natural clock; use --clock scaled",
                       beta);
  if (clock == TimeScale::scaled && degree == 0 && std::abs(beta) > 600)
    return fmt::format(
        "beta = {}: |beta| must be <= 600 in the scaled clock with a scheme that divides by |A|; use --clock natural",
        beta);
  return {};
}

} // namespace attndyn
