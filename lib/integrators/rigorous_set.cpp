#include "lib/integrators/rigorous_set.hpp"

#include <arb_mat.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace attndyn {
namespace {

/// A column that keeps less than this of its length across the earlier ones says nothing of its own.
constexpr double dependent = 1e-9;

Matrix<Ball> identity(std::size_t size) {
  Matrix<Ball> out(size, size);
  for (std::size_t i = 0; i < size; ++i) out(i, i) = Ball(1);
  return out;
}

Ball scalar_product(const Ball* a, const Ball* b, std::size_t size) {
  Ball out;
  arb_dot(out.raw(), nullptr, 0, a->raw(), 1, b->raw(), 1, static_cast<slong>(size), BallBits::now());
  return out;
}

/// The radius as a ball of radius 0.
Ball radius_of(const Ball& x) {
  Ball out;
  arf_set_mag(arb_midref(out.raw()), arb_radref(x.raw()));
  return out;
}

} // namespace

Vector<Ball> times(const Matrix<Ball>& a, const Vector<Ball>& x) {
  Vector<Ball> out(a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    arb_dot(out[i].raw(), nullptr, 0, a(i, 0).raw(), static_cast<slong>(a.rows), x[0].raw(), 1,
            static_cast<slong>(a.cols), BallBits::now());
  return out;
}

Matrix<Ball> times(const Matrix<Ball>& a, const Matrix<Ball>& b) {
  Matrix<Ball> out(a.rows, b.cols);
  for (std::size_t j = 0; j < b.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i)
      arb_dot(out(i, j).raw(), nullptr, 0, a(i, 0).raw(), static_cast<slong>(a.rows), b(0, j).raw(), 1,
              static_cast<slong>(a.cols), BallBits::now());
  return out;
}

Matrix<Ball> inverse(const Matrix<Ball>& m) {
  const auto size = static_cast<slong>(m.rows);
  arb_mat_t from, to;
  arb_mat_init(from, size, size);
  arb_mat_init(to, size, size);
  for (slong i = 0; i < size; ++i)
    for (slong j = 0; j < size; ++j)
      arb_set(arb_mat_entry(from, i, j), m(static_cast<std::size_t>(i), static_cast<std::size_t>(j)).raw());
  const bool regular = arb_mat_inv(to, from, BallBits::now()) != 0;
  Matrix<Ball> out(m.rows, m.rows);
  for (slong i = 0; i < size && regular; ++i)
    for (slong j = 0; j < size; ++j)
      arb_set(out(static_cast<std::size_t>(i), static_cast<std::size_t>(j)).raw(), arb_mat_entry(to, i, j));
  arb_mat_clear(from);
  arb_mat_clear(to);
  if (!regular) throw std::domain_error("inverse: the matrix cannot be told from a singular one");
  return out;
}

Matrix<Ball> orthogonal_frame(const Matrix<Ball>& m, const Vector<Ball>& lengths) {
  const std::size_t size = m.rows;
  // Squared lengths of the columns m_j lengths_j; the longest first.
  Vector<Ball> weight(size);
  for (std::size_t j = 0; j < size; ++j) {
    Matrix<Ball> column(size, 1);
    for (std::size_t i = 0; i < size; ++i) column(i, 0) = m(i, j).midpoint() * lengths[j];
    weight[j] = scalar_product(&column(0, 0), &column(0, 0), size).midpoint();
  }
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return arf_cmp(arb_midref(weight[a].raw()), arb_midref(weight[b].raw())) > 0;
  });

  Matrix<Ball> q(size, size);
  // Puts v, made orthogonal to the first k columns, at place k; false if little of it is left.
  const auto place = [&](Vector<Ball> v, std::size_t k) {
    const Ball before = scalar_product(v.data(), v.data(), size).midpoint();
    for (int again = 0; again < 2; ++again)
      for (std::size_t l = 0; l < k; ++l) {
        const Ball along = scalar_product(&q(0, l), v.data(), size);
        for (std::size_t i = 0; i < size; ++i) v[i] = (v[i] - along * q(i, l)).midpoint();
      }
    const Ball after = scalar_product(v.data(), v.data(), size).midpoint();
    if (!certainly_less(before * Ball(dependent * dependent), after)) return false;
    const Ball norm = sqrt(after);
    for (std::size_t i = 0; i < size; ++i) q(i, k) = (v[i] / norm).midpoint();
    return true;
  };
  std::size_t next_unit = 0;
  for (std::size_t k = 0; k < size; ++k) {
    Vector<Ball> v(size);
    for (std::size_t i = 0; i < size; ++i) v[i] = m(i, order[k]).midpoint();
    bool placed = place(v, k);
    while (!placed) { // the unit vectors span what is missing
      if (next_unit == size) throw std::domain_error("orthogonal_frame: no frame");
      Vector<Ball> unit(size, Ball(0));
      unit[next_unit++] = Ball(1);
      placed = place(unit, k);
    }
  }
  return q;
}

LohnerSet::LohnerSet(const Vector<Ball>& box) : c_(identity(box.size())), q_(c_), r_(box.size(), Ball(0)) {
  for (const Ball& x : box) {
    centre_.push_back(x.midpoint());
    r0_.push_back(Ball::around_zero(radius_of(x)));
  }
  refresh();
}

void LohnerSet::refresh() {
  const BallBits bits(deviation_bits);
  deviation_ = times(c_, r0_);
  const Vector<Ball> rest = times(q_, r_);
  for (std::size_t i = 0; i < rest.size(); ++i) deviation_[i] += rest[i];
}

Vector<Ball> LohnerSet::box() const {
  Vector<Ball> out = centre_;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += deviation_[i];
  return out;
}

void LohnerSet::advance(const Vector<Ball>& image, const Matrix<Ball>& derivative) {
  const std::size_t size = centre_.size();
  Vector<Ball> errors(size); // what joins r: the image's width and that of the new C
  for (std::size_t i = 0; i < size; ++i) {
    centre_[i] = image[i].midpoint();
    errors[i] = Ball::around_zero(radius_of(image[i]));
  }
  const BallBits bits(deviation_bits);
  Matrix<Ball> c = times(derivative, c_);
  Matrix<Ball> c_width(size, size);
  for (std::size_t i = 0; i < c.data.size(); ++i) {
    c_width.data[i] = Ball::around_zero(radius_of(c.data[i]));
    c.data[i] = c.data[i].midpoint();
  }
  const Vector<Ball> from_c = times(c_width, r0_);
  for (std::size_t i = 0; i < size; ++i) errors[i] += from_c[i];
  c_ = std::move(c);

  const Matrix<Ball> turned = times(derivative, q_);
  Vector<Ball> lengths;
  for (const Ball& r : r_) lengths.push_back(abs(r).upper());
  q_ = orthogonal_frame(turned, lengths);
  const Matrix<Ball> back = inverse(q_);
  r_ = times(times(back, turned), r_);
  const Vector<Ball> rotated = times(back, errors);
  for (std::size_t i = 0; i < size; ++i) r_[i] += rotated[i];
  refresh();
}

} // namespace attndyn
