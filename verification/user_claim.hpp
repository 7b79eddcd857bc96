/// A user's own claim: a TOML file that names a system, its parameters and what should hold of it, decided
/// like the claims of the literature (level double). verification/examples explain every key.
#pragma once

#include "verification/claim.hpp"

#include <string>

namespace attndyn::verification {

/// The most that one file may ask for; beyond, it is refused.
constexpr double most_runs_of_a_file = 1000; ///< cases of the grid times draws
constexpr double most_work_of_a_case = 4e6;  ///< n^2 d
constexpr double most_work_of_a_file = 2e8;  ///< sum of n^2 d over its runs

/// The claim that the text states. path is for messages and for the id where the file gives none. Throws
/// std::invalid_argument in one line: "file = my.toml: window = ...: must ...".
Claim claim_from_toml(const std::string& text, const std::string& path);

} // namespace attndyn::verification
