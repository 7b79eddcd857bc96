/// What the papers and their corollaries predict, as numbers: closed forms and quadratures that share no code
/// with the models. theory: sections 2 to 4.
#pragma once

#include <string_view>

namespace attndyn::verification::theory {

/// s_j and rho_j of the table of schemes, restated. scheme: post, pre, peri, ngpt, sqrt, lns; mix by its
/// active half.
double speed_factor(std::string_view scheme, double t, double r, double attention_norm, double alpha);

/// dg/dt at the orthogonal start, [NAD] Thm 4.1. r0 for the schemes with a radius, alpha = alpha(0) for nGPT.
double initial_velocity(std::string_view scheme, int n, double beta, double r0, double alpha);

/// I(n, beta) = int_0^1 (e^{beta u} - 1) / (u (1 + (n-1)(1-u))) du; n >= 2, finite beta.
double orthogonal_integral(int n, double beta);

/// Constants of 1-g from the orthogonal start g0 = 0 (SA), theory section 4:
/// post: (1-g) e^{2t}; pre, peri, mix: (1-g) t^2 (as limit of (1-g) r^2); sqrt: (1-g) e^{4 sqrt t};
/// lns: (1-g) t; ngpt (alpha = 1): (1-g) e^{2 int alpha}.
double terminal_constant(std::string_view scheme, int n, double beta, double r0, double tau);

/// Equiangular cosine of Post-LN at time t from g0 = 0, by Newton on the Ei-free quadrature of the clock.
double post_cosine_gap(int n, double beta, double t);

/// Output cosine of one layer without residual from an equiangular input of cosine rho, beta = gamma log n, n
/// given by its logarithm so that 1e300 tokens are no problem. [MFT] Thm 7.
double long_context_cosine(double log_n, double gamma, double rho);
/// Its limit n -> infinity: 1, 4 rho/(1+3 rho), rho for threshold = gamma (1-rho) <, =, > 1.
double long_context_limit(double threshold, double rho);

} // namespace attndyn::verification::theory
