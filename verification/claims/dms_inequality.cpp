// [DMS] sec. 3, lemma: how far a gradient path goes where the Polyak-Lojasiewicz inequality holds along it.
#include "lib/initial.hpp"
#include "lib/random.hpp"
#include "verification/all_claims.hpp"
#include "verification/proof/prove.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"
#include "verification/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace attndyn::verification::claims {
namespace {

/// A piece of a gradient path from u to v with the largest c for which |grad E|^2 >= 2c (E - inf E) along it.
struct Path {
  double c, fall, moved, error; ///< E(u) - E(v), |u - v|, bar on fall/(c moved^2)
  std::string where, witness = {};
  double ratio() const { return fall / (c * moved * moved); }
};

/// E = sum lambda_i x_i^2/2: the path has a closed form; c is the smallest curvature, or, were some x_i zero,
/// of those that move. All start values are non-zero here.
Path quadratic(const Vector<double>& lambda, const Vector<double>& start, double t) {
  double fall = 0, moved = 0;
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    const double part = -std::expm1(-lambda[i] * t); // 1 - x_i(t)/x_i(0)
    fall += lambda[i] * start[i] * start[i] / 2 * part * (2 - part);
    moved += start[i] * start[i] * part * part;
  }
  return {*std::min_element(lambda.begin(), lambda.end()), fall, std::sqrt(moved), 1e-12,
          fmt::format("E = sum lambda_i x_i^2/2, {} dimensions, lambda = {:.6g} .. {:.6g}, t = {:.6g}",
                      lambda.size(), *std::min_element(lambda.begin(), lambda.end()),
                      *std::max_element(lambda.begin(), lambda.end()), t)};
}

/// The same from the equation.
Path solved_quadratic(const Vector<double>& lambda, const Vector<double>& start, double t, double tolerance) {
  Path p = quadratic(lambda, start, t);
  const FunctionModel<double> model(lambda.size(),
                                    [&](const Vector<double>& x, Vector<double>& dx, const double&) {
                                      for (std::size_t i = 0; i < x.size(); ++i) dx[i] = -lambda[i] * x[i];
                                    });
  const auto r = run(model, start, {t}, tolerance);
  double fall = 0, moved = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const double x = r.samples[0].x[i];
    fall += lambda[i] * (start[i] - x) * (start[i] + x) / 2;
    moved += (start[i] - x) * (start[i] - x);
  }
  p.fall = fall;
  p.moved = std::sqrt(moved);
  double steep = 0;
  for (std::size_t i = 0; i < start.size(); ++i) steep += lambda[i] * std::abs(start[i]);
  p.error = p.ratio() * r.error * (steep / fall + 2 / p.moved * std::sqrt(static_cast<double>(start.size())));
  p.where += ", solved";
  return p;
}

/// E = x^2 + 3 sin^2 x, not convex, inf E = 0; c by minimising over the piece of path, which is an interval.
Path wavy(double start, double t) {
  const auto e = [](double x) { return x * x + 3 * std::sin(x) * std::sin(x); };
  const auto slope = [](double x) { return 2 * x + 3 * std::sin(2 * x); };
  const FunctionModel<double> model(
      1, [&](const Vector<double>& x, Vector<double>& dx, const double&) { dx[0] = -slope(x[0]); });
  const auto r = run(model, {start}, {t}, 1e-12);
  const double end = r.samples[0].x[0];
  double c = 1e300;
  constexpr int points = 20'000;
  for (int i = 0; i <= points; ++i) {
    const double x = end + (start - end) * i / points;
    if (x != 0) c = std::min(c, slope(x) * slope(x) / (2 * e(x)));
  }
  // Near its minimum the quotient is a parabola: the grid misses less than (step)^2 times its curvature.
  const double step = std::abs(start - end) / points;
  Path p{c, e(start) - e(end), std::abs(start - end), 0,
         fmt::format("E = x^2 + 3 sin^2 x, x = {:.6g}, t = {:.6g}", start, t)};
  p.error = p.ratio() * (100 * step * step / c + r.error * (std::abs(slope(start)) / p.fall + 2 / p.moved));
  return p;
}

