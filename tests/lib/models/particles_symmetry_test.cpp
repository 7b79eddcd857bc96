// The symmetries of the particle flow, for every scheme at several n and d (standard S13): rotations,
// permutations, clones, equal tokens, the scale of V and of the radii, and the span reduction.
#define BOOST_TEST_MODULE particles_symmetry
#include <boost/test/unit_test.hpp>

#include "tests/support/laws.hpp"

using namespace attndyn;
using namespace attndyn::testing;

namespace {

// Mix-LN (tau = 0.3) switches inside. No radius reaches zero: with n - 1 < e^{2 beta} every <theta, A> is
// positive in softmax (theory section 2).
constexpr double end = 1.2, tolerance = 1e-10, agreement = 100 * tolerance;

constexpr Shape shapes[] = {{1, 3}, {2, 1}, {2, 2}, {2, 5}, {3, 2}, {3, 5}, {8, 1}, {8, 3}, {33, 2}, {33, 5}};

ParticleParams<double> params(const SchemeParams& scheme, Attention attention, const Number& beta = 2) {
  ParticleParams<double> p;
  p.scheme = scheme;
  p.attention = attention;
  p.beta = beta;
  return p;
}

/// Runs law(p, start) for every scheme, attention and shape. In hardmax the arg max of more than three random
/// tokens changes along the way, which is a jump of the velocity and no matter of symmetry; and radii fall
/// faster there.
template <class Law> double worst_of(std::initializer_list<Attention> kinds, const char* name, Law law) {
  double worst = 0;
  unsigned seed = 100;
  for (const SchemeParams& scheme : every_scheme())
    for (Attention kind : kinds)
      for (Shape shape : shapes) {
        if (kind == Attention::hardmax && shape.n > 3) continue;
        auto start = random_tokens<double>(shape, ++seed);
        if (kind == Attention::hardmax)
          for (double& r : start.r) r *= 3;
        const double defect = law(params(scheme, kind), start);
        BOOST_TEST(defect <= agreement, name << ": " << label(scheme) << ", " << name_of(kind)
                                             << ", n = " << shape.n << ", d = " << shape.d << ": " << defect);
        worst = std::max(worst, defect);
      }
  BOOST_TEST_MESSAGE(name << ": largest defect " << worst << " at tolerance " << tolerance);
  return worst;
}

Heads<double> scaled_values(std::size_t d, double c) {
  Head<double> head;
  head.V = Matrix<double>(d, d);
  for (std::size_t i = 0; i < d; ++i) head.V(i, i) = c;
  return {head};
}

} // namespace

BOOST_AUTO_TEST_CASE(rotations_commute_with_the_flow) {
  worst_of({Attention::softmax, Attention::unnormalised, Attention::causal, Attention::hardmax}, "rotation",
           [](auto p, const auto& start) {
             p.masses = random_masses<double>(start.theta.cols, 5);
             return rotation_defect<double>(p, start, end, tolerance);
           });
}

BOOST_AUTO_TEST_CASE(permutations_commute_with_the_flow) {
  worst_of({Attention::softmax, Attention::unnormalised, Attention::hardmax}, "permutation",
           [](auto p, const auto& start) {
             p.masses = random_masses<double>(start.theta.cols, 6);
             return permutation_defect<double>(p, start, end, tolerance);
           });
}

BOOST_AUTO_TEST_CASE(two_clones_of_half_the_mass_act_as_one_token) {
  for (bool masses : {false, true})
    worst_of({Attention::softmax, Attention::unnormalised}, "clones", [&](auto p, const auto& start) {
      if (masses) p.masses = random_masses<double>(start.theta.cols, 7);
      return duplication_defect<double>(p, start, end, tolerance);
    });
}

BOOST_AUTO_TEST_CASE(two_tokens_of_mass_one_quarter_follow_one_of_mass_one_half) {
  for (const SchemeParams& scheme : every_scheme())
    for (Shape shape : {Shape{3, 2}, Shape{3, 5}}) {
      const auto start = random_tokens<double>(shape, 8);
      auto one = params(scheme, Attention::softmax), two = one;
      one.masses = {0.5, 0.3, 0.2};
      two.masses = {0.25, 0.3, 0.2, 0.25};
      const auto expected = chosen(flow<double>(one, start, end, tolerance), {0, 1, 2, 0});
      BOOST_TEST(distance(flow<double>(two, chosen(start, {0, 1, 2, 0}), end, tolerance), expected) <=
                     agreement,
                 label(scheme));
    }
}

