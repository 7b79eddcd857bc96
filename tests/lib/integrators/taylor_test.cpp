// The Taylor stepper in the time loop: tolerance, dense output, choice of steps, ends, refusals. Events,
// spheres, scales, first steps and the other ends are tested for all steppers in tests/lib/solve.
#define BOOST_TEST_MODULE taylor
#include <boost/test/unit_test.hpp>

#include "lib/integrators/taylor.hpp"
#include "tests/lib/integrators/taylor_problems.hpp"

#include <string>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(60); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

using Reals = std::tuple<double, Float128, Mpfr>;

/// Four digits short of the number type.
template <class Real> int last_decade() { return digits_of<Real>() - (std::is_same_v<Real, double> ? 3 : 4); }

template <class Real> Options<Real> taylor(const Real& tolerance, bool global = true) {
  Options<Real> options;
  options.stepper = "taylor";
  options.tolerance = tolerance;
  options.control_global_error = global;
  return options;
}

template <class Real> Real ten_to(int k) { return parse_real<Real>(fmt::format("1e{}", k)); }

template <class Real> std::vector<Target<Real>> targets() {
  auto out = scalar_targets<Real>();
  out.push_back(mix_target<Real>());
  return out;
}

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_true_error_is_within_the_tolerance_asked_for, Real, Reals) {
  for (const auto& target : targets<Real>()) {
    std::string line = fmt::format("{:<18} {:>2} digits, err/tol:", target.name, digits_of<Real>());
    for (int k = 4; k <= last_decade<Real>(); k += digits_of<Real>() > 40 ? 4 : 1) {
      Real worst = 0;
      for (const auto& c : target.cases) {
        const auto s = solve<Real>(*c.model, c.start, Real(0), c.times, taylor(ten_to<Real>(-k)));
        BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, target.name << ": " << name_of(s.why) << s.detail);
        BOOST_REQUIRE(s.error_estimate.has_value());
        for (std::size_t i = 0; i < s.samples.size(); ++i)
          worst = std::max(worst, largest_difference(s.samples[i].x, c.exact[i]));
      }
      const double ratio = plain_value(Real(worst / ten_to<Real>(-k)));
      line += fmt::format(" {:.2g}", ratio);
      BOOST_TEST(ratio <= 1, target.name << " at 1e-" << k << ": " << ratio);
    }
    BOOST_TEST_MESSAGE(line);
  }
}

namespace {

/// Four tokens to t = 8; true values by dop853 in Float128.
Target<double> four_tokens_target() {
  Target<double> out{"4 tokens on S^2", {}};
  for (const char* scheme : {"post", "pre", "peri"}) {
    const auto model = four_tokens<double>(scheme);
    const auto wide = four_tokens<Float128>(scheme);
    Case<double> c{model, model->start(), {}, {}};
    Vector<Float128> start(c.start.begin(), c.start.end()), times;
    wide->retract(start);
    for (int k = 1; k <= 8; ++k) {
      c.times.push_back(k);
      times.push_back(Float128(k));
    }
    Options<Float128> options;
    options.stepper = "dop853";
    options.tolerance = ten_to<Float128>(-17);
    options.control_global_error = false;
    const auto s = solve<Float128>(*wide, start, Float128(0), times, options);
    for (const auto& sample : s.samples) c.exact.push_back(plain_values(sample.x));
    out.cases.push_back(std::move(c));
  }
  return out;
}

} // namespace

// Standard S6.
BOOST_AUTO_TEST_CASE(the_error_is_proportional_to_the_local_tolerance_in_double) {
  auto all = targets<double>();
  all.push_back(four_tokens_target());
  for (const auto& target : all) {
    const double found = slope(ratios(target, "taylor", 4, 12, false));
    BOOST_TEST_MESSAGE("  slope " << found);
    BOOST_TEST((found >= 0.85 && found <= 1.15), target.name << ": " << found);
    for (const double ratio : ratios(target, "taylor", 4, 12, true)) BOOST_TEST(ratio <= 1, target.name);
  }
}

