#define BOOST_TEST_MODULE sabotage_slow
#include "tests/support/wrong_models.hpp"
#include "verification/all_claims.hpp"
#include "verification/decide_all.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

using namespace attndyn;
using namespace attndyn::verification;

// The whole table: every sabotage against every claim that holds of the right model, and another seed.
BOOST_AUTO_TEST_CASE(the_table_of_which_claim_catches_which_sabotage) {
  std::vector<const Claim*> claims;
  for (const Claim& claim : all_claims())
    if (claim.expected == Verdict::holds) claims.push_back(&claim);
  const auto none = [](const Outcome&, std::size_t) {};
  for (const auto& sabotage : attndyn::testing::all_sabotages()) {
    Context c;
    c.quick = true;
    c.factory = sabotage.factory;
    std::string caught;
    for (const Outcome& o : decide_all(claims, c, 2, none))
      if (o.verdict == Verdict::fails) caught += " " + o.claim->id;
    BOOST_TEST_MESSAGE(fmt::format("{:<44} caught by{}", sabotage.name, caught));
    BOOST_TEST(!caught.empty(), sabotage.name);
  }
}

BOOST_AUTO_TEST_CASE(another_seed_gives_the_same_verdicts_or_inconclusive) {
  std::vector<const Claim*> claims;
  for (const Claim& claim : all_claims()) claims.push_back(&claim);
  for (const std::uint64_t seed : {2, 20260}) {
    Context c;
    c.quick = true;
    c.seed = seed;
    c.search = 12;
    std::size_t inconclusive = 0;
    for (const Outcome& o : decide_all(claims, c, 2, [](const Outcome&, std::size_t) {})) {
      BOOST_TEST((o.as_expected() || o.verdict == Verdict::inconclusive), o.claim->id << ", seed " << seed);
      inconclusive += o.verdict == Verdict::inconclusive;
    }
    BOOST_TEST(inconclusive <= 2u);
  }
}
