#include "lib/integrators/rigorous_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attndyn {
namespace {

/// Steps of e^-2 of the radius of convergence: log 10 / 2 = 1.15 orders a digit; more of them cost less
/// than the shorter steps that remainders over a range ask for otherwise (measured).
constexpr double orders_per_digit = 1.3;
constexpr int more_orders = 3;
/// Order of the derivatives and of the first enclosure, which need few digits: where it starts, how low it
/// may fall. It follows the share of the derivatives that their remainder makes up, which multiplies the
/// set's width at every step.
constexpr int first_low_order = 8, least_low_order = 5, higher = 3;
constexpr double share_too_large = 1e-3, share_large = 1e-5, share_small = 1e-8;
/// How far (in log h) one goes back from a step whose range cannot be enclosed, twice as far each time;
/// beyond the second bound the guess was no guess and nothing is learnt from it.
constexpr double first_back = 0.5, largest_back = 8;
/// log of how much longer than the last one a step may be: radii of balls have 30 bits.
constexpr double largest_growth = 14;
constexpr int tries = 80, inflations = 4;

/// log of an upper bound of |x|, to nine digits; -infinity for 0.
double log_size(const Ball& x) {
  mag_t size;
  mag_init(size);
  arb_get_mag(size, x.raw());
  double out = std::numeric_limits<double>::infinity();
  if (mag_is_zero(size))
    out = -out;
  else if (!mag_is_inf(size))
    out = std::log(static_cast<double>(MAG_MAN(size))) +
          std::log(2.0) * (fmpz_get_d(MAG_EXPREF(size)) - MAG_BITS);
  mag_clear(size);
  return out;
}

/// Exact, a little below e^log.
Ball short_number(double log) {
  const BallBits bits(30);
  return exp(Ball(log)).lower();
}

Ball power(const Ball& x, int k) {
  Ball out;
  arb_pow_ui(out.raw(), x.raw(), static_cast<ulong>(k), BallBits::now());
  return out;
}

/// [0, h]^k of [0, h], without the loss of a product of balls.
Ball power_of_range(const Ball& zero_to_h, int k) {
  return Ball::between(Ball(0), power(zero_to_h.upper(), k).upper());
}

/// An upper bound of |x|, radius 0.
Ball bound(const Ball& x) { return abs(x).upper(); }

const Ball& at(const Jets<Ball>& jets, std::size_t component, int k) {
  return jets.series(component)[static_cast<std::size_t>(k)];
}

/// sum_k a_k tau^k, k < count.
Ball horner(const Ball* a, int count, const Ball& tau) {
  Ball sum = a[count - 1];
  for (int k = count - 1; k-- > 0;) {
    sum *= tau;
    sum += a[k];
  }
  return sum;
}

} // namespace

RigorousStepper::RigorousStepper(const Tape& f, int working_digits)
    : bits_(BallBits::now()), size_(f.outputs().size()),
      order_(static_cast<int>(std::ceil(orders_per_digit * working_digits)) + more_orders),
      low_order_(std::min(order_, first_low_order)), tolerance_(power(Ball(10), working_digits).upper()),
      centre_(f, size_) {
  tolerance_ = (Ball(1) / tolerance_).lower();
  const BallBits bits(deviation_bits);
  range_.emplace(f, size_);
  const Tape with = with_tangents(f, size_, size_);
  tangents_.emplace(with, size_);
  tangents_range_.emplace(with, size_);
}

double RigorousStepper::log_longest() const {
  double out = 600;
  for (std::size_t i = 0; i < size_; ++i)
    for (int k : {order_ - 2, order_ - 1})
      out = std::min(out, (log_size(local_[i]) - log_size(at(centre_, i, k))) / k);
  return out;
}

Vector<Ball> RigorousStepper::over(const Jets<Ball>& jets, const Ball& tau, int order, std::size_t first,
                                   std::size_t count) const {
  Vector<Ball> out;
  for (std::size_t i = first; i < first + count; ++i)
    out.push_back(horner(jets.series(i).data(), order, tau));
  return out;
}

