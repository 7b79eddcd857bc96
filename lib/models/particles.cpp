#include "lib/models/particles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace attndyn {
namespace {

/// |A_j| below this many epsilons of its terms is zero to working precision (the design's rule).
constexpr double singular_epsilons = 1e3;
/// When the loop cannot go on, a much larger |A_j| is already the reason.
constexpr double desperate_epsilons = 1e8;
/// Below this share of its terms |A_j| may be on its way to zero.
constexpr double near_share = 1e-2;
/// n^2 (d + 3) is about half the length of a tape, and a series of 100 orders then takes some 300 MB.
constexpr std::size_t largest_recording = 50'000;

/// theta_j' = factor P A_j / s_j, (log r_j)' = factor rho_j / r_j: (NA) of [NAD], for numbers and for
/// recording.
template <class Real>
void move_token(const AnyScheme<Real>& scheme, const TokenState<Real>& k, const Real& factor,
                const Real* tangent, std::size_t d, Real* velocity, Real& log_radius_rate) {
  const Regulation<Real> reg = regulation(scheme, k);
  const Real speed = factor / reg.speed_factor;
  for (std::size_t i = 0; i < d; ++i) velocity[i] = speed * tangent[i];
  log_radius_rate = reg.radial_rate * factor / k.r;
}

template <class Real> Vector<Real> checked_masses(Vector<Real> masses, std::size_t n) {
  if (masses.empty()) return masses;
  if (masses.size() != n)
    throw std::invalid_argument(fmt::format("masses: there are {}, but {} tokens", masses.size(), n));
  Real sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (!is_finite(masses[j]) || masses[j] < 0)
      throw std::invalid_argument(
          fmt::format("masses: number {} is {}: must be finite and >= 0", j + 1, brief(masses[j])));
    sum += masses[j];
  }
  if (!(sum > 0) || !is_finite(sum))
    throw std::invalid_argument("masses: must not all be zero, and have a finite sum");
  for (Real& m : masses) m /= sum;
  return masses;
}

template <class Real> void check_radii(const Vector<Real>& r, std::size_t n) {
  if (r.size() != n)
    throw std::invalid_argument(fmt::format("radii: there are {}, but {} tokens", r.size(), n));
  for (std::size_t j = 0; j < n; ++j)
    if (!is_finite(r[j]) || r[j] <= 0)
      throw std::invalid_argument(
          fmt::format("radii: number {} is {}: must be finite and > 0", j + 1, brief(r[j])));
}

template <class Real> bool keeps_span(const std::vector<Heads<Real>>& weights) {
  for (const auto& heads : weights)
    for (const auto& head : heads)
      if (!is_identity(head.V) || !is_identity(head.W)) return false;
  return true;
}

/// The head with its logits in the basis: Q^T K becomes its compression.
template <class Real>
Head<Real> compressed(const Head<Real>& head, const SpanBasis<Real>& basis, std::size_t d) {
  if (is_identity(head.Q) && is_identity(head.K)) return {};
  Matrix<Real> identity(d, d);
  for (std::size_t i = 0; i < d; ++i) identity(i, i) = 1;
  const Matrix<Real> logits =
      transposed_product(head.Q.empty() ? identity : head.Q, head.K.empty() ? identity : head.K);
  return {{}, basis.compress(logits), {}, {}};
}

} // namespace

template <class Real>
Particles<Real>::Particles(const ParticleParams<Real>& p, const Tokens<Real>& start)
    : shape_(start.shape()), full_(shape_), scheme_(p.scheme), kind_(p.attention), clock_(p.clock),
      beta_text_(p.beta), beta_(p.beta.template as<Real>()), equal_masses_(p.masses.empty()) {
  using std::abs;
  using std::exp;
  check_radii(start.r, full_.n);
  const Vector<Real> masses = checked_masses(p.masses, full_.n);
  if (kind_ == Attention::causal && !masses.empty() && masses[0] == 0)
    throw std::invalid_argument(
        "masses: number 1 is 0: the first token must have mass under causal attention");
  const Schedule<Real> schedule = make_schedule<Real>(p.scheme);
  if (p.weights.empty() || p.weight_switches.size() + 1 != p.weights.size())
    throw std::invalid_argument(fmt::format("weights: {} sets need {} switch times, there are {}",
                                            p.weights.size(), p.weights.size() - 1,
                                            p.weight_switches.size()));
  for (const Real& t : p.weight_switches)
    if (!is_finite(t))
      throw std::invalid_argument(fmt::format("weights: switch time {} must be finite", brief(t)));
  for (const auto& heads : p.weights)
    if (auto problem = problem_with(heads, full_.d); !problem.empty()) throw std::invalid_argument(problem);
  for (const auto& scheme : schedule.pieces)
    if (auto problem = problem_with_clock(p.clock, kind_, degree(scheme), p.beta.approx()); !problem.empty())
      throw std::invalid_argument(problem);
  log_unit_ = log_time_unit(p.clock, Real(abs(beta_)));
  time_unit_ = exp(log_unit_);

  Tokens<Real> working = start;
  if (p.reduce_span && full_.d > full_.n && keeps_span(p.weights)) {
    basis_ = std::make_shared<SpanBasis<Real>>(start.theta);
    shape_.d = basis_->dimension();
    working.theta = basis_->reduced();
  }
  start_ = to_state(working);
  normalise_directions(start_, shape_);

  // One piece per interval between the switches of the scheme and of the weights together.
  std::vector<std::shared_ptr<const AttentionField<Real>>> fields;
  for (const auto& heads : p.weights) {
    Heads<Real> mine = heads;
    if (basis_)
      for (auto& head : mine) head = compressed(head, *basis_, full_.d);
    fields.push_back(std::make_shared<AttentionField<Real>>(kind_, beta_, masses, mine, shape_));
  }
  std::size_t scheme = 0, weight = 0;
  for (;;) {
    pieces_.push_back({schedule.pieces[scheme], scheme, fields[weight]});
    const bool more_schemes = scheme < schedule.switches.size(),
               more_weights = weight < p.weight_switches.size();
    if (!more_schemes && !more_weights) break;
    const Real next =
        !more_weights || (more_schemes && schedule.switches[scheme] <= p.weight_switches[weight])
            ? schedule.switches[scheme]
            : p.weight_switches[weight];
    if (!switches_.empty() && next <= switches_.back())
      throw std::invalid_argument(
          fmt::format("weights: switch time {} must exceed the one before", brief(next)));
    if (more_schemes && schedule.switches[scheme] == next) ++scheme;
    if (more_weights && p.weight_switches[weight] == next) ++weight;
    switches_.push_back(next);
  }
  masses_ = masses.empty() ? Vector<Real>(full_.n, Real(1) / static_cast<int>(full_.n)) : masses;
}

template <class Real>
void Particles<Real>::attend(std::size_t piece, const Vector<Real>& x, Vector<Real>& theta,
                             Attended<Real>& out) const {
  theta.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(shape_.n * shape_.d));
  normalise_directions(theta, shape_);
  (*pieces_[piece].attention)(theta.data(), out);
}

template <class Real>
TokenState<Real> Particles<Real>::token(std::size_t j, const Vector<Real>& x, const Real& t,
                                        const Attended<Real>& a) const {
  using std::exp;
  return {t * time_unit_, exp(x[shape_.n * shape_.d + j]), a.radial[j], a.norm[j]};
}

template <class Real> Real Particles<Real>::clock_factor(const Piece& piece, double log_scale) const {
  using std::exp;
  if (kind_ != Attention::unnormalised) return Real(1);
  return exp(Real(degree(piece.scheme) * Real(log_scale) + log_unit_));
}

template <class Real>
bool Particles<Real>::vanishes(const Piece& piece, const Attended<Real>& a, std::size_t j,
                               double epsilons) const {
  return degree(piece.scheme) == 0 && a.norm[j] <= Real(epsilons) * epsilon<Real>() * a.magnitude[j];
}

