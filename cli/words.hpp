/// The words of a command line, with those of its --config file.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace attndyn::cli {

/// words without --config FILE, and in front of them the options of that TOML file that words do not give
/// themselves: the command line wins, lists (of heads, say) and --digits against --tol included. Strings,
/// numbers and booleans are taken as they stand, a list as several values. `command = "..."` must name the
/// subcommand, a table [expect] is passed over, anything else that is no option is refused. Throws BadInput:
/// "config = a.toml: gamma: is not an option of particles".
std::vector<std::string> with_config(const std::vector<std::string>& words, const CLI::App& subcommand);

} // namespace attndyn::cli
