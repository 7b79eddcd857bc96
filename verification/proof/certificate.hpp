/// Certificates: what a proof rests on, as JSON that a reader can check without trusting the run that made
/// it.
///
/// A certificate is a list of facts about numbers that are defined by exact rationals: "this quantity lies
/// between these two decimals". Checking computes every quantity again in ball arithmetic at the stated
/// precision, or redoes the bracket that encloses it, and compares with directed rounding.
#pragma once

#include "lib/io.hpp"

#include <string>
#include <vector>

namespace attndyn::verification {

struct Fact {
  std::string kind;         ///< of fact_kinds()
  std::string says;         ///< in words and symbols
  Parameters arguments;     ///< exact: decimals, quotients, names
  std::string lower, upper; ///< lower <= quantity <= upper, decimals; empty for kinds without a quantity
};

struct Certificate {
  std::string claim, source, statement;
  int bits = 256; ///< working precision of every quantity
  std::vector<Fact> facts;
};

/// With a digest (SHA-256) of all the rest, so that a copy changed by accident is noticed at once.
std::string to_json(const Certificate&);
/// Throws std::invalid_argument with one line: no JSON, no certificate, a part missing, or a digest that does
/// not fit.
Certificate certificate_from_json(const std::string& text);

/// What checking found: the facts that are not confirmed, one line each. Empty: all are. Never throws for a
/// well-formed certificate.
std::vector<std::string> unconfirmed(const Certificate&);

} // namespace attndyn::verification
