// Cosines, gaps and variance against all pairs at 60 digits.
#define BOOST_TEST_MODULE overlap
#include <boost/test/unit_test.hpp>

#include "analysis/gaps.hpp"
#include "analysis/overlap.hpp"
#include "tests/analysis/tokens_for_tests.hpp"

#include <algorithm>
#include <limits>

using namespace attndyn;
using namespace attndyn::analysis;
using namespace attndyn::testing;

BOOST_TEST_GLOBAL_FIXTURE(SixtyDigits);

namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();
// (n, d): d = 1, d < n, d = n, d > n.
constexpr std::pair<std::size_t, std::size_t> shapes[] = {{2, 2}, {2, 5},  {3, 1}, {3, 2},
                                                          {3, 5}, {33, 2}, {33, 5}};

/// The truth to about 55 digits less those that 1 - cosine has lost.
struct Truth {
  Mpfr mean_gap = 0, worst_gap = 0, variance = 1;
  template <class Real> Truth(const Matrix<Real>& theta, const Vector<Real>& masses) {
    const Matrix<Mpfr> c = exact_cosines(theta);
    const std::size_t n = theta.cols;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        variance -= static_cast<Mpfr>(masses[i]) * static_cast<Mpfr>(masses[j]) * c(i, j);
        if (i >= j) continue;
        const Mpfr gap = 1 - c(i, j);
        mean_gap += gap;
        worst_gap = std::max(worst_gap, gap);
      }
    mean_gap /= static_cast<int>(n * (n - 1) / 2);
  }
};

template <class Real> Vector<Real> equal_masses(std::size_t n) {
  return Vector<Real>(n, Real(1) / static_cast<int>(n));
}

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(gaps_and_variance_agree_with_all_pairs_at_sixty_digits, Real, Reals) {
  double worst = 0;
  for (const auto& [n, d] : shapes)
    for (double size : {anywhere, 1.0, 1e-3, 1e-7}) {
      if (d == 1 && !std::isinf(size)) continue; // on S^0 tokens coincide or are antipodal
      const auto theta = random_tokens<Real>(n, d, size, 7);
      const Vector<Real> none, uneven = random_masses<Real>(n, 8);
      const Truth equal(theta, equal_masses<Real>(n)), weighted(theta, uneven);
      if (equal.worst_gap == 0) continue;
      // The oracle subtracts from 1; masses sum to 1 only to rounding, which the oracle's form feels and ours
      // does not.
      const double oracle = 1e-57 / plain_value(equal.mean_gap);
      const auto check = [&](const Real& measured, const Mpfr& truth, double slack) {
        const double error = relative_error(measured, truth);
        BOOST_TEST(error <= 16 * epsilon_of<Real>() + slack,
                   "n = " << n << ", d = " << d << ", size = " << size << ": relative error " << error);
        if (slack < epsilon_of<Real>()) worst = std::max(worst, error / epsilon_of<Real>());
      };
      check(one_minus_mean_cosine(theta), equal.mean_gap, oracle);
      check(one_minus_min_cosine(theta), equal.worst_gap, oracle);
      check(variance(theta), Mpfr(equal.mean_gap * static_cast<int>(n - 1) / static_cast<int>(n)), oracle);
      if (std::isinf(size)) check(variance(theta, uneven), weighted.variance, oracle);
    }
  BOOST_TEST_MESSAGE("worst relative error where the oracle sees it: " << worst << " epsilons");
}

BOOST_AUTO_TEST_CASE(a_gap_of_1e_minus_14_keeps_its_digits_in_double) {
  // Chords of 1.4e-7: 1 - cosine by subtraction would keep two digits.
  const auto theta = random_tokens<double>(33, 5, 1e-7, 1);
  const auto masses = random_masses<double>(33, 2);
  Vector<double> wide = masses;
  const Matrix<Mpfr> c = exact_cosines(theta);
  const Vector<Mpfr> m = exact(wide);
  Mpfr weighted = 0, total = 0; // sum_{i<j} m_i m_j |theta_i - theta_j|^2 / (sum m)
  for (std::size_t i = 0; i < 33; ++i) {
    total += m[i];
    for (std::size_t j = 0; j < i; ++j) weighted += m[i] * m[j] * 2 * (1 - c(i, j));
  }
  BOOST_TEST(plain_value(Mpfr(weighted)) < 1e-12);
  BOOST_TEST(relative_error(variance(theta, masses), Mpfr(weighted / total)) < 1e-14);
  BOOST_TEST(relative_error(one_minus_mean_cosine(theta), Truth(theta, equal_masses<double>(33)).mean_gap) <
             1e-14);
  BOOST_TEST(relative_error(one_minus_min_cosine(theta), Truth(theta, equal_masses<double>(33)).worst_gap) <
             1e-14);
}

