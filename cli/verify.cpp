#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "verification/all_claims.hpp"
#include "verification/report.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include <unistd.h>

namespace attndyn::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> ids;
  std::string level = "double", seed = "1", json, report;
  bool quick = false;
};

int verify(const VerifyOptions& o) {
  using namespace verification;
  std::vector<const Claim*> chosen;
  for (const auto& id : o.ids) chosen.push_back(&find_claim(id));
  if (chosen.empty())
    for (const Claim& c : all_claims()) chosen.push_back(&c);
  choice("level", o.level, {"double"});
  if (!o.report.empty() && !o.report.ends_with(".md")) throw refused("report", o.report, "must end in .md");
  if (!o.json.empty()) check_output("json", o.json);
  if (!o.report.empty()) check_output("report", o.report);

  Context context;
  context.quick = o.quick;
  context.seed = whole("seed", o.seed, 0, std::numeric_limits<std::uint64_t>::max());
  std::vector<Outcome> outcomes;
  for (const Claim* claim : chosen) {
    if (isatty(STDERR_FILENO))
      say(fmt::format("deciding {} ({} of {}) ...", claim->id, outcomes.size() + 1, chosen.size()));
    outcomes.push_back(decide(*claim, context));
  }
  if (!o.json.empty()) write_text(o.json, json_report(outcomes));
  if (!o.report.empty()) write_text(o.report, markdown_report(outcomes));
  if (o.json != "-") fmt::print("{}", text_table(outcomes));
  const bool expected =
      std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& x) { return x.as_expected(); });
  return expected ? 0 : 1;
}

} // namespace

Command add_verify(CLI::App& app) {
  auto o = std::make_shared<VerifyOptions>();
  app.add_option("ids", o->ids, "claims to decide (see `attndyn list claims`); default all")->type_name("");
  add_value(app, "--level", o->level, "NAME", "how: double, simulation with an error bar and a refinement");
  app.add_flag("--quick", o->quick, "fewer sizes and shorter times");
  add_value(app, "--seed", o->seed, "N", "seed of every random start, >= 0");
  add_value(app, "--json", o->json, "FILE",
            "the outcomes as JSON too; - for standard output in place of the table");
  add_value(app, "--report", o->report, "FILE", "a Markdown report (.md) too");
  app.footer(help_footer(
      "  A table of claim, verdict (holds, fails, inconclusive, not applicable), margin (distance to a violation in error\n"
      "  bars, positive where the claim holds), level and time, with a mark where a verdict is not the expected one.\n",
      "a verdict is not the expected one, in either direction; or a report could not be written",
      "attndyn verify NAD-4.1-initial MFT-equiangular --json out.json"));
  return [o] { return verify(*o); };
}

} // namespace attndyn::cli
