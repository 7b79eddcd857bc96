// [DMS], theorem on the circle: the energy of USA becomes a staircase as beta grows.
#include "analysis/coarsening.hpp"
#include "analysis/energy.hpp"
#include "lib/initial.hpp"
#include "lib/random.hpp"
#include "verification/all_claims.hpp"
#include "verification/runs.hpp"
#include "verification/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attndyn::verification::claims {
namespace {

struct Start {
  std::vector<double> angles;
  Vector<double> masses; ///< sum 1
  std::string name;
};

/// One step of the limit: the closest two clusters of the circle meet at their mean.
struct Stair {
  double gap, next;   ///< angle between the two, and between the next closest pair
  double pair_mass;   ///< of both together
  double log_plateau; ///< of sum share^power before it
};

/// The merges in order. The mass-weighted mean of two angles is kept by USA.
std::vector<Stair> stairs_of(const Start& start, double power) {
  std::vector<double> at = start.angles;
  Vector<double> mass = start.masses;
  std::vector<Stair> out;
  while (at.size() > 1) {
    std::size_t a = 0, b = 1;
    double least = 2 * M_PI, next = least, signed_gap = 0, shares = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      shares += std::pow(mass[i], power);
      for (std::size_t j = 0; j < i; ++j) {
        const double turn = std::remainder(at[j] - at[i], 2 * M_PI);
        next = std::max(least, std::min(next, std::abs(turn)));
        if (std::abs(turn) < least) {
          next = least;
          least = std::abs(turn);
          signed_gap = turn;
          a = i;
          b = j;
        }
      }
    }
    out.push_back({least, std::min(next, M_PI), mass[a] + mass[b], std::log(shares)});
    at[a] += signed_gap * mass[b] / (mass[a] + mass[b]);
    mass[a] += mass[b];
    at.erase(at.begin() + static_cast<std::ptrdiff_t>(b));
    mass.erase(mass.begin() + static_cast<std::ptrdiff_t>(b));
  }
  return out;
}

double rise(double gap) { return 2 * std::pow(std::sin(gap / 2), 2); } // 1 - cos

analysis::Coarsening coarsened(const Context& context, const Start& start, double beta,
                               const analysis::CoarseningOptions& options = {}) {
  Matrix<double> x(2, start.angles.size());
  for (std::size_t j = 0; j < start.angles.size(); ++j) {
    x(0, j) = std::cos(start.angles[j]);
    x(1, j) = std::sin(start.angles[j]);
  }
  ParticleParams<double> p;
  p.attention = Attention::unnormalised;
  p.beta = Number(beta);
  p.clock = TimeScale::scaled;
  p.masses = start.masses;
  return analysis::coarsen(p, tokens_from(x, false), options,
                           [&](const ParticleParams<double>& q, const Tokens<double>& tokens) {
                             return make_particles(context, q, tokens, start.name).model;
                           });
}

/// 2 beta E e^{-beta}.
double height(const analysis::Coarse& c, double beta) {
  const auto e = analysis::energy(c.theta, c.masses, beta);
  return 2 * beta * e.value * std::exp(e.log_scale - beta);
}

void compare(const Context& context, Findings& out, const Start& start, double beta,
             const analysis::CoarseningOptions& options = {}) {
  const auto stairs = stairs_of(start, context.exponent("power of the shares", 2));
  const auto c = coarsened(context, start, beta, options);
  const std::string where = fmt::format("usa, scaled clock, beta = {:.6g}, {}", beta, start.name);
  if (c.why != analysis::CoarseningEnd::one_cluster)
    throw std::runtime_error(fmt::format("{}: {} {} at {}", name_of(c.why), c.detail, c.log_time, where));
  out.equal("number of jumps", static_cast<double>(c.merges.size()), static_cast<double>(stairs.size()), 0.1,
            where);
  double others = 0; // how far pairs that are not the closest have moved meanwhile, in units of 1/beta
  double fall = 0, before = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < c.samples.size(); ++i)
    fall = std::min(fall, height(c.samples[i], beta) - height(c.samples[i - 1], beta));
  out.at_least("smallest increment of the energy along the run", fall, 0, 1e-9, where);
  for (std::size_t k = 0; k < std::min(stairs.size(), c.merges.size()); ++k) {
    const double up = rise(stairs[k].gap), t = c.merges[k].log_time,
                 s2 = std::pow(std::sin(stairs[k].gap), 2);
    others += std::exp(-beta * (rise(stairs[k].next) - up));
    if (others > 0.05) break; // beta is too small to tell which pair is the closest
    // The plateau before this jump, from one unit of log t after the last to one before this: what is left is
    // the interaction of the closest pair.
    const double left = 8 * std::exp(-beta * up);
    if (left < 1e-5)
      for (const auto& sample : c.samples)
        if (sample.log_time > before + 1 && sample.log_time < t - 1)
          out.equal("2 beta E e^-beta on a plateau", height(sample, beta), std::exp(stairs[k].log_plateau),
                    1e-9 + left, fmt::format("{}, log t/beta = {:.6g}", where, sample.log_time / beta));
    // Two tokens meet at log u = beta (1-c) - log(beta (1-c^2) (m_i + m_j)) + 2c/(beta (1-c^2)) + ...; the
    // time of the earlier merges and the way of the other pairs come on top.
    if (beta * s2 > 20) {
      const double known = std::log(beta * s2 * stairs[k].pair_mass), earlier = std::exp(before - t);
      out.equal(
          "log t/beta at a jump less its logarithmic correction, over 1 - cos gap", (t + known) / beta / up,
          context.constant("jump over 1 - cos gap", 1),
          (4 / (beta * s2) + 2 * earlier + 6 * others + 40 * std::exp(-t) / stairs[k].pair_mass + 1e-6) /
              (beta * up),
          fmt::format("{}, jump {}", where, k + 1));
    }
    before = t;
  }
  out.equal("2 beta E e^-beta in the end", height(c.samples.back(), beta), 1, 1e-9, where);
}

