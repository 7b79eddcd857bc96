#include "analysis/coarsening.hpp"

#include "lib/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace attndyn::analysis {
namespace {

/// Logits of beta times a rounded cosine carry beta epsilon, and a pair magnifies it as it meets: no stage is
/// asked for more than it can give, but less than this is no answer.
constexpr double loosest_tolerance = 1e-7;
constexpr double infinite = std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  const double high = std::max(a, b);
  return std::isfinite(high) ? high + std::log1p(std::exp(std::min(a, b) - high)) : high;
}

double gap(const Vector<double>& x, std::size_t d, std::size_t i, std::size_t j) {
  return chord_gap(x.data() + i * d, x.data() + j * d, d);
}

void check(const ParticleParams<double>& p) {
  const auto& info = p.scheme.name;
  if (info != "post")
    throw std::invalid_argument("scheme = " + info + ": must be post where tokens are merged");
  if (p.attention != Attention::softmax && p.attention != Attention::unnormalised)
    throw std::invalid_argument(
        fmt::format("attention = {}: must be sa or usa where tokens are merged", name_of(p.attention)));
  if (!(p.beta.approx() >= 0)) throw std::invalid_argument("beta = " + p.beta.text() + ": must be >= 0");
  if (p.weights.size() != 1 || !p.weights[0].empty())
    throw std::invalid_argument("weights: must be identities where tokens are merged");
}

class Run {
public:
  Run(const ParticleParams<double>& p, const Tokens<double>& start, const CoarseningOptions& options,
      const MakeParticles& make)
      : p_(p), o_(options), make_(make) {
    check(p);
    if (!(o_.merge_gap > 0)) throw std::invalid_argument("merge_gap: must be > 0");
    p_.reduce_span = false;
    if (p.attention == Attention::unnormalised && p.clock == TimeScale::natural) {
      p_.clock = TimeScale::scaled; // in which the closest pair moves at the rate R, as it does for SA
      log_clock_ = -p.beta.approx();
    }
    now_.log_time = -infinite;
    now_.theta = start.theta;
    const Particles<double> model(p_, start); // checks masses and tokens
    now_.masses = model.masses();
    now_.log_radii.assign(start.theta.cols, 0);
    for (std::size_t j = 0; j < start.theta.cols; ++j) {
      now_.log_radii[j] = std::log(start.r[j]);
      now_.label.push_back(j);
    }
  }

  Coarsening go() {
    out_.samples.push_back(now_);
    merge(-infinite);
    while (!done_) {
      if (now_.theta.cols == 1)
        end(CoarseningEnd::one_cluster);
      else
        stage();
    }
    out_.log_time = now_.log_time;
    return std::move(out_);
  }

private:
  void end(CoarseningEnd why, std::string detail = {}) {
    done_ = true;
    out_.why = why;
    out_.detail = std::move(detail);
  }

  /// Distances below the tolerance are noise: tokens that are known to it cannot be asked to come closer.
  void ask(Options<double>& options, double tolerance) {
    options.tolerance = tolerance;
    reach_ = std::max(o_.merge_gap, 900 * tolerance * tolerance);
  }

  Coarse coarse(const Vector<double>& x, Shape shape, double before, double log_unit) const {
    Coarse c = now_;
    c.log_time = log_add(before, log_unit + std::log(std::max(x.back(), 0.0)));
    std::copy_n(x.begin(), shape.n * shape.d, c.theta.data.begin());
    return c;
  }

  void stage() {
    const Shape shape{now_.theta.cols, now_.theta.rows};
    Tokens<double> tokens{now_.theta, Vector<double>(shape.n)};
    for (std::size_t j = 0; j < shape.n; ++j) tokens.r[j] = std::exp(now_.log_radii[j]);
    ParticleParams<double> p = p_;
    p.masses = now_.masses;
    Vector<double> start = to_state(tokens);
    const PairClock model(make_(p, tokens), shape, p.beta.approx(), now_.masses, start);
    start.push_back(0);
    const double before = now_.log_time, log_unit = model.log_unit() + log_clock_;

    Options<double> options;
    ask(options, o_.tolerance);
    options.max_steps = o_.max_steps;
    options.events.push_back({"merge",
                              [&](const Vector<double>& x, const double&) {
                                return std::log(std::max(smallest_gap(x, shape), 1e-300) / reach_);
                              },
                              Event<double>::Direction::falling, true});
    if (o_.until)
      options.events.push_back({"until",
                                [&](const Vector<double>& x, const double&) {
                                  return o_.until(coarse(x, shape, before, log_unit));
                                },
                                Event<double>::Direction::falling, true});
    Vector<double> times;
    if (o_.samples_per_decade > 0) {
      const double ratio = std::pow(10.0, 1.0 / o_.samples_per_decade);
      for (double s = 1e-8; s < o_.longest_stage; s *= ratio) times.push_back(s);
    }
    times.push_back(o_.longest_stage);
    auto s = solve<double>(model, start, 0.0, times, options);
    while (s.why == Stop::tolerance_not_reached && options.tolerance < loosest_tolerance) {
      ask(options, 10 * options.tolerance);
      s = solve<double>(model, start, 0.0, times, options);
    }
    out_.tolerance = std::max(out_.tolerance, options.tolerance);

    for (const auto& sample : s.samples) {
      Coarse c = coarse(sample.x, shape, before, log_unit);
      const bool beyond = c.log_time > o_.last_log_time;
      if (c.log_time > out_.samples.back().log_time) out_.samples.push_back(c);
      if (beyond) {
        now_ = std::move(c);
        return end(CoarseningEnd::time_reached);
      }
    }
    if (!s.ended_as_asked()) return end(CoarseningEnd::solve_failed, name_of(s.why) + (": " + s.detail));
    now_ = coarse(s.x, shape, before, log_unit);
    if (now_.log_time > out_.samples.back().log_time) out_.samples.push_back(now_);
    if (s.why == Stop::reached_end) return end(CoarseningEnd::nothing_merges);
    if (!s.events.empty() && s.events.back().event == 1) return end(CoarseningEnd::until);
    merge(now_.log_time);
  }

