#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "verification/all_claims.hpp"
#include "verification/report.hpp"

#include <algorithm>
#include <memory>

#include <unistd.h>

namespace attndyn::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> ids;
  std::string level = "double", json, report;
  std::uint64_t seed = 1;
  bool quick = false;
};

int verify(const VerifyOptions& o) {
  using namespace verification;
  std::vector<const Claim*> chosen;
  for (const auto& id : o.ids) chosen.push_back(&find_claim(id));
  if (chosen.empty())
    for (const Claim& c : all_claims()) chosen.push_back(&c);
  if (!o.report.empty() && !o.report.ends_with(".md"))
    throw BadInput(fmt::format("report = {}: must end in .md", o.report));

  Context context;
  context.quick = o.quick;
  context.seed = o.seed;
  std::vector<Outcome> outcomes;
  for (const Claim* claim : chosen) {
    if (isatty(STDERR_FILENO)) fmt::print(stderr, "deciding {} ({} of {}) ...\n", claim->id, outcomes.size() + 1, chosen.size());
    outcomes.push_back(decide(*claim, context));
  }
  if (!o.json.empty()) write_text(o.json, json_report(outcomes));
  if (!o.report.empty()) write_text(o.report, markdown_report(outcomes));
  if (o.json != "-") fmt::print("{}", text_table(outcomes));
  const bool expected = std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& x) { return x.as_expected(); });
  return expected ? 0 : 1;
}

}  // namespace

Command add_verify(CLI::App& app) {
  auto o = std::make_shared<VerifyOptions>();
  app.add_option("ids", o->ids, "claims to decide (see `attndyn list claims`); default all")->type_name("ID");
  app.add_option("--level", o->level, "how: double (simulation with an error bar and a refinement)")
      ->take_last()->capture_default_str()->check(CLI::IsMember({"double"}));
  app.add_flag("--quick", o->quick, "fewer sizes and shorter times");
  app.add_option("--seed", o->seed, "of every random start")->take_last()->capture_default_str();
  app.add_option("--json", o->json, "write the outcomes as JSON; - for standard output instead of the table")->take_last()->type_name("FILE");
  app.add_option("--report", o->report, "write a Markdown report (.md)")->take_last()->type_name("FILE");
  return [o] { return verify(*o); };
}

}  // namespace attndyn::cli
