/// Starts. Random ones are drawn in double and made unit in Real, so a start is one and the same at every
/// precision, up to its rounding; token j of a seed does not depend on n. All throw std::invalid_argument if
/// n or d is 0.
#pragma once

#include "lib/attention/field.hpp"
#include "lib/real/text.hpp"
#include "lib/tokens.hpp"

#include <cstdint>
#include <string_view>

namespace attndyn {

/// Directions independent and uniform on S^{d-1}; r = 1.
template <class Real> Tokens<Real> uniform_on_sphere(Shape shape, std::uint64_t seed, std::uint64_t unit = 0);

/// Independent standard Gaussian tokens x_j: theta_j = x_j/|x_j| as uniform_on_sphere has it, and r_j = |x_j|
/// if radii_from_length, else 1.
template <class Real>
Tokens<Real> gaussian(Shape shape, std::uint64_t seed, std::uint64_t unit = 0, bool radii_from_length = true);

/// uniform_on_sphere conditioned on the open hemisphere with pole e_1.
template <class Real> Tokens<Real> in_hemisphere(Shape shape, std::uint64_t seed, std::uint64_t unit = 0);

/// Independent tokens whose parts across e_1 are uniform in a ball, all within the angle of e_1 at which any
/// two have cosine >= 1 - delta. 0 < delta <= 2. The axis is no random one so that chords keep their digits
/// however small delta is; r = 1.
template <class Real>
Tokens<Real> narrow_cone(Shape shape, std::uint64_t seed, const Number& delta, std::uint64_t unit = 0);

/// theta_j = e_j, exactly; r = 1. Throws "d = 3: must be >= n = 5 for an orthogonal start".
template <class Real> Tokens<Real> orthogonal(Shape shape);

/// All cosines g, -1/(n-1) < g < 1 (n = 1: -1 < g < 1), d >= n; r = 1. g = 0 is `orthogonal`. Any other g
/// gives sqrt(1-g) e_j + c sum_k e_k after the reflection that takes sum_k e_k to the first axis: there the
/// chords, and with them 1 - g, have all their digits however close g is to 1, and so has 1 + (n-1) g at the
/// other end.
template <class Real> Tokens<Real> equiangular(Shape shape, const Number& g);

/// The vertices of the regular simplex, all cosines -1/(n-1): d >= n - 1. n = 1: e_1. r = 1.
template <class Real> Tokens<Real> simplex(Shape shape);

/// True for the words of the command line: "uniform", "gaussian", "orthogonal", "equiangular:g" with any g.
bool names_initial(std::string_view word);

/// The start a word names. Throws "init = foo: must be one of uniform, gaussian, orthogonal, equiangular:g"
/// and what the starts throw. radii_from_length matters to gaussian alone.
template <class Real>
Tokens<Real> make_initial(std::string_view word, Shape shape, std::uint64_t seed, std::uint64_t unit = 0,
                          bool radii_from_length = false);

/// Q, K, V: d x d, independent normal entries of mean 0 and variance scale/d; scales finite and >= 0. W
/// empty. head counts the heads of one layer from 0.
Head<double> random_weights(std::size_t d, double scale_q, double scale_k, double scale_v, std::uint64_t seed,
                            std::uint64_t unit = 0, std::size_t head = 0);

} // namespace attndyn
