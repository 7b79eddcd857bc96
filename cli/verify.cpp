#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "lib/io/file.hpp"
#include "verification/all_claims.hpp"
#include "verification/decide_all.hpp"
#include "verification/proof/certificate.hpp"
#include "verification/report.hpp"
#include "verification/report_html.hpp"
#include "verification/user_claim.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <thread>

namespace attndyn::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> ids, files, reports;
  std::string level = "double", seed = "1", search, json, certificates = "certificates", witnesses, jobs;
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
  std::deque<Claim> own; // keeps its addresses
  for (const auto& path : o.files) {
    if (o.level != "double")
      throw refused("level", o.level, "must be double for a claim of a file, " + one_line(path, 200));
    const std::string text = named("file", path, [&] { return read_text(path); });
    own.push_back(claim_from_toml(text, path));
    const std::string& id = own.back().id;
    const auto same = [&](const Claim& c) { return c.id == id; };
    if (std::any_of(all_claims().begin(), all_claims().end(), same) ||
        std::count_if(own.begin(), own.end(), same) > 1)
      throw refused("file", path, fmt::format("there is another claim with the id {}", id));
    chosen.push_back(&own.back());
  }
  if (chosen.empty())
    for (const Claim& c : all_claims())
      if (has_level(c)) chosen.push_back(&c);
  if (chosen.empty()) throw refused("level", o.level, "no claim can be decided at this level");
  const auto is_html = [](const std::string& path) { return path.ends_with(".html"); };
  for (const auto& path : o.reports) {
    if (!path.ends_with(".md") && !is_html(path)) throw refused("report", path, "must end in .md or .html");
    check_output("report", path);
  }
  if (!o.json.empty()) check_output("json", o.json);
  std::vector<std::pair<std::string, std::string>> touched; // no output may be another one, or an input
  for (const auto& path : o.files) touched.emplace_back("file", path);
  for (const auto& path : o.reports) touched.emplace_back("report", path);
  if (!o.json.empty()) touched.emplace_back("json", o.json);
  for (std::size_t i = o.files.size(); i < touched.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      check_distinct(touched[i].first, touched[i].second, touched[j].first, touched[j].second);
  const unsigned jobs = o.jobs.empty() ? std::max(1u, std::thread::hardware_concurrency())
                                       : static_cast<unsigned>(whole("jobs", o.jobs, 1, 1024));

  Context context;
  context.level = proof ? Level::proof : high ? Level::high : Level::simulation;
  context.quick = o.quick;
  context.full_search = o.search.empty() ? 40 : whole("search", o.search, 0, 1'000'000);
  context.search = o.search.empty() && o.quick ? 12 : context.full_search;
  context.seed = whole("seed", o.seed, 0, std::numeric_limits<std::uint64_t>::max());

  if (proof) make_folder("certificates", o.certificates);
  if (!o.witnesses.empty()) make_folder("witnesses", o.witnesses);
  show_line(fmt::format("deciding {} claims ...", chosen.size()));
  const auto outcomes = decide_all(chosen, context, jobs, [&](const Outcome& x, std::size_t decided) {
    show_line(fmt::format("{} of {} decided, the latest: {} {}", decided, chosen.size(), x.claim->id,
                          name_of(x.verdict)));
  });
  erase_progress();
  if (o.json != "-") fmt::print("{}", text_table(outcomes));
  // What can be written is written, whatever cannot.
  bool written = true;
  const auto deliver = [&](const std::string& path, const std::string& text) {
    try {
      write_text(path, text);
      return true;
    } catch (const std::exception& e) {
      say(fmt::format("attndyn verify: {}", e.what()));
      return written = false;
    }
  };
  for (const Outcome& x : outcomes) {
    if (x.certificate) {
      const std::string path = o.certificates + "/" + x.claim->id + ".json";
      if (deliver(path, to_json(*x.certificate)))
        say(fmt::format("certificate: {} ({} facts)", path, x.certificate->facts.size()));
    }
    if (!o.witnesses.empty() && x.evidence.witnessed &&
        deliver(o.witnesses + "/" + x.claim->id + ".toml", x.evidence.witnessed->witness))
      say("counterexample: " + replay_command(x, o.witnesses));
  }
  const std::string folder = o.witnesses.empty() ? "." : o.witnesses;
  if (!o.json.empty()) deliver(o.json, json_report(outcomes));
  for (const auto& path : o.reports)
    deliver(path, is_html(path) ? html_report(outcomes, folder) : markdown_report(outcomes, folder));
  const bool expected =
      std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& x) { return x.as_expected(); });
  return expected && written ? 0 : 1;
}

} // namespace

Command add_verify(CLI::App& app) {
  auto o = std::make_shared<VerifyOptions>();
  app.add_option("ids", o->ids, "claims to decide (see `attndyn list claims`); default all")->type_name("");
  app.add_option("--file", o->files,
                 "TOML file with a claim of your own, may be given again; without IDs only these are decided "
                 "(verification/examples explain the keys)")
      ->type_name("FILE")
      ->allow_extra_args(false);
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
  app.add_option(
         "--report", o->reports,
         "a report too: Markdown (.md), or a page that needs no other file (.html); may be given again")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_value(
      app, "--witnesses", o->witnesses, "DIR",
      "for each claim that fails a file ID.toml here, made if missing: the counterexample, which `attndyn "
      "particles` or `equiangular` replays by --config and compares");
  add_value(app, "--jobs", o->jobs, "N", "claims decided at a time, 1 to 1024; default one a processor");
  app.footer(help_footer(
      "  A table of claim, verdict (holds, fails, inconclusive, not applicable), margin (distance to a violation in error\n"
      "  bars, positive where the claim holds), level and time, with a mark where a verdict is not the expected one.\n",
      "a verdict is not the expected one, in either direction; or a report could not be written",
      "attndyn verify NAD-4.1-initial MFT-equiangular --json out.json"));
  return [o] { return verify(*o); };
}

} // namespace attndyn::cli
