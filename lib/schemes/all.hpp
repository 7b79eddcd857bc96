/// The one list of schemes. A new scheme is a new file, a member of AnyScheme and a line in all.cpp.
#pragma once

#include "lib/real/text.hpp"
#include "lib/schemes/lns.hpp"
#include "lib/schemes/ngpt.hpp"
#include "lib/schemes/peri.hpp"
#include "lib/schemes/post.hpp"
#include "lib/schemes/pre.hpp"
#include "lib/schemes/sqrt.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attndyn {

template <class Real>
using AnyScheme = std::variant<PostLN<Real>, PreLN<Real>, PeriLN<Real>, NGPT<Real>, SqrtScaling<Real>,
                               LayerNormScaling<Real>>;

/// Parameters of all schemes; each takes what it needs.
struct SchemeParams {
  std::string name = "post"; ///< of scheme_list()
  Number tau = "2.5";        ///< Mix-LN: switch from Post-LN to Pre-LN, finite, >= 0
  Number alpha = 1;          ///< nGPT: alpha(0) > 0
  Number alpha_decay = 0;    ///< nGPT: alpha(t) = alpha (1+t)^(-alpha_decay), >= 0
};

/// Empty if usable, else "scheme = foo: must be one of ...".
std::string problem_with(const SchemeParams&);

/// One scheme up to a time, then the next. pieces.size() == switches.size() + 1.
template <class Real> struct Schedule {
  std::vector<AnyScheme<Real>> pieces;
  Vector<Real> switches;
};

struct SchemeInfo {
  const char* name;    ///< as on the command line
  const char* title;   ///< as in print
  const char* formula; ///< s and rho
  const char* file;
};
const std::vector<SchemeInfo>& scheme_list();

/// Throws std::invalid_argument with problem_with's line. For double, Float128, Mpfr and Recorded.
template <class Real> Schedule<Real> make_schedule(const SchemeParams&);

template <class Real> Regulation<Real> regulation(const AnyScheme<Real>& scheme, const TokenState<Real>& k) {
  return std::visit([&](const auto& s) { return s(k); }, scheme);
}
template <class Real> int degree(const AnyScheme<Real>& scheme) {
  return std::visit([](const auto& s) { return s.degree; }, scheme);
}
template <class Real> bool keeps_radius(const AnyScheme<Real>& scheme) {
  return std::visit([](const auto& s) { return s.keeps_radius; }, scheme);
}

} // namespace attndyn
