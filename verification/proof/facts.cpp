#include "verification/proof/facts.hpp"

#include "lib/models/particle_flow.hpp"
#include "lib/models/separable.hpp"
#include "verification/proof/arguments.hpp"
#include "verification/proof/identity.hpp"
#include "verification/proof/kinds.hpp"
#include "verification/theory/initial_velocity.hpp"

#include <acb_calc.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace attndyn::verification {
namespace {

/// dg/dt at t = 0 from the recorded field, over what [NAD] Thm 4.1 prints, minus 1.
Ball velocity_defect(const Fact& f) {
  const EquiangularParams p = params_of(f);
  const Tape tape = record_equiangular(p, 0, {0, 0}, 0);
  const Ball r0 = p.r0.as<Ball>(), alpha = p.scheme.alpha.as<Ball>(), e = exp(p.beta.as<Ball>());
  const Ball velocity = -Replay<Ball>(tape)({Ball(0), log(r0), Ball(0)})[0];
  return velocity / theory::printed_initial_velocity(p.scheme.name, e, Ball(p.n - 1), r0, alpha) - Ball(1);
}

/// dg/dt > 0 wherever g0 <= g < 1: s > 0, and on a cover of u = 1-g by boxes both w_off (1+(n-1) g) and |A|^2
/// are positive. (dg/dt = (2/s) w_off u (1+(n-1) g).)
bool gap_decreases(const Fact& f) {
  const EquiangularParams p = params_of(f);
  const int boxes = integer(f, "boxes", 1, 1'000'000);
  const Ball beta = p.beta.as<Ball>(), widest = Ball(1) - p.g0.as<Ball>(), others(p.n - 1);
  const bool attractive = compare(p.beta, 0) >= 0;
  for (int i = 0; i < boxes; ++i) {
    const Ball u = hull(widest * Ball(i) / Ball(boxes), widest * Ball(i + 1) / Ball(boxes)), g = Ball(1) - u;
    const Ball q = exp(-(attractive ? beta : -beta) * u);
    const Ball self = attractive ? Ball(1) : q, off = attractive ? q : Ball(1);
    const Ball sum = self + others * off, mean = Ball(1) + others * g;
    const Ball across = (self - off) / sum;
    const Ball norm_squared = (mean + others * u * across * across) / Ball(p.n);
    if (!certainly_positive(off / sum) || !certainly_positive(norm_squared)) return false;
    // At the far end 1 + (n-1) g is as exact as g0.
    if (!certainly_positive(mean)) return false;
  }
  return true;
}

/// y = log(1-g) falls with t, so lower <= y(t) <= upper if the times of the two ends lie on both sides of t.
bool log_gap_at(const Fact& f) {
  const Separable solution(params_of(f));
  const Ball t = ball(f, "t"), lower = parse_real<Ball>(f.lower), upper = parse_real<Ball>(f.upper);
  return certainly_less(lower, upper) && arb_le(t.raw(), solution.time_of(exp(lower)).raw()) &&
         arb_ge(t.raw(), solution.time_of(exp(upper)).raw());
}

Ball log_gap(const Fact& f) { return Separable(params_of(f)).at(ball(f, "t")).log_gap; }

Ball log_gap_difference(const Fact& f) {
  return Separable(params_of(f, "a_")).at(ball(f, "a_t")).log_gap -
         Separable(params_of(f, "b_")).at(ball(f, "b_t")).log_gap;
}

Ball terminal_constant(const Fact& f) { return Separable(params_of(f)).terminal_constant(); }

/// beta = 0, g0 = 0: g(t) minus the closed form of theory section 4.
Ball closed_form_defect(const Fact& f) {
  const EquiangularParams p = params_of(f);
  if (compare(p.beta, 0) != 0 || compare(p.g0, 0) != 0)
    throw std::invalid_argument("the closed forms are those of beta = 0, g0 = 0");
  const Ball t = ball(f, "t"), n(p.n), one(1), r0 = p.r0.as<Ball>();
  const SeparableState at = Separable(p).at(t);
  if (p.scheme.name == "post") {
    const Ball e = exp(Ball(-2) * t);
    return at.g - (one - e) / (one + (n - one) * e);
  }
  if (p.scheme.name == "peri") {
    const Ball along = t + r0 / sqrt(n);
    return at.g - (one - r0 * r0 / (r0 * r0 * (n - one) / n + along * along));
  }
  if (p.scheme.name == "pre") return at.r * at.r * at.gap - r0 * r0;
  if (p.scheme.name == "ngpt" && compare(p.scheme.alpha_decay, 0) == 0) {
    // tanh(x + artanh m) with m = 1/sqrt n
    const Ball e = exp(Ball(2) * p.scheme.alpha.as<Ball>() * t), m = one / sqrt(n),
               k = e * (one + m) / (one - m), mean = (k - one) / (k + one);
    return at.g - (n * mean * mean - one) / (n - one);
  }
  throw std::invalid_argument("scheme: must be post, pre, peri or ngpt with constant alpha");
}

/// Two tokens, softmax, Post-LN: c' = 2 (1-c^2) e^{beta c}/(e^beta + e^{beta c}). The integrand of the time.
int two_token_clock(acb_ptr out, const acb_t c, void* beta, slong, slong bits) {
  acb_t one_minus, e;
  acb_init(one_minus);
  acb_init(e);
  acb_mul(one_minus, c, c, bits);
  acb_sub_ui(one_minus, one_minus, 1, bits);
  acb_neg(one_minus, one_minus);
  acb_mul_2exp_si(one_minus, one_minus, 1);
  acb_sub_ui(e, c, 1, bits);
  acb_mul_arb(e, e, static_cast<arb_ptr>(beta), bits);
  acb_neg(e, e);
  acb_exp(e, e, bits); // e^{beta (1-c)}
  acb_add_ui(e, e, 1, bits);
  acb_div(out, e, one_minus, bits);
  acb_clear(one_minus);
  acb_clear(e);
  return 0;
}

/// Time from g0 to c by Arb's quadrature of c', minus the separable time.
Ball two_token_time_defect(const Fact& f) {
  const EquiangularParams p = params_of(f);
  if (p.n != 2 || p.scheme.name != "post" || p.attention != Attention::softmax)
    throw std::invalid_argument("two tokens: n = 2, Post-LN, softmax");
  const Ball c = ball(f, "c");
  Ball beta = p.beta.as<Ball>();
  acb_t from, to, value;
  acb_init(from);
  acb_init(to);
  acb_init(value);
  acb_set_arb(from, p.g0.as<Ball>().raw());
  acb_set_arb(to, c.raw());
  mag_t tolerance;
  mag_init(tolerance);
  mag_set_ui_2exp_si(tolerance, 1, -BallBits::now());
  acb_calc_integrate(value, two_token_clock, beta.raw(), from, to, BallBits::now(), tolerance, nullptr,
                     BallBits::now());
  const Ball time(acb_realref(value));
  mag_clear(tolerance);
  acb_clear(from);
  acb_clear(to);
  acb_clear(value);
  return time - Separable(p).time_of(Ball(1) - c);
}

/// n orthonormal tokens: the hull over all pairs of cosine(t) - g(t), the particles by interval Taylor steps.
Ball orthonormal_cosine_defect(const Fact& f) {
  EquiangularParams p = params_of(f);
  if (compare(p.g0, 0) != 0) throw std::invalid_argument("argument g0: must be 0, tokens are orthonormal");
  if (p.n > 6)
    throw std::invalid_argument("argument n: must be at most 6 for interval steps of the particles");
  const auto n = static_cast<std::size_t>(p.n);
  ParticleFlowParams flow;
  flow.scheme = p.scheme;
  flow.attention = p.attention;
  flow.beta = p.beta;
  flow.shape = {n, n};
  std::vector<Number> vectors(n * n, 0);
  for (std::size_t j = 0; j < n; ++j) vectors[j * n + j] = 1;
  const Number t(argument(f, "t"));
  RigorousOptions options;
  options.digits = integer(f, "digits", 5, 100);
  options.keep_steps = false;
  const auto s =
      solve_rigorously(rigorous_problem(flow, vectors, std::vector<Number>(n, p.r0)), {t}, options);
  if (s.why != RigorousStop::reached) throw std::runtime_error(name_of(s.why) + (": " + s.detail));
  const Vector<Ball>& x = s.samples[0].x;
  const Ball g = Separable(p).at(t.as<Ball>()).g;
  Ball all;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < j; ++k) {
      Ball cosine;
      for (std::size_t i = 0; i < n; ++i) cosine += x[j * n + i] * x[k * n + i];
      all = j == 1 && k == 0 ? cosine - g : hull(all, cosine - g);
    }
  return all;
}

} // namespace

