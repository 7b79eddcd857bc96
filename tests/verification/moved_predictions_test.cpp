#define BOOST_TEST_MODULE moved_predictions
#include "verification/all_claims.hpp"
#include "verification/report.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

using namespace attndyn;
using namespace attndyn::verification;

// A constant off by 2 % or an exponent off by 0.1, either way, must cost a claim that holds its verdict.
BOOST_AUTO_TEST_CASE(a_claim_is_rejected_when_a_number_that_it_fixes_is_moved) {
  std::size_t moved = 0;
  for (const Claim& claim : all_claims()) {
    if (claim.expected != Verdict::holds) continue;
    for (const Fixed& f : claim.fixes)
      for (const double direction : {1.0, -1.0}) {
        Context c;
        c.quick = true;
        c.moved = f.name;
        c.direction = direction;
        const Outcome o = decide(claim, c);
        BOOST_TEST((o.verdict == Verdict::fails),
                   fmt::format("{}, {} moved by {}{}: {}", claim.id, f.name, direction > 0 ? "+" : "-",
                               f.kind == Fixed::Kind::constant ? "2 %" : "0.1", text_table({o})));
        ++moved;
      }
  }
  BOOST_TEST(moved >= 20u);
}
