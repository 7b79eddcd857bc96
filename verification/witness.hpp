/// A counterexample as a file: options of one subcommand and what its output must show. `attndyn particles
/// --config FILE` (or equiangular) runs it, compares and says whether it was reproduced.
#pragma once

#include "lib/io.hpp"
#include "lib/tokens.hpp"

#include <string>
#include <vector>

namespace attndyn::verification {

struct Witness {
  std::string claim;   ///< id
  std::string command; ///< particles or equiangular
  /// As on the command line, without the dashes. Text that the subcommand reads; a flag is "true". `times`
  /// too.
  Parameters options;
  std::string says;    ///< what the claim says about this run, with its number
  std::string observe; ///< what the run shows instead
  struct Value {
    std::string t, column; ///< t: one of the times, as text; column of the subcommand's output
    double measured, tolerance;
  };
  std::vector<Value> values; ///< at least one
};

/// TOML, with a first line that says how to replay it.
std::string to_toml(const Witness&);

/// Tokens, numbers or a matrix as the options --init, --radii, --masses, --Q, ... take them in place of a
/// file: "list:1,0;0.6,0.8", one token a group, all 17 digits.
std::string inline_tokens(const Tokens<double>&);
std::string inline_numbers(const Vector<double>&);

} // namespace attndyn::verification
