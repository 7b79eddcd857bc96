// The attention field against the sums of theory section 1 written out in a wider number type, and its laws.
#define BOOST_TEST_MODULE field
#include <boost/test/unit_test.hpp>

#include "lib/attention/field.hpp"
#include "tests/support/laws.hpp"

using namespace attndyn;
using attndyn::testing::chosen;
using attndyn::testing::random_masses;
using attndyn::testing::random_rotation;
using attndyn::testing::random_tokens;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(50); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

/// The type the sums are written out in.
template <class Real> struct Wider { using type = Float128; };
template <> struct Wider<Float128> { using type = Mpfr; };

template <class Wide, class Real> Matrix<Wide> widened(const Matrix<Real>& m) {
  Matrix<Wide> out(m.rows, m.cols);
  for (std::size_t i = 0; i < m.data.size(); ++i) out.data[i] = Wide(m.data[i]);
  return out;
}

template <class Wide> Matrix<Wide> times(const Matrix<Wide>& m, const Matrix<Wide>& x) {
  if (m.empty()) return x;
  Matrix<Wide> out(m.rows, x.cols);
  for (std::size_t j = 0; j < x.cols; ++j)
    for (std::size_t i = 0; i < m.rows; ++i)
      for (std::size_t k = 0; k < m.cols; ++k) out(i, j) += m(i, k) * x(k, j);
  return out;
}

struct Written {
  Float128 radial;
  Vector<Float128> tangent;
  Float128 norm, magnitude;
  double log_scale;         ///< all of the above carry e^{-log_scale}
  double largest_logit = 0; ///< max |beta <Q theta, K theta>|, which sets the conditioning
};

