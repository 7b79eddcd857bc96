// Starts: what each promises about its cosines, its law and its digits, for every number type and at every
// size.
#define BOOST_TEST_MODULE initial
#include "lib/initial.hpp"

#include "lib/random.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

using namespace attndyn;
namespace tt = boost::test_tools;

namespace {

using Reals = std::tuple<double, Float128, Mpfr>;

struct Precision {
  Precision() { set_mpfr_digits(60); }
};
BOOST_TEST_GLOBAL_FIXTURE(Precision);

// Defects are compared as double: BOOST_TEST(x < y) does not compile for Float128 (Boost 1.74).
template <class Real> double in_epsilons(const Real& x) {
  using std::abs;
  return plain_value(Real(abs(x) / epsilon<Real>()));
}

template <class Real> Real cosine(const Tokens<Real>& tokens, std::size_t i, std::size_t j) {
  return dot(&tokens.theta(0, i), &tokens.theta(0, j), tokens.theta.rows);
}

template <class Real> Real gap(const Tokens<Real>& tokens, std::size_t i, std::size_t j) {
  return chord_gap(&tokens.theta(0, i), &tokens.theta(0, j), tokens.theta.rows);
}

/// Largest | |theta_j|^2 - 1 | in epsilons.
template <class Real> double norm_defect(const Tokens<Real>& tokens) {
  double worst = 0;
  for (std::size_t j = 0; j < tokens.theta.cols; ++j)
    worst = std::max(worst, in_epsilons(Real(cosine(tokens, j, j) - 1)));
  return worst;
}

/// Largest |x(i,j)/expected - 1| over pairs, in epsilons.
template <class Real, class Quantity>
double worst_pair(const Tokens<Real>& tokens, const Real& expected, const Quantity& quantity) {
  double worst = 0;
  for (std::size_t i = 0; i < tokens.theta.cols; ++i)
    for (std::size_t j = 0; j < i; ++j)
      worst = std::max(worst, in_epsilons(Real(quantity(tokens, i, j) / expected - 1)));
  return worst;
}

template <class Real> bool all_one(const Vector<Real>& r, std::size_t n) {
  return r.size() == n && std::all_of(r.begin(), r.end(), [](const Real& x) { return x == 1; });
}

/// What the call throws as std::invalid_argument, or "".
template <class Call> std::string message_of(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

constexpr Shape shapes[] = {{1, 1}, {1, 4}, {5, 1}, {2, 2}, {3, 2}, {8, 3}, {33, 64}};

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_random_start_has_unit_tokens_and_the_radii_it_says, Real, Reals) {
  for (const Shape shape : shapes) {
    const auto uniform = uniform_on_sphere<Real>(shape, 3), half = in_hemisphere<Real>(shape, 3),
               cone = narrow_cone<Real>(shape, 3, "0.3"), directions = gaussian<Real>(shape, 3, 0, false);
    for (const auto& tokens : {uniform, half, cone, directions}) {
      BOOST_TEST((tokens.shape() == shape));
      BOOST_TEST(norm_defect(tokens) < 8);
      BOOST_TEST(all_one(tokens.r, shape.n));
    }
    BOOST_TEST((directions.theta.data == uniform.theta.data));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_start_is_the_same_at_every_precision_up_to_rounding, Real, Reals) {
  const Shape shape{7, 5};
  const auto close = [](const Tokens<double>& coarse, const Tokens<Real>& fine) {
    double worst = 0;
    for (std::size_t i = 0; i < coarse.theta.data.size(); ++i)
      worst = std::max(worst, std::abs(coarse.theta.data[i] - plain_value(fine.theta.data[i])));
    for (std::size_t j = 0; j < coarse.r.size(); ++j)
      worst = std::max(worst, std::abs(coarse.r[j] / plain_value(fine.r[j]) - 1));
    return worst;
  };
  BOOST_TEST(close(uniform_on_sphere<double>(shape, 9, 2), uniform_on_sphere<Real>(shape, 9, 2)) < 1e-15);
  BOOST_TEST(close(gaussian<double>(shape, 9, 2), gaussian<Real>(shape, 9, 2)) < 1e-15);
  BOOST_TEST(close(in_hemisphere<double>(shape, 9, 2), in_hemisphere<Real>(shape, 9, 2)) < 1e-15);
  BOOST_TEST(close(narrow_cone<double>(shape, 9, "0.1", 2), narrow_cone<Real>(shape, 9, "0.1", 2)) < 1e-15);
  BOOST_TEST(close(equiangular<double>({5, 5}, "0.3"), equiangular<Real>({5, 5}, "0.3")) < 1e-15);
  BOOST_TEST(close(simplex<double>({6, 5}), simplex<Real>({6, 5})) < 1e-15);
}

// The vectors are those of Stream(seed, unit, tokens), column after column; the digits of its first numbers
// are frozen in random_test.cpp.
BOOST_AUTO_TEST_CASE(gaussian_tokens_are_the_normal_numbers_of_their_stream) {
  const Shape shape{4, 3};
  const auto tokens = gaussian<double>(shape, 1, 2);
  const Stream stream(1, 2, Purpose::tokens);
  for (std::size_t j = 0; j < shape.n; ++j)
    for (std::size_t i = 0; i < shape.d; ++i)
      BOOST_TEST(tokens.r[j] * tokens.theta(i, j) == stream.normal_at(j * shape.d + i), tt::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(more_tokens_leave_the_first_ones_as_they_are_and_another_seed_or_unit_does_not) {
  const auto few = gaussian<double>({3, 4}, 5), many = gaussian<double>({9, 4}, 5);
  BOOST_TEST(std::equal(few.theta.data.begin(), few.theta.data.end(), many.theta.data.begin()));
  BOOST_TEST(std::equal(few.r.begin(), few.r.end(), many.r.begin()));
  BOOST_TEST((gaussian<double>({3, 4}, 6).theta.data != few.theta.data));
  BOOST_TEST((gaussian<double>({3, 4}, 5, 1).theta.data != few.theta.data));
}

// E theta = 0, E theta_i theta_k = delta_ik/d; for d = 3 Archimedes: each coordinate is uniform in [-1, 1].
BOOST_AUTO_TEST_CASE(uniform_tokens_are_uniform_and_those_of_the_hemisphere_are_their_folding) {
  const std::size_t n = 40'000;
  const double error = 1 / std::sqrt(double(n)), rounding = double(n) * epsilon<double>();
  for (std::size_t d : {1u, 2u, 3u, 10u}) {
    const auto tokens = uniform_on_sphere<double>({n, d}, 21);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t k = 0; k <= i; ++k) {
        double first = 0, second = 0, fourth = 0;
        for (std::size_t j = 0; j < n; ++j) {
          const double product = tokens.theta(i, j) * tokens.theta(k, j);
          first += tokens.theta(i, j) / double(n);
          second += product / double(n);
          fourth += product * product / double(n);
        }
        BOOST_TEST(std::abs(first) < 5 * error / std::sqrt(double(d)));
        const double expected = i == k ? 1 / double(d) : 0;
        BOOST_TEST(std::abs(second - expected) <
                   5 * error * std::sqrt(std::max(fourth - second * second, 0.0)) + rounding);
      }
  }
  const auto tokens = uniform_on_sphere<double>({n, 3}, 21), half = in_hemisphere<double>({n, 3}, 21);
  std::vector<double> heights;
  for (std::size_t j = 0; j < n; ++j) {
    heights.push_back(half.theta(0, j));
    if (!(half.theta(0, j) > 0 && half.theta(0, j) == std::abs(tokens.theta(0, j)) &&
          half.theta(1, j) == tokens.theta(1, j) && half.theta(2, j) == tokens.theta(2, j)))
      BOOST_ERROR("token " << j << " is not folded about the first axis");
  }
  std::sort(heights.begin(), heights.end());
  double distance = 0;
  for (std::size_t j = 0; j < n; ++j)
    distance = std::max(distance, std::abs(heights[j] - (double(j) + 0.5) / double(n)));
  BOOST_TEST_MESSAGE("sqrt(n) D of the heights: " << distance / error);
  BOOST_TEST(distance < 2.5 * error);
}

// |x|^2 is chi-squared with d degrees: mean d, variance 2d.
BOOST_AUTO_TEST_CASE(gaussian_radii_are_chi_distributed) {
  const std::size_t n = 40'000, d = 6;
  double mean = 0;
  for (double r : gaussian<double>({n, d}, 22).r) mean += r * r / double(n);
  BOOST_TEST(std::abs(mean - double(d)) < 5 * std::sqrt(2.0 * double(d) / double(n)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(any_two_tokens_of_a_narrow_cone_have_cosine_at_least_one_minus_delta, Real,
                              Reals) {
  for (const char* delta : {"2", "1", "1/3", "1e-3", "1e-15", "1e-30", "1e-100"})
    for (const Shape shape : shapes) {
      const auto tokens = narrow_cone<Real>(shape, 4, delta);
      const Real bound = parse_real<Real>(delta);
      Real worst = 0;
      for (std::size_t i = 0; i < shape.n; ++i) {
        BOOST_TEST(plain_value(tokens.theta(0, i)) > 0);
        for (std::size_t j = 0; j < i; ++j)
          if (gap(tokens, i, j) > worst) worst = gap(tokens, i, j);
      }
      BOOST_TEST(plain_value(Real(worst / bound)) < 1 + 1e-14);
      if (shape == Shape{33, 64}) BOOST_TEST(plain_value(Real(worst / bound)) > 0.4); // and not far inside
    }
}

// d = 2: sin(angle)/s is uniform in [-1, 1], so its square has mean 1/3; d = 3: a disk, 1/2; generally
// m/(m+2), m = d-1.
BOOST_AUTO_TEST_CASE(the_cone_is_filled_evenly) {
  const std::size_t n = 20'000;
  for (std::size_t d : {2u, 3u, 11u}) {
    const auto tokens = narrow_cone<double>({n, d}, 8, "0.02");
    const double m = double(d) - 1;
    double mean = 0;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 1; i < d; ++i) mean += tokens.theta(i, j) * tokens.theta(i, j) / 0.01 / double(n);
    BOOST_TEST(std::abs(mean - m / (m + 2)) < 5 / std::sqrt(double(n)));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(orthogonal_tokens_are_the_first_unit_vectors, Real, Reals) {
  for (const Shape shape : {Shape{1, 1}, Shape{2, 2}, Shape{3, 7}}) {
    const auto tokens = orthogonal<Real>(shape), zero = equiangular<Real>(shape, "0.00");
    for (std::size_t j = 0; j < shape.n; ++j)
      for (std::size_t i = 0; i < shape.d; ++i) BOOST_TEST((tokens.theta(i, j) == (i == j ? 1 : 0)));
    BOOST_TEST((zero.theta.data == tokens.theta.data));
    BOOST_TEST(all_one(tokens.r, shape.n));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(equiangular_tokens_have_all_cosines_g, Real, Reals) {
  for (std::size_t n : {1u, 2u, 3u, 8u, 33u})
    for (std::size_t d : {n, n + 5})
      for (const std::string g : {"1/2", "0.1", "-1e-3", "-0.03", "0.999", "+1 \t/ 3"}) {
        const auto tokens = equiangular<Real>({n, d}, g);
        BOOST_TEST((tokens.shape() == Shape{n, d}));
        BOOST_TEST(all_one(tokens.r, n));
        BOOST_TEST(norm_defect(tokens) < 8);
        const Real cos = Number(g).as<Real>();
        double worst = 0;
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < i; ++j)
            worst = std::max(worst, in_epsilons(Real(cosine(tokens, i, j) - cos)));
        BOOST_TEST(worst < 8);
      }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_minus_g_has_all_its_digits_however_close_g_is_to_1, Real, Reals) {
  for (std::size_t n : {2u, 3u, 8u, 33u})
    for (int nines : {1, 8, 17, 40, 200}) {
      const std::string g = "0." + std::string(static_cast<std::size_t>(nines), '9');
      const Real expected = parse_real<Real>("1e-" + std::to_string(nines));
      const auto tokens = equiangular<Real>({n, n}, g);
      const double worst = worst_pair(
          tokens, expected, [](const auto& x, std::size_t i, std::size_t j) { return gap(x, i, j); });
      BOOST_TEST(worst < 16);
      BOOST_TEST(norm_defect(tokens) < 8);
    }
}

// 1 + (n-1) g = n |mean|^2 at the other end: g = -1/(n-1) + 1e-20.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_mean_has_all_its_digits_however_close_g_is_to_the_simplex, Real, Reals) {
  const auto tokens = equiangular<Real>({5, 6}, "-0.24999999999999999999");
  for (std::size_t i = 0; i < 6; ++i) {
    Real sum = 0;
    for (std::size_t j = 0; j < 5; ++j) sum += tokens.theta(i, j) / 5;
    const Real expected = i == 0 ? Real(sqrt(Real(parse_real<Real>("4e-20") / 5))) : Real(0);
    BOOST_TEST(in_epsilons(Real(sum - expected)) < (i == 0 ? 1e-9 : 4));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_simplex_has_its_cosines_and_sums_to_zero, Real, Reals) {
  for (std::size_t n : {2u, 3u, 8u, 33u})
    for (std::size_t d : {n - 1, n, n + 3}) {
      const auto tokens = simplex<Real>({n, d});
      const Real g = Real(-1) / static_cast<int>(n - 1);
      BOOST_TEST(norm_defect(tokens) < 8);
      BOOST_TEST(all_one(tokens.r, n));
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) BOOST_TEST(in_epsilons(Real(cosine(tokens, i, j) - g)) < 8);
      for (std::size_t i = 0; i < d; ++i) {
        Real sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += tokens.theta(i, j);
        BOOST_TEST(in_epsilons(sum) < double(n));
      }
    }
  BOOST_TEST((simplex<Real>({1, 2}).theta.data == Vector<Real>{1, 0}));
}

BOOST_AUTO_TEST_CASE(impossible_starts_are_refused_with_the_rule) {
  BOOST_TEST(message_of([] {
               orthogonal<double>({5, 3});
             }) == "d = 3: must be >= n = 5 for an orthogonal start");
  BOOST_TEST(message_of([] {
               equiangular<double>({5, 3}, "0.1");
             }) == "d = 3: must be >= n = 5 for an equiangular start");
  BOOST_TEST(message_of([] {
               simplex<double>({5, 3});
             }) == "d = 3: must be >= n - 1 = 4 for a simplex start");
  for (const char* g : {"1", "1.5", "-1/4", "-0.25000000000000000000000000000001", "-1"})
    BOOST_TEST(message_of([&] {
                 equiangular<double>({5, 5}, g);
               }) == std::string("g = ") + g + ": must be > -1/(n-1) and < 1, here > -1/4 and < 1");
  BOOST_TEST(message_of([] { equiangular<double>({5, 5}, "-0.24999999999999999999999999999999"); }) == "");
  BOOST_TEST(message_of([] {
               equiangular<double>({2, 2}, Number("0." + std::string(700, '9')));
             }).ends_with("too close to its bound for the number type (ask for more --digits)"));
  for (const char* delta : {"0", "-1", "2.1"})
    BOOST_TEST(message_of([&] {
                 narrow_cone<double>({2, 2}, 0, delta);
               }) == std::string("delta = ") + delta + ": must be > 0 and <= 2");
  BOOST_TEST(message_of([] { uniform_on_sphere<double>({0, 2}, 0); }) == "n = 0: must be >= 1");
  BOOST_TEST(message_of([] { in_hemisphere<double>({2, 0}, 0); }) == "d = 0: must be >= 1");
  BOOST_TEST(message_of([] { orthogonal<double>({0, 2}); }) == "n = 0: must be >= 1");
  BOOST_TEST(message_of([] { simplex<double>({0, 2}); }) == "n = 0: must be >= 1");
  BOOST_TEST(message_of([] { narrow_cone<double>({0, 2}, 1, "1"); }) == "n = 0: must be >= 1");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_words_of_the_command_line_name_their_starts, Real, Reals) {
  const Shape shape{4, 6};
  const auto same = [&](const char* word, const Tokens<Real>& expected, bool radii = false) {
    const auto tokens = make_initial<Real>(word, shape, 17, 2, radii);
    return names_initial(word) && tokens.theta.data == expected.theta.data && tokens.r == expected.r;
  };
  BOOST_TEST(same("uniform", uniform_on_sphere<Real>(shape, 17, 2)));
  BOOST_TEST(same("gaussian", gaussian<Real>(shape, 17, 2, false)));
  BOOST_TEST(same("gaussian", gaussian<Real>(shape, 17, 2), true));
  BOOST_TEST(same("orthogonal", orthogonal<Real>(shape)));
  BOOST_TEST(same("equiangular:0.25", equiangular<Real>(shape, "1/4")));
  BOOST_TEST(same("equiangular:-1/5", equiangular<Real>(shape, "-0.2")));
}

BOOST_AUTO_TEST_CASE(a_word_that_names_no_start_is_refused_with_the_rule) {
  for (const char* word : {"", "Uniform", "uniform ", "equiangular", "tokens.csv"}) {
    BOOST_TEST(!names_initial(word));
    BOOST_TEST(message_of([&] {
                 make_initial<double>(word, {2, 2}, 0);
               }) == std::string("init = ") + word +
                         ": must be one of uniform, gaussian, orthogonal, equiangular:g");
  }
  for (const char* g : {"", "x", "nan", "inf", "1/0", "0.5.5"})
    BOOST_TEST(message_of([&] {
                 make_initial<double>(std::string("equiangular:") + g, {2, 2}, 0);
               })
                   .starts_with(std::string("init = equiangular:") + g +
                                ": g must be a finite decimal number or a quotient p/q"));
  BOOST_TEST(message_of([] {
               make_initial<double>("equiangular:1", {3, 3}, 0);
             }) == "g = 1: must be > -1/(n-1) and < 1, here > -1/2 and < 1");
}

BOOST_AUTO_TEST_CASE(random_weights_have_the_variance_asked_and_differ_from_head_to_head) {
  const std::size_t d = 200;
  const auto head = random_weights(d, 0.7, 0.5, 1.1, 3, 4);
  BOOST_TEST(problem_with(Heads<double>{head}, d) == "");
  BOOST_TEST(head.W.empty());
  const auto check = [&](const Matrix<double>& m, double scale) {
    const double size = double(d * d);
    double mean = 0, square = 0;
    for (double x : m.data) mean += x / size, square += x * x / size;
    const double variance = scale / double(d);
    BOOST_TEST(std::abs(mean) < 5 * std::sqrt(variance / size));
    BOOST_TEST(std::abs(square / variance - 1) < 5 * std::sqrt(2 / size));
  };
  check(head.Q, 0.7);
  check(head.K, 0.5);
  check(head.V, 1.1);
  const auto correlation = [&](const Matrix<double>& a, const Matrix<double>& b) {
    return dot(a.data.data(), b.data.data(), d * d) /
           std::sqrt(dot(a.data.data(), a.data.data(), d * d) * dot(b.data.data(), b.data.data(), d * d)) *
           double(d);
  };
  const auto second = random_weights(d, 0.7, 0.5, 1.1, 3, 4, 1),
             unit = random_weights(d, 0.7, 0.5, 1.1, 3, 5);
  for (const auto* other : {&head.K, &head.V, &second.Q, &unit.Q})
    BOOST_TEST(std::abs(correlation(head.Q, *other)) < 5);
  BOOST_TEST((random_weights(d, 0.7, 0.5, 1.1, 3, 4).V.data == head.V.data));
}

BOOST_AUTO_TEST_CASE(weights_of_dimension_one_and_of_scale_zero_exist_and_bad_scales_are_refused) {
  const auto one = random_weights(1, 4, 1, 0, 1, 2);
  BOOST_TEST(one.Q(0, 0) == 2 * Stream(1, 2, Purpose::weights_q).normal_at(0));
  BOOST_TEST(one.K(0, 0) == Stream(1, 2, Purpose::weights_k).normal_at(0));
  BOOST_TEST(one.V(0, 0) == 0);
  BOOST_TEST(message_of([] { random_weights(2, -1, 1, 1, 0); }) == "scale_q = -1: must be finite and >= 0");
  BOOST_TEST(message_of([] { random_weights(2, 1, std::nan(""), 1, 0); }) ==
             "scale_k = nan: must be finite and >= 0");
  BOOST_TEST(message_of([] { random_weights(2, 1, 1, infinity<double>(), 0); }) ==
             "scale_v = inf: must be finite and >= 0");
  BOOST_TEST(message_of([] { random_weights(0, 1, 1, 1, 0); }) == "d = 0: must be >= 1");
}
