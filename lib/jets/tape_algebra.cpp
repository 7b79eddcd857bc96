#include "lib/jets/tape_algebra.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace attndyn {

/// Writes a tape operation by operation, simplifying on the way.
class TapeWriter {
public:
  using Op = Tape::Op;
  using Place = std::uint32_t;

  explicit TapeWriter(std::size_t inputs) { tape_.inputs_ = inputs; }

  Place input(std::size_t i) { return put(Op::input, static_cast<Place>(i), 0); }
  Place constant(double value) {
    const auto found = std::find(tape_.constants_.begin(), tape_.constants_.end(), value);
    const auto number = static_cast<Place>(found - tape_.constants_.begin());
    if (found == tape_.constants_.end()) tape_.constants_.push_back(value);
    return put(Op::constant, number, 0);
  }
  Place decimal(const std::string& text) {
    const auto found = std::find(tape_.decimals_.begin(), tape_.decimals_.end(), text);
    const auto number = static_cast<Place>(found - tape_.decimals_.begin());
    if (found == tape_.decimals_.end()) tape_.decimals_.push_back(text);
    return put(Op::decimal, number, 0);
  }

  Place add(Place a, Place b) {
    if (is(a, 0)) return b;
    if (is(b, 0)) return a;
    if (op(b) == Op::negate) return subtract(a, first(b));
    if (op(a) == Op::negate) return subtract(b, first(a));
    return put(Op::add, std::min(a, b), std::max(a, b));
  }
  Place subtract(Place a, Place b) {
    if (a == b) return constant(0);
    if (is(b, 0)) return a;
    if (is(a, 0)) return negate(b);
    if (op(b) == Op::negate) return add(a, first(b));
    return put(Op::subtract, a, b);
  }
  Place multiply(Place a, Place b) {
    if (is(a, 0) || is(b, 0)) return constant(0);
    if (is(a, 1)) return b;
    if (is(b, 1)) return a;
    if (is(a, -1)) return negate(b);
    if (is(b, -1)) return negate(a);
    if (op(a) == Op::negate && op(b) == Op::negate) return multiply(first(a), first(b));
    return put(Op::multiply, std::min(a, b), std::max(a, b));
  }
  Place divide(Place a, Place b) {
    if (is(a, 0)) return a;
    if (is(b, 1)) return a;
    return put(Op::divide, a, b);
  }
  Place negate(Place a) {
    if (is(a, 0)) return a;
    if (op(a) == Op::negate) return first(a);
    return put(Op::negate, a, 0);
  }
  Place expm1(Place a) {
    const Place e = put(Op::exp, a, 0);
    return put(Op::expm1, a, e);
  }
  Place unary(Op o, Place a) { return o == Op::expm1 ? expm1(a) : put(o, a, 0); }
  Place pow(Place a, Place b) {
    if (is(b, 0)) return constant(1);
    if (is(b, 1)) return a;
    if (!depends_[b]) return put(Op::pow, a, b);
    return put(Op::exp, multiply(b, put(Op::log, a, 0)), 0);
  }
  Place binary(Op o, Place a, Place b) {
    switch (o) {
    case Op::add: return add(a, b);
    case Op::subtract: return subtract(a, b);
    case Op::multiply: return multiply(a, b);
    case Op::divide: return divide(a, b);
    default: return pow(a, b);
    }
  }

  bool is(Place a, double value) const {
    return op(a) == Op::constant && tape_.constants_[first(a)] == value;
  }

  /// Without what the outputs do not need.
  Tape finish(const std::vector<Place>& outputs) {
    const std::size_t size = tape_.operations_.size();
    std::vector<bool> needed(size, false);
    for (Place o : outputs) needed[o] = true;
    for (std::size_t i = size; i-- > 0;)
      if (needed[i]) {
        const int arguments = arguments_of(tape_.operations_[i].op);
        if (arguments > 0) needed[tape_.operations_[i].a] = true;
        if (arguments > 1 || tape_.operations_[i].op == Op::expm1) needed[tape_.operations_[i].b] = true;
      }
    std::vector<Place> moved(size, 0);
    std::vector<Tape::Operation> kept;
    for (std::size_t i = 0; i < size; ++i) {
      if (!needed[i]) continue;
      Tape::Operation o = tape_.operations_[i];
      const int arguments = arguments_of(o.op);
      if (arguments > 0) o.a = moved[o.a];
      if (arguments > 1 || o.op == Op::expm1) o.b = moved[o.b];
      moved[i] = static_cast<Place>(kept.size());
      kept.push_back(o);
    }
    tape_.operations_ = std::move(kept);
    for (Place o : outputs) tape_.outputs_.push_back(moved[o]);
    return std::move(tape_);
  }

