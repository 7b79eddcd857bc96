#include "verification/opposite_pair.hpp"

#include "analysis/overlap.hpp"
#include "verification/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attndyn::verification {
namespace {

bool keeps_its_radius(const SchemeParams& s) {
  return s.name == "post" || s.name == "ngpt" || s.name == "sqrt";
}

template <class Real> Tokens<Real> opposite_pair() {
  Matrix<Real> theta(1, 2);
  theta(0, 0) = 1;
  theta(0, 1) = -1;
  return tokens_from(theta, false);
}

} // namespace

void opposite_pair_stays_apart(const Context& context, Findings& out, const std::string& claim,
                               const SchemeParams& scheme, const Number& beta) {
  ParticleParams<double> p;
  p.scheme = scheme;
  p.beta = beta;
  const auto start = opposite_pair<double>();
  const auto c = make_particles(context, p, start, "1 and -1");
  const double t = 100;
  const auto r = refined_run(out, c.where, *c.model, c.particles->start(), {t});
  const Vector<double>& x = r.samples[0].x;
  const auto tokens = to_tokens(x, c.particles->shape());
  const double gap = analysis::one_minus_min_cosine(tokens.theta);

  Vector<double> dxdt(x.size());
  c.model->field(r.samples[0].piece, x, dxdt, t);
  const double growth = std::min(tokens.r[0] * dxdt[2], tokens.r[1] * dxdt[3]);
  const bool keeps_radius = keeps_its_radius(scheme);

  Witness w{claim,
            "particles",
            {{"scheme", scheme.name},
             {"tau", scheme.tau.text()},
             {"beta", beta.text()},
             {"init", inline_tokens(start)},
             {"times", "100"}},
            keeps_radius ? "almost surely 1 - min cosine tends to 0"
                         : "almost surely 1 - min cosine or min_j liminf dr_j/dt is 0",
            fmt::format("min cosine = {:.17g} and r = {:.17g} at t = 100; no direction ever moves", 1 - gap,
                        tokens.r[0]),
            {{"100", "min_cosine", 1 - gap, 1e-9}}};
  if (!keeps_radius)
    w.values.push_back({"100", "r_min", std::min(tokens.r[0], tokens.r[1]), 1e-8 * tokens.r[0]});
  const std::string where = fmt::format("{}, t = {:g}", c.where, t);
  // A chord known to e gives its square to 2 * 2 e; log r and its rate carry the relative error of r.
  const double bar = 4 * r.error;
  if (keeps_radius)
    out.equal("1 - min cosine of two opposite tokens, which must tend to 0", gap, 0, bar, where, to_toml(w));
  else
    out.equal("the smaller of 1 - min cosine and min dr/dt of two opposite tokens, which must tend to 0",
              std::min(gap, growth), 0, bar, where, to_toml(w));
}

void draw_opposite_pair(const Context& context, Findings& out, const SchemeParams& scheme,
                        const Number& beta) {
  ParticleParams<double> p;
  p.scheme = scheme;
  p.beta = beta;
  const auto c = make_particles(context, p, opposite_pair<double>(), "1 and -1");
  std::vector<double> times;
  for (int i = 1; i <= 40; ++i) times.push_back(2.5 * i);
  Curve curve{
      fmt::format("1 - cosine of two opposite tokens on S^0, {}, beta = {}", scheme.name, beta.text()), "t",
      "1 - cosine"};
  for (const auto& s : run(*c.model, c.particles->start(), times).samples)
    curve.points.push_back(
        {s.t, analysis::one_minus_min_cosine(to_tokens(s.x, c.particles->shape()).theta), 0, 0});
  curve.reference = "limit if they synchronised";
  out.draw(std::move(curve));
}

void opposite_pair_by_two_methods(Findings& out, const SchemeParams& scheme, const Number& beta) {
  ParticleParams<Float128> p;
  p.scheme = scheme;
  p.beta = beta;
  const Particles<Float128> model(p, opposite_pair<Float128>());
  const Float128 t = 10;
  const std::string where =
      fmt::format("{}, n = 2, d = 1, beta = {}, start 1 and -1, t = 10", scheme.name, beta.text());
  const auto state = [&](const char* stepper, double tolerance) {
    Options<Float128> options;
    options.stepper = stepper;
    options.tolerance = tolerance;
    auto s = solve<Float128>(model, model.start(), 0, {t}, options);
    if (!s.ended_as_asked()) throw std::runtime_error(where + ": " + s.detail);
    return s.samples[0].x;
  };
  const auto distance = [](const Vector<Float128>& a, const Vector<Float128>& b) {
    Float128 most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, Float128(abs(a[i] - b[i])));
    return static_cast<double>(most);
  };
  const double bar = 1e-26;
  const auto x = state("taylor", 1e-29);
  out.equal("states by Taylor and by Bulirsch-Stoer", distance(x, state("bulirsch_stoer", 1e-29)), 0, bar,
            where);
  out.refined("states at tolerances 1e-27 and 1e-29", distance(x, state("taylor", 1e-27)), bar, where);

  const bool keeps_radius = keeps_its_radius(scheme);
  const Float128 speed = scheme.name == "peri" ? Float128(1) : Float128(tanh(beta.as<Float128>())),
                 moving = scheme.name == "mix" ? Float128(t - scheme.tau.as<Float128>()) : t,
                 r = keeps_radius ? Float128(1) : Float128(1 + moving * speed);
  out.equal("log r against its closed form", static_cast<double>(x[2] - log(r)), 0, bar, where);
  const double gap = static_cast<double>(1 - x[0] * x[1]);
  out.equal("what must tend to 0 at two opposite tokens, by two methods",
            keeps_radius ? gap : std::min(gap, static_cast<double>(speed)), 0, bar, where);
}

} // namespace attndyn::verification