/// A_j, literally. log_scale is given, so that USA can be compared where e^beta overflows.
template <class Wide, class Real>
std::vector<Written> written_out(Attention kind, const Real& beta, const Vector<Real>& masses,
                                 const Heads<Real>& heads, const Matrix<Real>& tokens,
                                 const Vector<double>& log_scale) {
  using std::abs;
  using std::exp;
  using std::log;
  using std::sqrt;
  const std::size_t n = tokens.cols, d = tokens.rows;
  const Matrix<Wide> theta = widened<Wide>(tokens);
  Vector<Wide> log_mass(n, log(Wide(1) / static_cast<int>(n)));
  for (std::size_t l = 0; l < masses.size(); ++l)
    log_mass[l] = masses[l] == 0 ? Wide(-1e30) : Wide(log(Wide(masses[l])));
  std::vector<Vector<Wide>> attention(n, Vector<Wide>(d, Wide(0)));
  Vector<Wide> magnitude(n, Wide(0));
  std::vector<Written> out(n);
  for (const Head<Real>& head : heads.empty() ? Heads<Real>{Head<Real>{}} : heads) {
    const auto q = times(widened<Wide>(head.Q), theta), k = times(widened<Wide>(head.K), theta);
    const auto v = times(widened<Wide>(head.W), times(widened<Wide>(head.V), theta));
    for (std::size_t j = 0; j < n; ++j) {
      Vector<Wide> w(n, Wide(0)), product(n);
      for (std::size_t l = 0; l < n; ++l) {
        product[l] = dot(&q(0, j), &k(0, l), q.rows);
        out[j].largest_logit =
            std::max(out[j].largest_logit, plain_value(Wide(abs(Wide(beta) * product[l]))));
      }
      const std::size_t count = kind == Attention::causal ? j + 1 : n;
      if (kind == Attention::hardmax) {
        if (n == 1) w[0] = 1;
        std::size_t best = n;
        for (std::size_t l = 0; l < n; ++l)
          if (l != j && (best == n || product[l] > product[best])) best = l;
        if (best < n) w[best] = 1;
      } else {
        // log weights, relative to the largest or, in USA, to the scale given
        for (std::size_t l = 0; l < count; ++l) w[l] = Wide(beta) * product[l] + log_mass[l];
        const Wide shift = kind == Attention::unnormalised
                               ? Wide(log_scale[j])
                               : *std::max_element(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(count));
        Wide sum = 0;
        for (std::size_t l = 0; l < count; ++l) sum += w[l] = exp(Wide(w[l] - shift));
        if (kind != Attention::unnormalised)
          for (Wide& x : w) x /= sum;
      }
      for (std::size_t l = 0; l < n; ++l) {
        for (std::size_t i = 0; i < d; ++i) attention[j][i] += w[l] * v(i, l);
        magnitude[j] += w[l] * sqrt(dot(&v(0, l), &v(0, l), d));
      }
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    const Wide square = dot(&theta(0, j), &theta(0, j), d), along = dot(&theta(0, j), attention[j].data(), d);
    out[j].radial = Float128(along);
    for (std::size_t i = 0; i < d; ++i)
      out[j].tangent.push_back(Float128(Wide(attention[j][i] - along / square * theta(i, j))));
    out[j].norm = Float128(Wide(sqrt(dot(attention[j].data(), attention[j].data(), d))));
    out[j].magnitude = Float128(magnitude[j]);
    out[j].log_scale = log_scale[j];
  }
  return out;
}

/// Largest error of the field, in units of the size of its terms times epsilon times (10 + largest logit).
template <class Real>
double worst_error(Attention kind, const Real& beta, const Vector<Real>& masses, const Heads<Real>& heads,
                   const Tokens<Real>& tokens) {
  const Shape shape = tokens.shape();
  const AttentionField<Real> field(kind, beta, masses, heads, shape);
  Attended<Real> a;
  field(tokens.theta.data.data(), a);
  const auto expected =
      written_out<typename Wider<Real>::type>(kind, beta, masses, heads, tokens.theta, a.log_scale);
  double worst = 0;
  for (std::size_t j = 0; j < shape.n; ++j) {
    const Written& e = expected[j];
    const Float128 unit = e.magnitude * Float128(epsilon<Real>()) * (10 + e.largest_logit);
    const auto compare = [&](const Real& got, const Float128& want) {
      BOOST_REQUIRE_MESSAGE(is_finite(got), "token " << j + 1);
      worst = std::max(worst, plain_value(Float128(abs(Float128(got) - want) / unit)));
    };
    compare(a.radial[j], e.radial);
    compare(a.norm[j], e.norm);
    compare(a.magnitude[j], e.magnitude);
    for (std::size_t i = 0; i < shape.d; ++i) compare(a.tangent[j * shape.d + i], e.tangent[i]);
    if (kind != Attention::unnormalised) BOOST_REQUIRE(a.log_scale[j] == 0);
  }
  return worst;
}

template <class Real> Matrix<Real> random_matrix(std::size_t rows, std::size_t cols, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0, 1 / std::sqrt(static_cast<double>(cols)));
  Matrix<Real> m(rows, cols);
  for (Real& x : m.data) x = normal(generator);
  return m;
}

/// Identities; one head of general matrices; three heads of every shape allowed.
template <class Real> std::vector<Heads<Real>> head_choices(std::size_t d) {
  const auto m = [](std::size_t rows, std::size_t cols, unsigned seed) {
    return random_matrix<Real>(rows, cols, seed);
  };
  return {{},
          {{m(d, d, 1), m(d, d, 2), m(d, d, 3), {}}},
          {{m(3, d, 4), m(3, d, 5), m(2, d, 6), m(d, 2, 7)},
           {m(d, d, 8), {}, {}, {}},
           {{}, m(d, d, 9), {}, m(d, d, 10)}}};
}

/// All equal; random; random with a zero, and one of 1e-300 where there are more than two tokens.
template <class Real> std::vector<Vector<Real>> mass_choices(std::size_t n) {
  std::vector<Vector<Real>> out{{}, random_masses<Real>(n, 11)};
  if (n > 1) {
    out.push_back(random_masses<Real>(n, 12));
    out.back()[n - 1] = 0;
    if (n > 2) out.back()[1] = Real(1e-300);
  }
  return out;
}

