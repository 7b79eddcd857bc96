#include "analysis/plot.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

#ifndef ATTNDYN_PLOT_DIR
#define ATTNDYN_PLOT_DIR "paper_figures/plot"  // as seen from the root of the sources
#endif

extern char** environ;

namespace attndyn::analysis {
namespace fs = std::filesystem;
namespace {

/// A file as a gnuplot string: single quotes, in which only the quote itself is special.
std::string quoted(const fs::path& path) {
  std::string out = "'";
  for (char c : path.string()) {
    if (c == '\n' || c == '\r') throw std::runtime_error("plot: a path with a line break cannot be handed to gnuplot");
    out += c;
    if (c == '\'') out += c;
  }
  return out + "'";
}

/// A folder beside the output (so that renaming out of it is atomic), removed with what is left in it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& parent) {
    std::string name = (parent / ".plot-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error(fmt::format("plot: cannot write in {}: {}", parent.string(), std::strerror(errno)));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Runs gnuplot on the script after the assignments; what it says goes to the log. Returns its exit status.
int run_gnuplot(const std::string& assignments, const fs::path& script, const fs::path& log) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  // An absolute path: a script called "-e" or "--help" stays a script.
  std::array<std::string, 5> words = {"gnuplot", "-d", "-e", assignments, fs::absolute(script).string()};
  std::array<char*, 6> argv{};
  for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
  pid_t child = 0;
  const int error = posix_spawnp(&child, "gnuplot", &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error == ENOENT) throw std::runtime_error("gnuplot: not found on PATH; install it (Debian: gnuplot-nox)");
  if (error != 0) throw std::runtime_error(fmt::format("gnuplot: cannot be started: {}", std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::runtime_error(fmt::format("gnuplot: lost: {}", std::strerror(errno)));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What gnuplot has against the script, `"file" line 3: ...`: the error that ended it, else the first warning; empty if
/// neither. A warning of the libraries behind the terminals is none of ours.
std::string complaint(const fs::path& log, bool failed) {
  std::ifstream in(log);
  std::string line, last = "it said nothing";
  while (std::getline(in, line)) {
    if (line.find("\" line ") == std::string::npos) continue;
    last = line;
    if (!failed && line.find("warning:") != std::string::npos) return line;
  }
  return failed ? last : std::string();
}

void require_file(const char* what, const fs::path& file) {
  if (!fs::is_regular_file(file)) throw std::runtime_error(fmt::format("plot: {} {}: no such file", what, file.string()));
}

}  // namespace

fs::path plot_directory() {
  const char* set = std::getenv("ATTNDYN_PLOT_DIR");
  return set && *set ? set : ATTNDYN_PLOT_DIR;
}

void plot(const fs::path& script_or_name, const fs::path& csv, const fs::path& out_stem) {
  const fs::path script = script_or_name.has_parent_path() ? script_or_name : plot_directory() / script_or_name;
  const fs::path style = plot_directory() / "style.gp";
  require_file("script", script);
  require_file("style", style);
  require_file("data", csv);
  if (!out_stem.has_filename()) throw std::runtime_error(fmt::format("plot: output {}: has no name", out_stem.string()));
  const fs::path folder = fs::absolute(out_stem).parent_path();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw std::runtime_error(fmt::format("plot: cannot create {}: {}", folder.string(), error.message()));

  constexpr std::array<const char*, 3> formats = {"pdf", "png", "svg"};
  const TemporaryFolder aside(folder);
  const fs::path log = aside.path() / "log";
  for (const char* format : formats) {
    const fs::path output = aside.path() / fmt::format("figure.{}", format);
    const int status = run_gnuplot(fmt::format("csv={}; style={}; format='{}'; output={}", quoted(csv), quoted(style),
                                               format, quoted(output)),
                                   script, log);
    if (const std::string line = complaint(log, status != 0); !line.empty())
      throw std::runtime_error(fmt::format("gnuplot: {}: {}", script.string(), line));
    if (!fs::is_regular_file(output) || fs::file_size(output) == 0)
      throw std::runtime_error(fmt::format("gnuplot: {}: wrote no {}; does it `load style`?", script.string(), format));
  }
  for (const char* format : formats)
    fs::rename(aside.path() / fmt::format("figure.{}", format), out_stem.string() + "." + format);
}

}  // namespace attndyn::analysis
