#include "lib/initial.hpp"

#include "lib/random.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace attndyn {
namespace {

void check(Shape shape) {
  if (shape.n < 1) throw std::invalid_argument("n = 0: must be >= 1");
  if (shape.d < 1) throw std::invalid_argument("d = 0: must be >= 1");
}

void check_room(Shape shape, std::size_t needed, const char* rule, const char* start) {
  check(shape);
  if (shape.d < needed)
    throw std::invalid_argument(
        fmt::format("d = {}: must be >= {} = {} for {} start", shape.d, rule, needed, start));
}

/// d x n standard normal numbers, column after column.
template <class Real> Matrix<Real> normal_vectors(Shape shape, std::uint64_t seed, std::uint64_t unit) {
  check(shape);
  Matrix<Real> x(shape.d, shape.n);
  Stream stream(seed, unit, Purpose::tokens);
  for (Real& value : x.data) value = stream.normal();
  return x;
}

template <class Real> Tokens<Real> with_unit_radii(Matrix<Real> theta) {
  Vector<Real> r(theta.cols, Real(1));
  return {std::move(theta), std::move(r)};
}

/// Wide enough that 1 - g and 1 + (n-1) g are exact for a g written with up to 1000 digits. (An Mpfr of more
/// digits than that does its own arithmetic, and loses as many as g has nines.)
using Exact = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<1100>,
                                            boost::multiprecision::et_off>;

template <class Wide> Wide value_of(std::string_view decimal) {
  constexpr std::string_view space = " \t\n\v\f\r";
  decimal.remove_prefix(decimal.find_first_not_of(space));
  decimal = decimal.substr(0, decimal.find_last_not_of(space) + 1);
  if (decimal.front() == '+') decimal.remove_prefix(1);
  return Wide(std::string(decimal));
}

/// A Number is known to be a decimal or a quotient of two.
template <class Wide> Wide value_of(const Number& x) {
  const std::string_view text = x.text();
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return value_of<Wide>(text);
  return value_of<Wide>(text.substr(0, slash)) / value_of<Wide>(text.substr(slash + 1));
}

template <class Real> struct EquiangularParts {
  Real along;  // sqrt((1 + (n-1) g)/n): the component of every token along the mean
  Real across; // sqrt(1 - g): each chord is sqrt(2) of it
};

template <class Real, class Wide> EquiangularParts<Real> parts_of(const Number& g, std::size_t n) {
  const Wide cosine = value_of<Wide>(g), along = (1 + (Wide(n) - 1) * cosine) / n;
  return {static_cast<Real>(Wide(sqrt(along))), static_cast<Real>(Wide(sqrt(Wide(1 - cosine))))};
}

template <class Real> EquiangularParts<Real> equiangular_parts(const Number& g, std::size_t n) {
  if (digits_of<Real>() < 1000) return parts_of<Real, Exact>(g, n);
  return parts_of<Real, Mpfr>(g, n);
}

/// across times the reflection of e_j that takes sum_k e_k to the first axis, without its first component;
/// written to rows [first_row, first_row + n - 1) of theta.
template <class Real> void put_across(Matrix<Real>& theta, std::size_t first_row, const Real& across) {
  using std::sqrt;
  const std::size_t n = theta.cols;
  if (n == 1) return;
  const Real size = static_cast<double>(n), root = sqrt(size);
  const Real minus = (1 + 1 / root) / (size - 1); // 1/(n - sqrt n) without its cancellation
  for (std::size_t k = 1; k < n; ++k) {
    theta(first_row + k - 1, 0) = across / root;
    for (std::size_t j = 1; j < n; ++j)
      theta(first_row + k - 1, j) = across * (j == k ? Real(1 - minus) : Real(-minus));
  }
}

constexpr std::string_view equiangular_prefix = "equiangular:";

} // namespace

template <class Real> Tokens<Real> uniform_on_sphere(Shape shape, std::uint64_t seed, std::uint64_t unit) {
  return gaussian<Real>(shape, seed, unit, false);
}

template <class Real>
Tokens<Real> gaussian(Shape shape, std::uint64_t seed, std::uint64_t unit, bool radii_from_length) {
  return tokens_from(normal_vectors<Real>(shape, seed, unit), radii_from_length);
}

template <class Real> Tokens<Real> in_hemisphere(Shape shape, std::uint64_t seed, std::uint64_t unit) {
  Tokens<Real> tokens = uniform_on_sphere<Real>(shape, seed, unit);
  for (std::size_t j = 0; j < shape.n; ++j)
    if (tokens.theta(0, j) < 0) tokens.theta(0, j) = -tokens.theta(0, j);
  return tokens;
}

template <class Real>
Tokens<Real> narrow_cone(Shape shape, std::uint64_t seed, const Number& delta, std::uint64_t unit) {
  using std::sqrt;
  check(shape);
  if (compare(delta, 0) <= 0 || compare(delta, 2) > 0)
    throw std::invalid_argument(fmt::format("delta = {}: must be > 0 and <= 2", delta.text()));
  // Two tokens at the angle a from the axis have cosine >= cos 2a = 1 - 2 sin^2 a.
  const Real widest = sqrt(Real(delta.as<Real>() / 2));
  // All but two coordinates of a uniform point of S^{d} are uniform in the unit ball of R^{d-1} (Archimedes).
  const Tokens<Real> ball = uniform_on_sphere<Real>({shape.n, shape.d + 1}, seed, unit);
  Matrix<Real> theta(shape.d, shape.n);
  for (std::size_t j = 0; j < shape.n; ++j) {
    for (std::size_t i = 1; i < shape.d; ++i) theta(i, j) = widest * ball.theta(i - 1, j);
    theta(0, j) = sqrt(Real(1 - dot(&theta(0, j), &theta(0, j), shape.d)));
  }
  return with_unit_radii(std::move(theta));
}

