/// The attention vectors A_j of all tokens, split along and across each token: what every scheme needs, and
/// all that a run spends its time on. theory: section 1.
#pragma once

#include "lib/attention/rule.hpp"
#include "lib/real/dense.hpp"
#include "lib/real/recorded.hpp"
#include "lib/tokens.hpp"

namespace attndyn {

/// One head: logits beta <Q theta_j, K theta_k>, contribution W sum_k w_jk V theta_k. Empty matrices are
/// identities. Q, K: any rows x d with equal shapes; V: rows x d; W: d x (rows of V). W empty requires V
/// square.
template <class Real> struct Head { Matrix<Real> Q, K, V, W; };

/// The weights of one layer: the sum over heads. Empty: one head of identities.
template <class Real> using Heads = std::vector<Head<Real>>;

/// Empty if the shapes fit tokens of dimension d, else one line naming head, matrix, shape and rule.
template <class Real> std::string problem_with(const Heads<Real>&, std::size_t d);

/// For each token j, with A_j = e^{log_scale_j} (radial_j theta_j + tangent_j):
template <class Real> struct Attended {
  Vector<Real> tangent; ///< d x n, P_{theta_j} A_j e^{-log_scale_j}
  Vector<Real> radial;  ///< <theta_j, A_j> e^{-log_scale_j}
  Vector<Real> norm;    ///< |A_j| e^{-log_scale_j}
  Vector<Real>
      magnitude; ///< sum_k w_jk |V theta_k| e^{-log_scale_j}: the size of what may have cancelled in A_j
  Vector<double> log_scale; ///< 0 except for USA
};

/// Immutable and thread-safe. The reference and the fast path are the same code; double differs in its row
/// loops.
template <class Real> class AttentionField {
public:
  /// masses: n values >= 0 with sum 1, or empty for 1/n. heads as problem_with accepts.
  AttentionField(Attention kind, Real beta, Vector<Real> masses, const Heads<Real>& heads, Shape shape);

  /// theta: d x n unit columns. Sizes out as needed.
  void operator()(const Real* theta, Attended<Real>& out) const;

  /// The weights w_jk e^{-log_scale_j} of the head (row j = token j; column-major n x n with column j = row
  /// of token j), for tests and pictures.
  Matrix<Real> weights(const Real* theta, std::size_t head) const;

  Shape shape() const { return shape_; }

  /// The same field for recording; call it while a recording runs. beta: as written, masses: as handed to the
  /// constructor. Not for hardmax, whose arg max is no straight-line code: throws std::logic_error.
  AttentionField<Recorded> recorded(const Number& beta, const Vector<Real>& masses) const;
  /// True if the shifts of one recording suit every state on the sphere.
  bool recording_holds_everywhere() const;

private:
  template <class> friend class AttentionField;
  AttentionField() = default;

  struct Compiled {
    Matrix<Real> logits; ///< Q^T K, empty for the identity
    Matrix<Real> values; ///< W V, empty for the identity
  };
  /// The weights of tokens [begin, end) into rows (n each), their sums and scales at [begin, end). keys: d x
  /// n.
  void weigh(const Real* theta, const Real* keys, std::size_t begin, std::size_t end, Real* rows, Real* total,
             double* log_scale) const;

  Attention kind_;
  Real beta_;
  Vector<Real> log_masses_; // empty: none to add
  std::vector<Compiled> heads_;
  Shape shape_;
};

} // namespace attndyn
