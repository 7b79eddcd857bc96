#include "lib/events.hpp"

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <stdexcept>

namespace attndyn {
namespace {

/// |v| below this many epsilons of the largest |v| of the step is rounding.
constexpr int noise_epsilons = 100;

template <class Real> int sign_of(const Real& v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

template <class Real> class Finder {
public:
  Finder(const AlongStep<Real>& v, int samples)
      : v_(v), last_(static_cast<std::size_t>(samples)), theta_(last_ + 1), value_(last_ + 1),
        inset_(Real(1) / (64 * samples)) {
    using std::sqrt;
    trend_distance_ = 8 * sqrt(epsilon<Real>());
  }

  StepZeros<Real> go() {
    sample();
    const Trend at_start = trend_at_start(), at_end = trend_at_end();
    crossings();
    dips(at_start, at_end);
    if (v_.last && at_end == Trend::falling && value_[last_] != 0 && negligible(Real(1), value_[last_]))
      zeros_.push_back({Real(1), sign_at_end(sign_of(value_[last_]))});
    std::sort(zeros_.begin(), zeros_.end(), [](const auto& a, const auto& b) { return a.theta < b.theta; });
    merge_close_pairs();
    return {std::move(zeros_), at_end};
  }

private:
  Real at(const Real& theta) {
    using std::abs;
    const Real value = v_.value(theta);
    if (!is_finite(value)) throw std::domain_error("event function is not finite");
    if (abs(value) > largest_) largest_ = abs(value);
    return value;
  }

  bool negligible(const Real& theta, const Real& value) const {
    using std::abs;
    return abs(value) <= noise_epsilons * epsilon<Real>() * largest_ || abs(value) <= v_.uncertainty(theta);
  }

  void sample() {
    for (std::size_t i = 0; i <= last_; ++i) {
      theta_[i] = i == last_ ? Real(1) : Real(static_cast<int>(i)) / static_cast<int>(last_);
      value_[i] = at(theta_[i]);
    }
    if (value_[0] != 0) return;
    // That zero is not ours, but the way it is left is: v may come back before the next sample.
    theta_[0] = inset_;
    value_[0] = at(inset_);
    left_zero_ = true;
  }

  Trend trend_at_start() {
    using std::abs;
    if (left_zero_) return Trend::rising;
    if (v_.at_start != Trend::unknown) return v_.at_start;
    return abs(at(trend_distance_)) < abs(value_[0]) ? Trend::falling : Trend::rising;
  }

  Trend trend_at_end() {
    using std::abs;
    const Real before = at(1 - trend_distance_);
    const bool crossed = sign_of(before) != sign_of(value_[last_]);
    return crossed || abs(value_[last_]) >= abs(before) ? Trend::rising : Trend::falling;
  }

  bool same_sign(std::size_t i, std::size_t j) const {
    return value_[i] != 0 && sign_of(value_[i]) == sign_of(value_[j]);
  }

  void crossings() {
    for (std::size_t i = 0; i < last_; ++i) {
      if (value_[i] == 0) continue; // belongs to what ends here
      const int sign = sign_of(value_[i]);
      if (value_[i + 1] == 0)
        zeros_.push_back({theta_[i + 1], i + 1 == last_        ? sign_at_end(sign)
                                         : same_sign(i, i + 2) ? 0
                                                               : -sign});
      else if (sign != sign_of(value_[i + 1]))
        crossing(theta_[i], value_[i], theta_[i + 1], value_[i + 1]);
    }
  }

  /// The sign of a zero on the end of the step, where v comes from the side `before`: a parabola falls to a
  /// quarter over half the way and will turn back, a straight line falls to a half and goes through.
  int sign_at_end(int before) {
    using std::abs;
    const Real far = at(1 - 2 * inset_), near = at(1 - inset_);
    return 8 * abs(near) < 3 * abs(far) ? 0 : -before;
  }

  /// Minima of |v| on samples of one sign: inner samples below their neighbours, and the ends by their trend.
  void dips(Trend at_start, Trend at_end) {
    using std::abs;
    if (at_start == Trend::falling && same_sign(0, 1) && abs(value_[0]) <= abs(value_[1])) dip(0, 1);
    if (at_end == Trend::rising && same_sign(last_ - 1, last_) && abs(value_[last_]) < abs(value_[last_ - 1]))
      dip(last_ - 1, last_);
    for (std::size_t i = 1; i < last_; ++i)
      if (same_sign(i - 1, i) && same_sign(i, i + 1) && abs(value_[i]) < abs(value_[i - 1]) &&
          abs(value_[i]) <= abs(value_[i + 1]))
        dip(i - 1, i + 1);
  }

  /// One crossing between a and b, where v has the opposite signs of va and vb. The end of the bracket that
  /// lies behind the crossing is reported, so that a run started again from there does not meet it a second
  /// time.
  void crossing(const Real& a, const Real& va, const Real& b, const Real& vb) {
    std::uintmax_t iterations = 200;
    const Real width = 2 * epsilon<Real>();
    const auto close = [&](const Real& lo, const Real& hi) { return hi - lo <= width * hi; };
    const auto bracket = boost::math::tools::toms748_solve([&](const Real& x) { return at(x); }, a, b, va, vb,
                                                           close, iterations);
    zeros_.push_back({bracket.second, vb > va ? 1 : -1});
  }

  /// v keeps its sign at samples i and j but |v| has a minimum between them: no zero, one, or two.
  void dip(std::size_t i, std::size_t j) {
    const int sign = sign_of(value_[i]);
    std::uintmax_t iterations = 100;
    // Half the digits of theta: all that a minimum has.
    int bits = 26;
    if constexpr (!std::is_same_v<Real, double>) bits = static_cast<int>(digits_of<Real>() * 1.67);
    const auto [theta, depth] = boost::math::tools::brent_find_minima(
        [&](const Real& x) -> Real { return sign * at(x); }, theta_[i], theta_[j], bits, iterations);
    if (depth < 0) {
      crossing(theta_[i], value_[i], theta, sign * depth);
      crossing(theta, sign * depth, theta_[j], value_[j]);
    } else if (negligible(theta, depth)) {
      zeros_.push_back({theta, 0});
    }
  }

  /// Two opposite crossings with nothing but error between them are one touching zero: which of the two it
  /// looks like is up to rounding.
  void merge_close_pairs() {
    for (std::size_t k = 0; k + 1 < zeros_.size(); ++k) {
      if (zeros_[k].sign * zeros_[k + 1].sign != -1) continue;
      const Real middle = (zeros_[k].theta + zeros_[k + 1].theta) / 2;
      if (!negligible(middle, at(middle))) continue;
      zeros_[k] = {middle, 0};
      zeros_.erase(zeros_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    }
  }

  const AlongStep<Real>& v_;
  std::size_t last_;
  Vector<Real> theta_, value_;
  Real inset_;          ///< near an end, but far enough for v to differ from its value there
  Real trend_distance_; ///< so short that a minimum within it of an end is as deep as the end, yet not all
                        ///< rounding
  Real largest_ = 0;
  bool left_zero_ = false;
  std::vector<StepZero<Real>> zeros_;
};

} // namespace

template <class Real> StepZeros<Real> zeros_on_step(const AlongStep<Real>& v, int samples) {
  return Finder<Real>(v, samples).go();
}

template StepZeros<double> zeros_on_step(const AlongStep<double>&, int);
template StepZeros<Float128> zeros_on_step(const AlongStep<Float128>&, int);
template StepZeros<Mpfr> zeros_on_step(const AlongStep<Mpfr>&, int);

} // namespace attndyn
