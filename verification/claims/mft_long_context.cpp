// [MFT] Thm 7: one layer on a long context, beta = gamma log n.
#include "lib/attention/field.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/high.hpp"
#include "verification/search.hpp"
#include "verification/theory/predictions.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification::claims {
namespace {

/// Cosine of two output tokens A_1, A_2 of one layer without residual, from explicit vectors.
template <class Real> Real layer_cosine(std::size_t n, const Number& gamma, const Number& rho) {
  using std::log;
  const auto start = equiangular<Real>({n, n}, rho);
  const Real beta = gamma.as<Real>() * log(Real(static_cast<int>(n)));
  const AttentionField<Real> field(Attention::softmax, beta, {}, {}, {n, n});
  Attended<Real> a;
  field(start.theta.data.data(), a);
  Vector<Real> first(n), second(n);
  for (std::size_t i = 0; i < n; ++i) {
    first[i] = a.tangent[i] + a.radial[0] * start.theta(i, 0);
    second[i] = a.tangent[n + i] + a.radial[1] * start.theta(i, 1);
  }
  return dot(first.data(), second.data(), n) / (a.norm[0] * a.norm[1]);
}

/// The formula at n = 1e20 .. 1e300; the distance to the limit must shrink, and be its own error bar.
void compare_limit(const Context& context, Findings& out, double rho, double threshold) {
  const double gamma = threshold / (1 - rho);
  const char* name = threshold < 1 ? "limit below" : threshold > 1 ? "limit above" : "limit at equality";
  double previous = 1;
  for (double decades : {20.0, 100.0, 300.0}) {
    const double log_n = decades * std::log(10.0);
    const double cosine = theory::long_context_cosine(log_n, gamma, rho);
    // Corrections are powers n^-|1 - gamma (1-rho)|, or 1/n at equality; 1/rho and 1/(1-rho) bound their
    // size.
    const double exponent = threshold == 1 ? 1 : std::abs(1 - threshold);
    const double bar = 1e-13 + 10 / (rho * (1 - rho)) * std::exp(-std::min(exponent, 1.0) * log_n);
    const double expected = context.constant(name, theory::long_context_limit(threshold, rho));
    const std::string where =
        fmt::format("n = 1e{:g}, gamma (1-rho) = {}, rho = {}", decades, threshold, rho);
    out.equal("output cosine against its limit", cosine, expected, bar, where);
    out.at_least("distance to the limit shrinks", previous - std::abs(cosine - expected), 0, 1e-13, where);
    previous = std::abs(cosine - expected);
  }
}

void draw(Findings& out) {
  for (double rho : {0.3, 0.5}) {
    Curve c{fmt::format("output cosine of one layer, n = 1e12, rho = {}", rho), "gamma (1-rho)",
            "output cosine"};
    for (int i = 0; i <= 100; ++i) {
      const double threshold = 0.02 * i;
      c.points.push_back({threshold,
                          theory::long_context_cosine(12 * std::log(10.0), threshold / (1 - rho), rho), 0,
                          theory::long_context_limit(threshold, rho)});
    }
    c.reference = "limit";
    out.draw(std::move(c));
  }
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "rho", .low = 0.001, .high = 0.999},
            {.name = "gamma (1-rho)", .low = 0.1, .high = 5},
            {.name = "n of explicit vectors", .low = 2, .high = 60, .scale = Axis::Scale::whole}};
  s.corners = {{0.001, 0.9, 2}, {0.001, 1.1, 60}, {0.999, 0.9, 2}, {0.999, 1.1, 60},
               {0.5, 1, 3},     {0.001, 1, 60},   {0.999, 1, 60}};
  s.at = [s](const Context& context, const std::vector<double>& x, Findings& out) {
    const double gamma = x[1] / (1 - x[0]);
    const auto n = static_cast<std::size_t>(x[2]);
    out.equal("output cosine of explicit vectors against the formula",
              layer_cosine<double>(n, Number(gamma), Number(x[0])),
              theory::long_context_cosine(std::log(x[2]), gamma, x[0]), 1e-11, describe_point(s, x));
    if (x[1] != 1 && std::abs(x[1] - 1) < 0.1)
      throw NotApplicable("within 0.1 of the threshold the limit is not reached by n = 1e300");
    compare_limit(context, out, x[0], x[1]);
  };
  return s;
}

