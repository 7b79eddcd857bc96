#include "analysis/convergence.hpp"

#include "lib/models/equiangular.hpp"
#include "lib/models/equiangular_text.hpp"
#include "lib/models/separable.hpp"
#include "lib/solve.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace attndyn::analysis {
namespace {

Parameters parameters_of(const char* study, const Study& s) {
  Parameters out{{"attndyn", ATTNDYN_VERSION}, {"command", "converge"}, {"study", study}};
  const Parameters system = text_of(s.params);
  out.insert(out.end(), system.begin(), system.end());
  out.emplace_back("t", s.t.text());
  out.emplace_back("reference", "separable solution, enclosed");
  return out;
}

/// log(1-g) at the end, enclosed to so many digits.
class Reference {
public:
  explicit Reference(const Study& s) : solution_(s.params), t_(s.t) {}
  /// |y - exact|, as a double; y has at most `digits` digits.
  template <class Real> double error(const Real& y, int digits) {
    if (digits > digits_) {
      exact_ = solution_.at_digits(t_, digits + 20).log_gap;
      digits_ = digits;
    }
    const BallBits bits(BallBits::of_digits(digits_ + 30));
    return plain_value(abs(parse_real<Ball>(to_text(y)) - exact_));
  }

private:
  Separable solution_;
  Number t_;
  Ball exact_;
  int digits_ = 0;
};

template <class Real>
Solution<Real> run(const Study& s, const char* stepper, const Real& tolerance, bool global) {
  const Equiangular<Real> model(s.params);
  Options<Real> o;
  o.stepper = stepper;
  o.tolerance = tolerance;
  o.control_global_error = global;
  o.max_steps = 100'000'000;
  o.max_seconds = s.max_seconds;
  return solve<Real>(model, model.start(), Real(0), {s.t.as<Real>()}, o);
}

/// The tolerances 1e-4 .. 1e-last in about seven rows.
std::vector<int> exponents(int last) {
  std::vector<int> out;
  for (int i = 0; i <= 6; ++i) {
    const int e = static_cast<int>(std::lround(4 + (last - 4) * i / 6.0));
    if (out.empty() || e > out.back()) out.push_back(e);
  }
  return out;
}

/// The fastest of a few: a short run may meet a cold cache or a busy machine.
template <class Real> Solution<Real> fastest(const Study& s, const char* method, const Real& tolerance) {
  auto best = run<Real>(s, method, tolerance, false);
  for (int i = 0; i < 4 && best.stats.seconds < 0.05; ++i)
    if (auto again = run<Real>(s, method, tolerance, false); again.stats.seconds < best.stats.seconds)
      best = std::move(again);
  return best;
}

template <class Real>
void precision_rows(const Study& s, const char* method, int digits, Reference& reference, Table& table) {
  double growth = 1, last = 0;
  for (int e : exponents(digits - 2)) {
    // What the next run will cost, if it grows as the last did; solve cuts off what takes longer.
    if (last * growth > 4 * s.max_seconds) return;
    s.progress(fmt::format("{}, {} digits, tolerance 1e-{}", method, digits, e));
    const auto r = fastest<Real>(s, method, parse_real<Real>(fmt::format("1e-{}", e)));
    if (r.why != Stop::reached_end) return;
    if (last > 0) growth = std::max(1.0, r.stats.seconds / last);
    last = std::max(r.stats.seconds, 1e-6);
    table.rows.push_back({method, std::to_string(digits), fmt::format("1e-{}", e),
                          fmt::format("{:.3e}", reference.error(r.samples[0].x[0], digits)),
                          fmt::format("{:.6f}", r.stats.seconds), std::to_string(r.stats.accepted),
                          std::to_string(r.stats.rhs_calls)});
  }
}

template <class Real>
void tolerance_rows(const Study& s, int digits, int last, Reference& reference, Table& table) {
  for (const auto& method : stepper_names()) {
    if (has_fixed_step(method)) continue;
    double seconds = 0;
    for (int e = 4; e <= last; e += last > 20 ? 5 : 1) {
      if (seconds * 4 > s.max_seconds) break;
      s.progress(fmt::format("{}, {} digits, tolerance 1e-{}", method, digits, e));
      const Real tolerance = parse_real<Real>(fmt::format("1e-{}", e));
      const auto r = run<Real>(s, method.c_str(), tolerance, true);
      seconds = r.stats.seconds;
      if (r.why != Stop::reached_end) break;
      const double error = reference.error(r.samples[0].x[0], digits);
      table.rows.push_back({method, std::to_string(digits), fmt::format("1e-{}", e),
                            fmt::format("{:.3e}", error),
                            fmt::format("{:.3f}", error / plain_value(tolerance)),
                            r.error_estimate ? brief(*r.error_estimate) : "",
                            std::to_string(r.stats.accepted), std::to_string(r.stats.rhs_calls)});
    }
  }
}

/// The state after 2^k equal steps, by any stepper: a tolerance that accepts everything makes it one of fixed
/// step. Lands on the switches of the schedule only where they are multiples of the step.
Mpfr by_fixed_steps(const Study& s, const std::string& method, int k) {
  const Equiangular<Mpfr> model(s.params);
  const auto stepper = make_stepper<Mpfr>(method, {Mpfr("1e1000000"), Mpfr(0)});
  const Mpfr end = s.t.as<Mpfr>(), h = ldexp(end, -k);
  std::size_t piece = 0;
  const System<Mpfr> f = [&](const Vector<Mpfr>& x, Vector<Mpfr>& dxdt, const Mpfr& t) {
    model.field(piece, x, dxdt, t);
  };
  Step<Mpfr> step{Mpfr(0), h, model.start(), Vector<Mpfr>(2), Vector<Mpfr>(2), Vector<Mpfr>(2)};
  for (long i = 0; i < (1L << k); ++i) {
    step.t = i * h;
    step.step = h;
    piece = 0;
    while (piece < model.switches().size() && model.switches()[piece] <= step.t) ++piece;
    f(step.x, step.dxdt, step.t);
    if (!stepper->attempt(f, step).accepted)
      throw std::runtime_error(
          fmt::format("{}: a step of {} met a number that is not finite", method, brief(h)));
    std::swap(step.x, step.x_new);
  }
  return step.x[0];
}

} // namespace

