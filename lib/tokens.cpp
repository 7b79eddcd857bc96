#include "lib/tokens.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace attndyn {
namespace {

/// |x| without overflow or underflow of the squares.
template <class Real> Real length(const Real* x, std::size_t d) {
  using std::abs;
  using std::sqrt;
  Real largest = 0;
  for (std::size_t i = 0; i < d; ++i)
    if (abs(x[i]) > largest) largest = abs(x[i]);
  if (largest == 0) return largest;
  Real sum = 0;
  for (std::size_t i = 0; i < d; ++i) sum += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(sum);
}

} // namespace

template <class Real> Tokens<Real> tokens_from(const Matrix<Real>& vectors, bool radii_from_length) {
  if (vectors.empty()) throw std::invalid_argument("tokens: there must be at least one, of dimension >= 1");
  Tokens<Real> out{vectors, Vector<Real>(vectors.cols, Real(1))};
  const std::size_t d = vectors.rows;
  for (std::size_t j = 0; j < vectors.cols; ++j) {
    Real* x = &out.theta(0, j);
    for (std::size_t i = 0; i < d; ++i)
      if (!is_finite(x[i])) throw std::invalid_argument(fmt::format("token {}: must be finite", j + 1));
    const Real size = length(x, d);
    if (size == 0)
      throw std::invalid_argument(fmt::format("token {}: is zero, so it has no direction", j + 1));
    for (std::size_t i = 0; i < d; ++i) x[i] /= size;
    const Real rest = length(x, d); // the first division may have rounded; a second is exact to an ulp
    for (std::size_t i = 0; i < d; ++i) x[i] /= rest;
    if (radii_from_length) out.r[j] = size;
  }
  return out;
}

template <class Real> Vector<Real> to_state(const Tokens<Real>& tokens) {
  using std::log;
  Vector<Real> state = tokens.theta.data;
  for (const Real& r : tokens.r) state.push_back(log(r));
  return state;
}

template <class Real> Tokens<Real> to_tokens(const Vector<Real>& state, Shape shape) {
  using std::exp;
  Tokens<Real> out{Matrix<Real>(shape.d, shape.n), Vector<Real>(shape.n)};
  for (std::size_t i = 0; i < shape.n * shape.d; ++i) out.theta.data[i] = state[i];
  for (std::size_t j = 0; j < shape.n; ++j) out.r[j] = exp(state[shape.n * shape.d + j]);
  return out;
}

template <class Real> double normalise_directions(Vector<Real>& state, Shape shape) {
  using std::sqrt;
  double worst = 0;
  for (std::size_t j = 0; j < shape.n; ++j) {
    Real* x = state.data() + j * shape.d;
    const Real norm = sqrt(dot(x, x, shape.d));
    worst = std::max(worst, std::abs(plain_value(Real(norm - 1))));
    const Real scale = 1 / norm;
    for (std::size_t i = 0; i < shape.d; ++i) x[i] *= scale;
  }
  return worst;
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template Tokens<Real> tokens_from(const Matrix<Real>&, bool);                                              \
  template Vector<Real> to_state(const Tokens<Real>&);                                                       \
  template Tokens<Real> to_tokens(const Vector<Real>&, Shape);                                               \
  template double normalise_directions(Vector<Real>&, Shape);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn
