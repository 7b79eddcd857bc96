// Enclosures against closed forms, quadrature, and runs at more digits; what they prove about signs and
// zeros.
#define BOOST_TEST_MODULE rigorous
#include <boost/test/unit_test.hpp>

#include "lib/integrators/rigorous_signs.hpp"
#include "tests/lib/integrators/rigorous_cases.hpp"

namespace {

/// x' = f(x, t) from numbers at t = 0.
RigorousProblem problem_of(const std::vector<Number>& start, const RecordedField& f) {
  RigorousProblem out;
  Vector<double> near;
  for (const Number& x : start) near.push_back(x.approx());
  out.pieces = {record_field(near, 0, f)};
  out.start = [start] {
    Vector<Ball> x;
    for (const Number& v : start) x.push_back(v.as<Ball>());
    return x;
  };
  return out;
}

/// x' = y, y' = -x.
Vector<Recorded> rotation(const Vector<Recorded>& x, const Recorded&) { return {x[1], -x[0]}; }

Tape scalar(std::size_t size, const std::function<Recorded(const Vector<Recorded>&, const Recorded&)>& h) {
  return record_field(Vector<double>(size, 0.5), 0, [&](const Vector<Recorded>& x, const Recorded& t) {
    return Vector<Recorded>{h(x, t)};
  });
}

} // namespace

// x' = -x^3/2: x = (1+t)^(-1/2). x' = 1 + x^2: tan t. x' = -2 t x: e^{-t^2}. x' = 3/10: a polynomial.
BOOST_AUTO_TEST_CASE(closed_forms_are_enclosed_at_fifty_digits) {
  const Mpfr t = parse_real<Mpfr>("1.3");
  const auto at = [&](const char* x0, const RecordedField& f) {
    const auto s = enclosed(problem_of({x0}, f), {"0.5", "1.3"}, 50);
    BOOST_REQUIRE(s.why == RigorousStop::reached);
    return s.samples[1].x[0];
  };
  using V = Vector<Recorded>;
  encloses(at("1", [](const V& x, const Recorded&) { return V{-x[0] * x[0] * x[0] / 2}; }),
           known(Mpfr(1 / sqrt(1 + t)), "1e-75"), 49, "cubic");
  encloses(at("0", [](const V& x, const Recorded&) { return V{1 + x[0] * x[0]}; }),
           known(Mpfr(tan(t)), "1e-75"), 49, "tan");
  encloses(at("1", [](const V& x, const Recorded& s) { return V{-2 * s * x[0]}; }),
           known(Mpfr(exp(-t * t)), "1e-75"), 49, "Gauss");
  encloses(at("1/7", [](const V&, const Recorded&) { return V{parse_real<Recorded>("3/10")}; }),
           known(Mpfr(Mpfr(1) / 7 + 3 * t / 10), "1e-75"), 49, "line");
}

// beta = 0, Post-LN: dg/dt = (2/n)(1-g)(1+(n-1)g), a logistic equation:
// (1-g)/(1+(n-1)g) = (1-g0)/(1+(n-1)g0) e^{-2t}.
BOOST_AUTO_TEST_CASE(post_ln_at_beta_zero_is_logistic) {
  EquiangularParams p;
  p.beta = 0;
  p.n = 17;
  p.g0 = "0.1";
  const auto s = enclosed(rigorous_problem(p), {Number(3)}, 60);
  BOOST_REQUIRE(s.why == RigorousStop::reached);
  const Mpfr g0 = parse_real<Mpfr>("0.1"), q = (1 - g0) / (1 + 16 * g0) * exp(Mpfr(-6));
  const Mpfr g = (1 - q) / (1 + 16 * q);
  encloses(s.samples[0].x[0], known(Mpfr(log(1 - g)), "1e-74"), 59, "log gap");
  encloses(s.samples[0].x[1], known(Mpfr(0), "1e-74"), 59, "log r");
}

// Pre-LN at beta = 0 adds the same vector to every token, so that r^2 (1-g) = |x_i - x_j|^2/2 never changes.
BOOST_AUTO_TEST_CASE(pre_ln_at_beta_zero_keeps_the_distances) {
  EquiangularParams p;
  p.scheme.name = "pre";
  p.beta = 0;
  p.n = 5;
  p.g0 = "1/3";
  p.r0 = "0.7";
  const auto s = enclosed(rigorous_problem(p), {"0.3", "4", "20"}, 40);
  BOOST_REQUIRE(s.why == RigorousStop::reached);
  for (const auto& sample : s.samples) {
    const BallBits bits(s.bits);
    encloses(sample.x[0] + Ball(2) * sample.x[1],
             known(Mpfr(log(Mpfr(2) / 3) + 2 * log(parse_real<Mpfr>("0.7"))), "1e-74"), 39, "invariant");
  }
}

