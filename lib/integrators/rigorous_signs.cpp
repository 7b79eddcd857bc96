#include "lib/integrators/rigorous_signs.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn {
namespace {

int sign_of(const Ball& x) { return certainly_positive(x) ? 1 : certainly_negative(x) ? -1 : 0; }

void check_times(const RigorousSolution& s, const Number& from, const Number& to) {
  if (compare(from, to) > 0)
    throw std::invalid_argument(fmt::format("from = {}: must not exceed to = {}", from.text(), to.text()));
  const Ball begin = s.steps.front().t;
  if (certainly_less(from.as<Ball>(), begin) || certainly_less(s.t, to.as<Ball>()))
    throw std::invalid_argument(fmt::format("from = {}, to = {}: must lie in [{}, {}]", from.text(),
                                            to.text(), ball_text(begin, 10), ball_text(s.t, 10)));
}

Ball middle(const Ball& a, const Ball& b) { return ((a + b) * Ball(0.5)).midpoint(); }

} // namespace

const char* name_of(Proof p) {
  return p == Proof::proved ? "proved" : p == Proof::refuted ? "refuted" : "undecided";
}

ObservableAlong::ObservableAlong(const RigorousSolution& solution, const Tape& h)
    : solution_(solution), h_(h), bits_(solution.bits) {
  if (solution.steps.empty()) throw std::invalid_argument("solution: has no steps");
  const std::size_t inputs = solution.steps[0].series.size() + 1;
  if (h.inputs() != inputs || h.outputs().size() != 1)
    throw std::invalid_argument(fmt::format("h: has {} inputs and {} outputs, must have {} and 1", h.inputs(),
                                            h.outputs().size(), inputs));
  const BallBits working(bits_);
  with_slope_ = with_tangents(h_, inputs, 1);
  value_.emplace(h_);
  slope_.emplace(with_slope_);
  for (const Tape& piece : *solution.pieces) fields_.emplace_back(piece);
}

Vector<Ball> ObservableAlong::inputs(const Ball& s) const {
  Vector<Ball> out = solution_.at(s);
  out.push_back(s);
  return out;
}

Ball ObservableAlong::value(const Ball& s) {
  const BallBits working(bits_);
  return (*value_)(inputs(s))[0];
}

auto ObservableAlong::range(const Ball& s) -> Range {
  const BallBits working(bits_);
  const auto [first, last] = solution_.steps_over(s);
  const Vector<Ball> here = inputs(s);
  Range out;
  for (std::size_t piece = solution_.steps[first].piece; piece <= solution_.steps[last].piece; ++piece) {
    Vector<Ball> in = here;
    for (Ball& rate : fields_[piece](here)) in.push_back(std::move(rate));
    in.push_back(Ball(1));
    const Vector<Ball> both = (*slope_)(in);
    out.value = both[0];
    out.slope = piece == solution_.steps[first].piece ? both[1] : hull(out.slope, both[1]);
  }
  const Ball centre = s.midpoint();
  const Ball by_mean = value(centre) + out.slope * (s - centre);
  if (!out.value.is_finite())
    out.value = by_mean;
  else if (by_mean.is_finite())
    out.value = common(out.value, by_mean);
  return out;
}

SignProof prove_sign(const RigorousSolution& solution, const Tape& h, int sign, const Number& from,
                     const Number& to, std::uint64_t max_intervals) {
  if (sign != 1 && sign != -1) throw std::invalid_argument(fmt::format("sign = {}: must be 1 or -1", sign));
  ObservableAlong along(solution, h);
  const BallBits working(solution.bits);
  check_times(solution, from, to);
  const Ball whole = Ball::between(from.as<Ball>(), to.as<Ball>());
  const auto [first, last] = solution.steps_over(whole);
  // What is left to do, the earliest on top; at first the steps.
  std::vector<std::pair<Ball, Ball>> todo;
  for (std::size_t i = last + 1; i-- > first;) {
    const RigorousStep& step = solution.steps[i];
    todo.emplace_back(i == first ? whole.lower() : step.t.lower(),
                      i == last ? whole.upper() : (step.t + step.length).upper());
  }
  SignProof out{Proof::proved, Ball(0), Ball(0), 0};
  for (const Number& end : {from, to}) { // an end of the interval may be where it fails
    const Ball t = end.as<Ball>(), value = along.value(t);
    if (sign_of(value) == -sign) return {Proof::refuted, t, value, 0};
  }
  while (!todo.empty()) {
    const auto [a, b] = todo.back();
    todo.pop_back();
    const Ball s = Ball::between(a, b), centre = middle(a, b);
    out.value = along.range(s).value;
    ++out.intervals;
    if (sign_of(out.value) == sign) continue;
    const Ball there = along.value(centre);
    if (sign_of(there) == -sign && contains(whole, centre))
      return {Proof::refuted, centre, there, out.intervals};
    if (out.intervals >= max_intervals || !certainly_less(a, centre) || !certainly_less(centre, b))
      return {Proof::undecided, s, out.value, out.intervals};
    todo.emplace_back(centre, b);
    todo.emplace_back(a, centre);
  }
  return out;
}

ZeroProof first_zero(const RigorousSolution& solution, const Tape& h, const Number& from, const Number& to,
                     std::uint64_t max_intervals) {
  ObservableAlong along(solution, h);
  const BallBits working(solution.bits);
  check_times(solution, from, to);
  const Ball begin = from.as<Ball>(), end = to.as<Ball>().upper();
  const int sign = sign_of(along.value(begin));
  if (sign == 0) return {Proof::undecided, begin, 0};
  Ball a = begin.lower(); // h has the sign of the start up to here
  Ball width = solution.steps[solution.steps_over(begin).first].length.upper();
  for (std::uint64_t i = 0; i < max_intervals; ++i) {
    const Ball wished = (a + width).midpoint();
    const bool last = !certainly_less(wished, end);
    const Ball b = last ? end : wished;
    if (!certainly_less(a, b)) break;
    Ball s = Ball::between(a, b);
    auto range = along.range(s);
    const int slope = sign_of(range.slope);
    int at_b = sign_of(range.value) == sign || slope == sign ? sign : 0;
    if (at_b == 0 && slope == -sign) at_b = sign_of(along.value(b));
    if (at_b == sign) {
      if (last) return {Proof::refuted, end, 0};
      a = b;
      const Ball longest = solution.steps[solution.steps_over(b).first].length.upper();
      width = certainly_less(width * Ball(2), longest) ? width * Ball(2) : longest;
      continue;
    }
    if (at_b == 0) { // undecided at b alone: another b; else a shorter interval
      width = (b - a) * (slope == -sign ? Ball(0.6875) : Ball(0.5));
      width = width.midpoint();
      continue;
    }
    // Monotone, with a change of sign: the interval Newton iteration keeps the one zero.
    for (double radius = 0; s.radius() != radius;) {
      radius = s.radius();
      const Ball centre = s.midpoint();
      const Ball newton = centre - along.value(centre) / along.range(s).slope;
      if (!newton.is_finite()) break;
      const Ball smaller = common(s, newton);
      if (!(smaller.radius() < 0.9 * radius)) break;
      s = smaller;
    }
    return {Proof::proved, s, -sign};
  }
  return {Proof::undecided, a, 0};
}

} // namespace attndyn
