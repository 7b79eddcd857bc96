#include "verification/proof/arguments.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn::verification {

const std::string& argument(const Fact& f, const std::string& name) {
  for (const auto& [key, value] : f.arguments)
    if (key == name) return value;
  throw std::invalid_argument(fmt::format("argument {}: is missing", name));
}

int integer(const Fact& f, const std::string& name, int least, int most) {
  const Number value(argument(f, name));
  const int n = static_cast<int>(value.approx());
  if (compare(value, n) != 0 || n < least || n > most)
    throw std::invalid_argument(
        fmt::format("argument {} = {}: must be an integer from {} to {}", name, value.text(), least, most));
  return n;
}

EquiangularParams params_of(const Fact& f, const std::string& prefix) {
  EquiangularParams p;
  p.scheme = {argument(f, prefix + "scheme"), argument(f, prefix + "tau"), argument(f, prefix + "alpha"),
              argument(f, prefix + "alpha_decay")};
  p.attention = parse_attention(argument(f, prefix + "attention"));
  p.n = integer(f, prefix + "n", 2, 2'000'000'000);
  p.beta = argument(f, prefix + "beta");
  p.g0 = argument(f, prefix + "g0");
  p.r0 = argument(f, prefix + "r0");
  if (auto problem = problem_with(p); !problem.empty()) throw std::invalid_argument(problem);
  return p;
}

Ball ball(const Fact& f, const std::string& name) { return parse_real<Ball>(argument(f, name)); }

} // namespace attndyn::verification
