// [NAD] Thm 4.1, second part: the terminal laws from the orthogonal start, with their constants.
#include "analysis/overlap.hpp"
#include "lib/initial.hpp"
#include "lib/models/separable.hpp"
#include "verification/all_claims.hpp"
#include "verification/high.hpp"
#include "verification/proof/prove.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"
#include "verification/theory/predictions.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

namespace attndyn::verification::claims {
namespace {

/// log of the law f that g' is printed to follow up to a constant, and the constant that theory gives for it.
struct Law {
  double log_f;
  double constant;
  double order; ///< the ratio g'/f approaches its constant like t^-order; 0: exponentially
};

/// alpha(t) = alpha (1+t)^-decay: alpha(t) and its integral.
std::pair<double, double> alpha_and_integral(const SchemeParams& s, double t) {
  const double a = s.alpha.approx(), k = s.alpha_decay.approx();
  return {a * std::pow(1 + t, -k),
          k == 1 ? a * std::log1p(t) : a * std::expm1((1 - k) * std::log1p(t)) / (1 - k)};
}

Law law_of(const Context& context, const EquiangularParams& p, double t) {
  const std::string& scheme = p.scheme.name;
  const double c =
      theory::terminal_constant(scheme, p.n, p.beta.approx(), p.r0.approx(), p.scheme.tau.approx());
  if (scheme == "post") return {-context.constant("rate of Post-LN", 2) * t, 2 * c, 0};
  if (scheme == "sqrt")
    return {-context.constant("rate of sqrt-scaling", 4) * std::sqrt(t) -
                context.exponent("power of t in sqrt-scaling", 0.5) * std::log(t),
            2 * c, 0.5};
  if (scheme == "ngpt") {
    const auto [alpha, integral] = alpha_and_integral(p.scheme, t);
    return {std::log(alpha) - context.constant("rate of nGPT", 2) * integral, 2 * c, 0};
  }
  return {context.exponent("power of Pre-, Peri-, Mix-LN", -3) * std::log(t), 2 * c, 1};
}

/// log(g'(t)/f(t)) - log C.
double log_defect(const Context& context, const EquiangularCase& c, const EquiangularParams& p,
                  const Sample<double>& s) {
  Vector<double> dxdt(2);
  c.model->field(s.piece, s.x, dxdt, s.t);
  const double log_speed = s.x[0] + std::log(-dxdt[0]);
  const Law law = law_of(context, p, s.t);
  return log_speed - law.log_f - std::log(law.constant);
}

void compare_law(const Context& context, Findings& out, EquiangularParams p, double t_end) {
  const auto c = make_equiangular(context, p);
  // Two times: algebraic approaches are extrapolated from t/4 and t, and the last correction is the error
  // bar.
  const auto r = run(*c.model, c.equiangular->start(), {t_end / 4, t_end}, 1e-12);
  const double early = log_defect(context, c, p, r.samples[0]),
               late = log_defect(context, c, p, r.samples[1]);
  const double order = law_of(context, p, t_end).order;
  const double rounding = 1e-9 + 1e-14 * std::abs(r.samples[1].x[0]);
  const double weight = order == 0 ? 0 : 1 / (std::pow(4, order) - 1);
  const double limit = late + (late - early) * weight;
  const double bar = rounding + std::abs(late - early) * (order == 0 ? 1 : weight * 0.1);
  out.equal("lim log(g'/f) - log C", limit, 0, bar, fmt::format("{}, t = {:g}", c.where, t_end), c.witness);
  out.at_least("the bar itself is small", 1e-3, bar, 1e-3, c.where);
}

/// Far enough for the law at a quarter of it. g = 0 is left after the Post-LN time e^beta at most, which is
/// the time r0 (e^T - 1) or less where the radius grows like t.
double end_of(const EquiangularParams& p) {
  const double delay = std::exp(std::max(0.0, p.beta.approx()));
  const std::string& scheme = p.scheme.name;
  if (scheme == "post" || scheme == "ngpt") return 4 * (10 + delay);
  if (scheme == "sqrt") return std::max(1e8, delay * delay);
  return 1e8 * (1 + p.r0.approx()) * std::exp(std::min(delay, 400.0));
}

void refine(const Context& context, Findings& out) {
  for (const char* scheme : {"post", "pre", "ngpt"}) {
    EquiangularParams p;
    p.scheme.name = scheme;
    p.n = 16;
    p.beta = 1;
    const auto c = make_equiangular(context, p);
    refined_run(out, c.where, *c.model, c.equiangular->start(), {end_of(p) / 4, end_of(p)}, 1e-10);
  }
}

/// g'/(C f) along the runs of the six schemes.
void draw(const Context& context, Findings& out) {
  for (const auto& scheme : paper_schemes()) {
    EquiangularParams p;
    p.scheme.name = scheme;
    p.n = 16;
    p.beta = 1;
    const auto c = make_equiangular(context, p);
    std::vector<double> times;
    for (int i = 0; i <= 40; ++i) times.push_back(std::pow(10.0, (end_of(p) > 1e3 ? 6.0 : 1.6) * i / 40));
    Curve curve{fmt::format("g'/(C f), {}, n = 16, beta = 1", scheme), "t", "g'/(C f)", true, false};
    for (const auto& s : run(*c.model, c.equiangular->start(), times, 1e-12).samples)
      curve.points.push_back({s.t, std::exp(log_defect(context, c, p, s)), 0, 1});
    out.draw(std::move(curve));
  }
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "scheme", .scale = Axis::Scale::choice, .names = paper_schemes()},
            {.name = "n", .low = 2, .high = 1e4, .scale = Axis::Scale::whole_log},
            {.name = "beta", .low = -3, .high = 6},
            {.name = "r0", .low = 0.01, .high = 100, .scale = Axis::Scale::log},
            {.name = "tau", .low = 0, .high = 5}};
  for (double scheme = 0; scheme < 6; ++scheme)
    for (const auto& [n, beta, r0] : {std::tuple{2.0, 0.0, 0.01}, {3.0, 1e-30, 100.0}, {1e4, 6.0, 1.0}})
      s.corners.push_back({scheme, n, beta, r0, 0});
  s.at = [](const Context& context, const std::vector<double>& x, Findings& out) {
    EquiangularParams p;
    p.scheme.name = paper_schemes()[static_cast<std::size_t>(x[0])];
    p.n = static_cast<int>(x[1]);
    p.beta = Number(x[2]);
    p.r0 = Number(x[3]);
    p.scheme.tau = Number(x[4]);
    compare_law(context, out, p, end_of(p));
  };
  return s;
}

