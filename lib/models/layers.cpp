#include "lib/models/layers.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn {

template <class Real>
Solution<Real> run_layers(const Particles<Real>& model, const Vector<Real>& times, const Real& h,
                          std::uint64_t max_layers) {
  if (!is_finite(h) || h <= 0)
    throw std::invalid_argument(fmt::format("layer-step = {}: must be finite and > 0", brief(h)));
  if (times.empty() || times.front() < 0) throw std::invalid_argument("times: must be >= 0, at least one");
  if (plain_value(Real(times.back() / h)) > static_cast<double>(max_layers))
    throw std::invalid_argument(fmt::format("layer-step = {}: needs more than {} layers to reach t = {}",
                                            brief(h), max_layers, brief(times.back())));
  Solution<Real> out;
  out.x = model.start();
  out.t = 0;
  out.stats.runs = 1;
  std::uint64_t layer = 0;
  const auto piece_ending_at = [&](const Real& t) {
    std::size_t piece = 0;
    while (piece < model.switches().size() && t > model.switches()[piece]) ++piece;
    return piece;
  };
  for (const Real& time : times) {
    const auto target = static_cast<std::uint64_t>(plain_value(Real(time / h)) + 0.5);
    for (; layer < target; ++layer) {
      Vector<Real> next = out.x;
      if (!model.layer(next, out.t, h) || !all_finite(next)) {
        out.why = Stop::radius_zero;
        out.detail = fmt::format("in layer {}, at t = {}", layer + 1, brief(out.t));
        return out;
      }
      out.x = std::move(next);
      out.t = Real(static_cast<double>(layer + 1)) * h;
      ++out.stats.accepted;
      ++out.stats.rhs_calls;
    }
    out.samples.push_back({out.t, out.x, piece_ending_at(out.t)});
  }
  return out;
}

template Solution<double> run_layers(const Particles<double>&, const Vector<double>&, const double&,
                                     std::uint64_t);
template Solution<Float128> run_layers(const Particles<Float128>&, const Vector<Float128>&, const Float128&,
                                       std::uint64_t);
template Solution<Mpfr> run_layers(const Particles<Mpfr>&, const Vector<Mpfr>&, const Mpfr&, std::uint64_t);

} // namespace attndyn
