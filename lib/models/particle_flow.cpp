#include "lib/models/particle_flow.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace attndyn {

std::string problem_with(const ParticleFlowParams& p) {
  if (auto problem = problem_with(p.scheme); !problem.empty()) return problem;
  if (p.attention == Attention::hardmax)
    return "attention = hardmax: must be sa, usa or causal for a flow that is straight-line code";
  if (p.shape.n < 1) return fmt::format("n = {}: must be >= 1", p.shape.n);
  if (p.shape.d < 1) return fmt::format("d = {}: must be >= 1", p.shape.d);
  if (!p.masses.empty() && p.masses.size() != p.shape.n)
    return fmt::format("masses: there are {}, but {} tokens", p.masses.size(), p.shape.n);
  bool any = p.masses.empty();
  for (const Number& m : p.masses) {
    if (compare(m, 0) < 0) return fmt::format("masses: {}: must be >= 0", m.text());
    any = any || compare(m, 0) > 0;
  }
  if (!any) return "masses: must not all be zero";
  if (p.attention == Attention::causal && !p.masses.empty() && compare(p.masses[0], 0) == 0)
    return "masses: number 1 is 0: the first token must have mass under causal attention";
  const auto schedule = make_schedule<double>(p.scheme);
  for (const auto& piece : schedule.pieces)
    if (auto problem = problem_with_clock(p.clock, p.attention, degree(piece), p.beta.approx());
        !problem.empty())
      return problem;
  return {};
}

template <class Real>
ParticleFlow<Real>::ParticleFlow(const ParticleFlowParams& p) : kind_(p.attention), shape_(p.shape) {
  using std::exp;
  if (auto problem = problem_with(p); !problem.empty()) throw std::invalid_argument(problem);
  schedule_ = make_schedule<Real>(p.scheme);
  beta_ = p.beta.as<Real>();
  abs_beta_ = compare(p.beta, 0) >= 0 ? beta_ : Real(-beta_);
  log_unit_ = log_time_unit(p.clock, abs_beta_);
  time_unit_ = exp(log_unit_);
  if (p.masses.empty()) {
    masses_.assign(shape_.n, Real(1) / static_cast<int>(shape_.n));
    return;
  }
  Real sum = 0;
  for (const Number& m : p.masses) {
    masses_.push_back(m.as<Real>());
    sum += masses_.back();
  }
  for (Real& m : masses_) m /= sum;
}

template <class Real>
void ParticleFlow<Real>::operator()(std::size_t piece, const Vector<Real>& x, Vector<Real>& dxdt,
                                    const Real& t) const {
  using std::exp;
  using std::sqrt;
  const std::size_t n = shape_.n, d = shape_.d;
  const AnyScheme<Real>& scheme = schedule_.pieces[piece];
  const bool usa = kind_ == Attention::unnormalised;
  // Cosines and weights e^{beta <theta_j, theta_k> - |beta|}, at most 1, the same for (j, k) and (k, j). A
  // token's cosine with itself is 1: what it adds to A_j is along theta_j and never enters the velocity,
  // where it would be the largest term, and cancel.
  Vector<Real> cosine(n * n), weight(n * n);
  const Real own = exp(Real(beta_ - abs_beta_));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < j; ++k) {
      Real sum = x[j * d] * x[k * d];
      for (std::size_t i = 1; i < d; ++i) sum += x[j * d + i] * x[k * d + i];
      cosine[j * n + k] = cosine[k * n + j] = sum;
      weight[j * n + k] = weight[k * n + j] = exp(Real(beta_ * sum - abs_beta_));
    }
  // e^{degree L_j} (natural time per unit of the clock), with L_j = |beta| factored out of USA.
  const Real factor = usa ? Real(exp(Real(degree(scheme) * abs_beta_ + log_unit_))) : Real(1);

  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t attended = kind_ == Attention::causal ? j + 1 : n;
    // Of the others: their weighted sum, and its part along theta_j.
    Vector<Real> sum(d, Real(0));
    Real along = 0, total = masses_[j] * own;
    for (std::size_t k = 0; k < attended; ++k) {
      if (k == j) continue;
      const Real w = masses_[k] * weight[j * n + k];
      total += w;
      along += w * cosine[j * n + k];
      for (std::size_t i = 0; i < d; ++i) sum[i] += w * x[k * d + i];
    }
    const Real scale = usa ? Real(1) : Real(1 / total);
    const Real radial = (masses_[j] * own + along) * scale;
    Real square = radial * radial;
    Vector<Real> tangent(d);
    for (std::size_t i = 0; i < d; ++i) {
      tangent[i] = (sum[i] - along * x[j * d + i]) * scale;
      square += tangent[i] * tangent[i];
    }
    const Real r = exp(x[n * d + j]);
    const Regulation<Real> reg =
        regulation(scheme, TokenState<Real>{t * time_unit_, r, radial, sqrt(square)});
    const Real speed = factor / reg.speed_factor;
    for (std::size_t i = 0; i < d; ++i) dxdt[j * d + i] = speed * tangent[i];
    dxdt[n * d + j] = reg.radial_rate * factor / r;
  }
}

