/// What several subcommands share: accuracy and number type, output times, scheme, output, how a run ended.
#pragma once

#include "cli/input.hpp"
#include "lib/io.hpp"
#include "lib/models/clock.hpp"
#include "lib/schemes/all.hpp"
#include "lib/solve.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace attndyn::cli {

/// An option with one value; the last one given counts. An empty default is none, then help says what
/// happens.
CLI::Option* add_value(CLI::App& app, const char* name, std::string& value, const char* type,
                       const std::string& help);

/// --digits D or --tol X, and the number type that serves it: double to 13 digits, Float128 to 30, then MPFR.
struct Accuracy {
  std::string digits, tolerance;
  void add_to(CLI::App&);

  struct Resolved {
    int digits;            ///< decimal digits of the tolerance, rounded up
    std::string tolerance; ///< as text
    const char* number_type;
  };
  Resolved resolve() const; ///< Throws BadInput.
};

/// Calls run(Real{}) with the number type that the accuracy asks for, having set MPFR's precision.
template <class Run> auto with_number_type(const Accuracy::Resolved& accuracy, Run run) {
  if (accuracy.digits <= 13) return run(double{});
  if (accuracy.digits <= 30) return run(Float128{});
  set_mpfr_digits(accuracy.digits + 10);
  return run(Mpfr{});
}

/// Bytes of one number of the precision in use.
template <class Real> double bytes_of() {
  if constexpr (std::is_same_v<Real, Mpfr>) return sizeof(Real) + 16 + 8 * (digits_of<Real>() / 19 + 1);
  return sizeof(Real);
}

CLI::Option* add_times(CLI::App& app, std::string& times);
/// "0.1,1,2" | "lin:a:b:n" | "log:a:b:n": strictly increasing, >= 0, at most a million. Throws BadInput.
template <class Real> Vector<Real> parse_times(const std::string& text);
/// The same, as exact numbers: those of a list as written, those of lin: and log: rounded to 30 digits. Sets
/// the precision of Mpfr.
std::vector<Number> exact_times(const std::string& text);

/// scheme, tau, alpha, alpha-decay.
struct SchemeOptions {
  std::string scheme = "post", tau = "2.5", alpha = "1", alpha_decay = "0";
  void add_to(CLI::App&);
  template <class Real> SchemeParams resolve() const { ///< Throws BadInput.
    SchemeParams p{scheme, number_in_range<Real>("tau", tau), number_in_range<Real>("alpha", alpha),
                   number_in_range<Real>("alpha-decay", alpha_decay)};
    if (const auto problem = problem_with(p); !problem.empty()) throw BadInput(problem);
    return p;
  }
};

/// --format, --out, --stepper, --max-steps, --max-seconds, --clock, --expect.
struct RunOptions {
  std::string format = "csv", out = "-", stepper, max_steps = "1000000", max_seconds = "0", clock = "natural";
  std::string expect;
  void add_to(CLI::App&);
  /// Throws BadInput where the data could not be written as asked.
  void check() const;
  std::uint64_t step_limit() const;
  TimeScale time_scale() const;
  template <class Real> Options<Real> solver(const std::string& tolerance) const;
  /// A table without rows does not replace a file that holds something. Then compares with what is expected:
  /// 1 if that is not there, else 0.
  int write(const Table& table) const;
};

/// Adds a parameter to a table; a path may hold a line end, a table's parameter may not.
inline void describe(Table& table, const std::string& name, const std::string& value) {
  table.parameters.emplace_back(name, one_line(value, value.size()));
}

/// Adds how a solve ended to a table's parameters.
template <class Real> void describe_end(Table& table, const Solution<Real>& s) {
  describe(table, "why_ended", name_of(s.why));
  if (!s.detail.empty()) describe(table, "detail", s.detail);
  if (!s.ended_as_asked()) describe(table, "t_ended", to_text(s.t));
  describe(table, "error_estimate", s.error_estimate ? brief(*s.error_estimate) : "none");
  describe(table, "steps", std::to_string(s.stats.accepted));
  describe(table, "rejected", std::to_string(s.stats.rejected));
  describe(table, "rhs_calls", std::to_string(s.stats.rhs_calls));
}

/// A line on stderr. Where there is no stderr, silence.
void say(const std::string& line);

/// 0 if it ended as asked; else 1, with one line on stderr.
template <class Real> int report_end(const char* subcommand, const Solution<Real>& s) {
  if (s.ended_as_asked()) return 0;
  say(fmt::format("attndyn {}: ended early with {}: {}{}{}", subcommand, name_of(s.why), sentence_for(s.why),
                  s.detail.empty() ? "" : " - ", s.detail));
  return 1;
}

/// A progress line on stderr, quiet when that is not a terminal; say() and RunOptions::write() erase it.
void show_line(const std::string& what);
void show_progress(int run, double fraction);
void erase_progress();

template <class Real> Options<Real> RunOptions::solver(const std::string& tolerance) const {
  Options<Real> o;
  o.stepper = stepper;
  o.tolerance = parse_real<Real>(tolerance);
  o.max_steps = step_limit();
  o.max_seconds = number_in_range<double>("max-seconds", max_seconds).approx();
  if (o.max_seconds < 0) throw refused("max-seconds", max_seconds, "must be >= 0");
  o.progress = show_progress;
  return o;
}

} // namespace attndyn::cli
