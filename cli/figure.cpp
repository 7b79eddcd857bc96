#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "paper_figures/all_figures.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

namespace attndyn::cli {
namespace {

struct FigureOptions {
  std::vector<std::string> names;
  std::string out = "out/figures";
  bool quick = false;
};

int draw(const FigureOptions& o) {
  if (o.names.empty()) throw BadInput("figure: must name at least one, or all (see `attndyn list figures`)");
  std::vector<const figures::Figure*> chosen;
  const auto choose = [&](const figures::Figure& f) {
    if (std::find(chosen.begin(), chosen.end(), &f) == chosen.end()) chosen.push_back(&f);
  };
  for (const auto& name : o.names) {
    if (name == "all")
      std::for_each(figures::all_figures().begin(), figures::all_figures().end(), choose);
    else
      choose(figures::find_figure(name));
  }
  make_folder("out", o.out);
  for (const auto* f : chosen) {
    const auto begin = std::chrono::steady_clock::now();
    const figures::Drawn drawn = f->run({o.out, o.quick});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("{}: {} ({:.1f} s)\n  {}\n", f->name, drawn.stem + ".{csv,pdf,png,svg}", seconds,
               drawn.refinement);
  }
  return 0;
}

} // namespace

Command add_figure(CLI::App& app) {
  auto o = std::make_shared<FigureOptions>();
  app.add_option("names", o->names, "figures to draw (see `attndyn list figures`), or all")->type_name("");
  app.add_flag("--quick", o->quick, "seconds instead of minutes: fewer points, same tolerances");
  add_value(app, "--out", o->out, "DIR", "folder for the files, made if missing");
  app.footer(help_footer(
      "  DIR/NAME.csv (all that is plotted, with its parameters), .pdf, .png and .svg; on standard output a line for each\n"
      "  figure, and how much its values change under refinement.\n",
      "a figure could not be computed, drawn or written",
      "attndyn figure nad-symmetric --quick --out out/figures"));
  return [o] { return draw(*o); };
}

} // namespace attndyn::cli
