// [MFT] Thm 7: one layer on a long context, beta = gamma log n.
#include "lib/attention/field.hpp"
#include "lib/initial.hpp"
#include "verification/all_claims.hpp"
#include "verification/theory/predictions.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attndyn::verification::claims {
namespace {

/// Cosine of two output tokens A_1, A_2 of one layer without residual, from explicit vectors.
double layer_cosine(std::size_t n, double gamma, const char* rho) {
  const auto start = equiangular<double>({n, n}, rho);
  const AttentionField<double> field(Attention::softmax, gamma * std::log(static_cast<double>(n)), {}, {},
                                     {n, n});
  Attended<double> a;
  field(start.theta.data.data(), a);
  Vector<double> first(n), second(n);
  for (std::size_t i = 0; i < n; ++i) {
    first[i] = a.tangent[i] + a.radial[0] * start.theta(i, 0);
    second[i] = a.tangent[n + i] + a.radial[1] * start.theta(i, 1);
  }
  return dot(first.data(), second.data(), n) / (a.norm[0] * a.norm[1]);
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
      .prediction = "the three limits; at finite n the formula of theory section 4",
      .blind_to = "gamma that depends on n, and gamma (1-rho) within 0.1 of 1 but not equal to it.",
      .expected = Verdict::holds,
      .check = [](const Context& context, Findings& out) {
        for (const char* rho : {"0.05", "0.3", "0.5", "0.9"})
          for (double gamma : {0.2, 1.0, 2.0, 8.0})
            for (std::size_t n : {std::size_t{2}, std::size_t{10}, std::size_t{100},
                                  context.quick ? std::size_t{200} : std::size_t{700}}) {
              const double value = Number(rho).approx();
              out.equal("output cosine of explicit vectors against the formula", layer_cosine(n, gamma, rho),
                        theory::long_context_cosine(std::log(static_cast<double>(n)), gamma, value), 1e-11,
                        fmt::format("n = {}, gamma = {}, rho = {}", n, gamma, rho));
            }
        // The formula at n = 1e5 .. 1e300; the distance to the limit must shrink, and be its own error bar.
        for (double rho : {0.05, 0.3, 0.5, 0.9})
          for (double threshold : {0.5, 0.9, 1.0, 1.1, 3.0}) {
            const double gamma = threshold / (1 - rho);
            double previous = 1;
            for (double decades : {20.0, 100.0, 300.0}) {
              const double log_n = decades * std::log(10.0);
              const double cosine = theory::long_context_cosine(log_n, gamma, rho);
              // Corrections are powers n^-|1 - gamma (1-rho)|, or 1/n at equality; 1/rho and 1/(1-rho) bound
              // their size.
              const double exponent = threshold == 1 ? 1 : std::abs(1 - threshold);
              const double bar = 1e-13 + 10 / (rho * (1 - rho)) * std::exp(-std::min(exponent, 1.0) * log_n);
              const double expected = theory::long_context_limit(threshold, rho);
              const std::string where =
                  fmt::format("n = 1e{:g}, gamma (1-rho) = {}, rho = {}", decades, threshold, rho);
              out.equal("output cosine against its limit", cosine, expected, bar, where);
              out.at_least("distance to the limit shrinks", previous - std::abs(cosine - expected), 0, 1e-13,
                           where);
              previous = std::abs(cosine - expected);
            }
          }
        out.note(
            "explicit vectors to n = 700 (quick: 200) against the formula; the formula to n = 1e300 against the limits");
      }};
}

} // namespace attndyn::verification::claims
