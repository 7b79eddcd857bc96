#include "lib/real/recorded.hpp"

#include <atomic>
#include <bit>
#include <cmath>
#include <unordered_map>

namespace attndyn {

/// A recording while it runs. The innermost one of a thread takes the operations.
class Recorder {
public:
  Recorder() : outer_(innermost), id_(next_id++) { innermost = this; }
  ~Recorder() { innermost = outer_; }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  static Recorder& running() {
    if (!innermost) throw std::logic_error("Recorded: no recording is running in this thread");
    return *innermost;
  }

  Recorded input(double plain) {
    return add({Tape::Op::input, static_cast<std::uint32_t>(tape_.inputs_++)}, plain);
  }

  /// A constant is stored once, however often it is used. Keyed by its bits: 0 and -0 differ.
  Recorded constant(double value) {
    const auto [known, fresh] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), 0);
    if (fresh) {
      known->second = next_operation();
      tape_.operations_.push_back({Tape::Op::constant, static_cast<std::uint32_t>(tape_.constants_.size())});
      tape_.constants_.push_back(value);
    }
    return {id_, known->second, value};
  }

  Recorded decimal(std::string_view text) {
    const double plain = Number(std::string(text)).approx();
    tape_.decimals_.emplace_back(text);
    return add({Tape::Op::decimal, static_cast<std::uint32_t>(tape_.decimals_.size() - 1)}, plain);
  }

  Recorded unary(Tape::Op op, const Recorded& a, double plain) { return add({op, mine(a)}, plain); }
  Recorded binary(Tape::Op op, const Recorded& a, const Recorded& b, double plain) {
    return add({op, mine(a), mine(b)}, plain);
  }

  Tape finish(const Vector<Recorded>& outputs) {
    for (const Recorded& y : outputs) tape_.outputs_.push_back(mine(y));
    return std::move(tape_);
  }

private:
  std::uint32_t next_operation() const {
    if (tape_.operations_.size() >= UINT32_MAX) throw std::length_error("Recorded: the tape is full");
    return static_cast<std::uint32_t>(tape_.operations_.size());
  }
  Recorded add(const Tape::Operation& o, double plain) {
    const std::uint32_t place = next_operation();
    tape_.operations_.push_back(o);
    return {id_, place, plain};
  }
  std::uint32_t mine(const Recorded& a) const {
    if (a.recording_ != id_) throw std::logic_error("Recorded: a number from another recording");
    return a.operation_;
  }

  static thread_local Recorder* innermost;
  static std::atomic<std::uint64_t> next_id;

  Recorder* outer_;
  std::uint64_t id_;
  Tape tape_;
  std::unordered_map<std::uint64_t, std::uint32_t> constants_;
};

thread_local Recorder* Recorder::innermost = nullptr;
std::atomic<std::uint64_t> Recorder::next_id{1};

Recorded::Recorded(double constant) { *this = Recorder::running().constant(constant); }

Recorded operator+(const Recorded& a, const Recorded& b) {
  return Recorder::running().binary(Tape::Op::add, a, b, a.value_ + b.value_);
}
Recorded operator-(const Recorded& a, const Recorded& b) {
  return Recorder::running().binary(Tape::Op::subtract, a, b, a.value_ - b.value_);
}
Recorded operator*(const Recorded& a, const Recorded& b) {
  return Recorder::running().binary(Tape::Op::multiply, a, b, a.value_ * b.value_);
}
Recorded operator/(const Recorded& a, const Recorded& b) {
  return Recorder::running().binary(Tape::Op::divide, a, b, a.value_ / b.value_);
}
Recorded operator-(const Recorded& a) { return Recorder::running().unary(Tape::Op::negate, a, -a.value_); }
Recorded exp(const Recorded& a) { return Recorder::running().unary(Tape::Op::exp, a, std::exp(a.value_)); }
Recorded expm1(const Recorded& a) {
  return Recorder::running().unary(Tape::Op::expm1, a, std::expm1(a.value_));
}
Recorded log(const Recorded& a) { return Recorder::running().unary(Tape::Op::log, a, std::log(a.value_)); }
Recorded sqrt(const Recorded& a) { return Recorder::running().unary(Tape::Op::sqrt, a, std::sqrt(a.value_)); }
Recorded pow(const Recorded& a, const Recorded& b) {
  return Recorder::running().binary(Tape::Op::pow, a, b, std::pow(a.value_, b.value_));
}

template <> Recorded parse_real(std::string_view text) { return Recorder::running().decimal(text); }

Tape record(const Vector<double>& at, const std::function<Vector<Recorded>(const Vector<Recorded>&)>& f) {
  Recorder recorder;
  Vector<Recorded> inputs;
  for (double x : at) inputs.push_back(recorder.input(x));
  return recorder.finish(f(inputs));
}

Tape record_field(const Vector<double>& x, double t, const RecordedField& f) {
  Vector<double> at = x;
  at.push_back(t);
  return record(at, [&](const Vector<Recorded>& in) { return f({in.begin(), in.end() - 1}, in.back()); });
}

} // namespace attndyn
