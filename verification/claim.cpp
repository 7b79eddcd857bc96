#include "verification/claim.hpp"

#include "verification/proof/prove.hpp"
#include "verification/search.hpp"

#include <fmt/format.h>

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

const char* name_of(Level level) {
  switch (level) {
  case Level::simulation: return "double";
  case Level::high: return "high";
  case Level::proof: return "proof";
  }
  throw std::logic_error("unknown Level");
}

double Context::constant(std::string_view name, double value) const {
  return name == moved ? value * (1 + 0.02 * direction) : value;
}

double Context::exponent(std::string_view name, double value) const {
  return name == moved ? value + 0.1 * direction : value;
}

void Findings::add(Finding f) {
  // A comparison that cannot be made is the worst there is: it must not pass as one that was.
  if (!std::isfinite(f.measured) || !std::isfinite(f.predicted) || !(f.error > 0) || !std::isfinite(f.error))
    throw std::domain_error(f.quantity + " is not comparable at " + f.where);
  const auto& known = evidence_.witnessed;
  if (f.margin < -margin_to_fail && !f.witness.empty() && (!known || f.margin < known->margin))
    evidence_.witnessed = f;
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

void Findings::at_most(std::string quantity, double measured, double bound, double error, std::string where,
                       bool equality_allowed, std::string witness) {
  const double margin = (bound - measured) / error + (equality_allowed ? 1 : 0);
  add({std::move(quantity), std::move(where), measured, bound, error, margin, std::move(witness)});
}

void Findings::note(std::string line) { evidence_.basis.push_back(std::move(line)); }
void Findings::refined(std::string line) { evidence_.refinement.push_back(std::move(line)); }
void Findings::draw(Curve curve) { evidence_.curves.push_back(std::move(curve)); }

void Findings::refined(std::string what, double change, double bar, std::string where) {
  refined(fmt::format("{}: changes by {:.2g} (bar {:.2g}) at {}", what, change, bar, where));
  equal("change under refinement: " + what, change, 0, bar, std::move(where));
}

void Findings::hunted(const Findings& other) {
  const Evidence& found = other.evidence_;
  if (found.comparisons == 0) return;
  if (evidence_.comparisons == 0 || found.worst.margin < evidence_.worst.margin)
    evidence_.worst = found.worst;
  evidence_.comparisons += found.comparisons;
  if (found.witnessed && !evidence_.witnessed)
    evidence_.witnessed = found.witnessed; // the check's own is chosen
  if (!evidence_.hunted || found.worst.margin < evidence_.hunted->margin) evidence_.hunted = found.worst;
}

Certificate outline_of(const Claim& claim) {
  if (!claim.prove)
    throw std::invalid_argument("claim = " + claim.id + ": has nothing that a certificate could prove");
  Certificate out{claim.id, claim.source, claim.statement, proof_bits, {}, true};
  Findings none;
  claim.prove({}, none, out);
  return out;
}

Outcome decide(const Claim& claim, const Context& asked) {
  Context context = asked;
  if (claim.same_when_quick) {
    context.quick = false;
    if (context.full_search > 0) context.search = context.full_search;
  }
  const auto begin = std::chrono::steady_clock::now();
  const bool proof = context.level == Level::proof;
  if (proof && !claim.prove)
    throw std::invalid_argument("claim = " + claim.id + ": has nothing that a certificate could prove");
  if (context.level == Level::high && !claim.check_high)
    throw std::invalid_argument("claim = " + claim.id + ": has no check by two methods at 30 digits");
  Outcome out{&claim, Verdict::inconclusive, context.level, {}, 0, nullptr};
  Findings findings;
  const auto certificate =
      std::make_shared<Certificate>(Certificate{claim.id, claim.source, claim.statement, proof_bits, {}});
  std::string reason;
  try {
    if (proof) {
      const BallBits bits(proof_bits);
      claim.prove(context, findings, *certificate);
      findings.note("certified: " + claim.proves);
    } else if (context.level == Level::high) {
      claim.check_high(context, findings);
    } else {
      claim.check(context, findings);
      if (claim.search && context.search > 0) hunt(claim, context, findings);
    }
  } catch (const std::exception& e) {
    reason = std::string("the check ended early: ") + e.what();
  }
  out.evidence = findings.evidence();
  const bool compared = out.evidence.comparisons > 0;
  if (!proof && compared && reason.empty() && out.evidence.refinement.empty())
    reason = "nothing was refined: a verdict must not rest on one run of one size";
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
  const bool decided = out.verdict == Verdict::holds || out.verdict == Verdict::fails;
  if (proof && decided && reason.empty()) out.certificate = certificate;
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

} // namespace attndyn::verification
