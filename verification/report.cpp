#include "verification/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace attndyn::verification {
namespace {

std::string short_number(double x) { return fmt::format("{:.3g}", x); }

bool decided(const Outcome& o) { return o.evidence.comparisons > 0; }

} // namespace

std::string text_table(const std::vector<Outcome>& outcomes) {
  std::size_t width = 5;
  for (const auto& o : outcomes) width = std::max(width, o.claim->id.size());
  std::string out = fmt::format("{:<{}}  {:<14}  {:>9}  {:<6}  {:>8}\n", "claim", width, "verdict", "margin",
                                "level", "time");
  out += std::string(out.size() - 1, '-') + "\n";
  for (const auto& o : outcomes) {
    out += fmt::format("{:<{}}  {:<14}  {:>9}  {:<6}  {:>6.2f} s{}\n", o.claim->id, width, name_of(o.verdict),
                       decided(o) ? short_number(o.evidence.worst.margin) : "-", name_of(o.level), o.seconds,
                       o.as_expected() ? "" : fmt::format("  <- expected: {}", name_of(o.claim->expected)));
    if (o.verdict == Verdict::holds) continue;
    if (decided(o))
      out +=
          fmt::format("    {}: measured {}, predicted {}, error bar {}, at {}\n", o.evidence.worst.quantity,
                      short_number(o.evidence.worst.measured), short_number(o.evidence.worst.predicted),
                      short_number(o.evidence.worst.error), o.evidence.worst.where);
    if (!o.evidence.basis.empty()) out += "    " + o.evidence.basis.back() + "\n";
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
         {"witness", w.witness.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(w.witness)},
         {"seconds", o.seconds},
         {"blind_to", o.claim->blind_to},
         {"quantity", w.quantity},
         {"where", w.where},
         {"comparisons", o.evidence.comparisons},
         {"basis", o.evidence.basis}});
  }
  return array.dump(2) + "\n";
}

std::string markdown_report(const std::vector<Outcome>& outcomes) {
  std::string out =
      "# Verdicts\n\n| claim | source | verdict | margin | level | time |\n|---|---|---|---|---|---|\n";
  for (const auto& o : outcomes)
    out += fmt::format("| {} | {} | {}{} | {} | {} | {:.2f} s |\n", o.claim->id, o.claim->source,
                       name_of(o.verdict),
                       o.as_expected() ? "" : fmt::format(" (expected {})", name_of(o.claim->expected)),
                       decided(o) ? short_number(o.evidence.worst.margin) : "-", name_of(o.level), o.seconds);
  out +=
      "\nMargin: signed distance of the worst comparison to violation, in units of its error bar; positive means that "
      "the statement holds there.\n";
  for (const auto& o : outcomes) {
    const Finding& w = o.evidence.worst;
    out += fmt::format("\n## {}: {}\n\n**Statement** ({}). {}\n\n**Checked for** {}\n\n**Prediction** {}\n\n",
                       o.claim->id, name_of(o.verdict), o.claim->source, o.claim->statement,
                       o.claim->hypotheses, o.claim->prediction);
    if (decided(o))
      out += fmt::format(
          "**Worst of {} comparisons**: {} = {:.12g}, predicted {:.12g}, error bar {:.2g}, margin {}, at {}.\n\n",
          o.evidence.comparisons, w.quantity, w.measured, w.predicted, w.error, short_number(w.margin),
          w.where);
    for (const auto& line : o.evidence.basis) out += "- " + line + "\n";
    out += fmt::format("\n**Blind to** {}\n", o.claim->blind_to);
    if (!w.witness.empty())
      out += "\n**Replay** with `--config` on this file:\n\n```toml\n" + w.witness + "```\n";
  }
  return out;
}

} // namespace attndyn::verification