/// Explicit vectors in Float128 against the formula in Float128.
void check_high(const Context&, Findings& out) {
  using std::exp;
  using std::log;
  for (const char* rho : {"0.3", "0.9"})
    for (const char* gamma : {"0.2", "2", "8"})
      for (int n : {2, 10, 100}) {
        const Float128 c = Number(rho).as<Float128>(), others = n - 1;
        const Float128 q = exp(-Number(gamma).as<Float128>() * log(Float128(n)) * (1 - c));
        const Float128 a = 1 / (1 + others * q), b = q * a;
        const Float128 formula =
            (c + (1 - c) * (2 * a * b + (n - 2) * b * b)) / (c + (1 - c) * (a * a + others * b * b));
        const auto size = static_cast<std::size_t>(n);
        const auto where = fmt::format("n = {}, gamma = {}, rho = {}", n, gamma, rho);
        const Float128 vectors = layer_cosine<Float128>(size, gamma, rho);
        equal_high(out, "output cosine of explicit vectors against the formula", vectors, formula, 1e-30,
                   where);
        out.refined("output cosine in double and in Float128",
                    layer_cosine<double>(size, gamma, rho) - static_cast<double>(vectors), 1e-11, where);
      }
  out.note("n = 2, 10, 100: vectors of the attention field and the closed formula, both in Float128");
}

} // namespace

Claim mft_long_context() {
  return {
      .id = "MFT-long-context",
      .source = "[MFT] Thm 7",
      .statement =
          "One layer without residual, beta = gamma log n, equiangular input of cosine 0 < rho < 1: as n grows the output "
          "cosine tends to 1, 4 rho/(1+3 rho), rho for gamma (1-rho) <, =, > 1.",
      .hypotheses = "softmax, Q = K = V = I, rho fixed in (0, 1).",
      .prediction = "the three limits; at finite n the closed formula in n, gamma, rho",
      .blind_to = "gamma that depends on n, and gamma (1-rho) within 0.1 of 1 but not equal to it.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            for (const char* rho : {"0.05", "0.3", "0.5", "0.9"})
              for (const char* gamma : {"0.2", "1", "2", "8"})
                for (std::size_t n : {std::size_t{2}, std::size_t{10}, std::size_t{100},
                                      context.quick ? std::size_t{200} : std::size_t{700}}) {
                  const double value = Number(rho).approx();
                  out.equal("output cosine of explicit vectors against the formula",
                            layer_cosine<double>(n, gamma, rho),
                            theory::long_context_cosine(std::log(static_cast<double>(n)),
                                                        Number(gamma).approx(), value),
                            1e-11, fmt::format("n = {}, gamma = {}, rho = {}", n, gamma, rho));
                }
            for (double rho : {0.05, 0.3, 0.5, 0.9})
              for (double threshold : {0.5, 0.9, 1.0, 1.1, 3.0}) compare_limit(context, out, rho, threshold);
            const Number gamma = 2, rho = "0.3";
            out.refined("output cosine of explicit vectors in double and in Float128",
                        layer_cosine<double>(100, gamma, rho) -
                            static_cast<double>(layer_cosine<Float128>(100, gamma, rho)),
                        1e-11, "n = 100, gamma = 2, rho = 0.3");
            draw(out);
            out.note(
                "explicit vectors to n = 700 (quick: 200) against the formula; the formula to n = 1e300 against the limits");
          },
      .fixes = {{"limit below", Fixed::Kind::constant, "1"},
                {"limit at equality", Fixed::Kind::constant, "4 rho/(1+3 rho)"},
                {"limit above", Fixed::Kind::constant, "rho"}},
      .search = search,
      .check_high = check_high};
}

} // namespace attndyn::verification::claims
