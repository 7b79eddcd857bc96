/// A number type that remembers: arithmetic on `Recorded` goes onto a tape, and the tape runs again in any
/// Real.
///
/// Right-hand sides are straight-line code (+ - * / exp expm1 log sqrt pow), so one run on `Recorded` says
/// all there is to know about them. There is no comparison of two `Recorded`, hence no branch that a replay
/// elsewhere would not take; what code needs to choose a shift comes from `plain_value`.
#pragma once

#include "lib/real/text.hpp"

#include <cstdint>
#include <functional>
#include <stdexcept>

namespace attndyn {

/// Straight-line code: operations in order, each naming earlier ones.
class Tape {
public:
  enum class Op : std::uint8_t {
    input,
    constant,
    decimal,
    add,
    subtract,
    multiply,
    divide,
    negate,
    exp,
    expm1,
    log,
    sqrt,
    pow
  };
  struct Operation {
    Op op;
    std::uint32_t a = 0; ///< input, constant, decimal: the number of it; else the operation of the argument
    std::uint32_t b = 0; ///< the second argument of the binary ones
  };

  std::size_t inputs() const { return inputs_; }
  const std::vector<Operation>& operations() const { return operations_; }
  /// Exact in every Real.
  const Vector<double>& constants() const { return constants_; }
  /// Parameters, read by parse_real<Real>.
  const std::vector<std::string>& decimals() const { return decimals_; }
  /// The operations that give the results.
  const std::vector<std::uint32_t>& outputs() const { return outputs_; }

private:
  friend class Recorder;
  friend class TapeWriter;
  std::size_t inputs_ = 0;
  std::vector<Operation> operations_;
  Vector<double> constants_;
  std::vector<std::string> decimals_;
  std::vector<std::uint32_t> outputs_;
};

/// A number of the recording that is running in this thread: made by `record`, by int and double constants,
/// by parse_real (that is, Number::as), and by arithmetic. Throws std::logic_error where no recording is
/// running, or with an argument from another one.
class Recorded {
public:
  Recorded() : Recorded(0) {}
  Recorded(int constant) : Recorded(static_cast<double>(constant)) {} // NOLINT: implicit as in every Real
  Recorded(double constant);                                          // NOLINT

  friend Recorded operator+(const Recorded& a, const Recorded& b);
  friend Recorded operator-(const Recorded& a, const Recorded& b);
  friend Recorded operator*(const Recorded& a, const Recorded& b);
  friend Recorded operator/(const Recorded& a, const Recorded& b);
  friend Recorded operator-(const Recorded& a);
  friend Recorded exp(const Recorded& a);
  friend Recorded expm1(const Recorded& a);
  friend Recorded log(const Recorded& a);
  friend Recorded sqrt(const Recorded& a);
  friend Recorded pow(const Recorded& a, const Recorded& b);
  Recorded& operator+=(const Recorded& b) { return *this = *this + b; }
  Recorded& operator-=(const Recorded& b) { return *this = *this - b; }
  Recorded& operator*=(const Recorded& b) { return *this = *this * b; }
  Recorded& operator/=(const Recorded& b) { return *this = *this / b; }

  /// The value at the point where the recording runs, in double.
  friend double plain_value(const Recorded& a) { return a.value_; }

private:
  friend class Recorder;
  Recorded(std::uint64_t recording, std::uint32_t operation, double value)
      : recording_(recording), operation_(operation), value_(value) {}
  std::uint64_t recording_;
  std::uint32_t operation_;
  double value_;
};

/// The decimal or quotient as written: each replay reads it in its own number type.
template <> Recorded parse_real(std::string_view text);

/// Runs f once, on inputs whose plain values are `at`, and returns what it did. Recordings may nest.
Tape record(const Vector<double>& at, const std::function<Vector<Recorded>(const Vector<Recorded>&)>& f);

/// A right-hand side as straight-line code, for recording.
using RecordedField = std::function<Vector<Recorded>(const Vector<Recorded>& x, const Recorded& t)>;

/// What it did: inputs x_0 .. x_{m-1}, then t; outputs dxdt.
Tape record_field(const Vector<double>& x, double t, const RecordedField& f);

/// A recorded field with the states for which it is good.
struct Recording {
  Tape tape;
  bool everywhere; ///< false: it holds constants (softmax shifts) that suit states near the one recorded at
};

/// Runs a tape in Real. Constants are read once, at the precision that Mpfr has then. Not thread-safe.
template <class Real> class Replay {
public:
  /// tape must outlive this.
  explicit Replay(const Tape& tape) : tape_(tape), values_(tape.operations().size()) {
    for (double c : tape.constants()) constants_.push_back(Real(c));
    for (const auto& text : tape.decimals()) decimals_.push_back(parse_real<Real>(text));
  }

  /// The results, in the order in which f returned them. Throws std::invalid_argument if the number of inputs
  /// is not the tape's.
  Vector<Real> operator()(const Vector<Real>& inputs) {
    if (inputs.size() != tape_.inputs()) throw std::invalid_argument("replay: wrong number of inputs");
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = value(tape_.operations()[i], inputs);
    Vector<Real> out;
    for (std::uint32_t i : tape_.outputs()) out.push_back(values_[i]);
    return out;
  }

private:
  Real value(const Tape::Operation& o, const Vector<Real>& inputs) const {
    using std::exp;
    using std::expm1;
    using std::log;
    using std::pow;
    using std::sqrt;
    using Op = Tape::Op;
    switch (o.op) {
    case Op::input: return inputs[o.a];
    case Op::constant: return constants_[o.a];
    case Op::decimal: return decimals_[o.a];
    case Op::add: return values_[o.a] + values_[o.b];
    case Op::subtract: return values_[o.a] - values_[o.b];
    case Op::multiply: return values_[o.a] * values_[o.b];
    case Op::divide: return values_[o.a] / values_[o.b];
    case Op::negate: return -values_[o.a];
    case Op::exp: return exp(values_[o.a]);
    case Op::expm1: return expm1(values_[o.a]);
    case Op::log: return log(values_[o.a]);
    case Op::sqrt: return sqrt(values_[o.a]);
    case Op::pow: return pow(values_[o.a], values_[o.b]);
    }
    throw std::logic_error("unknown operation on a tape");
  }

  const Tape& tape_;
  Vector<Real> constants_, decimals_, values_;
};

} // namespace attndyn
