// The model and the start at one point of the domain, and its runs.
#include "verification/user/system.hpp"

#include "lib/initial.hpp"
#include "verification/user_claim.hpp"
#include "verification/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attndyn::verification::user {
namespace {

constexpr std::uint64_t most_steps = 200'000, fewest_steps = 1000;

/// A model's own refusal, "n = 1: must be >= 2", with the file in front.
template <class Make> auto refused_by_model(const Description& d, const Setting& setting, const Make& make) {
  try {
    return make();
  } catch (const std::invalid_argument& e) {
    const std::string what = e.what();
    if (what.starts_with("file = ")) throw;
    throw std::invalid_argument(fmt::format("file = {}: {} (at {})", d.path, what, setting.text()));
  }
}

} // namespace

System::System(const Description& d, const Context& context, const Setting& setting, std::uint64_t draw)
    : description_(&d), setting_(setting), names_(all_names(d)), first_observable_(parameter_names(d).size()),
      time_index_(first_observable_ + observable_names(d.kind).size()) {
  begin_ = value_of("window", d.begin);
  end_ = value_of("window", d.end);
  if (!(begin_ >= 0 && end_ > begin_ && end_ <= 1e15))
    throw d.problem("window", fmt::format("[{}, {}]", begin_, end_), "must be 0 <= begin < end <= 1e15");
  if (d.log_spacing && begin_ == 0 && d.first_time.empty())
    throw d.problem("window", fmt::format("[{}, {}]", begin_, end_),
                    "must begin at a time > 0 where the spacing is log");
  where_ = setting.text();
  if (d.kind != SystemKind::ode)
    where_ += fmt::format("{}scheme {}, {}", where_.empty() ? "" : ", ", setting.scheme, setting.attention);
  refused_by_model(d, setting, [&] {
    switch (d.kind) {
    case SystemKind::particles: return make_particles_at(context, draw);
    case SystemKind::equiangular: return make_equiangular_at(context);
    case SystemKind::ode: return make_ode();
    }
  });
}

const Number& System::required(const std::string& name) const {
  const Number* found = setting_.find(name);
  if (found == nullptr) throw description_->problem("parameters." + name, "", "must be given for this model");
  return *found;
}

Number System::number_or(const std::string& name, const char* otherwise) const {
  const Number* found = setting_.find(name);
  return found == nullptr ? Number(otherwise) : *found;
}

double System::value_of(const std::string& key, const std::string& text) const {
  try {
    const double value = Formula(text, parameter_names(*description_))(setting_.values());
    if (!std::isfinite(value))
      throw std::invalid_argument(fmt::format("is {} at {}, must be finite", value, setting_.text()));
    return value;
  } catch (const std::invalid_argument& e) {
    throw description_->problem(key, text, e.what());
  }
}

std::size_t System::size_of(const std::string& name, double most) const {
  const Number& number = required(name);
  const double value = number.approx();
  if (!(value >= 1 && value <= most) || value != std::floor(value))
    throw description_->problem("parameters." + name, number.text(),
                                fmt::format("must be an integer from 1 to {:g}", most));
  return static_cast<std::size_t>(value);
}

Formula System::formula(const std::string& key, const std::string& text) const {
  try {
    return {text, names_};
  } catch (const std::invalid_argument& e) {
    throw description_->problem(key, text, e.what());
  }
}

