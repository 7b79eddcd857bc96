#include "lib/attention/field.hpp"

#include "lib/attention/hardmax.hpp"
#include "lib/attention/softmax.hpp"
#include "lib/attention/unnormalised.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace attndyn {
namespace {

/// Rows of logits held at once: small enough for the cache, large enough for BLAS.
std::size_t rows_per_block(std::size_t n) { return std::clamp<std::size_t>(32768 / n, 16, 256); }

/// Scratch memory of one thread, so that a field evaluation allocates nothing after the first.
template <class Real> struct Scratch {
  Vector<Real> keys, values, rows, mixed, centred, others, value_norms, total;
  Vector<double> log_scale;
};
template <class Real> Scratch<Real>& scratch() {
  static thread_local Scratch<Real> mine;
  return mine;
}

/// Q^T K, so that a logit is <theta_j, Q^T K theta_k>; empty for the identity.
template <class Real> Matrix<Real> logit_matrix(const Head<Real>& head) {
  if (head.Q.empty()) return head.K;
  if (!head.K.empty()) return transposed_product(head.Q, head.K);
  Matrix<Real> transposed(head.Q.cols, head.Q.rows);
  for (std::size_t j = 0; j < head.Q.cols; ++j)
    for (std::size_t i = 0; i < head.Q.rows; ++i) transposed(j, i) = head.Q(i, j);
  return transposed;
}

} // namespace

template <class Real> std::string problem_with(const Heads<Real>& heads, std::size_t d) {
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const Head<Real>& head = heads[h];
    const auto say = [&](const char* name, const Matrix<Real>& m, const std::string& rule) {
      return fmt::format("head {}: {} is {} x {}, {}", h + 1, name, m.rows, m.cols, rule);
    };
    for (const auto& [name, m] : {std::pair{"Q", &head.Q}, {"K", &head.K}, {"V", &head.V}, {"W", &head.W}})
      if (!all_finite(m->data)) return fmt::format("head {}: {} must be finite", h + 1, name);
    for (const auto& [name, m] : {std::pair{"Q", &head.Q}, {"K", &head.K}, {"V", &head.V}})
      if (!m->empty() && m->cols != d) return say(name, *m, fmt::format("must have d = {} columns", d));
    const std::size_t q_rows = head.Q.empty() ? d : head.Q.rows, k_rows = head.K.empty() ? d : head.K.rows;
    if (q_rows != k_rows)
      return head.Q.empty() ? say("K", head.K, fmt::format("must have as many rows as Q, {}", q_rows))
                            : say("Q", head.Q, fmt::format("must have as many rows as K, {}", k_rows));
    const std::size_t v_rows = head.V.empty() ? d : head.V.rows;
    if (head.W.empty() && v_rows != d)
      return say("V", head.V, fmt::format("must be {0} x {0} if there is no W", d));
    if (!head.W.empty() && (head.W.rows != d || head.W.cols != v_rows))
      return say("W", head.W, fmt::format("must be {} x {}", d, v_rows));
  }
  return {};
}

template <class Real>
AttentionField<Real>::AttentionField(Attention kind, Real beta, Vector<Real> masses, const Heads<Real>& heads,
                                     Shape shape)
    : kind_(kind), beta_(std::move(beta)), log_masses_(std::move(masses)), shape_(shape) {
  using std::log;
  if (auto problem = problem_with(heads, shape.d); !problem.empty()) throw std::invalid_argument(problem);
  // A mass is log m in the logit: tiny masses and large logits then meet before either under- or overflows.
  // Equal masses: softmax does not see them, USA sees 1/n.
  if (log_masses_.empty() && kind == Attention::unnormalised)
    log_masses_.assign(shape.n, Real(1) / static_cast<int>(shape.n));
  for (Real& m : log_masses_) m = log(m);
  for (const Head<Real>& head : heads) {
    heads_.push_back({logit_matrix(head), head.W.empty()   ? head.V
                                          : head.V.empty() ? head.W
                                                           : product(head.W, head.V)});
    if (is_identity(heads_.back().logits)) heads_.back().logits = {};
    if (is_identity(heads_.back().values)) heads_.back().values = {};
  }
  if (heads_.empty()) heads_.emplace_back();
}