std::string witness(double angle, double t) {
  const double phi = 2 * std::atan(std::tan(angle / 2) * std::exp(-t));
  const double c = (1 + std::cos(angle)) / 2, moved2 = (angle - phi) * (angle - phi) / 2;
  const auto energy = [](double a) { return (1 + std::cos(a)) / 4; };
  Witness w;
  w.claim = "DMS-inequality";
  w.command = "particles";
  w.options = {{"attention", "usa"},
               {"beta", "0"},
               {"init", fmt::format("list:1,0;{:.17g},{:.17g}", std::cos(angle), std::sin(angle))},
               {"times", fmt::format("0,{:g}", t)},
               {"tol", "1e-12"}};
  w.says = fmt::format(
      "these two tokens follow x' = -grad E in their angles, E = -2 energy, |grad E|^2 >= 2c (E - inf E) with c = {:.6g} "
      "(the smaller of the cosines is at the start); the angle between them falls from {:.9g} to {:.9g}, so |u-v|^2 = "
      "{:.9g} and twice the gain of energy is at least 2c |u-v|^2 = {:.9g}",
      c, angle, phi, moved2, 2 * c * moved2);
  w.observe = fmt::format("twice the gain of energy is {:.9g}, near (c/2) |u-v|^2 = {:.9g}",
                          2 * (energy(phi) - energy(angle)), c * moved2 / 2);
  w.values = {{"0", "energy", energy(angle), 1e-14},
              {fmt::format("{:g}", t), "energy", energy(phi), 1e-11},
              {fmt::format("{:g}", t), "one_minus_min_cosine", 2 * std::pow(std::sin(phi / 2), 2),
               1e-10 * (phi + 1e-10)}};
  return to_toml(w);
}

/// Two tokens on the circle, USA, beta = 0, masses 1/2: x' = -grad E for their angles, E = -(1 + cos phi)/2,
/// |grad E|^2 = (sin phi)^2/2 = (1 + cos phi)(E - inf E), so c = (1 + cos phi0)/2.
Path tokens(const Context& context, double angle, double t, double tolerance = 1e-12) {
  Matrix<double> x(2, 2);
  x(0, 0) = 1;
  x(0, 1) = std::cos(angle);
  x(1, 1) = std::sin(angle);
  ParticleParams<double> p;
  p.attention = Attention::unnormalised;
  p.beta = 0;
  const auto c =
      make_particles(context, p, tokens_from(x, false), fmt::format("two tokens at angle {:.6g}", angle));
  const auto r = run(*c.model, c.particles->start(), {t}, tolerance);
  const auto turned = [&](std::size_t j) { // angle of token j against its start
    const double* a = c.particles->start().data() + 2 * j;
    const double* b = r.samples[0].x.data() + 2 * j;
    return std::atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
  };
  const double first = turned(0), second = turned(1), phi = angle + second - first;
  Path out{(1 + std::cos(angle)) / 2,
           (std::cos(phi) - std::cos(angle)) / 2,
           std::hypot(first, second),
           0,
           fmt::format("{}, t = {:.6g}", c.where, t),
           witness(angle, t)};
  out.error = out.ratio() * r.error * 3 * (angle / out.fall + 2 / out.moved);
  return out;
}

void compare_printed(Findings& out, const Path& p) {
  out.at_least("(E(u) - E(v))/(c |u-v|^2) >= 2", p.ratio(), 2, p.error, p.where, true, p.witness);
}

void compare_corrected(const Context& context, Findings& out, const Path& p) {
  out.at_least("(E(u) - E(v))/(c |u-v|^2) >= 1/2", p.ratio(), context.constant("factor of c |u-v|^2", 0.5),
               p.error, p.where);
}

Vector<double> curvatures(std::size_t n, double condition) {
  Vector<double> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(n == 1 ? 1.0 : std::pow(condition, static_cast<double>(i) / static_cast<double>(n - 1)));
  return out;
}

Vector<double> normals(std::size_t n, std::uint64_t seed, std::uint64_t unit) {
  Stream stream(seed, unit, Purpose::tokens);
  Vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(stream.normal());
  return out;
}

