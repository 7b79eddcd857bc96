#define BOOST_TEST_MODULE verdicts
#include "verification/all_claims.hpp"
#include "verification/decide_all.hpp"
#include "verification/report.hpp"

#include <boost/test/unit_test.hpp>

using namespace attndyn;
using namespace attndyn::verification;

namespace {

std::vector<const Claim*> all() {
  std::vector<const Claim*> out;
  for (const Claim& c : all_claims()) out.push_back(&c);
  return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_claim_has_its_expected_verdict_in_the_quick_form_with_the_search) {
  Context c;
  c.quick = true;
  c.search = 12;
  for (const Outcome& o : decide_all(all(), c, 2, [](const Outcome&, std::size_t) {})) {
    BOOST_TEST(o.as_expected(), o.claim->id << ": " << text_table({o}));
    BOOST_TEST(o.evidence.comparisons > 3u, o.claim->id);
    BOOST_TEST(!o.evidence.basis.empty(), o.claim->id);
    BOOST_TEST(!o.evidence.refinement.empty(), o.claim->id);
    BOOST_TEST(!o.evidence.curves.empty(), o.claim->id);
    if (o.claim->expected == Verdict::fails) BOOST_TEST(o.evidence.worst.margin < -100, o.claim->id);
  }
}

BOOST_AUTO_TEST_CASE(outcomes_do_not_depend_on_how_many_are_decided_at_a_time) {
  Context c;
  c.quick = true;
  c.search = 5;
  const std::vector<const Claim*> some{&find_claim("NAD-flow"), &find_claim("NAD-4.1-initial"),
                                       &find_claim("MPT-orthogonal")};
  const auto none = [](const Outcome&, std::size_t) {};
  const auto one = decide_all(some, c, 1, none), three = decide_all(some, c, 3, none);
  for (std::size_t i = 0; i < some.size(); ++i) {
    BOOST_TEST(one[i].claim == some[i]);
    BOOST_TEST(one[i].evidence.comparisons == three[i].evidence.comparisons);
    BOOST_TEST(one[i].evidence.worst.margin == three[i].evidence.worst.margin);
    BOOST_TEST(one[i].evidence.worst.where == three[i].evidence.worst.where);
  }
}

BOOST_AUTO_TEST_CASE(what_a_check_refuses_is_thrown_to_the_caller) {
  Context c;
  c.level = Level::proof;
  Claim without = find_claim("NAD-flow");
  without.prove = {};
  BOOST_CHECK_THROW(decide_all({&without}, c, 2, [](const Outcome&, std::size_t) {}), std::invalid_argument);
}
