/// The coefficients of Dop853 in any number type, at the precision Mpfr has when the table is made.
#pragma once

#include <utility>
#include <vector>

namespace attndyn {

/// (stage, weight) of the non-zero entries of one row.
template <class Value> using SparseRow = std::vector<std::pair<int, Value>>;

/// Stages count from 0. Rows 12 (the derivative at the end of the step) has no entries here: its stage is the
/// next step's first. Rows 13..15 serve the dense output alone.
template <class Value> struct Dop853Table {
  Dop853Table();
  SparseRow<Value> a[16]; ///< a_ij
  Value c[16];            ///< nodes
  SparseRow<Value> b;     ///< order 8
  SparseRow<Value> e5;    ///< b minus the weights of order 5
  SparseRow<Value> e3;    ///< b minus the weights of order 3
  SparseRow<Value> d[4];  ///< dense output, the coefficients of degrees 4 to 7
};

} // namespace attndyn
