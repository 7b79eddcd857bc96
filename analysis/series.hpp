/// From a solution to a table of observables, one entry per sample: what `attndyn particles` and `attndyn
/// equiangular` print and the figures draw.
#pragma once

#include "lib/models/equiangular.hpp"
#include "lib/models/particles.hpp"
#include "lib/solve.hpp"

namespace attndyn::analysis {

/// Columns of equal length, in the order in which they are printed. Pairs i < j, from chords; 1 and 0 for n
/// = 1.
template <class Real> struct ParticleSeries {
  Vector<Real> t; ///< in the clock of the model
  Vector<Real> mean_cosine, min_cosine, one_minus_mean_cosine, one_minus_min_cosine;
  Vector<Real> variance;      ///< 1 - |mean|^2 with masses
  Vector<Real> energy;        ///< times e^{-log_energy_scale}
  Vector<Real> r_mean, r_min; ///< over tokens, whatever their masses
  Real log_energy_scale;      ///< 0, or |beta| beyond 300
};

/// solution: of this model. Costs O(n^2 d) per sample.
template <class Real>
ParticleSeries<Real> series_of(const Particles<Real>& model, const Solution<Real>& solution);

template <class Real> struct EquiangularSeries {
  Vector<Real> t; ///< in the clock of the model
  Vector<Real> y; ///< log(1-g): holds 1-g to full relative accuracy where g itself is 1
  Vector<Real> g;
  Vector<Real> log_r;
  Vector<Real> s; ///< the speed regulation factor; on a switch that of the piece that ends there
};

template <class Real>
EquiangularSeries<Real> series_of(const Equiangular<Real>& model, const Solution<Real>& solution);

} // namespace attndyn::analysis
