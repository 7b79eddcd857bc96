#define BOOST_TEST_MODULE claims
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

BOOST_AUTO_TEST_CASE(a_check_that_compares_nothing_or_throws_or_meets_nan_is_inconclusive) {
  const auto verdict = [](auto check) { return decide(made_of(check), {}).verdict; };
  BOOST_TEST((verdict([](const Context&, Findings&) {}) == Verdict::inconclusive));
  BOOST_TEST((verdict([](const Context&, Findings& f) { f.equal("q", 1, 1, 1, "w"); }) == // nothing refined
              Verdict::inconclusive));
  BOOST_TEST((verdict([](const Context&, Findings& f) {
                f.equal("q", 1, 1, 1, "w");
                f.refined("nothing");
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
                    f.refined("tolerance", 0, 1, "here");
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
    std::set<std::string> fixed;
    for (const Fixed& f : claim.fixes) BOOST_TEST(fixed.insert(f.name).second, claim.id << ": " << f.name);
    BOOST_TEST((static_cast<bool>(claim.prove) == !claim.proves.empty()), claim.id);
  }
  BOOST_CHECK_THROW(find_claim("NAD-0"), std::invalid_argument);
}