/// (1-g) e^{2t} of Post-LN at t = 40, where the law holds to e^-80, against the constant as a quadrature.
void check_high(const Context&, Findings& out) {
  using std::exp;
  using std::log;
  for (const auto& [n, beta] : {std::pair{2, "1"}, {8, "-1"}, {16, "0"}, {256, "5"}}) {
    EquiangularParams p;
    p.n = n;
    p.beta = beta;
    const HighState at = two_routes(out, p, 48);
    const BallBits bits(256);
    const Float128 constant = Number(upper_text(Separable(p).terminal_constant(), 40)).as<Float128>();
    equal_high(out, "log of (1-g) e^{2t} over its constant, t = 48", at.log_gap + 96 - log(constant), 0,
               1e-27, fmt::format("post, n = {}, beta = {}", n, beta));
  }
  out.note("Post-LN at t = 48: Taylor steps in Float128, constant by quadrature in balls of 256 bits");
}

void equal_cosines(const Context& context, Findings& out) {
  for (std::size_t n : {3, 8, 24})
    for (const auto& scheme : paper_schemes()) {
      ParticleParams<double> p;
      p.scheme.name = scheme;
      p.beta = 2;
      const auto c = make_particles(context, p, orthogonal<double>({n, n}), "orthogonal");
      for (const auto& s : run(*c.model, c.particles->start(), {0.5, 2, 5}).samples) {
        const auto theta = to_tokens(s.x, c.particles->shape()).theta;
        const double spread =
            analysis::one_minus_min_cosine(theta) / analysis::one_minus_mean_cosine(theta) - 1;
        out.equal("(1 - min cosine)/(1 - mean cosine) - 1", spread, 0, 1e-8,
                  fmt::format("{}, t = {:g}", c.where, s.t));
      }
    }
  out.note("particles from the orthogonal start, n = 3, 8, 24: all pairs share one 1-cos");
}

