/// out = base + sum_j c_j v_j, the one vector operation that a Runge-Kutta step repeats.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace attndyn {

template <class Value> struct Term {
  Value factor;
  const Value* vector; ///< as long as base
};

/// out is resized to base. base may be out; the terms' vectors may not. Summed in the order of the terms, in
/// blocks that stay in the first-level cache, so one pass over memory serves all stages.
template <class Value, class Base, class Out>
void linear_combination(const Base& base, const std::vector<Term<Value>>& terms, Out& out) {
  constexpr std::size_t block = 128;
  const std::size_t size = base.size();
  out.resize(size);
  std::array<Value, block> sum;
  for (std::size_t begin = 0; begin < size; begin += block) {
    const std::size_t count = std::min(block, size - begin);
    for (std::size_t i = 0; i < count; ++i) sum[i] = 0;
    for (const Term<Value>& term : terms) {
      const Value factor = term.factor;
      const Value* v = term.vector + begin;
      for (std::size_t i = 0; i < count; ++i) sum[i] += factor * v[i];
    }
    for (std::size_t i = 0; i < count; ++i) out[begin + i] = base[begin + i] + sum[i];
  }
}

} // namespace attndyn
