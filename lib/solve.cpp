#include "lib/solve.hpp"

#include "lib/solve_run.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn {
namespace {

/// Each further run asks the stepper for this many times less.
constexpr int tightening = 8;
/// The first run asks for this many times less than the user: local errors add up.
constexpr int first_margin = 4;

struct StopText {
  Stop stop;
  const char *name, *sentence;
};
constexpr StopText stop_texts[] = {
    {Stop::reached_end, "reached_end", "all output times were reached"},
    {Stop::event, "event", "a terminal event happened"},
    {Stop::observer, "observer", "an observer asked to stop"},
    {Stop::non_finite, "non_finite", "the field or the state became NaN or infinite"},
    {Stop::event_not_finite, "event_not_finite", "an event function became NaN or infinite"},
    {Stop::singular_field, "singular_field",
     "the attention vector of a token vanished where the scheme divides by its norm"},
    {Stop::radius_zero, "radius_zero", "the radius of a token reached zero"},
    {Stop::step_too_small, "step_too_small", "the step fell below the spacing of numbers near t"},
    {Stop::max_steps, "max_steps", "the number of steps allowed was used up"},
    {Stop::max_seconds, "max_seconds", "the time allowed was used up"},
    {Stop::tolerance_not_reached, "tolerance_not_reached",
     "two runs still differ by more than the tolerance where tightening must end"},
};

const StopText& text_of(Stop why) {
  for (const auto& t : stop_texts)
    if (t.stop == why) return t;
  throw std::logic_error("unknown Stop");
}

template <class Real>
void check_arguments(const Model<Real>& model, const Vector<Real>& x0, const Real& t0, const Vector<Real>& times,
                     const Options<Real>& o) {
  const auto fail = [](const std::string& what) { throw std::invalid_argument(what); };
  if (x0.size() != model.size())
    fail(fmt::format("start: has {} components, the model has {}", x0.size(), model.size()));
  if (!all_finite(x0)) fail("start: every component must be finite");
  if (times.empty()) fail("times: must name at least one time");
  if (!is_finite(t0)) fail("start time: must be finite");
  const bool forward = times.back() >= t0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!is_finite(times[i])) fail(fmt::format("times[{}] = {}: must be finite", i, brief(times[i])));
    const Real& before = i == 0 ? t0 : times[i - 1];
    const bool ordered = forward ? times[i] > before : times[i] < before;
    if (!ordered && !(i == 0 && times[0] == t0))
      fail(fmt::format("times[{}] = {}: times must be strictly monotone, away from the start at {}", i,
                       brief(times[i]), brief(t0)));
  }
  const Real least = 4 * epsilon<Real>();
  if (!(is_finite(o.tolerance) && o.tolerance >= least))
    fail(fmt::format("tolerance = {}: must be finite and at least {} in this number type (ask for more digits)",
                     brief(o.tolerance), brief(least)));
  if (!is_finite(o.step) || o.step < 0) fail(fmt::format("step = {}: must be finite and >= 0", brief(o.step)));
  if (o.max_steps == 0) fail("max_steps = 0: must be positive");
  for (const auto& e : o.events)
    if (!e.value) fail(fmt::format("event {}: has no function", e.name));
}

template <class Real> std::string default_stepper(const Real& tolerance) {
  return tolerance > Real(1) / 10'000'000'000'000'000 ? "dop853" : "bulirsch_stoer";
}

/// The largest difference of two runs in units of the tolerance's weight; infinity if they are not comparable.
template <class Real>
Real difference(const detail::Run<Real>& a, const detail::Run<Real>& b, const Real& scale, const Real& tolerance) {
  using std::abs;
  if (a.why != b.why || a.samples.size() != b.samples.size() || a.events.size() != b.events.size())
    return infinity<Real>();
  Real worst = 0;
  const auto compare = [&](const Vector<Real>& x, const Vector<Real>& y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Real floor = 4 * epsilon<Real>() * abs(y[i]) / tolerance;
      const Real d = abs(x[i] - y[i]) / (floor > scale ? floor : scale);
      if (d > worst) worst = d;
    }
  };
  for (std::size_t i = 0; i < a.samples.size(); ++i) compare(a.samples[i].x, b.samples[i].x);
  if (b.why == Stop::radius_zero) worst = abs(a.t - b.t) / abs(b.t);
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    if (a.events[i].event != b.events[i].event) return infinity<Real>();
    const Real d = abs(a.events[i].t - b.events[i].t) / (abs(b.events[i].t) + abs(b.t));
    if (d > worst) worst = d;
  }
  return worst;
}

