#include "lib/solve_run.hpp"

#include "lib/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attndyn::detail {
namespace {

/// a + b rounded, and what rounding left out.
template <class Real> std::pair<Real, Real> two_sum(const Real& a, const Real& b) {
  const Real rounded = a + b, part = rounded - a;
  return {rounded, (a - (rounded - part)) + (b - part)};
}

constexpr const char* no_recording =
    "stepper = taylor: this model, at this size, has no recorded field (see record_field)";

/// The state of one run. Each member function is one thing that the loop does.
template <class Real> class Loop {
public:
  Loop(const Model<Real>& model, const Vector<Real>& x0, const Real& t0, const Vector<Real>& times,
       const std::string& stepper_name, const RunSettings<Real>& settings)
      : model_(model), x0_(x0), times_(times),
        stepper_owner_(make_stepper<Real>(stepper_name, settings.tolerance, recording())),
        stepper_(*stepper_owner_), settings_(settings), options_(*settings.options),
        forward_(times.back() >= t0), t0_(t0), trend_(options_.events.size(), Trend::unknown) {
    if (stepper_.dense_order() == 0) between_ = make_stepper<Real>(stepper_name, settings.tolerance);
    step_.t = t0;
    step_.x = x0;
    // A start off the sphere by more than rounding is not one whose solution any stepper could agree on.
    if (Vector<Real> x = x0; model.retracts() && model.retract(x) > 4 * plain_value(epsilon<Real>()))
      step_.x = x;
    step_.dxdt.resize(x0.size());
    step_.dxdt_new.resize(x0.size());
    system_ = [this](const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) {
      ++run_.stats.rhs_calls;
      model_.field(piece_, x, dxdt, t);
    };
  }

  Run<Real> go() {
    if (start())
      while (!done_) one_step();
    if (!run_.ended_as_asked() && run_.why != Stop::radius_zero && run_.detail.empty())
      run_.detail = fmt::format("at t = {}", brief(step_.t));
    if (run_.why != Stop::radius_zero && run_.why != Stop::event) run_.t = step_.t;
    if (run_.why != Stop::event) run_.x = step_.x;
    return std::move(run_);
  }

private:
  FieldRecording<Real> recording() {
    return [this](const Vector<Real>& x, const Real& t) {
      auto recording = model_.record_field(piece_, x, t);
      if (!recording) throw std::invalid_argument(no_recording);
      return *std::move(recording);
    };
  }

  bool before(const Real& a, const Real& b) const { return forward_ ? a < b : a > b; }

  void end(Stop why, std::string detail = {}) {
    run_.why = why;
    run_.detail = std::move(detail);
    done_ = true;
  }

  /// Serves an output at t0, looks for trouble there, and finds the first step. False: already over.
  bool start() {
    choose_piece();
    if (times_[0] == step_.t) serve(step_.x);
    if (!restart()) return false;
    if (!events_at_start() || observed()) return false;
    if (next_output_ == times_.size()) return end(Stop::reached_end), false;
    return true;
  }

  /// Events whose function is exactly zero at the start, in the direction in which the field leaves it.
  /// False: over.
  bool events_at_start() {
    Vector<Real> ahead = step_.x;
    const Real h = forward_ ? Real(h_ / 64) : Real(-h_ / 64);
    for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] += h * step_.dxdt[i];
    bool go_on = true;
    for (std::size_t e = 0; e < options_.events.size(); ++e) {
      const Event<Real>& event = options_.events[e];
      const Real v = event.value(step_.x, step_.t);
      if (!is_finite(v)) return end(Stop::event_not_finite, "event " + event.name), false;
      if (v != 0) continue;
      const Real next = event.value(ahead, step_.t + h);
      const int sign = next > 0 ? 1 : next < 0 ? -1 : 0;
      if (wanted(event, sign) && record(e, step_.t, step_.x, sign)) go_on = false;
    }
    return go_on;
  }

  static bool wanted(const Event<Real>& event, int sign) {
    using D = typename Event<Real>::Direction;
    return !(event.direction == D::rising && sign < 0) && !(event.direction == D::falling && sign > 0);
  }

