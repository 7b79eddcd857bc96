// Both routes of enclosure, where each could be taken and where only one is cheap: they overlap, are as
// narrow as asked, and are done in no time.
#define BOOST_TEST_MODULE enclosed
#include "lib/models/enclosed.hpp"

#include "lib/models/rigorous_problems.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

using namespace attndyn;

namespace {

void nothing(const std::string&) {}

EquiangularParams params(const char* scheme, int n, const char* beta, const char* g0 = "0",
                         const char* r0 = "1") {
  EquiangularParams p;
  p.scheme.name = scheme;
  p.n = n;
  p.beta = beta;
  p.g0 = g0;
  p.r0 = r0;
  return p;
}

void as_narrow_as_asked(const SeparableState& s, int digits, const std::string& label) {
  const Ball width = parse_real<Ball>(fmt::format("1e-{}", digits));
  BOOST_TEST((arb_le(((s.log_gap - s.log_gap.midpoint()) / (Ball(1) + abs(s.log_gap))).raw(), width.raw())),
             label);
  BOOST_TEST(relative_digits(s.r) >= digits - 1, label);
  for (const Ball* value : {&s.gap, &s.g, &s.speed_factor}) BOOST_TEST(is_finite(*value), label);
}

} // namespace

BOOST_AUTO_TEST_CASE(the_two_routes_overlap_in_every_scheme) {
  for (const char* scheme : {"pre", "mix", "peri", "ngpt", "lns"})
    for (const auto& [cheap, dear] : {std::pair{"59", "61"}, {"-59", "-61"}}) {
      const EquiangularParams p = params(scheme, 16, cheap), q = params(scheme, 16, dear);
      const std::vector<Number> times{0, "1/3", 4};
      const Enclosed a = enclose_equiangular(p, times, 20, 0, nothing),
                     b = enclose_equiangular(q, times, 20, 0, nothing);
      BOOST_TEST(a.route == "separable solution");
      BOOST_TEST(b.route == "interval Taylor steps");
      BOOST_TEST(b.problem == "");
      BOOST_REQUIRE(a.states.size() == 3u && b.states.size() == 3u);
      // The route that the other did not take.
      RigorousOptions options;
      options.digits = 20;
      const auto steps = solve_rigorously(rigorous_problem(p), times, options);
      BOOST_REQUIRE(steps.why == RigorousStop::reached);
      for (std::size_t i = 0; i < 3; ++i) {
        const BallBits bits(300);
        const std::string label = fmt::format("{}, beta = {}, t = {}", scheme, cheap, times[i].text());
        as_narrow_as_asked(a.states[i], 20, label);
        as_narrow_as_asked(b.states[i], 20, label);
        BOOST_TEST(overlap(a.states[i].log_gap, steps.samples[i].x[0]), label);
        BOOST_TEST(overlap(log(a.states[i].r), steps.samples[i].x[1]), label);
        // s by its two formulas, at a state both know.
        const SeparableState other = Separable(q).at_digits(times[i], 15);
        BOOST_TEST(overlap(b.states[i].speed_factor, other.speed_factor), label);
        BOOST_TEST(overlap(b.states[i].g, other.g), label);
      }
    }
}

BOOST_AUTO_TEST_CASE(extreme_parameters_are_enclosed_at_once) {
  for (const auto& [p, t] : {std::pair{params("pre", 256, "1e4"), "1e30"},
                             {params("peri", 256, "1e4"), "1"},
                             {params("ngpt", 2147483647, "0.1", "0.5"), "100"},
                             {params("peri", 3, "150", "1e-10", "1e-3"), "100"},
                             {params("mix", 2147483647, "0", "0", "1e-3"), "1e8"}}) {
    const Enclosed e = enclose_equiangular(p, {t}, 20, 60, nothing);
    const std::string label = fmt::format("{}, n = {}, beta = {}", p.scheme.name, p.n, p.beta.text());
    BOOST_TEST(e.problem == "", label);
    BOOST_REQUIRE(e.states.size() == 1u);
    as_narrow_as_asked(e.states[0], 20, label);
  }
}

BOOST_AUTO_TEST_CASE(a_time_limit_ends_it_with_a_word) {
  const Enclosed e = enclose_equiangular(params("pre", 256, "1e4"), {"1e300"}, 300, 1e-3, nothing);
  BOOST_TEST(e.states.empty());
  BOOST_TEST(e.problem.find("max_seconds") != std::string::npos, e.problem);
  EquiangularParams bad = params("pre", 1, "1");
  BOOST_CHECK_THROW(enclose_equiangular(bad, {"1"}, 10, 0, nothing), std::invalid_argument);
}