template <class Real> void move_into(Solution<Real>& out, detail::Run<Real>&& run) {
  out.samples = std::move(run.samples);
  out.events = std::move(run.events);
  out.why = run.why;
  out.detail = std::move(run.detail);
  out.t = run.t;
  out.x = std::move(run.x);
  out.stats.accepted = run.stats.accepted;
  out.stats.rejected = run.stats.rejected;
  out.stats.largest_retraction = run.stats.largest_retraction;
}

/// Ends at which a tighter run would say the same, or would never come back.
bool is_final(Stop why) {
  return why == Stop::non_finite || why == Stop::event_not_finite || why == Stop::singular_field ||
         why == Stop::max_steps || why == Stop::max_seconds || why == Stop::observer;
}

}  // namespace

const char* name_of(Stop why) { return text_of(why).name; }
const char* sentence_for(Stop why) { return text_of(why).sentence; }

template <class Real>
Solution<Real> solve(const Model<Real>& model, const Vector<Real>& x0, const Real& t0, const Vector<Real>& times,
                     const Options<Real>& options) {
  using std::abs;
  check_arguments(model, x0, t0, times, options);
  const std::string name = options.stepper.empty() ? default_stepper(options.tolerance) : options.stepper;
  const bool fixed = has_fixed_step(name);
  const Real scale = model.scale();
  const detail::Clock clock(options.max_seconds);

  Solution<Real> out;
  const auto once = [&](const Real& local, const Real& step) {
    const LocalTolerance<Real> tolerance{local * scale, 4 * epsilon<Real>()};
    detail::RunSettings<Real> settings{&options, tolerance, step, out.stats.runs++, &clock};
    auto run = detail::run_once(model, x0, t0, times, *make_stepper<Real>(name, tolerance), settings);
    out.stats.rhs_calls += run.stats.rhs_calls;
    return run;
  };
  const auto finish = [&](detail::Run<Real>&& run) {
    move_into(out, std::move(run));
    out.stats.seconds = clock.seconds();
    return out;
  };

  // A fixed-step method is tightened through its step, an adaptive one through its local tolerance.
  Real step = options.step;
  if (fixed && step == 0) step = abs(times.back() - t0) / 64;
  Real local = options.control_global_error ? Real(options.tolerance / first_margin) : options.tolerance;
  auto coarse = once(local, step);
  if (!options.control_global_error || is_final(coarse.why)) return finish(std::move(coarse));

  const Real finest = epsilon<Real>() * 4;
  for (;;) {
    const Real tighter = local / tightening;
    local = tighter > finest ? tighter : finest;
    if (fixed) step = step / 2;
    auto fine = once(local, step);
    const Real d = difference(coarse, fine, scale, options.tolerance);
    const bool agreed = d <= options.tolerance;
    const bool step_was_given = fixed && options.step != 0;
    if (!agreed && fine.why == Stop::observer) return finish(std::move(fine));
    // What a tighter run ran out of was enough for a coarser one: the coarser one stands, but nobody vouches for it.
    const bool gave_out = !agreed && is_final(fine.why) && coarse.ended_as_asked();
    if (agreed || step_was_given || is_final(fine.why) || (!fixed && local <= finest)) {
      const Real achieved = d;
      finish(gave_out ? std::move(coarse) : std::move(fine));
      if (is_finite(achieved)) out.error_estimate = achieved;
      if (!agreed && !step_was_given && (out.ended_as_asked() || !is_final(out.why))) {
        out.detail = fmt::format("asked {}, {}{}", brief(options.tolerance),
                                 is_finite(achieved) ? "achieved " + brief(achieved) : "but two runs ended differently",
                                 gave_out || out.why == Stop::reached_end ? "" : fmt::format("; last run: {} {}", name_of(out.why), out.detail));
        out.why = Stop::tolerance_not_reached;
      }
      return out;
    }
    coarse = std::move(fine);
  }
}

template Solution<double> solve(const Model<double>&, const Vector<double>&, const double&, const Vector<double>&,
                                const Options<double>&);
template Solution<Float128> solve(const Model<Float128>&, const Vector<Float128>&, const Float128&,
                                  const Vector<Float128>&, const Options<Float128>&);
template Solution<Mpfr> solve(const Model<Mpfr>&, const Vector<Mpfr>&, const Mpfr&, const Vector<Mpfr>&,
                              const Options<Mpfr>&);

}  // namespace attndyn
