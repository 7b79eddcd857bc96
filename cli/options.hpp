/// What several subcommands share: accuracy and number type, output times, output format, the config file.
#pragma once

#include "lib/io.hpp"
#include "lib/models/clock.hpp"
#include "lib/real/text.hpp"
#include "lib/schemes/all.hpp"
#include "lib/solve.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

namespace attndyn::cli {

/// Bad input: one line, exit status 2.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Text of a number option, checked where its name is known: "beta = nan: must be a finite decimal ...".
Number number(const std::string& option, const std::string& text);

/// --digits D or --tol X, and the number type that serves it: double to 13 digits, Float128 to 30, then MPFR.
struct Accuracy {
  std::string digits, tolerance;
  void add_to(CLI::App&);

  struct Resolved {
    int digits;            ///< decimal digits of the tolerance, rounded up
    std::string tolerance; ///< as text
    const char* number_type;
  };
  /// Throws BadInput.
  Resolved resolve() const;
};

/// Calls run(Real{}) with the number type that the accuracy asks for, having set MPFR's precision.
template <class Run> auto with_number_type(const Accuracy::Resolved& accuracy, Run run) {
  if (accuracy.digits <= 13) return run(double{});
  if (accuracy.digits <= 30) return run(Float128{});
  set_mpfr_digits(accuracy.digits + 10);
  return run(Mpfr{});
}

/// "0.1,1,2" | "lin:a:b:n" | "log:a:b:n": strictly increasing, >= 0. Throws BadInput.
template <class Real> Vector<Real> parse_times(const std::string& text);

/// scheme, tau, alpha, alpha-decay.
struct SchemeOptions {
  std::string scheme = "post", tau = "2.5", alpha = "1", alpha_decay = "0";
  void add_to(CLI::App&);
  SchemeParams resolve() const;  ///< Throws BadInput.
};

/// --format, --out, --stepper, --max-steps, --max-seconds, --clock.
struct RunOptions {
  std::string format = "csv", out = "-", stepper, clock = "natural";
  std::uint64_t max_steps = 1'000'000;
  double max_seconds = 0;
  void add_to(CLI::App&);
  TimeScale time_scale() const;
  template <class Real> Options<Real> solver(const std::string& tolerance) const {
    Options<Real> o;
    o.stepper = stepper;
    o.tolerance = parse_real<Real>(tolerance);
    o.max_steps = max_steps;
    o.max_seconds = max_seconds;
    return o;
  }
  void write(const Table& table) const { write_table(table, parse_format(format), out); }
};

/// Adds how a solve ended to a table's parameters.
template <class Real> void describe_end(Table& table, const Solution<Real>& s) {
  table.parameters.emplace_back("why_ended", name_of(s.why));
  if (!s.detail.empty()) table.parameters.emplace_back("detail", s.detail);
  if (!s.ended_as_asked()) table.parameters.emplace_back("t_ended", to_text(s.t));
  table.parameters.emplace_back("error_estimate", s.error_estimate ? brief(*s.error_estimate) : "none");
  table.parameters.emplace_back("steps", std::to_string(s.stats.accepted));
  table.parameters.emplace_back("rejected", std::to_string(s.stats.rejected));
  table.parameters.emplace_back("rhs_calls", std::to_string(s.stats.rhs_calls));
}

/// 0 if it ended as asked; else 1, with one line on stderr.
template <class Real> int report_end(const char* subcommand, const Solution<Real>& s) {
  if (s.ended_as_asked()) return 0;
  fmt::print(stderr, "attndyn {}: ended early with {}: {}{}{}\n", subcommand, name_of(s.why), sentence_for(s.why),
             s.detail.empty() ? "" : " - ", s.detail);
  return 1;
}

/// A progress line on stderr, quiet when that is not a terminal.
void show_progress(int run, double fraction);

/// The options of a TOML file as command-line words, put before the ones given so that the command line wins.
/// Tables (such as a witness's [expect]) are not options and are passed over. Throws BadInput.
std::vector<std::string> words_from_config(const std::string& path, const CLI::App& subcommand);

}  // namespace attndyn::cli
