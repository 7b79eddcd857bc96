#include "lib/models/separable.hpp"

#include "lib/models/separable_integrals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace attndyn {

using separable::Clock;
using separable::Curve;
using separable::Measure;
using separable::NotEnoughBits;

namespace {

Ball log1p(const Ball& z) {
  Ball out;
  arb_log1p(out.raw(), z.raw(), BallBits::now());
  return out;
}

/// How the natural time t of a scheme makes the value of its clock, increasing, and back.
struct Budget {
  enum class Kind { time, root, alpha } kind;
  Ball alpha, decay;
  bool logarithmic; ///< decay == 1

  /// t, 2 (sqrt(1+t) - 1) or int_0^t alpha
  Ball of(const Ball& t) const {
    if (kind == Kind::time) return t;
    if (kind == Kind::root) return Ball(2) * t / (sqrt(Ball(1) + t) + Ball(1));
    if (logarithmic) return alpha * log1p(t);
    const Ball rest = Ball(1) - decay;
    return alpha * expm1(rest * log1p(t)) / rest;
  }

  Ball time(const Ball& budget) const {
    if (kind == Kind::time) return budget;
    if (kind == Kind::root) return budget + budget * budget / Ball(4);
    if (logarithmic) return expm1(budget / alpha);
    const Ball rest = Ball(1) - decay, grown = Ball(1) + rest * budget / alpha;
    if (!certainly_less(Ball(0), grown) && !contains_zero(grown))
      throw std::domain_error("this gap is never reached: the integral of alpha is finite");
    return expm1(log(grown) / rest);
  }
};

Measure measure_of(const std::string& scheme) {
  if (scheme == "post" || scheme == "sqrt") return Measure::one;
  if (scheme == "pre" || scheme == "lns" || scheme == "mix") return Measure::radius;
  if (scheme == "ngpt") return Measure::norm;
  if (scheme == "peri") return Measure::radius_norm;
  throw std::invalid_argument(fmt::format("scheme = {}: has no separable form here", scheme));
}

Budget budget_of(const SchemeParams& s) {
  const auto kind = s.name == "sqrt" || s.name == "lns" ? Budget::Kind::root
                    : s.name == "ngpt"                  ? Budget::Kind::alpha
                                                        : Budget::Kind::time;
  return {kind, s.alpha.as<Ball>(), s.alpha_decay.as<Ball>(), compare(s.alpha_decay, 1) == 0};
}

Curve curve_of(const EquiangularParams& p) {
  const Ball g0 = p.g0.as<Ball>();
  const Ball x0 = log((Ball(1) - g0) * Ball(p.n - 1) / (Ball(1) + Ball(p.n - 1) * g0));
  const Ball r0 = p.r0.as<Ball>();
  if (!x0.is_finite()) throw NotEnoughBits("g0 is not told from its bounds at this precision");
  return Curve(p.n, p.attention == Attention::unnormalised, p.beta.as<Ball>(), compare(p.beta, 0) == 0, x0,
               r0);
}

/// Binary digits lacking until the radius of v is 2^-wanted; <= 0 if none.
slong lacking(const Ball& v, slong wanted) {
  if (!v.is_finite()) return wanted;
  const mag_srcptr radius = arb_radref(v.raw());
  if (mag_cmp_2exp_si(radius, -wanted) < 0) return 0;
  return mag_get_d_log2_approx(radius) + static_cast<double>(wanted) + 2;
}

} // namespace

/// Everything at one precision.
struct Separable::Route {
  slong bits = BallBits::now();
  bool mix;
  Ball unit, tau; ///< natural time per unit of the clock; tau natural
  Budget budget;
  Curve curve;
  Clock clock; ///< Mix-LN: of Post-LN
  /// Mix-LN after tau: a flow of its own.
  std::optional<Curve> late_curve;
  std::optional<Clock> late_clock;

