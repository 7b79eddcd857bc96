/// Random numbers that are a pure function of (seed, unit, purpose, index): Philox4x64-10 of Random123
/// (Salmon, Moraes, Dror, Shaw 2011) and our own normal law. Nothing here but integers, + - * / and sqrt, so
/// the bits are the same on every IEEE machine, in any order, on any number of threads.
#pragma once

#include <array>
#include <cstdint>

namespace attndyn {

/// What the numbers are for, so that two uses never share them. The values are part of every published
/// result: new purposes get new numbers, old ones keep theirs.
enum class Purpose : std::uint64_t {
  tokens = 1,
  radii = 2,
  weights_q = 3,
  weights_k = 4,
  weights_v = 5,
  weights_w = 6,
  masses = 7,
  search = 8,
  noise = 9,
  bootstrap = 10,
};

/// The quantile of the standard normal law, relative error < 1e-15: algorithm AS 241, PPND16 (Wichura 1988),
/// rational functions of p - 1/2 and of sqrt(-log p). -inf at 0, inf at 1, NaN outside [0, 1].
double normal_quantile(double p);

/// One endless sequence of random numbers. Each index holds 64 random bits, from which bits, uniform and
/// normal all draw: at the same index they are functions of one another. The seed names an experiment, the
/// unit one member of an ensemble.
class Stream {
public:
  Stream(std::uint64_t seed, std::uint64_t unit, Purpose purpose);

  /// By index, without touching the position.
  std::uint64_t bits_at(std::uint64_t index) const;
  double uniform_at(std::uint64_t index) const;
  double normal_at(std::uint64_t index) const;

  /// The next one in order, from index 0.
  std::uint64_t bits();
  /// An odd multiple of 2^-53 in (0, 1): never 0, 1/2 or 1, and 1 - uniform() has the same law exactly.
  double uniform();
  /// Standard normal: normal_quantile of the uniform number; never 0, |normal()| < 8.3.
  double normal();

private:
  using Block = std::array<std::uint64_t, 4>;
  Block block(std::uint64_t number) const;

  std::uint64_t seed_, unit_, purpose_;
  std::uint64_t next_ = 0;
  Block current_{}; // the block of index next_ - 1, once next_ > 0
};

} // namespace attndyn
