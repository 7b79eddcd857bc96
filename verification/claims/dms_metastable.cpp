// [DMS] Thm 1.1: tokens in well separated caps come together fast and stay there for a time exponential in
// beta.
#include "analysis/coarsening.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"
#include "verification/separated_caps.hpp"
#include "verification/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attndyn::verification::claims {
namespace {

ParticleParams<double> params(double beta) {
  ParticleParams<double> p;
  p.beta = Number(beta);
  p.reduce_span = false;
  return p;
}

struct Measured {
  double value, error;
};

/// T_1: the first time at which all same-cap squared distances are at most e^{-beta/4}.
Measured gathered(const Context& context, const Caps& c, double beta, double tolerance = 1e-11) {
  const std::size_t n = c.tokens.cols, d = c.tokens.rows;
  const auto particles = make_particles(context, params(beta), tokens_from(c.tokens, false), c.name);
  Options<double> options;
  options.tolerance = tolerance;
  options.max_steps = 100'000;
  options.events = {{"gathered",
                     [&](const Vector<double>& x, const double&) {
                       double most = 1e-300;
                       for (std::size_t i = 0; i < n; ++i)
                         for (std::size_t j = 0; j < i; ++j)
                           if (c.cap[i] == c.cap[j])
                             most = std::max(most, 2 * chord_gap(x.data() + i * d, x.data() + j * d, d));
                       return std::log(most) + beta / 4;
                     },
                     Event<double>::Direction::falling, true}};
  const double late = 100 * beta + 1000;
  auto s = solve<double>(*particles.model, particles.particles->start(), 0.0, {late}, options);
  // Where the tokens are so close that only stability limits the steps, tightening them ends early.
  while (s.why == Stop::tolerance_not_reached && options.tolerance < 1e-9) {
    options.tolerance *= 3;
    s = solve<double>(*particles.model, particles.particles->start(), 0.0, {late}, options);
  }
  if (s.why == Stop::reached_end) return {late, 1};
  if (s.why != Stop::event) throw std::runtime_error(name_of(s.why) + (" " + s.detail) + ": " + c.name);
  // The squared distance falls at rate 2: an error of the positions over the distance is one of the time.
  return {s.t, 10 * options.tolerance * std::exp(beta / 8) + 1e-9};
}

/// log of the first time at which a token leaves the cap of twice the size (2 (1 - cosine) of the rim), or at
/// which a pair of one cap is at 1 - cosine = `together`, if that is given.
double log_exit(const Context& context, const Caps& c, double beta, double tolerance, double together = 0) {
  const std::size_t n = c.tokens.cols, d = c.tokens.rows;
  analysis::CoarseningOptions options;
  options.samples_per_decade = 0;
  options.tolerance = tolerance;
  options.until = [&](const analysis::Coarse& now) {
    double most = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double* x = &now.theta(0, now.label[j]);
      if (together == 0)
        most = std::max(most, chord_gap(x, &c.centres(0, c.cap[j]), d));
      else
        for (std::size_t i = 0; i < j; ++i)
          if (c.cap[i] == c.cap[j]) most = std::max(most, chord_gap(x, &now.theta(0, now.label[i]), d));
    }
    return together == 0 ? 2 * (1 - std::cos(c.radius)) - most : most - together;
  };
  const auto run = analysis::coarsen(params(beta), tokens_from(c.tokens, false), options,
                                     [&](const ParticleParams<double>& p, const Tokens<double>& tokens) {
                                       return make_particles(context, p, tokens, c.name).model;
                                     });
  if (run.why != analysis::CoarseningEnd::until)
    throw std::runtime_error(std::string(name_of(run.why)) + " " + run.detail +
                             ": no token leaves its cap, " + c.name);
  return run.log_time;
}

/// Caps of size 1 - cosine <= C/beta.
constexpr double cap_constant = 0.25;
Caps shrinking(Family f, double angle, double beta, double constant = cap_constant) {
  return caps(f, angle, constant / beta);
}

