#include "lib/integrators/rigorous.hpp"

#include "lib/integrators/rigorous_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace attndyn {
namespace {

using Clock = std::chrono::steady_clock;

/// Digits beyond those asked for: local errors add up.
constexpr int first_guard_digits = 5, more_guard_digits = 4;
/// Bits beyond the working digits: rounding stays below the local errors.
constexpr slong guard_bits = 40;
constexpr int largest_attempts = 8, blind_attempts = 3;
/// An attempt that got so many times as far is worth another one.
constexpr double farther = 1.02;

/// -log10(radius / max(1, |x|)), the worst of the components.
double digits_of(const Vector<Ball>& x) {
  double out = 1e6;
  for (const Ball& b : x) {
    Ball radius;
    arf_set_mag(arb_midref(radius.raw()), arb_radref(b.raw()));
    const double size = std::max(0.0, Coefficients<Ball>::log_size(b.midpoint()));
    const double digits =
        b.is_finite() ? (size - Coefficients<Ball>::log_size(radius)) / std::log(10.0) : -1e6;
    out = std::min(out, digits);
  }
  return out;
}

void check(const RigorousProblem& p, const std::vector<Number>& times, const RigorousOptions& o) {
  if (p.pieces.empty() || p.pieces.size() != p.switches.size() + 1)
    throw std::invalid_argument(fmt::format("pieces: {} need {} switches less one, there are {}",
                                            p.pieces.size(), p.pieces.size(), p.switches.size()));
  for (std::size_t i = 1; i < p.switches.size(); ++i)
    if (compare(p.switches[i - 1], p.switches[i]) >= 0)
      throw std::invalid_argument(
          fmt::format("switches: {} must exceed the one before", p.switches[i].text()));
  if (times.empty()) throw std::invalid_argument("times: there must be at least one");
  for (std::size_t i = 0; i < times.size(); ++i)
    if (i == 0 ? compare(times[0], p.t0) < 0 : compare(times[i], times[i - 1]) <= 0)
      throw std::invalid_argument(
          fmt::format("times: {} must {}", times[i].text(),
                      i == 0 ? "be >= t0 = " + p.t0.text() : std::string("exceed the one before")));
  if (o.digits < 1 || o.digits > 100000)
    throw std::invalid_argument(fmt::format("digits = {}: must be between 1 and 100000", o.digits));
  if (!p.start) throw std::invalid_argument("start: must be given");
}

/// One run from t0 with so many working digits.
class Attempt {
public:
  Attempt(const RigorousProblem& p, const std::vector<Number>& times, const RigorousOptions& o,
          int working_digits, Clock::time_point began)
      : problem_(p), times_(times), options_(o), working_digits_(working_digits), began_(began) {}

  RigorousSolution run() {
    const BallBits bits(BallBits::of_digits(working_digits_) + guard_bits);
    // Times of 1e84 are told apart to the same digits after the point as times near 1.
    const double size = std::abs(times_.back().approx());
    out_.bits = BallBits::now() + (size > 1 ? static_cast<slong>(std::log2(std::min(size, 1e308))) : 0);
    out_.working_digits = working_digits_;
    set_.emplace(problem_.start());
    if (set_->centre().size() + 1 != problem_.pieces[0].inputs())
      throw std::invalid_argument(fmt::format("start: has {} components, the field {} inputs",
                                              set_->centre().size(), problem_.pieces[0].inputs()));
    out_.t = time(problem_.t0);
    out_.digits = 1e6;
    // Legs end at outputs and switches.
    while (piece_ < problem_.switches.size() && compare(problem_.switches[piece_], problem_.t0) <= 0)
      ++piece_;
    Number here = problem_.t0;
    for (const Number& time : times_) {
      while (piece_ < problem_.switches.size() && compare(problem_.switches[piece_], time) < 0) {
        if (!leg(here, problem_.switches[piece_])) return finished();
        here = problem_.switches[piece_++];
        stepper_.reset();
      }
      if (!leg(here, time)) return finished();
      here = time;
      Vector<Ball> box = set_->box();
      const double digits = digits_of(box);
      out_.digits = std::min(out_.digits, digits);
      out_.samples.push_back({out_.t, std::move(box), piece_});
      if (digits < options_.digits && out_.why == RigorousStop::reached) {
        out_.why = RigorousStop::digits_not_reached;
        out_.detail = fmt::format("{:.1f} digits at t = {}", digits, time.text());
      }
    }
    return finished();
  }

private:
  bool stop(RigorousStop why, std::string detail) {
    out_.why = why;
    out_.detail = std::move(detail);
    return false;
  }

  Ball time(const Number& t) const {
    const BallBits bits(out_.bits);
    return t.as<Ball>();
  }
  Ball time_after(const Ball& t, const Ball& h) const {
    const BallBits bits(out_.bits);
    return t + h;
  }