template <class Real> Tokens<Real> orthogonal(Shape shape) {
  check_room(shape, shape.n, "n", "an orthogonal");
  Matrix<Real> theta(shape.d, shape.n);
  for (std::size_t j = 0; j < shape.n; ++j) theta(j, j) = 1;
  return with_unit_radii(std::move(theta));
}

template <class Real> Tokens<Real> equiangular(Shape shape, const Number& g) {
  check_room(shape, shape.n, "n", "an equiangular");
  const std::size_t n = shape.n;
  const std::size_t others = n > 1 ? n - 1 : 1;
  if (compare(g, 1) >= 0 || compare(g, Number(fmt::format("-1/{}", others))) <= 0)
    throw std::invalid_argument(
        fmt::format("g = {}: must be > -1/(n-1) and < 1, here > -1/{} and < 1", g.text(), others));
  if (compare(g, 0) == 0) return orthogonal<Real>(shape);
  Matrix<Real> theta(shape.d, n);
  const EquiangularParts<Real> parts = equiangular_parts<Real>(g, n);
  if (parts.across == 0 || parts.along == 0)
    throw std::invalid_argument(
        fmt::format("g = {}: too close to its bound for the number type (ask for more --digits)", g.text()));
  for (std::size_t j = 0; j < n; ++j) theta(0, j) = parts.along;
  put_across(theta, 1, parts.across);
  return with_unit_radii(std::move(theta));
}

template <class Real> Tokens<Real> simplex(Shape shape) {
  using std::sqrt;
  const std::size_t n = shape.n;
  if (n <= 1) return orthogonal<Real>(shape);
  check_room(shape, n - 1, "n - 1", "a simplex");
  Matrix<Real> theta(shape.d, n);
  const Real size = static_cast<double>(n);
  put_across(theta, 0, Real(sqrt(Real(size / (size - 1))))); // 1 - g = n/(n-1)
  return with_unit_radii(std::move(theta));
}

bool names_initial(std::string_view word) {
  return word == "uniform" || word == "gaussian" || word == "orthogonal" ||
         word.starts_with(equiangular_prefix);
}

template <class Real>
Tokens<Real> make_initial(std::string_view word, Shape shape, std::uint64_t seed, std::uint64_t unit,
                          bool radii_from_length) {
  if (word == "uniform") return uniform_on_sphere<Real>(shape, seed, unit);
  if (word == "gaussian") return gaussian<Real>(shape, seed, unit, radii_from_length);
  if (word == "orthogonal") return orthogonal<Real>(shape);
  if (!word.starts_with(equiangular_prefix))
    throw std::invalid_argument(
        fmt::format("init = {}: must be one of uniform, gaussian, orthogonal, equiangular:g", word));
  const std::string text(word.substr(equiangular_prefix.size()));
  try {
    return equiangular<Real>(shape, Number(text));
  } catch (const std::invalid_argument& problem) {
    // Number gives the rule alone, the start the whole sentence.
    const std::string rule = problem.what();
    throw std::invalid_argument(rule.starts_with("must") ? fmt::format("init = {}: g {}", word, rule) : rule);
  }
}

Head<double> random_weights(std::size_t d, double scale_q, double scale_k, double scale_v, std::uint64_t seed,
                            std::uint64_t unit, std::size_t head) {
  if (d < 1) throw std::invalid_argument("d = 0: must be >= 1");
  const auto matrix = [&](const char* name, double scale, Purpose purpose) {
    if (!(std::isfinite(scale) && scale >= 0))
      throw std::invalid_argument(fmt::format("{} = {}: must be finite and >= 0", name, scale));
    const Stream stream(seed, unit, purpose);
    const double deviation = std::sqrt(scale / static_cast<double>(d));
    Matrix<double> m(d, d);
    for (std::size_t i = 0; i < d * d; ++i) m.data[i] = deviation * stream.normal_at(head * d * d + i);
    return m;
  };
  return {matrix("scale_q", scale_q, Purpose::weights_q),
          matrix("scale_k", scale_k, Purpose::weights_k),
          matrix("scale_v", scale_v, Purpose::weights_v),
          {}};
}

#define ATTNDYN_INSTANTIATE(Real)                                                                            \
  template Tokens<Real> uniform_on_sphere(Shape, std::uint64_t, std::uint64_t);                              \
  template Tokens<Real> gaussian(Shape, std::uint64_t, std::uint64_t, bool);                                 \
  template Tokens<Real> in_hemisphere(Shape, std::uint64_t, std::uint64_t);                                  \
  template Tokens<Real> narrow_cone(Shape, std::uint64_t, const Number&, std::uint64_t);                     \
  template Tokens<Real> orthogonal(Shape);                                                                   \
  template Tokens<Real> equiangular(Shape, const Number&);                                                   \
  template Tokens<Real> simplex(Shape);                                                                      \
  template Tokens<Real> make_initial(std::string_view, Shape, std::uint64_t, std::uint64_t, bool);
ATTNDYN_INSTANTIATE(double)
ATTNDYN_INSTANTIATE(Float128)
ATTNDYN_INSTANTIATE(Mpfr)
#undef ATTNDYN_INSTANTIATE

} // namespace attndyn
