// What is done to a tape: the same function in fewer operations, and its derivative.
#define BOOST_TEST_MODULE tape_algebra
#include <boost/test/unit_test.hpp>

#include "lib/jets/tape_algebra.hpp"
#include "lib/models/equiangular.hpp"
#include "tests/support/laws.hpp"

#include <fmt/format.h>

#include <algorithm>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(60); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

/// A recorded field: inputs x, then t.
struct Field {
  std::string name;
  Tape tape;
  Vector<double> at; ///< a point of the state space, t last
};

std::vector<Field> equiangular_fields() {
  std::vector<Field> out;
  for (const SchemeParams& scheme : every_scheme())
    for (const Attention attention : {Attention::softmax, Attention::unnormalised})
      for (const char* beta : {"5", "-0.7", "0"}) {
        EquiangularParams p;
        p.scheme = scheme;
        p.attention = attention;
        p.n = 7;
        p.beta = beta;
        const std::size_t pieces = make_schedule<double>(scheme).pieces.size();
        for (std::size_t piece = 0; piece < pieces; ++piece)
          out.push_back({label(scheme) + " " + name_of(attention) + " beta " + beta,
                         record_equiangular(p, piece, {-0.3, 0.2}, 0.5),
                         {-0.3, 0.2, 0.5}});
      }
  return out;
}

/// Q, K: 2 x d, V: 3 x d, W: d x 3, all full.
Head<double> full_head(std::size_t d, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0, 0.7);
  Head<double> out{Matrix<double>(2, d), Matrix<double>(2, d), Matrix<double>(3, d), Matrix<double>(d, 3)};
  for (auto* m : {&out.Q, &out.K, &out.V, &out.W})
    for (double& v : m->data) v = normal(generator);
  return out;
}

std::vector<Field> particle_fields() {
  std::vector<Field> out;
  for (const std::size_t n : {1u, 2u, 3u, 5u})
    for (const std::size_t d : {1u, 2u, 3u})
      for (const char* scheme : {"post", "peri", "lns"})
        for (const char* variant : {"plain", "masses", "heads", "causal", "usa"}) {
          const std::string v = variant;
          ParticleParams<double> p;
          p.scheme.name = scheme;
          p.beta = "1.5";
          p.reduce_span = false;
          if (v == "causal") p.attention = Attention::causal;
          if (v == "usa") p.attention = Attention::unnormalised;
          if (v == "heads") p.weights = {{full_head(d, 5), full_head(d, 6)}};
          if (v == "masses") {
            p.masses = random_masses<double>(n, 4);
            if (n > 1) p.masses[n / 2] = 0;
          }
          const Particles<double> model(p, random_tokens<double>({n, d}, 3));
          const auto recording = model.record_field(0, model.start(), 0.5);
          BOOST_REQUIRE(recording.has_value());
          Vector<double> at = model.start();
          at.push_back(0.5);
          out.push_back({fmt::format("{} n {} d {} {}", scheme, n, d, variant), recording->tape, at});
        }
  return out;
}

/// Near `at`, not on it.
template <class Real> Vector<Real> shifted(const Vector<double>& at, int k) {
  Vector<Real> out;
  for (std::size_t i = 0; i < at.size(); ++i)
    out.push_back(Real(at[i]) + Real(k * static_cast<int>(i + 1)) / 97);
  return out;
}

template <class Real> void same_function(const Field& f, const Tape& tape) {
  Replay<Real> before(f.tape), after(tape);
  for (const int k : {0, 1, -2}) {
    const auto x = shifted<Real>(f.at, k);
    const auto a = before(x), b = after(x);
    BOOST_TEST((all_finite(a)), f.name);
    BOOST_TEST((a == b), f.name << ": the simplified tape gives other bits");
  }
}

Tape tape_of(const Vector<double>& at, const std::function<Vector<Recorded>(const Vector<Recorded>&)>& f) {
  return record(at, f);
}

std::size_t count(const Tape& tape, Tape::Op op) {
  return static_cast<std::size_t>(std::count_if(tape.operations().begin(), tape.operations().end(),
                                                [op](const auto& o) { return o.op == op; }));
}

} // namespace

// Every rule is exact in floating point, pow with a varying exponent excepted: bit for bit.
BOOST_AUTO_TEST_CASE(a_simplified_equiangular_field_is_the_same_in_fewer_operations) {
  std::size_t before = 0, after = 0;
  for (const Field& f : equiangular_fields()) {
    const Tape tape = simplified(f.tape);
    same_function<double>(f, tape);
    same_function<Mpfr>(f, tape);
    BOOST_TEST(tape.operations().size() < f.tape.operations().size(), f.name);
    BOOST_TEST(tape.inputs() == 3u);
    before += f.tape.operations().size();
    after += tape.operations().size();
  }
  BOOST_TEST_MESSAGE(before << " operations became " << after);
}

