/// Models that are wrong on purpose: a claim whose check cannot tell them from the right one checks nothing.
#pragma once

#include "verification/claim.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attndyn::testing {

/// Spoils the derivative of a right model.
class WrongModel final : public Model<double> {
public:
  using Spoil = std::function<void(const Vector<double>& x, Vector<double>& dxdt, double t)>;
  WrongModel(std::shared_ptr<const Model<double>> right, Spoil spoil)
      : right_(std::move(right)), spoil_(std::move(spoil)) {}

  std::size_t size() const override { return right_->size(); }
  const Vector<double>& switches() const override { return right_->switches(); }
  void field(std::size_t piece, const Vector<double>& x, Vector<double>& dxdt,
             const double& t) const override {
    right_->field(piece, x, dxdt, t);
    spoil_(x, dxdt, t);
  }
  double retract(Vector<double>& x) const override { return right_->retract(x); }
  bool retracts() const override { return right_->retracts(); }
  double scale() const override { return right_->scale(); }
  std::optional<Trouble<double>> trouble(const Situation& at) const override { return right_->trouble(at); }

private:
  std::shared_ptr<const Model<double>> right_;
  Spoil spoil_;
};

struct Sabotage {
  std::string name;
  verification::ModelFactory factory;
};

/// theta' and y' times factor.
inline Sabotage speed_times(std::string name, double factor) {
  Sabotage s{std::move(name), {}};
  s.factory.particles =
      [factor](std::shared_ptr<const Particles<double>> right) -> std::shared_ptr<const Model<double>> {
    const Shape shape = right->shape();
    return std::make_shared<WrongModel>(right, [=](const Vector<double>&, Vector<double>& dxdt, double) {
      for (std::size_t i = 0; i < shape.n * shape.d; ++i) dxdt[i] *= factor;
    });
  };
  s.factory.equiangular =
      [factor](std::shared_ptr<const Equiangular<double>> right) -> std::shared_ptr<const Model<double>> {
    return std::make_shared<WrongModel>(
        right, [=](const Vector<double>&, Vector<double>& dxdt, double) { dxdt[0] *= factor; });
  };
  return s;
}

/// The right derivative with something of its own added by `spoil(particles, x, dxdt, t)`; the reduction
/// stays right.
inline Sabotage particles_spoiled(
    std::string name,
    std::function<void(const Particles<double>&, const Vector<double>&, Vector<double>&, double)> spoil) {
  Sabotage s{std::move(name), {}};
  s.factory.particles =
      [spoil](std::shared_ptr<const Particles<double>> right) -> std::shared_ptr<const Model<double>> {
    return std::make_shared<WrongModel>(
        right, [=](const Vector<double>& x, Vector<double>& dxdt, double t) { spoil(*right, x, dxdt, t); });
  };
  return s;
}

/// theta' of another attention, softmax models only: term(particles, cosine, j, k) >= 0 over their sums over
/// k (on the wrong axis: over j). s_j and r' stay those of the right one.
inline Sabotage attention_replaced(
    std::string name,
    std::function<double(const Particles<double>&, double cosine, std::size_t j, std::size_t k)> term,
    bool wrong_axis = false) {
  return particles_spoiled(std::move(name), [=](const auto& p, const auto& x, auto& dxdt, double t) {
    if (p.kind() != Attention::softmax) return;
    const auto [n, d] = p.shape();
    const auto s = p.speed_factors(0, x, t);
    Matrix<double> w(n, n);
    Vector<double> sums(n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        w(j, k) = term(p, dot(&x[j * d], &x[k * d], d), j, k);
        sums[wrong_axis ? k : j] += w(j, k);
      }
    for (std::size_t j = 0; j < n; ++j) {
      Vector<double> A(d, 0.0);
      for (std::size_t k = 0; k < n; ++k)
        if (const double sum = sums[wrong_axis ? k : j]; sum > 0)
          for (std::size_t i = 0; i < d; ++i) A[i] += w(j, k) / sum * x[k * d + i];
      const double along = dot(A.data(), &x[j * d], d);
      for (std::size_t i = 0; i < d; ++i) dxdt[j * d + i] = (A[i] - along * x[j * d + i]) / s[j];
    }
  });
}

inline std::vector<Sabotage> all_sabotages() {
  std::vector<Sabotage> list;
  list.push_back(speed_times("a missing factor 2", 0.5));
  list.push_back(speed_times("2 % too fast", 1.02));
  list.push_back(
      particles_spoiled("projection dropped", [](const auto& p, const auto& x, auto& dxdt, double) {
        // P A becomes A - a theta / 2: half of the radial part stays in.
        const auto [n, d] = p.shape();
        for (std::size_t i = 0; i < n * d; ++i) dxdt[i] += 0.5 * x[i];
      }));
  list.push_back(
      particles_spoiled("s and 1/s exchanged", [](const auto& p, const auto& x, auto& dxdt, double t) {
        const auto s = p.speed_factors(0, x, t);
        const auto [n, d] = p.shape();
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = 0; i < d; ++i) dxdt[j * d + i] *= s[j] * s[j];
      }));
  list.push_back(particles_spoiled("r not updated", [](const auto& p, const auto&, auto& dxdt, double) {
    const auto [n, d] = p.shape();
    for (std::size_t j = 0; j < n; ++j) dxdt[n * d + j] = 0;
  }));
  list.push_back(particles_spoiled("tokens repel", [](const auto& p, const auto&, auto& dxdt, double) {
    const auto [n, d] = p.shape();
    for (std::size_t i = 0; i < n * d; ++i) dxdt[i] = -dxdt[i];
  }));
  list.push_back(particles_spoiled("one token left out", [](const auto& p, const auto&, auto& dxdt, double) {
    for (std::size_t i = 0; i < p.shape().d; ++i) dxdt[i] = 0;
  }));
  list.push_back(particles_spoiled("the clock of sqrt-scaling in every scheme",
                                   [](const auto& p, const auto&, auto& dxdt, double t) {
                                     const auto [n, d] = p.shape();
                                     for (std::size_t i = 0; i < n * d; ++i) dxdt[i] /= std::sqrt(1 + t);
                                   }));
  list.push_back(attention_replaced(
      "softmax over the wrong axis",
      [](const auto& p, double c, auto j, auto) { return p.masses()[j] * std::exp(p.beta() * (c - 1)); },
      true));
  list.push_back(attention_replaced("masses as temperature", [](const auto& p, double c, auto, auto k) {
    return std::exp(p.beta() * static_cast<double>(p.masses().size()) * p.masses()[k] * (c - 1));
  }));
  list.push_back(attention_replaced("the token itself left out", [](const auto& p, double c, auto j, auto k) {
    return j == k ? 0.0 : p.masses()[k] * std::exp(p.beta() * (c - 1));
  }));
  list.push_back(attention_replaced("beta doubled", [](const auto& p, double c, auto, auto k) {
    return p.masses()[k] * std::exp(2 * p.beta() * (c - 1));
  }));
  return list;
}

} // namespace attndyn::testing
