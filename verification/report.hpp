/// Outcomes as a table for a terminal, as JSON for scripts, and as Markdown for readers.
#pragma once

#include "verification/claim.hpp"

#include <string>
#include <vector>

namespace attndyn::verification {

/// Columns: claim, verdict, margin, level, time, and a mark where the verdict is not the expected one.
std::string text_table(const std::vector<Outcome>&);
/// Array of {id, source, statement, verdict, level, measured, predicted, error, margin, expected, witness,
/// seconds, blind_to} and, beyond the contract, {quantity, where, comparisons, basis}. Numbers that are
/// missing are null.
std::string json_report(const std::vector<Outcome>&);
std::string markdown_report(const std::vector<Outcome>&);

} // namespace attndyn::verification
