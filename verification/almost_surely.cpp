#include "verification/almost_surely.hpp"

#include "analysis/fit.hpp"
#include "verification/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attndyn::verification {
namespace {

/// Where a trial that came to rest can be seen at rest.
std::string witness_of(const std::string& claim, const Experiment& e, const Trial& trial) {
  if (trial.end != End::at_rest && trial.end != End::at_rest_stalled) return {};
  const auto& s = e.params.scheme;
  const Tokens<double> start = e.start(trial.unit);
  const std::string t = fmt::format("{:.17g}", trial.t);
  Witness w;
  w.claim = claim;
  w.command = "particles";
  w.options = {{"scheme", s.name},
               {"attention", name_of(e.params.attention)},
               {"beta", e.params.beta.text()},
               {"tau", s.tau.text()},
               {"alpha", s.alpha.text()},
               {"alpha-decay", s.alpha_decay.text()},
               {"init", inline_tokens(start)},
               {"radii", inline_numbers(start.r)},
               {"times", t}};
  w.says = "from almost every start all tokens come together";
  w.observe = fmt::format("they rest apart: 1 - min cosine = {:.6g} at t = {:.6g}", trial.gap, trial.t);
  w.values = {{t, "min_cosine", 1 - trial.gap, 1e-4}};
  return to_toml(w);
}

bool fails(const AlmostSure& a, End end) {
  return end != End::undecided && std::find(a.allowed.begin(), a.allowed.end(), end) == a.allowed.end();
}

std::uint64_t failures(const AlmostSure& a, const Tally& tally) {
  return static_cast<std::uint64_t>(std::count_if(tally.trials.begin(), tally.trials.end(),
                                                  [&](const Trial& t) { return fails(a, t.end); }));
}

std::string where_of(const Context& context, const Experiment& e) {
  return make_particles(context, e.params, e.start(0), e.start_name).where;
}

std::string words_of(const Context& context, const Experiment& e, const Trial& t) {
  return fmt::format("{}, seed {}, unit {}: {} at t = {:.4g} with 1 - min cosine = {:.4g}",
                     where_of(context, e), context.seed, t.unit, name_of(t.end), t.t, t.gap);
}

/// Counts are exact; half a trial is what separates none from one.
void compare(Findings& out, std::uint64_t failed, const std::string& where, const std::string& witness) {
  out.at_least("minus the number of trials that end otherwise", 0.0 - static_cast<double>(failed), 0, 0.5,
               where, true, witness);
}

} // namespace

double seen_with_99_percent(std::uint64_t trials) {
  return -std::expm1(std::log(0.01) / static_cast<double>(trials));
}

Tally almost_surely(const Context& context, Findings& out, const AlmostSure& a) {
  Patience tighter = a.patience;
  tighter.tolerance /= 100;
  Tally first, all;
  std::uint64_t repeated = 0, differ = 0;
  std::string first_failure, first_witness, first_undecided;
  for (const Experiment& e : a.experiments) {
    Tally mine = run_trials(context, e, 0, a.trials, a.patience);
    first += mine;
    const std::uint64_t part = std::max<std::uint64_t>(1, a.trials / 10);
    const bool decided = mine.of(End::undecided) == 0;
    const Tally again = decided ? run_trials(context, e, 0, part, tighter) : Tally{};
    for (std::size_t k = 0; k < again.size(); ++k) differ += again.trials[k].end != mine.trials[k].end;
    repeated += again.size();
    if (decided) mine += run_trials(context, e, a.trials, a.trials, a.patience);
    all += mine;
    std::string where = where_of(context, e), witness;
    bool failed_before = false;
    for (const Trial& t : mine.trials) {
      if (t.end == End::undecided && first_undecided.empty()) first_undecided = words_of(context, e, t);
      if (!fails(a, t.end) || failed_before) continue;
      failed_before = true;
      where = words_of(context, e, t);
      witness = witness_of(a.claim, e, t);
      if (first_failure.empty()) {
        first_failure = ", first " + where;
        first_witness = witness;
      }
    }
    compare(out, failures(a, mine), where, witness);
    if (!first_undecided.empty()) break; // no verdict without it, and the next may take as long
  }
  const std::uint64_t failed = failures(a, all), n = all.size();
  const std::string where = fmt::format("{} systems, seed {}", a.experiments.size(), context.seed);
  compare(out, failed, where + first_failure, first_witness);

  const auto share = [&](const Tally& tally) {
    return static_cast<double>(failures(a, tally)) / static_cast<double>(tally.size());
  };
  const auto interval = analysis::clopper_pearson(failures(a, first), first.size(), 0.999);
  out.refined(fmt::format("share that ends otherwise, from {} to {} trials", first.size(), n),
              share(all) - share(first), interval.high - interval.low, where);
  out.refined(fmt::format("how many of {} outcomes differ at local tolerances {:g} and {:g}", repeated,
                          a.patience.tolerance, tighter.tolerance),
              static_cast<double>(differ), 0.5, where);
  out.note(fmt::format(
      "{} ({}); another end has at most probability {:.2g} (99 % Clopper-Pearson, mean over the systems), and "
      "{:.2g} would have shown with probability 0.99",
      all.words(), where, analysis::clopper_pearson(failed, n, 0.99).high, seen_with_99_percent(n)));
  if (!first_undecided.empty())
    throw std::runtime_error(fmt::format("a trial stays undecided: {}", first_undecided));
  return all;
}

Curve survival(const Tally& tally, std::string title) {
  Curve curve{std::move(title), "t", "share of trials not yet synchronised", true, false, {}};
  std::vector<double> times;
  for (const Trial& t : tally.trials)
    if (t.end == End::synchronised) times.push_back(t.t);
  std::sort(times.begin(), times.end());
  const std::uint64_t n = tally.size();
  if (times.empty()) return curve;
  constexpr std::size_t points = 60;
  for (std::size_t k = 0; k <= points; ++k) {
    const std::size_t done = std::max<std::size_t>(1, times.size() * k / points);
    const double left = static_cast<double>(n - done) / static_cast<double>(n);
    const auto interval = analysis::clopper_pearson(n - done, n, 0.99);
    // Only the end is predicted: nothing is left.
    curve.points.push_back({times[done - 1], left, (interval.high - interval.low) / 2,
                            k == points ? 0 : std::numeric_limits<double>::quiet_NaN()});
  }
  return curve;
}

} // namespace attndyn::verification
