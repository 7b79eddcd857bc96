/// The particle system (NA) of [NAD]: theta_j' = (1/s_j) P_{theta_j} A_j, r_j' = rho_j, for every scheme and
/// attention, with masses, several heads, and weights that may change at given times.
#pragma once

#include "lib/attention/field.hpp"
#include "lib/models/clock.hpp"
#include "lib/models/model.hpp"
#include "lib/real/text.hpp"
#include "lib/schemes/all.hpp"

#include <memory>

namespace attndyn {

template <class Real> struct ParticleParams {
  SchemeParams scheme;
  Attention attention = Attention::softmax;
  Number beta = 1;     ///< inverse temperature, from -1e3 to 1e4 tested
  Vector<Real> masses; ///< n values >= 0, not all 0, rescaled to sum 1; empty: 1/n each
  std::vector<Heads<Real>> weights = {Heads<Real>{}}; ///< one entry per interval of time, at least one
  Vector<Real>
      weight_switches; ///< increasing times at which the next entry takes over; one fewer than weights
  TimeScale clock = TimeScale::natural;
  /// Work in an orthonormal basis of the tokens' span (exact when every V and W is the identity; used if d >
  /// n).
  bool reduce_span = true;
};

/// State: theta (columns of the working dimension, see to_state) and log r.
template <class Real> class Particles final : public Model<Real> {
public:
  /// Throws std::invalid_argument with one line: parameter, value, rule.
  Particles(const ParticleParams<Real>&, const Tokens<Real>& start);

  std::size_t size() const override { return state_size(shape_); }
  const Vector<Real>& switches() const override { return switches_; }
  void field(std::size_t piece, const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) const override;
  /// Not for hardmax, nor for systems so large that their tape would fill the memory.
  std::optional<Recording> record_field(std::size_t piece, const Vector<Real>& x,
                                        const Real& t) const override;
  double retract(Vector<Real>& x) const override { return normalise_directions(x, shape_); }
  bool retracts() const override { return true; }
  std::optional<Trouble<Real>> trouble(const typename Model<Real>::Situation&) const override;

  /// The start in working coordinates.
  const Vector<Real>& start() const { return start_; }
  /// Working shape: d is min(n, d) under the span reduction. Cosines, energy, radii are the same in it.
  Shape shape() const { return shape_; }
  /// Working coordinates to the tokens of R^d that was handed in.
  Tokens<Real> lift(const Vector<Real>& x) const;

  /// One layer of size h at time t = k h, [NAD] Table of schemes: what a Transformer does, a first-order step
  /// of the flow. At a switch time the piece that begins there. False if a token becomes zero; x is then
  /// unspecified.
  bool layer(Vector<Real>& x, const Real& t, const Real& h) const;

  /// s_j of every token.
  Vector<Real> speed_factors(std::size_t piece, const Vector<Real>& x, const Real& t) const;

  const AttentionField<Real>& attention(std::size_t piece) const { return *pieces_[piece].attention; }
  const Vector<Real>& masses() const { return masses_; } ///< n values with sum 1
  Real beta() const { return beta_; }
  Attention kind() const { return kind_; }

private:
  struct Piece {
    AnyScheme<Real> scheme;
    std::size_t scheme_number; ///< in the schedule
    std::shared_ptr<const AttentionField<Real>> attention;
  };
  /// Unit directions of x into theta, then attention there.
  void attend(std::size_t piece, const Vector<Real>& x, Vector<Real>& theta, Attended<Real>& out) const;
  /// e^{degree L_j} (natural time per unit of the clock).
  Real clock_factor(const Piece&, double log_scale) const;
  TokenState<Real> token(std::size_t j, const Vector<Real>& x, const Real& t, const Attended<Real>&) const;
  bool vanishes(const Piece&, const Attended<Real>&, std::size_t j, double epsilons) const;
  /// How long until |A_j| falls below the tolerance asked for, if that is near.
  std::optional<Real> time_to_vanish(const typename Model<Real>::Situation&, const Attended<Real>&,
                                     std::size_t j) const;

  Shape shape_, full_;
  SchemeParams scheme_;
  Attention kind_;
  TimeScale clock_;
  Number beta_text_;
  Real beta_, log_unit_, time_unit_;
  Vector<Real> masses_;
  bool equal_masses_;
  std::vector<Piece> pieces_;
  Vector<Real> switches_;
  std::shared_ptr<const SpanBasis<Real>> basis_; // null: full coordinates
  Vector<Real> start_;
};

} // namespace attndyn