  explicit Route(const EquiangularParams& p)
      : mix(p.scheme.name == "mix"), unit(1), budget(budget_of(p.scheme)), curve(curve_of(p)),
        clock(curve, mix ? Measure::one : measure_of(p.scheme.name)) {
    if (p.clock == TimeScale::scaled) unit = exp(-abs(p.beta.as<Ball>()));
    tau = p.scheme.tau.as<Ball>() * unit;
  }

  void make_late() {
    if (late_clock) return;
    late_curve = curve;
    *late_curve = Curve(curve.n, curve.usa, curve.beta, curve.beta_zero, clock.inverse(tau), curve.r0);
    late_clock.emplace(*late_curve, Measure::radius);
  }
};

Separable::Separable(const EquiangularParams& p) : params_(p) {
  if (auto problem = problem_with(p); !problem.empty()) throw std::invalid_argument(problem);
  measure_of(p.scheme.name);
}
Separable::Separable(Separable&&) noexcept = default;
Separable& Separable::operator=(Separable&&) noexcept = default;
Separable::~Separable() = default;

auto Separable::route() const -> Route& {
  if (!route_ || route_->bits != BallBits::now()) route_ = std::make_unique<Route>(params_);
  return *route_;
}

namespace {

SeparableState joined(const SeparableState& a, const SeparableState& b) {
  return {hull(a.log_gap, b.log_gap), hull(a.gap, b.gap), hull(a.g, b.g), hull(a.r, b.r),
          hull(a.speed_factor, b.speed_factor)};
}

/// s, to be filled in, is 0 here.
SeparableState state_at(const Curve& curve, const Ball& x, bool moves_radius) {
  const Ball y = curve.log_gap(x);
  return {y, exp(y), -expm1(y), moves_radius ? curve.r(x) : curve.r0, Ball(0)};
}

} // namespace

SeparableState Separable::at(const Ball& t) const {
  if (!arb_is_nonnegative(t.raw()) || !t.is_finite())
    throw std::invalid_argument(fmt::format("t = {}: must be finite and certainly >= 0", ball_text(t, 6)));
  Route& way = route();
  const Ball natural = t * way.unit;
  const std::string& name = params_.scheme.name;
  if (!way.mix) {
    const Ball x = way.clock.inverse(way.budget.of(natural));
    SeparableState out = state_at(way.curve, x, separable::has_radius(measure_of(name)));
    const Ball depth = sqrt(Ball(1) + natural);
    if (name == "post") out.speed_factor = Ball(1);
    if (name == "pre") out.speed_factor = out.r;
    if (name == "sqrt") out.speed_factor = depth;
    if (name == "lns") out.speed_factor = out.r * depth;
    if (name == "peri") out.speed_factor = out.r * way.curve.norm(x);
    if (name == "ngpt")
      out.speed_factor = way.curve.norm(x) * exp(way.budget.decay * log1p(natural)) / way.budget.alpha;
    return out;
  }
  const auto before = [&](const Ball& time) {
    SeparableState out = state_at(way.curve, way.clock.inverse(time), false);
    out.speed_factor = Ball(1);
    return out;
  };
  const auto after = [&](const Ball& time) {
    way.make_late();
    SeparableState out = state_at(*way.late_curve, way.late_clock->inverse(time), true);
    out.speed_factor = out.r;
    return out;
  };
  if (arb_le(natural.raw(), way.tau.raw())) return before(natural);
  const Ball rest = natural - way.tau;
  if (certainly_positive(rest)) return after(rest);
  // tau and t overlap. Both pieces go on in g and r at tau; times below tau are in before already.
  const Ball upper = rest.upper();
  return joined(before(natural), after(hull(Ball(0), upper)));
}

