#include "lib/models/equiangular.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"

#include <limits>
#include <memory>

namespace attndyn::cli {
namespace {

struct EquiangularOptions {
  SchemeOptions scheme;
  Accuracy accuracy;
  RunOptions run;
  std::string attention = "sa", n = "256", beta = "5", g0 = "0", r0 = "1", times;
};

/// 1 - g0 in decimal, as exact as g0 was given.
template <class Real> std::string gap_of_start(const Number& g0) {
  if constexpr (std::is_same_v<Real, double>) {
    const std::string wide = exp_to_text(g0.log_one_minus<Float128>());
    if (const double gap = Number(wide).approx(); gap > 0) return to_text(gap);
    return wide;
  }
  return exp_to_text(g0.log_one_minus<Real>());
}

template <class Real> int solve_and_write(const EquiangularOptions& o, const Accuracy::Resolved& accuracy) {
  const int n = static_cast<int>(whole("n", o.n, 2, std::numeric_limits<int>::max()));
  const EquiangularParams p{o.scheme.resolve<Real>(),
                            parse_attention(choice("attention", o.attention, {"sa", "usa"})),
                            n,
                            number_in_range<Real>("beta", o.beta),
                            number_in_range<Real>("g0", o.g0),
                            number_in_range<Real>("r0", o.r0),
                            o.run.time_scale()};
  const Vector<Real> times = parse_times<Real>(o.times);
  const Equiangular<Real> model(p);
  const auto s = solve<Real>(model, model.start(), Real(0), times, o.run.solver<Real>(accuracy.tolerance));

  Table table;
  table.parameters = {{"attndyn", ATTNDYN_VERSION},
                      {"command", "equiangular"},
                      {"scheme", p.scheme.name},
                      {"attention", name_of(p.attention)},
                      {"n", std::to_string(p.n)},
                      {"beta", p.beta.text()},
                      {"g0", p.g0.text()},
                      {"r0", p.r0.text()},
                      {"tau", p.scheme.tau.text()},
                      {"alpha", p.scheme.alpha.text()},
                      {"alpha_decay", p.scheme.alpha_decay.text()},
                      {"clock", o.run.clock},
                      {"tolerance", accuracy.tolerance},
                      {"number_type", accuracy.number_type},
                      {"stepper", o.run.stepper.empty() ? "default" : o.run.stepper}};
  describe_end(table, s);
  table.columns = {"t", "g", "one_minus_g", "log_one_minus_g", "r", "s"};
  for (const auto& sample : s.samples) {
    const bool start = sample.t == 0; // written as it was given, not by way of its logarithms
    table.rows.push_back({to_text(sample.t),
                          to_text(start ? p.g0.as<Real>() : cosine_from_log_gap(sample.x[0])),
                          start ? gap_of_start<Real>(p.g0) : exp_to_text(sample.x[0]), to_text(sample.x[0]),
                          to_text(start ? p.r0.as<Real>() : Real(exp(sample.x[1]))),
                          to_text(model.speed_factor(sample.piece, sample.x, sample.t))});
  }
  o.run.write(table);
  return report_end("equiangular", s);
}

} // namespace

Command add_equiangular(CLI::App& app) {
  auto o = std::make_shared<EquiangularOptions>();
  o->scheme.add_to(app);
  add_value(app, "--attention", o->attention, "NAME", "sa (softmax) or usa (unnormalised)");
  add_value(app, "--n", o->n, "N", "tokens, 2 to 2147483647");
  add_value(app, "--beta", o->beta, "X", "inverse temperature, any finite number");
  add_value(app, "--g0", o->g0, "X", "cosine at t = 0, -1/(n-1) < g0 < 1");
  add_value(app, "--r0", o->r0, "X", "radius at t = 0, > 0");
  add_times(app, o->times);
  o->accuracy.add_to(app);
  o->run.add_to(app);
  app.footer(help_footer(
      "  t               time, in the unit of --clock\n"
      "  g               cosine of any two tokens\n"
      "  one_minus_g     1 - g, with all its digits, below 1e-308 too\n"
      "  log_one_minus_g natural logarithm of 1 - g: the unknown that is solved for\n"
      "  r               radius\n"
      "  s               speed regulation factor\n" +
          std::string(table_help),
      "ended early: the rows until then are written, the reason is on stderr; or the data could not be written",
      "attndyn equiangular --scheme peri --n 256 --beta 5 --times 0.1,1,10 --digits 40"));
  return [o] {
    const auto accuracy = o->accuracy.resolve();
    o->run.check();
    return with_number_type(accuracy,
                            [&](auto real) { return solve_and_write<decltype(real)>(*o, accuracy); });
  };
}

} // namespace attndyn::cli