template <class Real>
void AttentionField<Real>::weigh(const Real* theta, const Real* keys, std::size_t begin, std::size_t end,
                                 Real* rows, Real* total, double* log_scale) const {
  using std::abs;
  const std::size_t n = shape_.n, d = shape_.d;
  multiply_transposed(n, end - begin, d, keys, theta + begin * d, rows);
  for (std::size_t j = begin; j < end; ++j) {
    Real* row = rows + (j - begin) * n;
    if (kind_ != Attention::hardmax) { // which compares the products themselves, whatever beta and masses
      for (std::size_t k = 0; k < n; ++k) row[k] *= beta_;
      for (std::size_t k = 0; k < log_masses_.size(); ++k) row[k] += log_masses_[k];
    }
    log_scale[j] = 0;
    total[j] = 1;
    switch (kind_) {
    case Attention::softmax: softmax_row(row, n, n); break;
    case Attention::causal: softmax_row(row, j + 1, n); break;
    case Attention::unnormalised: log_scale[j] = unnormalised_row(row, n, total[j]); break;
    case Attention::hardmax:
      if constexpr (!std::is_same_v<Real, Recorded>) { // for ordered types only
        Real size = 0;
        for (std::size_t k = 0; k < n; ++k)
          if (abs(row[k]) > size) size = abs(row[k]);
        hardmax_row(row, j, n, Real(16 * epsilon<Real>() * size));
      }
      break;
    }
  }
}

template <class Real> void AttentionField<Real>::operator()(const Real* theta, Attended<Real>& out) const {
  using std::exp;
  using std::sqrt;
  const std::size_t n = shape_.n, d = shape_.d;
  Scratch<Real>& s = scratch<Real>();
  out.tangent.assign(n * d, Real(0));
  out.radial.assign(n, Real(0));
  out.norm.resize(n);
  out.magnitude.assign(n, Real(0));
  out.log_scale.assign(n, -std::numeric_limits<double>::infinity());
  s.log_scale.resize(n);
  s.total.resize(n);

  // With V = I the sum of w_jk (theta_k - theta_j) is formed from differences to one of the tokens: they are
  // exact when tokens nearly coincide, so the velocity keeps its relative accuracy, and equal tokens stay
  // where they are.
  s.centred.resize(n * d);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < d; ++i) s.centred[k * d + i] = theta[k * d + i] - theta[i];

  const std::size_t block = std::min(n, rows_per_block(n));
  s.rows.resize(block * n);
  s.mixed.resize(block * d);
  s.keys.resize(n * d);
  s.values.resize(n * d);
  for (const Compiled& head : heads_) {
    const Real* keys = theta;
    if (!head.logits.empty()) {
      multiply(d, n, d, head.logits.data.data(), theta, s.keys.data());
      keys = s.keys.data();
    }
    const bool plain_values = head.values.empty();
    if (!plain_values) {
      multiply(d, n, d, head.values.data.data(), theta, s.values.data());
      s.value_norms.resize(n);
      for (std::size_t k = 0; k < n; ++k)
        s.value_norms[k] = sqrt(dot(s.values.data() + k * d, s.values.data() + k * d, d));
    }
    for (std::size_t begin = 0; begin < n; begin += block) {
      const std::size_t end = std::min(n, begin + block);
      weigh(theta, keys, begin, end, s.rows.data(), s.total.data(), s.log_scale.data());
      // Where a token attends mostly to itself, its own weight would cancel against the total and leave the
      // rounding of 1 in a velocity that may be e^-700: it is taken out of both instead.
      if (plain_values) {
        s.others.assign(s.total.begin() + static_cast<std::ptrdiff_t>(begin),
                        s.total.begin() + static_cast<std::ptrdiff_t>(end));
        if constexpr (!std::is_same_v<Real, Recorded>) // whose branches must not depend on the state
          for (std::size_t j = begin; j < end; ++j) {
            Real* row = s.rows.data() + (j - begin) * n;
            if (!(2 * row[j] > s.total[j])) continue;
            row[j] = 0;
            s.others[j - begin] = std::accumulate(row, row + n, Real(0));
          }
      }
      multiply(d, end - begin, n, plain_values ? s.centred.data() : s.values.data(), s.rows.data(),
               s.mixed.data());
      for (std::size_t j = begin; j < end; ++j) {
        const Real *x = theta + j * d, *row = s.rows.data() + (j - begin) * n;
        Real *mixed = s.mixed.data() + (j - begin) * d, *tangent = out.tangent.data() + j * d;
        const Real& total = s.total[j];
        Real magnitude = 0;
        if (plain_values) {
          for (std::size_t i = 0; i < d; ++i) mixed[i] -= s.others[j - begin] * s.centred[j * d + i];
          magnitude = total;
        } else {
          magnitude = dot(row, s.value_norms.data(), n);
        }
        const Real along = dot(x, mixed, d);
        const Real radial = plain_values ? Real(total + along) : along;
        // Heads of USA come with scales of their own; the larger one is kept. (The difference of two doubles
        // is a Real.)
        Real mine = 1, others = 1;
        const Real change = Real(s.log_scale[j]) - Real(out.log_scale[j]);
        if (s.log_scale[j] > out.log_scale[j]) {
          others = exp(Real(-change));
          out.log_scale[j] = s.log_scale[j];
        } else if (s.log_scale[j] < out.log_scale[j]) {
          mine = exp(change);
        }
        for (std::size_t i = 0; i < d; ++i)
          tangent[i] = others * tangent[i] + mine * (mixed[i] - along * x[i]);
        out.radial[j] = others * out.radial[j] + mine * radial;
        out.magnitude[j] = others * out.magnitude[j] + mine * magnitude;
      }
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    Real* tangent = out.tangent.data() + j * d;
    // In dimension one the tangent space is zero, not round-off.
    if (d == 1) tangent[0] = 0;
    out.norm[j] = sqrt(out.radial[j] * out.radial[j] + dot(tangent, tangent, d));
  }
}

