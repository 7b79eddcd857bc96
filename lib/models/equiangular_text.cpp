#include "lib/models/equiangular_text.hpp"

namespace attndyn {

Parameters text_of(const EquiangularParams& p, const std::string& prefix) {
  return {{prefix + "scheme", p.scheme.name},
          {prefix + "attention", name_of(p.attention)},
          {prefix + "n", std::to_string(p.n)},
          {prefix + "beta", p.beta.text()},
          {prefix + "g0", p.g0.text()},
          {prefix + "r0", p.r0.text()},
          {prefix + "tau", p.scheme.tau.text()},
          {prefix + "alpha", p.scheme.alpha.text()},
          {prefix + "alpha_decay", p.scheme.alpha_decay.text()}};
}

} // namespace attndyn