BOOST_AUTO_TEST_CASE(a_simplified_particle_field_is_the_same_in_fewer_operations) {
  std::size_t before = 0, after = 0;
  for (const Field& f : particle_fields()) {
    const Tape tape = simplified(f.tape);
    same_function<double>(f, tape);
    same_function<Mpfr>(f, tape);
    BOOST_TEST(tape.operations().size() < f.tape.operations().size(), f.name);
    before += f.tape.operations().size();
    after += tape.operations().size();
  }
  BOOST_TEST_MESSAGE(before << " operations became " << after);
}

BOOST_AUTO_TEST_CASE(simplifying_twice_changes_nothing_more) {
  for (const Field& f : equiangular_fields()) {
    const Tape once = simplified(f.tape), twice = simplified(once);
    BOOST_TEST(twice.operations().size() == once.operations().size(), f.name);
  }
}

BOOST_AUTO_TEST_CASE(what_no_output_needs_goes) {
  const Tape tape = simplified(tape_of({2, 3}, [](const Vector<Recorded>& x) {
    const Recorded dead = exp(x[0]) * log(x[1]) / 7;
    return Vector<Recorded>{x[1] * x[1], dead - dead};
  }));
  BOOST_TEST(tape.operations().size() == 3u); // x1, its square, and 0
  BOOST_TEST(tape.inputs() == 2u);
  BOOST_TEST((Replay<double>(tape)({2, 3}) == Vector<double>{9, 0}));
}

BOOST_AUTO_TEST_CASE(neutral_elements_and_double_negations_go) {
  struct Rule {
    const char* name;
    std::function<Recorded(const Recorded&)> f;
    std::size_t operations;
    double at_three;
  };
  const Rule rules[] = {{"x + 0", [](const Recorded& x) { return x + 0; }, 1, 3},
                        {"0 + x", [](const Recorded& x) { return 0 + x; }, 1, 3},
                        {"x - 0", [](const Recorded& x) { return x - 0; }, 1, 3},
                        {"0 - x", [](const Recorded& x) { return 0 - x; }, 2, -3},
                        {"x - x", [](const Recorded& x) { return x - x; }, 1, 0},
                        {"0 * x", [](const Recorded& x) { return 0 * x; }, 1, 0},
                        {"x * 0", [](const Recorded& x) { return x * 0; }, 1, 0},
                        {"1 * x", [](const Recorded& x) { return 1 * x; }, 1, 3},
                        {"-1 * x", [](const Recorded& x) { return -1 * x; }, 2, -3},
                        {"x / 1", [](const Recorded& x) { return x / 1; }, 1, 3},
                        {"0 / x", [](const Recorded& x) { return 0 / x; }, 1, 0},
                        {"--x", [](const Recorded& x) { return -(-x); }, 1, 3},
                        {"-0", [](const Recorded& x) { return -(x - x); }, 1, 0},
                        {"x + (-x)", [](const Recorded& x) { return x + (-x); }, 1, 0},
                        {"x - (-1)", [](const Recorded& x) { return x - (-Recorded(1)); }, 3, 4},
                        {"(-x) (-x)", [](const Recorded& x) { return (-x) * (-x); }, 2, 9},
                        {"x^1", [](const Recorded& x) { return pow(x, 1); }, 1, 3},
                        {"x^0", [](const Recorded& x) { return pow(x, 0); }, 1, 1},
                        {"twice the same", [](const Recorded& x) { return exp(x) / exp(x + 0); }, 3, 1},
                        {"a sum either way", [](const Recorded& x) { return (x + 2) / (2 + x); }, 4, 1}};
  for (const Rule& rule : rules) {
    const Tape tape =
        simplified(tape_of({3}, [&](const Vector<Recorded>& x) { return Vector<Recorded>{rule.f(x[0])}; }));
    BOOST_TEST(tape.operations().size() == rule.operations, rule.name);
    BOOST_TEST(Replay<double>(tape)({3})[0] == rule.at_three, rule.name);
  }
}

BOOST_AUTO_TEST_CASE(every_expm1_has_its_exp_and_keeps_its_digits) {
  const Tape tape = simplified(tape_of({0.1}, [](const Vector<Recorded>& x) {
    return Vector<Recorded>{expm1(x[0]) * exp(x[0]), expm1(-x[0])};
  }));
  for (const auto& o : tape.operations())
    if (o.op == Tape::Op::expm1) {
      BOOST_TEST((tape.operations()[o.b].op == Tape::Op::exp));
      BOOST_TEST(tape.operations()[o.b].a == o.a);
    }
  BOOST_TEST(count(tape, Tape::Op::expm1) == 2u);
  BOOST_TEST(count(tape, Tape::Op::exp) == 2u);
  BOOST_TEST(Replay<double>(tape)({1e-20})[1] == -1e-20);
}

