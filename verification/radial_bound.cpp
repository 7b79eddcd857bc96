#include "verification/radial_bound.hpp"

#include "lib/initial.hpp"
#include "lib/random.hpp"
#include "verification/runs.hpp"
#include "verification/theory/almost_sure.hpp"

#include <boost/math/tools/minima.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attndyn::verification {
namespace {

constexpr double rounding = 1e-12; // of a sum of n <= 200 terms below 1

/// min_j dr_j/dt at the start, from the model: <theta_j, A_j> for Pre-LN, over |A_j| for Peri-LN.
double slowest_growth(const Context& context, const char* scheme, double beta, const Tokens<double>& tokens) {
  ParticleParams<double> p;
  p.scheme.name = scheme;
  p.beta = Number(beta);
  p.reduce_span = false;
  const auto c = make_particles(context, p, tokens, "configuration");
  Vector<double> dxdt(c.model->size());
  c.model->field(0, c.particles->start(), dxdt, 0);
  const auto [n, d] = c.particles->shape();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < n; ++j) least = std::min(least, dxdt[n * d + j] * tokens.r[j]);
  return least;
}

double printed_bound(double n, double beta) { return (1 - (n - 1) * std::exp(-beta)) / n; }

/// Token 1 at e_1, the first `share` of the others at cosine c to it, the rest opposite to it.
template <class Real = double>
Tokens<Real> facing(std::size_t n, std::size_t d, const Real& c, double share) {
  using std::sqrt;
  Matrix<Real> theta(d, n);
  theta(0, 0) = 1;
  for (std::size_t k = 1; k < n; ++k) {
    const bool at_c = static_cast<double>(k - 1) < share * static_cast<double>(n - 1);
    theta(0, k) = d == 1 ? Real(c < 0 ? -1 : 1) : at_c ? c : Real(-1);
    if (d > 1) theta(1, k) = at_c && c * c < 1 ? Real(sqrt(Real(1 - c * c))) : Real(0);
  }
  return tokens_from(theta, false);
}

void compare_bounds(const Context& context, Findings& out, double beta, const Tokens<double>& tokens,
                    const std::string& where) {
  const auto n = static_cast<double>(tokens.shape().n);
  const double bound = printed_bound(n, beta);
  out.at_least("<theta_j, A_j> (Pre-LN) against (e^beta - (n-1))/(n e^beta)",
               slowest_growth(context, "pre", beta, tokens), bound, rounding, where);
  out.at_least("dr_j/dt (Peri-LN) against (e^beta - (n-1))/(n e^beta)",
               slowest_growth(context, "peri", beta, tokens), bound, rounding, where);
  out.at_least("(e^beta - (n-1))/(n e^beta) against 1/(n e^beta)", bound, std::exp(-beta) / n, rounding,
               where);
}

} // namespace

Search search_radial_bound(const Context&) {
  Search s;
  s.axes = {{"n", 2, 200, Axis::Scale::whole_log},
            {"beta/log n", 1, 4},
            {"d", 1, 8, Axis::Scale::whole},
            {"start", 0, 1, Axis::Scale::choice, {"facing", "uniform", "hemisphere", "equal", "simplex"}},
            {"cosine", -1, 1},
            {"share", 0, 1}};
  // n = e^beta exactly; all others opposite, at one point, at a right angle; the simplex; one point.
  for (const double n : {2.0, 3.0, 8.0, 100.0})
    for (const double start : {0.0, 3.0, 4.0})
      for (const double cosine : {-1.0, -0.5, 0.0}) {
        if (start > 0 && cosine > -1) continue;
        s.corners.push_back({n, 1, start == 4 ? n - 1 : 2, start, cosine, 1});
      }
  s.corners.push_back({2, 1, 1, 0, -1, 1});
  s.at = [](const Context& context, const std::vector<double>& x, Findings& out) {
    const auto n = static_cast<std::size_t>(x[0]), d = static_cast<std::size_t>(x[2]);
    // One ulp up, so that n <= e^beta is not broken by the rounding of log.
    const double beta = x[1] * std::log(x[0]) * (1 + std::numeric_limits<double>::epsilon());
    Tokens<double> tokens;
    switch (static_cast<int>(x[3])) {
    case 0: tokens = facing(n, d, x[4], x[5]); break;
    case 1: tokens = uniform_on_sphere<double>({n, d}, context.seed); break;
    case 2: tokens = in_hemisphere<double>({n, d}, context.seed); break;
    case 3: tokens = facing<double>(n, d, 1, 1); break;
    default:
      if (d + 1 < n) throw NotApplicable("a simplex of n tokens needs d >= n - 1");
      tokens = simplex<double>({n, d});
    }
    compare_bounds(context, out, beta, tokens,
                   fmt::format("n = {}, d = {}, beta = {:.17g}, cosine = {:.6g}", n, d, beta, x[4]));
  };
  return s;
}

