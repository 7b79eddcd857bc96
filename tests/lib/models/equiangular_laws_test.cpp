// The equiangular model: closed forms, terminal laws, time changes (standards S12, S15), its record on a
// tape, and what it refuses.
#define BOOST_TEST_MODULE equiangular_laws
#include <boost/test/unit_test.hpp>

#include "lib/real/recorded.hpp"
#include "tests/support/equiangular_rows.hpp"
#include "tests/support/laws.hpp"

using namespace attndyn;
using attndyn::testing::every_scheme;
using attndyn::testing::label;
using attndyn::testing::reference_rows;
using attndyn::testing::run;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(40); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

template <class Real> double relative(const Real& a, const Real& b) {
  using std::abs;
  return plain_value(Real(abs(a / b - 1)));
}

/// {log(1-g), log r} at t, in Float128 with an error below 1e-24.
Vector<Float128> at(const EquiangularParams& p, const Float128& t) {
  const auto s = run<Float128>(p, {t}, parse_real<Float128>("1e-25"));
  BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, label(p.scheme)
                                                        << ": " << name_of(s.why) << " " << s.detail);
  return s.samples[0].x;
}

double difference(const Vector<Float128>& a, const Vector<Float128>& b) {
  return std::max(plain_value(Float128(abs(a[0] - b[0]))), plain_value(Float128(abs(a[1] - b[1]))));
}

const std::vector<EquiangularParams>& starts() {
  static const std::vector<EquiangularParams> list{
      {.scheme = {}, .n = 256, .beta = 5, .g0 = 0, .r0 = 1},
      {.scheme = {}, .n = 2, .beta = 1, .g0 = "-0.9", .r0 = "1/2"},
      {.scheme = {}, .n = 7, .beta = -3, .g0 = "0.1", .r0 = 2},
      {.scheme = {}, .attention = Attention::unnormalised, .n = 16, .beta = "1.5", .g0 = "0.25", .r0 = 3},
      {.scheme = {}, .attention = Attention::unnormalised, .n = 5, .beta = -2, .g0 = 0, .r0 = 1}};
  return list;
}

EquiangularParams with(EquiangularParams p, const SchemeParams& scheme) {
  p.scheme = scheme;
  return p;
}

} // namespace

// theory section 3, written with e^beta as it stands there: g' = (2/s) w_off (1-g)(1+(n-1)g), r' = rho.
BOOST_AUTO_TEST_CASE(the_field_is_the_reduction_of_theory_section_3) {
  for (const auto& start : starts())
    for (const SchemeParams& scheme : every_scheme())
      for (const char* cosine : {"-0.1", "0", "0.3", "0.999"})
        for (const char* radius : {"0.01", "1", "50"}) {
          const auto p = with(start, scheme);
          const Equiangular<Float128> model(p);
          const Float128 g = parse_real<Float128>(cosine), r = parse_real<Float128>(radius),
                         t = parse_real<Float128>("0.2"), n = p.n, beta = p.beta.as<Float128>(),
                         e = exp(beta), o = exp(Float128(beta * g));
          const Float128 z = p.attention == Attention::softmax ? Float128(e + (n - 1) * o) : n;
          const Float128 self = e / z, off = o / z, a = self + (n - 1) * off * g;
          const Float128 norm = sqrt(
              Float128(self * self + 2 * (n - 1) * self * off * g + (n - 1) * off * off * (1 + (n - 2) * g)));
          const Vector<Float128> x{log(Float128(1 - g)), log(r)};
          const auto schedule = make_schedule<Float128>(scheme);
          for (std::size_t piece = 0; piece < schedule.pieces.size(); ++piece) {
            const auto reg = regulation(schedule.pieces[piece], {t, r, a, norm});
            Vector<Float128> dxdt(2);
            model.field(piece, x, dxdt, t);
            const Float128 speed = 2 / reg.speed_factor * off * (1 - g) * (1 + (n - 1) * g);
            const std::string where = label(scheme) + ", g = " + cosine;
            BOOST_TEST(relative(model.speed(piece, x, t), speed) <= 1e-30, where);
            BOOST_TEST(relative(Float128(-dxdt[0] * (1 - g)), speed) <= 1e-30, where);
            BOOST_TEST(plain_value(Float128(abs(dxdt[1] * r - reg.radial_rate))) <=
                           1e-31 * (1 + plain_value(Float128(abs(reg.radial_rate)))),
                       where);
            BOOST_TEST(relative(model.speed_factor(piece, x, t), reg.speed_factor) <= 1e-30, where);
          }
        }
}