/// T_1 = beta/8 - (log beta)/2 + const + O(1/beta): exponent and coefficient from doublings. Both err by
/// O(1/beta^2), a third of the last change; half of it is the bar.
void time_to_gather(const Context& context, Findings& out, Family f, double angle) {
  std::vector<double> lifted, error;
  const std::vector<double> betas{16, 32, 64, 128};
  std::string where;
  for (double beta : betas) {
    const Caps c = shrinking(f, angle, beta);
    const Measured m = gathered(context, c, beta);
    lifted.push_back(m.value + std::log(beta) / 2);
    error.push_back(m.error);
    where = fmt::format("post, sa, beta = 16 .. 128, {}", c.name);
  }
  const auto slope = [&](std::size_t k) { return (lifted[k + 1] - lifted[k]) / (betas[k + 1] - betas[k]); };
  const auto exponent = [&](std::size_t k) { return 1 + std::log2(slope(k + 1) / slope(k)); };
  const double noise = (error[3] + error[2]) / 64 + 1e-6;
  out.equal("T_1 + (log beta)/2 per beta", slope(2), context.constant("T_1 per beta", 0.125),
            std::abs(slope(2) - slope(1)) / 2 + noise, where);
  out.equal("exponent of T_1 + (log beta)/2, less its constant, in beta", exponent(1),
            context.exponent("T_1 in beta", 1), std::abs(exponent(1) - exponent(0)) / 2 + 25 * noise, where);
}

/// log T_exit = beta (1 - cosine) - log beta + const + O(1/beta).
void time_to_leave(const Context& context, Findings& out, Family f, double angle) {
  const std::vector<double> betas{80, 160, 320, 640};
  std::vector<double> lifted;
  std::string where;
  for (double beta : betas) {
    const Caps c = shrinking(f, angle, beta);
    const double log_t = log_exit(context, c, beta, 1e-9);
    lifted.push_back(log_t + std::log(beta));
    where = fmt::format("post, sa, beta = {:g}, {}", beta, c.name);
    // Largest cosine between points of two doubled caps.
    const double alpha = std::cos(angle - 2 * std::acos(1 - 2 * cap_constant / beta));
    out.at_least("log of the first exit less log of C e^{(1 - alpha) beta}",
                 log_t - (1 - alpha) * beta - std::log(cap_constant), 0, 0.01, where);
  }
  const auto slope = [&](std::size_t k) { return (lifted[k + 1] - lifted[k]) / (betas[k + 1] - betas[k]); };
  const double rise = 1 - std::cos(angle);
  out.equal("(log T_exit + log beta) per beta over 1 - cosine of the nearest centres", slope(2) / rise,
            context.constant("log T_2 per beta over 1 - cosine", 1),
            (std::abs(slope(2) - slope(1)) + 1e-6) / rise, where);
}

void refine(const Context& context, Findings& out) {
  const Caps c = shrinking(Family::two_on_circle, 1, 80);
  const Measured a = gathered(context, c, 80, 1e-9), b = gathered(context, c, 80, 1e-11);
  out.refined("T_1 at tolerances 1e-9 and 1e-11", b.value - a.value, a.error, c.name);
  out.refined("log of the first exit at tolerances 1e-8 and 1e-10",
              log_exit(context, c, 80, 1e-10) - log_exit(context, c, 80, 1e-8), 1e-5, c.name);
}

/// Two tokens on the rim of one cap of fixed size.
Caps fixed_pair(double cap_gap) {
  Caps c = caps(Family::two_on_circle, 2, cap_gap);
  Matrix<double> pair(2, 2);
  std::copy_n(c.tokens.data.begin(), 4, pair.data.begin());
  c.tokens = pair;
  c.cap = {0, 0};
  c.name = fmt::format("two tokens on the rim of a cap of 1 - cosine = {:g}", cap_gap);
  return c;
}

std::string witness(double cap_gap) {
  const Caps c = fixed_pair(cap_gap);
  constexpr double beta = 300;
  const double t = 10 * beta, gap = chord_gap(&c.tokens(0, 0), &c.tokens(0, 1), 2);
  Witness w;
  w.claim = "DMS-metastable";
  w.command = "particles";
  w.options = {{"attention", "sa"},
               {"beta", "300"},
               {"init", inline_tokens({c.tokens, {1, 1}})},
               {"times", fmt::format("{:g}", t)}};
  w.says =
      "same-cap squared distances, 2 one_minus_min_cosine here, fall below e^(-beta/4) by a time of order beta, "
      "whatever the size of the cap; this is t = 10 beta";
  // c' = 2 (1-c^2) e^{-beta (1-c)} to order e^{-beta gap}: what the pair has moved is far below the
  // tolerance.
  w.observe =
      fmt::format("nothing has moved: the pair needs a time of order e^(beta {:.3g}) = {:.2g} to meet", gap,
                  std::exp(beta * gap));
  w.values = {
      {fmt::format("{:g}", t), "one_minus_min_cosine", gap, 4 * gap * t * std::exp(-beta * gap) + 1e-9}};
  return to_toml(w);
}