// A = theta (USA: e^beta theta): directions stay, and r' = a under Pre-LN, 1 under Peri-LN, a/sqrt(t+1) under
// LayerNorm scaling.
BOOST_AUTO_TEST_CASE(equal_tokens_stay_and_their_radii_grow_as_the_scheme_says) {
  for (const SchemeParams& scheme : every_scheme())
    for (Attention kind : every_attention())
      for (Shape shape : shapes) {
        auto start = random_tokens<double>(shape, 9);
        for (std::size_t j = 1; j < shape.n; ++j)
          std::copy_n(&start.theta(0, 0), shape.d, &start.theta(0, j));
        const double a = kind == Attention::unnormalised ? std::exp(2.0) : 1;
        const double clock = scheme.name == "pre"    ? a * end
                             : scheme.name == "mix"  ? a * (end - 0.3)
                             : scheme.name == "peri" ? end
                             : scheme.name == "lns"  ? a * 2 * (std::sqrt(end + 1) - 1)
                                                     : 0;
        auto expected = start;
        for (double& r : expected.r) r += clock;
        const auto reached = flow<double>(params(scheme, kind), start, end, tolerance);
        BOOST_TEST(distance(reached, expected) <= agreement, label(scheme) << ", " << name_of(kind));
        double moved = 0;
        for (std::size_t i = 0; i < start.theta.data.size(); ++i)
          moved = std::max(moved, std::abs(reached.theta.data[i] - start.theta.data[i]));
        // In the span the start is equal to rounding only, and one step may be far beyond the stability of
        // the stepper.
        BOOST_TEST(moved <= (shape.d > shape.n ? 1e-13 : 1e-15),
                   label(scheme) << ", " << name_of(kind) << ", n = " << shape.n << ", d = " << shape.d
                                 << ": " << moved);
      }
}

// V = c I: A is c times what it was. A scheme of degree 0 does not notice; one of degree 1 runs c times as
// fast, on the clock 2 (sqrt(t+1) - 1) where s has a factor sqrt(t+1). The general matrix V against the fast
// path of V = I.
BOOST_AUTO_TEST_CASE(scaling_the_values_scales_time) {
  const double c = 1.75;
  worst_of({Attention::softmax, Attention::unnormalised, Attention::causal, Attention::hardmax}, "scale of V",
           [&](auto p, const auto& start) {
             auto scaled = p;
             scaled.weights = {scaled_values(start.theta.rows, c)};
             const std::string& name = p.scheme.name;
             double t = end;
             if (name == "post" || name == "pre" || name == "mix") {
               t = end / c;
               scaled.scheme.tau = Number(0.3 / c);
             } else if (name == "sqrt" || name == "lns") {
               const double u = (std::sqrt(end + 1) - 1) / c + 1;
               t = u * u - 1;
             }
             return distance(flow<double>(scaled, start, t, tolerance),
                             flow<double>(p, start, end, tolerance));
           });
}

// theta' = A/r, r' = a: radii c times as large make everything c times as slow.
BOOST_AUTO_TEST_CASE(scaling_the_radii_scales_time_in_pre_ln_and_peri_ln) {
  const double c = 2.5;
  for (const char* name : {"pre", "peri"})
    for (Shape shape : shapes) {
      const auto start = random_tokens<double>(shape, 10);
      auto larger = start;
      for (double& r : larger.r) r *= c;
      const auto p = params({.name = name}, Attention::softmax);
      auto expected = flow<double>(p, start, end, tolerance);
      for (double& r : expected.r) r *= c;
      BOOST_TEST(distance(flow<double>(p, larger, c * end, tolerance), expected) <= agreement, name);
    }
}

// d > n: the model works in the span of the start. With general Q and K, and against the full coordinates.
BOOST_AUTO_TEST_CASE(the_span_reduction_changes_nothing) {
  double worst = 0;
  for (const SchemeParams& scheme : every_scheme())
    for (Attention kind : {Attention::softmax, Attention::unnormalised, Attention::causal})
      for (Shape shape : {Shape{1, 2}, Shape{2, 3}, Shape{2, 64}, Shape{8, 20}})
        for (bool general : {false, true}) {
          const auto start = random_tokens<double>(shape, 11);
          auto reduced = params(scheme, kind);
          reduced.masses = random_masses<double>(shape.n, 12);
          if (general) {
            const auto q = random_rotation<double>(shape.d, 13), k = random_rotation<double>(shape.d, 14);
            reduced.weights = {{{q, k, {}, {}}, {k, {}, {}, {}}}};
          }
          auto full = reduced;
          full.reduce_span = false;
          BOOST_TEST((Particles<double>(reduced, start).shape() == Shape{shape.n, shape.n}));
          BOOST_TEST((Particles<double>(full, start).shape() == shape));
          const double defect = distance(flow<double>(reduced, start, end, tolerance),
                                         flow<double>(full, start, end, tolerance));
          BOOST_TEST(defect <= agreement, label(scheme) << ", " << name_of(kind) << ", n = " << shape.n
                                                        << ", d = " << shape.d << ": " << defect);
          worst = std::max(worst, defect);
        }
  BOOST_TEST_MESSAGE("span reduction on and off: largest difference " << worst << " at tolerance "
                                                                      << tolerance);
}

BOOST_AUTO_TEST_CASE(a_matrix_v_or_w_that_leaves_the_span_is_not_reduced) {
  const auto start = random_tokens<double>({2, 5}, 15);
  auto p = params({}, Attention::softmax);
  for (int which = 0; which < 2; ++which) {
    Head<double> head;
    (which == 0 ? head.V : head.W) = random_rotation<double>(5, 16);
    p.weights = {{head}};
    BOOST_TEST((Particles<double>(p, start).shape() == start.shape()));
  }
}