// 1+(n-1)g and 1-g both keep their digits: near g = 0 the first is small beside (n-1)(1-g), and the escape
// from there takes an error of the velocity along.
BOOST_AUTO_TEST_CASE(the_velocity_in_double_has_all_its_digits_at_every_g) {
  double worst = 0;
  for (const auto& start : starts())
    for (const SchemeParams& scheme : every_scheme()) {
      const auto p = with(start, scheme);
      const Equiangular<double> narrow(p);
      const Equiangular<Float128> wide(p);
      for (double y : {-1e-300, -1e-17, -1e-9, -1e-4, -3e-3, -0.02, -0.3, -2.0, -30.0, -600.0}) {
        const double speed = narrow.speed(0, {y, 0.5}, 0.1);
        const Float128 exact = wide.speed(0, {Float128(y), Float128(0.5)}, Float128(0.1));
        worst = std::max(worst, relative(Float128(speed), exact));
        BOOST_TEST(relative(Float128(speed), exact) <= 2e-15,
                   label(scheme) << ", n = " << p.n << ", log(1-g) = " << y << ": "
                                 << relative(Float128(speed), exact));
      }
    }
  BOOST_TEST_MESSAGE("largest relative error of g' in double: " << worst);
}

// The velocity g' at the orthogonal start: Post, Mix, sqrt 2/(e^beta+n-1); Pre 2/(r0 (e^beta+n-1)); Peri
// 2/(r0 sqrt(e^{2 beta}+n-1)); nGPT 2 alpha(0)/sqrt(e^{2 beta}+n-1). [NAD] Theorem 4.1.
BOOST_AUTO_TEST_CASE(velocities_at_the_orthogonal_start_are_those_of_theorem_4_1) {
  for (int n : {2, 8, 256})
    for (double beta : {0.0, 1.0, 5.0})
      for (double r0 : {0.5, 1.0, 3.0}) {
        const double soft = std::exp(beta) + n - 1, hard = std::sqrt(std::exp(2 * beta) + n - 1);
        for (const auto& [name, expected] : {std::pair{"post", 2 / soft},
                                             {"mix", 2 / soft},
                                             {"sqrt", 2 / soft},
                                             {"pre", 2 / (r0 * soft)},
                                             {"lns", 2 / (r0 * soft)},
                                             {"peri", 2 / (r0 * hard)},
                                             {"ngpt", 2 * 1.5 / hard}}) {
          const Equiangular<double> model({.scheme = {.name = name, .alpha = "1.5"},
                                           .n = n,
                                           .beta = Number(beta),
                                           .g0 = 0,
                                           .r0 = Number(r0)});
          BOOST_TEST(model.speed(0, model.start(), 0) == expected, boost::test_tools::tolerance(4e-15));
        }
      }
}

// One record of the field of each scheme, made at a point of its own, is the field in every number type.
using Reals = std::tuple<double, Float128, Mpfr>;
BOOST_AUTO_TEST_CASE_TEMPLATE(the_field_replays_from_a_tape_bit_for_bit, Real, Reals) {
  for (const auto& start : starts())
    for (const SchemeParams& scheme : every_scheme()) {
      const auto p = with(start, scheme);
      const Equiangular<Real> model(p);
      for (std::size_t piece = 0; piece <= model.switches().size(); ++piece) {
        const Tape tape = record({-0.5, 0.25, 1.0}, [&](const Vector<Recorded>& x) {
          Vector<Recorded> dxdt(2);
          EquiangularFlow<Recorded>{p}(piece, {x[0], x[1]}, dxdt, x[2]);
          return dxdt;
        });
        Replay<Real> replay(tape);
        for (const char* y : {"0.05", "0", "-1e-20", "-3", "-500"})
          for (const char* log_r : {"-2", "0", "7"}) {
            const Vector<Real> x{parse_real<Real>(y), parse_real<Real>(log_r)};
            const Real t = parse_real<Real>("0.7");
            Vector<Real> direct(2);
            model.field(piece, x, direct, t);
            BOOST_TEST((replay({x[0], x[1], t}) == direct), label(scheme) << ", log(1-g) = " << y);
          }
      }
    }
}

