#include "lib/models/enclosed.hpp"

#include "lib/models/rigorous_problems.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <stdexcept>

namespace attndyn {
namespace {

/// Beyond these the panels of the quadrature are many or wide (measured); interval steps take milliseconds.
constexpr double largest_exponent = 60;
constexpr int most_tokens = 10'000'000;

bool separable_is_cheap(const EquiangularParams& p) {
  if (p.scheme.name == "post" || p.scheme.name == "sqrt") return true;
  return std::abs(p.beta.approx()) * (1 - p.g0.approx()) <= largest_exponent && p.n <= most_tokens;
}

Enclosed by_separation(const EquiangularParams& p, const std::vector<Number>& times, int digits,
                       double max_seconds, const std::function<void(const std::string&)>& progress) {
  Enclosed out{{}, "separable solution", {}};
  const Separable solution(p);
  const auto begin = std::chrono::steady_clock::now();
  for (const Number& t : times) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (max_seconds > 0 && seconds > max_seconds) {
      out.problem = fmt::format("the time allowed was used up before t = {}", t.text());
      return out;
    }
    progress("enclosing t = " + t.text());
    try {
      out.states.push_back(solution.at_digits(t, digits));
    } catch (const std::runtime_error& e) {
      out.problem = fmt::format("t = {}: {}", t.text(), e.what());
      return out;
    }
  }
  return out;
}

/// s at a state, as a tape: inputs log(1-g), log r, t.
Tape record_speed_factor(const EquiangularParams& p, std::size_t piece) {
  return record_field({-0.5, 0}, 0, [&](const Vector<Recorded>& x, const Recorded& t) {
    return Vector<Recorded>{EquiangularFlow<Recorded>(p).speed_factor(piece, x, t)};
  });
}

Enclosed by_steps(const EquiangularParams& p, const std::vector<Number>& times, int digits,
                  double max_seconds, const std::function<void(const std::string&)>& progress) {
  Enclosed out{{}, "interval Taylor steps", {}};
  RigorousOptions options;
  options.digits = digits;
  options.max_seconds = max_seconds;
  options.keep_steps = false;
  std::uint64_t steps = 0;
  options.observer = [&](const RigorousStep& step) {
    if (++steps % 64 == 0) progress("enclosing t = " + ball_text(step.t.midpoint(), 3));
    return true;
  };
  const auto s = solve_rigorously(rigorous_problem(p), times, options);
  const BallBits bits(s.bits > 0 ? s.bits : BallBits::of_digits(2 * digits));
  for (const RigorousSample& sample : s.samples) {
    const Ball &y = sample.x[0], gap = exp(y);
    const Tape tape = record_speed_factor(p, sample.piece);
    const Ball factor = Replay<Ball>(tape)({y, sample.x[1], sample.t})[0];
    out.states.push_back({y, gap, -expm1(y), exp(sample.x[1]), factor});
  }
  if (s.why != RigorousStop::reached) out.problem = fmt::format("{}: {}", name_of(s.why), s.detail);
  return out;
}

} // namespace

Enclosed enclose_equiangular(const EquiangularParams& p, const std::vector<Number>& times, int digits,
                             double max_seconds, const std::function<void(const std::string&)>& progress) {
  if (auto problem = problem_with(p); !problem.empty()) throw std::invalid_argument(problem);
  return separable_is_cheap(p) ? by_separation(p, times, digits, max_seconds, progress)
                               : by_steps(p, times, digits, max_seconds, progress);
}

} // namespace attndyn
