#include "lib/io/parts.hpp"
#include "lib/real/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace attndyn {
namespace {

using namespace detail;

bool names_hdf5(const std::string& path) { return path.ends_with(".h5") || path.ends_with(".hdf5"); }

template <class Real> Shape common_shape(const Vector<Real>& times, const std::vector<Tokens<Real>>& states) {
  require(times.size() == states.size(),
          fmt::format("states = {}: must be {}, one a time", states.size(), times.size()));
  require(!states.empty(), "states: there must be one");
  const Shape shape = states.front().shape();
  for (const Tokens<Real>& state : states)
    require(state.shape() == shape && state.r.size() == shape.n, "states: all must have one shape");
  return shape;
}

template <class Real> std::vector<std::string> texts_of(const Vector<Real>& numbers) {
  std::vector<std::string> out;
  out.reserve(numbers.size());
  for (const Real& x : numbers) out.push_back(to_text(x));
  return out;
}

template <class Real>
void append_numbers(std::vector<Hdf5Dataset>& out, const std::string& name,
                    const std::vector<std::size_t>& dims, const Vector<Real>& numbers) {
  if constexpr (std::is_same_v<Real, double>) {
    out.push_back({name, dims, numbers, {}});
  } else {
    std::vector<std::string> cells = texts_of(numbers);
    Cell kind = Cell::missing;
    for (const std::string& cell : cells) kind = std::max(kind, kind_of(cell));
    append_datasets(out, name, dims, std::move(cells), kind);
  }
}

template <class Real>
std::string hdf5_states(const Vector<Real>& times, const std::vector<Tokens<Real>>& states, Shape shape,
                        const Parameters& parameters) {
  Vector<Real> theta, r;
  for (const Tokens<Real>& state : states) {
    theta.insert(theta.end(), state.theta.data.begin(), state.theta.data.end());
    r.insert(r.end(), state.r.begin(), state.r.end());
  }
  std::vector<Hdf5Dataset> datasets;
  append_numbers(datasets, "t", {times.size()}, times);
  append_numbers(datasets, "theta", {times.size(), shape.n, shape.d}, theta);
  append_numbers(datasets, "r", {times.size(), shape.n}, r);
  return hdf5_bytes({parameters, std::move(datasets)});
}

template <class Real>
std::string csv_states(const Vector<Real>& times, const std::vector<Tokens<Real>>& states, Shape shape,
                       const Parameters& parameters) {
  std::string out = csv_head(parameters) + "t,token,r";
  for (std::size_t i = 1; i <= shape.d; ++i) out += fmt::format(",theta_{}", i);
  out += '\n';
  for (std::size_t k = 0; k < times.size(); ++k) {
    const std::string t = to_text(times[k]);
    for (std::size_t j = 0; j < shape.n; ++j) {
      out += fmt::format("{},{},{}", t, j + 1, to_text(states[k].r[j]));
      for (std::size_t i = 0; i < shape.d; ++i) out += ',' + to_text(states[k].theta(i, j));
      out += '\n';
    }
  }
  return out;
}

} // namespace

template <class Real>
void write_states(const std::string& path, const Vector<Real>& times, const std::vector<Tokens<Real>>& states,
                  const Parameters& parameters) {
  const Shape shape = common_shape(times, states);
  check_parameters(parameters);
  write_text(path, names_hdf5(path) ? hdf5_states(times, states, shape, parameters)
                                    : csv_states(times, states, shape, parameters));
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template void write_states(const std::string&, const Vector<Real>&, const std::vector<Tokens<Real>>&,      \
                             const Parameters&);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn
