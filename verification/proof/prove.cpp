#include "verification/proof/prove.hpp"

#include "lib/models/separable.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace attndyn::verification {

void Prover::vanishes(const std::string& kind, const std::string& says, Parameters arguments, int digits) {
  const Fact f = proved(kind, says, std::move(arguments), 10);
  const double low = Number(f.lower).approx(), high = Number(f.upper).approx();
  findings_.equal(says, low + (high - low) / 2, 0, std::pow(10.0, -digits), says);
  findings_.equal("width of the enclosure: " + says, high - low, 0, std::pow(10.0, -digits), says);
  certificate_.facts.push_back(f);
}

void Prover::encloses(const std::string& kind, const std::string& says, Parameters arguments,
                      double predicted) {
  const Fact f = proved(kind, says, std::move(arguments), proof_digits);
  findings_.equal(says, Number(f.lower).approx(), predicted, 1e-9 * (1 + std::abs(predicted)), says);
  certificate_.facts.push_back(f);
}

void Prover::holds(const std::string& kind, const std::string& says, Parameters arguments) {
  certificate_.facts.push_back(proved(kind, says, std::move(arguments), proof_digits));
  findings_.at_least(says, 1, 0, 1, says); // proved: it would have thrown
}

void Prover::log_gap_at(const EquiangularParams& p, const Number& t, double predicted) {
  const Ball y = Separable(p).at_digits(t, proof_digits + 2).log_gap;
  Parameters arguments = text_of(p);
  arguments.emplace_back("t", t.text());
  Fact f{
      "log_gap_at",
      fmt::format("log(1-g) of {}, n = {}, beta = {} at t = {}", p.scheme.name, p.n, p.beta.text(), t.text()),
      std::move(arguments),
      {},
      {}};
  // One more unit on each side, so that the bracket has room to be certain.
  const Ball room = parse_real<Ball>(fmt::format("1e-{}", proof_digits));
  f.lower = lower_text(y - room, proof_digits);
  f.upper = upper_text(y + room, proof_digits);
  if (!find_fact_kind(f.kind).confirms(f)) throw std::runtime_error(f.says + ": is not confirmed");
  findings_.equal(f.says, Number(f.lower).approx(), predicted, 1e-9 * (1 + std::abs(predicted)), f.says);
  certificate_.facts.push_back(std::move(f));
}

} // namespace attndyn::verification
