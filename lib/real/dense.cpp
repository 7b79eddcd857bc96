#include "lib/real/dense.hpp"

#include "lib/real/recorded.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

extern "C" void openblas_set_num_threads(int) __attribute__((weak));

namespace attndyn {
namespace {

/// Inside units of work BLAS runs on one thread: the bits then do not depend on the machine's cores.
void single_thread_blas() {
  static const bool done = [] {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    return true;
  }();
  (void)done;
}

/// BLAS pays for itself only beyond a few thousand operations.
bool small(std::size_t m, std::size_t n, std::size_t k) { return m * n * k < 2048; }

template <class Real>
void plain_multiply(std::size_t m, std::size_t n, std::size_t k, const Real* a, const Real* b, Real* c) {
  for (std::size_t j = 0; j < n; ++j) {
    Real* column = c + j * m;
    std::fill(column, column + m, Real(0));
    for (std::size_t l = 0; l < k; ++l) {
      const Real factor = b[l + j * k];
      for (std::size_t i = 0; i < m; ++i) column[i] += a[i + l * m] * factor;
    }
  }
}

template <class Real>
void plain_multiply_transposed(std::size_t m, std::size_t n, std::size_t k, const Real* a, const Real* b,
                               Real* c) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < m; ++i) c[i + j * m] = dot(a + i * k, b + j * k, k);
}

} // namespace

template <class Real>
void multiply(std::size_t m, std::size_t n, std::size_t k, const Real* a, const Real* b, Real* c) {
  plain_multiply(m, n, k, a, b, c);
}
template <class Real>
void multiply_transposed(std::size_t m, std::size_t n, std::size_t k, const Real* a, const Real* b, Real* c) {
  plain_multiply_transposed(m, n, k, a, b, c);
}

template <>
void multiply(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c) {
  if (small(m, n, k)) return plain_multiply(m, n, k, a, b, c);
  single_thread_blas();
  const auto i = [](std::size_t v) { return static_cast<blasint>(v); };
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, i(m), i(n), i(k), 1.0, a, i(m), b, i(k), 0.0, c,
              i(m));
}
template <>
void multiply_transposed(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b,
                         double* c) {
  if (small(m, n, k)) return plain_multiply_transposed(m, n, k, a, b, c);
  single_thread_blas();
  const auto i = [](std::size_t v) { return static_cast<blasint>(v); };
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, i(m), i(n), i(k), 1.0, a, i(k), b, i(k), 0.0, c, i(m));
}

template <class Real> bool is_identity(const Matrix<Real>& a) {
  if (a.empty()) return true;
  if (a.rows != a.cols) return false;
  for (std::size_t j = 0; j < a.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i)
      if (a(i, j) != (i == j ? 1 : 0)) return false;
  return true;
}

template <class Real> Matrix<Real> product(const Matrix<Real>& a, const Matrix<Real>& b) {
  Matrix<Real> c(a.rows, b.cols);
  multiply(a.rows, b.cols, a.cols, a.data.data(), b.data.data(), c.data.data());
  return c;
}

template <class Real> Matrix<Real> transposed_product(const Matrix<Real>& a, const Matrix<Real>& b) {
  Matrix<Real> c(a.cols, b.cols);
  multiply_transposed(a.cols, b.cols, a.rows, a.data.data(), b.data.data(), c.data.data());
  return c;
}

namespace {

/// x -= 2 <v, x> v on the entries from k on.
template <class Real> void reflect(const Real* v, std::size_t k, std::size_t d, Real* x) {
  const Real twice = 2 * dot(v + k, x + k, d - k);
  for (std::size_t i = k; i < d; ++i) x[i] -= twice * v[i];
}

} // namespace

template <class Real> SpanBasis<Real>::SpanBasis(const Matrix<Real>& columns) : d_(columns.rows) {
  using std::sqrt;
  const std::size_t n = columns.cols, m = std::min(d_, n);
  Matrix<Real> r = columns;
  reflectors_ = Matrix<Real>(d_, m);
  for (std::size_t k = 0; k < m; ++k) {
    Real* v = &reflectors_(0, k);
    const Real norm = sqrt(dot(&r(k, k), &r(k, k), d_ - k));
    if (norm != 0) {
      for (std::size_t i = k; i < d_; ++i) v[i] = r(i, k);
      v[k] += r(k, k) < 0 ? Real(-norm) : norm;
      const Real length = sqrt(dot(v + k, v + k, d_ - k));
      for (std::size_t i = k; i < d_; ++i) v[i] /= length;
      for (std::size_t j = k; j < n; ++j) reflect(v, k, d_, &r(0, j));
      for (std::size_t i = k + 1; i < d_; ++i) r(i, k) = 0;
    }
  }
  reduced_ = Matrix<Real>(m, n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < m; ++i) reduced_(i, j) = r(i, j);
}

template <class Real> void SpanBasis<Real>::lift(const Real* y, Real* x) const {
  const std::size_t m = dimension();
  for (std::size_t i = 0; i < d_; ++i) x[i] = i < m ? y[i] : Real(0);
  for (std::size_t k = m; k-- > 0;) reflect(&reflectors_(0, k), k, d_, x);
}

template <class Real> Matrix<Real> SpanBasis<Real>::compress(const Matrix<Real>& a) const {
  const std::size_t m = dimension();
  Matrix<Real> basis(d_, m);
  Vector<Real> unit(m, Real(0));
  for (std::size_t j = 0; j < m; ++j) {
    unit[j] = 1;
    lift(unit.data(), &basis(0, j));
    unit[j] = 0;
  }
  return transposed_product(basis, product(a, basis));
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template bool is_identity(const Matrix<Real>&);                                                            \
  template Matrix<Real> product(const Matrix<Real>&, const Matrix<Real>&);                                   \
  template Matrix<Real> transposed_product(const Matrix<Real>&, const Matrix<Real>&);                        \
  template class SpanBasis<Real>;
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE
#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template void multiply(std::size_t, std::size_t, std::size_t, const Real*, const Real*, Real*);            \
  template void multiply_transposed(std::size_t, std::size_t, std::size_t, const Real*, const Real*, Real*);
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
ATTNDYN_INSTANTIATE(Recorded)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn
