#include "cli/input.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace attndyn::cli {

BadInput refused(std::string_view option, std::string_view value, std::string_view rule) {
  return BadInput(fmt::format("{} = {}: {}", option, one_line(value, 200), rule));
}

std::string one_line(std::string_view text, std::size_t most) {
  std::string out(text.substr(0, most));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return text.size() > most ? out + "..." : out;
}

Number number(std::string_view option, const std::string& text) {
  try {
    return Number(text);
  } catch (const std::invalid_argument& problem) {
    throw refused(option, text, problem.what());
  }
}

std::uint64_t whole(std::string_view option, const std::string& text, std::uint64_t least,
                    std::uint64_t most) {
  std::uint64_t value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last || value < least || value > most)
    throw refused(option, text, fmt::format("must be a whole number from {} to {}", least, most));
  return value;
}

const std::string& choice(std::string_view option, const std::string& text,
                          const std::vector<std::string>& words) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end())
    throw refused(option, text, fmt::format("must be one of {}", fmt::join(words, ", ")));
  return *found;
}

void check_output(std::string_view option, const std::string& path) {
  if (path == "-") return;
  const auto refuse = [&](int error) {
    throw refused(option, path, "cannot be written: " + std::generic_category().message(error));
  };
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) refuse(errno);
  if (path.empty() || path.back() == '/' || (exists && S_ISDIR(status.st_mode)))
    throw refused(option, path, "must be a file, not a folder");
  if (exists && ::access(path.c_str(), W_OK) != 0) refuse(errno);
  if (exists && !S_ISREG(status.st_mode)) return;
  // A file is replaced by one made beside it.
  std::error_code ignored;
  const std::filesystem::path target =
      exists ? std::filesystem::canonical(path, ignored) : std::filesystem::path(path);
  const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
  if (::stat(folder.c_str(), &status) != 0) refuse(errno);
  if (!S_ISDIR(status.st_mode)) refuse(ENOTDIR);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(errno);
}

void make_folder(std::string_view option, const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!std::filesystem::is_directory(path))
    throw refused(option, path, "is no folder and cannot be made one");
  check_output(option, path + "/file");
}

void check_distinct(std::string_view a, const std::string& path_a, std::string_view b,
                    const std::string& path_b) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  bool same = path_a == path_b;
  if (path_a != "-" && path_b != "-") {
    const bool both_exist = fs::exists(path_a, ignored) && fs::exists(path_b, ignored);
    same = both_exist ? fs::equivalent(path_a, path_b, ignored) && fs::is_regular_file(path_a, ignored)
                      : fs::weakly_canonical(path_a, ignored) == fs::weakly_canonical(path_b, ignored);
  }
  if (same) throw refused(a, path_a, fmt::format("must not be the same as {}", b));
}

namespace {

/// Bytes of memory that a process here can ever have.
double memory_of_machine() {
  double bytes =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  double of_container = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_container) bytes = std::min(bytes, of_container);
  return bytes;
}

} // namespace

void check_memory(const std::string& what, double bytes) {
  const double there = memory_of_machine();
  if (bytes > there)
    throw BadInput(fmt::format("{}: a run needs at least {:.3g} GB of memory, this machine has {:.3g} GB",
                               what, bytes * 1e-9, there * 1e-9));
}

} // namespace attndyn::cli