constexpr double betas[] = {-1e3, -1, 0, 1e-30, 1, 50, 1e4};

} // namespace

// n = 300 takes several blocks of rows in double; the larger n do not visit every combination.
BOOST_AUTO_TEST_CASE(attention_is_the_sum_it_stands_for_in_double) {
  double worst = 0;
  int visited = 0;
  for (Attention kind : attndyn::testing::every_attention())
    for (std::size_t n : {1, 2, 3, 8, 33, 300})
      for (std::size_t d : {1, 2, 5, 64}) {
        int combination = 0;
        for (const auto& heads : head_choices<double>(d))
          for (const auto& masses : mass_choices<double>(n))
            for (double beta : betas) {
              const int stride = n == 300  ? (d == 64 ? 60 : 40)
                                 : n == 33 ? (d == 64 ? 28 : 7)
                                 : d == 64 ? 4
                                           : 1;
              if (n == 300 && d == 64 && kind == Attention::hardmax)
                continue; // each takes seconds in Float128
              if ((++combination + static_cast<int>(d)) % stride != 0) continue;
              const double error = worst_error(kind, beta, masses, heads, random_tokens<double>({n, d}, 21));
              BOOST_TEST(error <= 8, name_of(kind) << ", n = " << n << ", d = " << d << ", beta = " << beta
                                                   << ", heads " << heads.size() << ", masses "
                                                   << (masses.empty() ? 0 : masses.back()));
              worst = std::max(worst, error);
              ++visited;
            }
      }
  BOOST_TEST_MESSAGE(visited << " fields; largest error " << worst
                             << " in units of eps (10 + |largest logit|) sum_k w_jk |V theta_k|");
}

BOOST_AUTO_TEST_CASE(attention_is_the_sum_it_stands_for_in_float128) {
  double worst = 0;
  for (Attention kind : attndyn::testing::every_attention())
    for (std::size_t n : {1, 2, 8})
      for (std::size_t d : {1, 2, 5})
        for (const auto& heads : head_choices<Float128>(d))
          for (const auto& masses : mass_choices<Float128>(n))
            for (double beta : {-1e3, 0.0, 1.0, 1e4}) {
              const double error =
                  worst_error(kind, Float128(beta), masses, heads, random_tokens<Float128>({n, d}, 22));
              BOOST_TEST(error <= 4, name_of(kind)
                                         << ", n = " << n << ", d = " << d << ", beta = " << beta
                                         << ", heads " << heads.size() << ", masses " << masses.size());
              worst = std::max(worst, error);
            }
  BOOST_TEST_MESSAGE("largest error " << worst << " in the same unit, with the epsilon of Float128");
}

BOOST_AUTO_TEST_CASE(weights_sum_to_one_and_massless_tokens_have_none) {
  for (Attention kind : {Attention::softmax, Attention::causal, Attention::hardmax})
    for (std::size_t n : {1, 2, 3, 8, 33, 300})
      for (double beta : betas)
        for (const auto& masses : mass_choices<double>(n)) {
          const AttentionField<double> field(kind, beta, masses, {}, {n, 5});
          const auto w = field.weights(random_tokens<double>({n, 5}, 23).theta.data.data(), 0);
          for (std::size_t j = 0; j < n; ++j) {
            Float128 sum = 0;
            double least = 1;
            for (std::size_t k = 0; k < n; ++k) {
              sum += w(k, j);
              least = std::min(least, w(k, j));
              if (kind == Attention::causal && k > j) BOOST_TEST(w(k, j) == 0);
              if (kind != Attention::hardmax && !masses.empty() && masses[k] == 0) BOOST_TEST(w(k, j) == 0);
            }
            BOOST_TEST(std::abs(static_cast<double>(sum - 1)) <= 1e-15, static_cast<double>(sum - 1));
            BOOST_TEST(least >= 0);
          }
        }
}

// A mass enters as log m in the logit. Token 1 has the largest logit, 2 beta above the other, and a mass so
// small that the two weigh alike: neither may be lost on the way. w_11 / w_12 = m_1 e^{2 beta} / m_2.
BOOST_AUTO_TEST_CASE(a_tiny_mass_balances_a_large_logit) {
  Tokens<double> pair{Matrix<double>(1, 2), {1, 1}};
  pair.theta(0, 0) = 1;
  pair.theta(0, 1) = -1;
  for (const auto& [mass, beta] :
       {std::pair{1e-300, 345.0}, {1e-300, 360.0}, {5e-324, 372.0}, {1e-20, 23.0}}) {
    const AttentionField<double> field(Attention::softmax, beta, {mass, 1.0}, {}, {2, 1});
    const auto w = field.weights(pair.theta.data.data(), 0);
    BOOST_TEST(w(0, 0) / w(1, 0) == std::exp(2 * beta + std::log(mass)), boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(two_tokens_of_mass_one_quarter_at_one_point_act_as_one_of_mass_one_half) {
  for (Attention kind : {Attention::softmax, Attention::unnormalised})
    for (std::size_t d : {1, 2, 5})
      for (double beta : betas) {
        const auto tokens = random_tokens<double>({3, d}, 24);
        const AttentionField<double> three(kind, beta, {0.5, 0.3, 0.2}, {}, {3, d}),
            four(kind, beta, {0.25, 0.3, 0.2, 0.25}, {}, {4, d});
        Attended<double> a, b;
        three(tokens.theta.data.data(), a);
        four(chosen(tokens, {0, 1, 2, 0}).theta.data.data(), b);
        for (std::size_t j = 0; j < 3; ++j) {
          // USA factors out its largest single weight, which differs.
          const double scale = std::exp(b.log_scale[j] - a.log_scale[j]),
                       unit = 1e-15 * (10 + std::abs(beta));
          BOOST_TEST(std::abs(scale * b.radial[j] - a.radial[j]) <= unit);
          BOOST_TEST(std::abs(scale * b.norm[j] - a.norm[j]) <= unit);
          for (std::size_t i = 0; i < d; ++i)
            BOOST_TEST(std::abs(scale * b.tangent[j * d + i] - a.tangent[j * d + i]) <= unit);
        }
      }
}

BOOST_AUTO_TEST_CASE(a_permutation_of_the_tokens_permutes_attention) {
  for (Attention kind : {Attention::softmax, Attention::unnormalised, Attention::hardmax})
    for (std::size_t n : {2, 3, 8, 33, 300}) {
      const auto tokens = random_tokens<double>({n, 5}, 25);
      const auto masses = random_masses<double>(n, 26);
      std::vector<std::size_t> order(n);
      for (std::size_t j = 0; j < n; ++j) order[j] = n - 1 - j;
      Vector<double> reversed(masses.rbegin(), masses.rend());
      Attended<double> a, b;
      AttentionField<double>(kind, 3, masses, {}, {n, 5})(tokens.theta.data.data(), a);
      AttentionField<double>(kind, 3, reversed, {}, {n, 5})(chosen(tokens, order).theta.data.data(), b);
      double worst = 0;
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < 5; ++i)
          worst =
              std::max(worst, std::abs(a.tangent[j * 5 + i] - b.tangent[order[j] * 5 + i]) / a.magnitude[j]);
      BOOST_TEST(worst <= 4e-15, name_of(kind) << ", n = " << n);
    }
}

BOOST_AUTO_TEST_CASE(equal_tokens_have_no_tangent_at_all) {
  for (Attention kind : attndyn::testing::every_attention())
    for (std::size_t n : {1, 2, 3, 8, 33, 300})
      for (std::size_t d : {1, 2, 5, 64})
        for (double beta : betas) {
          const auto tokens = chosen(random_tokens<double>({1, d}, 27), std::vector<std::size_t>(n, 0));
          Attended<double> a;
          AttentionField<double>(kind, beta, random_masses<double>(n, 28), {},
                                 {n, d})(tokens.theta.data.data(), a);
          BOOST_TEST(std::all_of(a.tangent.begin(), a.tangent.end(), [](double x) { return x == 0; }),
                     name_of(kind));
          for (std::size_t j = 0; j < n; ++j)
            if (kind != Attention::unnormalised)
              BOOST_TEST(a.radial[j] == 1, boost::test_tools::tolerance(1e-14));
        }
}

BOOST_AUTO_TEST_CASE(in_dimension_one_the_tangent_space_is_zero) {
  for (Attention kind : attndyn::testing::every_attention())
    for (const auto& heads : head_choices<double>(1)) {
      Attended<double> a;
      AttentionField<double>(kind, 3, {}, heads, {8, 1})(random_tokens<double>({8, 1}, 29).theta.data.data(),
                                                         a);
      BOOST_TEST(std::all_of(a.tangent.begin(), a.tangent.end(), [](double x) { return x == 0; }));
    }
}

// The velocity of nearly coincident tokens is a difference of nearly equal vectors; formed from differences
// of the tokens it keeps its digits. Against the sums in Float128, in which nothing is lost.
BOOST_AUTO_TEST_CASE(the_tangent_keeps_its_relative_accuracy_when_tokens_nearly_coincide) {
  for (double chord : {1e-6, 1e-8, 1e-10, 1e-12})
    for (Attention kind : {Attention::softmax, Attention::unnormalised, Attention::causal})
      for (std::size_t d : {2, 5, 64}) {
        const std::size_t n = 33;
        const auto centre = random_tokens<double>({1, d}, 30), spread = random_tokens<double>({n, d}, 31);
        Matrix<double> x(d, n);
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i < d; ++i) x(i, j) = centre.theta(i, 0) + chord * spread.theta(i, j);
        const auto tokens = tokens_from(x, false);
        Attended<double> a;
        AttentionField<double>(kind, 5, {}, {}, {n, d})(tokens.theta.data.data(), a);
        const auto expected = written_out<Float128>(kind, 5.0, {}, {}, tokens.theta, a.log_scale);
        double error = 0, size = 0;
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i < d; ++i) {
            error = std::max(error,
                             std::abs(plain_value(Float128(a.tangent[j * d + i] - expected[j].tangent[i]))));
            size = std::max(size, std::abs(plain_value(expected[j].tangent[i])));
          }
        BOOST_TEST(size > chord / 30);
        BOOST_TEST(error <= 2e-15 * size,
                   "chord " << chord << ", " << name_of(kind) << ", d = " << d << ": " << error / size);
      }
}

