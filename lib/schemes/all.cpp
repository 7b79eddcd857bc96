#include "lib/schemes/all.hpp"

#include "lib/real/recorded.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn {
namespace {

template <class Real> struct Entry {
  SchemeInfo info;
  Schedule<Real> (*make)(const SchemeParams&);
};

/// The one list.
template <class Real> const std::vector<Entry<Real>>& entries() {
  using P = SchemeParams;
  static const std::vector<Entry<Real>> list{
      {{"post", "Post-LN", "s = 1, rho = 0", "lib/schemes/post.hpp"},
       [](const P&) {
         return Schedule<Real>{{PostLN<Real>{}}, {}};
       }},
      {{"pre", "Pre-LN", "s = r, rho = <theta,A>", "lib/schemes/pre.hpp"},
       [](const P&) {
         return Schedule<Real>{{PreLN<Real>{}}, {}};
       }},
      {{"mix", "Mix-LN", "Post-LN for t <= tau, then Pre-LN", "lib/schemes/all.cpp"},
       [](const P& p) {
         return Schedule<Real>{{PostLN<Real>{}, PreLN<Real>{}}, {p.tau.as<Real>()}};
       }},
      {{"peri", "Peri-LN", "s = r |A|, rho = <theta,A>/|A|", "lib/schemes/peri.hpp"},
       [](const P&) {
         return Schedule<Real>{{PeriLN<Real>{}}, {}};
       }},
      {{"ngpt", "nGPT", "s = |A|/alpha(t), rho = 0", "lib/schemes/ngpt.hpp"},
       [](const P& p) {
         return Schedule<Real>{
             {NGPT<Real>{p.alpha.as<Real>(), p.alpha_decay.as<Real>(), p.alpha_decay.approx() != 0}}, {}};
       }},
      {{"sqrt", "sqrt-scaling", "s = sqrt(t+1), rho = 0", "lib/schemes/sqrt.hpp"},
       [](const P&) {
         return Schedule<Real>{{SqrtScaling<Real>{}}, {}};
       }},
      {{"lns", "LayerNorm scaling", "s = r sqrt(t+1), rho = <theta,A>/sqrt(t+1)", "lib/schemes/lns.hpp"},
       [](const P&) {
         return Schedule<Real>{{LayerNormScaling<Real>{}}, {}};
       }},
  };
  return list;
}

std::string names() {
  std::string out;
  for (const auto& info : scheme_list()) out += (out.empty() ? "" : ", ") + std::string(info.name);
  return out;
}

} // namespace

const std::vector<SchemeInfo>& scheme_list() {
  static const std::vector<SchemeInfo> infos = [] {
    std::vector<SchemeInfo> out;
    for (const auto& e : entries<double>()) out.push_back(e.info);
    return out;
  }();
  return infos;
}

std::string problem_with(const SchemeParams& p) {
  bool known = false;
  for (const auto& info : scheme_list()) known = known || p.name == info.name;
  if (!known) return fmt::format("scheme = {}: must be one of {}", p.name, names());
  if (compare(p.tau, 0) < 0) return fmt::format("tau = {}: must be >= 0", p.tau.text());
  if (compare(p.alpha, 0) <= 0) return fmt::format("alpha = {}: must be > 0", p.alpha.text());
  if (compare(p.alpha_decay, 0) < 0)
    return fmt::format("alpha-decay = {}: must be >= 0", p.alpha_decay.text());
  return {};
}

template <class Real> Schedule<Real> make_schedule(const SchemeParams& p) {
  const std::string problem = problem_with(p);
  if (!problem.empty()) throw std::invalid_argument(problem);
  for (const auto& e : entries<Real>())
    if (p.name == e.info.name) return e.make(p);
  throw std::logic_error("scheme list out of step");
}

template Schedule<double> make_schedule(const SchemeParams&);
template Schedule<Float128> make_schedule(const SchemeParams&);
template Schedule<Mpfr> make_schedule(const SchemeParams&);
template Schedule<Recorded> make_schedule(const SchemeParams&);

} // namespace attndyn
