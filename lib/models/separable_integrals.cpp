#include "lib/models/separable_integrals.hpp"

namespace attndyn::separable {

Clock::Clock(const Curve& curve, Measure measure)
    : curve_(curve), measure_(measure), from_(curve.x0.midpoint()), bits_(BallBits::now()) {
  const Ball offset = curve_.x0 - from_;
  if (measure_ == Measure::one) return;
  tail_ = std::make_unique<Tail>(curve_, measure_);
  shift_ = offset * curve_.rate(measure_, curve_.x0);
}

void Clock::extend() {
  const BallBits full(bits_); // value may be asked for at a lower precision
  const Ball right = last_left();
  if (certainly_less(curve_.p(right), tail_->reach())) {
    tail_joined_ = true;
    tail_right_ = right;
    tail_constant_ = last_F() - tail_->value(right);
    return;
  }
  panels_.push_back(next_panel(right, last_F()));
}

Ball Clock::value(const Ball& x) {
  if (measure_ == Measure::one) return curve_.T(x);
  if (certainly_less(from_, x)) // inside the ball x0
    return shift_ - (x - from_) * curve_.rate(measure_, hull(x, curve_.x0));
  while (!tail_joined_ && certainly_less(x, last_left())) extend();
  if (in_tail(x)) return tail_constant_ + tail_->value(x);
  for (const Panel& panel : panels_)
    if (!certainly_less(x, panel.left)) return panel.at(x);
  return shift_; // x = from_, no panel yet
}

Ball Clock::value_of_ball(const Ball& x) { return hull(value(x.upper()), value(x.lower())); }

void Clock::bracket(const Ball& target, Ball& left, Ball& right) {
  const auto beyond = [&](const Ball& F) { return certainly_less(target, F); };
  right = from_;
  if (measure_ != Measure::one) {
    while (!tail_joined_ && !beyond(last_F())) extend();
    for (const Panel& panel : panels_) {
      if (beyond(panel.F_left)) {
        left = panel.left;
        return;
      }
      right = panel.left;
    }
  }
  const Ball origin = right;
  Ball distance = Ball(1);
  for (int doublings = 0; doublings < 1100; ++doublings, distance *= Ball(2)) {
    left = (origin - distance).midpoint();
    if (beyond(value(left))) return;
    right = left;
  }
  throw NotEnoughBits("the time is beyond reach");
}

Ball Clock::candidate(const Ball& target) {
  Ball left, right;
  bracket(target, left, right);
  Ball x = ((left + right) / Ball(2)).midpoint();
  for (slong bits = std::min<slong>(128, bits_);; bits = std::min(2 * bits, bits_)) {
    try {
      const BallBits here(bits);
      x = refined(target, x, left, right);
    } catch (const NotEnoughBits&) {
      if (bits == bits_) throw;
    }
    if (bits == bits_) return x;
  }
}

Ball Clock::refined(const Ball& target, Ball x, Ball& left, Ball& right) {
  const auto inside = [&](const Ball& z) { return certainly_less(left, z) && certainly_less(z, right); };
  Ball last_size;
  for (int i = 0; i < 400; ++i) {
    const Ball residual = value(x) - target;
    const Ball rate = curve_.rate(measure_, x);
    if (!residual.is_finite() || !rate.is_finite() || contains_zero(residual)) break;
    (certainly_positive(residual) ? left : right) = x;
    Ball next = (x + residual / rate).midpoint();
    const Ball size = abs(residual).midpoint();
    const bool slow = i > 0 && !certainly_less(size * Ball(2), last_size);
    if (slow || !inside(next)) next = ((left + right) / Ball(2)).midpoint();
    if (!inside(next)) break; // the ends are neighbours at this precision
    last_size = size;
    x = next;
  }
  return x;
}

Ball Clock::inverse(const Ball& target) {
  const BallBits full(bits_);
  if (arb_is_zero(target.raw())) return curve_.x0;
  const Ball x = candidate(target.midpoint());
  const Ball rate = curve_.rate(measure_, x);
  const Ball residual = value(x) - target;
  if (!residual.is_finite() || !certainly_positive(rate))
    throw NotEnoughBits("the clock is not known at this precision");
  Ball half = (abs(residual).upper() / rate * Ball(2)).upper();
  for (int tries = 0; tries < 12; ++tries, half *= Ball(4)) {
    const Ball low = (x - half).lower();
    Ball high = (x + half).upper();
    const bool at_start = !certainly_less(high, curve_.x0); // F >= 0 needs x <= x0
    if (at_start) high = curve_.x0.upper();
    if (arb_ge(value(low).raw(), target.raw()) && (at_start || arb_le(value(high).raw(), target.raw())))
      return hull(low, high);
  }
  throw NotEnoughBits("the inverse of the clock is not known at this precision");
}

Ball Clock::limit() {
  if (measure_ == Measure::one) return curve_.T_limit();
  if (has_radius(measure_)) return tail_->leading();
  while (!tail_joined_) extend();
  return tail_constant_;
}

} // namespace attndyn::separable
