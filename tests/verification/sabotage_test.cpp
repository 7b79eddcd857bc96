#define BOOST_TEST_MODULE sabotage
#include "tests/support/wrong_models.hpp"
#include "verification/all_claims.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <map>

using namespace attndyn;
using namespace attndyn::verification;

namespace {

/// What is cheap enough to be decided a dozen times; the slow test takes every claim.
const char* const quick_claims[] = {"NAD-flow",         "NAD-time-change", "NAD-4.1-initial",
                                    "NAD-4.1-terminal", "MFT-equiangular", "MPT-orthogonal",
                                    "MPT-dissipation"};

} // namespace

BOOST_AUTO_TEST_CASE(the_list_holds_ten_sabotages_at_least) {
  BOOST_TEST(attndyn::testing::all_sabotages().size() >= 10u);
}

BOOST_AUTO_TEST_CASE(every_sabotage_is_caught_by_a_claim_and_the_table_says_by_which) {
  std::map<std::string, int> catches;
  for (const auto& sabotage : attndyn::testing::all_sabotages()) {
    Context c;
    c.quick = true;
    c.factory = sabotage.factory;
    std::string caught;
    for (const char* id : quick_claims) {
      if (decide(find_claim(id), c).verdict != Verdict::fails) continue;
      caught += std::string(" ") + id;
      ++catches[id];
    }
    BOOST_TEST_MESSAGE(fmt::format("{:<44} caught by{}", sabotage.name, caught));
    BOOST_TEST(!caught.empty(), sabotage.name);
  }
  for (const char* id : quick_claims) BOOST_TEST(catches[id] > 0, id << " catches nothing");
}
