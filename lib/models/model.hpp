/// A right-hand side with what the time loop must know about it.
#pragma once

#include "lib/real/recorded.hpp"
#include "lib/real/types.hpp"
#include "lib/stop.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace attndyn {

/// A state at which the equation itself ends or loses its meaning: a radius that reaches zero, |A_j| = 0
/// where the scheme divides by it.
template <class Real> struct Trouble {
  Stop why;
  std::string detail; ///< names the token
  Real time;          ///< when it happens, extrapolated where that is known
};

/// x' = f(x, t), piecewise in t. States are flat vectors of size(); all members are const and thread-safe.
template <class Real> class Model {
public:
  virtual ~Model() = default;

  virtual std::size_t size() const = 0;

  /// Times at which the equation changes, strictly increasing. Piece p holds between switches p-1 and p; on a
  /// switch itself both neighbours may be asked for.
  virtual const Vector<Real>& switches() const {
    static const Vector<Real> none;
    return none;
  }

  /// dxdt = f(x, t) in the given piece. dxdt has size() elements already. Non-finite values are reported by
  /// solve.
  virtual void field(std::size_t piece, const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) const = 0;

  /// The field of a piece recorded near (x, t); nothing where a model has no straight-line code.
  virtual std::optional<Recording> record_field(std::size_t, const Vector<Real>&, const Real&) const {
    return std::nullopt;
  }

  /// Brings x back to where the equation keeps it (the spheres) and returns by how much it was off, relative.
  virtual double retract(Vector<Real>&) const { return 0; }
  virtual bool retracts() const { return false; }

  /// The size that the components of a state have by themselves, > 0: errors are measured in this unit.
  virtual Real scale() const { return Real(1); }

  struct Situation {
    std::size_t piece;
    const Vector<Real>&x, &dxdt; ///< dxdt may hold non-finite values if desperate
    const Real& t;
    const Vector<Real>& x0; ///< the start
    const Real& tolerance;  ///< what the user asked for
    bool desperate;         ///< the loop cannot go on and wants to know why: a looser test is right
  };
  /// Asked at the start and after every step.
  virtual std::optional<Trouble<Real>> trouble(const Situation&) const { return std::nullopt; }
};

/// Any function as a model, for tests and for equations that need no class of their own.
template <class Real> class FunctionModel final : public Model<Real> {
public:
  using Field = std::function<void(const Vector<Real>& x, Vector<Real>& dxdt, const Real& t)>;
  /// recorded: the same function for recording, for the steppers that need it.
  FunctionModel(std::size_t size, Field f, Real scale = Real(1), RecordedField recorded = {})
      : size_(size), f_(std::move(f)), scale_(scale), recorded_(std::move(recorded)) {}

  std::size_t size() const override { return size_; }
  Real scale() const override { return scale_; }
  void field(std::size_t, const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) const override {
    f_(x, dxdt, t);
  }
  std::optional<Recording> record_field(std::size_t, const Vector<Real>& x, const Real& t) const override {
    if (!recorded_) return std::nullopt;
    return Recording{attndyn::record_field(plain_values(x), plain_value(t), recorded_), true};
  }

private:
  std::size_t size_;
  Field f_;
  Real scale_;
  RecordedField recorded_;
};

} // namespace attndyn
