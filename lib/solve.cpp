#include "lib/solve.hpp"

#include "lib/solve_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace attndyn {
namespace {

/// Each further run asks the stepper for this many times less.
constexpr int tightening = 8;
/// The first run asks for this many times less than the user: local errors add up.
constexpr int first_margin = 4;
/// A fixed step that this loop chose may be too long and overflow; after so many halvings the field is to
/// blame.
constexpr int halvings_of_a_chosen_step = 8;

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
void check_arguments(const Model<Real>& model, const Vector<Real>& x0, const Real& t0,
                     const Vector<Real>& times, const Options<Real>& o) {
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
    fail(fmt::format(
        "tolerance = {}: must be finite and at least {} in this number type (ask for more digits)",
        brief(o.tolerance), brief(least)));
  if (!is_finite(o.step) || o.step < 0)
    fail(fmt::format("step = {}: must be finite and >= 0", brief(o.step)));
  if (o.max_steps == 0) fail("max_steps = 0: must be positive");
  if (!is_finite(model.scale()) || !(model.scale() > 0))
    fail(fmt::format("scale = {}: the model's must be finite and > 0", brief(model.scale())));
  for (const auto& e : o.events)
    if (!e.value) fail(fmt::format("event {}: has no function", e.name));
}

/// Beyond 20 digits Taylor, where the model can be recorded.
template <class Real>
std::string default_stepper(const Model<Real>& model, const Vector<Real>& x0, const Real& t0,
                            const Real& tolerance) {
  const Real sixteen = Real(1) / 10'000'000'000'000'000, twenty = sixteen / 10'000;
  if (tolerance > sixteen) return "dop853";
  return tolerance >= twenty || !model.record_field(0, x0, t0) ? "bulirsch_stoer" : "taylor";
}

/// |a - b| in units of the time that has passed.
template <class Real> Real time_difference(const Real& a, const Real& b, const Real& elapsed) {
  using std::abs;
  if (a == b) return Real(0);
  return elapsed > 0 ? Real(abs(Real(a - b)) / elapsed) : infinity<Real>();
}

template <class Real>
std::vector<const EventRecord<Real>*> of_event(const detail::Run<Real>& run, std::size_t e) {
  std::vector<const EventRecord<Real>*> out;
  for (const auto& record : run.events)
    if (record.event == e) out.push_back(&record);
  return out;
}

/// How far the times of event e differ, in units of `elapsed`; infinity if the runs do not tell the same
/// story. A time at which v only touches zero has half the digits of v, so its square counts. An event so
/// near the end of the other run that it may have come too late for it need not be there.
template <class Real>
Real event_difference(const detail::Run<Real>& a, const detail::Run<Real>& b, std::size_t e,
                      const Real& elapsed, const Real& tolerance) {
  const auto in_a = of_event(a, e), in_b = of_event(b, e);
  const std::size_t common = std::min(in_a.size(), in_b.size());
  Real worst = 0;
  for (std::size_t i = 0; i < common; ++i) {
    if (in_a[i]->sign * in_b[i]->sign < 0) return infinity<Real>();
    Real d = time_difference(in_a[i]->t, in_b[i]->t, elapsed);
    if (in_a[i]->sign == 0 || in_b[i]->sign == 0) d *= d;
    if (d > worst) worst = d;
  }
  const auto late = [&](const auto& records, const Real& end) {
    for (std::size_t i = common; i < records.size(); ++i)
      if (time_difference(records[i]->t, end, elapsed) > tolerance) return false;
    return true;
  };
  return late(in_a, b.t) && late(in_b, a.t) ? worst : infinity<Real>();
}

/// The largest difference of two runs: of samples in units of the tolerance's weight, of times in units of
/// the time passed. Infinity if they cannot be compared; nothing if there is nothing to compare.
template <class Real>
std::optional<Real> difference(const detail::Run<Real>& a, const detail::Run<Real>& b, const Real& t0,
                               const Real& scale, const Real& tolerance) {
  using std::abs;
  if (a.why != b.why || a.samples.size() != b.samples.size()) return infinity<Real>();
  if (a.samples.empty() && a.events.empty() && b.events.empty() && a.why != Stop::radius_zero)
    return std::nullopt;
  Real worst = 0;
  const auto count = [&](const Real& d) {
    if (d > worst) worst = d;
  };
  for (std::size_t k = 0; k < a.samples.size(); ++k) {
    const Vector<Real>&x = a.samples[k].x, &y = b.samples[k].x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      // Both runs carry round-off; ten times 4 epsilon |x| is what the promise of the tolerance allows.
      const Real floor = 16 * epsilon<Real>() * abs(y[i]) / tolerance;
      count(abs(Real(x[i] - y[i])) / (floor > scale ? floor : scale));
    }
  }
  const Real elapsed = abs(Real(b.t - t0));
  if (b.why == Stop::radius_zero) count(time_difference(a.t, b.t, elapsed));
  std::size_t events = 0;
  for (const auto* run : {&a, &b})
    for (const auto& record : run->events) events = std::max(events, record.event + 1);
  for (std::size_t e = 0; e < events; ++e) count(event_difference(a, b, e, elapsed, tolerance));
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

} // namespace

