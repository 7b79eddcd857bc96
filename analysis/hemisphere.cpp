#include "analysis/hemisphere.hpp"

#include "analysis/gaps.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attndyn::analysis {
namespace {

/// The active columns (1, theta_i) as Q R: Q orthonormal, R upper triangular.
template <class Real> class ActiveSet {
public:
  explicit ActiveSet(const Matrix<Real>& theta) : theta_(theta), rows_(theta.rows + 1) {}

  const std::vector<std::size_t>& tokens() const { return tokens_; }
  std::size_t size() const { return tokens_.size(); }
  bool full() const { return size() == rows_; }
  bool has(std::size_t token) const {
    return std::find(tokens_.begin(), tokens_.end(), token) != tokens_.end();
  }

  /// False, and nothing changes, if the column depends on the others to working precision. certain: it is
  /// known not to.
  bool add(std::size_t token, bool certain = false) {
    using std::sqrt;
    Vector<Real> column(rows_), coefficients(size() + 1, Real(0));
    column[0] = 1;
    for (std::size_t k = 1; k < rows_; ++k) column[k] = theta_(k - 1, token);
    const Real before = sqrt(dot(column.data(), column.data(), rows_));
    for (int pass = 0; pass < 2; ++pass) remove_projection(column, coefficients);
    const Real norm = sqrt(dot(column.data(), column.data(), rows_));
    if (!certain && !(norm > 4 * epsilon<Real>() * before)) return false;
    for (Real& x : column) x /= norm;
    coefficients.back() = norm;
    basis_.push_back(std::move(column));
    triangle_.push_back(std::move(coefficients));
    tokens_.push_back(token);
    return true;
  }

  /// Drops the columns at these positions (increasing); what follows the first of them is factorised anew.
  void remove(const std::vector<std::size_t>& positions) {
    std::vector<std::size_t> again;
    for (std::size_t k = positions.front(); k < size(); ++k)
      if (!std::binary_search(positions.begin(), positions.end(), k)) again.push_back(tokens_[k]);
    tokens_.resize(positions.front());
    basis_.resize(positions.front());
    triangle_.resize(positions.front());
    for (std::size_t token : again) add(token, true); // independent of more columns before
  }

  /// u with M u = projection of e on the columns: R u = (first row of Q).
  Vector<Real> weights() const {
    Vector<Real> u(size());
    for (std::size_t k = size(); k-- > 0;) {
      Real sum = basis_[k][0];
      for (std::size_t l = k + 1; l < size(); ++l) sum -= triangle_[l][k] * u[l];
      u[k] = sum / triangle_[k][k];
    }
    return u;
  }

  /// The unit vector along e - (projection of e), and the length of that; orthogonal to the columns even
  /// where the length is tiny.
  Vector<Real> residual(Real& length) const {
    using std::sqrt;
    Vector<Real> r(rows_, Real(0)), unused(size() + 1, Real(0));
    r[0] = 1;
    length = 1;
    for (int pass = 0; pass < 3; ++pass) {
      remove_projection(r, unused);
      const Real norm = sqrt(dot(r.data(), r.data(), rows_));
      if (pass < 2) length *= norm;
      if (norm == 0) return r;
      for (Real& x : r) x /= norm;
    }
    return r;
  }

private:
  void remove_projection(Vector<Real>& x, Vector<Real>& coefficients) const {
    for (std::size_t k = 0; k < size(); ++k) {
      const Real along = dot(basis_[k].data(), x.data(), rows_);
      coefficients[k] += along;
      for (std::size_t i = 0; i < rows_; ++i) x[i] -= along * basis_[k][i];
    }
  }

  const Matrix<Real>& theta_;
  std::size_t rows_;
  std::vector<std::size_t> tokens_;
  std::vector<Vector<Real>> basis_, triangle_; // columns of Q and of R
};

} // namespace

template <class Real> Hemisphere<Real> hemisphere(const Matrix<Real>& theta) {
  using std::sqrt;
  require_tokens(theta);
  if (!all_finite(theta.data)) throw std::invalid_argument("theta: must be finite");
  const std::size_t n = theta.cols, d = theta.rows;
  const Real tolerance = 16 * sqrt(Real(static_cast<double>(d + 1))) * epsilon<Real>();
  const Hemisphere<Real> none{Real(0), Vector<Real>(d, Real(0)), Real(0)};

  ActiveSet<Real> active(theta);
  active.add(0);
  Vector<Real> u = active.weights(); // of the active tokens; their sum is between 1/2 and 1
  Hemisphere<Real> best = none;
  Real upper = 1, last_length = 2;
  // A step that removes less than round-off is still needed where the hull comes near the origin: there the
  // pole is settled by tokens whose weight is nothing. But not for ever.
  for (std::size_t stalled = 0; stalled <= d + 1;) {
    Real length;
    const Vector<Real> r = active.residual(length);
    if (active.full() || !(length > tolerance)) return none;
    if (length < last_length)
      stalled = 0;
    else
      ++stalled;
    last_length = std::min(last_length, length);

    // r = (q, -p): every token has <theta_i, p> >= q up to the worst violation; the active ones have
    // equality.
    const Real p_norm = sqrt(dot(r.data() + 1, r.data() + 1, d));
    Real worst = 0;
    std::size_t entering = n;
    for (std::size_t i = 0; i < n; ++i) {
      const Real violation = r[0] + dot(r.data() + 1, &theta(0, i), d);
      if (violation > worst) {
        worst = violation;
        entering = i;
      }
    }
    upper = std::min(upper, Real(r[0] / p_norm));
    const Real attained = (r[0] - worst) / p_norm;
    if (attained > best.margin) {
      best.margin = std::min(attained, Real(1));
      for (std::size_t k = 0; k < d; ++k) best.pole[k] = -r[k + 1] / p_norm;
    }
    if (worst <= tolerance || active.has(entering) || !active.add(entering)) break;

    // To the best nonnegative weights of the enlarged set, dropping what leaves the cone on the way.
    u.push_back(Real(0));
    for (;;) {
      Vector<Real> v = active.weights();
      Real step = 1;
      std::size_t blocking = v.size();
      for (std::size_t k = 0; k < v.size(); ++k)
        if (v[k] < -tolerance && (blocking == v.size() || u[k] < step * (u[k] - v[k]))) {
          step = u[k] / (u[k] - v[k]);
          blocking = k;
        }
      if (blocking == v.size()) {
        u = std::move(v);
        for (Real& weight : u) weight = std::max(weight, Real(0));
        break;
      }
      std::vector<std::size_t> leaving;
      Vector<Real> kept;
      for (std::size_t k = 0; k < v.size(); ++k) {
        const Real moved = u[k] + step * (v[k] - u[k]);
        if (k == blocking || moved < 0)
          leaving.push_back(k);
        else
          kept.push_back(moved);
      }
      active.remove(leaving);
      u = std::move(kept);
    }
  }
  best.uncertainty = std::max(Real(0), Real(upper - best.margin));
  return best;
}

#define ATTNDYN_INSTANTIATE(Real) template Hemisphere<Real> hemisphere(const Matrix<Real>&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn::analysis
