// The particle flow as straight-line code against the particle model, whose attention is other code.
#define BOOST_TEST_MODULE particle_flow
#include "lib/models/particle_flow.hpp"

#include "lib/initial.hpp"
#include "lib/models/particles.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

using namespace attndyn;

namespace {

Vector<double> flow_at(const ParticleFlowParams& p, std::size_t piece, const Vector<double>& x, double t) {
  Vector<double> out(x.size());
  ParticleFlow<double> flow(p);
  flow(piece, x, out, t);
  return out;
}

} // namespace

struct Precision {
  Precision() { set_mpfr_digits(60); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

// In Mpfr the two agree to rounding; in double the flow is right to 1e-14 of the largest rate (1e-13 where
// |A| divides, which may be small).
BOOST_AUTO_TEST_CASE(the_field_is_that_of_the_particle_model) {
  std::uint64_t seed = 0;
  int compared = 0, singular = 0;
  for (const Shape shape : {Shape{1, 2}, Shape{2, 1}, Shape{3, 2}, Shape{5, 3}, Shape{9, 4}})
    for (const auto& scheme : scheme_list())
      for (Attention kind : {Attention::softmax, Attention::unnormalised, Attention::causal})
        for (const char* beta : {"-2", "0", "1.5", "8"})
          for (bool massive : {false, true}) {
            ParticleFlowParams p;
            p.scheme = {scheme.name, "0.5", "1.5", "0.25"};
            p.attention = kind;
            p.beta = beta;
            p.shape = shape;
            ParticleParams<Mpfr> q;
            q.scheme = p.scheme;
            q.attention = kind;
            q.beta = beta;
            q.reduce_span = false;
            for (std::size_t j = 0; massive && j < shape.n; ++j) {
              p.masses.push_back(Number(static_cast<int>(2 * j + 1)));
              q.masses.push_back(Mpfr(2 * j + 1));
            }
            const Particles<Mpfr> model(q, gaussian<Mpfr>(shape, ++seed));
            Vector<Mpfr> inputs = model.start();
            const Vector<double> x = plain_values(inputs);
            inputs.push_back(Mpfr(0.75));
            for (std::size_t piece = 0; piece <= model.switches().size(); ++piece) {
              Vector<Mpfr> expected(x.size());
              model.field(piece, model.start(), expected, Mpfr(0.75));
              if (!all_finite(expected)) { // |A_j| = 0: two opposite tokens on the line
                BOOST_TEST((shape == Shape{2, 1}));
                ++singular;
                continue;
              }
              const Tape tape = record_particles(p, piece, Vector<double>(x.size(), 0.3), 0.0);
              const Vector<Mpfr> replayed = Replay<Mpfr>(tape)(inputs);
              const Vector<double> direct = flow_at(p, piece, x, 0.75);
              double size = 1;
              for (const Mpfr& v : expected) size = std::max(size, std::abs(plain_value(v)));
              const bool divides = std::string(scheme.name) == "peri" || std::string(scheme.name) == "ngpt";
              for (std::size_t i = 0; i < x.size(); ++i) {
                const std::string what = fmt::format("{} {} beta {} n {} d {} i {}", scheme.name,
                                                     name_of(kind), beta, shape.n, shape.d, i);
                BOOST_TEST(std::abs(plain_value(Mpfr(replayed[i] - expected[i]))) < 1e-52 * size, what);
                BOOST_TEST(std::abs(direct[i] - plain_value(expected[i])) <= (divides ? 1e-13 : 1e-14) * size,
                           what);
                ++compared;
              }
            }
          }
  BOOST_TEST(compared > 10000);
  BOOST_TEST(singular < 20);
}

BOOST_AUTO_TEST_CASE(unit_columns_stay_unit) {
  ParticleFlowParams p;
  p.shape = {4, 3};
  const Vector<double> x = to_state(uniform_on_sphere<double>(p.shape, 3));
  const Vector<double> v = flow_at(p, 0, x, 0);
  for (std::size_t j = 0; j < 4; ++j) BOOST_TEST(std::abs(dot(&x[3 * j], &v[3 * j], 3)) < 1e-15);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
  ParticleFlowParams p;
  p.shape = {2, 2};
  BOOST_TEST(problem_with(p).empty());
  const auto refused = [](ParticleFlowParams wrong, const char* word) {
    BOOST_TEST(problem_with(wrong).find(word) != std::string::npos, problem_with(wrong));
    BOOST_CHECK_THROW(ParticleFlow<double>{wrong}, std::invalid_argument);
  };
  auto q = p;
  q.attention = Attention::hardmax;
  refused(q, "attention = hardmax");
  q = p;
  q.masses = {1};
  refused(q, "masses: there are 1");
  q.masses = {0, 0};
  refused(q, "must not all be zero");
  q.masses = {"-1", 2};
  refused(q, "must be >= 0");
  q.masses = {0, 1};
  q.attention = Attention::causal;
  refused(q, "number 1 is 0");
  q = p;
  q.shape.n = 0;
  refused(q, "n = 0");
  BOOST_CHECK_THROW(record_particles(p, 0, {1, 2}, 0), std::invalid_argument);
  BOOST_CHECK_THROW(rigorous_problem(p, {1, 0, 0}), std::invalid_argument);
  BOOST_CHECK_THROW(rigorous_problem(p, {1, 0, 0, 0}), std::invalid_argument);
  BOOST_CHECK_THROW(rigorous_problem(p, {1, 0, 0, 1}, {1}), std::invalid_argument);
  BOOST_CHECK_THROW(rigorous_problem(p, {1, 0, 0, 1}, {1, 0}), std::invalid_argument);
}