Start normalised(std::vector<double> angles, Vector<double> masses, std::string name) {
  double sum = 0;
  for (double m : masses) sum += m;
  for (double& m : masses) m /= sum;
  return {std::move(angles), std::move(masses), std::move(name)};
}

std::vector<Start> starts() {
  const std::vector<double> five{0, .04249034, .16996135, .33992269, .59486471};
  return {normalised(five, {1, 1, 1, 1, 1}, "angles 0, .04249034, .16996135, .33992269, .59486471"),
          normalised(five, {1, 2, 3, 1, 2}, "the same five angles, masses 1, 2, 3, 1, 2"),
          normalised({0, 0.5}, {1, 3}, "angles 0, 0.5, masses 1, 3"),
          normalised({0, 0.2, 0.5, 1.0, 2.0, 3.0}, {1, 1, 1, 1, 1, 1}, "angles 0, 0.2, 0.5, 1, 2, 3"),
          normalised({0, 0.15, -0.25, 0.7}, {5, 1, 1, 1}, "angles 0, 0.15, -0.25, 0.7, masses 5, 1, 1, 1")};
}

/// The largest beta of these at which the last merge is before e^700.
bool reachable(const Start& start, double beta) {
  const auto stairs = stairs_of(start, 2);
  return beta * rise(stairs.back().gap) < 640;
}

/// Heights of one start at three beta, each against the staircase of the limit.
void draw(const Context& context, Findings& out) {
  const Start start = starts()[0];
  const auto stairs = stairs_of(start, 2);
  for (double beta : {100.0, 600.0, 3500.0}) {
    Curve curve{
        fmt::format("2 beta E e^-beta against log t/beta, five angles, beta = {:g}; predicted: the limit",
                    beta),
        "log t/beta", "2 beta E e^-beta"};
    const auto limit = [&](double x) {
      double y = 1;
      for (std::size_t k = stairs.size(); k-- > 0;)
        if (x < rise(stairs[k].gap)) y = std::exp(stairs[k].log_plateau);
      return y;
    };
    double last = -1;
    for (const auto& s : coarsened(context, start, beta).samples) {
      const double x = s.log_time / beta, y = height(s, beta);
      if (!(x > -0.02) ||
          (!curve.points.empty() && x - curve.points.back().x < 2e-3 && std::abs(y - last) < 0.02))
        continue;
      curve.points.push_back({x, y, 0, limit(x)});
      last = y;
      if (curve.points.size() == 200) break;
    }
    // Both ends of every rise of the limit, where nothing is measured.
    for (const auto& stair : stairs)
      for (const double side : {-1e-9, 1e-9}) {
        const double x = rise(stair.gap) + side;
        curve.points.push_back({x, std::numeric_limits<double>::quiet_NaN(), 0, limit(x)});
      }
    std::sort(curve.points.begin(), curve.points.end(),
              [](const auto& a, const auto& b) { return a.x < b.x; });
    curve.reference = "limit";
    out.draw(std::move(curve));
  }
}

void refine(const Context& context, Findings& out) {
  const Start start = starts()[0];
  analysis::CoarseningOptions coarse, fine;
  coarse.tolerance = 1e-9;
  fine.merge_gap = coarse.merge_gap / 100;
  fine.tolerance = 1e-10;

  const auto a = coarsened(context, start, 1000, coarse), b = coarsened(context, start, 1000, fine);
  for (std::size_t k = 0; k < std::min(a.merges.size(), b.merges.size()); ++k)
    // Coming a hundredth closer takes log(100)/2 over the mass of the pair by itself.
    out.refined(fmt::format("log t of jump {} with merging at 1e-14, 1e-16 and tolerance 1e-9, 1e-10", k + 1),
                b.merges[k].log_time - a.merges[k].log_time, 12 * std::exp(-a.merges[k].log_time) + 1e-6,
                start.name + ", beta = 1000");
}

