#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "lib/models/equiangular.hpp"

#include <memory>

namespace attndyn::cli {
namespace {

struct EquiangularOptions {
  SchemeOptions scheme;
  Accuracy accuracy;
  RunOptions run;
  std::string attention = "sa", beta = "5", g0 = "0", r0 = "1", times;
  int n = 256;
};

template <class Real> int solve_and_write(const EquiangularOptions& o, const Accuracy::Resolved& accuracy) {
  EquiangularParams p{o.scheme.resolve(), parse_attention(o.attention), o.n, number("beta", o.beta), number("g0", o.g0),
                      number("r0", o.r0), o.run.time_scale()};
  const Vector<Real> times = parse_times<Real>(o.times);
  const Equiangular<Real> model(p);
  auto options = o.run.solver<Real>(accuracy.tolerance);
  options.progress = show_progress;
  const auto s = solve<Real>(model, model.start(), Real(0), times, options);

  Table table;
  table.parameters = {{"attndyn", ATTNDYN_VERSION}, {"command", "equiangular"}, {"scheme", p.scheme.name},
                      {"attention", name_of(p.attention)}, {"n", std::to_string(p.n)}, {"beta", p.beta.text()},
                      {"g0", p.g0.text()}, {"r0", p.r0.text()}, {"tau", p.scheme.tau.text()},
                      {"alpha", p.scheme.alpha.text()}, {"alpha_decay", p.scheme.alpha_decay.text()},
                      {"clock", o.run.clock}, {"tolerance", accuracy.tolerance}, {"number_type", accuracy.number_type},
                      {"stepper", o.run.stepper.empty() ? "default" : o.run.stepper}};
  describe_end(table, s);
  table.columns = {"t", "g", "one_minus_g", "log_one_minus_g", "r", "s"};
  for (const auto& sample : s.samples)
    table.rows.push_back({to_text(sample.t), to_text(cosine_from_log_gap(sample.x[0])), exp_to_text(sample.x[0]),
                          to_text(sample.x[0]), to_text(Real(exp(sample.x[1]))),
                          to_text(model.speed_factor(sample.piece, sample.x, sample.t))});
  o.run.write(table);
  return report_end("equiangular", s);
}

}  // namespace

Command add_equiangular(CLI::App& app) {
  auto o = std::make_shared<EquiangularOptions>();
  o->scheme.add_to(app);
  app.add_option("--attention", o->attention, "sa (softmax) or usa (unnormalised)")->take_last()->capture_default_str()->check(CLI::IsMember({"sa", "usa"}));
  app.add_option("--n", o->n, "tokens, >= 2")->take_last()->capture_default_str();
  app.add_option("--beta", o->beta, "inverse temperature")->take_last()->capture_default_str()->type_name("X");
  app.add_option("--g0", o->g0, "cosine at t = 0, -1/(n-1) < g0 < 1")->take_last()->capture_default_str()->type_name("X");
  app.add_option("--r0", o->r0, "radius at t = 0, > 0")->take_last()->capture_default_str()->type_name("X");
  app.add_option("--times", o->times, "output times: a,b,c or lin:a:b:n or log:a:b:n, increasing, >= 0")->take_last()->required()->type_name("LIST");
  o->accuracy.add_to(app);
  o->run.add_to(app);
  return [o] {
    const auto accuracy = o->accuracy.resolve();
    return with_number_type(accuracy, [&](auto real) { return solve_and_write<decltype(real)>(*o, accuracy); });
  };
}

}  // namespace attndyn::cli
