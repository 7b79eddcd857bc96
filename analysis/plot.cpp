#include "analysis/plot.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#ifndef ATTNDYN_PLOT_DIR
#define ATTNDYN_PLOT_DIR "paper_figures/plot" // as seen from the root of the sources
#endif

extern char** environ;

namespace attndyn::analysis {
namespace fs = std::filesystem;
namespace {

/// Text as a gnuplot string, with every byte that could mean something as its octal code. (gnuplot 5.4 reads
/// '' in single quotes as a quote, but not twice in a row; and digits after an octal code as part of it, so
/// they are codes too.)
std::string quoted_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && (std::isalpha(byte) || c == '/' || c == '.' || c == '-' || c == '_'))
      out += c;
    else
      out += fmt::format("\\{:03o}", byte);
  }
  return out + "\"";
}

/// A file likewise: absolute, so that no name is taken for a pipe ("<ls") or an option.
std::string quoted(const fs::path& file) { return quoted_text(fs::absolute(file).string()); }

/// A folder beside the output (so that renaming out of it is atomic), removed with what is left in it.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const fs::path& parent) {
    std::string name = (parent / ".plot-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error(
          fmt::format("plot: cannot write in {}: {}", parent.string(), std::strerror(errno)));
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

/// Runs gnuplot on the script (an absolute path, so that `-e` is no option) after the assignments; what it
/// says goes to the log. Returns its exit status.
int run_gnuplot(const std::string& assignments, const fs::path& script, const fs::path& log) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  std::array<std::string, 5> words = {"gnuplot", "-d", "-e", assignments, script.string()};
  std::array<char*, 6> argv{};
  for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
  pid_t child = 0;
  const int error = posix_spawnp(&child, "gnuplot", &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error == ENOENT)
    throw std::runtime_error("gnuplot: not found on PATH; install it (Debian: gnuplot-nox)");
  if (error != 0)
    throw std::runtime_error(fmt::format("gnuplot: cannot be started: {}", std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::runtime_error(fmt::format("gnuplot: lost: {}", std::strerror(errno)));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What gnuplot has against the script, `"file" line 3: ...`: its first warning or error; empty if there is
/// none. A warning of the libraries behind the terminals is none of ours.
std::string complaint(const fs::path& log, bool failed) {
  std::ifstream in(log);
  std::string line;
  while (std::getline(in, line))
    if (line.find("\" line ") != std::string::npos && (failed || line.find("warning:") != std::string::npos))
      return line;
  return failed ? "failed without a word" : "";
}

void require_file(const char* what, const fs::path& file) {
  if (!fs::is_regular_file(file))
    throw std::runtime_error(fmt::format("plot: {} {}: no such file", what, file.string()));
}

/// Draws one format into a folder and returns the file.
fs::path draw(const fs::path& script, const fs::path& csv, const char* format, const std::string& assignments,
              const fs::path& folder) {
  const fs::path output = folder / fmt::format("figure.{}", format), log = folder / "log";
  const int status =
      run_gnuplot(fmt::format("csv={}; style={}; format='{}'; output={}; {}", quoted(csv),
                              quoted(plot_directory() / "style.gp"), format, quoted(output), assignments),
                  fs::absolute(script), log);
  if (const std::string line = complaint(log, status != 0); !line.empty())
    throw std::runtime_error(fmt::format("gnuplot: {}: {}", script.string(), line));
  if (!fs::is_regular_file(output) || fs::file_size(output) == 0)
    throw std::runtime_error(
        fmt::format("gnuplot: {}: wrote no {}; does it `load style`?", script.string(), format));
  return output;
}

/// The script's path, once script, style and data are there.
fs::path found_script(const fs::path& script_or_name, const fs::path& csv) {
  const fs::path script =
      script_or_name.has_parent_path() ? script_or_name : plot_directory() / script_or_name;
  require_file("script", script);
  require_file("style", plot_directory() / "style.gp");
  require_file("data", csv);
  return script;
}

} // namespace

fs::path plot_directory() {
  const char* set = std::getenv("ATTNDYN_PLOT_DIR");
  return set && *set ? set : ATTNDYN_PLOT_DIR;
}

void plot(const fs::path& script_or_name, const fs::path& csv, const fs::path& out_stem) {
  const fs::path script = found_script(script_or_name, csv);
  if (!out_stem.has_filename())
    throw std::runtime_error(fmt::format("plot: output {}: has no name", out_stem.string()));
  const fs::path folder = fs::absolute(out_stem).parent_path();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw std::runtime_error(fmt::format("plot: cannot create {}: {}", folder.string(), error.message()));

  constexpr std::array<const char*, 3> formats = {"pdf", "png", "svg"};
  const TemporaryFolder aside(folder);
  for (const char* format : formats) draw(script, csv, format, "", aside.path());
  for (const char* format : formats)
    fs::rename(aside.path() / fmt::format("figure.{}", format), out_stem.string() + "." + format);
}

std::string plot_svg(const fs::path& script_or_name, const fs::path& csv,
                     const std::vector<std::pair<std::string, std::string>>& text) {
  std::string assignments;
  for (const auto& [name, value] : text) assignments += fmt::format("{}={}; ", name, quoted_text(value));
  const TemporaryFolder aside(fs::temp_directory_path());
  std::ifstream in(draw(found_script(script_or_name, csv), csv, "svg", assignments, aside.path()));
  return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace attndyn::analysis
