// attndyn: parses and calls, nothing else. Exit status: 0 success, 1 an unexpected verdict, a run that ended
// early or a result that could not be written, 2 bad input (one line on stderr, nothing written).
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "cli/words.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <map>

namespace {

using attndyn::cli::BadInput;
using attndyn::cli::say;

struct Entry {
  const char *name, *description;
  attndyn::cli::Command (*add)(CLI::App&);
  bool takes_config;
};

constexpr Entry entries[] = {
    {"equiangular", "The equiangular reduction: one cosine g(t) and one radius r(t).",
     attndyn::cli::add_equiangular, true},
    {"particles", "The particle system on the sphere, and the layers of a Transformer.",
     attndyn::cli::add_particles, true},
    {"verify", "Decides claims of the literature by simulation.", attndyn::cli::add_verify, true},
    {"figure", "Draws figures of the papers: CSV, PDF, PNG and SVG.", attndyn::cli::add_figure, true},
    {"converge", "Error against what was asked: tolerance, order, precision.", attndyn::cli::add_converge,
     true},
    {"check-certificate", "Checks a certificate of verify --level proof again.",
     attndyn::cli::add_check_certificate, false},
    {"list", "Lists schemes, attention rules, claims or figures.", attndyn::cli::add_list, false},
};

/// A file that we open must not become the standard input, output or error of a caller who closed it. Each
/// stays as useless as it was, but for stderr: what is said there vanishes.
void fill_closed_descriptors() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) == -1) (void)!::open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}

struct Program {
  CLI::App app{"attndyn " ATTNDYN_VERSION ": the numerics of attention dynamics.", "attndyn"};
  std::string config; // for --help; with_config has taken it from the words
  std::map<std::string, CLI::App*> apps;
  std::map<std::string, attndyn::cli::Command> commands;

  Program() {
    app.require_subcommand(0, 1);
    app.allow_extras(); // check_words names what was not expected
    app.set_version_flag("--version", "attndyn " ATTNDYN_VERSION, "print the version and exit");
    app.set_help_flag("-h,--help", "print this help and exit");
    app.formatter(attndyn::cli::help_formatter());
    app.footer("`attndyn SUBCOMMAND --help` shows every option, the columns of the output and an example.\n"
               "Exit status: 0 success, 1 an unexpected verdict or a run that ended early, 2 bad input.");
    for (const Entry& e : entries) {
      CLI::App* sub = apps[e.name] = app.add_subcommand(e.name, e.description);
      sub->allow_extras();
      commands[e.name] = e.add(*sub);
      if (e.takes_config)
        sub->add_option("--config", config, "TOML file with any of these options; the command line wins")
            ->type_name("FILE");
    }
  }

  /// The words of the subcommand that were asked for, parsed.
  CLI::App& parse(std::vector<std::string> words) {
    if (words.empty()) throw BadInput(fmt::format("subcommand: must be one of {}", names()));
    if (!words.front().starts_with("-")) {
      const auto chosen = apps.find(words.front());
      if (chosen == apps.end())
        throw attndyn::cli::refused("subcommand", words.front(), fmt::format("must be one of {}", names()));
      words.erase(words.begin());
      words = attndyn::cli::with_config(words, *chosen->second);
      words.insert(words.begin(), chosen->first);
    }
    for (const std::string& word : words) // CLI11 would take the next word for the value
      if (word.starts_with("--") && word.find('=') == word.size() - 1)
        throw attndyn::cli::refused(word.substr(2, word.size() - 3), "", "must not be empty");
    std::reverse(words.begin(), words.end()); // CLI11 takes them from the back
    app.parse(words);
    check_words(app);
    if (app.get_subcommands().empty()) throw BadInput(fmt::format("subcommand: must be one of {}", names()));
    CLI::App& sub = *app.get_subcommands().front();
    check_words(sub);
    return sub;
  }

private:
  static std::string names() {
    std::vector<std::string> all;
    for (const Entry& e : entries) all.emplace_back(e.name);
    return fmt::format("{}", fmt::join(all, ", "));
  }

  static void check_words(const CLI::App& sub) {
    for (const std::string& word : sub.remaining())
      throw BadInput(fmt::format("{}: is not an option of {} (see attndyn {}--help)",
                                 attndyn::cli::one_line(word.substr(0, word.find('=')), 100), sub.get_name(),
                                 sub.get_parent() == nullptr ? "" : sub.get_name() + " "));
    for (const CLI::Option* option : sub.get_options())
      for (const std::string& value : option->results())
        if (value.empty()) throw attndyn::cli::refused(option->get_single_name(), "", "must not be empty");
  }
};

int run(const std::vector<std::string>& words) {
  Program program;
  try {
    return program.commands.at(program.parse(words).get_name())();
  } catch (const CLI::Success& asked) { // --help, --version
    return program.app.exit(asked);
  } catch (const CLI::ArgumentMismatch& e) { // "--n: 1 required N missing"
    const std::string text = e.what();
    say(fmt::format("attndyn: {}: needs a value", text.substr(0, text.find(':'))));
    return 2;
  } catch (const CLI::ConversionError& e) { // "Could not convert: --quick = abc"; only flags are no text
    const std::string text = e.what();
    say(fmt::format("attndyn: {}: must be true or false",
                    text.substr(std::min(text.find("--"), text.size()))));
    return 2;
  } catch (const CLI::ParseError& e) {
    say(fmt::format("attndyn: {}", e.what()));
    return 2;
  } catch (const std::invalid_argument& e) {
    say(fmt::format("attndyn: {}", e.what()));
    return 2;
  } catch (const BadInput& e) {
    say(fmt::format("attndyn: {}", e.what()));
    return 2;
  } catch (const std::bad_alloc&) {
    say("attndyn: not enough memory for a run of this size");
    return 2;
  } catch (const std::length_error&) {
    say("attndyn: not enough memory for a run of this size");
    return 2;
  } catch (const std::exception& e) {
    say(fmt::format("attndyn: {}", e.what()));
    return 1;
  }
}

} // namespace

int main(int argc, char** argv) {
  fill_closed_descriptors();
  std::signal(SIGXFSZ, SIG_IGN); // beyond the file size limit a write then fails, and cleans up after itself
  const int status = run({argv + std::min(argc, 1), argv + argc});
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) {
    if (status != 1) say("attndyn: cannot write the standard output");
    return std::max(status, 1);
  }
  return status;
}
