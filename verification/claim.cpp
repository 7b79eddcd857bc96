#include "verification/claim.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attndyn::verification {

const char* name_of(Verdict v) {
  switch (v) {
  case Verdict::holds: return "holds";
  case Verdict::fails: return "fails";
  case Verdict::inconclusive: return "inconclusive";
  case Verdict::not_applicable: return "not_applicable";
  }
  throw std::logic_error("unknown Verdict");
}

const char* name_of(Level) { return "double"; }

void Findings::add(Finding f) {
  // A comparison that cannot be made is the worst there is: it must not pass as one that was.
  if (!std::isfinite(f.measured) || !std::isfinite(f.predicted) || !(f.error > 0) || !std::isfinite(f.error))
    throw std::domain_error(f.quantity + " is not comparable at " + f.where);
  if (evidence_.comparisons++ == 0 || f.margin < evidence_.worst.margin) evidence_.worst = std::move(f);
}

void Findings::equal(std::string quantity, double measured, double predicted, double error, std::string where,
                     std::string witness) {
  const double margin = 1 - std::abs(measured - predicted) / error;
  add({std::move(quantity), std::move(where), measured, predicted, error, margin, std::move(witness)});
}

void Findings::at_least(std::string quantity, double measured, double bound, double error, std::string where,
                        bool equality_allowed, std::string witness) {
  const double margin = (measured - bound) / error + (equality_allowed ? 1 : 0);
  add({std::move(quantity), std::move(where), measured, bound, error, margin, std::move(witness)});
}

Outcome decide(const Claim& claim, const Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  Outcome out{&claim, Verdict::inconclusive, Level::simulation, {}, 0};
  Findings findings;
  std::string reason;
  try {
    claim.check(context, findings);
  } catch (const std::exception& e) {
    reason = std::string("the check ended early: ") + e.what();
  }
  out.evidence = findings.evidence();
  const bool compared = out.evidence.comparisons > 0;
  const double margin = out.evidence.worst.margin;
  if (compared && margin < -margin_to_fail)
    out.verdict = Verdict::fails;
  else if (compared && margin > 0 && reason.empty())
    out.verdict = Verdict::holds;
  else if (reason.empty())
    reason = compared
                 ? "the worst difference is of the size of its error bar: a tighter tolerance would decide it"
                 : "the check compared nothing";
  if (!reason.empty()) out.evidence.basis.push_back(reason);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

} // namespace attndyn::verification