const std::vector<FactKind>& fact_kinds() {
  static const std::vector<FactKind> list{
      {"initial_velocity_identity",
       "exact, for all e^beta, n, r0, alpha: the velocity at the orthogonal start is the printed one",
       nullptr, [](const Fact& f) { return initial_velocity_identity(argument(f, "scheme")); }, "", false},
      {"initial_velocity_defect", "velocity at the start over the printed one, minus 1", velocity_defect,
       nullptr, "1e-50", true},
      {"gap_decreases", "dg/dt > 0 for all g0 <= g < 1", nullptr, gap_decreases, "", false},
      {"log_gap_at", "log(1-g) at t", log_gap, log_gap_at, "1e-48", false},
      {"log_gap_difference", "log(1-g) of system a at a_t minus that of system b at b_t", log_gap_difference,
       nullptr, "1e-50", true},
      {"terminal_constant", "constant of the terminal law of 1-g", terminal_constant, nullptr, "1e-48",
       false},
      {"closed_form_defect", "value at t minus closed form of beta = 0", closed_form_defect, nullptr, "1e-50",
       true},
      {"orthonormal_cosine_defect", "all cosines of n orthonormal tokens at t minus g(t)",
       orthonormal_cosine_defect, nullptr, "1e-15", true},
      {"two_token_time_defect", "two tokens: time from g0 to c by quadrature of c' minus the separable time",
       two_token_time_defect, nullptr, "1e-50", true},
      {"opposite_pair_gap", "two opposite tokens of S^0: 1 - cosine at t", opposite_pair_gap, nullptr,
       "1e-30", false},
      {"antipodal_gap", "tokens e_1 and -e_1 of S^{d-1}: 1 - cosine at t", antipodal_gap, nullptr, "1e-30",
       false},
      {"opposite_pair_growth", "two opposite tokens of S^0: the smaller dr/dt at t", opposite_pair_growth,
       nullptr, "1e-30", false},
      {"finite_clock_angle_left",
       "nGPT: an angle less the most that two tokens turn in all time, 2 alpha/(alpha_decay - 1)",
       finite_clock_angle_left, nullptr, "1e-48", false},
      {"time_scale_printed_violation",
       "u' = -c log(beta) sin u: |t(beta) - 2/c| less (2 |log tan(u0/2)| + log log beta)/(c log beta)",
       time_scale_printed_violation, nullptr, "1e-48", false},
      {"time_scale_bound",
       "u' = -c log(beta) sin u: |t(beta) - 1/(2c)| < (2 |log tan(u0/2)| + 2 log 2 + log log beta)/(2 c log beta)",
       nullptr, time_scale_bound, "", false},
      {"path_length_printed_violation",
       "two points of the circle, x' = -grad E, E = -(1 + cos phi)/2: 2 c |u-v|^2 less E(u) - E(v)",
       path_length_printed_violation, nullptr, "1e-48", false},
      {"convergence_bound_excess", "log(1-g) at t minus log of the bound printed in [MPT] App. D",
       convergence_bound_excess, nullptr, "1e-48", false}};
  return list;
}

const FactKind& find_fact_kind(const std::string& name) {
  std::string names;
  for (const auto& k : fact_kinds()) {
    if (name == k.name) return k;
    names += (names.empty() ? "" : ", ") + std::string(k.name);
  }
  throw std::invalid_argument(fmt::format("kind = {}: must be one of {}", name, names));
}

Fact proved(std::string kind_name, Parameters arguments, int digits) {
  Fact f{std::move(kind_name), std::move(arguments), {}, {}};
  const FactKind& kind = find_fact_kind(f.kind);
  if (kind.quantity != nullptr) {
    const Ball q = kind.quantity(f);
    if (!is_finite(q)) throw std::runtime_error(words_of(f) + ": cannot be enclosed at this precision");
    f.lower = lower_text(q, digits);
    f.upper = upper_text(q, digits);
  }
  if (kind.confirms != nullptr && !kind.confirms(f))
    throw std::runtime_error(words_of(f) + ": is not confirmed");
  return f;
}

} // namespace attndyn::verification
