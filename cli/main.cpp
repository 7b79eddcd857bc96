// attndyn: parses and calls, nothing else. Exit status: 0 success, 1 an unexpected verdict or a run that ended early,
// 2 bad input (one line on stderr, nothing written).
#include "cli/commands.hpp"
#include "cli/options.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace {

using attndyn::cli::BadInput;

struct Entry {
  const char *name, *description, *example;
  attndyn::cli::Command (*add)(CLI::App&);
};

constexpr Entry entries[] = {
    {"equiangular", "The equiangular reduction: one cosine g(t) and one radius r(t).",
     "attndyn equiangular --scheme peri --n 256 --beta 5 --times 0.1,1,10 --digits 40", attndyn::cli::add_equiangular},
    {"particles", "The particle system on the sphere, and the layers of a Transformer.",
     "attndyn particles --scheme pre --beta 2 --init uniform --n 32 --d 8 --seed 1 --times lin:0:10:101 --out run.csv",
     attndyn::cli::add_particles},
    {"verify", "Decides claims of the literature by simulation.", "attndyn verify NAD-4.1-initial MFT-equiangular --json out.json",
     attndyn::cli::add_verify},
    {"figure", "Draws figures of the papers: CSV, PDF, PNG and SVG.", "attndyn figure nad-symmetric --quick --out out/figures",
     attndyn::cli::add_figure},
    {"list", "Lists schemes, attention rules, claims or figures.", "attndyn list claims", attndyn::cli::add_list},
};

/// Replaces --config FILE among the words of a subcommand by the file's options, in front of all others.
std::vector<std::string> expand_config(std::vector<std::string> words, const std::map<std::string, CLI::App*>& apps) {
  const auto chosen = words.empty() ? apps.end() : apps.find(words.front());
  if (chosen == apps.end()) return words;
  std::vector<std::string> rest, from_file;
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string path;
    if (words[i].starts_with("--config=")) path = words[i].substr(9);
    else if (words[i] == "--config" && i + 1 < words.size()) path = words[++i];
    else {
      rest.push_back(words[i]);
      continue;
    }
    const auto more = attndyn::cli::words_from_config(path, *chosen->second);
    from_file.insert(from_file.end(), more.begin(), more.end());
  }
  std::vector<std::string> out{words.front()};
  out.insert(out.end(), from_file.begin(), from_file.end());
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("attndyn " ATTNDYN_VERSION ": the numerics of attention dynamics.", "attndyn");
  app.set_version_flag("--version", "attndyn " ATTNDYN_VERSION);
  app.require_subcommand(1);
  std::string config;
  std::map<std::string, CLI::App*> apps;
  std::map<std::string, attndyn::cli::Command> commands;
  for (const Entry& e : entries) {
    CLI::App* sub = app.add_subcommand(e.name, e.description);
    commands[e.name] = e.add(*sub);
    if (std::string(e.name) != "list")
      sub->add_option("--config", config, "TOML file with any of these options; the command line wins")->type_name("FILE");
    sub->footer(std::string("Example:\n  ") + e.example);
    apps[e.name] = sub;
  }
  try {
    std::vector<std::string> words = expand_config({argv + 1, argv + argc}, apps);
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app.parse(words);
    for (const auto& [name, sub] : apps)
      if (sub->parsed()) return commands[name]();
    return 2;
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "attndyn: {}\n", one_line(e.what()));
    return 2;
  } catch (const std::invalid_argument& e) {
    fmt::print(stderr, "attndyn: {}\n", one_line(e.what()));
    return 2;
  } catch (const BadInput& e) {
    fmt::print(stderr, "attndyn: {}\n", one_line(e.what()));
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "attndyn: not enough memory for a run of this size\n");
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "attndyn: {}\n", one_line(e.what()));
    return 1;
  }
}
