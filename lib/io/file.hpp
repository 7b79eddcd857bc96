/// Whole files in and out: a file is there complete or not at all.
#pragma once

#include <string>

namespace attndyn {

/// Replaces the file by content in one step: a temporary file beside it, synced, then renamed, so that a
/// reader or a crash sees the old file or the new one. A link to a file is followed; a device or pipe is
/// written to as it is; "-" is the standard output. Throws std::runtime_error "cannot write out/a.csv: No
/// space left on device"; then an earlier file is as it was and nothing else is left behind.
void write_text(const std::string& path, const std::string& content);

/// The content of a text file ("-": the standard input). Throws std::invalid_argument, one line naming path
/// and rule: not there, not readable, a directory, larger than 2 GB, or holding a zero byte (then it is no
/// text).
std::string read_text(const std::string& path);

} // namespace attndyn
