/// The parameters of an equiangular system in words, for tables and certificates.
#pragma once

#include "lib/io.hpp"
#include "lib/models/equiangular_flow.hpp"

namespace attndyn {

/// scheme, attention, n, beta, g0, r0, tau, alpha, alpha_decay: exact, as they were written. prefix: in front
/// of each name.
Parameters text_of(const EquiangularParams&, const std::string& prefix = {});

} // namespace attndyn