BOOST_AUTO_TEST_CASE(at_beta_zero_the_orthogonal_start_has_closed_forms) {
  for (int n : {2, 3, 33, 256}) {
    EquiangularParams p{.scheme = {}, .n = n, .beta = 0, .g0 = 0, .r0 = "3/2"};
    const Float128 t = Float128(6) / 5, r0 = Float128(3) / 2, m = n, e = exp(Float128(-2 * t));
    const auto gap = [&](const char* scheme) {
      p.scheme.name = scheme;
      return Float128(exp(at(p, t)[0]));
    };
    BOOST_TEST(relative(gap("post"), Float128(m * e / (1 + (m - 1) * e))) <= 1e-24);
    const Float128 shifted = t + r0 / sqrt(m), square = r0 * r0 * (m - 1) / m + shifted * shifted;
    BOOST_TEST(relative(gap("peri"), Float128(r0 * r0 / square)) <= 1e-24);
    BOOST_TEST(plain_value(Float128(abs(2 * at(p, t)[1] - log(square)))) <= 1e-24);
    const Float128 mean = tanh(Float128(t + atanh(Float128(1 / sqrt(m)))));
    BOOST_TEST(relative(gap("ngpt"), Float128(m * (1 - mean * mean) / (m - 1))) <= 1e-24);
    p.g0 = "0.3";
    const Float128 pre = gap("pre");
    BOOST_TEST(relative(Float128(pre * exp(Float128(2 * at(p, t)[1]))),
                        Float128(r0 * r0 * Float128(7) / 10)) <= 1e-24);
  }
}

// 1-g ~ C e^{-2t} (Post), C/r^2 with r ~ t (Pre, Peri, Mix) and r ~ 2 sqrt t (LayerNorm scaling, where C is
// four times the constant of C/t), C e^{-4 sqrt(t+1)} (sqrt), C e^{-2t} (nGPT, alpha = 1). Constants by
// mpmath quadrature.
BOOST_AUTO_TEST_CASE(every_scheme_ends_at_its_terminal_constant) {
  int count = 0;
  for (const auto& row : reference_rows("constants.csv")) {
    const std::string prefix = "terminal_constant_", quantity = row.at("quantity");
    if (!quantity.starts_with(prefix)) continue;
    const std::string name = quantity.substr(prefix.size());
    EquiangularParams p{.scheme = {.name = name, .tau = row.at("tau")},
                        .n = std::stoi(row.at("n")),
                        .beta = row.at("beta"),
                        .g0 = row.at("g0"),
                        .r0 = row.at("r0")};
    const bool power = name == "pre" || name == "peri" || name == "mix" || name == "lns";
    const double t = name == "lns" ? 1e14 : power ? 1e7 : name == "sqrt" ? 400 : 40;
    const auto s = run<double>(p, {t}, 1e-12);
    BOOST_REQUIRE(s.why == Stop::reached_end);
    const double y = s.samples[0].x[0], log_r = s.samples[0].x[1];
    const double log_constant = y + (power ? 2 * log_r : name == "sqrt" ? 4 * std::sqrt(t + 1) : 2 * t);
    const double expected = (name == "lns" ? 4 : 1) * parse_real<double>(row.at("value"));
    BOOST_TEST(std::abs(log_constant - std::log(expected)) <= 1e-10,
               quantity << " n " << row.at("n") << " beta " << row.at("beta"));
    ++count;
  }
  BOOST_TEST(count == 28);
}

