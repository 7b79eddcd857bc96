/// A formula of a user's file in the names that it may use: muParser with pi, e, log1p and expm1 added.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace attndyn::verification::user {

class Formula {
public:
  /// Throws std::invalid_argument with the rule alone (muParser's message, or the name that is not known).
  Formula(const std::string& text, const std::vector<std::string>& names);

  /// values: one for each of the names. May be NaN or infinite, as the formula says. Not for two threads at
  /// once.
  double operator()(const std::vector<double>& values) const;
  /// Whether names[i] occurs in it.
  bool uses(std::size_t i) const { return used_[i]; }

private:
  struct Parser;
  std::shared_ptr<Parser> parser_;
  std::vector<bool> used_;
};

} // namespace attndyn::verification::user
