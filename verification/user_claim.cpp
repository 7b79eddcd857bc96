#include "verification/user_claim.hpp"

#include "verification/user/relations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace attndyn::verification {
namespace {

using user::Description;
using user::Setting;
using user::System;

constexpr std::size_t grid_points = 3; // of a range: its ends and its middle

/// Every admitted point of the grid.
std::vector<Setting> settings_of(const Description& d, std::size_t points) {
  const auto grid = user::grid_of(d, points);
  std::vector<Setting> out;
  std::vector<std::size_t> at(grid.size(), 0);
  for (;;) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < grid.size(); ++i) texts.push_back(grid[i][at[i]]);
    Setting setting = user::setting_at(d, texts);
    if (user::admits(d, setting)) out.push_back(std::move(setting));
    std::size_t i = 0;
    while (i < grid.size() && ++at[i] == grid[i].size()) at[i++] = 0;
    if (i == grid.size()) return out;
  }
}

void check(const Description& d, const Context& context, Findings& out) {
  const auto settings = settings_of(d, grid_points);
  if (settings.empty())
    throw std::runtime_error("no point of the grid satisfies the hypothesis " + d.hypothesis);
  Curve curve; // of the worst case
  for (const auto& setting : settings)
    for (std::uint64_t draw = 0; draw < d.draws; ++draw) {
      const System system(d, context, setting, draw);
      const Evidence& found = out.evidence();
      const double before =
          found.comparisons == 0 ? std::numeric_limits<double>::infinity() : found.worst.margin;
      Curve drawn = user::compare(d, context, system, out, true);
      if (found.worst.margin < before) curve = std::move(drawn);
    }
  out.note(fmt::format("{} points of the grid{}, seed {}, tolerances {:g} and {:g}", settings.size(),
                       d.is_random() ? fmt::format(", {} draws each", d.draws) : "", context.seed,
                       d.tolerance, d.tolerance / 100));
  if (!curve.points.empty()) out.draw(std::move(curve));
}

Search search(const std::shared_ptr<const Description>& d) {
  Search out{user::axes_of(*d), {}, {}};
  // The ends of all ranges at once: where the search begins, for each value of a list only once.
  for (const bool high : {false, true}) {
    std::vector<double> corner;
    for (const auto& axis : out.axes)
      corner.push_back(axis.scale == Axis::Scale::choice
                           ? (high ? static_cast<double>(axis.names.size()) - 1 : 0.0)
                           : (high ? axis.high : axis.low));
    out.corners.push_back(std::move(corner));
  }
  out.at = [d](const Context& context, const std::vector<double>& point, Findings& findings) {
    const Setting setting = user::setting_at(*d, user::texts_at(*d, point));
    if (!user::admits(*d, setting)) throw NotApplicable("the hypothesis does not hold");
    // Draws that the check has not seen.
    const System system(*d, context, setting, d->draws);
    user::compare(*d, context, system, findings, false);
  };
  return out;
}

/// Refuses what could not be decided anyway, at the corners, before any run.
void refuse_early(const Description& d) {
  const double cases = user::grid_size(d, grid_points);
  const double runs = cases * static_cast<double>(d.draws);
  if (runs > most_runs_of_a_file)
    throw d.problem(
        "parameters", "",
        fmt::format("their grid has {:g} cases (three points for a range), times draws = {}: must be at "
                    "most {:g} runs in all",
                    cases, d.draws, most_runs_of_a_file));
  double work = 0;
  const auto settings = settings_of(d, grid_points);
  if (settings.empty()) throw d.problem("hypothesis", d.hypothesis, "holds at no point of the grid");
  for (const auto& setting : settings) {
    const System system(d, {}, setting, 0);
    work += system.work() * static_cast<double>(d.draws);
    if (work > most_work_of_a_file)
      throw d.problem(
          "parameters", "",
          fmt::format("the sum of n^2 d over all runs must be at most {:g}: fewer cases, draws or tokens",
                      most_work_of_a_file));
    user::check_formulas(d, system);
  }
}

std::string law_of(const Description& d) {
  const std::string what = (d.derivative ? "d/dt of " : "") + d.observable;
  const std::string window = fmt::format("t in [{}, {}]", d.begin, d.end);
  const std::string at =
      d.first_time.empty() ? " for all " + window : " at the first time T with " + d.first_time;
  switch (d.relation) {
  case user::Relation::at_most: return fmt::format("{} <= {}{}", what, d.prediction, at);
  case user::Relation::at_least: return fmt::format("{} >= {}{}", what, d.prediction, at);
  case user::Relation::equal: return fmt::format("{} = {}{}", what, d.prediction, at);
  case user::Relation::rate:
    return d.power_law ? fmt::format("{} ~ C t^p with p = {}", what, d.prediction)
                       : fmt::format("{} ~ C exp(-k t) with k = {}", what, d.prediction);
  case user::Relation::limit: return fmt::format("{} -> {} as t grows", what, d.prediction);
  }
  throw std::logic_error("unknown Relation");
}

std::string domain_of(const Description& d) {
  std::string out;
  for (const auto& p : d.parameters) {
    if (p.is_words() && d.kind == user::SystemKind::ode) continue;
    out += out.empty() ? "" : "; ";
    if (!p.formula.empty())
      out += fmt::format("{} = {}", p.name, p.formula);
    else if (p.is_range())
      out += fmt::format("{} in [{}, {}]{}{}", p.name, p.low.text(), p.high.text(),
                         p.log ? ", log scale" : "", p.whole ? ", integers" : "");
    else
      out += fmt::format("{} = {}", p.name, fmt::join(p.values, ", "));
  }
  if (!d.hypothesis.empty()) out += "; " + d.hypothesis;
  if (d.kind == user::SystemKind::particles) out += "; start " + (d.start.empty() ? "as given" : d.start);
  if (d.kind == user::SystemKind::ode) out += fmt::format("; u' = {}, u(0) = {}", d.rhs, d.u0);
  return out;
}

std::string blindness(const Description& d) {
  if (!d.blind_to.empty()) return d.blind_to;
  std::string out =
      "parameters between the points of the grid and of the search, times outside the window, and what happens between two neighbouring samples of it";
  if (d.is_random()) out += ", other draws of the start";
  if (d.relation == user::Relation::equal) out += ", times at which the values are below their error bars";
  if (d.relation == user::Relation::rate || d.relation == user::Relation::limit)
    out += ", approaches slower than geometric in the samples (logarithms)";
  return out + ".";
}

} // namespace

Claim claim_from_toml(const std::string& text, const std::string& path) {
  const auto d = std::make_shared<const Description>(user::parse(text, path));
  refuse_early(*d);
  Claim out{.id = d->id,
            .source = d->source,
            .statement = d->statement.empty() ? law_of(*d) : d->statement,
            .hypotheses = domain_of(*d),
            .prediction = law_of(*d),
            .blind_to = blindness(*d),
            .expected = d->expected,
            .check = [d](const Context& context, Findings& findings) { check(*d, context, findings); }};
  out.same_when_quick =
      true; // a claim of one's own is cheap, and a coarser look could come out the other way
  const bool exponent = d->relation == user::Relation::rate && d->power_law;
  if (d->relation != user::Relation::at_most && d->relation != user::Relation::at_least)
    out.fixes.push_back(
        {user::predicted_name, exponent ? Fixed::Kind::exponent : Fixed::Kind::constant, d->prediction});
  const auto& p = d->parameters;
  if (std::any_of(p.begin(), p.end(), [](const auto& one) { return one.is_axis(); }) || d->is_random())
    out.search = [d](const Context&) { return search(d); };
  return out;
}

} // namespace attndyn::verification