template <class Real>
void Particles<Real>::field(std::size_t piece, const Vector<Real>& x, Vector<Real>& dxdt,
                            const Real& t) const {
  static thread_local Vector<Real> theta;
  static thread_local Attended<Real> a;
  attend(piece, x, theta, a);
  const Piece& now = pieces_[piece];
  const std::size_t n = shape_.n, d = shape_.d;
  for (std::size_t j = 0; j < n; ++j) {
    // NaN on purpose: the loop stops at it and asks trouble(), which names the token.
    const Real factor = vanishes(now, a, j, singular_epsilons)
                            ? Real(std::numeric_limits<double>::quiet_NaN())
                            : clock_factor(now, a.log_scale[j]);
    move_token(now.scheme, token(j, x, t, a), factor, a.tangent.data() + j * d, d, dxdt.data() + j * d,
               dxdt[n * d + j]);
  }
}

template <class Real>
std::optional<Recording> Particles<Real>::record_field(std::size_t piece, const Vector<Real>& at,
                                                       const Real& time) const {
  const std::size_t n = shape_.n, d = shape_.d;
  if (kind_ == Attention::hardmax || n * n * (d + 3) > largest_recording) return std::nullopt;
  const Piece& now = pieces_[piece];
  const auto field = [&](const Vector<Recorded>& x, const Recorded& t) {
    const auto attention = now.attention->recorded(beta_text_, equal_masses_ ? Vector<Real>{} : masses_);
    const auto scheme = make_schedule<Recorded>(scheme_).pieces[now.scheme_number];
    const Recorded beta = beta_text_.as<Recorded>();
    const Recorded log_unit = log_time_unit(clock_, beta_text_.approx() < 0 ? -beta : beta);
    Attended<Recorded> a;
    attention(x.data(), a); // the directions have length 1 along the exact solution
    Vector<Recorded> dxdt(x.size());
    for (std::size_t j = 0; j < n; ++j) {
      const TokenState<Recorded> k{t * exp(log_unit), exp(x[n * d + j]), a.radial[j], a.norm[j]};
      const Recorded factor = kind_ == Attention::unnormalised
                                  ? exp(degree(scheme) * Recorded(a.log_scale[j]) + log_unit)
                                  : Recorded(1);
      move_token(scheme, k, factor, a.tangent.data() + j * d, d, dxdt.data() + j * d, dxdt[n * d + j]);
    }
    return dxdt;
  };
  return Recording{attndyn::record_field(plain_values(at), plain_value(time), field),
                   now.attention->recording_holds_everywhere()};
}

template <class Real>
std::optional<Trouble<Real>> Particles<Real>::trouble(const typename Model<Real>::Situation& at) const {
  using std::log;
  const std::size_t n = shape_.n, first = n * shape_.d;
  for (std::size_t j = 0; j < n; ++j) {
    const Real& rate = at.dxdt[first + j];
    if (at.x[first + j] < at.x0[first + j] + log(at.tolerance) && rate < 0) {
      const Real end = at.t - 1 / rate;
      return Trouble<Real>{Stop::radius_zero, fmt::format("token {} at t = {}", j + 1, brief(end)), end};
    }
  }
  if (degree(pieces_[at.piece].scheme) != 0) return std::nullopt;
  const auto singular = [](std::size_t j, const Real& t) {
    return Trouble<Real>{Stop::singular_field, fmt::format("|A| = 0 for token {} at t = {}", j + 1, brief(t)),
                         t};
  };
  Vector<Real> theta;
  Attended<Real> a;
  attend(at.piece, at.x, theta, a);
  for (std::size_t j = 0; j < n; ++j) {
    if (at.desperate && vanishes(pieces_[at.piece], a, j, desperate_epsilons)) return singular(j, at.t);
    if (at.desperate || a.norm[j] > Real(near_share) * a.magnitude[j]) continue;
    if (const auto wait = time_to_vanish(at, a, j)) return singular(j, at.t + *wait);
  }
  return std::nullopt;
}

