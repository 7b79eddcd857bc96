#include "verification/proof/arguments.hpp"
#include "verification/proof/kinds.hpp"

#include <stdexcept>

namespace attndyn::verification {
namespace {

Ball tan(const Ball& x) {
  Ball out;
  arb_tan(out.raw(), x.raw(), BallBits::now());
  return out;
}

Ball cos(const Ball& x) {
  Ball out;
  arb_cos(out.raw(), x.raw(), BallBits::now());
  return out;
}

Ball atan(const Ball& x) {
  Ball out;
  arb_atan(out.raw(), x.raw(), BallBits::now());
  return out;
}

struct TimeScale {
  Ball log_beta, c, log_tan, time;
};

/// tan(u/2) = tan(u0/2) e^{-c log(beta) t}.
TimeScale time_scale(const Fact& f) {
  const Ball log_beta = ball(f, "log_beta"), c = ball(f, "c"), u0 = ball(f, "u0");
  if (!certainly_positive(c) || !certainly_positive(u0) || certainly_less(log_beta, 1) ||
      certainly_less(1, u0))
    throw std::invalid_argument("must be log_beta >= 1, c > 0, 0 < u0 <= 1");
  const Ball target = sqrt(log_beta * exp(-log_beta)), log_tan = log(tan(u0 / Ball(2)));
  Ball time(0);
  if (!certainly_less(u0, target)) {
    if (!certainly_less(target, u0))
      throw std::runtime_error("u0 and its target are too close to be ordered");
    time = (log_tan - log(tan(target / Ball(2)))) / (c * log_beta);
  }
  return {log_beta, c, log_tan, time};
}

} // namespace

Ball time_scale_printed_violation(const Fact& f) {
  const auto s = time_scale(f);
  return abs(s.time - Ball(2) / s.c) - (Ball(2) * abs(s.log_tan) + log(s.log_beta)) / (s.c * s.log_beta);
}

bool time_scale_bound(const Fact& f) {
  const auto s = time_scale(f);
  return certainly_less(abs(s.time - Ball(1) / (Ball(2) * s.c)),
                        (Ball(2) * abs(s.log_tan) + Ball(2) * log(Ball(2)) + log(s.log_beta)) /
                            (Ball(2) * s.c * s.log_beta));
}

Ball path_length_printed_violation(const Fact& f) {
  const Ball phi0 = ball(f, "phi0"), t = ball(f, "t");
  if (!certainly_positive(phi0) || !certainly_less(phi0, 3) || !certainly_positive(t))
    throw std::invalid_argument("must be 0 < phi0 < 3, t > 0");
  const Ball phi = Ball(2) * atan(tan(phi0 / Ball(2)) * exp(-t));
  const Ball c = (Ball(1) + cos(phi0)) / Ball(2), moved = phi0 - phi;
  return c * moved * moved - (cos(phi) - cos(phi0)) / Ball(2);
}

} // namespace attndyn::verification
