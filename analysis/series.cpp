#include "analysis/series.hpp"

#include "analysis/energy.hpp"
#include "analysis/overlap.hpp"

#include <algorithm>

namespace attndyn::analysis {

template <class Real>
ParticleSeries<Real> series_of(const Particles<Real>& model, const Solution<Real>& solution) {
  ParticleSeries<Real> out;
  out.log_energy_scale = log_energy_scale(model.beta());
  for (const Sample<Real>& sample : solution.samples) {
    const Tokens<Real> tokens = to_tokens(sample.x, model.shape());
    out.t.push_back(sample.t);
    out.one_minus_mean_cosine.push_back(one_minus_mean_cosine(tokens.theta));
    out.one_minus_min_cosine.push_back(one_minus_min_cosine(tokens.theta));
    out.mean_cosine.push_back(1 - out.one_minus_mean_cosine.back());
    out.min_cosine.push_back(1 - out.one_minus_min_cosine.back());
    out.variance.push_back(variance(tokens.theta, model.masses()));
    out.energy.push_back(energy(tokens.theta, model.masses(), model.beta()).value);
    Real sum = 0;
    for (const Real& r : tokens.r) sum += r;
    const auto n = static_cast<int>(tokens.r.size());
    Real mean = sum / n;
    if (!(mean < infinity<Real>())) { // the sum left the range, the mean has not
      mean = 0;
      for (const Real& r : tokens.r) mean += r / n;
    }
    out.r_mean.push_back(mean);
    out.r_min.push_back(*std::min_element(tokens.r.begin(), tokens.r.end()));
  }
  return out;
}

template <class Real>
EquiangularSeries<Real> series_of(const Equiangular<Real>& model, const Solution<Real>& solution) {
  EquiangularSeries<Real> out;
  for (const Sample<Real>& sample : solution.samples) {
    out.t.push_back(sample.t);
    out.y.push_back(sample.x[0]);
    out.g.push_back(cosine_from_log_gap(sample.x[0]));
    out.log_r.push_back(sample.x[1]);
    out.s.push_back(model.speed_factor(sample.piece, sample.x, sample.t));
  }
  return out;
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template ParticleSeries<Real> series_of(const Particles<Real>&, const Solution<Real>&);                    \
  template EquiangularSeries<Real> series_of(const Equiangular<Real>&, const Solution<Real>&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn::analysis
