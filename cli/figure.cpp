#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "paper_figures/all_figures.hpp"

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
  std::vector<const figures::Figure*> chosen;
  for (const auto& name : o.names) {
    if (name == "all")
      for (const auto& f : figures::all_figures()) chosen.push_back(&f);
    else
      chosen.push_back(&figures::find_figure(name));
  }
  std::error_code error;
  std::filesystem::create_directories(o.out, error);
  if (error || !std::filesystem::is_directory(o.out))
    throw BadInput(fmt::format("out = {}: is no folder and cannot be made one", o.out));
  for (const auto* f : chosen) {
    const auto begin = std::chrono::steady_clock::now();
    const figures::Drawn drawn = f->run({o.out, o.quick});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("{}: {} ({:.1f} s)\n  {}\n", f->name, drawn.stem + ".{csv,pdf,png,svg}", seconds, drawn.refinement);
  }
  return 0;
}

}  // namespace

Command add_figure(CLI::App& app) {
  auto o = std::make_shared<FigureOptions>();
  app.add_option("names", o->names, "figures to draw (see `attndyn list figures`), or all")->required()->type_name("NAME");
  app.add_flag("--quick", o->quick, "seconds instead of minutes: fewer points, same tolerances");
  app.add_option("--out", o->out, "folder for the files, made if missing")->take_last()->capture_default_str()->type_name("DIR");
  return [o] { return draw(*o); };
}

}  // namespace attndyn::cli
