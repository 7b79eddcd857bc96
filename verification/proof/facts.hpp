/// The kinds of facts that a certificate can state. A new kind is a function and a line in facts.cpp.
#pragma once

#include "lib/models/equiangular_text.hpp"
#include "lib/real/ball.hpp"
#include "verification/proof/certificate.hpp"

namespace attndyn::verification {

struct FactKind {
  const char *name, *title;
  /// Encloses the quantity at the precision of BallBits; null for kinds that have none.
  Ball (*quantity)(const Fact&);
  /// True if the fact is proved; throws if it cannot be computed. Null: lower <= quantity <= upper,
  /// certainly.
  bool (*confirms)(const Fact&);
  /// How far apart the ends may be, relative to 1 + |upper|; how far from zero each, if the quantity
  /// vanishes.
  const char* widest;
  bool vanishes;
};
const std::vector<FactKind>& fact_kinds();
/// Throws std::invalid_argument: "kind = foo: must be one of ...".
const FactKind& find_fact_kind(const std::string& name);

/// A fact with its ends filled in: the enclosure at the precision of BallBits, rounded outward to so many
/// digits. Throws std::runtime_error if the quantity cannot be enclosed, or the fact is not true.
Fact proved(std::string kind, Parameters arguments, int digits);

} // namespace attndyn::verification
