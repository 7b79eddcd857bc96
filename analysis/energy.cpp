#include "analysis/energy.hpp"

#include "analysis/gaps.hpp"
#include "analysis/overlap.hpp"
#include "lib/attention/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attndyn::analysis {
namespace {

/// sum * e^{shift}, summed up without overflow.
template <class Real> struct LogSum {
  Real shift = -infinity<Real>(), sum = Real(0);

  /// Adds term * e^{term_shift}.
  void add(const Real& term, const Real& term_shift) {
    using std::exp;
    if (term == 0) return;
    if (term_shift > shift) {
      sum = sum * exp(Real(shift - term_shift)) + term;
      shift = term_shift;
    } else {
      sum += term * exp(Real(term_shift - shift));
    }
  }

  /// sum * e^{shift + log_factor} / divisor in units of e^{log_scale}. (beta - log_scale is often exactly 0:
  /// no rounding of a large exponent then.)
  Scaled<Real> scaled(const Real& log_factor, const Real& divisor, const Real& log_scale) const {
    using std::abs;
    using std::exp;
    using std::log;
    if (sum == 0) return {Real(0), log_scale, Real(-infinity<Real>())};
    const Real quotient = sum / divisor;
    return {quotient * exp(Real(log_factor - log_scale + shift)), log_scale,
            log(Real(abs(quotient))) + shift + log_factor};
  }
};

template <class Real> Vector<Real> masses_or_equal(const Vector<Real>& masses, std::size_t n) {
  require_masses(masses, n);
  return masses.empty() ? Vector<Real>(n, Real(1) / static_cast<int>(n)) : masses;
}

/// Turns logits[j], first <= j < n, into m_j e^{logits[j] - shift}, adds them up, and returns the shift: the
/// largest logit of a token with mass.
template <class Real> Real weigh(Vector<Real>& logits, std::size_t first, const Vector<Real>& m, Real& sum) {
  double shift = -std::numeric_limits<double>::infinity();
  for (std::size_t j = first; j < m.size(); ++j)
    if (m[j] > 0) shift = std::max(shift, plain_value(logits[j]));
  for (std::size_t j = first; j < m.size(); ++j)
    if (m[j] == 0) logits[j] = shift; // its weight is 0, not 0 * infinity
  exponential_row(logits.data() + first, m.size() - first, Real(shift));
  sum = 0;
  for (std::size_t j = first; j < m.size(); ++j) {
    logits[j] *= m[j];
    sum += logits[j];
  }
  return Real(shift);
}

template <class Real> Scaled<Real> plain(const Real& value) {
  using std::abs;
  using std::log;
  return {value, Real(0), value == 0 ? Real(-infinity<Real>()) : Real(log(abs(value)))};
}

} // namespace

template <class Real>
Scaled<Real> energy(const Matrix<Real>& theta, const Vector<Real>& masses, const Real& beta) {
  const GapRows<Real> pairs(theta);
  const std::size_t n = pairs.tokens();
  const Vector<Real> m = masses_or_equal(masses, n);
  if (beta == 0) {
    Real square = 0;
    for (std::size_t k = 0; k < theta.rows; ++k) {
      Real mean = 0;
      for (std::size_t j = 0; j < n; ++j) mean += m[j] * theta(k, j);
      square += mean * mean;
    }
    return plain(Real(square / 2));
  }
  // e^{beta <.,.>} = e^{beta} e^{-beta gap}: the second factor loses nothing where it matters.
  LogSum<Real> total;
  Vector<Real> logits(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (m[i] == 0) continue;
    pairs.row(i, i, logits);
    for (std::size_t j = i; j < n; ++j) logits[j] *= -beta;
    Real row;
    const Real shift = weigh(logits, i, m, row);
    total.add(m[i] * (2 * row - logits[i]), shift); // pairs i < j count twice, the token itself once
  }
  return total.scaled(beta, Real(2 * beta), log_energy_scale(beta));
}

template <class Real>
Scaled<Real> energy_deficit(const Matrix<Real>& theta, const Vector<Real>& masses, const Real& beta) {
  using std::abs;
  using std::exp;
  using std::expm1;
  if (beta == 0) return plain(Real(variance(theta, masses) / 2));
  const GapRows<Real> pairs(theta);
  const std::size_t n = pairs.tokens();
  const Vector<Real> m = masses_or_equal(masses, n);
  LogSum<Real> total;
  Vector<Real> gaps(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (m[i] == 0) continue;
    pairs.row(i, i + 1, gaps);
    double shift = 0;
    if (beta < 0)
      for (std::size_t j = i + 1; j < n; ++j)
        if (m[j] > 0) shift = std::max(shift, plain_value(Real(-beta * gaps[j])));
    Real row = 0;
    for (std::size_t j = i + 1; j < n; ++j) {
      if (m[j] == 0) continue;
      // |e^{-beta gap} - 1| e^{-shift}
      const Real a = abs(beta) * gaps[j];
      const Real defect = -expm1(Real(-a));
      row += m[j] * (beta > 0 ? defect : Real(exp(Real(a - shift)) * defect));
    }
    total.add(2 * m[i] * row, Real(shift));
  }
  return total.scaled(beta, Real(2 * abs(beta)), beta < -unscaled_up_to ? Real(-beta) : beta);
}

template <class Real>
Scaled<Real> dissipation(const Particles<Real>& model, std::size_t piece, const Vector<Real>& state,
                         const Real& t) {
  if (model.kind() != Attention::softmax && model.kind() != Attention::unnormalised)
    throw std::invalid_argument(fmt::format("attention = {}: must be sa or usa for the energy to have a rate",
                                            name_of(model.kind())));
  const auto [n, d] = model.shape();
  const Vector<Real>& m = model.masses();
  const Real beta = model.beta();
  Vector<Real> unit = state;
  normalise_directions(unit, model.shape());
  Matrix<Real> theta(d, n);
  theta.data.assign(unit.begin(), unit.begin() + static_cast<std::ptrdiff_t>(n * d));
  Attended<Real> attended;
  model.attention(piece)(theta.data.data(), attended);
  Vector<Real> velocity(model.size());
  model.field(piece, state, velocity, t);

  const bool softmax = model.kind() == Attention::softmax;
  const GapRows<Real> pairs(theta);
  LogSum<Real> total;
  Vector<Real> logits(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (m[i] == 0) continue;
    Real along = m[i] * dot(attended.tangent.data() + i * d, velocity.data() + i * d, d);
    Real shift = Real(attended.log_scale[i]);
    if (softmax) { // Z_i = e^{beta} sum_k m_k e^{-beta gap}
      pairs.row(i, 0, logits);
      for (std::size_t k = 0; k < n; ++k) logits[k] *= -beta;
      Real row;
      shift += weigh(logits, 0, m, row);
      along *= row;
    }
    total.add(along, shift);
  }
  return total.scaled(softmax ? beta : Real(0), Real(1), log_energy_scale(beta));
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template Scaled<Real> energy(const Matrix<Real>&, const Vector<Real>&, const Real&);                       \
  template Scaled<Real> energy_deficit(const Matrix<Real>&, const Vector<Real>&, const Real&);               \
  template Scaled<Real> dissipation(const Particles<Real>&, std::size_t, const Vector<Real>&, const Real&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn::analysis
