#include "lib/models/equiangular.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn {
namespace {

/// |A| below this many epsilons of its terms is zero to working precision.
constexpr int singular_epsilons = 1000;

}  // namespace

std::string problem_with(const EquiangularParams& p) {
  if (auto problem = problem_with(p.scheme); !problem.empty()) return problem;
  if (p.attention != Attention::softmax && p.attention != Attention::unnormalised)
    return fmt::format("attention = {}: must be sa or usa in the equiangular reduction", name_of(p.attention));
  if (p.n < 2) return fmt::format("n = {}: must be >= 2", p.n);
  if (compare(p.g0, 1) >= 0 || compare(p.g0, Number(fmt::format("-1/{}", p.n - 1))) <= 0)
    return fmt::format("g0 = {}: must satisfy -1/(n-1) < g0 < 1", p.g0.text());
  if (compare(p.r0, 0) <= 0) return fmt::format("r0 = {}: must be > 0", p.r0.text());
  const auto schedule = make_schedule<double>(p.scheme);
  for (const auto& piece : schedule.pieces)
    if (auto problem = problem_with_clock(p.clock, p.attention, degree(piece), p.beta.approx()); !problem.empty())
      return problem;
  return {};
}

template <class Real> struct Equiangular<Real>::Attended {
  Real off, radial, norm, total, log_scale;  // all but log_scale are to be multiplied by e^log_scale
};

template <class Real>
Equiangular<Real>::Equiangular(const EquiangularParams& p)
    : unnormalised_(p.attention == Attention::unnormalised), n_(p.n) {
  using std::exp;
  using std::log;
  if (auto problem = problem_with(p); !problem.empty()) throw std::invalid_argument(problem);
  schedule_ = make_schedule<Real>(p.scheme);
  const Real beta = p.beta.as<Real>();
  attractive_ = beta >= 0;
  abs_beta_ = attractive_ ? beta : Real(-beta);
  log_unit_ = log_time_unit(p.clock, abs_beta_);
  time_unit_ = exp(log_unit_);
  start_ = {p.g0.log_one_minus<Real>(), log(p.r0.as<Real>())};
}

/// The attention vector of any token at 1-g = gap, every quotient written with e^{-|beta| gap}.
template <class Real> typename Equiangular<Real>::Attended Equiangular<Real>::attend(const Real& gap) const {
  using std::exp;
  using std::sqrt;
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
  a.total = sum / normaliser;
  a.log_scale = !unnormalised_ ? Real(0) : attractive_ ? abs_beta_ : Real(-abs_beta_ * (1 - gap));
  a.radial = a.total - others * a.off * gap;
  // |A|^2 split along and across the mean token: a sum of squares, nothing cancels.
  const Real along = n_ - others * gap, across = self - a.off;
  a.norm = sqrt((a.total * a.total * along + others * gap * across * across) / n_);
  return a;
}

template <class Real>
TokenState<Real> Equiangular<Real>::token(const Vector<Real>& x, const Real& t, const Attended& a) const {
  using std::exp;
  return {t * time_unit_, exp(x[1]), a.radial, a.norm};
}

template <class Real> Real Equiangular<Real>::clock_factor(std::size_t piece, const Attended& a) const {
  using std::exp;
  if (!unnormalised_) return Real(1);
  return exp(degree(schedule_.pieces[piece]) * a.log_scale + log_unit_);
}

template <class Real>
void Equiangular<Real>::field(std::size_t piece, const Vector<Real>& x, Vector<Real>& dxdt, const Real& t) const {
  using std::exp;
  const Real gap = exp(x[0]);
  const Attended a = attend(gap);
  const TokenState<Real> k = token(x, t, a);
  const Regulation<Real> reg = regulation(schedule_.pieces[piece], k);
  const Real factor = clock_factor(piece, a);
  dxdt[0] = -2 * a.off * (n_ - (n_ - 1) * gap) * factor / reg.speed_factor;
  dxdt[1] = reg.radial_rate * factor / k.r;
}

template <class Real>
std::optional<Trouble<Real>> Equiangular<Real>::trouble(const typename Model<Real>::Situation& at) const {
  using std::exp;
  using std::log;
  if (degree(schedule_.pieces[at.piece]) == 0) {
    const Attended a = attend(exp(at.x[0]));
    if (a.norm < singular_epsilons * epsilon<Real>() * a.total)
      return Trouble<Real>{Stop::singular_field, fmt::format("|A| = 0 for every token at t = {}", brief(at.t)), at.t};
  }
  if (at.x[1] < at.x0[1] + log(at.tolerance) && at.dxdt[1] < 0) {
    const Real end = at.t - 1 / at.dxdt[1];
    return Trouble<Real>{Stop::radius_zero, fmt::format("every token at t = {}", brief(end)), end};
  }
  return std::nullopt;
}

template <class Real>
Real Equiangular<Real>::speed_factor(std::size_t piece, const Vector<Real>& x, const Real& t) const {
  using std::exp;
  const Attended a = attend(exp(x[0]));
  const Real s = regulation(schedule_.pieces[piece], token(x, t, a)).speed_factor;
  // s(c A) = c^(1-degree) s(A)
  return unnormalised_ ? Real(s * exp((1 - degree(schedule_.pieces[piece])) * a.log_scale)) : s;
}

template <class Real> Real Equiangular<Real>::speed(std::size_t piece, const Vector<Real>& x, const Real& t) const {
  using std::exp;
  Vector<Real> dxdt(2);
  field(piece, x, dxdt, t);
  return -exp(x[0]) * dxdt[0];
}

template <class Real> Real cosine_from_log_gap(const Real& y) {
  using std::expm1;
  return -expm1(y);
}

#define ATTNDYN_INSTANTIATE(Real)   \
  template class Equiangular<Real>; \
  template Real cosine_from_log_gap(const Real&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

}  // namespace attndyn