BOOST_AUTO_TEST_CASE(the_error_is_proportional_to_the_local_tolerance_beyond_double) {
  for (const auto& target : targets<Float128>()) {
    const double found = slope(ratios(target, "taylor", 4, 29, false));
    BOOST_TEST_MESSAGE("  slope " << found);
    BOOST_TEST((found >= 0.85 && found <= 1.15), target.name << ": " << found);
  }
}

// Where the last coefficients vanish, exactly or nearly, the series alone would call any step good. The
// equation at the end of the step tells.
BOOST_AUTO_TEST_CASE(coefficients_that_vanish_do_not_make_a_step_good) {
  const auto power = [](const auto&, const auto& t) {
    const auto t4 = t * t * t * t;
    return 21 * t4 * t4 * t4 * t4 * t4;
  };
  const auto cubed = [](const auto& x, const auto& t) { return -3 * t * t * x; };
  for (const bool global : {false, true})
    for (const double from : {0.0, 1e-8, 1e-3, 0.1})
      for (int k = 2; k <= 12; ++k) {
        const double tolerance = std::pow(10.0, -k);
        const auto a = solve<double>(*scalar<double>(power), {std::pow(from, 21)}, from, {1.5},
                                     taylor(tolerance, global)),
                   b = solve<double>(*scalar<double>(cubed), {std::exp(-from * from * from)}, from, {2},
                                     taylor(tolerance, global));
        BOOST_TEST((a.why == Stop::reached_end));
        BOOST_TEST((b.why == Stop::reached_end));
        const double allowed = global ? tolerance : 10 * tolerance;
        BOOST_TEST(std::abs(a.x[0] - std::pow(1.5, 21)) <= std::max(allowed, 1e-11), from << " 1e-" << k);
        BOOST_TEST(std::abs(b.x[0] - std::exp(-8.0)) <= allowed, from << " 1e-" << k);
      }
}