SeparableState Separable::at_digits(const Number& t, int digits) const {
  if (digits < 1 || digits > 100000)
    throw std::invalid_argument(fmt::format("digits = {}: must be between 1 and 100000", digits));
  if (compare(t, 0) < 0) throw std::invalid_argument(fmt::format("t = {}: must be >= 0", t.text()));
  constexpr slong most_bits = 400000;
  const slong wanted = BallBits::of_digits(digits);
  // The exponential integrals of size e^{beta (1-g0)} cancel in log r.
  const double cancelled = params_.beta.approx() * (1 - params_.g0.approx()) * 1.4426950408889634;
  const bool cancels = separable::has_radius(measure_of(params_.scheme.name));
  slong bits = wanted + 40 + static_cast<slong>(cancels ? std::clamp(cancelled, 0.0, 1e5) : 0.0);
  std::string reason;
  while (bits <= most_bits) {
    const BallBits here(bits);
    try {
      SeparableState s = at(t.as<Ball>());
      const slong missing = std::max(lacking(s.log_gap, wanted), lacking(s.r / s.r.midpoint(), wanted));
      if (missing <= 0) return s;
      reason = fmt::format("{} bits were missing", missing);
      bits += std::min(missing, bits) + 24;
    } catch (const NotEnoughBits& e) {
      reason = e.what();
      bits *= 2;
    }
  }
  throw std::runtime_error(
      fmt::format("{} digits at t = {} need more than {} bits: {}", digits, t.text(), most_bits, reason));
}

Ball Separable::time_of(const Ball& gap) const {
  Route& way = route();
  const Ball U = exp(way.curve.log_U);
  const Ball start = U * way.curve.p(way.curve.x0);
  if (!certainly_positive(gap) || certainly_less(start, gap))
    throw std::domain_error(fmt::format("1-g = {}: must be > 0 and <= 1-g0", ball_text(gap, 6)));
  const auto logit = [&](const Ball& v) {
    if (certainly_less(start, v)) return way.curve.x0; // an end beyond the start is cut there
    const Ball x = log(v / (U - v));
    return certainly_less(v, start) ? x : hull(x, way.curve.x0);
  };
  const Ball low = logit(gap.lower()), high = logit(gap.upper());
  const Ball x = hull(low, high);
  if (!x.is_finite()) throw NotEnoughBits("the gap is not told from its bounds at this precision");
  const auto known = [](Ball time) {
    if (!time.is_finite()) throw NotEnoughBits("the time is not known at this precision");
    return time;
  };
  if (!way.mix) return known(way.budget.time(way.clock.value_of_ball(x)) / way.unit);
  const Ball early = way.clock.value_of_ball(x);
  if (certainly_less(early, way.tau)) return known(early / way.unit);
  way.make_late();
  // late_curve starts at tau; an x before that start belongs to the early piece.
  const Ball& joint = way.late_curve->x0;
  if (!certainly_less(joint, x)) {
    const Ball upper = certainly_less(x, joint) ? x.upper() : joint.upper();
    const Ball late = way.tau + way.late_clock->value_of_ball(hull(x.lower(), upper));
    if (certainly_less(x, joint)) return known(late / way.unit);
    return known(hull(early, late) / way.unit);
  }
  return known(early / way.unit);
}

Ball Separable::terminal_constant() const {
  Route& way = route();
  const std::string& name = params_.scheme.name;
  const Ball U = exp(way.curve.log_U);
  if (name == "ngpt" && compare(params_.scheme.alpha_decay, 1) > 0)
    throw std::domain_error("alpha-decay > 1: the integral of alpha is finite and g does not reach 1");
  if (way.mix) {
    way.make_late();
    const Ball limit = way.late_clock->limit();
    return U * limit * limit;
  }
  const Ball limit = way.clock.limit();
  if (separable::has_radius(measure_of(name))) {
    const Ball square = U * limit * limit;
    return name == "lns" ? square / Ball(4) : square;
  }
  if (name != "sqrt") return U * exp(Ball(2) * limit);
  const Ball c = params_.attention == Attention::unnormalised ? exp(params_.beta.as<Ball>()) : Ball(1);
  return U * exp(Ball(2) * limit + Ball(4) * c);
}

} // namespace attndyn