  /// After the start, a switch of the equation, or a jump of the state.
  bool restart() {
    stepper_.reset();
    // A kink: what fell before may fall on, what rose may fall now.
    for (Trend& trend : trend_)
      if (trend == Trend::rising) trend = Trend::unknown;
    system_(step_.x, step_.dxdt, step_.t);
    if (!all_finite(step_.dxdt)) {
      if (!in_trouble(true)) end(Stop::non_finite, fmt::format("at t = {}", brief(step_.t)));
      return false;
    }
    if (in_trouble(false)) return false;
    h_ = settings_.step > 0 ? settings_.step : first_step();
    return true;
  }

  /// In units in which the state has size scale and the derivative scale/time, so no absolute constant
  /// enters.
  Real first_step() const {
    using std::abs;
    if (stepper_.rejections_are_free()) return abs(Real(barrier() - step_.t));
    Real speed = 0;
    for (const Real& v : step_.dxdt)
      if (abs(v) > speed) speed = abs(v);
    const Real left = abs(times_.back() - step_.t);
    if (speed == 0) return left;
    const double relative = plain_value(Real(settings_.tolerance.absolute / model_.scale()));
    const double fraction = relative > 0 ? std::pow(relative, 1.0 / (stepper_.order() + 1)) : 1e-3;
    const Real h = Real(fraction) * model_.scale() / speed;
    return h < left ? h : left;
  }

  /// The piece of the schedule that holds just ahead of step_.t.
  void choose_piece() {
    const auto& switches = model_.switches();
    piece_ = 0;
    while (piece_ < switches.size() && (forward_ ? switches[piece_] <= step_.t : switches[piece_] < step_.t))
      ++piece_;
  }

  /// The next time at which a step must end: the last output, or the switch at the end of this piece.
  Real barrier() const {
    const auto& switches = model_.switches();
    const Real& last = times_.back();
    if (forward_ && piece_ < switches.size() && switches[piece_] < last) return switches[piece_];
    if (!forward_ && piece_ > 0 && switches[piece_ - 1] > last) return switches[piece_ - 1];
    return last;
  }

  void one_step() {
    using std::abs;
    if (run_.stats.accepted + run_.stats.rejected >= options_.max_steps)
      return end(Stop::max_steps, fmt::format("{} steps, at t = {}", options_.max_steps, brief(step_.t)));
    if (settings_.clock->expired()) return end(Stop::max_seconds, fmt::format("at t = {}", brief(step_.t)));

    const Real stop = barrier();
    const Real left = abs(Real((stop - step_.t) - late_));
    // Exactly the step that the stepper proposed: Odeint's Bulirsch-Stoer forgets its order when it gets
    // another. What rounding then leaves between the clock and the time reached is carried on.
    step_.step = forward_ ? h_ : Real(-h_);
    auto [t_new, late] = two_sum(step_.t, Real(step_.step + late_));
    if (t_new == step_.t) return give_up();
    const bool lands = h_ >= left || !before(t_new, stop);
    if (lands) {
      step_.step = (stop - step_.t) - late_;
      t_new = stop;
      late = 0;
    }
    t_new_ = t_new;

    const Attempt<Real> attempt = stepper_.attempt(system_, step_);
    if (!attempt.accepted) return reject(attempt);
    const bool moved = model_.retracts();
    const double retraction = moved ? model_.retract(step_.x_new) : 0;
    if (moved || !stepper_.first_same_as_last()) system_(step_.x_new, step_.dxdt_new, t_new);
    if (!all_finite(step_.dxdt_new)) return reject({false, false, Real(step_.step / 5)});
    ++run_.stats.accepted;
    run_.stats.largest_retraction = std::max(run_.stats.largest_retraction, retraction);
    ++accepted_since_non_finite_;

    try {
      locate_events();
      if (run_.why == Stop::event_not_finite) return;
      serve_outputs();
    } catch (const NotReached& failure) {
      return end(failure.finite ? Stop::step_too_small : Stop::non_finite,
                 fmt::format("between steps, after t = {}", brief(step_.t)));
    }
    if (done_) return;
    // A step cut short by a barrier says little about the step to take after it.
    const Real next = abs(attempt.next_step);
    h_ = lands && next < h_ ? std::max(next, std::min(h_, left * 6)) : next;
    std::swap(step_.x, step_.x_new);
    std::swap(step_.dxdt, step_.dxdt_new);
    step_.t = t_new;
    late_ = late;
    if (in_trouble(false) || observed()) return;
    if (next_output_ == times_.size()) return end(Stop::reached_end);
    if (t_new == stop) {
      choose_piece();
      if (!restart()) return;
    }
    report_progress();
  }

