#include "verification/high.hpp"

#include "lib/models/equiangular.hpp"
#include "lib/models/separable.hpp"
#include "lib/solve.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn::verification {
namespace {

Float128 middle(const Ball& x) { return Number(upper_text(x, 40)).as<Float128>(); }

} // namespace

void equal_high(Findings& out, std::string quantity, const Float128& measured, const Float128& predicted,
                double bar, std::string where) {
  using std::abs;
  const Float128 size = 1 + abs(predicted);
  // Doubles hold the two sides; what decides is their difference, taken before rounding to double.
  out.equal("difference at 30 digits: " + std::move(quantity),
            static_cast<double>((measured - predicted) / size), 0, bar, std::move(where));
}

HighState two_routes(Findings& out, const EquiangularParams& p, const Number& t) {
  using std::exp;
  const Equiangular<Float128> model(p);
  Options<Float128> options;
  options.stepper = "taylor";
  options.tolerance = Float128(1) / parse_real<Float128>("1e29");
  const auto s = solve<Float128>(model, model.start(), Float128(0), {t.as<Float128>()}, options);
  if (!s.ended_as_asked())
    throw std::runtime_error(fmt::format("a run at 30 digits ended with {}: {}", name_of(s.why), s.detail));
  const HighState stepped{s.samples[0].x[0], exp(s.samples[0].x[1])};

  const Separable solution(p);
  const BallBits bits(256);
  const SeparableState fine = solution.at_digits(t, 45), coarse = solution.at_digits(t, high_digits);
  std::string where =
      fmt::format("{}, {}, n = {}, beta = {}, g0 = {}, r0 = {}, t = {}", p.scheme.name, name_of(p.attention),
                  p.n, p.beta.text(), p.g0.text(), p.r0.text(), t.text());
  equal_high(out, "log(1-g), Taylor steps against the separable solution", stepped.log_gap,
             middle(fine.log_gap), 1e-27, where);
  equal_high(out, "r, Taylor steps against the separable solution", stepped.r, middle(fine.r), 1e-27, where);
  out.refined("separable log(1-g) from 30 to 45 digits",
              static_cast<double>(middle(fine.log_gap - coarse.log_gap)), 1e-29, std::move(where));
  return stepped;
}

} // namespace attndyn::verification