// Every eighth row of the reference; the others in the slow test.
BOOST_AUTO_TEST_CASE(rows_of_the_quadrature_are_enclosed) {
  const auto rows = attndyn::testing::equiangular_rows();
  BOOST_REQUIRE(rows.size() > 300);
  for (std::size_t i = 3; i < rows.size(); i += 8)
    if (std::stod(rows[i].t) <= 100) holds_the_reference(rows[i], 30);
}

BOOST_AUTO_TEST_CASE(random_equiangular_runs_are_enclosed) {
  for (std::uint64_t k = 0; k < 28; ++k) holds_the_taylor_solution(random_case(k));
}

// Boxes carried along without a frame would grow by a factor e^{t} or so: 1e434.
BOOST_AUTO_TEST_CASE(a_rotation_for_a_thousand_units_of_time_does_not_wrap) {
  const auto s = enclosed(problem_of({"1", "0"}, rotation), {Number(1000)}, 15);
  BOOST_REQUIRE(s.why == RigorousStop::reached);
  encloses(s.samples[0].x[0], known(Mpfr(cos(Mpfr(1000))), "1e-70"), 15, "cos");
  encloses(s.samples[0].x[1], known(Mpfr(-sin(Mpfr(1000))), "1e-70"), 15, "sin");
  BOOST_TEST_MESSAGE(
      fmt::format("rotation: {:.1f} digits, {} steps, {:.2f} s", s.digits, s.accepted, s.seconds));
}

BOOST_AUTO_TEST_CASE(a_box_that_turns_keeps_its_size_and_its_corners) {
  RigorousProblem p = problem_of({"1", "0"}, rotation);
  p.start = [] { return Vector<Ball>{Ball::between(0.9375, 1.0625), Ball::between(-0.125, 0.125)}; };
  const auto s = enclosed(p, {Number(1), Number(100)}, 10);
  BOOST_TEST((s.why == RigorousStop::digits_not_reached));
  BOOST_TEST(s.attempts <= 2); // more digits cannot help
  BOOST_REQUIRE(s.samples.size() == 2);
  const BallBits bits(200);
  std::vector<RigorousSample> samples = s.samples;
  for (double t : {0.3, 1.7, 55.5}) samples.push_back({Ball(t), s.at(Ball(t)), 0});
  for (const auto& sample : samples) {
    // Between the samples: the box around the set at the last step, half-widths at most sqrt(5)/16, times a
    // series whose coefficients have lost their signs, e^tau.
    const bool between = &sample >= &samples[2];
    const double tau = plain_value(sample.t - s.steps[s.steps_over(sample.t).first].t);
    const Mpfr t(sample.t.to_mpfr()), c = cos(t), n = sin(t);
    // The smallest box around the turned one has these half-widths.
    const double half[] = {plain_value(Mpfr(abs(c) / 16 + abs(n) / 8)),
                           plain_value(Mpfr(abs(n) / 16 + abs(c) / 8))};
    for (std::size_t i = 0; i < 2; ++i)
      BOOST_TEST(sample.x[i].radius() < 1.001 * (between ? std::sqrt(5.0) / 16 * std::exp(tau) : half[i]));
    for (double x : {0.9375, 1.0625})
      for (double y : {-0.125, 0.125}) {
        BOOST_TEST((contains(sample.x[0], Ball(Mpfr(c * x + n * y)))));
        BOOST_TEST((contains(sample.x[1], Ball(Mpfr(-n * x + c * y)))));
      }
  }
}

// x' = x (1 - x), from a box: the ends of the box are the ends of the enclosure (order is kept).
BOOST_AUTO_TEST_CASE(a_box_under_a_nonlinear_flow_is_enclosed_and_shrinks) {
  RigorousProblem p =
      problem_of({"0.5"}, [](const auto& x, const auto&) { return Vector<Recorded>{x[0] * (1 - x[0])}; });
  p.start = [] { return Vector<Ball>{Ball::between(0.46875, 0.53125)}; };
  const auto s = enclosed(p, {Number(1), Number(10)}, 3);
  const BallBits bits(200);
  for (const auto& sample : s.samples)
    for (double x0 : {0.46875, 0.5, 0.53125}) {
      const Mpfr decay = exp(-sample.t.to_mpfr());
      BOOST_TEST((contains(sample.x[0], Ball(Mpfr(x0 / (x0 + (1 - x0) * decay))))));
    }
  BOOST_TEST(s.samples[0].x[0].radius() < 0.04);
  BOOST_TEST(s.samples[1].x[0].radius() < 1e-4);
}

