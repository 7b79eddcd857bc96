#include "verification/user/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace attndyn::verification::user {

struct Formula::Parser {
  mu::Parser parser;
  std::vector<double> slots; // muParser keeps their addresses
};

namespace {

/// muParser's own assignment would change a parameter in the middle of a comparison.
bool assigns(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
      continue;
    }
    if (i == 0 || std::string_view("<>!").find(text[i - 1]) == std::string_view::npos) return true;
  }
  return false;
}

double log_of_one_plus(double x) { return std::log1p(x); }
double exp_minus_one(double x) { return std::expm1(x); }

} // namespace

Formula::Formula(const std::string& text, const std::vector<std::string>& names)
    : parser_(std::make_shared<Parser>()), used_(names.size()) {
  if (text.size() > 2000) throw std::invalid_argument("must not be longer than 2000 characters");
  if (std::any_of(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }))
    throw std::invalid_argument("must be printable ASCII on one line");
  if (assigns(text)) throw std::invalid_argument("must not hold an assignment (==, <=, >= compare)");
  auto& [parser, slots] = *parser_;
  slots.assign(names.size(), 1.0);
  try {
    parser.DefineConst("pi", std::numbers::pi);
    parser.DefineConst("e", std::numbers::e);
    parser.DefineFun("log1p", log_of_one_plus);
    parser.DefineFun("expm1", exp_minus_one);
    for (std::size_t i = 0; i < names.size(); ++i) parser.DefineVar(names[i], &slots[i]);
    parser.SetExpr(text);
    for (const auto& [name, address] : parser.GetUsedVar()) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        throw std::invalid_argument(
            fmt::format("does not know {}; it may use {}", name, fmt::join(names, ", ")));
      used_[static_cast<std::size_t>(found - names.begin())] = true;
    }
    parser.Eval();
    if (parser.GetNumResults() != 1) throw std::invalid_argument("must be one formula, not several");
  } catch (const mu::ParserError& e) {
    throw std::invalid_argument("is no formula: " + e.GetMsg());
  }
}

double Formula::operator()(const std::vector<double>& values) const {
  std::copy(values.begin(), values.end(), parser_->slots.begin());
  try {
    return parser_->parser.Eval();
  } catch (const mu::ParserError& e) {
    throw std::domain_error("a formula cannot be evaluated: " + e.GetMsg());
  }
}

} // namespace attndyn::verification::user
