/// Runs a program as a shell would and catches everything it does, and gives each test a folder of its own.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace attndyn::tests {

/// A new folder, removed at the end.
struct Scratch {
  std::filesystem::path path;
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "attndyn_test_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }

  /// A file with this content; returns its path.
  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(path / name, std::ios::binary) << content;
    return *this / name;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path))
      out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
  }
};

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Ran {
  int status = -1; ///< exit status, or 128 + signal
  std::string out, err;
};

struct Circumstances {
  double seconds = 60;              ///< then it is killed, status 137
  std::string input = {};           ///< on standard input
  std::vector<int> closed = {};     ///< descriptors closed before it starts
  std::string standard_output = {}; ///< a file to open as standard output instead; then Ran::out is empty
  std::vector<std::string> environment = {};                ///< NAME=value, added
  rlim_t file_size = RLIM_INFINITY, memory = RLIM_INFINITY; ///< bytes
  bool as_nobody = false;                                   ///< without root's rights, where we have them
};

namespace detail {

inline std::string all_of(int fd) {
  std::string out;
  char buffer[4096];
  ::lseek(fd, 0, SEEK_SET);
  for (ssize_t count; (count = ::read(fd, buffer, sizeof buffer)) > 0;)
    out.append(buffer, static_cast<std::size_t>(count));
  ::close(fd);
  return out;
}

inline void limit(int what, rlim_t bytes) {
  if (bytes == RLIM_INFINITY) return;
  const rlimit both{bytes, bytes};
  ::setrlimit(what, &both);
}

[[noreturn]] inline void become(std::vector<std::string> words, const Circumstances& c, const int (&fds)[3]) {
  for (int fd = 0; fd < 3; ++fd) ::dup2(fds[fd], fd);
  if (!c.standard_output.empty()) ::dup2(::open(c.standard_output.c_str(), O_WRONLY), STDOUT_FILENO);
  for (int fd : c.closed) ::close(fd);
  ::putenv(const_cast<char*>("OPENBLAS_NUM_THREADS=1")); // its threads cost more than most of our runs
  for (const std::string& pair : c.environment) ::putenv(const_cast<char*>(pair.c_str()));
  limit(RLIMIT_FSIZE, c.file_size);
  limit(RLIMIT_AS, c.memory);
  if (c.as_nobody && ::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(126);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

} // namespace detail

inline Ran run_program(const std::string& program, std::vector<std::string> words,
                       const Circumstances& c = {}) {
  words.insert(words.begin(), program);
  const int fds[3] = {::memfd_create("in", MFD_CLOEXEC), ::memfd_create("out", MFD_CLOEXEC),
                      ::memfd_create("err", MFD_CLOEXEC)};
  if (::write(fds[0], c.input.data(), c.input.size()) != static_cast<ssize_t>(c.input.size()))
    throw std::runtime_error("no room for the input");
  ::lseek(fds[0], 0, SEEK_SET);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) detail::become(std::move(words), c, fds);

  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(c.seconds);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) ::kill(child, SIGKILL);
    ::usleep(2000);
  }
  ::close(fds[0]);
  Ran ran;
  ran.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  ran.out = detail::all_of(fds[1]);
  ran.err = detail::all_of(fds[2]);
  return ran;
}

} // namespace attndyn::tests