BOOST_AUTO_TEST_CASE(a_massless_token_far_away_does_not_spoil_the_variance_of_the_others) {
  auto theta = random_tokens<double>(9, 4, 1e-7, 3);
  Vector<double> masses(9, 1.0 / 8), eight(8, 1.0 / 8);
  masses[0] = 0;
  for (std::size_t k = 0; k < 4; ++k) theta(k, 0) = k == 0 ? 1 : 0;
  Matrix<double> rest(4, 8);
  rest.data.assign(theta.data.begin() + 4, theta.data.end());
  BOOST_TEST(variance(theta, masses) == variance(rest, eight), boost::test_tools::tolerance(1e-14));
  BOOST_TEST(variance(rest, eight) > 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_token_and_equal_tokens_have_no_gap_at_all, Real, Reals) {
  for (std::size_t n : {1, 2, 3, 33})
    for (std::size_t d : {1, 2, 5}) {
      const auto one = random_tokens<Real>(1, d, anywhere, 4);
      Matrix<Real> theta(d, n);
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < d; ++k) theta(k, j) = one(k, 0);
      const Vector<Real> masses = random_masses<Real>(n, 5);
      BOOST_TEST((one_minus_mean_cosine(theta) == 0));
      BOOST_TEST((one_minus_min_cosine(theta) == 0));
      BOOST_TEST((mean_cosine(theta) == 1));
      BOOST_TEST((min_cosine(theta) == 1));
      BOOST_TEST((variance(theta, masses) == 0));
      BOOST_TEST(share_of_close_pairs(theta, Real(1)) == 1);
    }
}

BOOST_AUTO_TEST_CASE(known_configurations_have_their_closed_values) {
  for (std::size_t n : {2, 3, 33}) {
    // Orthonormal tokens: every cosine 0, variance 1 - 1/n.
    Matrix<double> basis(n, n);
    for (std::size_t j = 0; j < n; ++j) basis(j, j) = 1;
    BOOST_TEST(one_minus_mean_cosine(basis) == 1, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(one_minus_min_cosine(basis) == 1);
    BOOST_TEST(std::abs(mean_cosine(basis)) < 1e-14);
    BOOST_TEST(variance(basis) == 1 - 1.0 / static_cast<double>(n), boost::test_tools::tolerance(1e-14));
    BOOST_TEST(share_of_close_pairs(basis, 0.0) == 1);
    BOOST_TEST(share_of_close_pairs(basis, 1e-15) == 0);
  }
  // Antipodal pair with masses 1/4, 3/4: mean of length 1/2.
  Matrix<double> pair(1, 2);
  pair.data = {1, -1};
  BOOST_TEST(min_cosine(pair) == -1);
  BOOST_TEST(mean_cosine(pair) == -1);
  BOOST_TEST(variance(pair, {0.25, 0.75}) == 0.75);
}

BOOST_AUTO_TEST_CASE(the_share_of_close_pairs_is_a_count) {
  // Angles 0, 10, 30, 200 degrees: differences 10, 20, 30, 160, 170, 170.
  Matrix<double> theta(2, 4);
  const double degrees[] = {0, 10, 30, 200};
  for (std::size_t j = 0; j < 4; ++j) {
    theta(0, j) = std::cos(degrees[j] * M_PI / 180);
    theta(1, j) = std::sin(degrees[j] * M_PI / 180);
  }
  const auto share = [&](double angle) { return share_of_close_pairs(theta, std::cos(angle * M_PI / 180)); };
  BOOST_TEST(share(9) == 0);
  BOOST_TEST(share(11) == 1.0 / 6);
  BOOST_TEST(share(21) == 2.0 / 6);
  BOOST_TEST(share(31) == 3.0 / 6);
  BOOST_TEST(share(161) == 4.0 / 6);
  BOOST_TEST(share(171) == 1);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rows_of_gaps_are_chord_gaps_bit_for_bit, Real, Reals) {
  for (const auto& [n, d] : shapes) {
    const auto theta = random_tokens<Real>(n, d, anywhere, 9);
    const GapRows<Real> rows(theta);
    Vector<Real> gaps(n);
    for (std::size_t i = 0; i < n; ++i) {
      rows.row(i, 0, gaps);
      for (std::size_t j = 0; j < n; ++j) BOOST_TEST((gaps[j] == chord_gap(&theta(0, i), &theta(0, j), d)));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_nan_reaches_the_result) {
  auto theta = random_tokens<double>(5, 3, anywhere, 6);
  theta(1, 2) = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(std::isnan(one_minus_mean_cosine(theta)));
  BOOST_TEST(std::isnan(one_minus_min_cosine(theta)));
  BOOST_TEST(std::isnan(min_cosine(theta)));
  BOOST_TEST(std::isnan(variance(theta)));
  BOOST_TEST(share_of_close_pairs(theta, -1.0) == 6.0 / 10);
}

BOOST_AUTO_TEST_CASE(no_tokens_and_a_wrong_number_of_masses_are_refused) {
  BOOST_CHECK_THROW(one_minus_mean_cosine(Matrix<double>{}), std::invalid_argument);
  BOOST_CHECK_THROW(one_minus_min_cosine(Matrix<double>{}), std::invalid_argument);
  BOOST_CHECK_EXCEPTION(
      variance(random_tokens<double>(3, 2, anywhere, 1), {0.5, 0.5}), std::invalid_argument,
      [](const auto& e) { return std::string(e.what()) == "masses: there are 2, but 3 tokens"; });
}
