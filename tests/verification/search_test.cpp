#define BOOST_TEST_MODULE search
#include "verification/search.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace attndyn;
using namespace attndyn::verification;

namespace {

/// A claim whose margin at a point is what `margin` says.
Claim claim_with(Search search, std::function<double(const std::vector<double>&)> margin) {
  search.at = [margin, search](const Context&, const std::vector<double>& x, Findings& out) {
    out.at_least("margin", margin(x), 0, 1, describe_point(search, x), false);
  };
  Claim c{.id = "x",
          .source = "s",
          .statement = "t",
          .hypotheses = "h",
          .prediction = "p",
          .blind_to = "b",
          .expected = Verdict::holds,
          .check = [](const Context&, Findings& f) {
            f.equal("q", 1, 1, 1, "w");
            f.refined("nothing");
          }};
  c.search = [search](const Context&) { return search; };
  return c;
}

Context budget(std::size_t points, std::uint64_t seed = 1) {
  Context c;
  c.search = points;
  c.seed = seed;
  return c;
}

const Search box{{{.name = "a", .low = 1e-3, .high = 1e3, .scale = Axis::Scale::log},
                  {.name = "n", .low = 1, .high = 9, .scale = Axis::Scale::whole},
                  {.name = "kind", .scale = Axis::Scale::choice, .names = {"left", "right"}}},
                 {{1e-3, 1, 0}, {1e3, 9, 1}},
                 {}};

} // namespace

BOOST_AUTO_TEST_CASE(a_corner_that_breaks_the_claim_is_found_with_the_smallest_budget) {
  const auto o = decide(claim_with(box, [](const auto& x) { return x[0] == 1e-3 ? -50.0 : 5.0; }), budget(1));
  BOOST_TEST((o.verdict == Verdict::fails));
  BOOST_TEST(o.evidence.worst.where == "a = 0.001, n = 1, kind = left");
}

BOOST_AUTO_TEST_CASE(local_optimisation_finds_a_narrow_violation_that_sampling_misses) {
  // Violated within 1e-3 of log10 a = 0.377 only; the slope leads there.
  const auto margin = [](const std::vector<double>& x) {
    return 20 * std::abs(std::log10(x[0]) - 0.377) - (x[2] == 1 ? 0.02 : 0.0) + (x[1] - 1) * 0.01 + 0.01;
  };
  const auto hunted = [&](std::size_t points) {
    return decide(claim_with(box, margin), budget(points)).evidence.hunted.value().margin;
  };
  BOOST_TEST(hunted(400) < 0.0);
  BOOST_TEST(hunted(10) > 0.0);
}

BOOST_AUTO_TEST_CASE(the_same_seed_hunts_the_same_points_and_another_seed_others) {
  const auto trail = [&](std::uint64_t seed) {
    auto seen = std::make_shared<std::vector<double>>();
    (void)decide(claim_with(box,
                            [seen](const auto& x) {
                              seen->push_back(x[0]);
                              return 1 + x[0];
                            }),
                 budget(60, seed));
    return *seen;
  };
  BOOST_TEST(trail(1) == trail(1), boost::test_tools::per_element());
  BOOST_TEST(trail(1) != trail(2));
  BOOST_TEST(trail(1).size() <= 60u);
}

BOOST_AUTO_TEST_CASE(every_point_lies_in_the_box_and_whole_numbers_are_whole) {
  (void)decide(claim_with(box,
                          [](const auto& x) {
                            BOOST_TEST((x[0] >= 1e-3 * (1 - 1e-12) && x[0] <= 1e3 * (1 + 1e-12)));
                            BOOST_TEST((x[1] == std::floor(x[1]) && x[1] >= 1 && x[1] <= 9));
                            BOOST_TEST((x[2] == 0 || x[2] == 1));
                            return x[0];
                          }),
               budget(200));
}

BOOST_AUTO_TEST_CASE(points_outside_the_hypotheses_and_undecided_ones_are_counted_not_judged) {
  Search s = box;
  Claim c = claim_with(box, [](const auto&) { return 1.0; });
  s.at = [](const Context&, const std::vector<double>& x, Findings& out) {
    if (x[2] == 0) throw NotApplicable("left");
    if (x[1] > 5) throw std::runtime_error("too large");
    out.at_least("margin", 3, 0, 1, "here", false);
  };
  c.search = [s](const Context&) { return s; };
  const auto o = decide(c, budget(50));
  BOOST_TEST((o.verdict == Verdict::holds));
  const std::string line = o.evidence.basis.back();
  BOOST_TEST(line.find("0 outside") == std::string::npos, line);
  BOOST_TEST(line.find("undecided (first: ") != std::string::npos, line);
}

BOOST_AUTO_TEST_CASE(a_budget_of_zero_is_off) {
  const auto o = decide(claim_with(box, [](const auto&) { return -50.0; }), budget(0));
  BOOST_TEST((o.verdict == Verdict::holds));
  BOOST_TEST(!o.evidence.hunted.has_value());
}
