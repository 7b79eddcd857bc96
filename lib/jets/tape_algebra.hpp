/// What is done to a tape before it runs as a power series: the same function in fewer operations, and its
/// derivative.
#pragma once

#include "lib/real/recorded.hpp"

namespace attndyn {

/// The same function without the operations that no output needs, each written once, x + 0, x - 0, 1 x, x/1,
/// 0 x and --x resolved, pow with an exponent that varies written as exp(y log x). Every expm1(a) is joined
/// by exp(a), whose place it holds in `b`: their series differ in the first coefficient alone.
Tape simplified(const Tape&);

/// For a tape of f: inputs x_0..x_{m-1} (and whatever follows), `directions` vectors v of m components each
/// after all inputs of f; outputs f, then Df v for each direction: the right-hand side of the equation with
/// its variational equations. Only the first `varied` inputs have directions. Throws std::invalid_argument if
/// the tape has fewer inputs than that.
Tape with_tangents(const Tape& f, std::size_t varied, std::size_t directions);

} // namespace attndyn
