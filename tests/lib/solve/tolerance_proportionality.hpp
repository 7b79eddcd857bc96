/// Standard S6: the error follows the tolerance. Tables of err/tol, and the two numbers that the standard
/// bounds.
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

/// A model, its start, and its states at some times, known in a way that does not depend on the run under
/// test.
template <class Real> struct Case {
  std::shared_ptr<const Model<Real>> model;
  Vector<Real> start, times;
  std::vector<Vector<Real>> exact;
};

/// The error of a target is the largest over its cases and their times: a single error may happen to pass
/// through zero.
template <class Real> struct Target {
  std::string name;
  std::vector<Case<Real>> cases;
};

/// x' = x cos t to t = 10.
template <class Real> Target<Real> modulated_target() {
  const auto p = modulated<Real>();
  Case<Real> out{std::make_shared<FunctionModel<Real>>(1, p.f), p.x0, {}, {}};
  for (int k = 1; k <= 20; ++k) {
    out.times.push_back(Real(k) / 2);
    out.exact.push_back(p.exact(out.times.back()));
  }
  return {p.name, {out}};
}

/// Mix-LN across its switch. True values: tests/reference/equiangular.csv.
template <class Real> Target<Real> mix_target() {
  Target<Real> out{"Mix-LN across tau", {}};
  for (const auto& [n, beta, t] : {std::tuple{"256", "5", "20"},
                                   {"2", "1", "3"},
                                   {"33", "20", "5"},
                                   {"3", "-2", "4"},
                                   {"8", "-0.1", "10"}}) {
    const EquiangularRow row = equiangular_row("mix", "sa", n, beta, t);
    const auto model = std::make_shared<Equiangular<Real>>(row.params);
    out.cases.push_back({model,
                         model->start(),
                         {parse_real<Real>(t)},
                         {{parse_real<Real>(row.log_gap), parse_real<Real>(row.log_r)}}});
  }
  return out;
}

/// Four tokens to t = 8 under three schemes. True values: Bulirsch-Stoer in 50 digits with local tolerance
/// 1e-36, from the start that Real carries.
template <class Real> Target<Real> tokens_target() {
  Target<Real> out{"4 tokens on S^2", {}};
  for (const char* scheme : {"post", "pre", "peri"}) {
    const auto model = four_tokens<Real>(scheme);
    Case<Real> c{model, model->start(), {}, {}};
    Vector<Mpfr> start, times;
    for (const Real& x : c.start) start.emplace_back(x);
    for (int k = 1; k <= 8; ++k) {
      c.times.push_back(Real(k));
      times.push_back(Mpfr(k));
    }
    Options<Mpfr> options;
    options.stepper = "bulirsch_stoer";
    options.tolerance = parse_real<Mpfr>("1e-36");
    options.control_global_error = false;
    const auto s = solve<Mpfr>(*four_tokens<Mpfr>(scheme), start, Mpfr(0), times, options);
    for (const auto& sample : s.samples) {
      c.exact.emplace_back();
      for (const Mpfr& x : sample.x) c.exact.back().push_back(static_cast<Real>(x));
    }
    out.cases.push_back(std::move(c));
  }
  return out;
}

/// err/tol for the decades 10^-from, ..., 10^-to of tol: the largest at tol = 5, 2 and 1 times 10^-k (chance
/// again).
template <class Real>
std::vector<double> ratios(const Target<Real>& target, const char* stepper, int from, int to, bool global) {
  std::vector<double> out;
  std::string line = fmt::format("{:<15} {:<18} err/tol from 1e-{}:", stepper, target.name, from);
  for (int k = from; k <= to; ++k) {
    Real worst = 0;
    for (const int digit : {5, 2, 1}) {
      Options<Real> options;
      options.stepper = stepper;
      options.control_global_error = global;
      options.tolerance = parse_real<Real>(fmt::format("{}e-{}", digit, k));
      for (const auto& c : target.cases) {
        const auto s = solve<Real>(*c.model, c.start, Real(0), c.times, options);
        BOOST_REQUIRE_MESSAGE(s.why == Stop::reached_end, stepper << " " << target.name << " 1e-" << k << ": "
                                                                  << name_of(s.why) << " " << s.detail);
        for (std::size_t i = 0; i < s.samples.size(); ++i)
          worst = std::max(worst, Real(largest_difference(s.samples[i].x, c.exact[i]) / options.tolerance));
      }
    }
    out.push_back(plain_value(worst));
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

} // namespace attndyn::testing
