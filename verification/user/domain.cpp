// The points of a Description's domain: its grid, its axes for the search, and what a point means.
#include "verification/user/description.hpp"
#include "verification/user/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attndyn::verification::user {

bool Description::is_random() const {
  return start == "uniform" || start == "gaussian" || start == "hemisphere" || start.starts_with("cone:");
}

std::invalid_argument Description::problem(const std::string& key, const std::string& value,
                                           const std::string& rule) const {
  const std::string shown = value.size() <= 80 ? value : value.substr(0, 77) + "...";
  return std::invalid_argument(
      fmt::format("file = {}: {}{}{}: {}", path, key, shown.empty() ? "" : " = ", shown, rule));
}

const Number* Setting::find(const std::string& name) const {
  for (const auto& [own, number] : numbers)
    if (own == name) return &number;
  return nullptr;
}

std::vector<double> Setting::values() const {
  std::vector<double> out;
  for (const auto& [name, number] : numbers) out.push_back(number.approx());
  return out;
}

std::string Setting::text() const {
  std::string out;
  for (const auto& [name, number] : numbers)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name, number.text());
  return out;
}

std::vector<std::string> parameter_names(const Description& d) {
  std::vector<std::string> out;
  for (const auto& p : d.parameters)
    if (!p.is_words()) out.push_back(p.name);
  return out;
}

const std::vector<std::string>& observable_names(SystemKind kind) {
  static const std::vector<std::string> particles{"mean_cosine", "one_minus_mean_cosine",
                                                  "min_cosine",  "one_minus_min_cosine",
                                                  "variance",    "energy",
                                                  "r_mean",      "r_min"},
      equiangular{"g", "one_minus_g", "log_one_minus_g", "r", "s"}, ode{"u"};
  switch (kind) {
  case SystemKind::particles: return particles;
  case SystemKind::equiangular: return equiangular;
  case SystemKind::ode: return ode;
  }
  throw std::logic_error("unknown SystemKind");
}

std::vector<std::string> implied_names(const Description& d) {
  std::vector<std::string> out;
  if (d.kind == SystemKind::particles)
    for (const char* name : {"n", "d"})
      if (std::none_of(d.parameters.begin(), d.parameters.end(),
                       [&](const auto& p) { return p.name == name; }))
        out.emplace_back(name);
  return out;
}

std::vector<std::string> all_names(const Description& d) {
  std::vector<std::string> out = parameter_names(d);
  const auto& observables = observable_names(d.kind);
  out.insert(out.end(), observables.begin(), observables.end());
  out.emplace_back("t");
  if (!d.first_time.empty()) out.emplace_back("T");
  for (const auto& name : implied_names(d)) out.push_back(name);
  return out;
}

std::vector<std::vector<std::string>> grid_of(const Description& d, std::size_t points) {
  std::vector<std::vector<std::string>> out;
  for (const auto& p : d.parameters) {
    if (!p.is_axis()) continue;
    if (!p.is_range()) {
      out.push_back(p.values);
      continue;
    }
    auto& texts = out.emplace_back(std::vector{p.low.text()});
    const double low = p.low.approx(), high = p.high.approx();
    for (std::size_t i = 1; i + 1 < points; ++i) {
      const double u = static_cast<double>(i) / static_cast<double>(points - 1);
      const double x =
          p.log ? std::exp(std::log(low) + u * (std::log(high) - std::log(low))) : (1 - u) * low + u * high;
      texts.push_back(Number(std::clamp(p.whole ? std::floor(x) : x, low, high)).text());
    }
    texts.push_back(p.high.text());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end()); // narrow ranges of integers
  }
  return out;
}

double grid_size(const Description& d, std::size_t points) {
  double size = 1;
  for (const auto& axis : grid_of(d, points)) size *= static_cast<double>(axis.size());
  return size;
}

namespace {

Number evaluated(const Description& d, const Parameter& p, const Setting& so_far) {
  std::vector<std::string> names;
  for (const auto& [name, number] : so_far.numbers) names.push_back(name);
  const double value = [&] {
    try {
      return Formula(p.formula, names)(so_far.values());
    } catch (const std::invalid_argument& e) {
      throw d.problem("parameters." + p.name + ".formula", p.formula, e.what());
    }
  }();
  const double rounded = p.whole ? std::floor(value) : value;
  if (!std::isfinite(rounded))
    throw d.problem("parameters." + p.name + ".formula", p.formula,
                    fmt::format("is {} at {}, must be finite", rounded, so_far.text()));
  return Number(rounded);
}

} // namespace

Setting setting_at(const Description& d, const std::vector<std::string>& axis_values) {
  Setting out;
  std::size_t axis = 0;
  for (const auto& p : d.parameters) {
    if (!p.formula.empty()) {
      out.numbers.emplace_back(p.name, evaluated(d, p, out));
      continue;
    }
    const std::string& text = p.is_axis() ? axis_values.at(axis++) : p.values.front();
    if (p.name == "scheme")
      out.scheme = text;
    else if (p.name == "attention")
      out.attention = text;
    else
      out.numbers.emplace_back(p.name, Number(text));
  }
  return out;
}

bool admits(const Description& d, const Setting& setting) {
  if (d.hypothesis.empty()) return true;
  try {
    const double value = Formula(d.hypothesis, parameter_names(d))(setting.values());
    return value != 0 && !std::isnan(value);
  } catch (const std::invalid_argument& e) {
    throw d.problem("hypothesis", d.hypothesis, e.what());
  }
}

std::vector<Axis> axes_of(const Description& d) {
  std::vector<Axis> out;
  for (const auto& p : d.parameters) {
    if (!p.is_axis()) continue;
    Axis axis;
    axis.name = p.name;
    if (p.is_range()) {
      axis.low = p.low.approx();
      axis.high = p.high.approx();
      axis.scale = p.whole ? (p.log ? Axis::Scale::whole_log : Axis::Scale::whole)
                           : (p.log ? Axis::Scale::log : Axis::Scale::linear);
    } else {
      axis.scale = Axis::Scale::choice;
      axis.names = p.values;
    }
    out.push_back(std::move(axis));
  }
  return out;
}

std::vector<std::string> texts_at(const Description& d, const std::vector<double>& point) {
  std::vector<std::string> out;
  std::size_t axis = 0;
  for (const auto& p : d.parameters) {
    if (!p.is_axis()) continue;
    const double x = point.at(axis++);
    if (!p.is_range())
      out.push_back(p.values.at(static_cast<std::size_t>(x)));
    else
      out.push_back(x <= p.low.approx()    ? p.low.text()
                    : x >= p.high.approx() ? p.high.text()
                                           : Number(x).text());
  }
  return out;
}

} // namespace attndyn::verification::user
