// nad-speed: [NAD] Thm 4.1 and the table of schemes. Initial velocity g'(0) against beta and against n, and
// the speed regulation factor s(t) along the run. Under a second. Expect Peri-LN and nGPT ahead by sqrt-like
// factors at the start, and s that stays 1, grows like t, or like sqrt t.
#include "analysis/plot.hpp"
#include "lib/io.hpp"
#include "lib/models/equiangular.hpp"
#include "paper_figures/all_figures.hpp"
#include "verification/runs.hpp"
#include "verification/theory/predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attndyn::figures {
namespace {

// --- parameters
constexpr int n_fixed = 256;
constexpr double beta_fixed = 5, beta_last = 10, log10_n_last = 5, t_first = 0.01, t_last = 1e3,
                 tolerance = 1e-10;
const Number r0 = 1, alpha = 1, tau = "2.5";

Equiangular<double> model(const std::string& scheme, int n, double beta) {
  return Equiangular<double>(
      {.scheme = {scheme, tau, alpha, 0}, .n = n, .beta = Number(beta), .g0 = 0, .r0 = r0});
}

double initial_speed(const std::string& scheme, int n, double beta) {
  const auto m = model(scheme, n, beta);
  return m.speed(0, m.start(), 0.0);
}

Drawn draw(const Request& request) {
  const int points = request.quick ? 40 : 200;
  Table table;
  table.parameters = {{"figure", "nad-speed"},
                      {"n", std::to_string(n_fixed)},
                      {"beta", fmt::format("{:g}", beta_fixed)},
                      {"r0", r0.text()},
                      {"alpha", alpha.text()},
                      {"tau", tau.text()},
                      {"tolerance", fmt::format("{:g}", tolerance)}};
  table.columns = {"panel", "scheme", "x", "y", "predicted"};
  double defect = 0, change = 0;
  const auto add = [&](const char* panel, const std::string& scheme, double x, double y, double predicted) {
    table.rows.push_back({panel, scheme, to_text(x), to_text(y), to_text(predicted)});
  };

  // --- compute
  for (const auto& scheme : verification::paper_schemes()) {
    const auto compare = [&](const char* panel, double x, int n, double beta) {
      const double speed = initial_speed(scheme, n, beta);
      const double predicted =
          verification::theory::initial_velocity(scheme, n, beta, r0.approx(), alpha.approx());
      defect = std::max(defect, std::abs(speed / predicted - 1));
      add(panel, scheme, x, speed, predicted);
    };
    for (int i = 0; i <= points; ++i) {
      const double beta = beta_last * i / points;
      compare("beta", beta, n_fixed, beta);
      const int n = std::max(2, static_cast<int>(std::lround(std::pow(10, log10_n_last * i / points))));
      if (i == 0 || table.rows.back()[0] != "n" || table.rows.back()[2] != to_text(static_cast<double>(n)))
        compare("n", n, n, beta_fixed);
    }
    const auto m = model(scheme, n_fixed, beta_fixed);
    std::vector<double> times;
    for (int i = 0; i <= points; ++i)
      times.push_back(t_first * std::pow(t_last / t_first, static_cast<double>(i) / points));
    const auto coarse = verification::run(m, m.start(), times, tolerance).samples;
    const auto fine = verification::run(m, m.start(), times, tolerance / 2).samples;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double s = m.speed_factor(coarse[i].piece, coarse[i].x, times[i]);
      change = std::max(change, std::abs(m.speed_factor(fine[i].piece, fine[i].x, times[i]) / s - 1));
      add("s", scheme, times[i], s, std::nan(""));
    }
  }
  const std::string refinement = fmt::format(
      "refinement: halving the tolerance {:g} changes s by at most {:.1e} relative; initial speeds meet Thm 4.1 to {:.1e}",
      tolerance, change, defect);
  table.parameters.emplace_back("refinement", refinement);

  // --- plot
  const std::string stem = request.folder + "/nad-speed";
  write_table(table, Format::csv, stem + ".csv");
  analysis::plot(analysis::plot_directory() / "nad-speed.gp", stem + ".csv", stem);
  return {stem, refinement};
}

} // namespace

Figure nad_speed() {
  return {"nad-speed", "Initial speed against beta and n, and the speed factor s(t) along the run", draw};
}

} // namespace attndyn::figures
