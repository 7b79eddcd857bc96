/// Taylor series integration: any order, in every number type, with the polynomial itself as dense output.
/// Jorba and Zou, A software package for the numerical integration of ODEs by means of high-order Taylor
/// methods, Experimental Math. 14 (2005).
#pragma once

#include "lib/integrators/stepper.hpp"
#include "lib/jets/jets.hpp"

#include <optional>

namespace attndyn {

/// Order at which the terms of a series, over a step of e^-2 of its radius of convergence, fall to a relative
/// tolerance: about 1.15 orders a digit, at least 4. log_relative: natural logarithm of the tolerance, < 0.
int taylor_order(double log_relative);

/// The step is known before it is taken: an attempt that asks for more is rejected at no cost, and the series
/// is kept for the next. The field at the end of the step then tells whether the series was to be believed.
template <class Real> class TaylorStepper final : public Stepper<Real> {
public:
  /// recording: gives the tape of the field near a state. Throws std::invalid_argument without one.
  TaylorStepper(const LocalTolerance<Real>& tolerance, FieldRecording<Real> recording);

  /// Of the last series; for the next it follows the size of the state.
  int order() const override { return order_; }
  int dense_order() const override { return order_; }
  bool rejections_are_free() const override { return true; }
  bool first_same_as_last() const override { return true; }
  Attempt<Real> attempt(const System<Real>& f, Step<Real>& s) override;
  void interpolate(const System<Real>&, const Step<Real>& s, const Real& theta, Vector<Real>& out) override;
  void reset() override;

private:
  using Coefficient = typename Jets<Real>::Coefficient;

  void expand(const Step<Real>& s);
  bool expand_in(const Step<Real>& s, const Real& unit);
  void record(const Vector<Real>& x, const Real& t);
  /// What is tolerated of a component.
  Real weight(const Real& x) const;
  int order_at(const Vector<Real>& x) const;
  /// Of the equation at the end of the step (which goes to dxdt_new), over what is tolerated.
  double defect(const System<Real>& f, Step<Real>& s, const Coefficient& tau);
  /// The longest step, in the unit of the series, whose last two terms are below the tolerance.
  double longest(const Step<Real>& s) const;

  LocalTolerance<Real> tolerance_;
  FieldRecording<Real> recording_;
  int order_;
  std::optional<Jets<Real>> jets_;
  bool everywhere_ = false; ///< the recording holds at all states
  bool expanded_ = false;   ///< the series belongs to (t_, x_)
  Real t_ = 0, unit_ = 0, longest_ = 0;
  Vector<Real> x_, slope_;
};

} // namespace attndyn
