#include "lib/models/equiangular.hpp"

#include <fmt/format.h>

namespace attndyn {
namespace {

/// |A| below this many epsilons of its terms is zero to working precision.
constexpr int singular_epsilons = 1000;

} // namespace

template <class Real> Equiangular<Real>::Equiangular(const EquiangularParams& p) : params_(p), flow_(p) {
  using std::log;
  start_ = {p.g0.log_one_minus<Real>(), log(p.r0.as<Real>())};
}

template <class Real>
std::optional<Recording> Equiangular<Real>::record_field(std::size_t piece, const Vector<Real>& x,
                                                         const Real& t) const {
  return Recording{record_equiangular(params_, piece, plain_values(x), plain_value(t)), true};
}

template <class Real>
std::optional<Trouble<Real>> Equiangular<Real>::trouble(const typename Model<Real>::Situation& at) const {
  using std::abs;
  using std::log;
  const bool starts = at.x == at.x0, divides_by_norm = degree(flow_.schedule().pieces[at.piece]) == 0;
  if (starts || divides_by_norm) {
    const auto a = flow_.attend(at.x[0]);
    // Rounding log(1-g0) changes 1+(n-1)g0, and the escape from the simplex keeps the relative change; runs
    // at different tolerances share it, so no comparison of them would tell.
    const Real change = (flow_.tokens() - a.mean) * epsilon<Real>() * abs(at.x[0]) / 2;
    if (starts && change > 10 * at.tolerance * a.mean)
      return Trouble<Real>{
          Stop::tolerance_not_reached,
          "g0 is so near -1/(n-1) that the number type cannot hold the difference; ask for more digits",
          at.t};
    if (divides_by_norm && a.norm < singular_epsilons * epsilon<Real>() * a.total)
      return Trouble<Real>{Stop::singular_field,
                           fmt::format("|A| = 0 for every token at t = {}", brief(at.t)), at.t};
  }
  if (at.x[1] < at.x0[1] + log(at.tolerance) && at.dxdt[1] < 0) {
    const Real end = at.t - 1 / at.dxdt[1];
    return Trouble<Real>{Stop::radius_zero, fmt::format("every token at t = {}", brief(end)), end};
  }
  return std::nullopt;
}

template <class Real>
Real Equiangular<Real>::speed(std::size_t piece, const Vector<Real>& x, const Real& t) const {
  using std::exp;
  Vector<Real> dxdt(2);
  field(piece, x, dxdt, t);
  return -exp(x[0]) * dxdt[0];
}

template <class Real> Real cosine_from_log_gap(const Real& y) {
  using std::expm1;
  return Real(0) - expm1(y); // 0, not -0, at y = 0
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template class Equiangular<Real>;                                                                          \
  template Real cosine_from_log_gap(const Real&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn
