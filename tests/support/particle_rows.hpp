/// The runs of tests/reference/particles_ref.csv as runs of the particle model.
#pragma once

#include "lib/models/particles.hpp"
#include "lib/solve.hpp"
#include "tests/support/reference.hpp"

namespace attndyn::testing {

template <class Real> struct ParticleRun {
  std::string name;
  ParticleParams<Real> params;
  Tokens<Real> start;
  Real t;
  Vector<Real> theta, log_r; ///< expected: n x d, n
};

template <class Real> Vector<Real> reals(const std::string& text) {
  Vector<Real> out;
  for (const auto& field : split(text, ' ')) out.push_back(parse_real<Real>(field));
  return out;
}

/// Every run, in the order of the file.
template <class Real> std::vector<ParticleRun<Real>> particle_runs() {
  std::vector<std::pair<std::string, std::vector<ReferenceRow>>> tokens;
  for (const auto& row : reference_rows("particles_ref.csv")) {
    if (tokens.empty() || tokens.back().first != row.at("run")) tokens.push_back({row.at("run"), {}});
    tokens.back().second.push_back(row);
  }
  const auto matrices = reference_rows("particles_matrices.csv");

  std::vector<ParticleRun<Real>> out;
  for (const auto& [name, rows] : tokens) {
    const ReferenceRow& first = rows[0];
    ParticleRun<Real> run{name, {}, {}, parse_real<Real>(first.at("t")), {}, {}};
    run.params.scheme = {first.at("scheme"), first.at("tau"), first.at("alpha"), first.at("alpha_decay")};
    run.params.attention = parse_attention(first.at("attention"));
    run.params.beta = first.at("beta");
    const std::size_t n = rows.size(), d = split(first.at("start"), ' ').size();
    Matrix<Real> start(d, n);
    for (std::size_t j = 0; j < n; ++j) {
      const auto x = reals<Real>(rows[j].at("start")), theta = reals<Real>(rows[j].at("theta"));
      std::copy(x.begin(), x.end(), &start(0, j));
      run.theta.insert(run.theta.end(), theta.begin(), theta.end());
      run.log_r.push_back(parse_real<Real>(rows[j].at("log_r")));
      run.params.masses.push_back(parse_real<Real>(rows[j].at("mass")));
    }
    run.start = tokens_from(start, false);
    for (std::size_t j = 0; j < n; ++j) run.start.r[j] = parse_real<Real>(rows[j].at("r0"));

    Heads<Real> heads(std::stoul(first.at("heads")));
    for (const auto& row : matrices) {
      if (row.at("run") != name) continue;
      Head<Real>& head = heads.at(std::stoul(row.at("head")) - 1);
      const std::string which = row.at("matrix");
      Matrix<Real>& m = which == "Q" ? head.Q : which == "K" ? head.K : which == "V" ? head.V : head.W;
      const auto entries = reals<Real>(row.at("entries"));
      if (m.empty()) m = Matrix<Real>(entries.size(), entries.size());
      for (std::size_t i = 0; i < entries.size(); ++i) m(std::stoul(row.at("row")) - 1, i) = entries[i];
    }
    run.params.weights = {heads};
    out.push_back(std::move(run));
  }
  return out;
}

/// Largest error of theta (absolute) and of r (relative) at the end of the run.
template <class Real> double true_error(const ParticleRun<Real>& run, const Real& tolerance) {
  using std::abs;
  using std::exp;
  const Particles<Real> model(run.params, run.start);
  Options<Real> options;
  options.tolerance = tolerance;
  const auto s = solve<Real>(model, model.start(), Real(0), {run.t}, options);
  if (s.why != Stop::reached_end) throw std::runtime_error(run.name + ": " + name_of(s.why) + " " + s.detail);
  const Tokens<Real> end = model.lift(s.samples[0].x);
  Real worst = 0;
  const auto count = [&](const Real& error) {
    if (!(abs(error) <= worst)) worst = abs(error);
  };
  for (std::size_t i = 0; i < run.theta.size(); ++i) count(end.theta.data[i] - run.theta[i]);
  for (std::size_t j = 0; j < run.log_r.size(); ++j) count(end.r[j] / exp(run.log_r[j]) - 1);
  return plain_value(worst);
}

} // namespace attndyn::testing