  static int arguments_of(Op o) {
    switch (o) {
    case Op::input:
    case Op::constant:
    case Op::decimal: return 0;
    case Op::negate:
    case Op::exp:
    case Op::expm1:
    case Op::log:
    case Op::sqrt: return 1;
    default: return 2;
    }
  }

private:
  Op op(Place a) const { return tape_.operations_[a].op; }
  Place first(Place a) const { return tape_.operations_[a].a; }

  Place put(Op o, Place a, Place b) {
    const auto [known, fresh] = written_.try_emplace({o, a, b}, 0);
    if (fresh) {
      known->second = static_cast<Place>(tape_.operations_.size());
      const int arguments = arguments_of(o);
      depends_.push_back(o == Op::input || (arguments > 0 && depends_[a]) || (arguments > 1 && depends_[b]));
      tape_.operations_.push_back({o, a, b});
    }
    return known->second;
  }

  Tape tape_;
  std::vector<bool> depends_; ///< on an input
  std::map<std::tuple<Op, Place, Place>, Place> written_;
};

namespace {

/// Writes `from` again; the places of its operations in the new tape.
std::vector<TapeWriter::Place> copy(const Tape& from, TapeWriter& to) {
  using Op = Tape::Op;
  std::vector<TapeWriter::Place> at;
  at.reserve(from.operations().size());
  for (const Tape::Operation& o : from.operations()) {
    switch (TapeWriter::arguments_of(o.op)) {
    case 0:
      at.push_back(o.op == Op::input      ? to.input(o.a)
                   : o.op == Op::constant ? to.constant(from.constants()[o.a])
                                          : to.decimal(from.decimals()[o.a]));
      break;
    case 1: at.push_back(o.op == Op::negate ? to.negate(at[o.a]) : to.unary(o.op, at[o.a])); break;
    default: at.push_back(to.binary(o.op, at[o.a], at[o.b]));
    }
  }
  return at;
}

std::vector<TapeWriter::Place> places_of(const Tape& tape, const std::vector<TapeWriter::Place>& at) {
  std::vector<TapeWriter::Place> out;
  for (std::uint32_t o : tape.outputs()) out.push_back(at[o]);
  return out;
}

} // namespace

Tape simplified(const Tape& tape) {
  TapeWriter writer(tape.inputs());
  const auto at = copy(tape, writer);
  return writer.finish(places_of(tape, at));
}

Tape with_tangents(const Tape& f, std::size_t varied, std::size_t directions) {
  using Op = Tape::Op;
  using Place = TapeWriter::Place;
  if (f.inputs() < varied) throw std::invalid_argument("with_tangents: the tape has fewer inputs");
  TapeWriter w(f.inputs() + varied * directions);
  const auto at = copy(f, w);
  std::vector<Place> outputs = places_of(f, at);
  for (std::size_t v = 0; v < directions; ++v) {
    std::vector<Place> d; // derivative of each operation along direction v
    d.reserve(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Tape::Operation& o = f.operations()[i];
      const Place here = at[i];
      switch (o.op) {
      case Op::input:
        d.push_back(o.a < varied ? w.input(f.inputs() + v * varied + o.a) : w.constant(0));
        break;
      case Op::constant:
      case Op::decimal: d.push_back(w.constant(0)); break;
      case Op::add: d.push_back(w.add(d[o.a], d[o.b])); break;
      case Op::subtract: d.push_back(w.subtract(d[o.a], d[o.b])); break;
      case Op::multiply: d.push_back(w.add(w.multiply(d[o.a], at[o.b]), w.multiply(at[o.a], d[o.b]))); break;
      case Op::divide: d.push_back(w.divide(w.subtract(d[o.a], w.multiply(here, d[o.b])), at[o.b])); break;
      case Op::negate: d.push_back(w.negate(d[o.a])); break;
      case Op::exp: d.push_back(w.multiply(here, d[o.a])); break;
      case Op::expm1: d.push_back(w.multiply(w.unary(Op::exp, at[o.a]), d[o.a])); break;
      case Op::log: d.push_back(w.divide(d[o.a], at[o.a])); break;
      case Op::sqrt: d.push_back(w.divide(d[o.a], w.add(here, here))); break;
      case Op::pow: // x^y: (y x'/x + y' log x) x^y
        d.push_back(
            w.is(d[o.a], 0) && w.is(d[o.b], 0)
                ? w.constant(0)
                : w.multiply(here, w.add(w.multiply(at[o.b], w.divide(d[o.a], at[o.a])),
                                         w.is(d[o.b], 0) ? w.constant(0)
                                                         : w.multiply(d[o.b], w.unary(Op::log, at[o.a])))));
        break;
      }
    }
    for (std::uint32_t o : f.outputs()) outputs.push_back(d[o]);
  }
  return w.finish(outputs);
}

} // namespace attndyn