BOOST_AUTO_TEST_CASE(only_a_constant_exponent_stays_a_power) {
  const Tape tape = simplified(tape_of({2, 3}, [](const Vector<Recorded>& x) {
    const Recorded third = Number("1/3").as<Recorded>();
    return Vector<Recorded>{pow(x[0], third), pow(x[0], x[1]), pow(Recorded(2), x[1])};
  }));
  BOOST_TEST(count(tape, Tape::Op::pow) == 1u);
  const auto y = Replay<Mpfr>(tape)({Mpfr(2), Mpfr(5)});
  BOOST_TEST((abs(y[0] * y[0] * y[0] - 2) < parse_real<Mpfr>("1e-57")));
  BOOST_TEST((abs(y[1] - 32) < parse_real<Mpfr>("1e-56")));
  BOOST_TEST((abs(y[2] - 32) < parse_real<Mpfr>("1e-56")));
}

namespace {

/// D f v along directions of the first m inputs against (f(x + h v) - f(x - h v))/2h: h = 1e-30 leaves 1e-60
/// of truncation and 1e-30 of rounding.
void tangents_are_derivatives(const Field& f, std::size_t varied) {
  const std::size_t directions = 2, outputs = f.tape.outputs().size();
  const Tape tape = with_tangents(f.tape, varied, directions);
  BOOST_REQUIRE(tape.inputs() == f.tape.inputs() + directions * varied);
  BOOST_REQUIRE(tape.outputs().size() == outputs * (1 + directions));
  std::mt19937 generator(9);
  std::normal_distribution<double> normal;
  const auto x = shifted<Mpfr>(f.at, 1);
  Vector<Mpfr> all = x;
  for (std::size_t i = 0; i < directions * varied; ++i) all.emplace_back(normal(generator));
  const auto got = Replay<Mpfr>(tape)(all);
  Replay<Mpfr> plain(f.tape);
  const auto value = plain(x);
  for (std::size_t i = 0; i < outputs; ++i)
    BOOST_TEST((abs(got[i] - value[i]) <= parse_real<Mpfr>("1e-57") * (1 + abs(value[i]))), f.name);
  const Mpfr h = parse_real<Mpfr>("1e-30");
  for (std::size_t v = 0; v < directions; ++v) {
    auto ahead = x, behind = x;
    for (std::size_t i = 0; i < varied; ++i) {
      const Mpfr& direction = all[f.tape.inputs() + v * varied + i];
      ahead[i] += h * direction;
      behind[i] -= h * direction;
    }
    const auto a = plain(ahead), b = plain(behind);
    for (std::size_t i = 0; i < outputs; ++i) {
      const Mpfr expected = (a[i] - b[i]) / (2 * h), size = 1 + abs(value[i]) + abs(expected);
      BOOST_TEST((abs(got[outputs * (1 + v) + i] - expected) <= parse_real<Mpfr>("1e-28") * size),
                 f.name << ", output " << i);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(tangents_of_every_operation_are_derivatives) {
  const auto f = [](const Vector<Recorded>& x) {
    const Recorded tenth = Number("0.1").as<Recorded>();
    return Vector<Recorded>{x[0] + x[1] * 3,
                            x[0] - 2 * x[1],
                            x[0] * x[1] * x[0],
                            x[1] / (x[0] + 2),
                            -x[0] / x[1],
                            exp(x[0] * x[1]),
                            expm1(x[0] / 8),
                            log(x[0] + x[1]),
                            sqrt(x[0] * x[1]),
                            pow(x[0], tenth),
                            pow(x[0], x[1]),
                            pow(Recorded(3), x[1]),
                            tenth,
                            x[2] * x[0]};
  };
  // The last input has no direction.
  tangents_are_derivatives({"operations", tape_of({1.25, 0.75, 2}, f), {1.25, 0.75, 2}}, 2);
  tangents_are_derivatives({"operations, all varied", tape_of({1.25, 0.75, 2}, f), {1.25, 0.75, 2}}, 3);
}

BOOST_AUTO_TEST_CASE(tangents_of_the_fields_are_derivatives) {
  for (const Field& f : equiangular_fields()) tangents_are_derivatives(f, 2);
  for (const Field& f : particle_fields()) tangents_are_derivatives(f, f.at.size() - 1);
}

BOOST_AUTO_TEST_CASE(tangents_of_a_simplified_tape_are_those_of_the_tape) {
  for (Field f : equiangular_fields()) {
    f.tape = simplified(f.tape);
    tangents_are_derivatives(f, 2);
  }
}

BOOST_AUTO_TEST_CASE(more_directions_than_inputs_are_refused) {
  const Tape tape = tape_of({1}, [](const Vector<Recorded>& x) { return Vector<Recorded>{x[0]}; });
  BOOST_CHECK_THROW(with_tangents(tape, 2, 1), std::invalid_argument);
}
