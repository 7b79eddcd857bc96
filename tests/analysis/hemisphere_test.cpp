// The hemisphere margin against closed forms, against every face of small hulls at 60 digits, and by its own
// certificate.
#define BOOST_TEST_MODULE hemisphere
#include <boost/test/unit_test.hpp>

#include "analysis/hemisphere.hpp"
#include "tests/analysis/tokens_for_tests.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace attndyn;
using namespace attndyn::analysis;
using namespace attndyn::testing;
namespace tt = boost::test_tools;

BOOST_TEST_GLOBAL_FIXTURE(SixtyDigits);

namespace {

constexpr double anywhere = std::numeric_limits<double>::infinity();

Matrix<double> columns(std::size_t d, std::vector<std::vector<double>> tokens) {
  Matrix<double> theta(d, tokens.size());
  for (std::size_t j = 0; j < tokens.size(); ++j)
    for (std::size_t k = 0; k < d; ++k) theta(k, j) = tokens[j][k];
  return tokens_from(theta, false).theta;
}

/// What the result says of itself: the pole is unit and attains the margin, and the upper bound is as near.
template <class Real>
void check_certificate(const Matrix<Real>& theta, const Hemisphere<Real>& h, double epsilons) {
  const double bound = epsilons * epsilon_of<Real>();
  BOOST_REQUIRE(h.pole.size() == theta.rows);
  BOOST_TEST(plain_value(Real(abs(h.uncertainty))) <= bound);
  const Real norm = sqrt(dot(h.pole.data(), h.pole.data(), theta.rows));
  if (h.margin == 0) {
    BOOST_TEST((norm == 0));
    return;
  }
  BOOST_TEST(plain_value(Real(abs(norm - 1))) <= bound);
  Real least = 2;
  for (std::size_t j = 0; j < theta.cols; ++j)
    least = std::min(least, dot(&theta(0, j), h.pole.data(), theta.rows));
  BOOST_TEST(plain_value(Real(abs(least - h.margin))) <= bound);
}

/// u with G u = 1 by Gaussian elimination with pivoting; empty if G is singular to 40 digits.
Vector<Mpfr> solve_ones(Matrix<Mpfr> g) {
  const std::size_t n = g.rows;
  Vector<Mpfr> u(n, Mpfr(1));
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (abs(g(i, k)) > abs(g(pivot, k))) pivot = i;
    if (abs(g(pivot, k)) < Mpfr("1e-40")) return {};
    for (std::size_t j = 0; j < n; ++j) std::swap(g(k, j), g(pivot, j));
    std::swap(u[k], u[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Mpfr factor = g(i, k) / g(k, k);
      for (std::size_t j = k; j < n; ++j) g(i, j) -= factor * g(k, j);
      u[i] -= factor * u[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) u[k] -= g(k, j) * u[j];
    u[k] /= g(k, k);
  }
  return u;
}

/// The distance from the origin to the hull: the least over all subsets whose affine hull has its nearest
/// point inside the subset's simplex. That point has weights proportional to (gram + 1)^{-1} 1.
template <class Real> Mpfr distance_by_all_faces(const Matrix<Real>& theta) {
  const Matrix<Mpfr> c = exact_cosines(theta);
  const std::size_t n = theta.cols;
  Mpfr best = 1;
  for (unsigned subset = 1; subset < (1u << n); ++subset) {
    std::vector<std::size_t> s;
    for (std::size_t i = 0; i < n; ++i)
      if (subset >> i & 1) s.push_back(i);
    if (s.size() > theta.rows + 1) continue;
    Matrix<Mpfr> g(s.size(), s.size());
    for (std::size_t i = 0; i < s.size(); ++i)
      for (std::size_t j = 0; j < s.size(); ++j) g(i, j) = 1 + c(s[i], s[j]);
    const Vector<Mpfr> u = solve_ones(g);
    if (u.empty() || *std::min_element(u.begin(), u.end()) < 0) continue;
    const Mpfr total = std::accumulate(u.begin(), u.end(), Mpfr(0));
    Mpfr square = 0;
    for (std::size_t i = 0; i < s.size(); ++i)
      for (std::size_t j = 0; j < s.size(); ++j) square += u[i] * u[j] * c(s[i], s[j]) / (total * total);
    best = std::min(best, square < Mpfr("1e-56") ? Mpfr(0) : Mpfr(sqrt(square)));
  }
  return best;
}

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(one_token_is_its_own_pole, Real, Reals) {
  for (std::size_t d : {1, 2, 5, 40})
    for (std::size_t copies : {1, 2, 7}) {
      const auto one = random_tokens<Real>(1, d, anywhere, 1);
      Matrix<Real> theta(d, copies);
      for (std::size_t j = 0; j < copies; ++j)
        for (std::size_t k = 0; k < d; ++k) theta(k, j) = one(k, 0);
      const auto h = hemisphere(theta);
      BOOST_TEST(plain_value(Real(abs(h.margin - 1))) < 8 * epsilon_of<Real>());
      for (std::size_t k = 0; k < d; ++k)
        BOOST_TEST(plain_value(Real(abs(h.pole[k] - one(k, 0)))) < 8 * epsilon_of<Real>());
      check_certificate(theta, h, 16);
    }
}

BOOST_AUTO_TEST_CASE(on_the_line_tokens_agree_or_there_is_no_hemisphere) {
  BOOST_TEST(hemisphere(columns(1, {{1}, {1}})).margin == 1, tt::tolerance(1e-15));
  BOOST_TEST(hemisphere(columns(1, {{-1}, {-1}, {-1}})).pole[0] == -1, tt::tolerance(1e-15));
  BOOST_TEST(hemisphere(columns(1, {{1}, {1}, {-1}})).margin == 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(two_tokens_at_an_angle_have_margin_cosine_of_its_half, Real, Reals) {
  for (std::size_t d : {2, 3, 20})
    for (double angle : {1e-8, 1e-3, 0.5, 2.0, 3.0, 3.14159265, M_PI - 1e-10}) {
      // Hull: the segment; its nearest point is the middle.
      const auto frame = random_tokens<Real>(2, d, anywhere, 2);
      Vector<Real> across(d);
      const Real along = dot(&frame(0, 0), &frame(0, 1), d);
      for (std::size_t k = 0; k < d; ++k) across[k] = frame(k, 1) - along * frame(k, 0);
      const Real size = sqrt(dot(across.data(), across.data(), d));
      Matrix<Real> theta(d, 2);
      for (std::size_t k = 0; k < d; ++k) {
        theta(k, 0) = frame(k, 0);
        theta(k, 1) = cos(Real(angle)) * frame(k, 0) + sin(Real(angle)) * across[k] / size;
      }
      const auto h = hemisphere(theta);
      BOOST_TEST(plain_value(Real(abs(h.margin - cos(Real(angle) / 2)))) < 32 * epsilon_of<Real>(),
                 "d = " << d << ", angle = " << angle);
      check_certificate(theta, h, 64);
    }
}

BOOST_AUTO_TEST_CASE(antipodal_pairs_have_no_hemisphere_whatever_else_is_there) {
  BOOST_TEST(hemisphere(columns(2, {{1, 2}, {-1, -2}})).margin == 0);
  BOOST_TEST(hemisphere(columns(3, {{1, 2, 3}, {-1, -2, -3}})).margin == 0);
  BOOST_TEST(hemisphere(columns(3, {{0, 0, 1}, {0.1, 0, 1}, {1, 2, 3}, {-1, -2, -3}, {0, 1, 2}})).margin ==
             0);
  auto theta = random_tokens<double>(9, 5, anywhere, 3);
  for (std::size_t k = 0; k < 5; ++k) theta(k, 8) = -theta(k, 0);
  BOOST_TEST(hemisphere(theta).margin == 0);
  BOOST_TEST(hemisphere(theta).pole == Vector<double>(5, 0.0), tt::per_element());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(orthonormal_tokens_have_margin_one_over_root_n, Real, Reals) {
  for (std::size_t n : {1, 2, 3, 33})
    for (std::size_t extra : {0, 1, 7}) {
      Matrix<Real> theta(n + extra, n);
      for (std::size_t j = 0; j < n; ++j) theta(j, j) = 1;
      const auto h = hemisphere(theta);
      BOOST_TEST(plain_value(Real(abs(h.margin * h.margin * static_cast<int>(n) - 1))) <
                 64 * epsilon_of<Real>());
      check_certificate(theta, h, 64);
    }
}

BOOST_AUTO_TEST_CASE(the_simplex_holds_the_origin) {
  for (std::size_t n : {2, 3, 8, 33}) {
    // e_j - mean, in R^n and therefore of rank n - 1.
    Matrix<double> theta(n, n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) theta(k, j) = (k == j ? 1 : 0) - 1.0 / static_cast<double>(n);
    BOOST_TEST(hemisphere(tokens_from(theta, false).theta).margin == 0);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_cone_of_tokens_has_the_cosine_of_its_half_angle, Real, Reals) {
  // k tokens evenly around the axis, twice, in a shuffled order, and k more inside the cone.
  for (double height : {0.999, 0.5, 1e-3, 1e-6, 1e-10, 1e-13})
    for (std::size_t k : {3, 4, 5, 8, 11}) {
      Matrix<Real> theta(3, 3 * k);
      const Real z = height, rho = sqrt(Real(1 - z * z));
      for (std::size_t j = 0; j < 3 * k; ++j) {
        const Real angle = 2 * acos(Real(-1)) * static_cast<int>(j * 13 % k) / static_cast<int>(k);
        const Real inside = j >= 2 * k ? Real(1) / 2 : Real(1);
        theta(0, j) = rho * inside * cos(angle);
        theta(1, j) = rho * inside * sin(angle);
        theta(2, j) = sqrt(Real(1 - rho * rho * inside * inside));
      }
      for (std::size_t j = 0; j < 2 * k; ++j) theta(2, j) = z; // with all its digits
      const auto h = hemisphere(theta);
      BOOST_TEST(plain_value(Real(abs(h.margin - z))) < 64 * epsilon_of<Real>(),
                 "height " << height << ", k = " << k);
      BOOST_TEST(plain_value(Real(abs(h.pole[2] - 1))) < 64 * epsilon_of<Real>());
      check_certificate(theta, h, 128);
    }
}

BOOST_AUTO_TEST_CASE(on_the_circle_the_margin_is_that_of_the_largest_empty_arc) {
  int with = 0, without = 0;
  for (unsigned seed = 0; seed < 300; ++seed)
    for (std::size_t n : {2, 3, 5, 8}) {
      const auto theta = random_tokens<double>(n, 2, anywhere, 1000 + seed);
      std::vector<double> angles;
      for (std::size_t j = 0; j < n; ++j) angles.push_back(std::atan2(theta(1, j), theta(0, j)));
      std::sort(angles.begin(), angles.end());
      double empty = 2 * M_PI - (angles.back() - angles.front());
      for (std::size_t j = 1; j < n; ++j) empty = std::max(empty, angles[j] - angles[j - 1]);
      const double expected = std::max(0.0, std::cos((2 * M_PI - empty) / 2));
      const auto h = hemisphere(theta);
      BOOST_TEST(std::abs(h.margin - expected) < 1e-14, "seed " << seed << ", n = " << n);
      check_certificate(theta, h, 64);
      (expected > 0 ? with : without)++;
    }
  BOOST_TEST(with > 300);
  BOOST_TEST(without > 300);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_margin_is_the_distance_to_the_nearest_face, Real, Reals) {
  double worst = 0;
  int positive = 0;
  for (unsigned seed = 0; seed < 6; ++seed)
    for (const auto& [n, d] :
         {std::pair<std::size_t, std::size_t>{1, 3}, {2, 3}, {3, 1}, {4, 2}, {6, 3}, {7, 4}, {5, 9}, {8, 6}})
      for (double size : {anywhere, 0.7, 1e-2, 1e-7}) {
        const auto theta = random_tokens<Real>(n, d, size, seed);
        const auto h = hemisphere(theta);
        const double error =
            plain_value(Mpfr(abs(Mpfr(static_cast<Mpfr>(h.margin) - distance_by_all_faces(theta)))));
        BOOST_TEST(error < 64 * epsilon_of<Real>() + 1e-50,
                   "n = " << n << ", d = " << d << ", size = " << size << ": " << error);
        check_certificate(theta, h, 128);
        worst = std::max(worst, error);
        positive += h.margin > 0;
      }
  BOOST_TEST(positive > 100);
  BOOST_TEST_MESSAGE("worst error " << worst);
}

BOOST_AUTO_TEST_CASE(near_duplicates_change_nothing) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto theta = random_tokens<double>(6, 4, 0.6, seed);
    const double margin = hemisphere(theta).margin;
    for (double noise : {0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8}) {
      Matrix<double> crowd(4, 60);
      std::mt19937_64 engine(seed);
      std::normal_distribution<double> normal;
      for (std::size_t j = 0; j < 60; ++j)
        for (std::size_t k = 0; k < 4; ++k) crowd(k, j) = theta(k, j * 5 % 6) + noise * normal(engine);
      const auto h = hemisphere(crowd);
      BOOST_TEST(std::abs(h.margin - margin) < 1e-14 + 20 * noise);
      check_certificate(crowd, h, 128);
    }
  }
}

BOOST_AUTO_TEST_CASE(large_sets_carry_their_own_certificate) {
  for (const auto& [n, d] :
       {std::pair<std::size_t, std::size_t>{33, 5}, {200, 3}, {1000, 20}, {33, 512}, {100, 100}, {100, 50}})
    for (double size : {anywhere, 0.3, 1e-3}) {
      const auto theta = random_tokens<double>(n, d, size, 5);
      const auto h = hemisphere(theta);
      check_certificate(theta, h, 1e3);
      BOOST_TEST(h.margin >= 0);
      BOOST_TEST(h.margin <= 1);
    }
  BOOST_TEST(hemisphere(random_tokens<double>(200, 3, anywhere, 5)).margin == 0);
  BOOST_TEST(hemisphere(random_tokens<double>(33, 512, anywhere, 5)).margin > 0.1);
}

BOOST_AUTO_TEST_CASE(a_rotation_moves_the_pole_and_keeps_the_margin) {
  const auto theta = random_tokens<double>(12, 3, 0.5, 6);
  const auto h = hemisphere(theta);
  Matrix<double> turned(3, 12); // a cyclic permutation of the axes with one sign change
  for (std::size_t j = 0; j < 12; ++j) {
    turned(0, j) = theta(1, j);
    turned(1, j) = theta(2, j);
    turned(2, j) = -theta(0, j);
  }
  const auto g = hemisphere(turned);
  BOOST_TEST(g.margin == h.margin, tt::tolerance(1e-14));
  BOOST_TEST(std::abs(g.pole[0] - h.pole[1]) < 1e-13);
  BOOST_TEST(std::abs(g.pole[1] - h.pole[2]) < 1e-13);
  BOOST_TEST(std::abs(g.pole[2] + h.pole[0]) < 1e-13);
}

BOOST_AUTO_TEST_CASE(wendels_share_of_hemispheres_comes_out) {
  // n = 6, d = 3: 2^-5 (C(5,0) + C(5,1) + C(5,2)) = 1/2; n = 7, d = 2: 2^-6 (1 + 6) = 7/64.
  const auto count = [](std::size_t n, std::size_t d, int draws) {
    int found = 0;
    for (int k = 0; k < draws; ++k)
      found += hemisphere(random_tokens<double>(n, d, anywhere, 7000 + static_cast<unsigned>(k))).margin > 0;
    return found / static_cast<double>(draws);
  };
  BOOST_TEST(std::abs(count(6, 3, 4000) - 0.5) < 4 * std::sqrt(0.25 / 4000));
  BOOST_TEST(std::abs(count(7, 2, 4000) - 7.0 / 64) < 4 * std::sqrt(7.0 / 64 * 57 / 64 / 4000));
}

BOOST_AUTO_TEST_CASE(empty_and_non_finite_tokens_are_refused) {
  BOOST_CHECK_THROW(hemisphere(Matrix<double>{}), std::invalid_argument);
  Matrix<double> theta(2, 2);
  theta(0, 0) = 1;
  theta(1, 1) = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(hemisphere(theta), std::invalid_argument);
}
