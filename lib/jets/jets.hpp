/// The power series of a solution: x' = f(x, t) recorded once on a tape, replayed order by order. Every
/// operation has its recurrence (Moore; Jorba and Zou, Experimental Math. 14 (2005), sec. 3): the cost is one
/// coefficient of a product of series an order for a product, quotient, exp, log, sqrt, two for a power.
#pragma once

#include "lib/jets/relaxed.hpp"
#include "lib/jets/tape_algebra.hpp"

namespace attndyn {

/// For double, Float128, Mpfr and Ball (then every coefficient is an enclosure). Not thread-safe.
template <class Real> class Jets {
public:
  using Operations = Coefficients<Real>;
  using Coefficient = typename Operations::Type;

  /// f: inputs x_0..x_{m-1} with t at place `time_input` among them; outputs x' in the order of the x. Ball
  /// and Mpfr parameters are read at the precision of this moment. Throws std::invalid_argument if outputs
  /// and inputs do not match.
  Jets(const Tape& f, std::size_t time_input);

  std::size_t size() const { return states_.size(); }

  /// Starts the series x(t + unit tau) = sum_k c_k tau^k. x: size() values.
  void start(const Vector<Real>& x, const Real& t, const Real& unit);
  /// Computes c_1 .. c_order, going on from where it was.
  void extend(int order);
  int order() const { return order_; }

  /// c_0 .. c_order of component i (and room for more).
  const Vector<Coefficient>& series(std::size_t i) const { return states_[i]; }
  bool finite() const;
  /// The polynomials at tau, cut after c_order.
  void evaluate(const Coefficient& tau, Vector<Real>& x) const;
  /// sum_k k c_k tau^k, which is tau times the derivative of the polynomials.
  void evaluate_slope(const Coefficient& tau, Vector<Real>& tau_slope) const;

private:
  void reserve(int order);
  void operation(std::size_t i, int k);
  void first(std::size_t i);

  struct Node {
    Tape::Operation op{};
    bool varies = false;            ///< false: its series is its first coefficient
    bool slope_needed = false;      ///< i c_i is stored too
    Vector<Coefficient> own, slope; ///< own is empty for the inputs, whose series are the states'
    RelaxedProduct<Real> product, second;
    Coefficient inverse{}; ///< of the first coefficient that is divided by
  };
  Vector<Coefficient>& series_of(std::size_t op) {
    Node& n = nodes_[op];
    if (n.op.op != Tape::Op::input) return n.own;
    return n.op.a == time_input_ ? time_ : states_[state_of(n.op.a)];
  }
  std::size_t state_of(std::uint32_t input) const { return input < time_input_ ? input : input - 1; }

  Tape tape_;
  std::size_t time_input_;
  std::vector<Node> nodes_;
  std::vector<Vector<Coefficient>> states_;
  Vector<Coefficient> time_;
  Coefficient unit_{}, scratch_{};
  int order_ = 0;
};

} // namespace attndyn
