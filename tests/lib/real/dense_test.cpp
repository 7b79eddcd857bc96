// Products and the basis of a span, in every number type, against sums written out.
#define BOOST_TEST_MODULE dense
#include <boost/test/unit_test.hpp>

#include "lib/real/dense.hpp"

#include <algorithm>
#include <random>

using namespace attndyn;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(40); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

using Reals = std::tuple<double, Float128, Mpfr>;

template <class Real> Matrix<Real> random_matrix(std::size_t rows, std::size_t cols, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Matrix<Real> m(rows, cols);
  for (Real& x : m.data) x = uniform(generator);
  return m;
}

/// sum_l a(i, l) b(l, j), and the sum of the absolute terms.
template <class Real>
std::pair<Real, Real> entry(const Matrix<Real>& a, const Matrix<Real>& b, std::size_t i, std::size_t j) {
  using std::abs;
  Real sum = 0, size = 0;
  for (std::size_t l = 0; l < a.cols; ++l) {
    sum += a(i, l) * b(l, j);
    size += abs(a(i, l) * b(l, j));
  }
  return {sum, size};
}

template <class Real> Matrix<Real> transposed(const Matrix<Real>& a) {
  Matrix<Real> t(a.cols, a.rows);
  for (std::size_t j = 0; j < a.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i) t(j, i) = a(i, j);
  return t;
}

/// Largest error of c = a b in epsilons of the sum of the absolute terms, per term.
template <class Real>
double worst_error(const Matrix<Real>& a, const Matrix<Real>& b, const Matrix<Real>& c) {
  using std::abs;
  BOOST_REQUIRE((c.rows == a.rows && c.cols == b.cols));
  double worst = 0;
  for (std::size_t j = 0; j < b.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i) {
      const auto [sum, size] = entry(a, b, i, j);
      const Real unit = size * epsilon<Real>() * static_cast<int>(a.cols);
      worst = std::max(worst, plain_value(Real(abs(c(i, j) - sum) / unit)));
    }
  return worst;
}

} // namespace

// Both sides of the size at which double goes to BLAS.
BOOST_AUTO_TEST_CASE_TEMPLATE(products_are_the_sums_they_stand_for, Real, Reals) {
  struct Sizes {
    std::size_t m, n, k;
  };
  for (const Sizes& s : {Sizes{1, 1, 1},
                         {2, 3, 4},
                         {5, 1, 7},
                         {1, 9, 300},
                         {12, 13, 13},
                         {13, 12, 14},
                         {33, 8, 33},
                         {40, 17, 25}}) {
    const auto a = random_matrix<Real>(s.m, s.k, 1), b = random_matrix<Real>(s.k, s.n, 2);
    BOOST_TEST_CONTEXT(s.m << " x " << s.k << " times " << s.k << " x " << s.n) {
      BOOST_TEST(worst_error(a, b, product(a, b)) <= 1);
      BOOST_TEST(worst_error(a, b, transposed_product(transposed(a), b)) <= 1);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(identity_means_exactly_that, Real, Reals) {
  Matrix<Real> one(3, 3);
  for (std::size_t i = 0; i < 3; ++i) one(i, i) = 1;
  BOOST_TEST(is_identity(Matrix<Real>{}));
  BOOST_TEST(is_identity(one));
  Matrix<Real> nearly = one;
  nearly(1, 1) = 1 + epsilon<Real>();
  BOOST_TEST(!is_identity(nearly));
  BOOST_TEST(!is_identity(Matrix<Real>(2, 3)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_span_basis_is_orthonormal_and_holds_its_columns, Real, Reals) {
  using std::abs;
  using std::sqrt;
  for (const auto& [d, n] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {5, 1}, {5, 2}, {64, 8}, {7, 7}, {3, 8}})
    for (bool deficient : {false, true}) {
      auto columns = random_matrix<Real>(d, n, 3);
      if (deficient) // a repeated column, and one of zeros
        for (std::size_t i = 0; i < d; ++i) {
          columns(i, n / 2) = columns(i, 0);
          if (n > 2) columns(i, n - 1) = 0;
        }
      const SpanBasis<Real> basis(columns);
      const std::size_t m = std::min(d, n);
      BOOST_TEST_CONTEXT("d = " << d << ", n = " << n << ", deficient " << deficient) {
        BOOST_REQUIRE(basis.dimension() == m);
        Matrix<Real> q(d, m);
        for (std::size_t k = 0; k < m; ++k) {
          Vector<Real> unit(m, Real(0));
          unit[k] = 1;
          basis.lift(unit.data(), &q(0, k));
        }
        const double few = 20 * static_cast<double>(m), eps = plain_value(epsilon<Real>());
        for (std::size_t i = 0; i < m; ++i)
          for (std::size_t j = 0; j < m; ++j)
            BOOST_TEST(plain_value(Real(abs(dot(&q(0, i), &q(0, j), d) - (i == j ? 1 : 0)))) <= few * eps);
        for (std::size_t j = 0; j < n; ++j) {
          Vector<Real> back(d);
          basis.lift(&basis.reduced()(0, j), back.data());
          const double size = plain_value(sqrt(dot(&columns(0, j), &columns(0, j), d)));
          for (std::size_t i = 0; i < d; ++i)
            BOOST_TEST(plain_value(Real(abs(back[i] - columns(i, j)))) <= few * eps * size);
        }
        // compress(M) = q^T M q
        const auto matrix = random_matrix<Real>(d, d, 4);
        const auto small = basis.compress(matrix), expected = transposed_product(q, product(matrix, q));
        for (std::size_t i = 0; i < m * m; ++i)
          BOOST_TEST(plain_value(Real(abs(small.data[i] - expected.data[i]))) <=
                     few * eps * static_cast<double>(d));
      }
    }
}
