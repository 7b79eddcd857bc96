/// Level high: what several claims compare at thirty digits, each time by two methods that share no code.
#pragma once

#include "lib/models/equiangular_flow.hpp"
#include "verification/claim.hpp"

namespace attndyn::verification {

constexpr int high_digits = 30;

struct HighState {
  Float128 log_gap, r;
};

/// The equiangular solution at t by Taylor steps of the recorded field in Float128, tolerance 1e-29, compared
/// with the separable solution (exponential integrals and one quadrature, enclosed): log(1-g) and r agree to
/// 1e-27, relative where large. Notes what the separable one changes from 30 to 45 digits as the refinement.
HighState two_routes(Findings&, const EquiangularParams&, const Number& t);

/// measured should equal predicted within a relative bar, the difference taken in Float128.
void equal_high(Findings&, std::string quantity, const Float128& measured, const Float128& predicted,
                double bar, std::string where);

} // namespace attndyn::verification
