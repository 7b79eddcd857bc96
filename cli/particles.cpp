#include "analysis/series.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "lib/initial.hpp"
#include "lib/models/layers.hpp"
#include "lib/models/particles.hpp"

#include <memory>

namespace attndyn::cli {
namespace {

struct ParticleOptions {
  SchemeOptions scheme;
  Accuracy accuracy;
  RunOptions run;
  std::string attention = "sa", beta = "1", init = "uniform", radii, masses, times, states, layer_step;
  std::vector<std::string> Q, K, V, W;
  std::size_t n = 32, d = 8;
  std::uint64_t seed = 1;
  bool full_space = false, n_given = false, d_given = false;
};

template <class Real> Tokens<Real> start_of(const ParticleOptions& o) {
  const bool from_start = o.radii == "from-start";
  Tokens<Real> tokens;
  if (names_initial(o.init)) {
    tokens = make_initial<Real>(o.init, {o.n, o.d}, o.seed, 0, from_start);
  } else {
    const auto vectors = read_tokens<Real>(o.init);
    try {
      tokens = tokens_from(vectors, from_start);
    } catch (const std::invalid_argument& e) {
      throw BadInput(fmt::format("init = {}: {}", o.init, e.what()));
    }
    if (o.n_given && o.n != tokens.shape().n)
      throw BadInput(fmt::format("n = {}: but {} holds {} tokens", o.n, o.init, tokens.shape().n));
    if (o.d_given && o.d != tokens.shape().d)
      throw BadInput(fmt::format("d = {}: but the tokens of {} have dimension {}", o.d, o.init, tokens.shape().d));
  }
  if (!o.radii.empty() && !from_start) {
    const auto radii = read_vector<Real>(o.radii);
    if (radii.size() != tokens.r.size())
      throw BadInput(fmt::format("radii = {}: holds {} numbers, but there are {} tokens", o.radii, radii.size(), tokens.r.size()));
    for (std::size_t j = 0; j < radii.size(); ++j)
      if (!(radii[j] > 0)) throw BadInput(fmt::format("radii = {}: number {} is {}: must be > 0", o.radii, j + 1, brief(radii[j])));
    tokens.r = radii;
  }
  return tokens;
}

template <class Real> Heads<Real> heads_of(const ParticleOptions& o) {
  const std::size_t count = std::max({o.Q.size(), o.K.size(), o.V.size(), o.W.size()});
  Heads<Real> heads(count);
  const auto fill = [&](const char* name, const std::vector<std::string>& files, Matrix<Real> Head<Real>::*part) {
    if (!files.empty() && files.size() != count)
      throw BadInput(fmt::format("{} = {} files: every one of Q, K, V, W that is given must be given once a head, {} times", name, files.size(), count));
    for (std::size_t h = 0; h < files.size(); ++h) heads[h].*part = read_matrix<Real>(files[h]);
  };
  fill("Q", o.Q, &Head<Real>::Q);
  fill("K", o.K, &Head<Real>::K);
  fill("V", o.V, &Head<Real>::V);
  fill("W", o.W, &Head<Real>::W);
  return heads;
}

std::string joined(const std::vector<std::string>& files) { return fmt::format("{}", fmt::join(files, " ")); }

template <class Real> int solve_and_write(const ParticleOptions& o, const Accuracy::Resolved& accuracy) {
  ParticleParams<Real> p;
  p.scheme = o.scheme.resolve();
  p.attention = parse_attention(o.attention);
  p.beta = number("beta", o.beta);
  p.clock = o.run.time_scale();
  p.reduce_span = !o.full_space;
  const Vector<Real> times = parse_times<Real>(o.times);
  const Tokens<Real> start = start_of<Real>(o);
  if (!o.masses.empty()) {
    p.masses = read_vector<Real>(o.masses);
    if (p.masses.size() != start.shape().n)
      throw BadInput(fmt::format("masses = {}: holds {} numbers, but there are {} tokens", o.masses, p.masses.size(), start.shape().n));
  }
  p.weights = {heads_of<Real>(o)};
  const Particles<Real> model(p, start);

  Solution<Real> s;
  if (o.layer_step.empty()) {
    auto options = o.run.solver<Real>(accuracy.tolerance);
    options.progress = show_progress;
    s = solve<Real>(model, model.start(), Real(0), times, options);
  } else {
    s = run_layers<Real>(model, times, number("layer-step", o.layer_step).as<Real>());
  }

  const auto series = analysis::series_of(model, s);
  Table table;
  table.parameters = {{"attndyn", ATTNDYN_VERSION}, {"command", "particles"}, {"scheme", p.scheme.name},
                      {"attention", name_of(p.attention)}, {"beta", p.beta.text()}, {"init", o.init},
                      {"n", std::to_string(start.shape().n)}, {"d", std::to_string(start.shape().d)},
                      {"seed", std::to_string(o.seed)}, {"radii", o.radii.empty() ? "1" : o.radii},
                      {"masses", o.masses.empty() ? "1/n" : o.masses}, {"Q", joined(o.Q)}, {"K", joined(o.K)},
                      {"V", joined(o.V)}, {"W", joined(o.W)}, {"tau", p.scheme.tau.text()},
                      {"alpha", p.scheme.alpha.text()}, {"alpha_decay", p.scheme.alpha_decay.text()},
                      {"clock", o.run.clock}, {"layer_step", o.layer_step}, {"working_dimension", std::to_string(model.shape().d)},
                      {"tolerance", accuracy.tolerance}, {"number_type", accuracy.number_type},
                      {"stepper", o.run.stepper.empty() ? "default" : o.run.stepper},
                      {"log_energy_scale", to_text(series.log_energy_scale)}};
  describe_end(table, s);
  table.columns = {"t", "mean_cosine", "min_cosine", "one_minus_mean_cosine", "one_minus_min_cosine",
                   "variance", "energy", "r_mean", "r_min"};
  for (std::size_t i = 0; i < series.t.size(); ++i)
    table.rows.push_back({to_text(series.t[i]), to_text(series.mean_cosine[i]), to_text(series.min_cosine[i]),
                          to_text(series.one_minus_mean_cosine[i]), to_text(series.one_minus_min_cosine[i]),
                          to_text(series.variance[i]), to_text(series.energy[i]), to_text(series.r_mean[i]),
                          to_text(series.r_min[i])});
  if (!o.states.empty()) {
    Vector<Real> at;
    std::vector<Tokens<Real>> states;
    for (const auto& sample : s.samples) {
      at.push_back(sample.t);
      states.push_back(model.lift(sample.x));
    }
    write_states(o.states, at, states, table.parameters);
  }
  o.run.write(table);
  return report_end("particles", s);
}

}  // namespace

Command add_particles(CLI::App& app) {
  auto o = std::make_shared<ParticleOptions>();
  o->scheme.add_to(app);
  app.add_option("--attention", o->attention, "sa (softmax), usa (unnormalised), causal (softmax over k <= j), hardmax")
      ->take_last()->capture_default_str()->check(CLI::IsMember({"sa", "usa", "causal", "hardmax"}));
  app.add_option("--beta", o->beta, "inverse temperature")->take_last()->capture_default_str()->type_name("X");
  app.add_option("--init", o->init, "start: uniform, gaussian, orthogonal, equiangular:g, or a file with one token a line, comma separated")
      ->take_last()->capture_default_str()->type_name("FILE|WORD");
  auto* n = app.add_option("--n", o->n, "tokens of a start by word, >= 1")->take_last()->capture_default_str()->check(CLI::Range(1, 100000000));
  auto* d = app.add_option("--d", o->d, "dimension of a start by word, >= 1")->take_last()->capture_default_str()->check(CLI::Range(1, 100000000));
  app.add_option("--seed", o->seed, "of a random start")->take_last()->capture_default_str();
  app.add_option("--radii", o->radii, "file with n numbers > 0, or from-start: lengths of the start's vectors; default all 1")->take_last()->type_name("FILE");
  app.add_option("--masses", o->masses, "file with n numbers >= 0, rescaled to sum 1; default all 1/n")->take_last()->type_name("FILE");
  app.add_option("--Q", o->Q, "query matrix, one row a line; once a head; default identity")->type_name("FILE")->allow_extra_args(false);
  app.add_option("--K", o->K, "key matrix")->type_name("FILE")->allow_extra_args(false);
  app.add_option("--V", o->V, "value matrix")->type_name("FILE")->allow_extra_args(false);
  app.add_option("--W", o->W, "output matrix of a head")->type_name("FILE")->allow_extra_args(false);
  app.add_option("--times", o->times, "output times: a,b,c or lin:a:b:n or log:a:b:n, increasing, >= 0")->take_last()->required()->type_name("LIST");
  app.add_option("--states", o->states, "file for every theta and r: CSV, or HDF5 by its ending .h5")->take_last()->type_name("FILE");
  app.add_option("--layer-step", o->layer_step, "apply discrete layers of this size instead of the flow")->take_last()->type_name("H");
  app.add_flag("--full-space", o->full_space, "do not reduce the dimension to that of the tokens' span (d > n)");
  o->accuracy.add_to(app);
  o->run.add_to(app);
  return [o, n, d] {
    o->n_given = n->count() > 0;
    o->d_given = d->count() > 0;
    const auto accuracy = o->accuracy.resolve();
    return with_number_type(accuracy, [&](auto real) { return solve_and_write<decltype(real)>(*o, accuracy); });
  };
}

}  // namespace attndyn::cli
