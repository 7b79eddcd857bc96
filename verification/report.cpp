#include "verification/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace attndyn::verification {
namespace {

std::string short_number(double x) { return fmt::format("{:.3g}", x); }

bool decided(const Outcome& o) { return o.evidence.comparisons > 0; }

/// Text of a user in Markdown: nothing in it is markup.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '|')
      out += "\\|";
    else if (c == '`' || c == '*' || c == '_' || c == '#' || c == '[')
      out += std::string("\\") + c;
    else
      out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

} // namespace

std::string verdict_text(const Outcome& o) {
  std::string out = name_of(o.verdict);
  if (!o.as_expected()) out += fmt::format(" (expected {})", name_of(o.claim->expected));
  return out;
}

std::string margin_text(const Outcome& o) { return decided(o) ? short_number(o.evidence.worst.margin) : "-"; }

std::string describe(const Finding& f) {
  return fmt::format("{}: measured {:.12g}, predicted {:.12g}, error bar {:.2g}, margin {}, at {}",
                     f.quantity, f.measured, f.predicted, f.error, short_number(f.margin), f.where);
}

std::string replay_command(const Outcome& o, const std::string& witness_folder) {
  if (!o.evidence.witnessed) return {};
  const std::string& toml = o.evidence.witnessed->witness;
  const bool particles = toml.find("command = \"particles\"") != std::string::npos;
  return fmt::format("attndyn {} --config {}/{}.toml", particles ? "particles" : "equiangular",
                     witness_folder, o.claim->id);
}

std::string text_table(const std::vector<Outcome>& outcomes) {
  std::size_t width = 5;
  for (const auto& o : outcomes) width = std::max(width, o.claim->id.size());
  std::string out = fmt::format("{:<{}}  {:<14}  {:>9}  {:<6}  {:>8}\n", "claim", width, "verdict", "margin",
                                "level", "time");
  out += std::string(out.size() - 1, '-') + "\n";
  for (const auto& o : outcomes) {
    out += fmt::format("{:<{}}  {:<14}  {:>9}  {:<6}  {:>6.2f} s{}\n", o.claim->id, width, name_of(o.verdict),
                       margin_text(o), name_of(o.level), o.seconds,
                       o.as_expected() ? "" : fmt::format("  <- expected: {}", name_of(o.claim->expected)));
    if (o.verdict == Verdict::holds) continue;
    if (decided(o))
      out +=
          fmt::format("    {}: measured {}, predicted {}, error bar {}, at {}\n", o.evidence.worst.quantity,
                      short_number(o.evidence.worst.measured), short_number(o.evidence.worst.predicted),
                      short_number(o.evidence.worst.error), o.evidence.worst.where);
    if (o.verdict != Verdict::fails && !o.evidence.basis.empty())
      out += "    " + o.evidence.basis.back() + "\n";
  }
  return out;
}

std::string json_report(const std::vector<Outcome>& outcomes) {
  auto array = nlohmann::ordered_json::array();
  for (const auto& o : outcomes) {
    const Finding& w = o.evidence.worst;
    const auto number = [&](double x) -> nlohmann::ordered_json {
      return decided(o) && std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(nullptr);
    };
    array.push_back(
        {{"id", o.claim->id},
         {"source", o.claim->source},
         {"statement", o.claim->statement},
         {"verdict", name_of(o.verdict)},
         {"level", name_of(o.level)},
         {"measured", number(w.measured)},
         {"predicted", number(w.predicted)},
         {"error", number(w.error)},
         {"margin", number(w.margin)},
         {"expected", name_of(o.claim->expected)},
         {"witness", o.evidence.witnessed ? nlohmann::ordered_json(o.evidence.witnessed->witness)
                                          : nlohmann::ordered_json(nullptr)},
         {"seconds", o.seconds},
         {"blind_to", o.claim->blind_to},
         {"quantity", w.quantity},
         {"where", w.where},
         {"comparisons", o.evidence.comparisons},
         {"basis", o.evidence.basis},
         {"refinement", o.evidence.refinement},
         {"search_worst_margin", o.evidence.hunted ? nlohmann::ordered_json(o.evidence.hunted->margin)
                                                   : nlohmann::ordered_json(nullptr)},
         {"search_worst_where", o.evidence.hunted ? nlohmann::ordered_json(o.evidence.hunted->where)
                                                  : nlohmann::ordered_json(nullptr)}});
  }
  return array.dump(2) + "\n";
}

std::string markdown_report(const std::vector<Outcome>& outcomes, const std::string& witness_folder) {
  std::string out =
      "# Verdicts\n\n| claim | source | verdict | margin | level | time |\n|---|---|---|---|---|---|\n";
  for (const auto& o : outcomes)
    out += fmt::format("| {} | {} | {} | {} | {} | {:.2f} s |\n", o.claim->id, plain(o.claim->source),
                       verdict_text(o), margin_text(o), name_of(o.level), o.seconds);
  out += fmt::format("\n{}\n", margin_words);
  for (const auto& o : outcomes) {
    out += fmt::format("\n## {}: {}\n\n**Statement** ({}). {}\n\n**Checked for** {}\n\n**Prediction** {}\n\n",
                       o.claim->id, name_of(o.verdict), plain(o.claim->source), plain(o.claim->statement),
                       plain(o.claim->hypotheses), plain(o.claim->prediction));
    for (const auto& f : o.claim->fixes)
      out += fmt::format("**Fixes** {}: {}\n\n", plain(f.name), plain(f.formula));
    if (decided(o))
      out += fmt::format("**Worst of {} comparisons** {}.\n\n", o.evidence.comparisons,
                         plain(describe(o.evidence.worst)));
    if (o.evidence.hunted)
      out += fmt::format("**Worst that the search found** {}.\n\n", plain(describe(*o.evidence.hunted)));
    for (const auto& line : o.evidence.basis) out += "- " + plain(line) + "\n";
    for (const auto& line : o.evidence.refinement) out += "- refinement: " + plain(line) + "\n";
    out += fmt::format("\n**Blind to** {}\n", plain(o.claim->blind_to));
    if (o.evidence.witnessed)
      out += fmt::format("\n**Counterexample** {}. Replay:\n\n    {}\n\n```toml\n{}```\n",
                         plain(describe(*o.evidence.witnessed)), replay_command(o, witness_folder),
                         o.evidence.witnessed->witness);
  }
  return out;
}

} // namespace attndyn::verification