void over_functions(const Context& context, Findings& out, const std::function<void(const Path&)>& compare) {
  const std::uint64_t draws = context.quick ? 5 : 40;
  for (std::size_t n : {1, 2, 5, 30})
    for (double condition : {1.0, 10.0, 1e4})
      for (double t : {1e-3, 0.3, 3.0, 40.0})
        for (std::uint64_t k = 0; k < draws; ++k)
          compare(quadratic(curvatures(n, condition), normals(n, context.seed, k), t));
  for (double condition : {1.0, 10.0})
    compare(solved_quadratic(curvatures(3, condition), normals(3, context.seed, 0), 2, 1e-12));
  for (double start : {0.1, 1.0, 2.0, 5.0, -20.0})
    for (double t : {0.01, 0.3, 3.0}) compare(wavy(start, t));
  for (double angle : {0.05, 0.3, 1.0, 2.0, 3.0})
    for (double t : {0.1, 1.0, 20.0}) {
      const Path p = tokens(context, angle, t);
      // tan(phi/2) = tan(phi0/2) e^-t, and both tokens turn by half of what the angle loses.
      out.equal("way of two tokens against that of the gradient path", p.moved,
                std::abs(angle - 2 * std::atan(std::tan(angle / 2) * std::exp(-t))) / std::sqrt(2.0), 1e-10,
                p.where);
      compare(p);
    }
  const Path coarse = tokens(context, 1, 1, 1e-9), fine = tokens(context, 1, 1, 1e-11);
  out.refined("(E(u) - E(v))/(c |u-v|^2) at tolerances 1e-09 and 1e-11", fine.ratio() - coarse.ratio(),
              coarse.error, coarse.where);
  out.note(fmt::format(
      "quadratic forms in 1 .. 30 dimensions, condition 1 .. 1e4, {} starts each from seed {}; x^2 + 3 "
      "sin^2 x; two tokens on the circle (USA, beta = 0), tolerance 1e-12",
      draws, context.seed));
}

/// (E(u) - E(v))/(c |u-v|^2) along one path of each kind.
void draw(const Context& context, Findings& out) {
  Curve c{
      "two tokens at angle 0.1: (E(u) - E(v))/(c |u-v|^2); predicted: 1/2, the least that holds (printed: 2)",
      "t", "ratio", true, true};
  for (int i = 0; i <= 40; ++i) {
    const Path p = tokens(context, 0.1, 0.02 * std::pow(1e3, i / 40.0));
    c.points.push_back({0.02 * std::pow(1e3, i / 40.0), p.ratio(), p.error, 0.5});
  }
  out.draw(std::move(c));
}

Search search(bool corrected) {
  Search s;
  // The printed statement is hunted where the command line can replay what is found.
  const std::vector<std::string> kinds{"two tokens", "quadratic", "x^2 + 3 sin^2 x"};
  s.axes = {{.name = "E",
             .scale = Axis::Scale::choice,
             .names = {kinds.begin(), kinds.begin() + (corrected ? 3 : 1)}},
            {.name = "dimensions", .low = 1, .high = 30, .scale = Axis::Scale::whole},
            {.name = "condition", .low = 1, .high = 1e6, .scale = Axis::Scale::log},
            {.name = "size of the start", .low = 1e-3, .high = 3, .scale = Axis::Scale::log},
            {.name = "t", .low = 1e-3, .high = 30, .scale = Axis::Scale::log}};
  s.corners = {{0, 1, 1, 3, 30}, {0, 1, 1, 3, 1e-3}, {0, 1, 1, 0.01, 30}};
  if (corrected)
    for (const auto& [kind, n, condition, size, t] : {std::tuple{1.0, 1.0, 1.0, 1.0, 30.0},
                                                      {1, 2, 1e6, 1, 1e-3},
                                                      {1, 30, 1e6, 1, 30},
                                                      {2, 1, 1, 3, 30},
                                                      {2, 1, 1, 2.5, 0.3},
                                                      {2, 1, 1, 1e-3, 1}})
      s.corners.push_back({kind, n, condition, size, t});
  s.at = [corrected](const Context& context, const std::vector<double>& x, Findings& out) {
    Path p;
    if (x[0] == 1) {
      const auto n = static_cast<std::size_t>(x[1]);
      auto start = normals(n, context.seed, n);
      for (double& v : start) v *= x[3];
      p = quadratic(curvatures(n, x[2]), start, x[4]);
    } else {
      p = x[0] == 2 ? wavy(x[3], x[4]) : tokens(context, x[3], x[4]);
    }
    corrected ? compare_corrected(context, out, p) : compare_printed(out, p);
  };
  return s;
}