// x'' = x from (1, -1): e^{-t}, while errors grow like e^t: at t = 100 they take 43 digits.
BOOST_AUTO_TEST_CASE(growing_errors_are_met_by_more_digits) {
  const auto hyperbolic = problem_of({"1", "-1"}, [](const auto& x, const auto&) {
    return Vector<Recorded>{x[1], x[0]};
  });
  const auto s = enclosed(hyperbolic, {Number(100)}, 20);
  BOOST_TEST((s.why == RigorousStop::reached));
  BOOST_TEST(s.attempts > 1);
  BOOST_TEST(s.working_digits > 60);
  const Mpfr value = exp(Mpfr(-100));
  encloses(s.x[0], known(value, "1e-75"), 20, "e^-100");
  RigorousOptions few;
  few.digits = 20;
  few.max_working_digits = 30;
  const auto limited = solve_rigorously(hyperbolic, {Number(100)}, few);
  BOOST_TEST((limited.why == RigorousStop::digits_not_reached));
  BOOST_TEST(limited.digits < 20);
  BOOST_TEST((contains(limited.x[0], Ball(value)))); // wide, and true
}

BOOST_AUTO_TEST_CASE(where_the_solution_ends_no_step_is_proved) {
  const auto s =
      enclosed(problem_of({"1"}, [](const auto& x, const auto&) { return Vector<Recorded>{x[0] * x[0]}; }),
               {Number(2)}, 15);
  BOOST_TEST((s.why == RigorousStop::no_enclosure));
  BOOST_TEST(s.samples.empty());
  BOOST_TEST(plain_value(s.t) > 0.999);
  BOOST_TEST((certainly_less(s.t, Ball(1))));
}

// Once collapsed, Post-LN has d log(1-g)/dt = -2, and steps grow with the time that has passed.
BOOST_AUTO_TEST_CASE(times_of_1e84_take_few_steps) {
  EquiangularParams p;
  p.n = 32;
  p.beta = 2;
  const auto s = enclosed(rigorous_problem(p), {"1e84"}, 20);
  BOOST_REQUIRE(s.why == RigorousStop::reached);
  BOOST_TEST(s.accepted < 200u);
  const BallBits bits(s.bits);
  encloses(s.x[0] / Ball(parse_real<Ball>("1e84")), known(Mpfr(-2), "1e-75"), 19, "rate");
}