  bool leg(const Number& from, const Number& to) {
    if (compare(from, to) == 0) return true;
    const Ball end = time(to);
    if (!stepper_) stepper_.emplace(problem_.pieces[piece_], working_digits_);
    const std::uint64_t rejected_before = out_.rejected - stepper_->rejected();
    for (;;) {
      const std::string where = fmt::format("at t = {}", ball_text(out_.t, 10));
      if (out_.accepted >= options_.max_steps)
        return stop(RigorousStop::max_steps, fmt::format("{} steps {}", out_.accepted, where));
      if (options_.max_seconds > 0 &&
          std::chrono::duration<double>(Clock::now() - began_).count() > options_.max_seconds)
        return stop(RigorousStop::max_seconds, fmt::format("{} s {}", options_.max_seconds, where));
      const Ball remaining = time_after(end, -out_.t);
      if (!certainly_positive(remaining))
        return stop(RigorousStop::no_enclosure, fmt::format("steps below the rounding of t {}", where));
      auto step = stepper_->step(*set_, out_.t, remaining);
      out_.rejected = rejected_before + stepper_->rejected();
      if (!step) return stop(RigorousStop::no_enclosure, where);
      step->piece = piece_;
      ++out_.accepted;
      const bool last = arb_equal(step->length.raw(), remaining.raw()) != 0;
      const Ball next = last ? end : time_after(out_.t, step->length);
      if (!certainly_less(out_.t, next))
        return stop(RigorousStop::no_enclosure, fmt::format("steps below the rounding of t {}", where));
      out_.t = next;
      const bool go_on = !options_.observer || options_.observer(*step);
      if (options_.keep_steps) out_.steps.push_back(std::move(*step));
      if (!go_on) return stop(RigorousStop::observer, "");
      if (last) return true;
    }
  }

  RigorousSolution finished() {
    out_.x = set_->box();
    if (out_.samples.empty()) out_.digits = 0;
    return std::move(out_);
  }

  const RigorousProblem& problem_;
  const std::vector<Number>& times_;
  const RigorousOptions& options_;
  int working_digits_;
  Clock::time_point began_;
  RigorousSolution out_;
  std::optional<LohnerSet> set_;
  std::optional<RigorousStepper> stepper_;
  std::size_t piece_ = 0;
};

} // namespace

const char* name_of(RigorousStop s) {
  switch (s) {
  case RigorousStop::reached: return "reached";
  case RigorousStop::digits_not_reached: return "digits_not_reached";
  case RigorousStop::max_steps: return "max_steps";
  case RigorousStop::max_seconds: return "max_seconds";
  case RigorousStop::no_enclosure: return "no_enclosure";
  case RigorousStop::observer: return "observer";
  }
  return "";
}

Vector<Ball> RigorousStep::at(const Ball& tau) const {
  // Over [0, length] alone the series holds; of a tau outside nothing is promised.
  const Ball whole = Ball::between(Ball(0), length.upper());
  const Ball within = overlap(tau, whole) ? common(tau, whole) : whole;
  Vector<Ball> out;
  for (const auto& a : series) {
    Ball sum = a.back();
    for (std::size_t k = a.size() - 1; k-- > 0;) {
      sum *= within;
      sum += a[k];
    }
    out.push_back(sum);
  }
  return out;
}

std::pair<std::size_t, std::size_t> RigorousSolution::steps_over(const Ball& s) const {
  const BallBits working(bits);
  // Steps that certainly end before s, or begin after it, do not count.
  const auto first = std::partition_point(steps.begin(), steps.end(), [&](const RigorousStep& step) {
    return certainly_less(step.t + step.length, s);
  });
  const auto end = std::partition_point(first, steps.end(),
                                        [&](const RigorousStep& step) { return !certainly_less(s, step.t); });
  if (first == end) throw std::out_of_range(fmt::format("no step holds t = {}", ball_text(s, 10)));
  return {static_cast<std::size_t>(first - steps.begin()), static_cast<std::size_t>(end - steps.begin()) - 1};
}

Vector<Ball> RigorousSolution::at(const Ball& s) const {
  const BallBits working(bits);
  const auto [first, last] = steps_over(s);
  Vector<Ball> out;
  for (std::size_t i = first; i <= last; ++i) {
    Vector<Ball> there = steps[i].at(s - steps[i].t);
    if (out.empty())
      out = std::move(there);
    else
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = hull(out[k], there[k]);
  }
  return out;
}

RigorousSolution solve_rigorously(const RigorousProblem& p, const std::vector<Number>& times,
                                  const RigorousOptions& o) {
  check(p, times, o);
  const auto began = Clock::now();
  const int limit = o.max_working_digits > 0 ? o.max_working_digits : 4 * o.digits + 100;
  const auto pieces = std::make_shared<const std::vector<Tape>>(p.pieces);
  int working = std::min(limit, o.digits + first_guard_digits);
  RigorousSolution best;
  for (int attempt = 1;; ++attempt) {
    RigorousSolution now = Attempt(p, times, o, working, began).run();
    now.attempts = attempt;
    now.pieces = pieces;
    now.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    const bool too_wide = now.why == RigorousStop::digits_not_reached ||
                          (now.why == RigorousStop::no_enclosure && digits_of(now.x) < o.digits);
    // What more digits did not help is not due to them: the start is a box, or the solution ends. But a jump
    // may cost many digits at once, so that the first attempts end at one and the same place.
    const Ball begin = p.t0.as<Ball>();
    const bool better = attempt == 1 || now.samples.size() > best.samples.size() ||
                        (now.samples.size() == best.samples.size() && now.digits > best.digits + 0.5) ||
                        plain_value(now.t - begin) > farther * plain_value(best.t - begin);
    const bool helped = better || (now.why == RigorousStop::no_enclosure && attempt < blind_attempts);
    if (better) best = now;
    best.attempts = attempt;
    best.seconds = now.seconds;
    if (!too_wide || !helped || working >= limit || attempt == largest_attempts) return best;
    const double missing = o.digits - std::min(now.digits, digits_of(now.x));
    const int more = now.why == RigorousStop::no_enclosure
                         ? std::max(working, static_cast<int>(missing))
                         : static_cast<int>(std::ceil(std::max(0.0, missing)));
    working = std::min(limit, working + more + more_guard_digits);
  }
}

} // namespace attndyn
