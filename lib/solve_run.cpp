#include "lib/solve_run.hpp"

#include "lib/events.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::detail {
namespace {

/// The state of one run. Each member function is one thing that the loop does.
template <class Real> class Loop {
 public:
  Loop(const Model<Real>& model, const Vector<Real>& x0, const Real& t0, const Vector<Real>& times,
       Stepper<Real>& stepper, const RunSettings<Real>& settings)
      : model_(model), x0_(x0), times_(times), stepper_(stepper), settings_(settings), options_(*settings.options),
        forward_(times.back() >= t0), t0_(t0) {
    step_.t = t0;
    step_.x = x0;
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
    for (std::size_t e = 0; e < options_.events.size(); ++e) {
      const Real v = options_.events[e].value(step_.x, step_.t);
      if (!is_finite(v)) return end(Stop::event_not_finite, "event " + options_.events[e].name), false;
      if (v == 0 && record(e, step_.t, step_.x)) return false;
    }
    if (observed()) return false;
    if (next_output_ == times_.size()) return end(Stop::reached_end), false;
    return true;
  }

  /// After the start, a switch of the equation, or a jump of the state.
  bool restart() {
    stepper_.reset();
    system_(step_.x, step_.dxdt, step_.t);
    if (!all_finite(step_.dxdt)) {
      if (!in_trouble(true)) end(Stop::non_finite, fmt::format("at t = {}", brief(step_.t)));
      return false;
    }
    if (in_trouble(false)) return false;
    h_ = settings_.step > 0 ? settings_.step : first_step();
    return true;
  }

  /// In units in which the state has size scale and the derivative scale/time, so no absolute constant enters.
  Real first_step() const {
    using std::abs;
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
    while (piece_ < switches.size() && (forward_ ? switches[piece_] <= step_.t : switches[piece_] < step_.t)) ++piece_;
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
    const Real left = abs(stop - step_.t);
    const bool lands = h_ >= left;
    const Real t_new = lands ? stop : (forward_ ? Real(step_.t + h_) : Real(step_.t - h_));
    if (t_new == step_.t) return give_up();
    // Exactly the step that the stepper proposed: Odeint's Bulirsch-Stoer forgets its order when it gets another.
    step_.step = lands ? Real(stop - step_.t) : (forward_ ? h_ : Real(-h_));

    const Attempt<Real> attempt = stepper_.attempt(system_, step_);
    if (!attempt.accepted) return reject(attempt);
    const bool moved = model_.retracts();
    if (moved) run_.stats.largest_retraction = std::max(run_.stats.largest_retraction, model_.retract(step_.x_new));
    if (moved || !stepper_.first_same_as_last()) system_(step_.x_new, step_.dxdt_new, t_new);
    if (!all_finite(step_.dxdt_new)) return reject({false, false, Real(step_.step / 5)});
    ++run_.stats.accepted;
    last_failure_finite_ = true;

    const Real cut = locate_events();
    if (run_.why == Stop::event_not_finite) return;
    serve_outputs(t_new, cut);
    if (done_) return;
    // A step cut short by a barrier says little about the step to take after it.
    const Real next = abs(attempt.next_step);
    h_ = lands && next < h_ ? std::max(next, std::min(h_, left * 6)) : next;
    std::swap(step_.x, step_.x_new);
    std::swap(step_.dxdt, step_.dxdt_new);
    step_.t = t_new;
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
    ++run_.stats.rejected;
    last_failure_finite_ = attempt.finite;
    // A fixed step is not the stepper's to shorten.
    if (!stepper_.adaptive()) return give_up();
    h_ = abs(attempt.next_step);
  }

  void give_up() {
    if (in_trouble(true)) return;
    end(last_failure_finite_ ? Stop::step_too_small : Stop::non_finite);
  }

  bool in_trouble(bool desperate) {
    auto trouble =
        model_.trouble({piece_, step_.x, step_.dxdt, step_.t, x0_, options_.tolerance, desperate});
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

  /// The state at step_.t + theta step_.step, back on the spheres.
  void state_at(const Real& theta, Vector<Real>& out) {
    if (theta == 1) out = step_.x_new;
    else if (stepper_.dense_order() > 0) stepper_.interpolate(system_, step_, theta, out);
    else step_again(theta, out);
    if (model_.retracts()) model_.retract(out);
  }

  /// For steppers without dense output: from the start of the step, shorter steps of the same method.
  void step_again(const Real& theta, Vector<Real>& out) {
    using std::abs;
    stepper_.reset();
    Step<Real> s{step_.t, Real(theta * step_.step), step_.x, step_.dxdt, {}, Vector<Real>(step_.x.size())};
    const Real goal = theta * step_.step;
    Real done = 0;
    for (int tries = 0; tries < 100 && done != goal; ++tries) {
      if (abs(s.step) > abs(goal - done)) s.step = goal - done;
      const Attempt<Real> attempt = stepper_.attempt(system_, s);
      if (attempt.accepted) {
        done = s.step == goal - done ? goal : Real(done + s.step);
        s.t = step_.t + done;
        std::swap(s.x, s.x_new);
        if (done != goal) system_(s.x, s.dxdt, s.t);
      }
      s.step = attempt.next_step;
    }
    stepper_.reset();
    out = std::move(s.x);
  }

  void serve(const Vector<Real>& x) { run_.samples.push_back({times_[next_output_++], x, piece_}); }

  /// Output times up to t_new, or up to the cut of a terminal event.
  void serve_outputs(const Real& t_new, const Real& cut_theta) {
    const bool cut = cut_theta < 1 || run_.why == Stop::event;
    const Real limit = cut ? run_.t : t_new;
    Vector<Real> x;
    while (next_output_ < times_.size() && !before(limit, times_[next_output_])) {
      const Real& t = times_[next_output_];
      if (t == t_new) {
        serve(step_.x_new);
      } else {
        state_at((t - step_.t) / step_.step, x);
        serve(x);
      }
    }
  }

  /// Records the events of the step just accepted; returns theta of a terminal one, else 1.
  Real locate_events() {
    if (options_.events.empty()) return Real(1);
    struct Found {
      Real theta;
      std::size_t event;
    };
    std::vector<Found> found;
    Vector<Real> x;
    const Real noise = 100 * epsilon<Real>(), local = settings_.tolerance.absolute / model_.scale();
    for (std::size_t e = 0; e < options_.events.size(); ++e) {
      const Event<Real>& event = options_.events[e];
      const std::function<Real(const Real&)> value = [&](const Real& theta) -> Real {
        if (theta == 0) return event.value(step_.x, step_.t);
        state_at(theta, x);
        return event.value(x, step_.t + theta * step_.step);
      };
      try {
        for (const auto& zero : zeros_on_step(value, stepper_.dense_order() > 0 ? 8 : 4, local > noise ? local : noise)) {
          using D = typename Event<Real>::Direction;
          if (event.direction == D::rising && zero.sign < 0) continue;
          if (event.direction == D::falling && zero.sign > 0) continue;
          found.push_back({zero.theta, e});
        }
      } catch (const std::domain_error&) {
        end(Stop::event_not_finite, fmt::format("event {}, after t = {}", event.name, brief(step_.t)));
        return Real(1);
      }
    }
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.theta < b.theta; });
    for (const Found& f : found) {
      state_at(f.theta, x);
      if (record(f.event, step_.t + f.theta * step_.step, x)) return f.theta;
    }
    return Real(1);
  }

  /// True if the event ends the run.
  bool record(std::size_t event, const Real& t, const Vector<Real>& x) {
    run_.events.push_back({event, t, x});
    if (!options_.events[event].terminal) return false;
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
  Stepper<Real>& stepper_;
  const RunSettings<Real>& settings_;
  const Options<Real>& options_;
  const bool forward_;
  const Real t0_;
  System<Real> system_;
  Step<Real> step_;
  Real h_;  ///< > 0, whatever the direction
  std::size_t piece_ = 0, next_output_ = 0;
  bool done_ = false, last_failure_finite_ = true;
  Run<Real> run_;
};

}  // namespace

template <class Real>
Run<Real> run_once(const Model<Real>& model, const Vector<Real>& x0, const Real& t0, const Vector<Real>& times,
                   Stepper<Real>& stepper, const RunSettings<Real>& settings) {
  return Loop<Real>(model, x0, t0, times, stepper, settings).go();
}

#define ATTNDYN_INSTANTIATE(Real)                                                                                  \
  template Run<Real> run_once(const Model<Real>&, const Vector<Real>&, const Real&, const Vector<Real>&,           \
                              Stepper<Real>&, const RunSettings<Real>&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

}  // namespace attndyn::detail
