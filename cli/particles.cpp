#include "lib/models/particles.hpp"
#include "analysis/series.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "lib/initial.hpp"
#include "lib/io/hdf5.hpp"
#include "lib/models/layers.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace attndyn::cli {
namespace {

struct ParticleOptions {
  SchemeOptions scheme;
  Accuracy accuracy;
  RunOptions run;
  std::string attention = "sa", beta = "1", init = "uniform", n = "32", d = "8", seed = "1";
  std::string radii, masses, times, states, layer_step;
  std::vector<std::string> Q, K, V, W;
  bool full_space = false, n_given = false, d_given = false;
};

constexpr std::uint64_t most = 100'000'000;

/// Refuses what cannot fit: the tokens, a stepper's stages, the samples of two runs, the rows.
template <class Real> void check_room(const ParticleOptions& o, Shape shape, std::size_t times) {
  const bool reduced = !o.full_space && o.V.empty() && o.W.empty();
  const double n = static_cast<double>(shape.n), d = static_cast<double>(shape.d),
               rows = static_cast<double>(times);
  const double state = n * ((reduced ? std::min(n, d) : d) + 1);
  const double bytes = (3 * n * d + (16 + 2 * rows) * state) * bytes_of<Real>() + 500 * rows;
  check_memory(fmt::format("n = {}, d = {}, {} times", shape.n, shape.d, times), bytes);
}

template <class Real> Tokens<Real> start_of(const ParticleOptions& o, std::size_t times) {
  const bool from_start = o.radii == "from-start";
  const Shape shape{whole("n", o.n, 1, most), whole("d", o.d, 1, most)};
  const std::uint64_t seed = whole("seed", o.seed, 0, std::numeric_limits<std::uint64_t>::max());
  Tokens<Real> tokens;
  if (names_initial(o.init)) {
    check_room<Real>(o, shape, times);
    tokens = named("init", o.init, [&] { return make_initial<Real>(o.init, shape, seed, 0, from_start); });
  } else {
    tokens = named("init", o.init, [&] { return tokens_from(read_tokens<Real>(o.init), from_start); });
    if (o.n_given && shape.n != tokens.shape().n)
      throw refused("n", o.n, fmt::format("but init = {} holds {} tokens", o.init, tokens.shape().n));
    if (o.d_given && shape.d != tokens.shape().d)
      throw refused("d", o.d,
                    fmt::format("but the tokens of init = {} have dimension {}", o.init, tokens.shape().d));
    check_room<Real>(o, tokens.shape(), times);
  }
  if (o.radii.empty() || from_start) return tokens;
  const auto radii = named("radii", o.radii, [&] { return read_vector<Real>(o.radii); });
  if (radii.size() != tokens.r.size())
    throw refused("radii", o.radii,
                  fmt::format("holds {} numbers, but there are {} tokens", radii.size(), tokens.r.size()));
  for (std::size_t j = 0; j < radii.size(); ++j)
    if (!(radii[j] > 0))
      throw refused("radii", o.radii, fmt::format("number {} is {}: must be > 0", j + 1, brief(radii[j])));
  tokens.r = radii;
  return tokens;
}

template <class Real> Vector<Real> masses_of(const ParticleOptions& o, std::size_t n) {
  if (o.masses.empty()) return {};
  const auto masses = named("masses", o.masses, [&] { return read_vector<Real>(o.masses); });
  if (masses.size() != n)
    throw refused("masses", o.masses,
                  fmt::format("holds {} numbers, but there are {} tokens", masses.size(), n));
  return masses;
}

template <class Real> Heads<Real> heads_of(const ParticleOptions& o) {
  const std::size_t count = std::max({o.Q.size(), o.K.size(), o.V.size(), o.W.size()});
  Heads<Real> heads(count);
  const auto fill = [&](const char* name, const std::vector<std::string>& files,
                        Matrix<Real> Head<Real>::*part) {
    if (!files.empty() && files.size() != count)
      throw refused(name, fmt::format("{} files", files.size()),
                    fmt::format("of Q, K, V, W, each one given must be given once a head, {} times", count));
    for (std::size_t h = 0; h < files.size(); ++h)
      heads[h].*part = named(name, files[h], [&] { return read_matrix<Real>(files[h]); });
  };
  fill("Q", o.Q, &Head<Real>::Q);
  fill("K", o.K, &Head<Real>::K);
  fill("V", o.V, &Head<Real>::V);
  fill("W", o.W, &Head<Real>::W);
  return heads;
}

/// Layers of the size asked for; every output time needs a layer of its own, and --max-steps limits them.
template <class Real>
Solution<Real> layers_of(const ParticleOptions& o, const Particles<Real>& model, const Vector<Real>& times) {
  const Real h = number_in_range<Real>("layer-step", o.layer_step).template as<Real>();
  if (!(h > 0)) throw refused("layer-step", o.layer_step, "must be > 0");
  for (const Real& t : times)
    if (t > 0 && floor(Real(t / h + 0.5)) == 0)
      throw refused("layer-step", o.layer_step,
                    fmt::format("the time {} is nearest to the start, layer 0", brief(t)));
  for (std::size_t i = 1; i < times.size(); ++i)
    if (floor(Real(times[i] / h + 0.5)) == floor(Real(times[i - 1] / h + 0.5)))
      throw refused(
          "layer-step", o.layer_step,
          fmt::format("the times {} and {} are nearest to one layer", brief(times[i - 1]), brief(times[i])));
  return named("layer-step", o.layer_step,
               [&] { return run_layers<Real>(model, times, h, o.run.step_limit()); });
}

/// What write_states would write if it knew the shape of no state: a run may end before its first output
/// time.
void write_no_states(const std::string& path, Shape shape, const Parameters& parameters) {
  if (path.ends_with(".h5") || path.ends_with(".hdf5")) {
    const std::size_t n = shape.n, d = shape.d;
    write_text(path, hdf5_bytes({parameters,
                                 {{"t", {0}, {}, {}}, {"theta", {0, n, d}, {}, {}}, {"r", {0, n}, {}, {}}}}));
    return;
  }
  Table table{parameters, {"t", "token", "r"}, {}};
  for (std::size_t i = 1; i <= shape.d; ++i) table.columns.push_back(fmt::format("theta_{}", i));
  write_table(table, Format::csv, path);
}

template <class Real>
void write_states_of(const ParticleOptions& o, const Particles<Real>& model, const Tokens<Real>& start,
                     const Solution<Real>& s, const Parameters& parameters) {
  if (s.samples.empty()) return write_no_states(o.states, start.shape(), parameters);
  Vector<Real> at;
  std::vector<Tokens<Real>> states;
  for (const auto& sample : s.samples) {
    at.push_back(sample.t);
    states.push_back(sample.t == 0 ? start : model.lift(sample.x));
  }
  write_states(o.states, at, states, parameters);
}

template <class Real> Real mean(const Vector<Real>& values) {
  const auto n = static_cast<int>(values.size());
  Real sum = 0, shares = 0; // which stay within the range of Real where the sum does not
  for (const Real& x : values) {
    sum += x;
    shares += x / n;
  }
  return sum < infinity<Real>() ? Real(sum / n) : shares;
}

std::string joined(const std::vector<std::string>& files) { return fmt::format("{}", fmt::join(files, " ")); }

template <class Real> int solve_and_write(const ParticleOptions& o, const Accuracy::Resolved& accuracy) {
  ParticleParams<Real> p;
  p.scheme = o.scheme.resolve<Real>();
  p.attention = parse_attention(choice("attention", o.attention, {"sa", "usa", "causal", "hardmax"}));
  p.beta = number_in_range<Real>("beta", o.beta);
  p.clock = o.run.time_scale();
  p.reduce_span = !o.full_space;
  const auto options = o.run.solver<Real>(accuracy.tolerance);
  const Vector<Real> times = parse_times<Real>(o.times);
  const Tokens<Real> start = start_of<Real>(o, times.size());
  p.masses = masses_of<Real>(o, start.shape().n);
  p.weights = {heads_of<Real>(o)};
  const Particles<Real> model(p, start);
  const Solution<Real> s = o.layer_step.empty() ? solve<Real>(model, model.start(), Real(0), times, options)
                                                : layers_of<Real>(o, model, times);

  const auto series = analysis::series_of(model, s);
  Table table;
  const std::pair<const char*, std::string> parameters[] = {
      {"attndyn", ATTNDYN_VERSION},
      {"command", "particles"},
      {"scheme", p.scheme.name},
      {"attention", name_of(p.attention)},
      {"beta", p.beta.text()},
      {"init", o.init},
      {"n", std::to_string(start.shape().n)},
      {"d", std::to_string(start.shape().d)},
      {"seed", o.seed},
      {"radii", o.radii.empty() ? "1" : o.radii},
      {"masses", o.masses.empty() ? "1/n" : o.masses},
      {"Q", joined(o.Q)},
      {"K", joined(o.K)},
      {"V", joined(o.V)},
      {"W", joined(o.W)},
      {"tau", p.scheme.tau.text()},
      {"alpha", p.scheme.alpha.text()},
      {"alpha_decay", p.scheme.alpha_decay.text()},
      {"clock", o.run.clock},
      {"layer_step", o.layer_step},
      {"working_dimension", std::to_string(model.shape().d)},
      {"tolerance", accuracy.tolerance},
      {"number_type", accuracy.number_type},
      {"stepper", o.run.stepper.empty() ? "default" : o.run.stepper},
      {"log_energy_scale", to_text(series.log_energy_scale)}};
  for (const auto& [name, value] : parameters) describe(table, name, value);
  describe_end(table, s);
  table.columns = {
      "t",      "mean_cosine", "min_cosine", "one_minus_mean_cosine", "one_minus_min_cosine", "variance",
      "energy", "r_mean",      "r_min"};
  for (std::size_t i = 0; i < series.t.size(); ++i) {
    const bool at_start = series.t[i] == 0; // its radii as they were given, not by way of their logarithms
    table.rows.push_back(
        {to_text(series.t[i]), to_text(series.mean_cosine[i]), to_text(series.min_cosine[i]),
         to_text(series.one_minus_mean_cosine[i]), to_text(series.one_minus_min_cosine[i]),
         to_text(series.variance[i]), to_text(series.energy[i]),
         to_text(at_start ? mean(start.r) : series.r_mean[i]),
         to_text(at_start ? *std::min_element(start.r.begin(), start.r.end()) : series.r_min[i])});
  }
  if (!o.states.empty()) write_states_of(o, model, start, s, table.parameters);
  const int unexpected = o.run.write(table);
  return std::max(unexpected, report_end("particles", s));
}

/// An option given once a head.
void add_matrix(CLI::App& app, const char* name, std::vector<std::string>& files, const std::string& help) {
  app.add_option(name, files, help)->type_name("FILE")->allow_extra_args(false);
}

} // namespace

