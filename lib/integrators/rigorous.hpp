/// Solutions with proof: boxes that certainly contain the solution of x' = f(x, t), at given times and over
/// every step between, in Arb's ball arithmetic. What comes out holds whatever the number of digits; more
/// digits make it narrower.
///
/// A step is a Taylor polynomial of high order at the centre of the set, the remainder enclosed by the same
/// series started at a box that provably holds the solution over the whole step (high-order enclosure: G.
/// Corliss and R. Rihm (1996); N. Nedialkov, K. Jackson and J. Pryce, Reliable Computing 7 (2001)), and the
/// variational equation to low order for the set around the centre (rigorous_set.hpp).
#pragma once

#include "lib/integrators/rigorous_set.hpp"
#include "lib/jets/jets.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attndyn {

/// x' = f_p(x, t) between the switches p-1 and p, from x(t0).
struct RigorousProblem {
  /// record_field's: inputs x_0 .. x_{m-1}, t; outputs x'. They must hold at all states (no constants chosen
  /// near one); one more than switches.
  std::vector<Tape> pieces;
  std::vector<Number> switches; ///< strictly increasing
  Number t0 = 0;
  /// A box that contains x(t0), at the working precision of the call: the higher that, the narrower the box,
  /// unless the start is a box by itself.
  std::function<Vector<Ball>()> start;
};

/// The solution over one step.
struct RigorousStep {
  std::size_t piece;
  Ball t;      ///< where it begins; its radius is rounding
  Ball length; ///< > 0
  /// For each component a_0 .. a_p: x_i(t + tau) lies in sum_k a_k tau^k for every tau in [0, length].
  std::vector<Vector<Ball>> series;
  Vector<Ball> range; ///< contains x over the whole step

  /// Contains x(t + tau) for every tau of the ball that lies in [0, length].
  Vector<Ball> at(const Ball& tau) const;
};

enum class RigorousStop {
  reached,            ///< all times, with the digits asked for
  digits_not_reached, ///< enclosures hold, but are wider than asked for (see digits)
  max_steps,
  max_seconds,
  no_enclosure, ///< no step however short could be proved: the solution ends, or the set is too wide
  observer
};
/// "reached", "digits_not_reached", ...
const char* name_of(RigorousStop);

struct RigorousOptions {
  /// Every sample has radius <= 10^-digits max(1, |x_i|). In [1, 100000].
  int digits = 15;
  /// Largest number of digits to compute with; 0: 4 digits + 100.
  int max_working_digits = 0;
  std::uint64_t max_steps = 1'000'000; ///< of each attempt
  double max_seconds = 0;              ///< of all attempts together; 0: no limit
  bool keep_steps = true;              ///< false: RigorousSolution::steps stays empty
  /// Sees every step of every attempt; false ends the solve.
  std::function<bool(const RigorousStep&)> observer;
};

struct RigorousSample {
  Ball t;
  Vector<Ball> x;
  std::size_t piece; ///< on a switch the one that ends there
};

struct RigorousSolution {
  std::vector<RigorousSample> samples; ///< at the times asked for, fewer if it ended before
  std::vector<RigorousStep> steps;     ///< one after the other from t0 to t
  RigorousStop why = RigorousStop::reached;
  std::string detail; ///< a sentence where `why` is no success
  Ball t;             ///< how far it got
  Vector<Ball> x;     ///< there
  double digits = 0;  ///< the fewest that a sample has: -log10(radius / max(1, |x_i|)); 0 without samples
  int working_digits = 0, attempts = 0;
  std::uint64_t accepted = 0, rejected = 0; ///< steps of the last attempt
  double seconds = 0;
  slong bits = 0;                                  ///< for work on what is stored here; times need most
  std::shared_ptr<const std::vector<Tape>> pieces; ///< the problem's

  /// Contains x(s) for every s of the ball that lies in [t0, t]. Throws std::out_of_range if none does or the
  /// steps were not kept.
  Vector<Ball> at(const Ball& s) const;
  /// The same with the pieces of the equation that hold there: indices of steps, first to last.
  std::pair<std::size_t, std::size_t> steps_over(const Ball& s) const;
};

/// Solves to times.back(); times strictly increasing, the first >= t0. Raises the working precision and
/// starts over while the digits asked for are not met and more precision helps. Throws std::invalid_argument
/// naming value and rule.
RigorousSolution solve_rigorously(const RigorousProblem&, const std::vector<Number>& times,
                                  const RigorousOptions& = {});

} // namespace attndyn