/// Past a point with A_j = 0 the velocity has turned round, and a step may jump over it: so one looks ahead
/// along the velocity, over so short a way that its curvature stays below the tolerance.
template <class Real>
std::optional<Real> Particles<Real>::time_to_vanish(const typename Model<Real>::Situation& at,
                                                    const Attended<Real>& a, std::size_t j) const {
  using std::abs;
  using std::sqrt;
  const std::size_t d = shape_.d;
  Real speed = 0;
  for (std::size_t i = 0; i < shape_.n * d; ++i)
    if (abs(at.dxdt[i]) > speed) speed = abs(at.dxdt[i]);
  if (!(speed > 0)) return std::nullopt;
  const Real horizon = sqrt(at.tolerance) / speed;

  Vector<Real> theta, moved(at.x.size());
  Attended<Real> ahead;
  const auto attention = [&](const Attended<Real>& from, const Vector<Real>& x) {
    Vector<Real> out(d);
    for (std::size_t i = 0; i < d; ++i) out[i] = from.radial[j] * x[j * d + i] + from.tangent[j * d + i];
    return out;
  };
  const Vector<Real> now = attention(a, at.x);
  // <A_j, A_j now> at t + wait, divided by |A_j now|^2: 1 at wait = 0.
  const auto along_now = [&](const Real& wait) {
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = at.x[i] + wait * at.dxdt[i];
    attend(at.piece, moved, theta, ahead);
    return Real(dot(attention(ahead, theta).data(), now.data(), d) / (a.norm[j] * a.norm[j]));
  };
  Real wait = horizon, value = along_now(wait), last_wait = 0, last_value = 1;
  for (int i = 0; i < 4 && value != last_value; ++i) {
    const Real next = wait - value * (wait - last_wait) / (value - last_value);
    if (!(next > 0 && next <= horizon)) return std::nullopt;
    last_wait = wait;
    last_value = value;
    wait = next;
    value = along_now(wait);
  }
  const Real zero = Real(singular_epsilons) * epsilon<Real>();
  return ahead.norm[j] <= (zero > at.tolerance ? zero : at.tolerance) * ahead.magnitude[j]
             ? std::optional<Real>(wait)
             : std::nullopt;
}

template <class Real> Tokens<Real> Particles<Real>::lift(const Vector<Real>& x) const {
  Tokens<Real> out = to_tokens(x, shape_);
  if (!basis_) return out;
  Matrix<Real> theta(full_.d, full_.n);
  for (std::size_t j = 0; j < full_.n; ++j) basis_->lift(&out.theta(0, j), &theta(0, j));
  out.theta = std::move(theta);
  return out;
}

template <class Real> bool Particles<Real>::layer(Vector<Real>& x, const Real& t, const Real& h) const {
  using std::log;
  using std::sqrt;
  std::size_t piece = 0;
  while (piece < switches_.size() && t >= switches_[piece]) ++piece;
  const Piece& now = pieces_[piece];
  Vector<Real> theta;
  Attended<Real> a;
  attend(piece, x, theta, a);
  const std::size_t n = shape_.n, d = shape_.d;
  const bool keeps = keeps_radius(now.scheme);
  for (std::size_t j = 0; j < n; ++j) {
    if (vanishes(now, a, j, singular_epsilons)) return false;
    const Regulation<Real> reg = regulation(now.scheme, token(j, x, t, a));
    // Every layer of the table is x' = r (theta + (h/s) A), normalised back to r where the scheme keeps it.
    const Real step = h * clock_factor(now, a.log_scale[j]) / reg.speed_factor;
    Real* out = x.data() + j * d;
    for (std::size_t i = 0; i < d; ++i)
      out[i] = theta[j * d + i] * (1 + step * a.radial[j]) + step * a.tangent[j * d + i];
    const Real length = sqrt(dot(out, out, d));
    if (!(length > 0)) return false;
    for (std::size_t i = 0; i < d; ++i) out[i] /= length;
    if (!keeps) x[n * d + j] += log(length);
  }
  return true;
}

template <class Real>
Vector<Real> Particles<Real>::speed_factors(std::size_t piece, const Vector<Real>& x, const Real& t) const {
  using std::exp;
  Vector<Real> theta, out;
  Attended<Real> a;
  attend(piece, x, theta, a);
  const auto& scheme = pieces_[piece].scheme;
  for (std::size_t j = 0; j < shape_.n; ++j)
    out.push_back(regulation(scheme, token(j, x, t, a)).speed_factor *
                  exp(Real((1 - degree(scheme)) * Real(a.log_scale[j]))));
  return out;
}

template class Particles<double>;
template class Particles<Float128>;
template class Particles<Mpfr>;

} // namespace attndyn
