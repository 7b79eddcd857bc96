// The recording number type: what goes onto the tape comes back out of it in every number type, bit for bit,
// and nothing can be asked of a recorded number that would make the record depend on where it was made.
#define BOOST_TEST_MODULE recorded
#include <boost/test/unit_test.hpp>

#include "lib/real/recorded.hpp"

#include <algorithm>
#include <concepts>

using namespace attndyn;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(40); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

using Reals = std::tuple<double, Float128, Mpfr>;

template <class T>
concept Ordered = requires(const T a) {
  a < a;
}
|| requires(const T a) { a > a; }
|| requires(const T a) { a <= a; }
|| requires(const T a) { a < 0; }
|| requires(const T a) { 0.0 < a; };
template <class T>
concept Equal = requires(const T a) {
  a == a;
}
|| requires(const T a) { a != a; }
|| requires(const T a) { a == 0; };
static_assert(Ordered<double> && Ordered<Mpfr> && Equal<Float128>);
static_assert(!Ordered<Recorded> && !Equal<Recorded>);
static_assert(!std::convertible_to<Recorded, bool> && !std::constructible_from<double, Recorded>);

/// Every operation, with int, double and decimal constants.
struct Sample {
  template <class Real> Vector<Real> operator()(const Vector<Real>& x) const {
    using std::exp;
    using std::log;
    using std::pow;
    using std::sqrt;
    const Real tenth = Number("0.1").as<Real>();
    Real sum = x[0] * x[1] + 3 - x[1] / 7;
    sum += exp(-x[0]) * 0.5;
    sum -= log(1 + x[1] * x[1]);
    sum *= sqrt(x[0] + 2) / (x[1] - 0.25);
    sum /= pow(x[0] + 1, tenth);
    Real unused = 5;
    return {sum, x[1], Real(1) / 3, unused};
  }
};

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_replay_is_the_direct_evaluation_bit_for_bit, Real, Reals) {
  const Tape tape = record({0.5, 2.0}, [](const Vector<Recorded>& x) { return Sample{}(x); });
  Replay<Real> replay(tape);
  for (const char* first : {"0.3", "1/7", "1e-20", "12345.678"})
    for (const char* second : {"0.1", "-3", "1e10"}) {
      const Vector<Real> x{parse_real<Real>(first), parse_real<Real>(second)};
      BOOST_TEST((replay(x) == Sample{}(x)), first << ", " << second);
    }
}

BOOST_AUTO_TEST_CASE(plain_values_are_those_of_the_point_where_the_recording_runs) {
  Vector<double> plain;
  record({0.5, 2.0}, [&](const Vector<Recorded>& x) {
    const auto y = Sample{}(x);
    for (const Recorded& v : y) plain.push_back(plain_value(v));
    return y;
  });
  BOOST_TEST(plain == Sample{}(Vector<double>{0.5, 2.0}), boost::test_tools::per_element());
}

// A shift chosen from plain values is a constant of the record: the softmax of logits far from those recorded
// is the same function.
BOOST_AUTO_TEST_CASE(a_shift_from_plain_values_changes_nothing_but_rounding) {
  const auto softmax = [](const auto& x) {
    using Real = std::decay_t<decltype(x[0])>;
    using std::exp;
    const double shift = std::max(plain_value(x[0]), plain_value(x[1]));
    const Real a = exp(x[0] - shift), b = exp(x[1] - shift);
    return Vector<Real>{a / (a + b)};
  };
  const Tape tape = record({700.0, 690.0}, softmax);
  BOOST_TEST(Replay<double>(tape)({702.0, 702.5})[0] == softmax(Vector<double>{702.0, 702.5})[0],
             boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(constants_are_stored_once) {
  const Tape tape = record({1.0}, [](const Vector<Recorded>& x) {
    Recorded sum = 0;
    for (int i = 0; i < 100; ++i) sum += 2 * x[0] + 2.0;
    return Vector<Recorded>{sum};
  });
  BOOST_TEST(tape.constants().size() == 2u);                // 0 and 2
  BOOST_TEST(tape.operations().size() == 1 + 2 + 3 * 100u); // input, constants, and three operations a turn
  BOOST_TEST(Replay<double>(tape)({3.0})[0] == 800);
}

BOOST_AUTO_TEST_CASE(misuse_is_refused) {
  BOOST_CHECK_THROW(Recorded(1), std::logic_error); // no recording is running
  Vector<Recorded> kept;
  const Tape tape = record({1.0, 2.0}, [&](const Vector<Recorded>& x) {
    kept = x;
    return Vector<Recorded>{x[0] + x[1]};
  });
  BOOST_CHECK_THROW(kept[0] + kept[1], std::logic_error); // the recording is over
  BOOST_CHECK_THROW(
      record({1.0}, [&](const Vector<Recorded>& x) { return Vector<Recorded>{x[0] + kept[0]}; }),
      std::logic_error);
  BOOST_CHECK_THROW(record({1.0},
                           [&](const Vector<Recorded>& outer) {
                             record({1.0}, [&](const Vector<Recorded>& inner) {
                               return Vector<Recorded>{inner[0] * outer[0]};
                             });
                             return outer;
                           }),
                    std::logic_error);
  BOOST_CHECK_THROW(Recorded(1), std::logic_error); // the failed ones have ended too
  Replay<double> replay(tape);
  BOOST_CHECK_THROW(replay({1.0}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(recordings_nest) {
  double inner_result = 0;
  const Tape outer = record({2.0}, [&](const Vector<Recorded>& x) {
    const Tape inner = record({5.0}, [](const Vector<Recorded>& y) { return Vector<Recorded>{y[0] * 3}; });
    inner_result = Replay<double>(inner)({5.0})[0];
    return Vector<Recorded>{x[0] + 1};
  });
  BOOST_TEST(inner_result == 15);
  BOOST_TEST(Replay<double>(outer)({2.0})[0] == 3);
}