Tokens<double> System::start_tokens(const Context& context, std::uint64_t draw) const {
  const Description& d = *description_;
  if (!d.tokens.empty()) {
    for (const char* name : {"n", "d"})
      if (setting_.find(name) != nullptr)
        throw d.problem(std::string("parameters.") + name, "", "must not be given together with tokens");
    Matrix<double> vectors(d.tokens.front().size(), d.tokens.size());
    for (std::size_t j = 0; j < vectors.cols; ++j)
      for (std::size_t i = 0; i < vectors.rows; ++i) vectors(i, j) = d.tokens[j][i].as<double>();
    return tokens_from(vectors, false);
  }
  const double most = most_work_of_a_case;
  const std::size_t n = size_of("n", most);
  const bool spans = !d.is_random() && setting_.find("d") == nullptr; // as many dimensions as tokens
  const Shape shape{n, spans ? n : size_of("d", most)};
  const double work = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(shape.d);
  if (work > most)
    throw d.problem("parameters.n", std::to_string(n),
                    fmt::format("n^2 d = {:g} must be <= {:g} for a user's claim", work, most));
  const auto number = [&]() -> Number {
    const std::string text = d.start.substr(d.start.find(':') + 1);
    if (const Number* named = setting_.find(text)) return *named;
    try {
      return text; // a number keeps its digits
    } catch (const std::invalid_argument&) {
      return Number(value_of("start", text));
    }
  };
  if (d.start == "orthogonal") return orthogonal<double>(shape);
  if (d.start == "simplex") return simplex<double>(shape);
  if (d.start.starts_with("equiangular:")) return equiangular<double>(shape, number());
  if (d.start == "uniform") return uniform_on_sphere<double>(shape, context.seed, draw);
  if (d.start == "gaussian") return gaussian<double>(shape, context.seed, draw, true);
  if (d.start == "hemisphere") return in_hemisphere<double>(shape, context.seed, draw);
  return narrow_cone<double>(shape, context.seed, number(), draw);
}

void System::make_particles_at(const Context& context, std::uint64_t draw) {
  const Description& d = *description_;
  Tokens<double> tokens = start_tokens(context, draw);
  const auto [n, dimension] = tokens.shape();
  work_ = static_cast<double>(n * n) * static_cast<double>(dimension);
  if (work_ > most_work_of_a_case)
    throw d.problem("tokens", "", fmt::format("n^2 d = {:g} must be <= {:g}", work_, most_work_of_a_case));
  for (const auto& name : implied_names(d))
    implied_.push_back(static_cast<double>(name == "n" ? n : dimension));
  ParticleParams<double> p;
  for (const auto& [key, numbers] : {std::pair{"radii", &d.radii}, {"masses", &d.masses}})
    if (!numbers->empty() && numbers->size() != n)
      throw d.problem(key, "", fmt::format("has {} numbers, must have n = {}", numbers->size(), n));
  for (std::size_t j = 0; j < d.radii.size(); ++j) {
    tokens.r[j] = d.radii[j].as<double>();
    if (!(tokens.r[j] > 0)) throw d.problem("radii", d.radii[j].text(), "must be > 0");
  }
  for (const auto& mass : d.masses) p.masses.push_back(mass.as<double>());
  p.scheme = {setting_.scheme, number_or("tau", "2.5"), number_or("alpha", "1"),
              number_or("alpha_decay", "0")};
  p.attention = parse_attention(setting_.attention);
  p.beta = required("beta");
  particles_ = std::make_shared<const Particles<double>>(p, tokens);
  model_ = context.factory.particles(particles_);
  start_ = particles_->start();
  where_ += d.tokens.empty() ? ", start " + d.start : ", start as given";
  if (d.is_random()) where_ += fmt::format(" (seed {}, draw {})", context.seed, draw);
  replay_ = {{"scheme", p.scheme.name},
             {"attention", setting_.attention},
             {"tau", p.scheme.tau.text()},
             {"alpha", p.scheme.alpha.text()},
             {"alpha-decay", p.scheme.alpha_decay.text()},
             {"beta", p.beta.text()},
             {"init", inline_tokens(tokens)},
             {"radii", inline_numbers(tokens.r)}};
  if (!p.masses.empty()) replay_.emplace_back("masses", inline_numbers(p.masses));
}

void System::make_equiangular_at(const Context& context) {
  EquiangularParams p;
  p.scheme = {setting_.scheme, number_or("tau", "2.5"), number_or("alpha", "1"),
              number_or("alpha_decay", "0")};
  if (setting_.attention != "sa" && setting_.attention != "usa")
    throw description_->problem("attention", setting_.attention,
                                "must be one of sa, usa for the equiangular model");
  p.attention = parse_attention(setting_.attention);
  p.n = static_cast<int>(size_of("n", 1e9));
  p.beta = required("beta");
  p.g0 = number_or("g0", "0");
  p.r0 = number_or("r0", "1");
  equiangular_ = std::make_shared<const Equiangular<double>>(p);
  model_ = context.factory.equiangular(equiangular_);
  start_ = equiangular_->start();
  replay_ = {{"scheme", p.scheme.name},
             {"attention", setting_.attention},
             {"tau", p.scheme.tau.text()},
             {"alpha", p.scheme.alpha.text()},
             {"alpha-decay", p.scheme.alpha_decay.text()},
             {"n", std::to_string(p.n)},
             {"beta", p.beta.text()},
             {"g0", p.g0.text()},
             {"r0", p.r0.text()}};
}