BOOST_AUTO_TEST_CASE(one_minus_g_and_times_to_a_level_are_those_of_the_quadratures) {
  int levels = 0, values = 0;
  for (const auto& row : reference_rows("constants.csv")) {
    const std::string quantity = row.at("quantity"), name = quantity.substr(quantity.rfind('_') + 1);
    const bool level = quantity.starts_with("time_to_level_"), value = quantity.starts_with("one_minus_g_");
    if (!level && !value) continue;
    const EquiangularParams p{.scheme = {.name = name, .tau = row.at("tau")},
                              .n = std::stoi(row.at("n")),
                              .beta = row.at("beta"),
                              .g0 = row.at("g0"),
                              .r0 = row.at("r0")};
    const double expected = parse_real<double>(row.at("value"));
    if (value) {
      const auto s = run<double>(p, {parse_real<double>(row.at("t"))}, 1e-12);
      BOOST_TEST(std::exp(s.samples[0].x[0]) == expected, boost::test_tools::tolerance(1e-11));
      ++values;
      continue;
    }
    const double target = Number(row.at("level")).log_one_minus<double>();
    const Equiangular<double> model(p);
    Options<double> options;
    options.tolerance = 1e-12;
    options.events.push_back({.name = "level",
                              .value = [&](const Vector<double>& x, const double&) { return x[0] - target; },
                              .terminal = true});
    const auto s = solve<double>(model, model.start(), 0.0, {1e5}, options);
    BOOST_TEST((s.why == Stop::event));
    BOOST_TEST(s.t == expected, boost::test_tools::tolerance(1e-11));
    ++levels;
  }
  BOOST_TEST(levels == 20);
  BOOST_TEST(values == 14);
}

// S15, to 24 digits here (to 45 in equiangular_mpfr_slow_test.cpp).
BOOST_AUTO_TEST_CASE(schemes_with_a_common_speed_factor_share_their_path) {
  const Float128 t = 3, clock = 2 * (sqrt(Float128(t + 1)) - 1);
  for (const auto& start : starts()) {
    const auto of = [&](const SchemeParams& scheme, const Float128& time) {
      return at(with(start, scheme), time);
    };
    BOOST_TEST(difference(of({.name = "sqrt"}, t), of({.name = "post"}, clock)) <= 1e-23);
    BOOST_TEST(difference(of({.name = "lns"}, t), of({.name = "pre"}, clock)) <= 1e-23);
    BOOST_TEST(difference(of({.name = "ngpt", .alpha_decay = 1}, t),
                          of({.name = "ngpt"}, log(Float128(1 + t)))) <= 1e-23);
    BOOST_TEST(difference(of({.name = "ngpt", .alpha = "1.5", .alpha_decay = "1/2"}, t),
                          of({.name = "ngpt", .alpha = "1.5"}, clock)) <= 1e-23);
    BOOST_TEST(difference(of({.name = "mix", .tau = 5}, t), of({.name = "post"}, t)) <= 1e-23);
    BOOST_TEST(difference(of({.name = "mix", .tau = 0}, t), of({.name = "pre"}, t)) <= 1e-23);
  }
}

// |A| changes only the clock of Peri-LN: both radii are one function of g, r = r0 e^T
// sqrt((1+(n-1)g0)/(1+(n-1)g)).
BOOST_AUTO_TEST_CASE(pre_ln_and_peri_ln_share_one_curve_r_of_g) {
  for (const auto& start : starts()) {
    const auto peri = at(with(start, {.name = "peri"}), Float128(2));
    const Equiangular<Float128> pre(with(start, {.name = "pre"}));
    Options<Float128> options;
    options.tolerance = parse_real<Float128>("1e-25");
    options.events.push_back(
        {.name = "same g",
         .value = [&](const Vector<Float128>& x, const Float128&) { return Float128(x[0] - peri[0]); },
         .terminal = true});
    const auto s = solve<Float128>(pre, pre.start(), Float128(0), {Float128(1000)}, options);
    BOOST_REQUIRE(s.why == Stop::event);
    BOOST_TEST(plain_value(Float128(abs(s.x[1] - peri[1]))) <= 1e-23);
  }
}

BOOST_AUTO_TEST_CASE(beta_from_minus_1000_to_10000_runs_in_every_scheme) {
  for (const SchemeParams& scheme : every_scheme())
    for (Attention kind : {Attention::softmax, Attention::unnormalised})
      for (int beta : {-1000, -600, 0, 50, 1000, 10000})
        for (const char* g0 : {"-0.1", "0", "0.999", "0.999999999999999999999999999999"}) {
          EquiangularParams p{.scheme = scheme, .attention = kind, .n = 8, .beta = beta, .g0 = g0};
          const bool divides_by_norm = scheme.name == "peri" || scheme.name == "ngpt";
          if (kind == Attention::unnormalised && !divides_by_norm) p.clock = TimeScale::scaled;
          const auto s = run<double>(p, {1, 100}, 1e-10);
          BOOST_TEST((s.why == Stop::reached_end), label(scheme)
                                                       << ", beta = " << beta << ", g0 = " << g0 << ": "
                                                       << name_of(s.why) << " " << s.detail);
          BOOST_TEST(all_finite(s.x));
        }
}