/// dg/dt > 0 for ever, and both ends of the constants of 1-g.
void prove(const Context&, Findings& out, Certificate& certificate) {
  Prover prover(certificate, out);
  for (const auto& [n, beta] : {std::pair{2, "1"}, {8, "-1"}, {16, "0"}, {256, "5"}})
    for (const auto& scheme : paper_schemes()) {
      EquiangularParams p;
      p.scheme.name = scheme;
      p.n = n;
      p.beta = beta;
      Parameters boxes = text_of(p);
      boxes.emplace_back("boxes", "256");
      prover.holds("gap_decreases", std::move(boxes));
      prover.encloses("terminal_constant", text_of(p),
                      theory::terminal_constant(scheme, n, p.beta.approx(), 1, p.scheme.tau.approx()));
    }
}

} // namespace

Claim nad_4_1_terminal() {
  return {
      .id = "NAD-4.1-terminal",
      .source = "[NAD] Thm 4.1",
      .statement =
          "Orthogonal start: all pairwise cosines stay equal, and g' ~ C e^{-2t} (Post-LN), C/t^3 (Pre-, Peri-, "
          "Mix-LN), C e^{-4 sqrt t}/sqrt t (sqrt-scaling), C alpha(t) e^{-2 int alpha} (nGPT).",
      .hypotheses = "Q = K = V = I, softmax; n = 2 .. 256, beta = -1 .. 5, r0, tau and alpha(t) varied.",
      .prediction = "log(g'/f) tends to log C, with C as a quadrature",
      .blind_to =
          "times beyond those reached: Post-LN and nGPT until 1-g < e^-80, the algebraic laws until 1e8 times the time at which g leaves 0.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            for (const auto& [n, beta] : {std::pair{2, "1"}, {8, "-1"}, {16, "0"}, {256, "5"}})
              for (const char* r0 : {"1", "0.5"})
                for (const auto& scheme : paper_schemes()) {
                  EquiangularParams p;
                  p.scheme.name = scheme;
                  p.n = n;
                  p.beta = beta;
                  p.r0 = r0;
                  if (p.r0.text() != "1") p.scheme.tau = "0.1";
                  compare_law(context, out, p, end_of(p));
                }
            for (const char* decay : {"0.5", "0.25"}) {
              EquiangularParams p;
              p.scheme = {.name = "ngpt", .alpha_decay = decay};
              p.n = 16;
              p.beta = 1;
              compare_law(context, out, p, 2000);
            }
            out.note(
                "laws read off at t/4 and t = 4 (10 + e^beta) (exponential) or 1e8 times the time at which g leaves 0, tolerance 1e-12; bars contain the change from t/4 to t");
            equal_cosines(context, out);
            refine(context, out);
            draw(context, out);
          },
      .proves =
          "g grows for ever, and two-sided bounds of the constants of 1-g to 50 digits, six schemes at four (n, beta)",
      .prove = prove,
      .fixes = {{"rate of Post-LN", Fixed::Kind::constant, "e^{-2t}"},
                {"rate of sqrt-scaling", Fixed::Kind::constant, "e^{-4 sqrt t}"},
                {"power of t in sqrt-scaling", Fixed::Kind::exponent, "1/sqrt t"},
                {"rate of nGPT", Fixed::Kind::constant, "e^{-2 int alpha}"},
                {"power of Pre-, Peri-, Mix-LN", Fixed::Kind::exponent, "t^-3"}},
      .search = search,
      .check_high = check_high};
}

} // namespace attndyn::verification::claims