const char* name_of(Stop why) { return text_of(why).name; }
const char* sentence_for(Stop why) { return text_of(why).sentence; }

template <class Real>
Solution<Real> solve(const Model<Real>& model, const Vector<Real>& x0, const Real& t0,
                     const Vector<Real>& times, const Options<Real>& options) {
  using std::abs;
  check_arguments(model, x0, t0, times, options);
  const std::string name =
      options.stepper.empty() ? default_stepper(model, x0, t0, options.tolerance) : options.stepper;
  const bool fixed = has_fixed_step(name);
  const Real scale = model.scale();
  const detail::Clock clock(options.max_seconds);

  Solution<Real> out;
  // Of all components alike, whether their own size or the scale decides what they are asked for.
  const auto local_tolerance = [&](const Real& local) {
    const Real relative = 4 * epsilon<Real>() * local / options.tolerance,
               least = epsilon<Real>() / tightening;
    return LocalTolerance<Real>{local * scale, relative > least ? relative : least, scale};
  };
  const auto once = [&](const Real& local, const Real& step) {
    const detail::RunSettings<Real> settings{&options, local_tolerance(local), step, out.stats.runs++,
                                             &clock};
    auto run = detail::run_once(model, x0, t0, times, name, settings);
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
  const bool step_was_given = fixed && options.step != 0;
  const bool step_was_chosen = fixed && options.step == 0;
  const auto step_may_be_too_long = [&](const detail::Run<Real>& run) {
    return step_was_chosen && run.why == Stop::non_finite && out.stats.runs <= halvings_of_a_chosen_step;
  };
  const auto is_last_word = [&](const detail::Run<Real>& run) {
    return is_final(run.why) && !step_may_be_too_long(run);
  };
  auto coarse = once(local, step);
  if (!options.control_global_error || is_last_word(coarse)) return finish(std::move(coarse));

  // Components far below the scale resolve less than epsilon and may need it; but there are always two runs
  // that differ in what they were asked.
  const Real finest = std::min(Real(epsilon<Real>() / 4), Real(local / tightening));
  for (;;) {
    const Real tighter = local / tightening;
    local = tighter > finest ? tighter : finest;
    if (fixed) step = step / 2;
    auto fine = once(local, step);
    const std::optional<Real> compared = difference(coarse, fine, t0, scale, options.tolerance);
    const Real d = compared.value_or(Real(0));
    const bool agreed = d <= options.tolerance && !step_may_be_too_long(fine);
    if (!agreed && fine.why == Stop::observer) return finish(std::move(fine));
    // What a tighter run ran out of was enough for a coarser one: the coarser one stands, but nobody vouches
    // for it.
    const bool gave_out = !agreed && is_last_word(fine) && coarse.ended_as_asked();
    if (agreed || step_was_given || is_last_word(fine) || (!fixed && local <= finest)) {
      const Stop fine_why = fine.why;
      const std::string fine_detail = fine.detail;
      finish(gave_out ? std::move(coarse) : std::move(fine));
      if (compared && is_finite(d)) out.error_estimate = d;
      if (!agreed && !step_was_given && (out.ended_as_asked() || !is_final(out.why))) {
        const std::string achieved = is_finite(d) ? "achieved " + brief(d) : "but two runs ended differently";
        const std::string end = fine_why == Stop::reached_end ? ""
                                                              : fmt::format("; the last run ended with {} {}",
                                                                            name_of(fine_why), fine_detail);
        // A wider number type is what helps where this one has given all it has.
        const char* advice =
            fine_why == Stop::reached_end && !fixed && local <= finest ? "; ask for more digits" : "";
        out.detail = fmt::format("asked {}, {}{}{}", brief(options.tolerance), achieved, end, advice);
        out.why = Stop::tolerance_not_reached;
      }
      return out;
    }
    coarse = std::move(fine);
  }
}

template Solution<double> solve(const Model<double>&, const Vector<double>&, const double&,
                                const Vector<double>&, const Options<double>&);
template Solution<Float128> solve(const Model<Float128>&, const Vector<Float128>&, const Float128&,
                                  const Vector<Float128>&, const Options<Float128>&);
template Solution<Mpfr> solve(const Model<Mpfr>&, const Vector<Mpfr>&, const Mpfr&, const Vector<Mpfr>&,
                              const Options<Mpfr>&);

} // namespace attndyn
