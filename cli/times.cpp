#include "cli/options.hpp"

namespace attndyn::cli {
namespace {

constexpr std::uint64_t most_times = 1'000'000;

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == by)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// One entry of the list that is the option's value.
template <class Real> Real time_of(const std::string& entry, const std::string& list) {
  try {
    return parse_real<Real>(entry);
  } catch (const std::invalid_argument& problem) {
    if (entry == list) throw refused("times", list, problem.what());
    throw refused("times", list, fmt::format("`{}` {}", one_line(entry, 50), problem.what()));
  }
}

/// n times from a to b, both of them exactly.
template <class Real> Vector<Real> spread(const std::string& text) {
  using std::exp;
  using std::log;
  using std::pow;
  const auto parts = split(text, ':');
  if (parts.size() != 4) throw refused("times", text, "must be lin:a:b:n or log:a:b:n");
  const bool logarithmic = parts[0] == "log";
  const Real a = time_of<Real>(parts[1], text), b = time_of<Real>(parts[2], text);
  std::uint64_t count = 0;
  try {
    count = whole("n", parts[3], 2, most_times);
  } catch (const BadInput& problem) {
    throw refused("times", text, problem.what());
  }
  if (logarithmic && !(a > 0)) throw refused("times", text, "a must be > 0 in log:a:b:n");
  const int last = static_cast<int>(count) - 1;
  // One division a time rounds once, so that lin:0:1:11 holds 0.3 itself; but ends near the range would
  // overflow.
  const Real length = b - a, ratio = logarithmic ? Real(b / a) : Real(0);
  const bool roomy = is_finite(Real(length * last));
  Vector<Real> times(count, a);
  for (int i = 1; i < last; ++i) {
    if (!logarithmic)
      times[i] = a + (roomy ? Real(length * i / last) : Real(length * (Real(i) / last)));
    else if (is_finite(ratio))
      times[i] = a * pow(ratio, Real(Real(i) / last));
    else
      times[i] = exp(Real(log(a) + (log(b) - log(a)) * i / last));
  }
  times.back() = b;
  return times;
}

} // namespace

CLI::Option* add_times(CLI::App& app, std::string& times) {
  return add_value(
      app, "--times", times, "LIST",
      "output times: a,b,c or lin:a:b:n or log:a:b:n (n of them from a to b), strictly increasing, >= 0; "
      "must be given");
}

template <class Real> Vector<Real> parse_times(const std::string& text) {
  if (text.empty()) throw BadInput("times: must be given, as a,b,c or lin:a:b:n or log:a:b:n");
  Vector<Real> times;
  if (text.starts_with("lin:") || text.starts_with("log:")) {
    times = spread<Real>(text);
  } else {
    for (const auto& entry : split(text, ',')) times.push_back(time_of<Real>(entry, text));
  }
  if (times.size() > most_times) throw refused("times", text, fmt::format("must be at most {}", most_times));
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] < 0) throw refused("times", text, "must be >= 0");
    if (i > 0 && !(times[i] > times[i - 1]))
      throw refused("times", text,
                    fmt::format("must be strictly increasing, but {} follows {}", brief(times[i]),
                                brief(times[i - 1])));
  }
  return times;
}
std::vector<Number> exact_times(const std::string& text) {
  set_mpfr_digits(50);
  const Vector<Mpfr> checked = parse_times<Mpfr>(text);
  std::vector<Number> out;
  if (text.starts_with("lin:") || text.starts_with("log:"))
    for (const Mpfr& t : checked) out.emplace_back(t.str(30, std::ios_base::fmtflags{}));
  else
    for (const auto& entry : split(text, ',')) out.emplace_back(entry);
  return out;
}

template Vector<double> parse_times(const std::string&);
template Vector<Float128> parse_times(const std::string&);
template Vector<Mpfr> parse_times(const std::string&);

} // namespace attndyn::cli
