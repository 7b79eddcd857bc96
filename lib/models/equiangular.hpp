/// The equiangular reduction as a model for `solve`.
#pragma once

#include "lib/models/equiangular_flow.hpp"
#include "lib/models/model.hpp"

namespace attndyn {

/// State: {log(1-g), log r}.
template <class Real> class Equiangular final : public Model<Real> {
public:
  /// Throws std::invalid_argument with problem_with's line.
  explicit Equiangular(const EquiangularParams&);

  std::size_t size() const override { return 2; }
  const Vector<Real>& switches() const override { return flow_.schedule().switches; }
  void field(std::size_t piece, const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) const override {
    flow_(piece, x, dxdt, t);
  }
  std::optional<Recording> record_field(std::size_t piece, const Vector<Real>& x,
                                        const Real& t) const override;
  std::optional<Trouble<Real>> trouble(const typename Model<Real>::Situation&) const override;

  Vector<Real> start() const { return start_; }
  /// The speed regulation factor s at a state.
  Real speed_factor(std::size_t piece, const Vector<Real>& x, const Real& t) const {
    return flow_.speed_factor(piece, x, t);
  }
  /// dg/dt at a state.
  Real speed(std::size_t piece, const Vector<Real>& x, const Real& t) const;

private:
  EquiangularParams params_;
  EquiangularFlow<Real> flow_;
  Vector<Real> start_;
};

/// g = 1 - e^y without cancellation near g = 0.
template <class Real> Real cosine_from_log_gap(const Real& y);

} // namespace attndyn
