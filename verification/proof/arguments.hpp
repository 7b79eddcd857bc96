/// Reading the arguments of a fact. Everything throws std::invalid_argument where one is missing or out of
/// range.
#pragma once

#include "lib/models/equiangular_text.hpp"
#include "lib/real/ball.hpp"
#include "verification/proof/certificate.hpp"

namespace attndyn::verification {

const std::string& argument(const Fact& f, const std::string& name);
int integer(const Fact& f, const std::string& name, int least, int most);
/// The arguments that text_of wrote with that prefix.
EquiangularParams params_of(const Fact& f, const std::string& prefix = {});
/// The exact number, enclosed at the precision in use.
Ball ball(const Fact& f, const std::string& name);

} // namespace attndyn::verification