void System::make_ode() {
  const Description& d = *description_;
  auto names = parameter_names(d);
  names.emplace_back("u");
  names.emplace_back("t");
  const Formula rhs = [&] {
    try {
      return Formula(d.rhs, names);
    } catch (const std::invalid_argument& e) {
      throw d.problem("rhs", d.rhs, e.what());
    }
  }();
  start_ = {value_of("u0", d.u0)};
  where_ += fmt::format("{}u(0) = {:.10g}", where_.empty() ? "" : ", ", start_[0]);
  std::vector<double> values = setting_.values();
  model_ = std::make_shared<const FunctionModel<double>>(
      1, [rhs, values](const Vector<double>& x, Vector<double>& dxdt, double t) {
        std::vector<double> at = values;
        at.push_back(x[0]);
        at.push_back(t);
        dxdt[0] = rhs(at);
      });
}

namespace {

/// A scalar equation whose steps end at every sample: its right-hand side may do something between two of
/// them that a long step would not see.
class SteppedOnSamples final : public Model<double> {
public:
  SteppedOnSamples(const Model<double>& model, std::vector<double> times)
      : model_(model), times_(std::move(times)) {}
  std::size_t size() const override { return model_.size(); }
  const Vector<double>& switches() const override { return times_; }
  void field(std::size_t, const Vector<double>& x, Vector<double>& dxdt, const double& t) const override {
    model_.field(0, x, dxdt, t);
  }

private:
  const Model<double>& model_;
  Vector<double> times_;
};

/// The samples, and as many times again before the first of them.
std::vector<double> step_ends(const std::vector<double>& times) {
  constexpr std::size_t most = 2048;
  const std::size_t before = std::min(most, 8 * times.size() + 64);
  std::vector<double> out;
  for (std::size_t i = 1; i < before; ++i)
    out.push_back(times.front() * static_cast<double>(i) / static_cast<double>(before));
  out.insert(out.end(), times.begin(), times.end());
  out.erase(std::remove_if(out.begin(), out.end(), [](double t) { return !(t > 0); }), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

} // namespace

System::Track System::solve(const std::vector<double>& times, double tolerance,
                            const Event<double>* event) const {
  Options<double> options;
  options.tolerance = tolerance;
  options.max_steps = std::clamp(static_cast<std::uint64_t>(2e10 / work_), fewest_steps, most_steps);
  if (event != nullptr) options.events.push_back(*event);
  const bool scalar = description_->kind == SystemKind::ode;
  const SteppedOnSamples stepped(*model_, scalar ? step_ends(times) : std::vector<double>{});
  auto s = attndyn::solve<double>(scalar ? static_cast<const Model<double>&>(stepped) : *model_, start_, 0.0,
                                  times, options);
  if (!s.ended_as_asked())
    throw std::runtime_error(fmt::format("a run ended at t = {:.6g} with {}: {} {}, at {}", s.t,
                                         name_of(s.why), sentence_for(s.why), s.detail, where_));
  Track out{std::move(s.samples), 10 * std::max(tolerance, s.error_estimate.value_or(0)),
            s.why == Stop::event};
  if (out.met) out.samples.push_back({s.t, s.x, piece_at(s.t)});
  return out;
}

Sample<double> System::near(const Sample<double>& from, double t, double tolerance) const {
  if (t <= from.t) return from;
  Options<double> options;
  options.tolerance = tolerance;
  options.control_global_error = false;
  options.max_steps = most_steps;
  auto s = attndyn::solve<double>(*model_, from.x, from.t, {t}, options);
  if (s.samples.empty())
    throw std::runtime_error(fmt::format("a run ended with {}: {}, at {}", name_of(s.why), s.detail, where_));
  return s.samples.front();
}

std::size_t System::piece_at(double t) const {
  const auto& switches = model_->switches();
  return static_cast<std::size_t>(std::lower_bound(switches.begin(), switches.end(), t) - switches.begin());
}

} // namespace attndyn::verification::user
