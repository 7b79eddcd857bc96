/// Standard S6: the error follows the tolerance. Tables of err/tol, and the two numbers that the standard bounds.
#pragma once

#include "lib/models/particles.hpp"
#include "tests/lib/integrators/problems.hpp"
#include "tests/support/equiangular_rows.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace attndyn::testing {

/// A model, its start, and its states at some times, known in a way that does not depend on the run under test.
/// Several times: at one alone an error may pass through zero.
template <class Real> struct Target {
  std::string name;
  std::shared_ptr<const Model<Real>> model;
  Vector<Real> start, times;
  std::vector<Vector<Real>> exact;
};

/// x' = x cos t to t = 10.
template <class Real> Target<Real> modulated_target() {
  const auto p = modulated<Real>();
  Target<Real> out{p.name, std::make_shared<FunctionModel<Real>>(1, p.f), p.x0, {}, {}};
  for (int k = 1; k <= 20; ++k) {
    out.times.push_back(Real(k) / 2);
    out.exact.push_back(p.exact(out.times.back()));
  }
  return out;
}

/// Mix-LN, n = 256, beta = 5, to t = 20 across its switch at 2.5. True values: tests/reference/equiangular.csv.
template <class Real> Target<Real> mix_target() {
  Target<Real> out{"Mix-LN across tau", {}, {}, {}, {}};
  for (const char* t : {"0.1", "1", "2.5", "10", "20"}) {
    const EquiangularRow row = equiangular_row("mix", "sa", "256", "5", t);
    const auto model = std::make_shared<Equiangular<Real>>(row.params);
    out.model = model;
    out.start = model->start();
    out.times.push_back(parse_real<Real>(t));
    out.exact.push_back({parse_real<Real>(row.log_gap), parse_real<Real>(row.log_r)});
  }
  return out;
}

/// Four tokens under Pre-LN to t = 4. True value: Bulirsch-Stoer in 50 digits with local tolerance 1e-36, from the start
/// that Real carries.
template <class Real> Target<Real> tokens_target() {
  const auto model = four_tokens<Real>();
  Target<Real> out{"4 tokens on S^2", model, model->start(), {}, {}};
  Vector<Mpfr> start, times;
  for (const Real& x : out.start) start.emplace_back(x);
  for (int k = 1; k <= 8; ++k) {
    out.times.push_back(Real(k) / 2);
    times.push_back(Mpfr(k) / 2);
  }
  Options<Mpfr> options;
  options.stepper = "bulirsch_stoer";
  options.tolerance = parse_real<Mpfr>("1e-36");
  options.control_global_error = false;
  const auto s = solve<Mpfr>(*four_tokens<Mpfr>(), start, Mpfr(0), times, options);
  for (const auto& sample : s.samples) {
    out.exact.emplace_back();
    for (const Mpfr& x : sample.x) out.exact.back().push_back(static_cast<Real>(x));
  }
  return out;
}

/// err/tol for tol = 10^-from, ..., 10^-to.
template <class Real>
std::vector<double> ratios(const Target<Real>& target, const char* stepper, int from, int to, bool global) {
  std::vector<double> out;
  std::string line = fmt::format("{:<15} {:<18} err/tol", stepper, target.name);
  for (int k = from; k <= to; ++k) {
    Options<Real> options;
    options.stepper = stepper;
    options.control_global_error = global;
    options.tolerance = parse_real<Real>(fmt::format("1e-{}", k));
    const auto s = solve<Real>(*target.model, target.start, Real(0), target.times, options);
    BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end,
                          stepper << " " << target.name << ": " << name_of(s.why) << " " << s.detail);
    Real worst = 0;
    for (std::size_t i = 0; i < s.samples.size(); ++i)
      worst = std::max(worst, largest_difference(s.samples[i].x, target.exact[i]));
    out.push_back(plain_value(Real(worst / options.tolerance)));
    line += fmt::format(" {:.2g}", out.back());
  }
  BOOST_TEST_MESSAGE(line);
  return out;
}

/// Slope of log err against log tol by least squares, from err/tol one decade apart.
inline double slope(const std::vector<double>& ratio) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(ratio.size());
  for (std::size_t i = 0; i < ratio.size(); ++i) {
    const double x = -static_cast<double>(i), y = x + std::log10(ratio[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// The largest factor by which err/tol changes from one decade to the next.
inline double largest_jump(const std::vector<double>& ratio) {
  double worst = 1;
  for (std::size_t i = 1; i < ratio.size(); ++i)
    worst = std::max({worst, ratio[i] / ratio[i - 1], ratio[i - 1] / ratio[i]});
  return worst;
}

}  // namespace attndyn::testing
