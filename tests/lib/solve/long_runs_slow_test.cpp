// Standards S17 and S19: what rounding does over very many steps.
#define BOOST_TEST_MODULE long_runs_slow
#include "lib/integrators/stepper.hpp"
#include "tests/lib/solve/long_time.hpp"

#include <string>

using namespace attndyn;
using namespace attndyn::testing;

BOOST_AUTO_TEST_CASE(a_hundred_million_steps_of_a_tenth_are_ten_million_to_one_ulp) {
  const double t = clock_after(100'000'000);
  BOOST_TEST_MESSAGE("off by " << (t - 1e7) / ulp(1e7) << " ulp");
  BOOST_TEST(std::abs(t - 1e7) <= ulp(1e7));
}

namespace {

/// A harmonic oscillator in the plane across w = (2, 2, 1)/4: x' = w cross x. <w, x> keeps its value (a
/// linear invariant), and the angle is |w| t = 3t/4, all of it exact in double: the frequency carries no
/// rounding.
template <class Number> Vector<Number> turning(const Vector<Number>& x) {
  return {0.5 * x[2] - 0.25 * x[1], 0.25 * x[0] - 0.5 * x[2], 0.5 * x[1] - 0.5 * x[0]};
}

template <class Number> Float128 along_axis(const Vector<Number>& x) {
  return Float128(x[0]) / 2 + Float128(x[1]) / 2 + Float128(x[2]) / 4;
}

/// Exact after time t, with 33 digits.
Vector<Float128> turned(const Vector<double>& x0, double t) {
  const Vector<Float128> x(x0.begin(), x0.end()), across = turning(x), w{0.5, 0.5, 0.25};
  const Float128 angle = 3 * Float128(t) / 4, c = cos(angle), s = sin(angle) * 4 / 3,
                 on = along_axis(x) * 16 / 9;
  Vector<Float128> out;
  for (std::size_t i = 0; i < 3; ++i) out.push_back(on * w[i] + c * (x[i] - on * w[i]) + s * across[i]);
  return out;
}

struct Growth {
  Vector<double> invariant, phase; ///< root mean squares over the starts, at 2^10, 2^11, ... steps
};

constexpr int first_power = 10, last_power = 20, starts = 16;

/// So many steps of the same size of the stepper alone. Truncation must be far below rounding.
Growth growth(const char* name, double step) {
  Growth out{Vector<double>(last_power - first_power + 1), Vector<double>(last_power - first_power + 1)};
  const System<double> f = [](const Vector<double>& x, Vector<double>& dxdt, const double&) {
    dxdt[0] = 0.5 * x[2] - 0.25 * x[1];
    dxdt[1] = 0.25 * x[0] - 0.5 * x[2];
    dxdt[2] = 0.5 * x[1] - 0.5 * x[0];
  };
  const FieldRecording<double> recording = [](const Vector<double>& x, const double& t) {
    return Recording{
        record_field(x, t, [](const Vector<Recorded>& v, const Recorded&) { return turning(v); }), true};
  };
  for (int start = 0; start < starts; ++start) {
    // An embedded pair accepts any error below 1; the order of Taylor follows the tolerance.
    const LocalTolerance<double> tolerance{needs_recording(name) ? 1e-18 : 1.0, 0};
    const auto stepper = make_stepper<double>(name, tolerance, recording);
    const Vector<double> x0{1 + start / 37.0, -0.4 + start / 19.0, 0.3 - start / 11.0};
    Step<double> s{0, step, x0, Vector<double>(3), Vector<double>(3), Vector<double>(3)};
    f(s.x, s.dxdt, 0);
    const Float128 axis = along_axis(x0);
    for (int k = 1, power = first_power; k <= 1 << last_power; ++k) {
      BOOST_REQUIRE(stepper->attempt(f, s).accepted);
      std::swap(s.x, s.x_new);
      s.t = k * step;
      s.step = step;
      f(s.x, s.dxdt, s.t);
      if (k != 1 << power) continue;
      const auto exact = turned(x0, s.t);
      // Along the motion, over the radius: an angle.
      const auto along = turning(exact); // |w| = 3/4 times the radius
      const Float128 off_axis = along_axis(s.x) - axis;
      Float128 off_phase = 0, square = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        off_phase += (s.x[i] - exact[i]) * along[i];
        square += along[i] * along[i];
      }
      const auto at = static_cast<std::size_t>(power++ - first_power);
      out.invariant[at] += std::pow(plain_value(off_axis), 2) / starts;
      out.phase[at] += std::pow(plain_value(Float128(off_phase / square * 3 / 4)), 2) / starts;
    }
  }
  for (auto* errors : {&out.invariant, &out.phase})
    for (double& e : *errors) e = std::sqrt(e);
  return out;
}

/// Of log error against log t, by least squares.
double slope(const Vector<double>& error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(error.size());
  for (std::size_t i = 0; i < error.size(); ++i) {
    const double x = static_cast<double>(i), y = std::log2(error[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

} // namespace

BOOST_AUTO_TEST_CASE(rounding_is_random_and_not_biased_over_a_million_steps) {
  for (const auto& [name, step] : {std::pair{"rk4", 1.0 / 4096}, {"dop853", 1.0 / 64}, {"taylor", 1.0 / 4}}) {
    const Growth g = growth(name, step);
    BOOST_TEST_MESSAGE(name << ": <w, x> off by " << g.invariant.back() << ", slope " << slope(g.invariant)
                            << "; angle off by " << g.phase.back() << ", slope " << slope(g.phase));
    BOOST_TEST(slope(g.invariant) <= 0.6, name);
    BOOST_TEST(slope(g.phase) <= 1.6, name);
    BOOST_TEST(g.invariant.back() > 0, name); // rounding is what is seen
  }
}

// The measure can fail: RK4 with a step so long that truncation shows loses its phase in proportion to t.
BOOST_AUTO_TEST_CASE(truncation_is_told_from_rounding) {
  const Growth coarse = growth("rk4", 1.0 / 64);
  BOOST_TEST_MESSAGE("angle off by " << coarse.phase.back() << ", slope " << slope(coarse.phase));
  BOOST_TEST(slope(coarse.phase) > 0.9);
}
