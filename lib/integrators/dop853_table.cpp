#include "lib/integrators/dop853_table.hpp"

#include "lib/real/text.hpp"

namespace attndyn {
namespace {

#include "lib/integrators/tables/dop853_table.inc"

template <class Value, std::size_t N> SparseRow<Value> row(const char* const (&text)[N]) {
  SparseRow<Value> out;
  for (std::size_t i = 0; i < N; ++i)
    if (text[i]) out.emplace_back(static_cast<int>(i), parse_real<Value>(text[i]));
  return out;
}

} // namespace

template <class Value> Dop853Table<Value>::Dop853Table() {
  for (int s = 0; s < 16; ++s) {
    if (s != 12) a[s] = row<Value>(dop853_a[s]);
    c[s] = dop853_c[s] ? parse_real<Value>(dop853_c[s]) : Value(0);
  }
  b = row<Value>(dop853_b);
  e3 = row<Value>(dop853_e3);
  e5 = row<Value>(dop853_e5);
  for (int p = 0; p < 4; ++p) d[p] = row<Value>(dop853_d[p]);
}

template struct Dop853Table<double>;
template struct Dop853Table<Float128>;
template struct Dop853Table<Mpfr>;

} // namespace attndyn