/// High-order enclosure: if sum_{i<q} X_i [0,h]^i + [-eps, eps] is a box B with [0,h]^q f^[q](B) strictly
/// within [-eps, eps], every solution from the set exists over [0, h] and stays in B.
std::optional<Vector<Ball>> RigorousStepper::enclose(const Ball& t, const Ball& zero_to_h) {
  const Ball hq = power_of_range(zero_to_h, low_order_), now = t + zero_to_h;
  const Vector<Ball> polynomial = over(*tangents_, zero_to_h, low_order_, 0, size_);
  Vector<Ball> eps;
  for (std::size_t i = 0; i < size_; ++i)
    eps.push_back(bound(Ball(4) * at(*tangents_, i, low_order_) * hq +
                        Ball(0x1p-30) * at(*tangents_, i, 1) * zero_to_h) +
                  local_[i].upper());
  for (int inflation = 0; inflation < inflations; ++inflation) {
    Vector<Ball> box;
    for (std::size_t i = 0; i < size_; ++i) box.push_back(widened(polynomial[i], eps[i].upper()));
    range_->start(box, now, Ball(1));
    range_->extend(low_order_);
    if (!range_->finite()) return std::nullopt;
    bool inside = true;
    for (std::size_t i = 0; i < size_; ++i) {
      const Ball rest = bound(at(*range_, i, low_order_) * hq);
      if (certainly_less(rest, eps[i])) continue;
      inside = false;
      eps[i] = (Ball(2) * rest).upper();
    }
    if (inside) return box;
  }
  return std::nullopt;
}

/// The same for the variational equation, over the box that holds the solutions.
bool RigorousStepper::enclose_tangents(const Vector<Ball>& range, const Ball& t, const Ball& zero_to_h) {
  const Ball hq = power_of_range(zero_to_h, low_order_), now = t + zero_to_h;
  const Vector<Ball> polynomial = over(*tangents_, zero_to_h, low_order_, size_, size_ * size_);
  Vector<Ball> eps(polynomial.size());
  for (std::size_t v = 0; v < size_; ++v) {
    Ball largest; // of the direction
    for (std::size_t i = 0; i < size_; ++i) {
      const Ball entry = bound(polynomial[v * size_ + i]);
      if (!certainly_less(entry, largest)) largest = entry;
    }
    for (std::size_t i = 0; i < size_; ++i)
      eps[v * size_ + i] =
          (bound(Ball(4) * at(*tangents_, size_ * (v + 1) + i, low_order_) * hq) + Ball(0x1p-12) * largest)
              .upper();
  }
  Vector<Ball> start = range;
  start.resize(size_ * (size_ + 1));
  for (int inflation = 0; inflation < inflations; ++inflation) {
    for (std::size_t j = 0; j < eps.size(); ++j) start[size_ + j] = widened(polynomial[j], eps[j]);
    tangents_range_->start(start, now, Ball(1));
    tangents_range_->extend(low_order_);
    if (!tangents_range_->finite()) return false;
    bool inside = true;
    for (std::size_t j = 0; j < eps.size(); ++j) {
      const Ball rest = bound(at(*tangents_range_, size_ + j, low_order_) * hq);
      if (certainly_less(rest, eps[j])) continue;
      inside = false;
      eps[j] = (Ball(2) * rest).upper();
    }
    if (inside) return true;
  }
  return false;
}

double RigorousStepper::tangent_remainder(const Ball& h) const {
  const double log_hq = low_order_ * log_size(h);
  double out = 0;
  for (std::size_t v = 1; v <= size_; ++v) {
    double largest = -600, rest = -600;
    for (std::size_t i = 0; i < size_; ++i) {
      largest = std::max(largest, log_size(at(*tangents_range_, size_ * v + i, 0)));
      rest = std::max(rest, log_size(at(*tangents_range_, size_ * v + i, low_order_)) + log_hq);
    }
    out = std::max(out, std::exp(rest - largest));
  }
  return out;
}

double RigorousStepper::log_margin(const Ball& h) const {
  double out = 600;
  for (std::size_t i = 0; i < size_; ++i)
    out = std::min(out, (log_size(local_[i]) - log_size(at(*range_, i, order_))) / order_ - log_size(h));
  return out;
}

