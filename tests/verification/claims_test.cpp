#define BOOST_TEST_MODULE claims
#include "tests/support/wrong_models.hpp"
#include "verification/all_claims.hpp"
#include "verification/report.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <set>

using namespace attndyn;
using namespace attndyn::verification;

namespace {

Context quick() {
  Context c;
  c.quick = true;
  return c;
}

Claim made_of(std::function<void(const Context&, Findings&)> check) {
  return {.id = "x",
          .source = "s",
          .statement = "t",
          .hypotheses = "h",
          .prediction = "p",
          .blind_to = "b",
          .expected = Verdict::holds,
          .check = std::move(check)};
}

} // namespace

BOOST_AUTO_TEST_CASE(every_claim_has_its_expected_verdict_in_the_quick_form) {
  for (const Claim& claim : all_claims()) {
    const Outcome o = decide(claim, quick());
    BOOST_TEST(o.as_expected(), claim.id << ": " << text_table({o}));
    BOOST_TEST(o.evidence.comparisons > 3u);
    BOOST_TEST(!o.evidence.basis.empty());
  }
}

BOOST_AUTO_TEST_CASE(another_seed_gives_the_same_verdicts) {
  Context c = quick();
  c.seed = 20260;
  for (const Claim& claim : all_claims()) BOOST_TEST(decide(claim, c).as_expected(), claim.id);
}

BOOST_AUTO_TEST_CASE(every_sabotage_is_caught_by_a_claim_and_the_table_says_by_which) {
  for (const auto& sabotage : attndyn::testing::all_sabotages()) {
    Context c = quick();
    c.factory = sabotage.factory;
    std::string caught;
    for (const Claim& claim : all_claims()) {
      if (claim.id == "MFT-hemisphere") continue; // may run to max_steps on a wrong field; it is the slowest
      if (decide(claim, c).verdict == Verdict::fails) caught += " " + claim.id;
    }
    BOOST_TEST_MESSAGE(fmt::format("{:<42} caught by{}", sabotage.name, caught));
    BOOST_TEST(!caught.empty(), sabotage.name);
  }
}

BOOST_AUTO_TEST_CASE(a_check_that_compares_nothing_or_throws_or_meets_nan_is_inconclusive) {
  const auto verdict = [](auto check) { return decide(made_of(check), {}).verdict; };
  BOOST_TEST((verdict([](const Context&, Findings&) {}) == Verdict::inconclusive));
  BOOST_TEST((verdict([](const Context&, Findings& f) {
                f.equal("q", 1, 1, 1, "w");
                throw std::runtime_error("no");
              }) == Verdict::inconclusive));
  BOOST_TEST((verdict([](const Context&, Findings& f) { f.equal("q", std::nan(""), 0, 1, "w"); }) ==
              Verdict::inconclusive));
  // What was found before the exception still counts against the claim.
  BOOST_TEST((verdict([](const Context&, Findings& f) {
                f.equal("q", 100, 0, 1, "w");
                throw std::runtime_error("no");
              }) == Verdict::fails));
}

BOOST_AUTO_TEST_CASE(the_verdict_follows_the_worst_margin) {
  const auto outcome = [](double measured) {
    return decide(made_of([=](const Context&, Findings& f) {
                    f.equal("q", 1, 1, 0.1, "good");
                    f.equal("q", measured, 1, 0.1, "worst");
                  }),
                  {});
  };
  BOOST_TEST((outcome(1.05).verdict == Verdict::holds));
  BOOST_TEST((outcome(1.5).verdict == Verdict::inconclusive));
  BOOST_TEST((outcome(2.2).verdict == Verdict::fails));
  BOOST_TEST(outcome(2.2).evidence.worst.where == "worst");
}

BOOST_AUTO_TEST_CASE(the_json_report_has_the_keys_of_the_contract) {
  const auto json = nlohmann::json::parse(json_report({decide(find_claim("NAD-4.1-initial"), quick())}));
  BOOST_TEST_REQUIRE(json.size() == 1u);
  for (const char* key : {"id", "source", "statement", "verdict", "level", "measured", "predicted", "error",
                          "margin", "expected", "witness", "seconds", "blind_to"})
    BOOST_TEST(json[0].contains(key), key);
  BOOST_TEST(json[0]["verdict"] == "holds");
  BOOST_TEST(json[0]["margin"].get<double>() > 0);
}

BOOST_AUTO_TEST_CASE(claim_ids_are_unique_and_an_unknown_one_is_refused) {
  std::set<std::string> ids;
  for (const Claim& claim : all_claims()) {
    BOOST_TEST(ids.insert(claim.id).second, claim.id);
    BOOST_TEST(!claim.statement.empty());
    BOOST_TEST(!claim.blind_to.empty());
  }
  BOOST_CHECK_THROW(find_claim("NAD-0"), std::invalid_argument);
}