/// Exponents of T_1 between beta and 2 beta for a fixed cap.
void fixed_caps(const Context& context, Findings& out, double cap_gap, double beta) {
  const Caps c = fixed_pair(cap_gap);
  // A lower bound of T_1 that needs no tiny distances: 1 - cosine = 1e-6 > e^{-beta/4}/2.
  const double early = log_exit(context, c, beta, 1e-9, 1e-6),
               late = log_exit(context, c, 2 * beta, 1e-9, 1e-6);
  out.equal("log2 of the factor by which T_1 (a lower bound of it) grows when beta doubles; order beta: 1",
            (late - early) / std::log(2.0), 1, 0.05,
            fmt::format("{}, beta = {:g} to {:g}", c.name, beta, 2 * beta), witness(cap_gap));
}

void draw(const Context& context, Findings& out, bool corrected) {
  Curve leave{
      "first exit from a doubled cap, two caps on the circle at angle 1; predicted: e^{(1-cos 1) beta}/(2 beta (sin 1)^2)",
      "beta", corrected ? "log T_exit" : "log T_1"};
  if (!corrected) leave.title = "log T_1 for caps of fixed size 0.02; predicted: log(beta/8)";
  for (double beta : {60.0, 80.0, 120.0, 160.0, 240.0, 320.0, 480.0, 640.0}) {
    const double s = std::sin(1.0);
    leave.points.push_back(
        corrected
            ? Curve::Point{beta, log_exit(context, shrinking(Family::two_on_circle, 1, beta), beta, 1e-9), 0,
                           beta * (1 - std::cos(1.0)) - std::log(2 * beta * s * s)}
            : Curve::Point{beta, log_exit(context, fixed_pair(0.02), beta, 1e-9, 1e-6), 0,
                           std::log(beta / 8)});
  }
  out.draw(std::move(leave));
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "caps",
             .scale = Axis::Scale::choice,
             .names = {"two on the circle", "three on the sphere", "two on the sphere"}},
            {.name = "angle of the nearest centres", .low = 0.7, .high = 1.5},
            {.name = "C of 1 - cosine <= C/beta", .low = 0.02, .high = 0.5, .scale = Axis::Scale::log},
            {.name = "beta", .low = 30, .high = 128, .scale = Axis::Scale::log}};
  s.corners = {
      {0, 0.7, 0.02, 128}, {0, 1.5, 0.5, 128}, {1, 0.7, 0.5, 40}, {1, 1.5, 0.02, 30}, {2, 0.7, 0.5, 128}};
  s.at = [](const Context& context, const std::vector<double>& x, Findings& out) {
    const double beta = x[3], radius = std::acos(1 - 2 * x[2] / beta);
    const double alpha = std::cos(x[1] - 2 * radius);
    if (x[1] - 2 * radius < 0.3 || beta * (1 - alpha) < 8)
      throw NotApplicable("caps that are not well separated");
    const Caps c = shrinking(static_cast<Family>(static_cast<int>(x[0])), x[1], beta, x[2]);
    const std::string where = fmt::format("post, sa, beta = {:.6g}, {}", beta, c.name);
    const Measured m = gathered(context, c, beta);
    double widest = 0;
    for (std::size_t i = 0; i < c.tokens.cols; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (c.cap[i] == c.cap[j])
          widest = std::max(widest, 2 * chord_gap(&c.tokens(0, i), &c.tokens(0, j), c.tokens.rows));
    // No squared distance falls faster than e^{-2t}; once within a cap of logits beta widest/2 <= 4C it falls
    // at least at 2/3 of e^{-4C} of that, and like e^{-2t} in the end.
    const double direct = (beta / 4 + std::log(widest)) / 2;
    out.at_least("T_1 less (beta/4 + log of the largest squared distance)/2", m.value, direct,
                 m.error + 8 * std::exp(-beta * (1 - alpha)) * beta + 0.02, where);
    out.at_least("that plus 2 e^{4C} less T_1", direct + 2 * std::exp(4 * x[2]) - m.value, 0, m.error, where);
    // The exit comes at e^{beta (1 - cosine)}/(2 beta (sin angle)^2) and the doubled caps are sqrt(4C/beta)
    // wide: the least of e^{4 sin(angle) sqrt(C beta)}/(2 beta (sin angle)^2) over beta is 2 e^2 C. So K = C
    // is safe.
    out.at_least("log of the first exit less log of C e^{(1 - alpha) beta}",
                 log_exit(context, c, beta, 1e-8) - (1 - alpha) * beta - std::log(x[2]), 0, 0.01, where);
  };
  return s;
}

