#include "verification/witness.hpp"

#include "lib/real/text.hpp"

#include <fmt/format.h>

namespace attndyn::verification {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

} // namespace

std::string to_toml(const Witness& w) {
  std::string out =
      fmt::format("# Replay: attndyn {} --config FILE\ncommand = {}\n", w.command, quoted(w.command));
  for (const auto& [name, value] : w.options)
    out += fmt::format("{} = {}\n", name, value == "true" ? value : quoted(value));
  out += fmt::format("\n[expect]\nclaim = {}\nsays = {}\nobserve = {}\n", quoted(w.claim), quoted(w.says),
                     quoted(w.observe));
  for (const auto& v : w.values)
    out += fmt::format("\n[[expect.value]]\nt = {}\ncolumn = {}\nmeasured = {:.17g}\ntolerance = {:.3g}\n",
                       quoted(v.t), quoted(v.column), v.measured, v.tolerance);
  return out;
}

std::string inline_tokens(const Tokens<double>& tokens) {
  const auto [n, d] = tokens.shape();
  std::string out = "list:";
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < d; ++i) out += (i > 0 ? "," : j > 0 ? ";" : "") + to_text(tokens.theta(i, j));
  return out;
}

std::string inline_numbers(const Vector<double>& numbers) {
  std::string out = "list:";
  for (std::size_t j = 0; j < numbers.size(); ++j) out += (j > 0 ? ";" : "") + to_text(numbers[j]);
  return out;
}

} // namespace attndyn::verification