  /// Tokens within the gap become one at their weighted mean, which the flow of a close pair keeps.
  void merge(double log_time) {
    const std::size_t n = now_.theta.cols, d = now_.theta.rows;
    // Located to rounding: the pair that is there may be a little outside.
    const double reach = std::max(reach_, o_.merge_gap) * (1 + 1e-6);
    const Vector<double> flat = now_.theta.data;
    std::vector<std::size_t> label(n);
    std::iota(label.begin(), label.end(), std::size_t{0});
    std::size_t count = n;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (label[i] != label[j] && gap(flat, d, i, j) <= reach) join(label, label[i], label[j], count);
    if (count == n) return;
    Merge event{log_time, {}, 0};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (label[i] == label[j]) event.gap = std::max(event.gap, gap(flat, d, i, j));
    Coarse next{
        now_.log_time, Matrix<double>(d, count), Vector<double>(count, 0.0), Vector<double>(count, 0.0), {}};
    for (std::size_t j = 0; j < n; ++j) next.masses[label[j]] += now_.masses[j];
    std::vector<bool> seen(count, false);
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t c = label[j];
      // Tokens without mass count for nothing; where all are, the first stands for them.
      const double weight = next.masses[c] > 0 ? now_.masses[j] / next.masses[c] : seen[c] ? 0.0 : 1.0;
      if (!seen[c]) next.log_radii[c] = now_.log_radii[j]; // Post-LN: nothing depends on it
      seen[c] = true;
      for (std::size_t i = 0; i < d; ++i) next.theta(i, c) += weight * now_.theta(i, j);
    }
    next.theta = tokens_from(next.theta, false).theta;
    for (const std::size_t old : now_.label) next.label.push_back(label[old]);
    now_ = std::move(next);
    event.label = now_.label;
    out_.merges.push_back(std::move(event));
    out_.samples.push_back(now_);
  }

  static void join(std::vector<std::size_t>& label, std::size_t a, std::size_t b, std::size_t& count) {
    const std::size_t low = std::min(a, b), high = std::max(a, b);
    for (std::size_t& l : label)
      if (l == high)
        l = low;
      else if (l > high)
        --l;
    --count;
  }

  ParticleParams<double> p_;
  const CoarseningOptions& o_;
  const MakeParticles& make_;
  Coarse now_;
  Coarsening out_;
  double log_clock_ = 0; ///< log of (the caller's time per unit of p_.clock)
  double reach_ = 0;     ///< 1 - cosine at which tokens are merged in this stage
  bool done_ = false;
};

} // namespace

const char* name_of(CoarseningEnd e) {
  switch (e) {
  case CoarseningEnd::one_cluster: return "one cluster is left";
  case CoarseningEnd::nothing_merges: return "nothing merges any more";
  case CoarseningEnd::time_reached: return "the last time was reached";
  case CoarseningEnd::until: return "what was waited for happened";
  case CoarseningEnd::solve_failed: return "a stage could not be solved";
  }
  throw std::logic_error("unknown CoarseningEnd");
}

std::shared_ptr<const Model<double>> plain_particles(const ParticleParams<double>& p,
                                                     const Tokens<double>& start) {
  return std::make_shared<const Particles<double>>(p, start);
}

Coarsening coarsen(const ParticleParams<double>& p, const Tokens<double>& start,
                   const CoarseningOptions& options, const MakeParticles& make) {
  return Run(p, start, options, make).go();
}

} // namespace attndyn::analysis
