#include "lib/models/equiangular.hpp"
#include "cli/commands.hpp"
#include "cli/equiangular_input.hpp"
#include "cli/help.hpp"
#include "lib/models/enclosed.hpp"
#include "lib/models/equiangular_text.hpp"

#include <algorithm>
#include <memory>

namespace attndyn::cli {
namespace {

struct EquiangularOptions {
  EquiangularInput input;
  Accuracy accuracy;
  RunOptions run;
  std::string times;
  bool rigorous = false;
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

Parameters parameters_of(const EquiangularParams& p, const EquiangularOptions& o,
                         const Accuracy::Resolved& accuracy) {
  Parameters out{{"attndyn", ATTNDYN_VERSION}, {"command", "equiangular"}};
  const Parameters system = text_of(p);
  out.insert(out.end(), system.begin(), system.end());
  out.emplace_back("clock", o.run.clock);
  out.emplace_back("tolerance", accuracy.tolerance);
  out.emplace_back("number_type", accuracy.number_type);
  return out;
}

/// --rigorous: both ends of every value, rounded outward. Times stay text, so that they are exact.
int enclose_and_write(const EquiangularOptions& o, const Accuracy::Resolved& accuracy) {
  if (!o.run.stepper.empty()) throw refused("stepper", o.run.stepper, "must not be given with --rigorous");
  const std::vector<Number> times = exact_times(o.times);
  const EquiangularParams p = o.input.resolve<Mpfr>(o.run.time_scale());
  const Enclosed enclosed =
      enclose_equiangular(p, times, accuracy.digits, o.run.solver<double>("1e-10").max_seconds, show_line);
  Table table;
  table.parameters = parameters_of(p, o, accuracy);
  describe(table, "rigorous", enclosed.route + ", enclosed by Arb");
  if (!enclosed.problem.empty()) describe(table, "detail", enclosed.problem);
  table.columns = {"t"};
  for (const char* name : {"g", "one_minus_g", "log_one_minus_g", "r", "s"})
    for (const char* end : {"lower", "upper"}) table.columns.push_back(fmt::format("{}_{}", name, end));
  const int digits = accuracy.digits + 3; // one more than the tolerance shows, and both ends apart
  const BallBits bits(BallBits::of_digits(2 * digits));
  for (std::size_t i = 0; i < enclosed.states.size(); ++i) {
    const SeparableState& at = enclosed.states[i];
    std::vector<std::string> row{times[i].text()};
    for (const Ball* value : {&at.g, &at.gap, &at.log_gap, &at.r, &at.speed_factor}) {
      row.push_back(lower_text(*value, digits));
      row.push_back(upper_text(*value, digits));
    }
    table.rows.push_back(std::move(row));
  }
  const int unexpected = o.run.write(table);
  if (enclosed.problem.empty()) return unexpected;
  say("attndyn equiangular: ended early: " + enclosed.problem);
  return 1;
}

template <class Real> int solve_and_write(const EquiangularOptions& o, const Accuracy::Resolved& accuracy) {
  using std::exp;
  const EquiangularParams p = o.input.resolve<Real>(o.run.time_scale());
  const Vector<Real> times = parse_times<Real>(o.times);
  const Equiangular<Real> model(p);
  const auto s = solve<Real>(model, model.start(), Real(0), times, o.run.solver<Real>(accuracy.tolerance));

  Table table;
  table.parameters = parameters_of(p, o, accuracy);
  table.parameters.emplace_back("stepper", o.run.stepper.empty() ? "default" : o.run.stepper);
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
  const int unexpected = o.run.write(table);
  return std::max(unexpected, report_end("equiangular", s));
}

} // namespace

Command add_equiangular(CLI::App& app) {
  auto o = std::make_shared<EquiangularOptions>();
  o->input.add_to(app);
  add_times(app, o->times);
  o->accuracy.add_to(app);
  o->run.add_to(app);
  app.add_flag("--rigorous", o->rigorous,
               "enclosures instead of numbers: every value between a lower and an upper end, proved");
  app.footer(help_footer(
      "  t               time, in the unit of --clock\n"
      "  g               cosine of any two tokens\n"
      "  one_minus_g     1 - g, with all its digits, below 1e-308 too\n"
      "  log_one_minus_g natural logarithm of 1 - g: the unknown that is solved for\n"
      "  r               radius\n"
      "  s               speed regulation factor\n"
      "  With --rigorous each but t becomes two: g_lower, g_upper, ...\n" +
          std::string(table_help),
      "ended early: the rows until then are written, the reason is on stderr; or the data could not be written",
      "attndyn equiangular --scheme peri --n 256 --beta 5 --times 0.1,1,10 --digits 40"));
  return [o] {
    const auto accuracy = o->accuracy.resolve();
    o->run.check();
    if (o->rigorous) return enclose_and_write(*o, accuracy);
    return with_number_type(accuracy,
                            [&](auto real) { return solve_and_write<decltype(real)>(*o, accuracy); });
  };
}

} // namespace attndyn::cli
