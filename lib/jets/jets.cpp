#include "lib/jets/jets.hpp"

#include <stdexcept>

namespace attndyn {

using Op = Tape::Op;

template <class Real>
Jets<Real>::Jets(const Tape& f, std::size_t time_input) : tape_(simplified(f)), time_input_(time_input) {
  if (tape_.outputs().size() + 1 != tape_.inputs() || time_input >= tape_.inputs())
    throw std::invalid_argument("jets: a tape of x' = f(x, t) has one output for each input but t");
  const typename Operations::Precision precision;
  states_.resize(tape_.outputs().size());
  nodes_.reserve(tape_.operations().size());
  for (const Tape::Operation& o : tape_.operations()) {
    Node n;
    n.op = o;
    switch (o.op) {
    case Op::input: n.varies = true; break;
    case Op::constant: n.own = {Coefficient(tape_.constants()[o.a])}; break;
    case Op::decimal: n.own = {Operations::from(parse_real<Real>(tape_.decimals()[o.a]))}; break;
    case Op::negate:
    case Op::exp:
    case Op::expm1:
    case Op::log:
    case Op::sqrt: n.varies = nodes_[o.a].varies; break;
    default: n.varies = nodes_[o.a].varies || nodes_[o.b].varies;
    }
    if (n.varies) {
      if (o.op == Op::exp) nodes_[o.a].slope_needed = true;
      if (o.op == Op::log) n.slope_needed = true;
      if (o.op == Op::pow) n.slope_needed = nodes_[o.a].slope_needed = true;
    }
    nodes_.push_back(std::move(n));
  }
  // What does not vary is computed once.
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (!nodes_[i].varies && nodes_[i].own.empty()) {
      nodes_[i].own.resize(1);
      first(i);
    }
}

template <class Real> void Jets<Real>::start(const Vector<Real>& x, const Real& t, const Real& unit) {
  const typename Operations::Precision precision;
  order_ = 0;
  unit_ = Operations::from(unit);
  reserve(1);
  for (std::size_t i = 0; i < states_.size(); ++i) states_[i][0] = Operations::from(x[i]);
  time_[0] = Operations::from(t);
  time_[1] = unit_;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].varies && nodes_[i].op.op != Op::input) first(i);
}

/// Room for the coefficients up to `order`, kept from step to step.
template <class Real> void Jets<Real>::reserve(int order) {
  const std::size_t size = static_cast<std::size_t>(order) + 1;
  if (time_.size() >= size) return;
  for (auto& s : states_) s.resize(size);
  time_.resize(size, Coefficient(0));
  for (Node& n : nodes_) {
    if (n.varies && n.op.op != Op::input) n.own.resize(size);
    if (n.slope_needed) n.slope.resize(size);
  }
}

template <class Real> void Jets<Real>::extend(int order) {
  const typename Operations::Precision precision;
  reserve(order);
  if (order_ == 0)
    for (Node& n : nodes_) {
      n.product.start(order);
      n.second.start(order);
    }
  for (int k = order_; k < order; ++k) {
    // c_{k+1} of the states from order k of the field, then order k+1 of every operation (but for the last).
    for (std::size_t s = 0; s < states_.size(); ++s) {
      const std::size_t o = tape_.outputs()[s];
      Coefficient& next = states_[s][static_cast<std::size_t>(k) + 1];
      if (!nodes_[o].varies && k > 0) {
        next = Coefficient(0);
        continue;
      }
      Operations::multiply(scratch_, series_of(o)[static_cast<std::size_t>(k)], unit_);
      Operations::divide(next, scratch_, k + 1);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].varies) operation(i, k + 1);
  }
  if (order > order_) order_ = order;
}

template <class Real> void Jets<Real>::first(std::size_t i) {
  using std::exp;
  using std::expm1;
  using std::log;
  using std::pow;
  using std::sqrt;
  Node& n = nodes_[i];
  Coefficient& out = n.own[0];
  const Coefficient& a = series_of(n.op.a)[0];
  const auto b = [&]() -> const Coefficient& { return series_of(n.op.b)[0]; };
  switch (n.op.op) {
  case Op::add: Operations::add(out, a, b()); break;
  case Op::subtract: Operations::subtract(out, a, b()); break;
  case Op::multiply: Operations::multiply(out, a, b()); break;
  case Op::divide:
    n.inverse = Operations::inverse(b());
    out = a / b();
    break;
  case Op::negate: Operations::negate(out, a); break;
  case Op::exp: out = exp(a); break;
  case Op::expm1: out = expm1(a); break;
  case Op::log:
    n.inverse = Operations::inverse(a);
    out = log(a);
    break;
  case Op::sqrt:
    out = sqrt(a);
    n.inverse = Operations::inverse(out + out);
    break;
  case Op::pow:
    n.inverse = Operations::inverse(a);
    out = pow(a, b());
    break;
  default: throw std::logic_error("jets: no operation");
  }
}

