// Power series of recorded equations against closed forms, coefficient by coefficient, in every number type.
#define BOOST_TEST_MODULE jets
#include <boost/test/unit_test.hpp>

#include "lib/jets/jets.hpp"
#include "tests/lib/jets/series_cases.hpp"
#include "tests/support/laws.hpp"

using namespace attndyn;
using namespace attndyn::testing;

namespace {

constexpr int orders = 25, digits = 50, more_digits = 90;

struct Precision {
  Precision() { set_mpfr_digits(digits); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

Tape tape_of(const Case& c) {
  Vector<double> at;
  for (const char* text : c.start) at.push_back(parse_real<double>(text));
  at.push_back(0);
  return record_field(at, 0.25, c.field);
}

template <class Real> Vector<Real> start_of(const Case& c) {
  Vector<Real> x;
  for (const char* text : c.start) x.push_back(parse_real<Real>(text));
  x.push_back(Real(0));
  return x;
}

/// c_0 .. c_orders of y with many digits.
Vector<Mpfr> exact(const Case& c) {
  set_mpfr_digits(more_digits);
  Vector<Mpfr> out{Mpfr(0)};
  for (int k = 1; k <= orders; ++k) out.push_back(c.slope(k - 1) / k);
  set_mpfr_digits(digits);
  return out;
}

template <class Real> Real quarter() { return parse_real<Real>("0.25"); }

using Reals = std::tuple<double, Float128, Mpfr>;

/// The middle of a coefficient.
Mpfr middle(double c) { return Mpfr(c); }
Mpfr middle(const Float128& c) { return Mpfr(c); }
Mpfr middle(const Ball& c) { return c.to_mpfr(); }

template <class Real> struct Series_of {
  Jets<Real> jets;
  Series_of(const Case& c, const Real& unit = Real(1)) : jets(tape_of(c), c.start.size() + 1) {
    jets.start(start_of<Real>(c), quarter<Real>(), unit);
    jets.extend(orders);
  }
  const auto& last() const { return jets.series(jets.size() - 1); }
};

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(every_operation_has_the_coefficients_of_its_closed_form, Real, Reals) {
  double worst = 0;
  for (const Case& c : cases()) {
    const auto expected = exact(c);
    const Series_of<Real> series(c);
    BOOST_TEST(series.jets.order() == orders);
    BOOST_TEST(series.jets.finite());
    for (std::size_t k = 0; k <= orders; ++k) {
      const double size = plain_value(abs(expected[k])) + std::pow(c.inverse_radius, static_cast<double>(k)),
                   eps = plain_value(epsilon<Real>()),
                   off = plain_value(abs(Mpfr(middle(series.last()[k]) - expected[k])));
      const double units = off == 0 ? 0 : off / (size * eps * static_cast<double>(k + 1));
      BOOST_TEST(units <= 8, c.name << ", coefficient " << k << ": " << units);
      worst = std::max(worst, units);
    }
  }
  BOOST_TEST_MESSAGE("largest relative error of a coefficient, over (k+1) epsilon: " << worst);
}

BOOST_AUTO_TEST_CASE(the_coefficients_of_balls_enclose_and_are_narrow) {
  const BallBits bits(BallBits::of_digits(digits));
  double widest = 0;
  for (const Case& c : cases()) {
    const auto expected = exact(c);
    const Series_of<Ball> series(c);
    for (std::size_t k = 0; k <= orders; ++k) {
      const Ball& got = series.last()[k];
      set_mpfr_digits(more_digits);
      const Ball value(expected[k]), rounding(Mpfr(abs(expected[k]) * parse_real<Mpfr>("1e-85")));
      set_mpfr_digits(digits);
      {
        const BallBits more(BallBits::of_digits(more_digits));
        BOOST_TEST(contains(widened(got, rounding), value), c.name << ", coefficient " << k);
      }
      const double size = plain_value(abs(expected[k])) + std::pow(c.inverse_radius, static_cast<double>(k));
      const double width = got.radius() == 0 ? 0 : got.radius() / size;
      BOOST_TEST(width < 1e-40, c.name << ", coefficient " << k << ": " << width);
      widest = std::max(widest, width);
    }
  }
  BOOST_TEST_MESSAGE("widest, relative: " << widest);
}

// Balls that are wide at the start enclose the series of every point of them.
BOOST_AUTO_TEST_CASE(a_series_from_a_wide_ball_encloses_the_series_from_its_points) {
  const BallBits bits(170);
  for (const Case& c : cases()) {
    Vector<Ball> wide = start_of<Ball>(c);
    for (std::size_t i = 0; i + 1 < wide.size(); ++i) wide[i] = widened(wide[i], Ball(1e-6));
    Jets<Ball> jets(tape_of(c), wide.size());
    jets.start(wide, quarter<Ball>(), Ball(1));
    jets.extend(8);
    for (const int side : {-1, 1}) {
      Vector<Mpfr> point = start_of<Mpfr>(c);
      for (std::size_t i = 0; i + 1 < point.size(); ++i) point[i] += side * parse_real<Mpfr>("9e-7");
      Jets<Mpfr> thin(tape_of(c), point.size());
      thin.start(point, quarter<Mpfr>(), Mpfr(1));
      thin.extend(8);
      for (std::size_t i = 0; i < wide.size(); ++i)
        for (std::size_t k = 0; k <= 8; ++k)
          BOOST_TEST(overlap(jets.series(i)[k], widened(thin.series(i)[k], Ball(1e-44))),
                     c.name << ", coefficient " << k);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(going_on_is_the_same_as_going_at_once, Real, Reals) {
  for (const Case& c : cases()) {
    const Series_of<Real> once(c);
    Jets<Real> twice(tape_of(c), c.start.size() + 1);
    twice.start(start_of<Real>(c), quarter<Real>(), Real(1));
    for (const int order : {1, 2, 9, 5, orders}) twice.extend(order);
    BOOST_TEST(twice.order() == orders);
    // Once more on the same object: nothing is left of the first series.
    Jets<Real> again(tape_of(c), c.start.size() + 1);
    auto elsewhere = start_of<Real>(c);
    for (Real& x : elsewhere) x += Real(1) / 8;
    again.start(elsewhere, Real(1), Real(1));
    again.extend(orders + 5);
    again.start(start_of<Real>(c), quarter<Real>(), Real(1));
    again.extend(orders);
    for (std::size_t k = 0; k <= orders; ++k) {
      BOOST_TEST((middle(once.last()[k]) == middle(twice.series(twice.size() - 1)[k])), c.name << " " << k);
      BOOST_TEST((middle(once.last()[k]) == middle(again.series(again.size() - 1)[k])), c.name << " " << k);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_inverse_root_has_binomial_coefficients, Real, Reals) {
  // x' = -x^3/2, x(0) = 1: x = (1+t)^(-1/2).
  const Tape tape =
      record_field({1.0}, 0, [](const X& x, const Recorded&) { return X{-x[0] * x[0] * x[0] / 2}; });
  Jets<Real> jets(tape, 1);
  jets.start({Real(1)}, Real(0), Real(1));
  jets.extend(60);
  for (int k = 0; k <= 60; ++k) {
    const Mpfr expected = binomial(Mpfr(-1) / 2, k),
               got = middle(jets.series(0)[static_cast<std::size_t>(k)]);
    BOOST_TEST(plain_value(Mpfr(abs(got / expected - 1))) <= 2 * (k + 1) * plain_value(epsilon<Real>()));
  }
}

BOOST_AUTO_TEST_CASE(a_unit_of_two_to_the_k_scales_every_coefficient_exactly) {
  for (const Case& c : cases())
    for (const int log_unit : {-9, 4}) {
      const Series_of<double> plain(c), scaled(c, std::ldexp(1, log_unit)), back(c, -std::ldexp(1, log_unit));
      for (int k = 0; k <= orders; ++k) {
        const auto i = static_cast<std::size_t>(k);
        BOOST_TEST(scaled.last()[i] == std::ldexp(plain.last()[i], k * log_unit), c.name << " " << k);
        BOOST_TEST(back.last()[i] == sign(k) * scaled.last()[i], c.name << " " << k);
      }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_polynomial_is_evaluated_at_any_point, Real, Reals) {
  // x = e^t: 40 orders at tau = 1/2, and at tau = -1 in units of 1/2.
  const Tape tape = record_field({1.0}, 0, [](const X& x, const Recorded&) { return X{x[0]}; });
  Jets<Real> jets(tape, 1);
  for (const double unit : {1.0, 0.5}) {
    jets.start({Real(1)}, Real(0), Real(unit));
    jets.extend(40);
    using std::abs;
    using std::exp;
    const Real tau = unit == 1 ? Real(1) / 2 : Real(-1);
    Vector<Real> x;
    jets.evaluate(Coefficients<Real>::from(tau), x);
    BOOST_REQUIRE(x.size() == 1u);
    const Real expected = exp(Real(tau * Real(unit)));
    BOOST_TEST(plain_value(Real(abs(x[0] / expected - 1))) <= 4 * plain_value(epsilon<Real>()));
    // tau d/dtau e^(unit tau)
    Vector<Real> slope;
    jets.evaluate_slope(Coefficients<Real>::from(tau), slope);
    const Real expected_slope = tau * Real(unit) * expected;
    BOOST_TEST(plain_value(Real(abs(slope[0] / expected_slope - 1))) <= 8 * plain_value(epsilon<Real>()));
  }
}

BOOST_AUTO_TEST_CASE(what_leaves_the_range_of_the_type_is_not_finite) {
  const Tape tape = record_field({0.0}, 0, [](const X& x, const Recorded&) { return X{exp(exp(x[0]))}; });
  Jets<double> jets(tape, 1);
  jets.start({1}, 0, 1);
  jets.extend(5);
  BOOST_TEST(jets.finite());
  jets.start({7}, 0, 1); // exp(exp(7)) is about 1e476
  jets.extend(2);
  BOOST_TEST(!jets.finite());
}

BOOST_AUTO_TEST_CASE(a_tape_that_is_no_equation_is_refused) {
  const Tape two = record({1, 2}, [](const X& x) { return X{x[0], x[1]}; });
  BOOST_CHECK_THROW(Jets<double>(two, 1), std::invalid_argument);
  const Tape none = record({1, 2, 3}, [](const X& x) { return X{x[0]}; });
  BOOST_CHECK_THROW(Jets<double>(none, 2), std::invalid_argument);
  const Tape good = record({1, 2}, [](const X& x) { return X{x[0]}; });
  BOOST_CHECK_THROW(Jets<double>(good, 2), std::invalid_argument);
  Jets<double>(good, 0); // t may stand first
}

// c_1 is the field itself: two implementations of it.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_first_coefficient_of_a_particle_field_is_the_field, Real, Reals) {
  double worst = 0;
  for (const SchemeParams& scheme : every_scheme())
    for (const Attention attention : {Attention::softmax, Attention::unnormalised, Attention::causal})
      for (const Shape shape : {Shape{1, 3}, {2, 2}, {5, 3}, {3, 1}})
        for (const char* beta : {"3", "-2", "0"}) {
          ParticleParams<Real> p;
          p.scheme = scheme;
          p.attention = attention;
          p.beta = beta;
          if (shape.n > 2) p.masses = random_masses<Real>(shape.n, 2); // and no A_j vanishes
          const Particles<Real> model(p, random_tokens<Real>(shape, 8));
          Vector<Real> x = model.start(), dxdt(x.size());
          model.retract(x);
          const Real t = Real(2) / 7;
          const std::size_t pieces = model.switches().size() + 1;
          for (std::size_t piece = 0; piece < pieces; ++piece) {
            model.field(piece, x, dxdt, t);
            const auto recording = model.record_field(piece, x, t);
            BOOST_REQUIRE(recording.has_value());
            Jets<Real> jets(recording->tape, x.size());
            jets.start(x, t, Real(1));
            jets.extend(1);
            for (std::size_t i = 0; i < x.size(); ++i) {
              using std::abs;
              const double off = plain_value(abs(Mpfr(middle(jets.series(i)[1]) - Mpfr(dxdt[i]))));
              Real size = 0;
              for (const Real& v : dxdt) size = std::max(size, Real(abs(v)));
              const double units = off == 0 ? 0 : off / plain_value(Real(epsilon<Real>() * (size + 1)));
              BOOST_TEST(units <= 32, label(scheme) << " " << name_of(attention) << " beta " << beta << " n "
                                                    << shape.n << " d " << shape.d << ": " << units);
              worst = std::max(worst, units);
            }
          }
        }
  BOOST_TEST_MESSAGE("largest difference: " << worst << " epsilon");
}
