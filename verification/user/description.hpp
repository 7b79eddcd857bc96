/// What a user's file says, as plain data, and the points of its domain.
#pragma once

#include "lib/real/text.hpp"
#include "verification/claim.hpp"
#include "verification/search.hpp"

#include <string>
#include <utility>
#include <vector>

namespace attndyn::verification::user {

enum class SystemKind { particles, equiangular, ode };
enum class Relation { at_most, at_least, equal, rate, limit };

/// One value, a list, a range, or a formula in the parameters before it. scheme and attention are lists of
/// words.
struct Parameter {
  std::string name;
  std::vector<std::string> values; ///< one or more; empty: a range or a formula
  std::string formula;
  Number low = 0, high = 1;
  bool log = false, whole = false;

  bool is_words() const { return name == "scheme" || name == "attention"; }
  bool is_range() const { return values.empty() && formula.empty(); }
  bool is_axis() const { return is_range() || values.size() > 1; }
};

struct Description {
  std::string path, id, source, statement, blind_to;
  Verdict expected = Verdict::holds;
  SystemKind kind = SystemKind::particles;
  std::vector<Parameter> parameters;
  std::string start; ///< a word, with a formula after the colon; empty with tokens
  std::uint64_t draws = 1;
  std::vector<std::vector<Number>> tokens;
  std::vector<Number> radii, masses;
  std::string rhs, u0; ///< ode
  std::string observable, prediction, hypothesis, first_time;
  bool derivative = false; ///< the observable is d/dt of the formula
  Relation relation = Relation::equal;
  bool power_law = false;       ///< of a rate: C t^p, else C exp(-k t)
  std::string begin = "0", end; ///< of the window
  std::size_t samples = 0;      ///< intervals of the window; the refinement doubles them
  bool log_spacing = false;
  double tolerance = 1e-9;

  bool is_random() const;
  std::invalid_argument problem(const std::string& key, const std::string& value,
                                const std::string& rule) const;
};

/// Throws std::invalid_argument: "file = my.toml: key = value: rule".
Description parse(const std::string& text, const std::string& path);

/// A point of the domain: numbers as they were written, in the order of the file, formulas evaluated.
struct Setting {
  std::vector<std::pair<std::string, Number>> numbers;
  std::string scheme = "post", attention = "sa";

  const Number* find(const std::string& name) const;
  std::vector<double> values() const; ///< of the numbers
  std::string text() const;
};

/// What formulas in the parameters alone may use.
std::vector<std::string> parameter_names(const Description&);
/// cosines, energy, ...: what the samples of that system show.
const std::vector<std::string>& observable_names(SystemKind);
/// n and d where the start gives them, not a parameter.
std::vector<std::string> implied_names(const Description&);
/// Parameters, observables, time and implied names: what observable and prediction may use.
std::vector<std::string> all_names(const Description&);

/// One text for each axis: every value of a list; of a range so many points, both ends among them.
std::vector<std::vector<std::string>> grid_of(const Description&, std::size_t points);
double grid_size(const Description&, std::size_t points);
Setting setting_at(const Description&, const std::vector<std::string>& axis_values);
/// The hypothesis of the file.
bool admits(const Description&, const Setting&);

std::vector<Axis> axes_of(const Description&);
/// A point of the search, its ends as they were written.
std::vector<std::string> texts_at(const Description&, const std::vector<double>& point);

} // namespace attndyn::verification::user
