#include "analysis/convergence.hpp"
#include "analysis/plot.hpp"
#include "cli/commands.hpp"
#include "cli/equiangular_input.hpp"
#include "cli/help.hpp"

#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

namespace attndyn::cli {
namespace {

struct ConvergeOptions {
  EquiangularInput input;
  std::string study, t = "20", max_seconds = "10", out;
};

int converge(const ConvergeOptions& o) {
  std::vector<std::string> names;
  for (const auto& s : analysis::all_studies()) names.emplace_back(s.name);
  if (o.study.empty()) throw BadInput(fmt::format("study: must be given, one of {}", fmt::join(names, ", ")));
  choice("study", o.study, names);
  analysis::Study study;
  study.params = o.input.resolve<double>(TimeScale::natural);
  study.t = number_in_range<double>("t", o.t);
  if (compare(study.t, 0) <= 0) throw refused("t", o.t, "must be > 0");
  study.max_seconds = number_in_range<double>("max-seconds", o.max_seconds).approx();
  if (!(study.max_seconds > 0)) throw refused("max-seconds", o.max_seconds, "must be > 0");
  study.progress = show_line;
  const std::string stem = o.out + "/converge-" + o.study;
  if (!o.out.empty()) make_folder("out", o.out);

  for (const auto& entry : analysis::all_studies()) {
    if (o.study != entry.name) continue;
    const Table table = entry.run(study);
    erase_progress();
    if (o.out.empty()) {
      write_table(table, Format::csv, "-");
    } else {
      write_table(table, Format::csv, stem + ".csv");
      analysis::plot("converge-" + o.study + ".gp", stem + ".csv", stem);
      fmt::print("{}.{{csv,pdf,png,svg}}\n", stem);
    }
  }
  return 0;
}

} // namespace

Command add_converge(CLI::App& app) {
  auto o = std::make_shared<ConvergeOptions>();
  std::string studies;
  for (const auto& s : analysis::all_studies())
    studies += fmt::format("{}{} ({})", studies.empty() ? "" : ", ", s.name, s.title);
  add_value(app, "--study", o->study, "NAME", "what to vary: " + studies + "; must be given");
  o->input.add_to(app);
  add_value(app, "--t", o->t, "T", "end of every run, > 0");
  add_value(app, "--max-seconds", o->max_seconds, "S",
            "a method stops where its next run takes longer, seconds, > 0");
  add_value(app, "--out", o->out, "DIR",
            "write DIR/converge-NAME.csv and draw it as PDF, PNG and SVG there; "
            "default: the CSV to standard output, no picture");
  app.footer(help_footer(
      "  One row a run; every error is that of log(1-g) at T against the separable solution, "
      "which no time stepping touches.\n"
      "  precision: method, digits (of the number type), tolerance, error, seconds, steps, rhs_calls\n"
      "  tolerance: method, digits, tolerance, error, ratio (error/tolerance), estimate, steps, rhs_calls\n"
      "  order:     method, order, step, error, observed\n",
      "a run or a picture failed", "attndyn converge --study order --n 256 --beta 5 --t 10 --out out"));
  return [o] { return converge(*o); };
}

} // namespace attndyn::cli