/// Every solution from the set is at tau: that of the centre, which is sum_{k<p} c_k tau^k + R tau^p with R
/// from the range, and a deviation J(tau) (x - m), J enclosed by its own series with a remainder of order q.
RigorousStep RigorousStepper::finish(LohnerSet& set, const Ball& t, const Ball& h,
                                     const Vector<Ball>& range) const {
  RigorousStep out{0, t, h, {}, range};
  Vector<Ball> image;
  const Ball hp = power(h, order_);
  for (std::size_t i = 0; i < size_; ++i) {
    const auto& c = centre_.series(i);
    out.series.emplace_back(c.begin(), c.begin() + order_);
    out.series.back().push_back(at(*range_, i, order_));
    image.push_back(horner(c.data(), order_, h) + at(*range_, i, order_) * hp);
  }
  Matrix<Ball> derivative(size_, size_);
  {
    const BallBits bits(deviation_bits);
    const Ball hq = power(h, low_order_);
    derivative.data = over(*tangents_, h, low_order_, size_, size_ * size_);
    for (std::size_t j = 0; j < derivative.data.size(); ++j)
      derivative.data[j] += at(*tangents_range_, size_ + j, low_order_) * hq;
  }
  const Vector<Ball>& deviation = set.deviation();
  for (int k = 0; k <= low_order_; ++k) {
    const Jets<Ball>& jets = k < low_order_ ? *tangents_ : *tangents_range_;
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t v = 0; v < size_; ++v)
        arb_addmul(out.series[i][static_cast<std::size_t>(k)].raw(), at(jets, size_ * (v + 1) + i, k).raw(),
                   deviation[v].raw(), BallBits::now());
  }
  set.advance(image, derivative);
  return out;
}

std::optional<RigorousStep> RigorousStepper::step(LohnerSet& set, const Ball& t, const Ball& remaining) {
  local_.clear();
  for (const Ball& x : set.centre()) {
    const Ball size = bound(x);
    local_.push_back(certainly_less(size, Ball(1)) ? tolerance_ : tolerance_ * size);
  }
  centre_.start(set.centre(), t, Ball(1));
  centre_.extend(order_ - 1);
  if (!centre_.finite()) return std::nullopt;
  const double log_remaining = log_size(remaining), guess = log_longest();

  const BallBits low(deviation_bits);
  Vector<Ball> start = set.box();
  start.resize(size_ * (size_ + 1), Ball(0));
  for (std::size_t i = 0; i < size_; ++i) start[size_ * (i + 1) + i] = Ball(1);
  tangents_->start(start, t, Ball(1));
  tangents_->extend(low_order_);
  if (!tangents_->finite()) return std::nullopt;

  const bool held_back = guess + log_ratio_ > log_last_ + largest_growth;
  double log_h = held_back ? log_last_ + largest_growth : guess + log_ratio_, back = first_back;
  for (int i = 0; i < tries; ++i) {
    Ball h = log_h >= log_remaining                  ? remaining
             : log_h > log_remaining - std::log(2.0) ? (remaining * Ball(0.5)).midpoint()
                                                     : short_number(log_h);
    const bool cut = log_h > log_remaining - std::log(2.0);
    const Ball zero_to_h = Ball::between(Ball(0), h.upper());
    const auto range = enclose(t, zero_to_h);
    if (!range) { // by how much it was too long is not known
      log_h = std::min(log_h, log_remaining) - back;
      back *= 2;
      ++rejected_;
      continue;
    }
    range_->extend(order_);
    const double margin = range_->finite() ? log_margin(h) : -1;
    if (margin < -0.3) { // a shorter step has a smaller range: worth doing again
      log_h = log_size(h) + std::max(margin, -2.0) * 0.7;
      ++rejected_;
      continue;
    }
    if (margin < 0) // what holds over a step holds over a shorter one
      if (const Ball shorter = short_number(log_size(h) + margin); certainly_less(shorter, h)) h = shorter;
    if (!enclose_tangents(*range, t, zero_to_h)) {
      log_h = log_size(h) - 0.5;
      ++rejected_;
      continue;
    }
    const double share = tangent_remainder(h);
    const int raised = share > share_large ? std::min(order_, low_order_ + higher) : low_order_;
    if (share > share_too_large && raised > low_order_) {
      low_order_ = raised;
      tangents_->extend(low_order_);
      ++rejected_;
      continue;
    }
    if ((!cut || i > 0) && !held_back && back < largest_back)
      log_ratio_ = log_size(h) - guess + std::clamp(margin, -0.1, 0.1);
    const BallBits working(bits_);
    log_last_ = log_size(h);
    RigorousStep out = finish(set, t, h, *range);
    low_order_ = share < share_small ? std::max(least_low_order, low_order_ - 1) : raised;
    return out;
  }
  return std::nullopt;
}

} // namespace attndyn
