// nad-symmetric: [NAD] Thm 4.1. Cosine g(t) of six schemes from the orthogonal start, and 1-g against the
// terminal laws with their predicted constants. Under a second. Expect two exponentials, one stretched, three
// of slope -2.
#include "analysis/plot.hpp"
#include "lib/io.hpp"
#include "lib/models/equiangular.hpp"
#include "lib/solve.hpp"
#include "paper_figures/all_figures.hpp"
#include "verification/runs.hpp"
#include "verification/theory/predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace attndyn::figures {
namespace {

// --- parameters
constexpr int n = 256;
const Number beta = 5, r0 = 1, alpha = 1, tau = "2.5";
constexpr double tolerance = 1e-11, t_linear = 30, t_first = 0.05,
                 t_last = 1e4; // evenly to t_linear, and on a log scale

/// The predicted late law of 1-g, constant included.
double law(const std::string& scheme, double t) {
  const double c =
      verification::theory::terminal_constant(scheme, n, beta.approx(), r0.approx(), tau.approx());
  if (scheme == "post" || scheme == "ngpt") return c * std::exp(-2 * t);
  if (scheme == "sqrt") return c * std::exp(-4 * std::sqrt(t));
  return c / (t * t);
}

/// log(1-g) of one scheme at the times.
std::vector<double> log_gaps(const std::string& scheme, const std::vector<double>& times, double tol) {
  const Equiangular<double> model(
      {.scheme = {scheme, tau, alpha, 0}, .n = n, .beta = beta, .g0 = 0, .r0 = r0});
  std::vector<double> out;
  for (const auto& s : verification::run(model, model.start(), times, tol).samples) out.push_back(s.x[0]);
  return out;
}

Drawn draw(const Request& request) {
  const int points = request.quick ? 120 : 600;
  std::set<double> grid;
  for (int i = 0; i <= points; ++i) {
    const double part = static_cast<double>(i) / points;
    grid.insert({t_linear * part, t_first * std::pow(t_last / t_first, part)});
  }
  const std::vector<double> times(grid.begin(), grid.end());

  // --- compute
  Table table;
  table.parameters = {{"figure", "nad-symmetric"},
                      {"n", std::to_string(n)},
                      {"beta", beta.text()},
                      {"r0", r0.text()},
                      {"alpha", alpha.text()},
                      {"tau", tau.text()},
                      {"tolerance", fmt::format("{:g}", tolerance)}};
  table.columns = {"scheme", "t", "g", "one_minus_g", "terminal_law"};
  double change = 0;
  for (const auto& scheme : verification::paper_schemes()) {
    const auto y = log_gaps(scheme, times, tolerance), finer = log_gaps(scheme, times, tolerance / 2);
    for (std::size_t i = 0; i < times.size(); ++i) {
      change = std::max(change, std::abs(y[i] - finer[i]));
      table.rows.push_back({scheme, to_text(times[i]), to_text(cosine_from_log_gap(y[i])), exp_to_text(y[i]),
                            times[i] > 0 ? to_text(law(scheme, times[i])) : "nan"});
    }
  }
  const std::string refinement = fmt::format(
      "refinement: halving the tolerance {:g} changes 1-g by at most {:.1e} relative", tolerance, change);
  table.parameters.emplace_back("refinement", refinement);

  // --- plot
  const std::string stem = request.folder + "/nad-symmetric";
  write_table(table, Format::csv, stem + ".csv");
  analysis::plot(analysis::plot_directory() / "nad-symmetric.gp", stem + ".csv", stem);
  return {stem, refinement};
}

} // namespace

Figure nad_symmetric() {
  return {"nad-symmetric", "Cosine g(t) of six schemes from the orthogonal start, and the terminal laws",
          draw};
}

} // namespace attndyn::figures