BOOST_AUTO_TEST_CASE(hardmax_shares_between_ties) {
  // e1 sees e2 and e3 alike; e2 sees e1, e3 alike: every weight is 1/2 off the diagonal.
  Matrix<double> theta(3, 3);
  for (std::size_t i = 0; i < 3; ++i) theta(i, i) = 1;
  const auto w = AttentionField<double>(Attention::hardmax, 1, {}, {}, {3, 3}).weights(theta.data.data(), 0);
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t k = 0; k < 3; ++k) BOOST_TEST(w(k, j) == (j == k ? 0 : 0.5));
  // Equal on paper, but not in the last place: tokens at one angle from token 1, in a random frame. One a
  // little nearer to it takes all the weight.
  bool rounding_differs = false;
  for (unsigned seed = 0; seed < 20; ++seed)
    for (double nearer : {0.0, 1e-9}) {
      const std::size_t d = 64, n = 9;
      const auto q = random_rotation<double>(d, seed);
      Matrix<double> x(d, n);
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < d; ++i)
          x(i, j) = j == 0 ? q(i, 0)
                           : std::cos(j == 5 ? 1 - nearer : 1.0) * q(i, 0) +
                                 std::sin(j == 5 ? 1 - nearer : 1.0) * q(i, j);
      const auto tokens = tokens_from(x, false);
      for (std::size_t k = 2; k < n; ++k)
        rounding_differs = rounding_differs || dot(&tokens.theta(0, 0), &tokens.theta(0, k), d) !=
                                                   dot(&tokens.theta(0, 0), &tokens.theta(0, 1), d);
      const auto weights =
          AttentionField<double>(Attention::hardmax, 1, {}, {}, {n, d}).weights(tokens.theta.data.data(), 0);
      for (std::size_t k = 1; k < n; ++k)
        BOOST_TEST(weights(k, 0) == (nearer == 0 ? 1.0 / 8 : k == 5 ? 1.0 : 0.0));
    }
  BOOST_TEST(rounding_differs);
}

