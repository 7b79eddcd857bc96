// Clusters against a search by hand and known configurations.
#define BOOST_TEST_MODULE clusters
#include <boost/test/unit_test.hpp>

#include "analysis/clusters.hpp"
#include "tests/analysis/tokens_for_tests.hpp"

#include <limits>
#include <set>

using namespace attndyn;
using namespace attndyn::analysis;
using namespace attndyn::testing;
namespace tt = boost::test_tools;

BOOST_TEST_GLOBAL_FIXTURE(SixtyDigits);

namespace {

template <class Real> Matrix<Real> on_circle(std::initializer_list<double> degrees) {
  Matrix<Real> theta(2, degrees.size());
  std::size_t j = 0;
  for (double angle : degrees) {
    theta(0, j) = std::cos(angle * M_PI / 180);
    theta(1, j++) = std::sin(angle * M_PI / 180);
  }
  return tokens_from(theta, false).theta;
}

double cosine_of(double degrees) { return std::cos(degrees * M_PI / 180); }

/// Labels by depth-first search on the full matrix of inner products.
std::vector<std::size_t> searched(const Matrix<double>& theta, double cosine) {
  const std::size_t n = theta.cols, unset = n;
  std::vector<std::size_t> label(n, unset);
  std::size_t next = 0;
  for (std::size_t start = 0; start < n; ++start) {
    if (label[start] != unset) continue;
    std::vector<std::size_t> stack = {start};
    label[start] = next;
    while (!stack.empty()) {
      const std::size_t i = stack.back();
      stack.pop_back();
      for (std::size_t j = 0; j < n; ++j)
        if (label[j] == unset && dot(&theta(0, i), &theta(0, j), theta.rows) >= cosine) {
          label[j] = next;
          stack.push_back(j);
        }
    }
    ++next;
  }
  return label;
}

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_chain_is_one_cluster_and_a_gap_parts_it, Real, Reals) {
  // 0 - 10 - 20 chained although 0 and 20 are 20 apart; 100 alone; 355 joins 0 across the cut of the angle.
  const auto theta = on_circle<Real>({0, 100, 20, 10, 355});
  const auto c = clusters(theta, Real(cosine_of(11)),
                          Vector<Real>{Real(1) / 8, Real(1) / 2, Real(1) / 8, Real(1) / 8, Real(1) / 8});
  BOOST_TEST(c.count() == 2u);
  BOOST_TEST(c.label == (std::vector<std::size_t>{0, 1, 0, 0, 0}), tt::per_element());
  BOOST_TEST(c.size == (std::vector<std::size_t>{4, 1}), tt::per_element());
  BOOST_TEST((c.mass[0] == Real(1) / 2));
  BOOST_TEST((c.mass[1] == Real(1) / 2));
  BOOST_TEST(clusters(theta, Real(cosine_of(9))).count() == 4u);
  BOOST_TEST(clusters(theta, Real(cosine_of(4))).count() == 5u);
  BOOST_TEST(clusters(theta, Real(cosine_of(81))).count() == 1u);
}

BOOST_AUTO_TEST_CASE(clusters_are_those_of_a_search_by_hand) {
  std::set<std::size_t> counts;
  for (unsigned seed = 0; seed < 40; ++seed)
    for (std::size_t n : {1, 2, 3, 33})
      for (std::size_t d : {1, 2, 3, 40})
        for (double cosine : {-0.9, 0.0, 0.5, 0.9, 0.99}) {
          const auto theta = random_tokens<double>(n, d, std::numeric_limits<double>::infinity(), seed);
          const auto masses = random_masses<double>(n, seed);
          const auto c = clusters(theta, cosine, masses);
          const auto expected = searched(theta, cosine);
          BOOST_TEST(c.label == expected, tt::per_element());
          double total = 0;
          std::size_t tokens = 0;
          for (std::size_t k = 0; k < c.count(); ++k) {
            double mass = 0;
            for (std::size_t j = 0; j < n; ++j) mass += expected[j] == k ? masses[j] : 0;
            BOOST_TEST(c.mass[k] == mass, tt::tolerance(1e-14));
            total += c.mass[k];
            tokens += c.size[k];
          }
          BOOST_TEST(total == 1, tt::tolerance(1e-14));
          BOOST_TEST(tokens == n);
          counts.insert(c.count());
        }
  BOOST_TEST(counts.size() > 10u); // the cases are not all trivial
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_threshold_close_to_one_resolves_gaps_below_the_rounding_of_a_cosine, Real,
                              Reals) {
  // Gaps of 2e-16/2 and 8e-16/2: to a double cosine both are 1.
  Matrix<Real> theta(2, 3);
  const double angles[] = {0, 2e-8, 6e-8};
  for (std::size_t j = 0; j < 3; ++j) {
    theta(0, j) = cos(Real(angles[j]));
    theta(1, j) = sin(Real(angles[j]));
  }
  // 1 - 4e-16 is a double, 4.4e-16 away from 1.
  BOOST_TEST(clusters(theta, Real(1 - 4e-16)).count() == 2u);
  BOOST_TEST(clusters(theta, Real(1)).count() == 3u);
  BOOST_TEST(clusters(theta, Real(1 - 1e-14)).count() == 1u);
}

BOOST_AUTO_TEST_CASE(equal_tokens_are_one_cluster_at_threshold_one_and_antipodes_at_minus_one) {
  const auto theta = on_circle<double>({30, 30, 210});
  BOOST_TEST(clusters(theta, 1.0).count() == 2u);
  BOOST_TEST(clusters(theta, -1.0).count() == 1u);
}

BOOST_AUTO_TEST_CASE(bad_arguments_are_refused) {
  const auto theta = on_circle<double>({0, 90});
  BOOST_CHECK_EXCEPTION(clusters(theta, 1.5), std::invalid_argument, [](const auto& e) {
    return std::string(e.what()) == "cosine = 1.5: must lie in [-1, 1]";
  });
  BOOST_CHECK_THROW(clusters(theta, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
  BOOST_CHECK_THROW(clusters(theta, 0.5, {1.0}), std::invalid_argument);
  BOOST_CHECK_THROW(clusters(Matrix<double>{}, 0.5), std::invalid_argument);
}
