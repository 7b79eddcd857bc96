#include "lib/models/equiangular_flow.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn {

std::string problem_with(const EquiangularParams& p) {
  if (auto problem = problem_with(p.scheme); !problem.empty()) return problem;
  if (p.attention != Attention::softmax && p.attention != Attention::unnormalised)
    return fmt::format("attention = {}: must be sa or usa in the equiangular reduction",
                       name_of(p.attention));
  if (p.n < 2) return fmt::format("n = {}: must be >= 2", p.n);
  if (compare(p.g0, 1) >= 0 || compare(p.g0, Number(fmt::format("-1/{}", p.n - 1))) <= 0)
    return fmt::format("g0 = {}: must satisfy -1/(n-1) < g0 < 1", p.g0.text());
  if (compare(p.r0, 0) <= 0) return fmt::format("r0 = {}: must be > 0", p.r0.text());
  const auto schedule = make_schedule<double>(p.scheme);
  for (const auto& piece : schedule.pieces)
    if (auto problem = problem_with_clock(p.clock, p.attention, degree(piece), p.beta.approx());
        !problem.empty())
      return problem;
  return {};
}

template <class Real>
EquiangularFlow<Real>::EquiangularFlow(const EquiangularParams& p)
    : unnormalised_(p.attention == Attention::unnormalised), attractive_(compare(p.beta, 0) >= 0), n_(p.n) {
  using std::exp;
  if (auto problem = problem_with(p); !problem.empty()) throw std::invalid_argument(problem);
  schedule_ = make_schedule<Real>(p.scheme);
  const Real beta = p.beta.as<Real>();
  abs_beta_ = attractive_ ? beta : Real(-beta);
  log_unit_ = log_time_unit(p.clock, abs_beta_);
  time_unit_ = exp(log_unit_);
}

template <class Real> auto EquiangularFlow<Real>::attend(const Real& y) const -> Attended {
  using std::exp;
  using std::expm1;
  using std::sqrt;
  // 1-g and g apart, so that neither loses digits near its zero.
  const Real gap = exp(y), g = -expm1(y);
  const Real q = exp(-abs_beta_ * gap);
  const int others = n_ - 1;
  Attended a;
  // The larger of the two weights is 1 before normalisation.
  Real self = attractive_ ? Real(1) : q;
  a.off = attractive_ ? q : Real(1);
  const Real sum = self + others * a.off;
  const Real normaliser = unnormalised_ ? Real(n_) : sum;
  self = self / normaliser;
  a.off = a.off / normaliser;
  a.mean = 1 + others * g;
  a.total = sum / normaliser;
  a.log_scale = !unnormalised_ ? Real(0) : attractive_ ? abs_beta_ : Real(-abs_beta_ * g);
  a.radial = self + others * a.off * g;
  // |A|^2 split along and across the mean token: a sum of squares, nothing cancels.
  const Real across = self - a.off;
  a.norm = sqrt((a.total * a.total * a.mean + others * gap * across * across) / n_);
  return a;
}

template <class Real>
TokenState<Real> EquiangularFlow<Real>::token(const Vector<Real>& x, const Real& t, const Attended& a) const {
  using std::exp;
  return {t * time_unit_, exp(x[1]), a.radial, a.norm};
}

template <class Real>
void EquiangularFlow<Real>::operator()(std::size_t piece, const Vector<Real>& x, Vector<Real>& dxdt,
                                       const Real& t) const {
  using std::exp;
  const AnyScheme<Real>& scheme = schedule_.pieces[piece];
  const Attended a = attend(x[0]);
  const TokenState<Real> k = token(x, t, a);
  const Regulation<Real> reg = regulation(scheme, k);
  // e^{degree L} (natural time per unit of the clock)
  const Real factor = unnormalised_ ? Real(exp(degree(scheme) * a.log_scale + log_unit_)) : Real(1);
  dxdt[0] = -2 * a.off * a.mean * factor / reg.speed_factor;
  dxdt[1] = reg.radial_rate * factor / k.r;
}

template <class Real>
Real EquiangularFlow<Real>::speed_factor(std::size_t piece, const Vector<Real>& x, const Real& t) const {
  using std::exp;
  const AnyScheme<Real>& scheme = schedule_.pieces[piece];
  const Attended a = attend(x[0]);
  const Real s = regulation(scheme, token(x, t, a)).speed_factor;
  // s(c A) = c^(1-degree) s(A)
  return unnormalised_ ? Real(s * exp((1 - degree(scheme)) * a.log_scale)) : s;
}

Tape record_equiangular(const EquiangularParams& p, std::size_t piece, const Vector<double>& at, double t) {
  return record_field(at, t, [&](const Vector<Recorded>& x, const Recorded& now) {
    Vector<Recorded> dxdt(2);
    const EquiangularFlow<Recorded> flow(p);
    flow(piece, x, dxdt, now);
    return dxdt;
  });
}

template class EquiangularFlow<double>;
template class EquiangularFlow<Float128>;
template class EquiangularFlow<Mpfr>;
template class EquiangularFlow<Recorded>;

} // namespace attndyn
