/// The subcommands of attndyn; each adds itself to the program and returns an exit status when called.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace attndyn::cli {

/// Adds the subcommand's options to app and returns what to call when it was chosen.
using Command = std::function<int()>;
Command add_equiangular(CLI::App& app);
Command add_particles(CLI::App& app);
Command add_verify(CLI::App& app);
Command add_figure(CLI::App& app);
Command add_converge(CLI::App& app);
Command add_check_certificate(CLI::App& app);
Command add_list(CLI::App& app);

} // namespace attndyn::cli
