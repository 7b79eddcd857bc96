#include "cli/equiangular_input.hpp"
#include "cli/expect.hpp"

#include <unistd.h>

#include <filesystem>
#include <limits>

namespace attndyn::cli {

CLI::Option* add_value(CLI::App& app, const char* name, std::string& value, const char* type,
                       const std::string& help) {
  return app.add_option(name, value, help)->take_last()->type_name(type)->default_str(value);
}

void Accuracy::add_to(CLI::App& app) {
  add_value(app, "--digits", digits, "D",
            "correct decimal digits, 1 to 10000: the same as --tol 1e-D; float128 beyond 13, MPFR beyond 30");
  add_value(
      app, "--tol", tolerance, "X",
      "bound on the global error, 1e-10000 to 0.1: of log(1-g), log r and theta absolute, of r relative; "
      "default 1e-10");
}

Accuracy::Resolved Accuracy::resolve() const {
  Resolved out{10, "1e-10", ""};
  if (!digits.empty()) {
    out.digits = static_cast<int>(whole("digits", digits, 1, 10000));
    out.tolerance = fmt::format("1e-{}", out.digits);
    if (!tolerance.empty())
      throw refused("tol", tolerance, fmt::format("must not be given with digits = {}", digits));
  } else if (!tolerance.empty()) {
    const Number tol = number("tol", tolerance);
    if (compare(tol, Number("0.1")) > 0 || compare(tol, Number("1e-10000")) < 0)
      throw refused("tol", tolerance, "must be from 1e-10000 to 0.1");
    out.tolerance = tol.text();
    out.digits = 1;
    while (compare(tol, Number(fmt::format("1e-{}", out.digits))) < 0) ++out.digits;
  }
  out.number_type = out.digits <= 13 ? "double" : out.digits <= 30 ? "float128" : "mpfr";
  return out;
}

void SchemeOptions::add_to(CLI::App& app) {
  std::vector<std::string> names;
  for (const auto& s : scheme_list()) names.emplace_back(s.name);
  add_value(app, "--scheme", scheme, "NAME",
            fmt::format("normalisation scheme: {} (see `attndyn list schemes`)", fmt::join(names, ", ")));
  add_value(app, "--tau", tau, "T",
            "mix: time of the switch from Post-LN to Pre-LN, >= 0, in the clock's unit");
  add_value(app, "--alpha", alpha, "X", "ngpt: alpha(t) = alpha (1+t)^-decay, alpha > 0");
  add_value(app, "--alpha-decay", alpha_decay, "X", "ngpt: the decay, >= 0");
}

void EquiangularInput::add_to(CLI::App& app) {
  scheme.add_to(app);
  add_value(app, "--attention", attention, "NAME", "sa (softmax) or usa (unnormalised)");
  add_value(app, "--n", n, "N", "tokens, 2 to 2147483647");
  add_value(app, "--beta", beta, "X", "inverse temperature, any finite number");
  add_value(app, "--g0", g0, "X", "cosine at t = 0, -1/(n-1) < g0 < 1");
  add_value(app, "--r0", r0, "X", "radius at t = 0, > 0");
}

void RunOptions::add_to(CLI::App& app) {
  add_value(app, "--clock", clock, "NAME",
            "unit of time: natural, or scaled: u = e^|beta| t (for usa; needed beyond |beta| = 600)");
  add_value(app, "--stepper", stepper, "NAME",
            fmt::format("integrator: {}; default dop853, bulirsch_stoer beyond 16 digits, taylor beyond 20",
                        fmt::join(stepper_names(), ", ")));
  add_value(app, "--max-steps", max_steps, "N", "steps allowed in one run, >= 1");
  add_value(app, "--max-seconds", max_seconds, "S",
            "wall time allowed, seconds, >= 0; looked at between steps; 0 is no limit");
  add_value(app, "--format", format, "NAME", "format of the data: csv, json, hdf5");
  add_value(app, "--out", out, "FILE", "file for the data, - for standard output (not hdf5)");
  add_value(
      app, "--expect", expect, "FILE",
      "compare with the [expect] table of this TOML file (a witness given by --config does that by itself); "
      "exit status 1 where a value is not reproduced");
}

void RunOptions::check() const {
  choice("format", format, {"csv", "json", "hdf5"});
  choice("clock", clock, {"natural", "scaled"});
  if (!stepper.empty()) choice("stepper", stepper, stepper_names());
  if (format == "hdf5" && out == "-")
    throw refused("format", format, "needs --out FILE, it does not go to standard output");
  check_output("out", out);
  if (expect.empty()) return;
  check_distinct("out", out, "expect", expect);
  if (read_expected(expect).values.empty())
    throw refused("expect", expect, "must hold an [expect] table with a list of values");
}

std::uint64_t RunOptions::step_limit() const {
  return whole("max-steps", max_steps, 1, std::numeric_limits<std::uint64_t>::max());
}

TimeScale RunOptions::time_scale() const {
  return clock == "scaled" ? TimeScale::scaled : TimeScale::natural;
}

namespace {

bool progress_shown = false;

} // namespace

void erase_progress() {
  if (progress_shown) std::fputs("\r\x1b[K", stderr);
  progress_shown = false;
}

void show_line(const std::string& what) {
  if (!isatty(STDERR_FILENO)) return;
  std::fputs(("\r\x1b[K" + one_line(what, 100)).c_str(), stderr);
  progress_shown = true;
}

int RunOptions::write(const Table& table) const {
  erase_progress();
  std::error_code ignored;
  if (table.rows.empty() && out != "-" && std::filesystem::is_regular_file(out, ignored) &&
      std::filesystem::file_size(out, ignored) > 0) {
    say(fmt::format("out = {}: kept as it was, this run has no rows to put in its place", out));
  } else {
    write_table(table, parse_format(format), out);
  }
  return expect.empty() || reproduced(read_expected(expect), table) ? 0 : 1;
}

void show_progress(int run, double fraction) {
  show_line(fmt::format("run {}: {:5.1f} %", run + 1, 100 * fraction));
}

void say(const std::string& line) {
  erase_progress();
  std::fputs((one_line(line) + "\n").c_str(), stderr);
}

} // namespace attndyn::cli
