/// The Dormand-Prince pair 8(5,3) with its seventh-order dense output, as an Odeint error stepper.
///
/// Odeint's own eighth-order pair, Fehlberg 7(8), has equal weights for the two quadratures it compares and
/// so sees no error in x' = f(t); this one has no such blind spot. E. Hairer, S. P. Norsett, G. Wanner,
/// Solving Ordinary Differential Equations I (2nd ed.), sections II.5 and II.6. Coefficients:
/// tables/dop853_table.inc, the published ones refined to 130 digits on the order conditions, so the stepper
/// keeps its order in every number type.
#pragma once

#include "lib/integrators/dop853_table.hpp"
#include "lib/integrators/linear_combination.hpp"
#include "lib/real/odeint.hpp"

namespace attndyn {

/// Models Odeint's Error Stepper concept: usable with make_controlled, and on its own through do_step.
/// State: a std::vector of Value. Not thread-safe; one per integration.
template <class State, class Value = double, class Deriv = State, class Time = Value,
          class Algebra = boost::numeric::odeint::range_algebra,
          class Operations = boost::numeric::odeint::default_operations,
          class Resizer = boost::numeric::odeint::initially_resizer>
class Dop853 : public boost::numeric::odeint::explicit_error_stepper_base<
                   Dop853<State, Value, Deriv, Time, Algebra, Operations, Resizer>, 8, 8, 7, State, Value,
                   Deriv, Time, Algebra, Operations, Resizer> {
public:
  Dop853() = default;

  template <class Sys, class In, class DerivIn, class Out>
  void do_step_impl(Sys system, const In& in, const DerivIn& dxdt, Time t, Out& out, Time dt) {
    run_stages(system, in, dxdt, t, dt);
    combine(dxdt, table_.b, dt, in, out);
  }

  /// As above, with the error estimate e5^2 / sqrt(e5^2 + e3^2 / 100) of the book, taken per component.
  /// out may be in; xerr must be neither.
  template <class Sys, class In, class DerivIn, class Out, class Err>
  void do_step_impl(Sys system, const In& in, const DerivIn& dxdt, Time t, Out& out, Time dt, Err& xerr) {
    using std::sqrt;
    run_stages(system, in, dxdt, t, dt);
    const std::size_t size = in.size();
    e3_.assign(size, Value(0));
    xerr.assign(size, Value(0));
    combine(dxdt, table_.e5, dt, zero(size), xerr);
    combine(dxdt, table_.e3, dt, zero(size), e3_);
    combine(dxdt, table_.b, dt, in, out);
    for (std::size_t i = 0; i < size; ++i) {
      if (xerr[i] == 0) continue; // false for NaN, which must go through
      const Value ratio = e3_[i] / xerr[i];
      xerr[i] = xerr[i] / sqrt(Value(1 + ratio * ratio / 100));
    }
  }

  /// The error of the fifth-order embedded solution in the last do_step, sum_i dt (b_i - b5_i) k_i.
  void embedded_error(const Deriv& dxdt, Time dt, Deriv& out) {
    out.assign(dxdt.size(), Value(0));
    combine(dxdt, table_.e5, dt, zero(dxdt.size()), out);
  }

  /// Three more stages, and the interpolating polynomial of the step in -> out just taken by do_step with
  /// dxdt the derivative at its start and dxdt_new at its end. Call once a step, before `interpolate`.
  template <class Sys>
  void prepare_dense(Sys system, const State& in, const Deriv& dxdt, Time t, Time dt, const State& out,
                     const Deriv& dxdt_new) {
    typename boost::numeric::odeint::unwrap_reference<Sys>::type& sys = system;
    const std::size_t size = in.size();
    k_[12] = dxdt_new;
    for (int s = 13; s < 16; ++s) {
      combine(dxdt, table_.a[s], dt, in, x_);
      k_[s].resize(size);
      sys(x_, k_[s], t + table_.c[s] * dt);
    }
    for (int p = 0; p < 7; ++p) f_[p].resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      f_[0][i] = out[i] - in[i];
      f_[1][i] = dt * dxdt[i] - f_[0][i];
      f_[2][i] = 2 * f_[0][i] - dt * (dxdt[i] + dxdt_new[i]);
    }
    for (int p = 0; p < 4; ++p) combine(dxdt, table_.d[p], dt, zero(size), f_[3 + p]);
  }

  /// x(t + theta dt), theta in [0, 1], after prepare_dense for the step that started at in.
  void interpolate(const State& in, const Value& theta, State& out) const {
    const Value rest = 1 - theta;
    out.resize(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      Value sum = f_[6][i];
      for (int p = 5; p >= 0; --p) sum = f_[p][i] + (p % 2 == 0 ? rest : theta) * sum;
      out[i] = in[i] + theta * sum;
    }
  }

private:
  template <class Sys, class In, class DerivIn>
  void run_stages(Sys system, const In& in, const DerivIn& dxdt, Time t, Time dt) {
    typename boost::numeric::odeint::unwrap_reference<Sys>::type& sys = system;
    x_.resize(in.size());
    for (int s = 1; s < 12; ++s) {
      combine(dxdt, table_.a[s], dt, in, x_);
      k_[s].resize(in.size());
      sys(x_, k_[s], t + table_.c[s] * dt);
    }
  }

  /// out = base + dt sum_j weights_j k_j, with k_0 = dxdt. out may be base.
  template <class DerivIn, class Base, class Out>
  void combine(const DerivIn& dxdt, const SparseRow<Value>& weights, const Time& dt, const Base& base,
               Out& out) {
    terms_.clear();
    for (const auto& [stage, weight] : weights)
      terms_.push_back({dt * weight, stage == 0 ? dxdt.data() : k_[static_cast<std::size_t>(stage)].data()});
    linear_combination(base, terms_, out);
  }

  const State& zero(std::size_t size) {
    if (zero_.size() != size) zero_.assign(size, Value(0));
    return zero_;
  }

  Dop853Table<Value> table_;
  Deriv k_[16]; // k_[0] stays empty: the first stage is the caller's dxdt
  State x_, e3_, zero_, f_[7];
  std::vector<Term<Value>> terms_;
};

} // namespace attndyn

/// What lets Odeint's make_controlled take a Dop853.
namespace boost::numeric::odeint {

template <class Stepper> struct get_controller;

template <class State, class Value, class Deriv, class Time, class Algebra, class Operations, class Resizer>
struct get_controller<attndyn::Dop853<State, Value, Deriv, Time, Algebra, Operations, Resizer>> {
  using type =
      controlled_runge_kutta<attndyn::Dop853<State, Value, Deriv, Time, Algebra, Operations, Resizer>>;
};

} // namespace boost::numeric::odeint