  void reject(const Attempt<Real>& attempt) {
    using std::abs;
    if (!stepper_.rejections_are_free() || !attempt.finite) ++run_.stats.rejected;
    accepted_since_non_finite_ = attempt.finite ? far : 0;
    // A fixed step is not the stepper's to shorten.
    if (!stepper_.adaptive()) return give_up();
    h_ = abs(attempt.next_step);
  }

  void give_up() {
    if (in_trouble(true)) return;
    end(accepted_since_non_finite_ >= far ? Stop::step_too_small : Stop::non_finite);
  }

  bool in_trouble(bool desperate) {
    auto trouble = model_.trouble({piece_, step_.x, step_.dxdt, step_.t, x0_, options_.tolerance, desperate});
    if (!trouble) return false;
    run_.t = trouble->time;
    end(trouble->why, std::move(trouble->detail));
    return true;
  }

  bool observed() {
    if (!options_.observer) return false;
    if (options_.observer(settings_.index, step_.t, step_.x) == Flow::go) return false;
    end(Stop::observer);
    return true;
  }

  /// The time that is theta of the last step on.
  Real time_at(const Real& theta) const {
    return theta == 1 ? t_new_ : Real(step_.t + (late_ + theta * step_.step));
  }

  /// The state there, back on the spheres.
  void state_at(const Real& theta, Vector<Real>& out) {
    if (theta == 1) {
      out = step_.x_new;
      return;
    }
    if (between_)
      step_again(theta, out);
    else
      stepper_.interpolate(system_, step_, theta, out);
    if (model_.retracts()) model_.retract(out);
  }

  struct NotReached {
    bool finite;
  };

  /// For steppers without dense output: from the start of the step, shorter steps of the same method. The
  /// stepper that makes the run is left alone, so that looking does not change the run. Throws NotReached.
  void step_again(const Real& theta, Vector<Real>& out) {
    using std::abs;
    between_->reset();
    const Real goal = theta * step_.step;
    Step<Real> s{step_.t, goal, step_.x, step_.dxdt, {}, Vector<Real>(step_.x.size())};
    Real done = 0;
    // One attempt is the rule; a step that could not be split in so many is no step.
    for (int tries = 0; done != goal; ++tries) {
      if (abs(s.step) > abs(Real(goal - done))) s.step = goal - done;
      const Attempt<Real> attempt = between_->attempt(system_, s);
      if (attempt.accepted) {
        done = s.step == goal - done ? goal : Real(done + s.step);
        s.t = step_.t + done;
        std::swap(s.x, s.x_new);
        if (done != goal) system_(s.x, s.dxdt, s.t);
      } else if (tries > 1000 || !between_->adaptive()) {
        throw NotReached{attempt.finite};
      }
      s.step = attempt.next_step;
    }
    out = std::move(s.x);
  }

  void serve(const Vector<Real>& x) { run_.samples.push_back({times_[next_output_++], x, piece_}); }

  /// Output times up to the end of the step, or up to the terminal event in it.
  void serve_outputs() {
    const Real limit = run_.why == Stop::event ? run_.t : t_new_;
    Vector<Real> x;
    while (next_output_ < times_.size() && !before(limit, times_[next_output_])) {
      const Real& t = times_[next_output_];
      if (t == t_new_) {
        serve(step_.x_new);
      } else {
        state_at(((t - step_.t) - late_) / step_.step, x);
        serve(x);
      }
    }
  }

  struct Found {
    Real theta;
    int sign;
    std::size_t event;
  };

