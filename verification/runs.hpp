/// The runs that several claims make: one place for their tolerances and error bars.
#pragma once

#include "lib/solve.hpp"
#include "verification/claim.hpp"

#include <string>
#include <vector>

namespace attndyn::verification {

/// A solve that claims may lean on: it ended as asked, and `error` bounds what the promise of `solve` allows.
struct Run {
  std::vector<Sample<double>> samples;
  double error; ///< ten times the larger of tolerance and estimate: the promised bound on every sample
};

constexpr double default_tolerance = 1e-11;

/// Throws std::runtime_error with the reason if the solve ended early.
Run run(const Model<double>& model, const Vector<double>& start, const std::vector<double>& times,
        double tolerance = default_tolerance);

/// Both runs of a refinement: at the tolerance and at a hundredth of it (at least 1e-13). The largest
/// difference of the samples is demanded to be within the promised bound of the first, and noted.
Run refined_run(Findings&, const std::string& where, const Model<double>& model, const Vector<double>& start,
                const std::vector<double>& times, double tolerance = default_tolerance);

/// A particle system, the model that the factory makes of it, and a short description of its parameters.
struct ParticleCase {
  std::shared_ptr<const Particles<double>> particles;
  ModelFactory::Field model;
  std::string where;
};
ParticleCase make_particles(const Context&, const ParticleParams<double>&, const Tokens<double>& start,
                            std::string start_name);

struct EquiangularCase {
  std::shared_ptr<const Equiangular<double>> equiangular;
  ModelFactory::Field model;
  std::string where;
  std::string witness; ///< TOML for `attndyn equiangular --config`
};
EquiangularCase make_equiangular(const Context&, const EquiangularParams&);

/// post, pre, mix, peri, ngpt, sqrt: the six of [NAD]; and those plus lns.
const std::vector<std::string>& paper_schemes();
const std::vector<std::string>& every_scheme();

/// n equal-ish unequal masses: m_j proportional to 1 + (j mod 3).
Vector<double> unequal_masses(std::size_t n);

} // namespace attndyn::verification
