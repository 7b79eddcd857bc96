#include "cli/options.hpp"

#include <toml++/toml.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <sstream>

namespace attndyn::cli {

Number number(const std::string& option, const std::string& text) {
  try {
    return Number(text);
  } catch (const std::invalid_argument& e) {
    throw BadInput(fmt::format("{} = {}: {}", option, text, e.what()));
  }
}

void Accuracy::add_to(CLI::App& app) {
  auto* d = app.add_option("--digits", digits, "correct decimal digits asked for, the same as --tol 1e-D; 1 to 10000; beyond 13 float128, beyond 30 MPFR")
                ->take_last()->type_name("D");
  app.add_option("--tol", tolerance, "bound on the global error (log(1-g) and log r absolute; theta absolute, r relative), default 1e-10")
      ->take_last()->type_name("X")->excludes(d);
}

Accuracy::Resolved Accuracy::resolve() const {
  Resolved out{10, "1e-10", ""};
  if (!digits.empty()) {
    const Number n = number("digits", digits);
    const double value = n.approx();
    if (!(value >= 1 && value <= 10000) || value != std::floor(value))
      throw BadInput(fmt::format("digits = {}: must be a whole number from 1 to 10000", digits));
    out.digits = static_cast<int>(value);
    out.tolerance = fmt::format("1e-{}", out.digits);
  } else if (!tolerance.empty()) {
    const Number n = number("tol", tolerance);
    if (compare(n, 0) <= 0 || compare(n, Number("0.1")) > 0 || compare(n, Number("1e-10000")) < 0)
      throw BadInput(fmt::format("tol = {}: must be in [1e-10000, 0.1]", tolerance));
    out.tolerance = n.text();
    out.digits = 1;
    while (compare(n, Number(fmt::format("1e-{}", out.digits))) < 0) ++out.digits;
  }
  out.number_type = out.digits <= 13 ? "double" : out.digits <= 30 ? "float128" : "mpfr";
  return out;
}

namespace {

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  if (!text.empty() && text.back() == by) parts.emplace_back();
  return parts;
}

template <class Real> Real time_value(const std::string& text) {
  try {
    return parse_real<Real>(text);
  } catch (const std::invalid_argument& e) {
    throw BadInput(fmt::format("times = {}: {}", text, e.what()));
  }
}

}  // namespace

template <class Real> Vector<Real> parse_times(const std::string& text) {
  using std::pow;
  Vector<Real> times;
  const bool linear = text.starts_with("lin:"), logarithmic = text.starts_with("log:");
  if (linear || logarithmic) {
    const auto parts = split(text, ':');
    if (parts.size() != 4) throw BadInput(fmt::format("times = {}: must be lin:a:b:n or log:a:b:n", text));
    const Real a = time_value<Real>(parts[1]), b = time_value<Real>(parts[2]);
    const double count = number("times", parts[3]).approx();
    if (!(count >= 2 && count <= 1e7) || count != std::floor(count))
      throw BadInput(fmt::format("times = {}: n must be a whole number from 2 to 10000000", text));
    if (logarithmic && !(a > 0)) throw BadInput(fmt::format("times = {}: a must be > 0 in log:a:b:n", text));
    const int last = static_cast<int>(count) - 1;
    for (int i = 0; i <= last; ++i) {
      const Real part = Real(i) / last;
      times.push_back(i == 0 ? a : i == last ? b : linear ? Real(a + (b - a) * part) : Real(a * pow(Real(b / a), part)));
    }
  } else {
    for (const auto& part : split(text, ',')) times.push_back(time_value<Real>(part));
  }
  if (times.empty()) throw BadInput("times: must name at least one time");
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] < 0) throw BadInput(fmt::format("times = {}: times must be >= 0", text));
    if (i > 0 && !(times[i] > times[i - 1]))
      throw BadInput(fmt::format("times = {}: must be strictly increasing, but {} follows {}", text, brief(times[i]), brief(times[i - 1])));
  }
  return times;
}
template Vector<double> parse_times(const std::string&);
template Vector<Float128> parse_times(const std::string&);
template Vector<Mpfr> parse_times(const std::string&);

