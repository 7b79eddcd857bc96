/// Clocks along a Curve: F(x) = int m (-dT) from the start, one quadrature of an analytic function of x.
///
/// On a panel [c-h, c+h] the integrand is its power series at c, integrated term by term. What is cut off is
/// bounded by Cauchy's estimate |f_k| <= max_{|z-c|=R} |f| / R^k with h = 3R/8, the maximum taken in complex
/// balls that cover the circle. R < pi keeps the disc off the poles of p(x); for |A| the disc must be free of
/// zeros of |A|^2, which its winding number on the circle decides. Near g = 1 the integrand is p^{-1} or
/// p^{-3/2} times a series in p, so one last panel reaches all the way to p = 0.
#pragma once

#include "lib/models/separable_curve.hpp"

#include <memory>
#include <vector>

namespace attndyn::separable {

/// A series in w, |w| <= 1, with a bound of everything cut off.
struct Polynomial {
  Series series;
  Ball rest; ///< [-bound, bound]
  Ball operator()(const Ball& w) const { return series(w) + rest; }
};

struct Panel {
  Ball left, right, centre, half; ///< exact, in x
  Polynomial antiderivative;      ///< in (x-centre)/half, times half
  Ball F_right, F_left;           ///< F there
  Ball at(const Ball& x) const;   ///< F(x)
};

/// F(x) = value(x) + constant for p(x) <= reach.
class Tail {
public:
  /// Throws NotEnoughBits if no disc round p = 0 serves.
  Tail(const Curve&, Measure);
  const Ball& reach() const { return reach_; }
  Ball value(const Ball& x) const;
  /// The leading term of value: -(leading/2) log p, or leading p^{-1/2} for a measure with r.
  const Ball& leading() const { return leading_; }

private:
  bool radius_;
  Ball reach_, leading_;
  std::unique_ptr<Polynomial> correction_; ///< in p/reach
};

/// At one working precision, that of BallBits when it was made. Panels are made as they are asked for.
class Clock {
public:
  Clock(const Curve&, Measure);

  /// F(x), x exact and not certainly above the start. Throws NotEnoughBits.
  Ball value(const Ball& x);
  /// F of every number of the ball.
  Ball value_of_ball(const Ball& x);
  /// All x with F(x) in the ball target >= 0: a midpoint found by Newton's method in numbers, then proven by
  /// the values of the increasing F at the two ends. Throws NotEnoughBits.
  Ball inverse(const Ball& target);
  /// lim F(x) + (log p)/2 (measures without r; for USA with Measure::one of e^beta F) or lim F(x) sqrt(p).
  Ball limit();

private:
  Panel next_panel(const Ball& right, const Ball& F_right);
  const Ball& last_left() const { return panels_.empty() ? from_ : panels_.back().left; }
  const Ball& last_F() const { return panels_.empty() ? shift_ : panels_.back().F_left; }
  bool in_tail(const Ball& x) const { return tail_joined_ && !certainly_less(tail_right_, x); }
  void extend(); ///< by one panel, or join the tail
  /// Exact left < right with F(left) > target, and F(right) <= target where right is below the start.
  void bracket(const Ball& target, Ball& left, Ball& right);
  /// An exact number where F is about target; low precision first.
  Ball candidate(const Ball& target);
  /// Newton's method in numbers at BallBits::now(), kept in its bracket by bisection; narrows the bracket.
  Ball refined(const Ball& target, Ball x, Ball& left, Ball& right);

  Curve curve_;
  Measure measure_;
  Ball from_;  ///< exact number in x0
  Ball shift_; ///< int between from_ and x0
  std::vector<Panel> panels_;
  std::unique_ptr<Tail> tail_; ///< none for Measure::one, which is closed
  bool tail_joined_ = false;
  Ball tail_right_, tail_constant_;
  slong bits_;
  Ball radius_{2}; ///< of the last disc
};

} // namespace attndyn::separable