Command add_particles(CLI::App& app) {
  auto o = std::make_shared<ParticleOptions>();
  o->scheme.add_to(app);
  add_value(app, "--attention", o->attention, "NAME",
            "sa (softmax), usa (unnormalised), causal (softmax over k <= j), hardmax");
  add_value(app, "--beta", o->beta, "X", "inverse temperature, any finite number");
  add_value(
      app, "--init", o->init, "START",
      "uniform, gaussian, orthogonal, equiangular:g, or a file: one token a line, comma separated; every FILE of numbers may be list:1,0;0.6,0.8 instead, its lines separated by semicolons");
  auto* n = add_value(app, "--n", o->n, "N", "tokens of a start by word, 1 to 100000000");
  auto* d = add_value(app, "--d", o->d, "D", "dimension of a start by word, 1 to 100000000");
  add_value(app, "--seed", o->seed, "N", "seed of a random start, >= 0");
  add_value(app, "--radii", o->radii, "FILE",
            "n numbers > 0, or from-start: the lengths in the start; default all 1");
  add_value(app, "--masses", o->masses, "FILE", "n numbers >= 0, rescaled to sum 1; default 1/n each");
  add_matrix(app, "--Q", o->Q, "query matrix, one row a line; once a head; default the identity");
  add_matrix(app, "--K", o->K, "key matrix, likewise");
  add_matrix(app, "--V", o->V, "value matrix, likewise");
  add_matrix(app, "--W", o->W, "output matrix of a head, likewise");
  add_times(app, o->times);
  add_value(app, "--states", o->states, "FILE",
            "every theta and r here too: CSV, or HDF5 where it ends in .h5");
  add_value(
      app, "--layer-step", o->layer_step, "H",
      "discrete layers of this size, > 0, instead of the flow, at most --max-steps of them; every row shows "
      "the time of the layer nearest to the one asked for");
  app.add_flag("--full-space", o->full_space,
               "where d > n, do not reduce the dimension to that of the tokens' span");
  o->accuracy.add_to(app);
  o->run.add_to(app);
  app.footer(help_footer(
      "  t                      time, in the unit of --clock\n"
      "  mean_cosine            over pairs of tokens i < j; 1 for one token\n"
      "  min_cosine             the smallest of them\n"
      "  one_minus_mean_cosine, one_minus_min_cosine   from chords, so small ones keep their digits\n"
      "  variance               1 - |mean|^2, with masses\n"
      "  energy                 (1/(2 beta)) sum m_j m_k e^{beta <theta_j, theta_k>}, times e^-|beta| beyond |beta| = 300\n"
      "                         (# log_energy_scale says so); (1/2) sum m_j m_k <theta_j, theta_k> at beta = 0\n"
      "  r_mean, r_min          radii, whatever the masses\n" +
          std::string(table_help),
      "ended early (a radius reached zero, |A| = 0, --max-steps ...): the rows until then are written, the reason with\n"
      "     token and time is on stderr; or the data could not be written",
      "attndyn particles --scheme pre --beta 2 --init uniform --n 32 --d 8 --seed 1 --times lin:0:10:101 --out run.csv"));
  return [o, n, d] {
    o->n_given = n->count() > 0;
    o->d_given = d->count() > 0;
    const auto accuracy = o->accuracy.resolve();
    o->run.check();
    if (!o->states.empty()) {
      check_output("states", o->states);
      check_distinct("states", o->states, "out", o->run.out);
    }
    return with_number_type(accuracy,
                            [&](auto real) { return solve_and_write<decltype(real)>(*o, accuracy); });
  };
}

} // namespace attndyn::cli