Search search_printed(const Context&) {
  Search s;
  s.axes = {{.name = "1 - cosine of the cap", .low = 0.01, .high = 0.05, .scale = Axis::Scale::log},
            {.name = "beta", .low = 200, .high = 1200, .scale = Axis::Scale::log}};
  s.corners = {{0.01, 1200}, {0.05, 1200}};
  s.at = [](const Context& context, const std::vector<double>& x, Findings& out) {
    fixed_caps(context, out, x[0], x[1]);
  };
  return s;
}

} // namespace

Claim dms_metastable() {
  return {
      .id = "DMS-metastable",
      .source = "[DMS] Thm 1.1",
      .statement =
          "Tokens in well separated caps: same-cap squared distances fall below e^{-beta/4} by T_1 of order beta, and every token "
          "stays in its cap of twice the size to T_2 of order e^{(1-alpha) beta}, alpha the largest cosine between doubled caps "
          "(SA).",
      .hypotheses =
          "Post-LN, Q = K = V = I, equal masses; caps of a fixed size as beta grows (the statement ties it to nothing).",
      .prediction = "T_1 ~ beta",
      .blind_to = "other readings, in which the caps shrink as beta grows: they are the corrected claim.",
      .expected = Verdict::fails,
      .check =
          [](const Context& context, Findings& out) {
            for (double cap_gap : {0.01, 0.02, 0.05})
              for (double beta : {200.0, 400.0, 800.0}) fixed_caps(context, out, cap_gap, beta);
            time_to_leave(context, out, Family::two_on_circle, 1);
            refine(context, out);
            draw(context, out, false);
            out.note(
                "two tokens on the rim of a cap of 1 - cosine = 0.01, 0.02, 0.05, beta = 200 .. 1600; the time scale of the "
                "exit for shrinking caps, beta = 80 .. 640");
          },
      .search = search_printed};
}

Claim dms_metastable_corrected() {
  return {
      .id = "DMS-metastable-corrected",
      .source = "[DMS] Thm 1.1, corrected",
      .statement =
          "Tokens in caps 1 - <x,w> <= C/beta around separated centres (SA): same-cap squared distances fall below e^{-beta/4} by "
          "T_1 = beta/8 - (log beta)/2 + O(1), and every token stays in its cap of twice the size at least to T_2 = K "
          "e^{(1-alpha) beta}, K depending on C, alpha the largest cosine between doubled caps.",
      .hypotheses =
          "Post-LN, Q = K = V = I, equal masses; tokens on the rims of the caps, so that their centres are kept.",
      .prediction =
          "T_1 per beta -> 1/8; first exit at e^{(1 - cosine of the nearest centres) beta} over a multiple of beta, which "
          "is later than e^{(1-alpha) beta}",
      .blind_to =
          "caps whose centre of mass is not their centre, where the first exit may be earlier by a factor e^{O(sqrt beta)}; "
          "T_1 beyond beta = 128.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            for (const auto& [f, angle] : {std::pair{Family::two_on_circle, 1.0},
                                           {Family::three_on_sphere, 1.2},
                                           {Family::two_on_sphere, 0.9}}) {
              if (context.quick && f == Family::two_on_sphere) continue;
              time_to_gather(context, out, f, angle);
              time_to_leave(context, out, f, angle);
            }
            refine(context, out);
            draw(context, out, true);
            out.note(fmt::format(
                "2 caps on the circle (n = 4), 3 and (not quick) 2 on the sphere (n = 8, 5), C = {}; T_1 at beta = 16 .. "
                "128 (tolerance 1e-11), first exit at beta = 80 .. 640 (merged tokens)",
                cap_constant));
          },
      .fixes = {{"T_1 per beta", Fixed::Kind::constant, "1/8"},
                {"T_1 in beta", Fixed::Kind::exponent, "1"},
                {"log T_2 per beta over 1 - cosine", Fixed::Kind::constant, "1"}},
      .search = search};
}

} // namespace attndyn::verification::claims