Tape record_particles(const ParticleFlowParams& p, std::size_t piece, const Vector<double>& at, double t) {
  if (at.size() != state_size(p.shape))
    throw std::invalid_argument(
        fmt::format("state: has {} components, must have n d + n = {}", at.size(), state_size(p.shape)));
  return record_field(at, t, [&](const Vector<Recorded>& x, const Recorded& now) {
    Vector<Recorded> dxdt(x.size());
    const ParticleFlow<Recorded> flow(p);
    flow(piece, x, dxdt, now);
    return dxdt;
  });
}

RigorousProblem rigorous_problem(const ParticleFlowParams& p, const std::vector<Number>& vectors,
                                 const std::vector<Number>& radii) {
  const std::size_t n = p.shape.n, d = p.shape.d;
  const std::size_t pieces = ParticleFlow<double>(p).schedule().pieces.size();
  if (vectors.size() != n * d)
    throw std::invalid_argument(
        fmt::format("vectors: there are {} numbers, must be n d = {}", vectors.size(), n * d));
  if (!radii.empty() && radii.size() != n)
    throw std::invalid_argument(fmt::format("radii: there are {}, but {} tokens", radii.size(), n));
  for (std::size_t j = 0; j < n; ++j) {
    bool zero = true;
    for (std::size_t i = 0; i < d; ++i) zero = zero && compare(vectors[j * d + i], 0) == 0;
    if (zero) throw std::invalid_argument(fmt::format("token {}: is zero and has no direction", j + 1));
    if (!radii.empty() && compare(radii[j], 0) <= 0)
      throw std::invalid_argument(fmt::format("radii: {}: must be > 0", radii[j].text()));
  }
  RigorousProblem out;
  // Any state will do: the field has no branches.
  const Vector<double> somewhere(state_size(p.shape), 0.5);
  for (std::size_t i = 0; i < pieces; ++i) out.pieces.push_back(record_particles(p, i, somewhere, 0));
  if (pieces == 2) out.switches = {p.scheme.tau};
  out.start = [vectors, radii, n, d] {
    Vector<Ball> x;
    for (const Number& v : vectors) x.push_back(v.as<Ball>());
    for (std::size_t j = 0; j < n; ++j) {
      Ball square;
      for (std::size_t i = 0; i < d; ++i) square += x[j * d + i] * x[j * d + i];
      const Ball length = sqrt(square);
      for (std::size_t i = 0; i < d; ++i) x[j * d + i] /= length;
    }
    for (std::size_t j = 0; j < n; ++j) x.push_back(radii.empty() ? Ball(0) : log(radii[j].as<Ball>()));
    return x;
  };
  return out;
}

template class ParticleFlow<double>;
template class ParticleFlow<Recorded>;

} // namespace attndyn
