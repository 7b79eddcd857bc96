/// What the tests of the rigorous integrator share: references with their own error, and what it means that
/// an enclosure holds them. A test program includes this after Boost.Test.
#pragma once

#include "lib/models/particle_flow.hpp"
#include "lib/models/rigorous_problems.hpp"
#include "tests/support/equiangular_rows.hpp"
#include "tests/support/particle_rows.hpp"

#include <fmt/format.h>

#include <random>

namespace {

using namespace attndyn;

/// Mpfr of 80 digits.
struct Precision {
  Precision() { set_mpfr_digits(80); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

/// The value and its own error as a ball, 400 bits.
Ball known(const Mpfr& value, const char* error) {
  const BallBits bits(400);
  return widened(Ball(value), parse_real<Ball>(error) * (Ball(1) + abs(Ball(value))));
}
Ball known(const std::string& text, const char* error) { return known(parse_real<Mpfr>(text), error); }

/// x encloses the value as far as this is known, is no wider than 10^-digits max(1, |x|), and does not
/// enclose the value changed by 1e-6.
void encloses(const Ball& x, const Ball& value, int digits, const std::string& what) {
  const BallBits bits(400);
  BOOST_TEST((overlap(x, value)), what << ": " << ball_text(x, 60) << " misses " << ball_text(value, 60));
  const Ball size = abs(value).upper(), widest = Ball(std::pow(10.0, -digits)) * (Ball(1) + size);
  Ball radius;
  arf_set_mag(arb_midref(radius.raw()), arb_radref(x.raw()));
  BOOST_TEST((certainly_less(radius, widest)), what << ": radius " << x.radius());
  const Ball changed = value * (Ball(1) + parse_real<Ball>("1e-6")) + parse_real<Ball>("1e-12");
  BOOST_TEST((!overlap(x, changed)), what << ": a wrong value is inside too");
}

struct EquiangularCase {
  EquiangularParams params;
  Number t = 1;
  std::string label;
};

/// Number k of the sample: beta in [-1, 50], n up to 1e6, times up to 50, every scheme.
EquiangularCase random_case(std::uint64_t k) {
  std::mt19937_64 draw(k);
  const auto uniform = [&] { return static_cast<double>(draw() >> 11) * 0x1p-53; };
  const auto rounded = [](double x) { return Number(fmt::format("{:.4g}", x)); };
  EquiangularCase c;
  EquiangularParams& p = c.params;
  p.scheme.name = scheme_list()[k % scheme_list().size()].name;
  p.scheme.tau = rounded(5 * uniform());
  p.scheme.alpha = rounded(0.3 + 2 * uniform());
  p.scheme.alpha_decay = rounded(draw() % 2 ? uniform() : 0.0);
  p.beta = rounded(-1 + 51 * uniform() * uniform());
  p.n = static_cast<int>(2 * std::exp(uniform() * std::log(5e5)));
  p.g0 = rounded(draw() % 3 ? 0.9 * uniform() : 0.0);
  p.r0 = rounded(0.2 + 3 * uniform());
  // A radius that shrinks (beta < 0) may end the solution; not in so short a time.
  c.t = rounded(0.1 + (p.beta.approx() < 0 ? 0.1 : 49.9) * uniform());
  c.label = fmt::format("case {}: {} beta {} n {} g0 {} r0 {} tau {} alpha {} decay {} t {}", k,
                        p.scheme.name, p.beta.text(), p.n, p.g0.text(), p.r0.text(), p.scheme.tau.text(),
                        p.scheme.alpha.text(), p.scheme.alpha_decay.text(), c.t.text());
  return c;
}

RigorousSolution enclosed(const RigorousProblem& problem, const std::vector<Number>& times, int digits) {
  RigorousOptions options;
  options.digits = digits;
  return solve_rigorously(problem, times, options);
}

/// 40 digits asked for, and 3, where remainders are what makes the width; the Taylor stepper at 60 digits as
/// reference.
void holds_the_taylor_solution(const EquiangularCase& c) {
  const Equiangular<Mpfr> model(c.params);
  Options<Mpfr> options;
  options.stepper = "taylor";
  options.tolerance = parse_real<Mpfr>("1e-60");
  const auto reference = solve<Mpfr>(model, model.start(), Mpfr(0), {c.t.as<Mpfr>()}, options);
  BOOST_REQUIRE_MESSAGE(reference.why == Stop::reached_end, c.label << ": " << reference.detail);
  const RigorousProblem problem = rigorous_problem(c.params);
  for (int digits : {40, 3}) {
    const auto s = enclosed(problem, {c.t}, digits);
    BOOST_REQUIRE_MESSAGE(s.why == RigorousStop::reached,
                          c.label << ": " << name_of(s.why) << " " << s.detail);
    for (std::size_t i = 0; i < 2; ++i)
      if (digits == 40)
        encloses(s.samples[0].x[i], known(reference.samples[0].x[i], "1e-57"), 39,
                 fmt::format("{}, unknown {}", c.label, i));
      else
        BOOST_TEST((overlap(s.samples[0].x[i], known(reference.samples[0].x[i], "1e-57"))),
                   c.label << ", 3 digits, unknown " << i);
  }
}

/// The row of tests/reference/equiangular.csv: quadrature, no differential equation.
void holds_the_reference(const attndyn::testing::EquiangularRow& row, int digits) {
  const auto s = enclosed(rigorous_problem(row.params), {Number(row.t)}, digits);
  BOOST_REQUIRE_MESSAGE(s.why == RigorousStop::reached,
                        row.label << ": " << name_of(s.why) << " " << s.detail);
  encloses(s.samples[0].x[0], known(row.log_gap, "1e-57"), digits - 1, row.label + " log gap");
  encloses(s.samples[0].x[1], known(row.log_r, "1e-57"), digits - 1, row.label + " log r");
}

/// Five tokens of R^3 that are nowhere near each other.
const std::vector<Number>& five_tokens() {
  static const std::vector<Number> out{"1", "0.2", "-0.3", "0.1", "1",    "0.4",  "-0.5", "0.3",
                                       "1", "0.7", "-0.6", "0.2", "-0.3", "-0.8", "0.5"};
  return out;
}

/// n = 5, d = 3, beta = 3 to t = 5 with 15 digits; the particle model with the Taylor stepper at 30 digits as
/// reference, whose attention is other code.
void holds_five_particles(const std::string& scheme, Attention attention) {
  const std::string what = scheme + " " + name_of(attention);
  ParticleFlowParams p;
  p.scheme.name = scheme;
  p.attention = attention;
  p.beta = 3;
  p.shape = {5, 3};
  p.masses = {"1", "2", "1/3", "1.5", "0.7"};
  const auto s = enclosed(rigorous_problem(p, five_tokens()), {Number(5)}, 15);
  BOOST_REQUIRE_MESSAGE(s.why == RigorousStop::reached, what << ": " << name_of(s.why) << " " << s.detail);

  ParticleParams<Mpfr> q;
  q.scheme = p.scheme;
  q.attention = attention;
  q.beta = p.beta;
  for (const Number& m : p.masses) q.masses.push_back(m.as<Mpfr>());
  Matrix<Mpfr> vectors(3, 5);
  for (std::size_t i = 0; i < 15; ++i) vectors.data[i] = five_tokens()[i].as<Mpfr>();
  const Particles<Mpfr> model(q, tokens_from(vectors, false));
  Options<Mpfr> options;
  options.tolerance = parse_real<Mpfr>("1e-28");
  const auto reference = solve<Mpfr>(model, model.start(), Mpfr(0), {Mpfr(5)}, options);
  BOOST_REQUIRE(reference.why == Stop::reached_end);
  for (std::size_t i = 0; i < 20; ++i)
    encloses(s.samples[0].x[i], known(reference.samples[0].x[i], "1e-27"), 15,
             fmt::format("{}, unknown {}", what, i));
  BOOST_TEST_MESSAGE(fmt::format("{:<12} {:5.1f} digits, {} steps, {} rejected, {:.1f} s", what, s.digits,
                                 s.accepted, s.rejected, s.seconds));
}

/// The runs of tests/reference/particles_ref.csv with Q = K = V = I and no hardmax (an extrapolated midpoint
/// rule at 230 bits, no code in common), with 15 digits; returns how many there were whose name was wanted.
int holds_the_particle_references(const std::function<bool(const std::string&)>& wanted) {
  using namespace attndyn::testing;
  std::vector<std::vector<ReferenceRow>> runs;
  for (const auto& row : reference_rows("particles_ref.csv")) {
    if (row.at("heads") != "0" || row.at("attention") == "hardmax" || !wanted(row.at("run"))) continue;
    if (runs.empty() || runs.back()[0].at("run") != row.at("run")) runs.emplace_back();
    runs.back().push_back(row);
  }
  for (const auto& rows : runs) {
    const ReferenceRow& first = rows[0];
    ParticleFlowParams p;
    p.scheme = {first.at("scheme"), first.at("tau"), first.at("alpha"), first.at("alpha_decay")};
    p.attention = parse_attention(first.at("attention"));
    p.beta = first.at("beta");
    p.shape = {rows.size(), split(first.at("start"), ' ').size()};
    std::vector<Number> vectors, radii;
    std::vector<std::string> expected;
    for (const auto& row : rows) {
      for (const auto& x : split(row.at("start"), ' ')) vectors.push_back(x);
      for (const auto& x : split(row.at("theta"), ' ')) expected.push_back(x);
      radii.push_back(row.at("r0"));
      p.masses.push_back(row.at("mass"));
    }
    for (const auto& row : rows) expected.push_back(row.at("log_r"));
    const auto s = enclosed(rigorous_problem(p, vectors, radii), {Number(first.at("t"))}, 15);
    const std::string name = first.at("run");
    BOOST_REQUIRE_MESSAGE(s.why == RigorousStop::reached, name << ": " << name_of(s.why) << " " << s.detail);
    for (std::size_t i = 0; i < expected.size(); ++i)
      encloses(s.samples[0].x[i], known(expected[i], "1e-28"), 15, fmt::format("{}, unknown {}", name, i));
    BOOST_TEST_MESSAGE(
        fmt::format("{:<18} {:5.1f} digits, {} steps, {:.1f} s", name, s.digits, s.accepted, s.seconds));
  }
  return static_cast<int>(runs.size());
}

} // namespace