void SchemeOptions::add_to(CLI::App& app) {
  std::string names;
  for (const auto& s : scheme_list()) names += (names.empty() ? "" : "|") + std::string(s.name);
  app.add_option("--scheme", scheme, "normalisation scheme: " + names)->take_last()->capture_default_str()->type_name("NAME");
  app.add_option("--tau", tau, "Mix-LN: time of the switch from Post-LN to Pre-LN, >= 0")->take_last()->capture_default_str()->type_name("T");
  app.add_option("--alpha", alpha, "nGPT: alpha(t) = alpha (1+t)^-decay, alpha > 0")->take_last()->capture_default_str()->type_name("X");
  app.add_option("--alpha-decay", alpha_decay, "nGPT: decay of alpha(t), >= 0")->take_last()->capture_default_str()->type_name("X");
}

SchemeParams SchemeOptions::resolve() const {
  SchemeParams p{scheme, number("tau", tau), number("alpha", alpha), number("alpha-decay", alpha_decay)};
  if (auto problem = problem_with(p); !problem.empty()) throw BadInput(problem);
  return p;
}

void RunOptions::add_to(CLI::App& app) {
  app.add_option("--format", format, "csv|json|hdf5")->take_last()->capture_default_str()->check(CLI::IsMember({"csv", "json", "hdf5"}));
  app.add_option("--out", out, "file for the data, - for standard output (hdf5 needs a file)")->take_last()->capture_default_str()->type_name("FILE");
  std::string names;
  for (const auto& s : stepper_names()) names += (names.empty() ? "" : "|") + s;
  app.add_option("--stepper", stepper, "integrator: " + names + "; default dop853 to 16 digits, then bulirsch_stoer")
      ->take_last()->check(CLI::IsMember(stepper_names()));
  app.add_option("--max-steps", max_steps, "steps allowed in one run, >= 1")->take_last()->capture_default_str()->check(CLI::PositiveNumber);
  app.add_option("--max-seconds", max_seconds, "wall time allowed, seconds; 0: no limit")->take_last()->capture_default_str()->check(CLI::NonNegativeNumber);
  app.add_option("--clock", clock, "natural, or scaled: times in u = e^|beta| t (USA, needed beyond |beta| = 600)")
      ->take_last()->capture_default_str()->check(CLI::IsMember({"natural", "scaled"}));
}

TimeScale RunOptions::time_scale() const { return clock == "scaled" ? TimeScale::scaled : TimeScale::natural; }

void show_progress(int run, double fraction) {
  if (!isatty(STDERR_FILENO)) return;
  fmt::print(stderr, "\rrun {}: {:5.1f} %", run + 1, 100 * fraction);
  std::fflush(stderr);
}

std::vector<std::string> words_from_config(const std::string& path, const CLI::App& subcommand) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) throw BadInput(fmt::format("config = {}: no such file", path));
  if (!S_ISREG(info.st_mode)) throw BadInput(fmt::format("config = {}: must be a file", path));
  toml::table table;
  try {
    table = toml::parse_file(path);
  } catch (const toml::parse_error& e) {
    throw BadInput(fmt::format("config = {}: line {}: {}", path, e.source().begin.line, std::string(e.description())));
  }
  std::vector<std::string> words;
  for (const auto& [key, node] : table) {
    if (node.is_table()) continue;  // a witness's [expect]
    const std::string name(key.str());
    if (name == "command") continue;  // which subcommand a witness belongs to
    const std::string option = "--" + name;
    if (name == "config" || !subcommand.get_option_no_throw(option))
      throw BadInput(fmt::format("config = {}: {}: is not an option of {}", path, name, subcommand.get_name()));
    const auto add = [&](const toml::node& value) {
      std::string text;
      if (auto s = value.value_exact<std::string>()) text = *s;
      else if (auto i = value.value_exact<std::int64_t>()) text = std::to_string(*i);
      else if (auto f = value.value_exact<double>()) text = fmt::format("{}", *f);
      else if (auto b = value.value_exact<bool>()) text = *b ? "true" : "false";
      else throw BadInput(fmt::format("config = {}: {}: must be a string, number, boolean or list of these", path, name));
      return text;
    };
    if (const auto* array = node.as_array()) {
      std::string joined;
      for (const auto& element : *array) {
        if (name == "times") joined += (joined.empty() ? "" : ",") + add(element);
        else words.push_back(option + "=" + add(element));
      }
      if (name == "times") words.push_back(option + "=" + joined);
    } else if (node.is_boolean() && subcommand.get_option(option)->get_items_expected_max() == 0) {
      if (node.value<bool>().value_or(false)) words.push_back(option);
    } else {
      words.push_back(option + "=" + add(node));
    }
  }
  return words;
}

}  // namespace attndyn::cli
