/// How --help looks: a line an option, then output, exit status and an example.
#pragma once

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace attndyn::cli {

/// `--name X   what it is; default 5`, nothing of CLI11's own in between.
std::shared_ptr<CLI::FormatterBase> help_formatter();

/// What stands below the options of a subcommand that integrates or decides; exit_1: what status 1 means
/// here.
std::string help_footer(const std::string& output, const std::string& exit_1, const std::string& example);

/// The lines of output that tell how a table is written.
extern const char* const table_help;

} // namespace attndyn::cli
