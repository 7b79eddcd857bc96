/// The equiangular flow without a differential equation: it is separable, so that the time at which 1-g has a
/// value is an exponential integral (Post-LN, sqrt-scaling) or one quadrature (the other schemes), and the
/// state at a time is the inverse of an increasing function. Theory, sections 3 and 4; derivation in
/// separable_curve.hpp and separable_integrals.hpp. Every result encloses the exact one.
///
/// It serves every scheme, softmax and unnormalised attention, beta of either sign and both clocks. Where r
/// moves, the exponential integrals lose 1.44 beta (1-g0) bits that at_digits adds beforehand: beta (1-g0) in
/// the hundreds is a matter of a second, in the thousands of many minutes.
#pragma once

#include "lib/models/equiangular_flow.hpp"
#include "lib/real/ball.hpp"

#include <memory>

namespace attndyn {

/// Enclosures of the exact solution at one time (or all times of a ball).
struct SeparableState {
  Ball log_gap; ///< y = log(1-g)
  Ball gap;     ///< 1-g, to full relative accuracy however small
  Ball g;
  Ball r;
  Ball speed_factor; ///< s; Mix-LN: of the piece that holds at the time, of both if that is not certain
};

/// An object belongs to one thread. What it has integrated is kept until the working precision (BallBits)
/// changes, so that many times at one precision cost little more than the latest.
class Separable {
public:
  /// Throws std::invalid_argument with problem_with's line.
  explicit Separable(const EquiangularParams&);
  Separable(Separable&&) noexcept;
  Separable& operator=(Separable&&) noexcept;
  ~Separable();

  /// At time t in the unit of params.clock, with the digits that BallBits allows. Throws
  /// std::invalid_argument if t >= 0 is not certain, std::runtime_error if BallBits is too low for any
  /// answer.
  SeparableState at(const Ball& t) const;

  /// The same with log_gap known to 10^-digits (absolute) and r to 10^-digits (relative), both radii. Raises
  /// the precision as far as that takes; throws std::runtime_error beyond 400000 bits. digits in [1, 100000],
  /// t >= 0, else std::invalid_argument.
  SeparableState at_digits(const Number& t, int digits) const;

  /// Time, in the unit of params.clock, at which 1-g has a value (or all of a ball of values). Throws
  /// std::domain_error if the gap is certainly none of (0, 1-g0] or, nGPT with alpha_decay > 1, never
  /// reached; std::runtime_error if BallBits is too low.
  Ball time_of(const Ball& gap) const;

  /// C of the terminal law of 1-g as t -> infinity ([NAD] Thm 4.1; constants: theory, section 4), t in
  /// natural units whatever the clock. With c = 1 for softmax and c = e^beta for unnormalised attention:
  ///     post C e^{-2ct}          sqrt C e^{-4c sqrt(t+1)}  (softmax: C e^{-4 sqrt t} has the same C)
  ///     pre, mix, peri C/t^2     lns C/t                   ngpt C exp(-2 int_0^t alpha)
  /// Throws std::domain_error for nGPT with alpha_decay > 1 (int alpha is finite: g does not reach 1).
  Ball terminal_constant() const;

private:
  struct Route;
  Route& route() const;
  EquiangularParams params_;
  mutable std::unique_ptr<Route> route_;
};

} // namespace attndyn