// The scaled clock of USA is the natural one times e^|beta|.
BOOST_AUTO_TEST_CASE(the_scaled_clock_is_the_natural_one_times_e_to_the_beta) {
  for (const SchemeParams& scheme : every_scheme()) {
    if (scheme.name == "mix") continue; // tau is a time too; see particles_clocks
    EquiangularParams p{
        .scheme = scheme, .attention = Attention::unnormalised, .n = 8, .beta = 3, .g0 = "0.2"};
    const auto natural = at(p, Float128(1) / 4);
    p.clock = TimeScale::scaled;
    BOOST_TEST(difference(at(p, Float128(exp(Float128(3)) / 4)), natural) <= 1e-23, label(scheme));
  }
}

// beta = 0, Post-LN from 1 + (n-1) g0 = 3e-8 (n = 4): the logit of u = 1-g runs at rate 2, log(U/u - 1) =
// log(U/u_0 - 1) + 2 t with U = 4/3. Rounding log(1-g0) to double changes the small quotient by 4e-9 of
// itself, which no tightening can show.
BOOST_AUTO_TEST_CASE(a_start_too_near_the_simplex_for_the_number_type_is_not_promised_any_digits) {
  const EquiangularParams p{.scheme = {}, .n = 4, .beta = 0, .g0 = "-0.33333332333333333333333333333333"};
  const auto wide = run<Float128>(p, {Float128(9)}, parse_real<Float128>("1e-20"));
  BOOST_REQUIRE(wide.why == Stop::reached_end);
  const Float128 bound = Float128(4) / 3, u0 = 1 - p.g0.as<Float128>(),
                 u = bound / (1 + (bound / u0 - 1) * exp(Float128(18)));
  BOOST_TEST(plain_value(Float128(abs(wide.samples[0].x[0] - log(u)))) <= 1e-19);
  const auto narrow = run<double>(p, {9}, 1e-12);
  BOOST_TEST((narrow.why == Stop::tolerance_not_reached), name_of(narrow.why));
  BOOST_TEST(narrow.detail.starts_with("g0 is so near -1/(n-1)"), narrow.detail);
  BOOST_TEST(narrow.samples.empty());
  const auto loose = run<double>(p, {9}, 1e-6);
  BOOST_REQUIRE(loose.why == Stop::reached_end);
  BOOST_TEST(std::abs(loose.samples[0].x[0] - plain_value(log(u))) <= 1e-5);
}

BOOST_AUTO_TEST_CASE(bad_parameters_are_refused_with_name_value_and_rule) {
  const auto refused = [](const EquiangularParams& p, const std::string& line) {
    BOOST_TEST(problem_with(p).starts_with(line), problem_with(p));
    BOOST_CHECK_THROW(Equiangular<double>{p}, std::invalid_argument);
  };
  refused({.scheme = {.name = "postln"}}, "scheme = postln: must be one of post, pre");
  refused({.scheme = {}, .attention = Attention::causal},
          "attention = causal: must be sa or usa in the equiangular reduction");
  refused({.scheme = {}, .n = 1}, "n = 1: must be >= 2");
  refused({.scheme = {}, .g0 = 1}, "g0 = 1: must satisfy -1/(n-1) < g0 < 1");
  refused({.scheme = {}, .n = 4, .g0 = "-1/3"}, "g0 = -1/3: must satisfy -1/(n-1) < g0 < 1");
  refused({.scheme = {}, .r0 = 0}, "r0 = 0: must be > 0");
  refused({.scheme = {}, .attention = Attention::unnormalised, .beta = 601},
          "beta = 601: |beta| must be <= 600 with usa in the natural clock; use --clock scaled");
  refused({.scheme = {}, .clock = TimeScale::scaled}, "clock = scaled: only for --attention usa, not sa");
  BOOST_TEST(
      problem_with(EquiangularParams{.scheme = {}, .n = 4, .g0 = "-0.333333333333333333333333333333333333"})
          .empty());
}
