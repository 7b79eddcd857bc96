/// Outcomes as one HTML page that needs no other file: tables, formulas, pictures, witnesses.
#pragma once

#include "verification/claim.hpp"

#include <string>
#include <vector>

namespace attndyn::verification {

/// Curves are drawn by gnuplot and embedded; where it is missing or fails, the page says so in their place.
/// witness_folder: where the replay commands look for the files of the witnesses.
std::string html_report(const std::vector<Outcome>&, const std::string& witness_folder);

} // namespace attndyn::verification