  /// Records the events of the step just accepted, up to a terminal one.
  void locate_events() {
    using std::abs;
    if (options_.events.empty()) return;
    std::vector<Found> found;
    for (std::size_t e = 0; e < options_.events.size(); ++e) {
      try {
        const auto zeros = zeros_on_step(along_step(e), between_ ? 4 : 8);
        trend_[e] = zeros.at_end;
        for (const auto& zero : zeros.zeros)
          if (wanted(options_.events[e], zero.sign)) found.push_back({zero.theta, zero.sign, e});
      } catch (const std::domain_error&) {
        return end(Stop::event_not_finite,
                   fmt::format("event {}, after t = {}", options_.events[e].name, brief(step_.t)));
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.theta < b.theta; });
    // What happens together with a terminal event, to rounding, is recorded whatever the order that rounding
    // gave.
    const Real tie = 8 * epsilon<Real>() * (1 + abs(t_new_ / step_.step));
    std::optional<Real> terminal;
    Vector<Real> x;
    for (const Found& f : found) {
      if (terminal && f.theta > *terminal + tie) break;
      state_at(f.theta, x);
      if (record(f.event, time_at(f.theta), x, f.sign) && !terminal) terminal = f.theta;
    }
  }

  AlongStep<Real> along_step(std::size_t e) {
    const Event<Real>& event = options_.events[e];
    AlongStep<Real> v;
    v.value = [this, &event, x = Vector<Real>()](const Real& theta) mutable -> Real {
      if (theta == 0) return event.value(step_.x, step_.t);
      state_at(theta, x);
      return event.value(x, time_at(theta));
    };
    v.uncertainty = [this, &event](const Real& theta) { return uncertainty(event, theta); };
    v.at_start = trend_[e];
    v.last = t_new_ == times_.back();
    return v;
  }

  /// How much an event function changes if the state is off by what the user tolerates, in a few directions.
  Real uncertainty(const Event<Real>& event, const Real& theta) {
    using std::abs;
    Vector<Real> x, y;
    state_at(theta, x);
    const Real t = time_at(theta), value = event.value(x, t);
    const Real least = options_.tolerance * model_.scale();
    Real worst = 0;
    for (std::uint32_t direction = 1; direction <= 3; ++direction) {
      y = x;
      std::uint32_t bits = direction;
      for (Real& component : y) {
        const Real floor = 4 * epsilon<Real>() * abs(component);
        const Real& shift = floor > least ? floor : least;
        bits = bits * 1664525u + 1013904223u;
        component += bits >> 31 ? shift : Real(-shift);
      }
      const Real change = abs(Real(event.value(y, t) - value));
      if (change > worst) worst = change; // false for NaN: that direction leaves the domain of the function
    }
    return worst;
  }

  /// True if the event ends the run.
  bool record(std::size_t event, const Real& t, const Vector<Real>& x, int sign) {
    run_.events.push_back({event, t, x, sign});
    if (!options_.events[event].terminal) return false;
    if (run_.why == Stop::event) return true;
    run_.t = t;
    run_.x = x;
    end(Stop::event, options_.events[event].name);
    return true;
  }

  void report_progress() {
    if (!options_.progress || (run_.stats.accepted & 1023) != 0) return;
    options_.progress(settings_.index, plain_value(Real((step_.t - t0_) / (times_.back() - t0_))));
  }

  const Model<Real>& model_;
  const Vector<Real>&x0_, &times_;
  const std::unique_ptr<Stepper<Real>> stepper_owner_;
  Stepper<Real>& stepper_;
  std::unique_ptr<Stepper<Real>>
      between_; ///< for states between steps; null where the stepper has dense output
  const RunSettings<Real>& settings_;
  const Options<Real>& options_;
  const bool forward_;
  const Real t0_;
  System<Real> system_;
  Step<Real> step_;
  Real late_ = 0;  ///< the time reached is step_.t + late_: rounding of t does not add up over the steps
  Real t_new_ = 0; ///< where the step ends
  Real h_;         ///< > 0, whatever the direction
  std::vector<Trend> trend_; ///< of |event function| at step_.t, one for each event
  std::size_t piece_ = 0, next_output_ = 0;
  bool done_ = false;
  /// So many steps after an attempt that was not finite the run has left that place behind.
  static constexpr int far = 10;
  int accepted_since_non_finite_ = far;
  Run<Real> run_;
};

} // namespace

template <class Real>
Run<Real> run_once(const Model<Real>& model, const Vector<Real>& x0, const Real& t0,
                   const Vector<Real>& times, const std::string& stepper_name,
                   const RunSettings<Real>& settings) {
  return Loop<Real>(model, x0, t0, times, stepper_name, settings).go();
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template Run<Real> run_once(const Model<Real>&, const Vector<Real>&, const Real&, const Vector<Real>&,     \
                              const std::string&, const RunSettings<Real>&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn::detail
