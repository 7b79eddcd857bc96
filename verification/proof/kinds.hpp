/// Quantities of facts that live in files of their own, facts_<topic>.cpp; facts.cpp lists them.
#pragma once

#include "lib/real/ball.hpp"
#include "verification/proof/certificate.hpp"

namespace attndyn::verification {

// facts_synchrony.cpp
/// Two opposite tokens on S^0: 1 - cosine at t, by interval steps. Arguments scheme, beta, tau, t.
Ball opposite_pair_gap(const Fact&);
/// The same on S^{d-1}, tokens e_1 and -e_1. Arguments d, scheme, beta, tau, t.
Ball antipodal_gap(const Fact&);
/// The pair on S^0: the smaller of the two dr_j/dt at t.
Ball opposite_pair_growth(const Fact&);
/// nGPT, |theta_j'| <= alpha(t): the angle of two tokens less what both can turn in all time, 2 alpha/(k-1).
/// Arguments alpha, alpha_decay = k > 1, angle.
Ball finite_clock_angle_left(const Fact&);

// facts_metastability.cpp: [DMS] lemmas.
/// u' = -c log(beta) sin u from u0, t(beta) the first time with u <= sqrt(log beta/beta): |t(beta) - 2/c|
/// less (2 |log tan(u0/2)| + log log beta)/(c log beta), which is at least what [DMS] sec. 6 prints.
Ball time_scale_printed_violation(const Fact&);
/// True if |t(beta) - 1/(2c)| is certainly below (2 |log tan(u0/2)| + 2 log 2 + log log beta)/(2 c log beta).
bool time_scale_bound(const Fact&);
/// Two angles of one point each on the circle, E = -(1 + cos phi)/2, x' = -grad E from phi0 to time t: 2 c
/// |u-v|^2 - (E(u) - E(v)) with c = (1 + cos phi0)/2, [DMS] sec. 3.
Ball path_length_printed_violation(const Fact&);

/// log(1-g(t)) minus log of the bound (1/2) exp((n^2 e^beta/2 - n t)/(n + e^{beta/2})) of [MPT] App. D:
/// positive where the bound is violated. Post-LN, softmax, g0 = 0, beta >= 0.
Ball convergence_bound_excess(const Fact&);

} // namespace attndyn::verification
