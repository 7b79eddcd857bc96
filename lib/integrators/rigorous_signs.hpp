/// What an enclosed solution proves about a function h(x, t) of it: its sign over an interval of time, the
/// first time at which it is zero.
#pragma once

#include "lib/integrators/rigorous.hpp"

#include <optional>

namespace attndyn {

/// h along a solution: enclosures of h and of dh/dt = Dh (f, 1).
class ObservableAlong {
public:
  /// h: record_field's inputs x_0 .. x_{m-1}, t, and one output. The solution must have kept its steps and
  /// outlive this. Throws std::invalid_argument.
  ObservableAlong(const RigorousSolution& solution, const Tape& h);

  /// Contains h(x(s), s) for every s of the ball that lies in [t0, t].
  Ball value(const Ball& s);
  struct Range {
    Ball value, slope; ///< over the ball s; the slope also where pieces of the equation meet
  };
  /// The mean-value form: narrower than value(s) over an interval.
  Range range(const Ball& s);

private:
  Vector<Ball> inputs(const Ball& s) const;

  const RigorousSolution& solution_;
  Tape h_, with_slope_;
  slong bits_;
  std::optional<Replay<Ball>> value_, slope_;
  std::vector<Replay<Ball>> fields_;
};

enum class Proof { proved, refuted, undecided };
const char* name_of(Proof);

struct SignProof {
  Proof verdict;
  Ball t; ///< refuted: a time at which h has certainly not the sign; undecided: where it could not be told
  Ball value;              ///< h there
  std::uint64_t intervals; ///< looked at
};

/// Whether sign h > 0 over [from, to] (sign = 1 or -1): proved for every number of it, or refuted at one
/// time, or undecided after max_intervals bisections. Throws std::invalid_argument for times outside the
/// solution.
SignProof prove_sign(const RigorousSolution&, const Tape& h, int sign, const Number& from, const Number& to,
                     std::uint64_t max_intervals = 100'000);

struct ZeroProof {
  Proof verdict; ///< refuted: h has no zero in [from, to]
  Ball t;        ///< proved: contains the first zero and no other; undecided: from here on nothing is known
  int direction; ///< proved: 1 if h rises through it, -1 if it falls
};

/// The first zero of h in [from, to], proved by the sign of h before and after it and that of dh/dt between.
/// h must have a sign at `from`, and must cross with dh/dt != 0; else undecided. Throws as prove_sign.
ZeroProof first_zero(const RigorousSolution&, const Tape& h, const Number& from, const Number& to,
                     std::uint64_t max_intervals = 100'000);

} // namespace attndyn
