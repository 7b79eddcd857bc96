// Every scheme of the list, in every number type: the formulas of theory section 2 written out a second time,
// the laws that a scheme must obey, and the record of each on a tape.
#define BOOST_TEST_MODULE schemes
#include <boost/test/unit_test.hpp>

#include "lib/real/recorded.hpp"
#include "lib/schemes/all.hpp"
#include "tests/support/laws.hpp"

#include <map>

using namespace attndyn;
using attndyn::testing::every_scheme;
using attndyn::testing::label;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(40); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

using Reals = std::tuple<double, Float128, Mpfr>;

template <class Real> double relative(const Real& a, const Real& b) {
  using std::abs;
  return a == b ? 0 : plain_value(Real(abs(a - b) / abs(b)));
}

/// States (t, r, a, |A|) over twelve decades of r, with a of both signs, zero and |A|.
template <class Real> std::vector<TokenState<Real>> states() {
  std::vector<TokenState<Real>> out;
  for (const char* t : {"0", "0.1", "2.5", "1000"})
    for (const char* r : {"1e-6", "0.3", "1", "7.5", "1e6"})
      for (const char* norm : {"1e-12", "0.4", "1", "20"})
        for (const char* cosine : {"-1", "-0.3", "0", "0.8", "1"})
          out.push_back({parse_real<Real>(t), parse_real<Real>(r),
                         parse_real<Real>(cosine) * parse_real<Real>(norm), parse_real<Real>(norm)});
  return out;
}

/// The table of theory section 2, entry by entry. Nothing here comes from lib/schemes.
template <class Real> struct Table {
  using Formula = Real (*)(const TokenState<Real>&, const SchemeParams&);
  struct Line {
    Formula speed_factor, radial_rate;
  };
  std::map<std::string, Line> line;
  Table() {
    using std::pow;
    using std::sqrt;
    using K = const TokenState<Real>&;
    using P = const SchemeParams&;
    const Formula one = [](K, P) { return Real(1); }, zero = [](K, P) { return Real(0); };
    const Formula r = [](K k, P) { return k.r; }, a = [](K k, P) { return k.radial; };
    line["post"] = {one, zero};
    line["pre"] = {r, a};
    line["peri"] = {[](K k, P) { return Real(k.r * k.norm); },
                    [](K k, P) { return Real(k.radial / k.norm); }};
    line["ngpt"] = {[](K k, P p) {
                      const Real alpha_t =
                          p.alpha.as<Real>() * pow(Real(1 + k.t), Real(-p.alpha_decay.as<Real>()));
                      return Real(k.norm / alpha_t);
                    },
                    zero};
    line["sqrt"] = {[](K k, P) { return Real(sqrt(Real(k.t + 1))); }, zero};
    line["lns"] = {[](K k, P) { return Real(k.r * sqrt(Real(k.t + 1))); },
                   [](K k, P) { return Real(k.radial / sqrt(Real(k.t + 1))); }};
  }
};

/// The name, in the table, of the scheme that holds in a piece of the schedule: Mix-LN is Post-LN, then
/// Pre-LN.
std::string name_in_piece(const SchemeParams& p, std::size_t piece) {
  return p.name == "mix" ? (piece == 0 ? "post" : "pre") : p.name;
}

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_scheme_is_the_formula_of_the_table, Real, Reals) {
  const Table<Real> table;
  for (const SchemeParams& p : every_scheme()) {
    const auto schedule = make_schedule<Real>(p);
    BOOST_REQUIRE(schedule.pieces.size() == schedule.switches.size() + 1);
    for (std::size_t piece = 0; piece < schedule.pieces.size(); ++piece) {
      const auto line = table.line.find(name_in_piece(p, piece));
      BOOST_REQUIRE_MESSAGE(line != table.line.end(),
                            "write the formula of " << p.name << " into the table of this test");
      for (const auto& k : states<Real>()) {
        const auto reg = regulation(schedule.pieces[piece], k);
        BOOST_TEST(relative(reg.speed_factor, line->second.speed_factor(k, p)) <=
                       8 * plain_value(epsilon<Real>()),
                   label(p));
        BOOST_TEST(relative(reg.radial_rate, line->second.radial_rate(k, p)) <=
                       8 * plain_value(epsilon<Real>()),
                   label(p));
        if (keeps_radius(schedule.pieces[piece])) BOOST_TEST((reg.radial_rate == 0), label(p));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(only_mix_ln_is_a_schedule_and_it_switches_at_tau) {
  for (const SchemeParams& p : every_scheme()) {
    const auto schedule = make_schedule<Float128>(p);
    if (p.name == "mix") {
      BOOST_REQUIRE(schedule.switches.size() == 1);
      BOOST_TEST((schedule.switches[0] == p.tau.as<Float128>()));
    } else {
      BOOST_TEST(schedule.switches.empty(), label(p));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_speed_factor_is_positive_from_1e_minus_6_to_1e6, Real, Reals) {
  for (const SchemeParams& p : every_scheme())
    for (const auto& scheme : make_schedule<Real>(p).pieces)
      attndyn::testing::check_speed_factor_is_positive<Real>(scheme, label(p));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_scheme_has_the_degree_in_A_that_it_states, Real, Reals) {
  for (const SchemeParams& p : every_scheme())
    for (const auto& scheme : make_schedule<Real>(p).pieces)
      attndyn::testing::check_degree<Real>(scheme, label(p));
}

// The record is made once, at a point of its own, and replayed in all three numeric types.
BOOST_AUTO_TEST_CASE_TEMPLATE(every_scheme_replays_from_a_tape_bit_for_bit, Real, Reals) {
  for (const SchemeParams& p : every_scheme()) {
    const auto direct = make_schedule<Real>(p);
    for (std::size_t piece = 0; piece < direct.pieces.size(); ++piece) {
      const Tape tape = record({0.5, 1.25, 0.25, 0.75}, [&](const Vector<Recorded>& x) {
        const auto reg = regulation(make_schedule<Recorded>(p).pieces[piece], {x[0], x[1], x[2], x[3]});
        return Vector<Recorded>{reg.speed_factor, reg.radial_rate};
      });
      Replay<Real> replay(tape);
      for (const auto& k : states<Real>()) {
        const auto reg = regulation(direct.pieces[piece], k);
        BOOST_TEST((replay({k.t, k.r, k.radial, k.norm}) == Vector<Real>{reg.speed_factor, reg.radial_rate}),
                   label(p));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(bad_parameters_are_refused_with_name_value_and_rule) {
  const auto refused = [](const SchemeParams& p, const std::string& line) {
    BOOST_TEST(problem_with(p).starts_with(line), problem_with(p));
    BOOST_CHECK_THROW(make_schedule<double>(p), std::invalid_argument);
  };
  refused({.name = "postln"}, "scheme = postln: must be one of post, pre, mix, peri, ngpt, sqrt, lns");
  refused({.name = "mix", .tau = "-1e-30"}, "tau = -1e-30: must be >= 0");
  refused({.name = "ngpt", .alpha = 0}, "alpha = 0: must be > 0");
  refused({.name = "ngpt", .alpha_decay = "-1/2"}, "alpha-decay = -1/2: must be >= 0");
}
