/// The set that a rigorous integrator carries from step to step, in a form that does not wrap: Lohner's
/// doubleton x = m + C r0 + Q r. R. Lohner, Computation of guaranteed enclosures (1992); N. Nedialkov,
/// K. Jackson and G. Corliss, Appl. Math. Comput. 105 (1999), sec. 5.
#pragma once

#include "lib/real/ball.hpp"
#include "lib/real/dense.hpp"

namespace attndyn {

/// The precision of everything that multiplies a deviation from the centre: deviations are small, so that few
/// digits of their factors matter. Enclosures hold at any precision.
constexpr slong deviation_bits = 64;

/// m exact; r0: the deviations of the start, kept whole, so that what the flow does to them stays linear; r:
/// all later errors, in an orthogonal frame Q that turns with the flow. Q and C exact.
class LohnerSet {
public:
  /// The box, at the working precision of this moment.
  explicit LohnerSet(const Vector<Ball>& box);

  /// m, balls of radius 0.
  const Vector<Ball>& centre() const { return centre_; }
  /// The smallest box around C r0 + Q r that balls give.
  const Vector<Ball>& deviation() const { return deviation_; }
  /// The smallest box around the set.
  Vector<Ball> box() const;

  /// The set becomes one that holds image + derivative (x - m) for every x of it: the mean-value form.
  /// image: an enclosure of what the centre becomes; derivative: one of the mean derivatives over the set.
  void advance(const Vector<Ball>& image, const Matrix<Ball>& derivative);

private:
  void refresh();

  Vector<Ball> centre_, deviation_;
  Matrix<Ball> c_, q_;
  Vector<Ball> r0_, r_;
};

/// An orthogonal matrix to within rounding, radii 0, whose first columns follow the longest ones of
/// m diag(lengths). m square; its radii do not count.
Matrix<Ball> orthogonal_frame(const Matrix<Ball>& m, const Vector<Ball>& lengths);

/// An enclosure of the inverse; throws std::domain_error if the matrix cannot be told from a singular one.
Matrix<Ball> inverse(const Matrix<Ball>&);

/// Enclosures of matrix times vector, matrix times matrix.
Vector<Ball> times(const Matrix<Ball>& a, const Vector<Ball>& x);
Matrix<Ball> times(const Matrix<Ball>& a, const Matrix<Ball>& b);

} // namespace attndyn
