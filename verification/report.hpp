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
/// witness_folder: where the replay commands look for the files of the witnesses.
std::string markdown_report(const std::vector<Outcome>&, const std::string& witness_folder);

// What the reports share.

inline constexpr const char* margin_words =
    "Margin of the worst comparison, in units of its error bar: 1 - |measured - predicted|/bar for an equality, distance "
    "into the allowed side for an inequality, plus 1 where equality is allowed; positive means that the statement "
    "holds there, below -9 it fails.";
/// "fails", with the expected verdict where that is another.
std::string verdict_text(const Outcome&);
std::string margin_text(const Outcome&);
/// Quantity, measured, predicted, error bar, margin, where.
std::string describe(const Finding&);
/// "attndyn particles --config folder/ID.toml"; empty without a witness.
std::string replay_command(const Outcome&, const std::string& witness_folder);

} // namespace attndyn::verification
