/// What the time loop asks of a one-step method. The loop (lib/solve) knows no stepper by name; a stepper
/// knows nothing of output times, events or schedules.
#pragma once

#include "lib/real/recorded.hpp"
#include "lib/real/types.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attndyn {

/// dxdt = f(x, t), the signature of an Odeint system. x and dxdt have the same size and never alias.
template <class Real>
using System = std::function<void(const Vector<Real>& x, Vector<Real>& dxdt, const Real& t)>;

/// Records the field near a state.
template <class Real> using FieldRecording = std::function<Recording(const Vector<Real>& x, const Real& t)>;

/// Local error control: a step is accepted when |error_i| <= max(absolute, relative |x_i|) for every i.
template <class Real> struct LocalTolerance {
  Real absolute; ///< > 0, in the units of the state
  Real relative; ///< >= 0; a few epsilons, so that a component of size 1e6 is not asked for digits it has not
  Real scale = Real(1); ///< Model::scale(): what `absolute` is to be measured by
};

/// The outcome of one attempt. A rejected attempt leaves no trace but its shorter next_step.
template <class Real> struct Attempt {
  bool accepted = false;
  bool finite = true; ///< false: the attempt met a non-finite derivative, state or error estimate
  Real next_step;     ///< the step to try next, same sign as the one tried
};

/// One accepted step, owned by the loop: from (t, x, dxdt) over step to (x_new, dxdt_new).
template <class Real> struct Step {
  Real t, step;
  Vector<Real> x, dxdt, x_new, dxdt_new;
};

template <class Real> class Stepper {
public:
  virtual ~Stepper() = default;

  /// Order of the error of x_new over a fixed time.
  virtual int order() const = 0;
  /// Order q of `interpolate`: over one step its error is O(step^(q+1)), so over a fixed time it follows the
  /// steps if q >= order() - 1. 0 where there is no dense output.
  virtual int dense_order() const { return 0; }
  /// False for a fixed-step method, which accepts every finite step and proposes the same one again.
  virtual bool adaptive() const { return true; }
  /// True if a rejected attempt has cost one call of the field at most and names a step that will do: the
  /// loop then tries long steps first, and does not count rejections.
  virtual bool rejections_are_free() const { return false; }
  /// True if an accepted attempt leaves f(x_new, t + step) in Step::dxdt_new at no extra cost.
  virtual bool first_same_as_last() const { return false; }

  /// Tries s.step from (s.t, s.x, s.dxdt); writes s.x_new (and s.dxdt_new if first_same_as_last).
  virtual Attempt<Real> attempt(const System<Real>& f, Step<Real>& s) = 0;

  /// The state at s.t + theta s.step, theta in [0, 1], of the attempt just accepted. Only if dense_order() >
  /// 0.
  virtual void interpolate(const System<Real>& f, const Step<Real>& s, const Real& theta, Vector<Real>& out);

  /// Forgets the history (step-size memory, stored stages): call after the state or the equation has jumped.
  virtual void reset() {}
};

/// The names `make_stepper` takes, the default of double first.
const std::vector<std::string>& stepper_names();

/// A fresh stepper for states of any one size. name: "dop853", "dopri5", "fehlberg78", "bulirsch_stoer",
/// "rk4", "euler", "taylor". The coefficients have the precision that Mpfr has at this moment. "taylor" needs
/// `recording`. Throws std::invalid_argument for another name.
template <class Real>
std::unique_ptr<Stepper<Real>> make_stepper(std::string_view name, const LocalTolerance<Real>& tolerance,
                                            const FieldRecording<Real>& recording = {});

/// Order of the named stepper without making one (16, the highest it reaches, for bulirsch_stoer; 0 for
/// taylor, whose order follows the tolerance).
int stepper_order(std::string_view name);
/// True for the steppers that take a fixed step.
bool has_fixed_step(std::string_view name);
/// True for the steppers that need a model whose field can be recorded.
bool needs_recording(std::string_view name);

} // namespace attndyn
