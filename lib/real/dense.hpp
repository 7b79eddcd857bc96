/// The dense linear algebra that the attention field needs, for every number type: column-major, no aliasing.
/// double goes to BLAS (one thread), the others through plain loops.
#pragma once

#include "lib/real/types.hpp"

#include <cstddef>

namespace attndyn {

/// rows x cols, column-major; empty (0 x 0) stands for the identity where a square matrix is optional.
template <class Real> struct Matrix {
  std::size_t rows = 0, cols = 0;
  Vector<Real> data;

  Matrix() = default;
  Matrix(std::size_t r, std::size_t c) : rows(r), cols(c), data(r * c, Real(0)) {}
  bool empty() const { return data.empty(); }
  Real& operator()(std::size_t i, std::size_t j) { return data[i + j * rows]; }
  const Real& operator()(std::size_t i, std::size_t j) const { return data[i + j * rows]; }
};

/// True if empty or exactly the identity.
template <class Real> bool is_identity(const Matrix<Real>&);

/// C (m x n) = A B with A m x k, B k x n.
template <class Real>
void multiply(std::size_t m, std::size_t n, std::size_t k, const Real* a, const Real* b, Real* c);
/// C (m x n) = A^T B with A k x m, B k x n.
template <class Real>
void multiply_transposed(std::size_t m, std::size_t n, std::size_t k, const Real* a, const Real* b, Real* c);

template <class Real> Matrix<Real> product(const Matrix<Real>& a, const Matrix<Real>& b);
template <class Real> Matrix<Real> transposed_product(const Matrix<Real>& a, const Matrix<Real>& b);

template <class Real> Real dot(const Real* a, const Real* b, std::size_t size) {
  Real sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

/// An orthonormal basis of a space that contains the given columns, as Householder reflections.
template <class Real> class SpanBasis {
public:
  /// columns: d x n. The space has dimension m = min(d, n), whatever the rank.
  explicit SpanBasis(const Matrix<Real>& columns);

  std::size_t dimension() const { return reduced_.rows; }
  /// m x n: the columns in the basis.
  const Matrix<Real>& reduced() const { return reduced_; }
  /// x (d) = basis * y (m).
  void lift(const Real* y, Real* x) const;
  /// m x m: basis^T M basis.
  Matrix<Real> compress(const Matrix<Real>& m) const;

private:
  std::size_t d_;
  Matrix<Real> reflectors_; // column k: unit vector with zeros above k, or zero for no reflection
  Matrix<Real> reduced_;
};

} // namespace attndyn