/// Starts whose energy has one plateau only.
void degenerate(const Context& context, Findings& out) {
  for (const auto& [angles, height_at_start] :
       {std::pair{std::vector<double>{0.3}, 1.0}, {{0, 0}, 1.0}, {{0, M_PI}, 0.5}}) {
    Start start = normalised(angles, Vector<double>(angles.size(), 1), "");
    start.name = fmt::format("{} tokens at 0 .. {:.6g}", angles.size(), angles.back());
    if (angles.back() == M_PI) { // exactly antipodal, which the circle's M_PI is not
      ParticleParams<double> p;
      p.attention = Attention::unnormalised;
      p.beta = 50;
      p.clock = TimeScale::scaled;
      Matrix<double> x(2, 2);
      x(0, 0) = 1;
      x(0, 1) = -1;
      const auto c = analysis::coarsen(p, tokens_from(x, false), {}, [&](const auto& q, const auto& tokens) {
        return make_particles(context, q, tokens, start.name).model;
      });
      out.equal("2 beta E e^-beta of an antipodal pair for ever", height(c.samples.back(), 50),
                height_at_start, 1e-12, start.name);
    } else {
      out.equal("2 beta E e^-beta of one point", height(coarsened(context, start, 50).samples.back(), 50),
                height_at_start, 1e-12, start.name);
    }
  }
}

Search search(const Context&) {
  Search s;
  s.axes = {{.name = "tokens", .low = 2, .high = 6, .scale = Axis::Scale::whole},
            {.name = "arc", .low = 0.3, .high = 3, .scale = Axis::Scale::log},
            {.name = "log of the largest mass over the smallest", .low = 0, .high = 4},
            {.name = "beta (1 - cos) of the last gap", .low = 40, .high = 600, .scale = Axis::Scale::log},
            {.name = "draw", .low = 0, .high = 1000, .scale = Axis::Scale::whole}};
  s.corners = {
      {2, 3, 0, 600, 0}, {2, 0.3, 4, 40, 1}, {3, 0.3, 4, 600, 2}, {6, 3, 4, 600, 3}, {6, 0.3, 0, 600, 4}};
  s.at = [s](const Context& context, const std::vector<double>& x, Findings& out) {
    const auto n = static_cast<std::size_t>(x[0]);
    Stream stream(context.seed, static_cast<std::uint64_t>(x[4]), Purpose::search);
    std::vector<double> angles;
    Vector<double> masses;
    for (std::size_t j = 0; j < n; ++j) {
      angles.push_back(x[1] * (j == 0 ? 0 : j == 1 ? 1 : stream.uniform()));
      masses.push_back(std::exp(x[2] * stream.uniform()));
    }
    const Start start = normalised(angles, masses, describe_point(s, x));
    const auto stairs = stairs_of(start, 2);
    const double beta = x[3] / rise(stairs.back().gap);
    for (const Stair& stair : stairs)
      if (stairs.size() > 1 && beta * (rise(stair.next) - rise(stair.gap)) < 4 && &stair != &stairs.back())
        throw NotApplicable("two merge gaps that are nearly the same");
    compare(context, out, start, beta);
  };
  return s;
}

} // namespace

Claim dms_staircase() {
  return {
      .id = "DMS-staircase",
      .source = "[DMS] theorem on the circle",
      .statement =
          "USA on the circle, angles whose successive merge gaps are all different: after a rescaling of time the "
          "energy converges to a staircase as beta grows; the plateaus of 2 beta E e^{-beta} are sums of squared "
          "cluster shares.",
      .hypotheses =
          "Post-LN, d = 2, USA, masses > 0; the rescaling is any increasing one: here log t/beta in the clock u = "
          "e^beta t.",
      .prediction =
          "jumps at log u/beta -> 1 - cos(gap of the next merge), where two clusters meet at their weighted mean; "
          "between them sum of squared shares",
      .blind_to =
          "the convergence within O(log beta/beta) of a jump; gaps that are nearly the same, which need beta so large "
          "that e^{beta x difference} is; 1 - cos of the last gap above 640/beta.",
      .expected = Verdict::holds,
      .check =
          [](const Context& context, Findings& out) {
            for (const Start& start : starts())
              for (double beta : {50.0, 200.0, 1000.0, 4000.0})
                if (reachable(start, beta) && (!context.quick || beta != 200))
                  compare(context, out, start, beta);
            degenerate(context, out);
            refine(context, out);
            draw(context, out);
            out.note(
                "five starts of 2 to 6 tokens, equal and unequal masses, beta = 50, (not quick: 200,) 1000, 4000 as far "
                "as the last merge is before u = e^640; tokens merged at 1 - cosine = 1e-14, tolerance 1e-10 of each "
                "stage; one token, equal tokens, an antipodal pair");
          },
      .fixes = {{"power of the shares", Fixed::Kind::exponent, "2"},
                {"jump over 1 - cos gap", Fixed::Kind::constant, "1"}},
      .search = search};
}

} // namespace attndyn::verification::claims