BOOST_AUTO_TEST_CASE(steps_seconds_and_observers_end_a_solve) {
  RigorousOptions options;
  options.max_steps = 3;
  const auto p = problem_of({"1", "0"}, rotation);
  const auto s = solve_rigorously(p, {Number(1000)}, options);
  BOOST_TEST((s.why == RigorousStop::max_steps));
  BOOST_TEST(s.steps.size() == 3);
  options = {};
  options.max_seconds = 1e-9;
  BOOST_TEST((solve_rigorously(p, {Number(1000)}, options).why == RigorousStop::max_seconds));
  options = {};
  int seen = 0;
  options.observer = [&](const RigorousStep&) { return ++seen < 5; };
  BOOST_TEST((solve_rigorously(p, {Number(1000)}, options).why == RigorousStop::observer));
  BOOST_TEST(seen == 5);
  BOOST_CHECK_THROW(solve_rigorously(p, {}, {}), std::invalid_argument);
  BOOST_CHECK_THROW(solve_rigorously(p, {Number(2), Number(1)}, {}), std::invalid_argument);
  BOOST_CHECK_THROW(solve_rigorously(p, {Number(-1)}, {}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(between_the_samples_the_steps_enclose) {
  const auto s = enclosed(problem_of({"1", "0"}, rotation), {Number(7)}, 30);
  const BallBits bits(s.bits);
  std::mt19937_64 draw(5);
  for (int i = 0; i < 200; ++i) {
    const double t = 7 * static_cast<double>(draw() >> 11) * 0x1p-53;
    const auto x = s.at(Ball(t));
    encloses(x[0], known(Mpfr(cos(Mpfr(t))), "1e-75"), 30, fmt::format("cos {}", t));
    const auto [first, last] = s.steps_over(Ball(t));
    BOOST_TEST((contains(s.steps[first].range[0], x[0].midpoint())));
  }
  BOOST_CHECK_THROW(s.at(Ball(7.5)), std::out_of_range);
}

// cos t from t = 0: its first zero is pi/2, then it falls; sin t - 1/2 has its first at pi/6.
BOOST_AUTO_TEST_CASE(a_first_zero_is_proved_to_be_where_it_is) {
  const auto s = enclosed(problem_of({"1", "0"}, rotation), {Number(7)}, 30);
  const Mpfr pi = 4 * atan(Mpfr(1));
  const auto x = scalar(2, [](const auto& v, const auto&) { return v[0]; });
  const auto zero = first_zero(s, x, 0, 7);
  BOOST_TEST((zero.verdict == Proof::proved));
  BOOST_TEST(zero.direction == -1);
  encloses(zero.t, known(Mpfr(pi / 2), "1e-75"), 29, "pi/2");
  const auto second = first_zero(s, x, 2, 7);
  BOOST_TEST(second.direction == 1);
  encloses(second.t, known(Mpfr(3 * pi / 2), "1e-75"), 29, "3 pi/2");
  const auto half = scalar(2, [](const auto& v, const auto&) { return -v[1] - 0.5; });
  encloses(first_zero(s, half, 0, 1).t, known(Mpfr(pi / 6), "1e-75"), 29, "pi/6");
  BOOST_TEST((first_zero(s, x, 0, "1.57").verdict == Proof::refuted));
  BOOST_TEST((first_zero(s, x, 0, "1.58").verdict == Proof::proved));
  // 1 - cos t touches zero at 2 pi and does not cross.
  const auto touching = scalar(2, [](const auto& v, const auto&) { return 1 - v[0]; });
  BOOST_TEST((first_zero(s, touching, 1, 7, 2000).verdict == Proof::undecided));
}

// g grows for beta >= 0; that it exceeds 1/2 from the start on is false, and so is that it does at the end
// alone.
BOOST_AUTO_TEST_CASE(signs_are_proved_and_refuted) {
  EquiangularParams p;
  p.scheme.name = "mix";
  const auto s = enclosed(rigorous_problem(p), {Number(10)}, 20);
  BOOST_REQUIRE(s.why == RigorousStop::reached);
  // dg/dt = -e^y dy/dt over the first piece.
  const Tape growth = record_field({-1, 0}, 0, [&](const Vector<Recorded>& v, const Recorded& t) {
    Vector<Recorded> rate(2);
    const EquiangularFlow<Recorded> flow(p);
    flow(0, v, rate, t);
    return Vector<Recorded>{-exp(v[0]) * rate[0]};
  });
  const auto proof = prove_sign(s, growth, 1, 0, "2.5");
  BOOST_TEST((proof.verdict == Proof::proved));
  BOOST_TEST(proof.intervals > 0u);
  BOOST_TEST((prove_sign(s, growth, -1, 0, "2.5").verdict == Proof::refuted));
  const auto half = scalar(2, [](const auto& v, const auto&) { return 0.5 - exp(v[0]); });
  const auto refuted = prove_sign(s, half, 1, 0, 10);
  BOOST_TEST((refuted.verdict == Proof::refuted));
  const auto crossing = first_zero(s, half, 0, 10);
  BOOST_REQUIRE((crossing.verdict == Proof::proved));
  BOOST_TEST(crossing.t.radius() < 1e-18);
  BOOST_TEST((certainly_less(refuted.t, crossing.t)));
  // Another solver arrives there at g = 1/2.
  const Equiangular<Mpfr> model(p);
  Options<Mpfr> options;
  options.tolerance = parse_real<Mpfr>("1e-40");
  const auto there = solve<Mpfr>(model, model.start(), Mpfr(0), {crossing.t.to_mpfr()}, options);
  BOOST_TEST((abs(there.samples[0].x[0] + log(Mpfr(2))) < Mpfr("1e-17")));
  // What a wrong claim that misses by little looks like.
  const auto end_gap = plain_value(s.x[0]);
  const auto almost = scalar(2, [&](const auto& v, const auto&) { return v[0] - (end_gap + 1e-9); });
  BOOST_TEST((prove_sign(s, almost, 1, 0, 10).verdict == Proof::refuted));
  const auto enough = scalar(2, [&](const auto& v, const auto&) { return v[0] - (end_gap - 1e-9); });
  BOOST_TEST((prove_sign(s, enough, 1, 0, 10).verdict == Proof::proved));
}

BOOST_AUTO_TEST_CASE(five_particles_are_enclosed_to_fifteen_digits) {
  holds_five_particles("lns", Attention::softmax);
  holds_five_particles("pre", Attention::causal);
}

BOOST_AUTO_TEST_CASE(references_of_the_particle_model_are_enclosed) {
  const auto wanted = [](const std::string& run) {
    return run == "plane_peri" || run == "usa_negative" || run == "massless" || run == "one_token_pre";
  };
  BOOST_TEST(holds_the_particle_references(wanted) == 4);
}
