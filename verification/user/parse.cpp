// From TOML to a Description: every key is known, every value has its type and range.
#include "verification/user/description.hpp"
#include "verification/user/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <string_view>

namespace attndyn::verification::user {
namespace {

bool is_name(const std::string& text) {
  static const std::regex pattern("[A-Za-z][A-Za-z0-9_]{0,39}");
  return std::regex_match(text, pattern);
}

Parameter read_words(const Table& table, const std::string& name, const std::string& otherwise) {
  Parameter p{name, {}, {}};
  for (const auto& text : table.texts(name)) p.values.push_back(text);
  if (p.values.empty()) p.values.push_back(otherwise);
  for (const auto& word : p.values) {
    try {
      if (name == "attention") {
        parse_attention(word);
      } else if (const auto problem = problem_with(SchemeParams{.name = word}); !problem.empty()) {
        throw std::invalid_argument(problem);
      }
    } catch (const std::invalid_argument& e) {
      const std::string what = e.what();
      throw table.problem(name, word, what.substr(what.find(": ") + 2));
    }
  }
  return p;
}

Parameter read_range(const Table& range, const std::string& name) {
  Parameter p{name, {}, range.text("formula", "")};
  p.whole = range.flag("integer", false);
  p.log = range.choice("scale", {"linear", "log"}, "linear") == "log";
  if (!p.formula.empty()) {
    range.all_known();
    return p;
  }
  p.low = range.number("low");
  p.high = range.number("high");
  if (compare(p.low, p.high) > 0)
    throw range.problem("low", p.low.text(), "must be <= high = " + p.high.text());
  if (p.log && compare(p.low, 0) <= 0)
    throw range.problem("low", p.low.text(), "must be > 0 where the scale is log");
  if (p.whole)
    for (const auto& [key, end] : {std::pair{"low", p.low}, {"high", p.high}})
      if (end.approx() != std::floor(end.approx()) || std::abs(end.approx()) > 1e9)
        throw range.problem(key, end.text(), "must be an integer, at most 1e9 in size");
  if (!std::isfinite(p.low.approx()) || !std::isfinite(p.high.approx()))
    throw range.problem("high", p.high.text(), "must lie in the range of double");
  range.all_known();
  return p;
}

void read_parameters(Description& d, const Table& table) {
  d.parameters.push_back(read_words(table, "scheme", "post"));
  d.parameters.push_back(read_words(table, "attention", "sa"));
  const auto& observables = observable_names(d.kind);
  const auto parameters = table.table("parameters");
  if (!parameters && table.has("parameters")) throw table.problem("parameters", "", "must be a table");
  if (parameters)
    for (const auto& name : parameters->keys()) {
      if (!is_name(name))
        throw parameters->problem(name, "", "a name is a letter, then letters, digits or _");
      if (name == "t" || name == "T" || name == "pi" || name == "e" || name == "scheme" ||
          name == "attention" || std::find(observables.begin(), observables.end(), name) != observables.end())
        throw parameters->problem(name, "", "is a name that has a meaning of its own");
      if (const auto range = parameters->table(name)) {
        d.parameters.push_back(read_range(*range, name));
        continue;
      }
      Parameter p{name, {}, {}};
      for (const auto& value : parameters->numbers(name)) {
        if (!std::isfinite(value.approx()))
          throw parameters->problem(name, value.text(), "must lie in the range of double");
        p.values.push_back(value.text());
      }
      d.parameters.push_back(std::move(p));
    }
  const auto axes =
      std::count_if(d.parameters.begin(), d.parameters.end(), [](const Parameter& p) { return p.is_axis(); });
  if (axes > 20) throw table.problem("parameters", std::to_string(axes), "at most 20 of them may vary");
}

void read_start(Description& d, const Table& table) {
  if (d.kind == SystemKind::ode) {
    d.rhs = table.text("rhs");
    d.u0 = table.text("u0");
    return;
  }
  if (d.kind == SystemKind::equiangular) return; // g0 and r0 are parameters
  d.start = table.text("start", "");
  d.tokens = table.rows("tokens");
  if (d.start.empty() == d.tokens.empty())
    throw table.problem("start", d.start, "one of start (a word) and tokens (a list of lists) must be given");
  const auto word = d.start.substr(0, d.start.find(':'));
  const std::vector<std::string> plain{"orthogonal", "simplex", "uniform", "gaussian", "hemisphere"};
  const bool takes_number = word == "equiangular" || word == "cone";
  if (!d.start.empty() && !(takes_number && word.size() < d.start.size()) &&
      std::find(plain.begin(), plain.end(), d.start) == plain.end())
    throw table.problem("start", d.start,
                        "must be one of orthogonal, simplex, equiangular:g, uniform, gaussian, hemisphere, "
                        "cone:delta");
  d.radii = table.numbers("radii", true);
  d.masses = table.numbers("masses", true);
  d.draws = table.whole("draws", 1, 1, 1000);
  if (!d.is_random() && d.draws != 1)
    throw table.problem("draws", std::to_string(d.draws), "must be 1: the start is not random");
}

void read_relation(Description& d, const Table& table) {
  d.observable = table.text("observable");
  constexpr std::string_view rate = "rate of ", log = "log ";
  if (d.observable.starts_with(rate)) {
    d.derivative = true;
    d.observable = d.observable.substr(rate.size());
    if (d.observable.starts_with(log)) d.observable = "log(" + d.observable.substr(log.size()) + ")";
  }
  d.prediction = table.text("prediction");
  d.hypothesis = table.text("hypothesis", "");
  d.first_time = table.text("first_time", "");
  const auto relation = table.choice("relation", {"<=", ">=", "==", "~", "->"}, "");
  d.relation = relation == "<="   ? Relation::at_most
               : relation == ">=" ? Relation::at_least
               : relation == "==" ? Relation::equal
               : relation == "~"  ? Relation::rate
                                  : Relation::limit;
  const bool asymptotic = d.relation == Relation::rate || d.relation == Relation::limit;
  if (!d.first_time.empty() && asymptotic)
    throw table.problem("relation", relation, "must be <=, >= or == with first_time");
  if (d.derivative && (d.relation == Relation::rate || !d.first_time.empty()))
    throw table.problem("observable", table.text("observable"), "\"rate of\" goes with <=, >=, == and ->");
  if (d.relation == Relation::rate)
    d.power_law = table.choice("law", {"exponential", "power"}, "") == "power";
  else if (table.has("law"))
    throw table.problem("law", table.text("law"), "goes with relation = \"~\" only");
  const auto window = table.list("window");
  if (window.size() != 2)
    throw table.problem("window", "", "must be two times, [begin, end], numbers or formulas");
  d.begin = window[0];
  d.end = window[1];
  d.samples = table.whole("samples", asymptotic ? 16 : 64, 8, 1024);
  const bool log_default = d.relation == Relation::limit || d.power_law;
  d.log_spacing = table.choice("spacing", {"linear", "log"}, log_default ? "log" : "linear") == "log";
  const Number tolerance = table.number("tolerance", "1e-9");
  d.tolerance = tolerance.approx();
  if (!(d.tolerance >= 1e-11 && d.tolerance <= 1e-3))
    throw table.problem("tolerance", tolerance.text(), "must lie in [1e-11, 1e-3]");
}

} // namespace

Description parse(const std::string& text, const std::string& path) {
  const Table table = Table::parsed(text, path);
  Description d;
  d.path = path;
  const auto slash = path.rfind('/');
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
  std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1, 80);
  for (char& c : name)
    if (allowed.find(c) == std::string_view::npos) c = '_';
  if (name.empty() || name.front() == '.' || name.front() == '-') name.insert(0, "claim");
  d.id = table.text("id", name);
  if (d.id.empty() || d.id.size() > 85 || d.id.front() == '.' || d.id.front() == '-' ||
      d.id.find_first_not_of(allowed) != std::string::npos)
    throw table.problem(
        "id", "",
        "must be at most 85 letters, digits and . _ + -, not beginning with . or - (it names a file; "
        "default: the name of this one)");
  d.source = table.text("source", "user");
  d.statement = table.text("statement", "");
  d.blind_to = table.text("blind_to", "");
  d.expected =
      table.choice("expected", {"holds", "fails"}, "holds") == "holds" ? Verdict::holds : Verdict::fails;
  const auto kind = table.choice("model", {"particles", "equiangular", "ode"}, "");
  d.kind = kind == "particles"     ? SystemKind::particles
           : kind == "equiangular" ? SystemKind::equiangular
                                   : SystemKind::ode;
  read_parameters(d, table);
  read_start(d, table);
  read_relation(d, table);
  table.all_known();
  return d;
}

} // namespace attndyn::verification::user
