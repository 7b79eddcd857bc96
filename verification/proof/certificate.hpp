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
  Parameters arguments;     ///< exact: decimals, quotients, names
  std::string lower, upper; ///< lower <= quantity <= upper, decimals; empty for kinds without a quantity
};

struct Certificate {
  std::string claim, source, statement;
  int bits = 256; ///< working precision of every quantity
  std::vector<Fact> facts;
  bool outline = false; ///< facts are named, not computed: what a certificate of the claim must hold
};

/// The fact in words: a function of kind and arguments alone.
std::string words_of(const Fact&);

/// With the words of each fact, and a digest (SHA-256) of all the rest, so that a copy changed by accident is
/// noticed at once.
std::string to_json(const Certificate&);
/// Throws std::invalid_argument with one line: no JSON, no certificate, a part missing, unknown or out of
/// range, words that are not those of the fact, or a digest that does not fit.
Certificate certificate_from_json(const std::string& text);

/// What checking found, one line each: source, statement or list of facts that are not those of the claim,
/// enclosures wider than the kind allows, facts that are not confirmed. Empty: all is well.
std::vector<std::string> unconfirmed(const Certificate&);

} // namespace attndyn::verification