/// The bound at configurations that are bad for it, and at random ones.
void compare_radial_bound(const Context& context, Findings& out) {
  const std::uint64_t seeds = context.quick ? 20 : 200;
  double tightest = std::numeric_limits<double>::infinity();
  for (const std::size_t n : {2, 3, 7, 20, 100})
    for (const double times : {1.0, 1.5, 3.0}) {
      const auto size = static_cast<double>(n);
      const double beta = times * std::log(size) * (1 + std::numeric_limits<double>::epsilon());
      const auto where = [&](const std::string& start) {
        return fmt::format("n = {}, beta = {:.17g} = {} log n, {}", n, beta, times, start);
      };
      const double worst = theory::least_radial_cosine(static_cast<int>(n), beta);
      for (const double c : {-1.0, worst, 0.0, 1.0})
        compare_bounds(context, out, beta, facing(n, 2, c, 1),
                       where(fmt::format("others at cosine {:.6g}", c)));
      for (std::uint64_t k = 0; k < seeds; ++k)
        compare_bounds(context, out, beta, uniform_on_sphere<double>({n, 1 + k % 5}, context.seed, k),
                       where(fmt::format("uniform, d = {}, seed {}, unit {}", 1 + k % 5, context.seed, k)));
      tightest = std::min(tightest, slowest_growth(context, "pre", beta, facing(n, 2, worst, 1)) /
                                        printed_bound(size, beta));
    }
  out.note(
      fmt::format("bound of <theta_j, A_j> at bad and {} random configurations a pair (n, beta), n = 2 .. "
                  "100, beta = log n to 3 log n; the least quotient to the bound is {:.3g}",
                  seeds, tightest));
}

/// The least value of <theta_j, A_j> over all configurations, by minimisation, against its closed form.
void compare_sharp_radial_bound(const Context& context, Findings& out) {
  Curve curve{"least <theta_j, A_j> at beta = log n", "n", "least <theta_j, A_j>", true, false, {}};
  for (const std::size_t n : {2, 3, 7, 20, 100})
    for (const double times : {1.0, 1.5, 3.0}) {
      const double beta = times * std::log(static_cast<double>(n));
      const auto at = [&](double c) { return slowest_growth(context, "pre", beta, facing(n, 2, c, 1)); };
      std::uintmax_t evaluations = 100;
      const auto [c, inner] = boost::math::tools::brent_find_minima(at, -1.0, 1.0, 50, evaluations);
      const double measured = std::min(inner, at(-1));
      const double predicted =
          context.constant("least radial part", theory::least_radial_part(static_cast<int>(n), beta));
      const std::string where = fmt::format("n = {}, beta = {:.6g}, others at cosine {:.6g}", n, beta, c);
      out.equal("least <theta_j, A_j> against 1 - W((n-1)/e)/beta", measured, predicted, 1e-10, where);
      out.at_least("the least <theta_j, A_j> against the printed bound", predicted,
                   printed_bound(static_cast<double>(n), beta), rounding, where);
      if (times == 1) curve.points.push_back({static_cast<double>(n), measured, 1e-10, predicted});
      // No configuration does better: groups at two cosines, and random ones.
      for (std::uint64_t k = 0; k < 30; ++k) {
        Stream random(context.seed, k, Purpose::search);
        const double cosine = 2 * random.uniform() - 1, share = random.uniform();
        for (const auto& tokens :
             {facing(n, 2, cosine, share), uniform_on_sphere<double>({n, 2 + k % 4}, context.seed, k)})
          out.at_least("<theta_j, A_j> against 1 - W((n-1)/e)/beta",
                       slowest_growth(context, "pre", beta, tokens), predicted, rounding,
                       fmt::format("n = {}, beta = {:.6g}, seed {}, unit {}", n, beta, context.seed, k));
      }
    }
  out.draw(std::move(curve));
}

/// The same in Float128: the field at its minimiser, found by minimisation, against Lambert's function.
void sharp_radial_bound_by_two_methods(const Context&, Findings& out) {
  for (const int n : {2, 7, 100})
    for (const char* beta : {"1", "2.5", "6"}) {
      ParticleParams<Float128> p;
      p.scheme.name = "pre";
      p.beta = beta;
      const auto at = [&](const Float128& c) {
        const Particles<Float128> model(p, facing<Float128>(static_cast<std::size_t>(n), 2, c, 1));
        Vector<Float128> dxdt(model.size());
        model.field(0, model.start(), dxdt, 0);
        return dxdt[2 * static_cast<std::size_t>(n)];
      };
      const auto least = [&](int bits) {
        std::uintmax_t evaluations = 200;
        const auto inner =
            boost::math::tools::brent_find_minima(at, Float128(-1), Float128(1), bits, evaluations);
        return std::min(inner.second, at(-1));
      };
      const Float128 measured = least(56);
      const std::string where = fmt::format("n = {}, beta = {}", n, beta);
      const Float128 predicted = theory::least_radial_part(n, p.beta.as<Float128>());
      out.equal("least <theta_j, A_j> against 1 - W((n-1)/e)/beta", static_cast<double>(measured - predicted),
                0, 1e-28, where);
      out.refined("least value with 48 and 56 bits of the minimiser",
                  static_cast<double>(measured - least(48)), 1e-26, where);
    }
}

} // namespace attndyn::verification
