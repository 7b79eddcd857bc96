/// The rows of tests/reference/equiangular.csv as runs of the equiangular model.
#pragma once

#include "lib/models/equiangular.hpp"
#include "lib/solve.hpp"
#include "tests/support/reference.hpp"

#include <optional>

namespace attndyn::testing {

struct EquiangularRow {
  EquiangularParams params;
  std::string t, log_gap, log_r; ///< as written, 60 digits
  std::string label;
};

inline std::vector<EquiangularRow> equiangular_rows() {
  std::vector<EquiangularRow> out;
  for (const ReferenceRow& row : reference_rows("equiangular.csv")) {
    EquiangularParams p;
    p.scheme = {row.at("scheme"), row.at("tau"), row.at("alpha"), row.at("alpha_decay")};
    p.attention = parse_attention(row.at("attention"));
    p.n = std::stoi(row.at("n"));
    p.beta = row.at("beta");
    p.g0 = row.at("g0");
    p.r0 = row.at("r0");
    std::string label;
    for (const char* column : {"scheme", "attention", "n", "beta", "g0", "r0"}) label += row.at(column) + " ";
    if (p.scheme.name == "mix") label += "tau " + row.at("tau") + " ";
    if (p.scheme.name == "ngpt")
      label += "alpha " + row.at("alpha") + " decay " + row.at("alpha_decay") + " ";
    out.push_back({p, row.at("t"), row.at("log_one_minus_g"), row.at("log_r"), label + "t " + row.at("t")});
  }
  return out;
}

/// The one row; throws std::out_of_range if there is not exactly one. alpha = 1 without decay, tau = 2.5.
inline EquiangularRow equiangular_row(const std::string& scheme, const std::string& attention,
                                      const std::string& n, const std::string& beta, const std::string& t) {
  std::optional<EquiangularRow> found;
  for (const EquiangularRow& row : equiangular_rows()) {
    const auto& p = row.params;
    if (p.scheme.name != scheme || name_of(p.attention) != attention || std::to_string(p.n) != n ||
        p.beta.text() != beta || row.t != t || p.scheme.tau.text() != "2.5" || p.scheme.alpha.text() != "1" ||
        p.scheme.alpha_decay.text() != "0")
      continue;
    if (found) throw std::out_of_range("two rows for " + row.label);
    found = row;
  }
  if (!found)
    throw std::out_of_range("no row for " + scheme + " " + attention + " " + n + " " + beta + " at t = " + t);
  return *found;
}

template <class Real>
Solution<Real> run(const EquiangularParams& p, const Vector<Real>& times, const Real& tolerance) {
  const Equiangular<Real> model(p);
  Options<Real> options;
  options.tolerance = tolerance;
  return solve<Real>(model, model.start(), Real(0), times, options);
}

/// The larger of |error of log(1-g)| and |error of log r|, each over max(tolerance, 4 eps |its value|):
/// design, "Tolerance is true error", promises at most 10.
template <class Real>
double promise_ratio(const Vector<Real>& x, const EquiangularRow& row, const Real& tolerance) {
  using std::abs;
  Real worst = 0;
  const std::string* const expected[] = {&row.log_gap, &row.log_r};
  for (std::size_t i = 0; i < 2; ++i) {
    const Real value = parse_real<Real>(*expected[i]), floor = 4 * epsilon<Real>() * abs(value);
    const Real ratio = abs(x[i] - value) / (floor > tolerance ? floor : tolerance);
    if (!(ratio <= worst)) worst = ratio;
  }
  return plain_value(worst);
}

} // namespace attndyn::testing
