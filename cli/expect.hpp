/// What a witness expects of the run that replays it: the [expect] table of a TOML file.
#pragma once

#include "lib/io.hpp"

#include <string>
#include <vector>

namespace attndyn::cli {

struct Expected {
  std::string claim, says, observe;
  struct Value {
    std::string t, column;
    double measured = 0, tolerance = 0;
  };
  std::vector<Value> values;
};

/// Empty values if the file expects none. Throws BadInput where a value is not {t, column, measured,
/// tolerance}.
Expected read_expected(const std::string& path);

/// Compares and says so on stderr, a line a value, then what the claim says and what is seen. True if every
/// value is there within its tolerance.
bool reproduced(const Expected&, const Table&);

} // namespace attndyn::cli