/// Coefficient k >= 1. a, b, c are the series of the arguments and of the result; S means sum over i.
template <class Real> void Jets<Real>::operation(std::size_t i, int k) {
  Node& n = nodes_[i];
  const auto at = [](Vector<Coefficient>& v, int j) -> Coefficient* { return v.data() + j; };
  if (n.op.op == Op::input) {
    if (n.slope_needed) Operations::multiply(n.slope[static_cast<std::size_t>(k)], *at(series_of(i), k), k);
    return;
  }
  Vector<Coefficient>& c = n.own;
  Coefficient& out = c[static_cast<std::size_t>(k)];
  const bool a_varies = nodes_[n.op.a].varies;
  Vector<Coefficient>& a = series_of(n.op.a);
  switch (n.op.op) {
  case Op::add:
  case Op::subtract: {
    Vector<Coefficient>& b = series_of(n.op.b);
    if (!nodes_[n.op.b].varies)
      out = *at(a, k);
    else if (a_varies && n.op.op == Op::add)
      Operations::add(out, *at(a, k), *at(b, k));
    else if (a_varies)
      Operations::subtract(out, *at(a, k), *at(b, k));
    else if (n.op.op == Op::add)
      out = *at(b, k);
    else
      Operations::negate(out, *at(b, k));
    break;
  }
  case Op::negate: Operations::negate(out, *at(a, k)); break;
  case Op::multiply: {
    Vector<Coefficient>& b = series_of(n.op.b);
    if (!a_varies)
      Operations::multiply(out, a[0], *at(b, k));
    else if (!nodes_[n.op.b].varies)
      Operations::multiply(out, *at(a, k), b[0]);
    else
      n.product.next(out, a.data(), b.data(), k);
    break;
  }
  case Op::divide: { // b_0 c_k = a_k - S_{i=1}^k b_i c_{k-i}
    Vector<Coefficient>& b = series_of(n.op.b);
    if (!nodes_[n.op.b].varies) {
      Operations::multiply(out, *at(a, k), n.inverse);
      break;
    }
    n.product.next(scratch_, at(b, 1), c.data(), k - 1);
    if (a_varies)
      Operations::subtract(scratch_, *at(a, k), scratch_);
    else
      Operations::negate(scratch_, scratch_);
    Operations::multiply(out, scratch_, n.inverse);
    break;
  }
  case Op::exp: // k c_k = S_{i=1}^k (i a_i) c_{k-i}
    n.product.next(scratch_, at(nodes_[n.op.a].slope, 1), c.data(), k - 1);
    Operations::divide(out, scratch_, k);
    break;
  case Op::expm1: out = *at(nodes_[n.op.b].own, k); break;
  case Op::log: // k a_0 c_k = k a_k - S_{i=1}^{k-1} (i c_i) a_{k-i}
    n.product.next(scratch_, at(n.slope, 1), at(a, 1), k - 2);
    Operations::divide(scratch_, scratch_, k);
    Operations::subtract(scratch_, *at(a, k), scratch_);
    Operations::multiply(out, scratch_, n.inverse);
    break;
  case Op::sqrt: // 2 c_0 c_k = a_k - S_{i=1}^{k-1} c_i c_{k-i}
    n.product.next(scratch_, at(c, 1), at(c, 1), k - 2);
    Operations::subtract(scratch_, *at(a, k), scratch_);
    Operations::multiply(out, scratch_, n.inverse);
    break;
  case Op::pow: { // k a_0 c_k = y S_{i=1}^k (i a_i) c_{k-i} - S_{i=1}^{k-1} a_i (k-i) c_{k-i}
    n.product.next(scratch_, at(nodes_[n.op.a].slope, 1), c.data(), k - 1);
    Operations::multiply(scratch_, scratch_, series_of(n.op.b)[0]);
    n.second.next(out, at(a, 1), at(n.slope, 1), k - 2);
    Operations::subtract(scratch_, scratch_, out);
    Operations::divide(scratch_, scratch_, k);
    Operations::multiply(out, scratch_, n.inverse);
    break;
  }
  default: throw std::logic_error("jets: no operation");
  }
  if (n.slope_needed) Operations::multiply(n.slope[static_cast<std::size_t>(k)], out, k);
}

template <class Real> bool Jets<Real>::finite() const {
  for (const auto& s : states_)
    for (int k = 0; k <= order_; ++k)
      if (!Operations::finite(s[static_cast<std::size_t>(k)])) return false;
  return true;
}

template <class Real> void Jets<Real>::evaluate(const Coefficient& tau, Vector<Real>& x) const {
  const typename Operations::Precision precision;
  x.resize(states_.size());
  Coefficient sum;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    sum = states_[i][static_cast<std::size_t>(order_)];
    for (int k = order_; k-- > 0;) {
      sum *= tau;
      sum += states_[i][static_cast<std::size_t>(k)];
    }
    x[i] = Operations::to_real(sum);
  }
}

template <class Real> void Jets<Real>::evaluate_slope(const Coefficient& tau, Vector<Real>& tau_slope) const {
  const typename Operations::Precision precision;
  tau_slope.resize(states_.size());
  Coefficient sum, term;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    sum = Coefficient(0);
    for (int k = order_; k > 0; --k) {
      Operations::multiply(term, states_[i][static_cast<std::size_t>(k)], k);
      sum += term;
      sum *= tau;
    }
    tau_slope[i] = Operations::to_real(sum);
  }
}

template class Jets<double>;
template class Jets<Float128>;
template class Jets<Mpfr>;
template class Jets<Ball>;

} // namespace attndyn