Table precision_study(const Study& s) {
  Table table{parameters_of("precision", s),
              {"method", "digits", "tolerance", "error", "seconds", "steps", "rhs_calls"},
              {}};
  Reference reference(s);
  for (const char* method : {"dopri5", "fehlberg78", "bulirsch_stoer", "taylor"}) {
    precision_rows<double>(s, method, 15, reference, table);
    precision_rows<Float128>(s, method, 33, reference, table);
    for (int digits : {50, 100, 300}) {
      set_mpfr_digits(digits + 8);
      precision_rows<Mpfr>(s, method, digits, reference, table);
    }
  }
  return table;
}

Table tolerance_study(const Study& s) {
  Table table{parameters_of("tolerance", s),
              {"method", "digits", "tolerance", "error", "ratio", "estimate", "steps", "rhs_calls"},
              {}};
  Reference reference(s);
  tolerance_rows<double>(s, 15, 13, reference, table);
  tolerance_rows<Float128>(s, 33, 29, reference, table);
  return table;
}

Table order_study(const Study& s) {
  constexpr int digits = 60, first = 6, halvings = 4;
  set_mpfr_digits(digits);
  Table table{parameters_of("order", s), {"method", "order", "step", "error", "observed"}, {}};
  Reference reference(s);
  for (const auto& method : stepper_names()) {
    // The order of these two is chosen as they go.
    if (needs_recording(method) || method == "bulirsch_stoer") continue;
    double last = 0;
    for (int k = first; k <= first + halvings; ++k) {
      s.progress(fmt::format("{}, {} steps", method, 1 << k));
      const double error = reference.error(by_fixed_steps(s, method, k), digits);
      table.rows.push_back({method, std::to_string(stepper_order(method)),
                            fmt::format("{:.6e}", s.t.approx() / std::ldexp(1.0, k)),
                            fmt::format("{:.3e}", error),
                            k == first ? "nan" : fmt::format("{:.3f}", std::log2(last / error))});
      last = error;
    }
  }
  return table;
}

const std::vector<StudyEntry>& all_studies() {
  static const std::vector<StudyEntry> list{
      {"precision", "time against error at 15 to 300 digits", precision_study},
      {"tolerance", "asked tolerance against true error", tolerance_study},
      {"order", "error against step, and the order observed", order_study}};
  return list;
}

} // namespace attndyn::analysis