// Standard S5 in spirit: the polynomial serves every time of its step with the promise of the run.
BOOST_AUTO_TEST_CASE_TEMPLATE(sixteen_points_within_every_step_are_within_the_tolerance, Real, Reals) {
  const Real tolerance = ten_to<Real>(-last_decade<Real>() + 2);
  for (const auto& target : scalar_targets<Real>()) {
    const auto& c = target.cases[0];
    Vector<Real> steps;
    auto options = taylor(tolerance);
    options.observer = [&](int, const Real& t, const Vector<Real>&) {
      if (t == 0) steps.clear();
      steps.push_back(t);
      return Flow::go;
    };
    const auto plain = solve<Real>(*c.model, c.start, Real(0), {c.times.back()}, options);
    BOOST_REQUIRE((plain.why == Stop::reached_end));
    options.observer = nullptr;
    Vector<Real> times;
    for (std::size_t k = 1; k < steps.size(); ++k)
      for (int i = 1; i <= 17; ++i) {
        const Real t = steps[k - 1] + (steps[k] - steps[k - 1]) * i / 17;
        if (times.empty() || t > times.back()) times.push_back(i == 17 ? steps[k] : t);
      }
    const auto dense = solve<Real>(*c.model, c.start, Real(0), times, options);
    BOOST_REQUIRE((dense.why == Stop::reached_end));
    BOOST_TEST(dense.stats.accepted == plain.stats.accepted); // outputs cut no step
    using std::exp;
    using std::log;
    using std::sqrt;
    Real worst = 0;
    for (const auto& sample : dense.samples) {
      const Real exact = target.name == "x' = -x^3/2"   ? Real(1 / sqrt(Real(1 + sample.t)))
                         : target.name == "x' = -2 t x" ? Real(exp(Real(-sample.t * sample.t)))
                                                        : Real(log(Real(1 + sample.t)));
      worst = std::max(worst, largest_difference<Real>(sample.x, {exact}));
    }
    BOOST_TEST_MESSAGE(fmt::format("{:<14} {} outputs in {} steps: {:.2g} tolerances", target.name,
                                   times.size(), dense.stats.accepted, plain_value(Real(worst / tolerance))));
    BOOST_TEST((worst <= tolerance), target.name);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_step_offered_changes_nothing, Real, Reals) {
  const Real tolerance = ten_to<Real>(-last_decade<Real>() + 2);
  for (const auto& target : targets<Real>()) {
    const auto& c = target.cases[0];
    const auto chosen = solve<Real>(*c.model, c.start, Real(0), c.times, taylor(tolerance));
    for (int k = -10; k <= 2; ++k) {
      auto options = taylor(tolerance);
      options.step = ten_to<Real>(k);
      const auto s = solve<Real>(*c.model, c.start, Real(0), c.times, options);
      BOOST_REQUIRE((s.why == Stop::reached_end));
      for (std::size_t i = 0; i < s.samples.size(); ++i)
        BOOST_TEST((largest_difference(s.samples[i].x, chosen.samples[i].x) <= 2 * tolerance),
                   target.name << " from 1e" << k);
      BOOST_TEST(s.stats.accepted <= 2 * chosen.stats.accepted + 12, target.name << " from 1e" << k);
    }
  }
}

// Standard S14 on a flow that contracts, hence backward first: both runs keep their promise, and the second
// carries the error of the first, times dx(1)/dx(0) = 2^(-3/2) < 1.
BOOST_AUTO_TEST_CASE_TEMPLATE(backward_then_forward_returns_within_two_tolerances, Real, Reals) {
  using std::sqrt;
  const Real tolerance = ten_to<Real>(-last_decade<Real>()), start = 1 / sqrt(Real(2));
  const auto model = scalar<Real>([](const auto& x, const auto&) { return -x * x * x / 2; });
  const auto back = solve<Real>(*model, {start}, Real(1), {Real(0)}, taylor(tolerance));
  BOOST_REQUIRE((back.why == Stop::reached_end));
  BOOST_TEST((largest_difference<Real>(back.x, {Real(1)}) <= tolerance));
  const auto there = solve<Real>(*model, back.x, Real(0), {Real(1)}, taylor(tolerance));
  BOOST_REQUIRE((there.why == Stop::reached_end));
  BOOST_TEST((largest_difference<Real>(there.x, {start}) <= 2 * tolerance));
}

// x' = x^2, x(0) = 1: 1/(1-t).
BOOST_AUTO_TEST_CASE_TEMPLATE(a_blow_up_is_not_crossed, Real, Reals) {
  const auto model = scalar<Real>([](const auto& x, const auto&) { return x * x; });
  for (const bool global : {false, true}) {
    const auto s =
        solve<Real>(*model, {Real(1)}, Real(0), {Real(1) / 2, Real(2)}, taylor(ten_to<Real>(-10), global));
    BOOST_TEST((s.why == Stop::step_too_small || s.why == Stop::non_finite), name_of(s.why) << s.detail);
    BOOST_TEST((s.t <= 1 + ten_to<Real>(-8) && s.t > 1 - ten_to<Real>(-8)));
    BOOST_TEST(all_finite(s.x));
    BOOST_TEST(s.samples.size() == 1u);
    BOOST_TEST(s.stats.accepted < 5000u);
  }
}

BOOST_AUTO_TEST_CASE(the_number_of_steps_and_the_time_are_limited) {
  const auto model = scalar<Mpfr>([](const auto& x, const auto&) { return -x * x * x / 2; });
  auto options = taylor(ten_to<Mpfr>(-50));
  options.max_steps = 3;
  const auto s = solve<Mpfr>(*model, {Mpfr(1)}, Mpfr(0), {Mpfr(1000)}, options);
  BOOST_TEST((s.why == Stop::max_steps), name_of(s.why));
  BOOST_TEST(s.stats.accepted == 3u);
  BOOST_TEST((abs(s.x[0] - 1 / sqrt(1 + s.t)) < ten_to<Mpfr>(-49)));

  const auto wave = std::make_shared<FunctionModel<double>>(
      2,
      [](const Vector<double>& x, Vector<double>& dxdt, const double&) {
        dxdt = {x[1], -x[0]};
      },
      1.0,
      [](const Vector<Recorded>& x, const Recorded&) {
        return Vector<Recorded>{x[1], -x[0]};
      });
  auto timed = taylor(1e-10);
  timed.max_seconds = 0.05;
  timed.max_steps = 1'000'000'000;
  const auto late = solve<double>(*wave, {1, 0}, 0.0, {1e12}, timed);
  BOOST_TEST((late.why == Stop::max_seconds), name_of(late.why));
  BOOST_TEST(late.stats.seconds < 5);
}

// A step that asks for too much costs nothing and is not counted.
BOOST_AUTO_TEST_CASE(rejections_are_free) {
  const auto target = mix_target<double>();
  const auto& c = target.cases[0];
  const auto s = solve<double>(*c.model, c.start, 0.0, c.times, taylor(1e-10));
  BOOST_TEST(s.stats.rejected == 0u);
  BOOST_TEST(s.stats.rhs_calls <= 3 * s.stats.accepted * static_cast<unsigned>(s.stats.runs));
}

BOOST_AUTO_TEST_CASE(the_order_follows_the_digits) {
  for (const int digits : {1, 4, 16, 33, 100}) {
    const int order = taylor_order(-digits * std::log(10.0));
    BOOST_TEST(order == std::max(4, static_cast<int>(std::ceil(1.1512925464970229 * digits)) + 1));
    BOOST_TEST((TaylorStepper<Mpfr>({ten_to<Mpfr>(-digits), Mpfr(0)}, [](auto&, auto&) {
                  return Recording{};
                }).order()) == order);
  }
}

namespace {

bool refused(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    const std::string line = e.what();
    BOOST_TEST_MESSAGE(line);
    return line.starts_with("stepper = taylor: ") && line.find('\n') == std::string::npos;
  }
  return false;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_model_that_cannot_be_recorded_is_refused_with_one_line) {
  const FunctionModel<double> plain(
      1, [](const Vector<double>& x, Vector<double>& dxdt, const double&) { dxdt[0] = -x[0]; });
  BOOST_TEST(refused([&] { solve<double>(plain, {1}, 0.0, {1.0}, taylor(1e-6)); }));
  ParticleParams<double> p;
  p.attention = Attention::hardmax;
  const Particles<double> hardmax(p, four_tokens<double>()->lift(four_tokens<double>()->start()));
  BOOST_TEST(refused([&] { solve<double>(hardmax, hardmax.start(), 0.0, {1.0}, taylor(1e-6)); }));
  BOOST_TEST(refused([] { make_stepper<double>("taylor", {1e-6, 0}); }));
  BOOST_TEST(needs_recording("taylor"));
  BOOST_TEST(!needs_recording("dop853"));
  BOOST_TEST(!has_fixed_step("taylor"));
  BOOST_TEST(stepper_order("taylor") == 0);
}

BOOST_AUTO_TEST_CASE(
    it_is_the_default_beyond_twenty_digits_where_bulirsch_stoer_takes_over_a_thousand_steps) {
  const EquiangularRow row = equiangular_row("peri", "sa", "256", "5", "10");
  const Equiangular<Mpfr> model(row.params);
  const auto with = [&](const char* stepper, std::uint64_t most) {
    Options<Mpfr> options = taylor(ten_to<Mpfr>(-50), false);
    options.stepper = stepper;
    options.max_steps = most;
    return solve<Mpfr>(model, model.start(), Mpfr(0), {Mpfr(10)}, options);
  };
  const auto by_default = with("", 200), named = with("taylor", 200), other = with("bulirsch_stoer", 1000);
  BOOST_TEST((by_default.why == Stop::reached_end), by_default.detail);
  BOOST_TEST((by_default.x == named.x));
  BOOST_TEST(by_default.stats.accepted == named.stats.accepted);
  BOOST_TEST((other.why == Stop::max_steps), name_of(other.why));
  BOOST_TEST_MESSAGE("taylor: " << named.stats.accepted << " steps");
  BOOST_TEST((largest_difference(named.x, {parse_real<Mpfr>(row.log_gap), parse_real<Mpfr>(row.log_r)}) <=
              ten_to<Mpfr>(-48)));
  // Without a recording the default is another one.
  const FunctionModel<Mpfr> plain(
      1, [](const Vector<Mpfr>& x, Vector<Mpfr>& dxdt, const Mpfr&) { dxdt[0] = -x[0]; });
  Options<Mpfr> options;
  options.tolerance = ten_to<Mpfr>(-25);
  BOOST_TEST((solve<Mpfr>(plain, {Mpfr(1)}, Mpfr(0), {Mpfr(1)}, options).why == Stop::reached_end));
}
