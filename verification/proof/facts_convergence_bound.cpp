#include "lib/models/separable.hpp"
#include "verification/proof/arguments.hpp"
#include "verification/proof/kinds.hpp"

#include <stdexcept>

namespace attndyn::verification {

Ball convergence_bound_excess(const Fact& f) {
  const EquiangularParams p = params_of(f);
  if (p.scheme.name != "post" || p.attention != Attention::softmax || compare(p.g0, 0) != 0 ||
      compare(p.beta, 0) < 0)
    throw std::invalid_argument("the bound is that of Post-LN, softmax, g0 = 0, beta >= 0");
  const Ball t = ball(f, "t"), n(p.n), two(2), beta = p.beta.as<Ball>();
  const Ball bound = (n * n * exp(beta) / two - n * t) / (n + exp(beta / two)) - log(two);
  return Separable(p).at(t).log_gap - bound;
}

} // namespace attndyn::verification
