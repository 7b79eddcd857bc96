#include "lib/events.hpp"

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <stdexcept>

namespace attndyn {
namespace {

template <class Real> int sign_of(const Real& v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

template <class Real> class Finder {
 public:
  Finder(const std::function<Real(const Real&)>& v, const Real& slack) : v_(v), slack_(slack) {}

  Real at(const Real& theta) {
    using std::abs;
    const Real value = v_(theta);
    if (!is_finite(value)) throw std::domain_error("event function is not finite");
    if (abs(value) > largest_) largest_ = abs(value);
    return value;
  }

  /// One crossing between a and b, where v has the opposite signs of va and vb.
  void crossing(const Real& a, const Real& va, const Real& b, const Real& vb) {
    std::uintmax_t iterations = 200;
    const Real width = 2 * epsilon<Real>();
    const auto close = [&](const Real& lo, const Real& hi) { return hi - lo <= width * hi; };
    const auto [lo, hi] = boost::math::tools::toms748_solve([&](const Real& x) { return at(x); }, a, b, va, vb,
                                                            close, iterations);
    zeros_.push_back({(lo + hi) / 2, vb > va ? 1 : -1});
  }

  /// v keeps the sign of va and vb at a and b but |v| has a minimum between them: no zero, one, or two.
  void dip(const Real& a, const Real& va, const Real& b, const Real& vb) {
    using std::abs;
    const int sign = sign_of(va);
    std::uintmax_t iterations = 100;
    int bits = 26;
    if constexpr (!std::is_same_v<Real, double>) bits = static_cast<int>(digits_of<Real>() * 1.67);
    const auto [theta, depth] = boost::math::tools::brent_find_minima(
        [&](const Real& x) -> Real { return sign * at(x); }, a, b, bits, iterations);
    if (depth < 0) {
      crossing(a, va, theta, sign * depth);
      crossing(theta, sign * depth, b, vb);
    } else if (abs(depth) <= slack_ * largest_) {
      zeros_.push_back({theta, 0});
    }
  }

  std::vector<StepZero<Real>> take() {
    std::sort(zeros_.begin(), zeros_.end(), [](const auto& a, const auto& b) { return a.theta < b.theta; });
    return std::move(zeros_);
  }
  void touch(const Real& theta, int sign) { zeros_.push_back({theta, sign}); }

 private:
  const std::function<Real(const Real&)>& v_;
  Real slack_, largest_ = 0;
  std::vector<StepZero<Real>> zeros_;
};

}  // namespace

template <class Real>
std::vector<StepZero<Real>> zeros_on_step(const std::function<Real(const Real&)>& v, int samples, const Real& slack) {
  using std::abs;
  Finder<Real> find(v, slack);
  const auto m = static_cast<std::size_t>(samples);
  Vector<Real> theta(m + 1), value(m + 1);
  for (std::size_t i = 0; i <= m; ++i) {
    theta[i] = i == m ? Real(1) : Real(static_cast<int>(i)) / samples;
    value[i] = find.at(theta[i]);
  }
  for (std::size_t i = 0; i < m; ++i) {
    if (value[i] == 0) continue;  // belongs to what ends here
    if (value[i + 1] == 0) find.touch(theta[i + 1], value[i] < 0 ? 1 : -1);
    else if (sign_of(value[i]) != sign_of(value[i + 1])) find.crossing(theta[i], value[i], theta[i + 1], value[i + 1]);
  }

  const auto same_sign = [&](std::size_t i, std::size_t j) {
    return value[i] != 0 && sign_of(value[i]) == sign_of(value[j]);
  };
  // The ends of the step have one neighbour only; a nearby point tells whether |v| falls from there inwards.
  const Real near_end = Real(1) / (1024 * samples);
  if (same_sign(0, 1) && abs(value[0]) <= abs(value[1]) && abs(find.at(near_end)) < abs(value[0]))
    find.dip(theta[0], value[0], theta[1], value[1]);
  if (same_sign(m - 1, m) && abs(value[m]) <= abs(value[m - 1]) && abs(find.at(1 - near_end)) < abs(value[m]))
    find.dip(theta[m - 1], value[m - 1], theta[m], value[m]);
  for (std::size_t i = 1; i < m; ++i)
    if (same_sign(i - 1, i) && same_sign(i, i + 1) && abs(value[i]) < abs(value[i - 1]) &&
        abs(value[i]) <= abs(value[i + 1]))
      find.dip(theta[i - 1], value[i - 1], theta[i + 1], value[i + 1]);
  return find.take();
}

template std::vector<StepZero<double>> zeros_on_step(const std::function<double(const double&)>&, int, const double&);
template std::vector<StepZero<Float128>> zeros_on_step(const std::function<Float128(const Float128&)>&, int,
                                                       const Float128&);
template std::vector<StepZero<Mpfr>> zeros_on_step(const std::function<Mpfr(const Mpfr&)>&, int, const Mpfr&);

}  // namespace attndyn
