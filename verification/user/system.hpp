/// The system of a user's claim at one point of its domain: its model, its start, and what its samples show,
/// with error bars.
#pragma once

#include "lib/io.hpp"
#include "lib/solve.hpp"
#include "verification/runs.hpp"
#include "verification/user/description.hpp"
#include "verification/user/formula.hpp"

#include <memory>
#include <string>
#include <vector>

namespace attndyn::verification::user {

struct Measured {
  double value, bar;
};

/// What formulas see at one time: a value and a bar for each of all_names().
struct Seen {
  std::vector<double> values, bars;
};

class System {
public:
  /// Throws std::invalid_argument naming file, key, value and rule.
  System(const Description&, const Context&, const Setting&, std::uint64_t draw);

  Formula formula(const std::string& key, const std::string& text) const;
  /// The window at this point.
  double begin() const { return begin_; }
  double end() const { return end_; }

  /// As run() of runs.hpp, with a bound on the work. event: where the run ends, if given.
  struct Track {
    std::vector<Sample<double>> samples;
    double error;     ///< the promised bound on every sample
    bool met = false; ///< the event; its state is then the last sample
  };
  Track solve(const std::vector<double>& times, double tolerance, const Event<double>* event = nullptr) const;
  /// The state at t, a short way from that of a sample; good to the tolerance from there.
  Sample<double> near(const Sample<double>& from, double t, double tolerance) const;

  /// Only observables that `wanted` uses are worked out. error: Track::error.
  Seen see(const Sample<double>&, double error, const std::vector<const Formula*>& wanted) const;
  Measured measure(const Formula&, const Sample<double>&, double error) const;
  static Measured measure(const Formula&, const Seen&);
  /// d/dt of the formula along the flow, by differences along (1, f) that are refined until rounding sets in.
  Measured derivative(const Formula&, const Sample<double>&, double error) const;

  Sample<double> sample(const Vector<double>& x, double t) const { return {t, x, piece_at(t)}; }
  Sample<double> start_sample() const { return sample(start_, 0); }
  /// Where all_names() has the first observable, and t.
  std::size_t first_observable() const { return first_observable_; }
  std::size_t time_index() const { return time_index_; }
  const std::string& where() const { return where_; }
  /// A file that `attndyn particles` or `attndyn equiangular` replays up to t; empty for an ODE.
  std::string witness(const std::string& says, const std::string& observe, double t, const Seen&) const;
  /// Tokens squared times dimension, 1 for a reduced system.
  double work() const { return work_; }

private:
  void make_particles_at(const Context&, std::uint64_t draw);
  void make_equiangular_at(const Context&);
  void make_ode();
  Tokens<double> start_tokens(const Context&, std::uint64_t draw) const;
  const Number& required(const std::string& name) const;
  Number number_or(const std::string& name, const char* otherwise) const;
  double value_of(const std::string& key, const std::string& formula) const;
  std::size_t size_of(const std::string& name, double most) const;
  std::size_t piece_at(double t) const;
  void put_particles(const Sample<double>&, double error, const std::vector<bool>& wanted, Seen&) const;
  void put_equiangular(const Sample<double>&, double error, Seen&) const;

  const Description* description_;
  Setting setting_;
  std::vector<std::string> names_;
  std::size_t first_observable_, time_index_;
  std::vector<double> implied_; ///< values of implied_names(), the last of all_names()
  ModelFactory::Field model_;
  Vector<double> start_;
  std::shared_ptr<const Particles<double>> particles_;
  std::shared_ptr<const Equiangular<double>> equiangular_;
  double begin_ = 0, end_ = 0, work_ = 1;
  std::string where_;
  Parameters replay_; ///< options of the witness
};

} // namespace attndyn::verification::user