template <class Real> Matrix<Real> AttentionField<Real>::weights(const Real* theta, std::size_t head) const {
  const std::size_t n = shape_.n, d = shape_.d;
  Matrix<Real> keys(d, n), rows(n, n);
  keys.data.assign(theta, theta + n * d);
  if (!heads_[head].logits.empty())
    multiply(d, n, d, heads_[head].logits.data.data(), theta, keys.data.data());
  Vector<double> log_scale(n);
  Vector<Real> total(n);
  weigh(theta, keys.data.data(), 0, n, rows.data.data(), total.data(), log_scale.data());
  return rows;
}

namespace {

template <class Real> Matrix<Recorded> recorded_matrix(const Matrix<Real>& m) {
  Matrix<Recorded> out;
  out.rows = m.rows;
  out.cols = m.cols;
  for (const Real& v : m.data) out.data.push_back(parse_real<Recorded>(to_text(v)));
  return out;
}

} // namespace

template <class Real>
AttentionField<Recorded> AttentionField<Real>::recorded(const Number& beta,
                                                        const Vector<Real>& masses) const {
  using std::log;
  if (kind_ == Attention::hardmax) throw std::logic_error("hardmax cannot be recorded");
  AttentionField<Recorded> out;
  out.kind_ = kind_;
  out.beta_ = beta.as<Recorded>();
  out.shape_ = shape_;
  for (const Compiled& head : heads_)
    out.heads_.push_back({recorded_matrix(head.logits), recorded_matrix(head.values)});
  if (log_masses_.empty()) return out;
  for (std::size_t k = 0; k < shape_.n; ++k) {
    if (masses.empty())
      out.log_masses_.push_back(-log(Recorded(static_cast<int>(shape_.n))));
    else if (masses[k] == 0) // exponential_row knows it
      out.log_masses_.push_back(Recorded(-std::numeric_limits<double>::infinity()));
    else
      out.log_masses_.push_back(log(parse_real<Recorded>(to_text(masses[k]))));
  }
  return out;
}

template <class Real> bool AttentionField<Real>::recording_holds_everywhere() const {
  // On the sphere logits of the identity move by 2 |beta|, and e^200 is far from overflow. Without masses the
  // largest entry of a row is beta itself, if beta >= 0.
  for (const Compiled& head : heads_)
    if (!head.logits.empty()) return false;
  const double beta = plain_value(beta_);
  return std::abs(beta) <= 100 || (beta >= 0 && log_masses_.empty());
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template std::string problem_with(const Heads<Real>&, std::size_t);                                        \
  template class AttentionField<Real>;
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE
template void AttentionField<Recorded>::operator()(const Recorded*, Attended<Recorded>&) const;

} // namespace attndyn
