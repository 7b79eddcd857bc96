#include "lib/io/file.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace attndyn {
namespace {

constexpr std::size_t largest_input = 2'000'000'000;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw std::runtime_error(fmt::format("cannot write {}: {}", path, reason(error)));
}

class Descriptor {
public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  /// 0, or the error: some file systems report a full disk only here.
  int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

private:
  int fd_;
};

/// Removes the temporary file unless it has been renamed.
struct Leftover {
  std::string path;
  ~Leftover() {
    if (!path.empty()) ::unlink(path.c_str());
  }
};

/// 0 or the error.
int write_all(int fd, const std::string& content) {
  for (std::size_t done = 0; done < content.size();) {
    const ssize_t count = ::write(fd, content.data() + done, content.size() - done);
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (count == 0)
      return EIO;
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

void write_through(const std::string& path, int fd, const std::string& content) {
  if (fd < 0) cannot_write(path, errno);
  if (const int error = write_all(fd, content)) cannot_write(path, error);
}

std::string unused_name_beside(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter = 0;
  const std::string name =
      fmt::format(".{}.{}.{}.part", target.filename().string().substr(0, 100), ::getpid(), ++counter);
  return (target.parent_path() / name).string();
}

} // namespace

void write_text(const std::string& path, const std::string& content) {
  if (path == "-") {
    std::fflush(stdout); // what was printed before comes before
    return write_through("the standard output", STDOUT_FILENO, content);
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) cannot_write(path, errno);
  if (path.empty()) cannot_write("a file without a name", ENOENT);
  if (exists && S_ISDIR(status.st_mode)) cannot_write(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) { // a rename would put a plain file in place of the device
    const Descriptor out(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return write_through(path, out.get(), content);
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) cannot_write(path, errno);
  std::error_code ignored;
  const std::filesystem::path target =
      exists ? std::filesystem::canonical(path, ignored) : std::filesystem::path(path);
  if (target.filename().empty()) cannot_write(path, exists ? EIO : EISDIR);

  Leftover temporary;
  int fd = -1;
  for (int attempt = 0; fd < 0 && attempt < 100; ++attempt) {
    temporary.path = unused_name_beside(target);
    fd = ::open(temporary.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
      temporary.path.clear(); // not ours
      if (errno != EEXIST) break;
    }
  }
  Descriptor out(fd);
  write_through(path, out.get(), content);
  if (exists) (void)::fchmod(out.get(), status.st_mode & 07777);
  if (::fsync(out.get()) != 0 && errno != EINVAL) cannot_write(path, errno);
  if (const int error = out.close()) cannot_write(path, error);
  if (::rename(temporary.path.c_str(), target.c_str()) != 0) cannot_write(path, errno);
  temporary.path.clear();
  // Makes the new name survive a power cut; where a folder cannot be synced the file is there all the same.
  const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory) (void)::fsync(directory.get());
}

std::string read_text(const std::string& path) {
  const auto refuse = [&](const std::string& rule) { throw std::invalid_argument(path + ": " + rule); };
  const Descriptor in(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in) refuse("cannot be read: " + reason(errno));
  struct stat status {};
  if (::fstat(in.get(), &status) != 0) refuse("cannot be read: " + reason(errno));
  if (S_ISDIR(status.st_mode)) refuse("is a directory, must be a text file");
  const std::string too_large = fmt::format("must not be larger than {} bytes", largest_input);
  if (S_ISREG(status.st_mode) && static_cast<std::uintmax_t>(status.st_size) > largest_input)
    refuse(too_large);

  std::string text, piece(1 << 20, '\0');
  if (S_ISREG(status.st_mode)) text.reserve(static_cast<std::size_t>(status.st_size));
  for (;;) {
    const ssize_t count = ::read(in.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse("cannot be read: " + reason(errno));
    if (count == 0) return text;
    const auto size = static_cast<std::size_t>(count);
    if (std::memchr(piece.data(), 0, size) != nullptr) refuse("holds a zero byte, must be a text file");
    if (text.size() + size > largest_input) refuse(too_large);
    text.append(piece, 0, size);
  }
}

} // namespace attndyn
