/// Clocks that follow the closest pair of tokens, for attention at large beta, where pairs move at rates
/// e^{-beta (1 - cosine)} that differ by many orders ([MFT] Thm 6, [DMS]).
#pragma once

#include "lib/models/particles.hpp"

#include <functional>
#include <memory>

namespace attndyn::analysis {

/// The smallest 1 - <x_i, x_j> of a state of Particles; 2 for one token.
double smallest_gap(const Vector<double>& x, Shape shape);

/// log R(x), R = sum_{i<j} (m_i + m_j) e^{-beta (1 - <x_i, x_j>)}: the rate at which the closest pairs move,
/// up to a factor that does not grow with beta. -infinity for one token.
double log_pair_rate(const Vector<double>& x, Shape shape, double beta, const Vector<double>& masses);

/// A model in the clock dt = ds e^{-log_rate(x)}.
class Reclocked final : public Model<double> {
public:
  using LogRate = std::function<double(const Vector<double>&)>;
  Reclocked(std::shared_ptr<const Model<double>> model, LogRate log_rate)
      : model_(std::move(model)), log_rate_(std::move(log_rate)) {}
  std::size_t size() const override { return model_->size(); }
  void field(std::size_t piece, const Vector<double>& x, Vector<double>& dxdt,
             const double& t) const override;
  double retract(Vector<double>& x) const override { return model_->retract(x); }
  bool retracts() const override { return model_->retracts(); }
  double scale() const override { return model_->scale(); }

private:
  std::shared_ptr<const Model<double>> model_;
  LogRate log_rate_;
};

/// Tokens in the clock dt = ds/R(x), and after them in the state T(s), the time since the start in units of
/// 1/R(start): T' = 1 at first, and less as the pair comes closer.
class PairClock final : public Model<double> {
public:
  /// tokens: a model with the state of Particles, of that shape. masses: n values with sum 1.
  PairClock(std::shared_ptr<const Model<double>> tokens, Shape shape, double beta, Vector<double> masses,
            const Vector<double>& start)
      : tokens_(std::move(tokens)), shape_(shape), beta_(beta), masses_(std::move(masses)),
        log_rate_at_start_(log_pair_rate(start, shape, beta, masses_)) {}

  std::size_t size() const override { return state_size(shape_) + 1; }
  void field(std::size_t piece, const Vector<double>& x, Vector<double>& dxdt,
             const double& t) const override;
  double retract(Vector<double>& x) const override { return normalise_directions(x, shape_); }
  bool retracts() const override { return true; }
  /// log of the unit of T.
  double log_unit() const { return -log_rate_at_start_; }

private:
  std::shared_ptr<const Model<double>> tokens_;
  Shape shape_;
  double beta_;
  Vector<double> masses_;
  double log_rate_at_start_;
};

} // namespace attndyn::analysis
