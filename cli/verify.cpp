#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "verification/all_claims.hpp"
#include "verification/proof/certificate.hpp"
#include "verification/report.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include <unistd.h>

namespace attndyn::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> ids;
  std::string level = "double", seed = "1", search, json, report, certificates = "certificates";
  bool quick = false;
};

int verify(const VerifyOptions& o) {
  using namespace verification;
  std::vector<const Claim*> chosen;
  choice("level", o.level, {"double", "high", "proof"});
  const bool proof = o.level == "proof", high = o.level == "high";
  const auto has_level = [&](const Claim& c) {
    return proof ? static_cast<bool>(c.prove) : !high || static_cast<bool>(c.check_high);
  };
  for (const auto& id : o.ids) {
    const Claim& claim = find_claim(id);
    if (!has_level(claim))
      throw refused("level", o.level,
                    proof ? "claim " + id + " has nothing finite that a certificate could prove"
                          : "claim " + id + " has no finite core to be computed by two methods at 30 digits");
    chosen.push_back(&claim);
  }
  if (chosen.empty())
    for (const Claim& c : all_claims())
      if (has_level(c)) chosen.push_back(&c);
  if (!o.report.empty() && !o.report.ends_with(".md")) throw refused("report", o.report, "must end in .md");
  if (!o.json.empty()) check_output("json", o.json);
  if (!o.report.empty()) check_output("report", o.report);

  if (proof) make_folder("certificates", o.certificates);

  Context context;
  context.level = proof ? Level::proof : high ? Level::high : Level::simulation;
  context.quick = o.quick;
  context.search = o.search.empty() ? (o.quick ? 12 : 40) : whole("search", o.search, 0, 1'000'000);
  context.seed = whole("seed", o.seed, 0, std::numeric_limits<std::uint64_t>::max());
  std::vector<Outcome> outcomes;
  for (const Claim* claim : chosen) {
    if (isatty(STDERR_FILENO))
      say(fmt::format("deciding {} ({} of {}) ...", claim->id, outcomes.size() + 1, chosen.size()));
    outcomes.push_back(decide(*claim, context));
    if (const auto& certificate = outcomes.back().certificate) {
      const std::string path = o.certificates + "/" + claim->id + ".json";
      write_text(path, to_json(*certificate));
      say(fmt::format("certificate: {} ({} facts)", path, certificate->facts.size()));
    }
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
  add_value(app, "--level", o->level, "NAME",
            "how: double, simulation with an error bar and a refinement; high, two methods at 30 digits that "
            "must agree; proof, rigorous enclosures of what is finite in a claim, with a certificate");
  add_value(
      app, "--search", o->search, "N",
      "points at which the hypotheses of each claim are searched for a counterexample, corners first, 0: "
      "off; default 40, with --quick 12");
  add_value(app, "--certificates", o->certificates, "DIR",
            "where level proof writes ID.json, made if missing (see `attndyn check-certificate --help`)");
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
