/// One step of the rigorous integrator: what a piece of the equation needs for it, kept from step to step.
#pragma once

#include "lib/integrators/rigorous.hpp"

#include <limits>
#include <optional>

namespace attndyn {

class RigorousStepper {
public:
  /// At the working precision of this moment, for local errors of 10^-working_digits max(1, |x_i|). Throws
  /// std::invalid_argument if the tape is no field.
  RigorousStepper(const Tape& f, int working_digits);

  /// Takes `set` from t to t + h, h <= remaining (a ball of positive numbers); the step says which h, and
  /// that is `remaining` itself if it could be. Nothing if no step can be proved; the set is then unchanged.
  std::optional<RigorousStep> step(LohnerSet& set, const Ball& t, const Ball& remaining);

  std::uint64_t rejected() const { return rejected_; }

private:
  double log_longest() const;
  /// The first `count` series of jets, from component `first` on, cut before `order`, over tau.
  Vector<Ball> over(const Jets<Ball>& jets, const Ball& tau, int order, std::size_t first,
                    std::size_t count) const;
  /// A box that contains the solutions from the set over all of [0, h]; range_ then starts there.
  std::optional<Vector<Ball>> enclose(const Ball& t, const Ball& zero_to_h);
  /// Whether the derivatives could be enclosed too; tangents_range_ then starts there.
  bool enclose_tangents(const Vector<Ball>& range, const Ball& t, const Ball& zero_to_h);
  /// Share of the derivatives over the step that their remainder makes up, the worst of the directions.
  double tangent_remainder(const Ball& h) const;
  /// log of the factor by which h must shrink for the remainder to keep the local tolerance (< 0), or may
  /// grow.
  double log_margin(const Ball& h) const;
  RigorousStep finish(LohnerSet& set, const Ball& t, const Ball& h, const Vector<Ball>& range) const;

  slong bits_; ///< working precision
  std::size_t size_;
  int order_, low_order_;
  Ball tolerance_;                                      ///< 10^-working_digits
  Jets<Ball> centre_;                                   ///< at the centre, working precision
  std::optional<Jets<Ball>> range_;                     ///< over the step
  std::optional<Jets<Ball>> tangents_, tangents_range_; ///< with derivatives: over the set, over the step
  Vector<Ball> local_;                                  ///< tolerance_ max(1, |x_i|)
  double log_ratio_ = -0.4; ///< log of (step that was proved / step guessed), learnt
  double log_last_ = std::numeric_limits<double>::infinity(); ///< log of the last step
  std::uint64_t rejected_ = 0;
};

} // namespace attndyn