constexpr const char* hypotheses =
    "smooth E, bounded below; c the largest for which |grad E|^2 >= 2c (E - inf E) along the piece of path from u to v.";

} // namespace

Claim dms_inequality() {
  return {
      .id = "DMS-inequality",
      .source = "[DMS] lemma in sec. 3",
      .statement =
          "If |grad E|^2 >= 2c (E - inf E) along the path x' = -grad E from u to a later point v, then 2c |u-v|^2 "
          "<= E(u) - E(v).",
      .hypotheses = hypotheses,
      .prediction = "(E(u) - E(v))/(c |u-v|^2) >= 2",
      .blind_to =
          "nothing that matters once one path violates it; functions other than the three kinds tried.",
      .expected = Verdict::fails,
      .check =
          [](const Context& context, Findings& out) {
            over_functions(context, out, [&](const Path& p) {
              if (!p.witness.empty()) compare_printed(out, p);
            });
            out.equal("E = x^2/2 from 1 to 0 (t = 40): (E(u) - E(v))/(c |u-v|^2)",
                      quadratic({1}, {1}, 40).ratio(), 0.5, 1e-12, "E = x^2/2");
            draw(context, out);
          },
      .proves = "two tokens on the circle violate it: from phi0 = 1/10 to t = 5, and from phi0 = 2 to t = 20",
      .prove =
          [](const Context&, Findings& out, Certificate& certificate) {
            Prover prover(certificate, out);
            for (const auto& [phi0, t] : {std::pair{"1/10", "5"}, {"2", "20"}})
              prover.refutes("path_length_printed_violation", {{"phi0", phi0}, {"t", t}});
          },
      .search = [](const Context&) { return search(false); }};
}

Claim dms_inequality_corrected() {
  return {
      .id = "DMS-inequality-corrected",
      .source = "[DMS] lemma in sec. 3, corrected",
      .statement =
          "If |grad E|^2 >= 2c (E - inf E) along the path x' = -grad E from u to a later point v, then (c/2) "
          "|u-v|^2 <= E(u) - E(v); the factor 1/2 is the best one.",
      .hypotheses = hypotheses,
      .prediction = "(E(u) - E(v))/(c |u-v|^2) >= 1/2, with equality in the limit for E = c x^2/2, v = 0",
      .blind_to =
          "functions other than the kinds tried. (d sqrt(E - inf E)/dt <= -sqrt(c/2) |x'| is the proof.)",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            over_functions(context, out, [&](const Path& p) { compare_corrected(context, out, p); });
            for (double c : {0.01, 1.0, 300.0})
              out.equal("E = c x^2/2, v = 0: (E(u) - E(v))/(c |u-v|^2)",
                        quadratic({c}, {1.7}, 40 / c).ratio(), context.constant("factor of c |u-v|^2", 0.5),
                        1e-12, fmt::format("c = {:g}, t = 40/c", c));
            // Tokens: E(phi) is c phi^2/4 in the end, and (phi0 - phi)^2/2 is |u-v|^2.
            const Path small = tokens(context, 1e-2, 30);
            out.equal("two tokens from angle 0.01 until they meet: (E(u) - E(v))/(c |u-v|^2)", small.ratio(),
                      context.constant("factor of c |u-v|^2", 0.5), 1e-4 * 0.5 + small.error, small.where);
            draw(context, out);
          },
      .fixes = {{"factor of c |u-v|^2", Fixed::Kind::constant, "1/2"}},
      .search = [](const Context&) { return search(true); }};
}

} // namespace attndyn::verification::claims