BOOST_AUTO_TEST_CASE(shapes_that_do_not_fit_are_named) {
  const auto m = [](std::size_t rows, std::size_t cols) { return random_matrix<double>(rows, cols, 1); };
  const auto problem = [](const Head<double>& head) { return problem_with<double>({{}, head}, 3); };
  BOOST_TEST(problem({}) == "");
  BOOST_TEST(problem({m(2, 3), m(2, 3), m(4, 3), m(3, 4)}) == "");
  BOOST_TEST(problem({m(2, 4), {}, {}, {}}) == "head 2: Q is 2 x 4, must have d = 3 columns");
  BOOST_TEST(problem({m(2, 3), {}, {}, {}}) == "head 2: Q is 2 x 3, must have as many rows as K, 3");
  BOOST_TEST(problem({{}, m(2, 3), {}, {}}) == "head 2: K is 2 x 3, must have as many rows as Q, 3");
  BOOST_TEST(problem({{}, {}, m(2, 3), {}}) == "head 2: V is 2 x 3, must be 3 x 3 if there is no W");
  BOOST_TEST(problem({{}, {}, m(2, 3), m(2, 2)}) == "head 2: W is 2 x 2, must be 3 x 2");
  auto bad = m(3, 3);
  bad(1, 2) = std::nan("");
  BOOST_TEST(problem({{}, {}, bad, {}}) == "head 2: V must be finite");
}

BOOST_AUTO_TEST_CASE(every_attention_has_a_name_that_reads_back) {
  for (const auto& info : attention_list()) BOOST_TEST((parse_attention(info.name) == info.kind));
  BOOST_CHECK_EXCEPTION(parse_attention("soft"), std::invalid_argument, [](const std::exception& e) {
    return std::string(e.what()) == "attention = soft: must be one of sa, usa, causal, hardmax";
  });
}

BOOST_AUTO_TEST_CASE(tokens_far_apart_attract_each_other_at_the_rate_of_what_their_own_weight_leaves) {
  // Two tokens, cosine 0, SA: |P A_j| = e^-beta/(1 + e^-beta), to the last digits for both of them although
  // the weight of the token itself is 1 to rounding; USA the same without its denominator.
  for (const double beta : {1.0, 40.0, 300.0, 600.0})
    for (const auto kind : {Attention::softmax, Attention::unnormalised}) {
      const double theta[] = {0.6, 0.8, -0.8, 0.6};
      const AttentionField<double> field(kind, beta, {}, {}, {2, 2});
      Attended<double> a;
      field(theta, a);
      const double expected =
          kind == Attention::softmax ? std::exp(-beta) / (1 + std::exp(-beta)) : std::exp(-beta) / 2;
      for (std::size_t j = 0; j < 2; ++j) {
        // USA hands out A e^{-L}, L = beta - log 2.
        const double scale = kind == Attention::softmax ? 1 : std::exp(a.log_scale[j] - beta);
        BOOST_TEST(std::hypot(a.tangent[2 * j], a.tangent[2 * j + 1]) * scale == expected,
                   boost::test_tools::tolerance(1e-12));
      }
    }
}
