#include "verification/proof/prove.hpp"

#include "lib/models/separable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attndyn::verification {

bool Prover::outlined(const std::string& kind, Parameters& arguments) {
  if (certificate_.outline) certificate_.facts.push_back({kind, std::move(arguments), {}, {}});
  return certificate_.outline;
}

void Prover::vanishes(const std::string& kind, Parameters arguments, int digits) {
  if (outlined(kind, arguments)) return;
  const Fact f = proved(kind, std::move(arguments), 10);
  const double low = Number(f.lower).approx(), high = Number(f.upper).approx();
  const std::string words = words_of(f);
  findings_.equal(words, low + (high - low) / 2, 0, std::pow(10.0, -digits), words);
  findings_.equal("width of the enclosure: " + words, high - low, 0, std::pow(10.0, -digits), words);
  certificate_.facts.push_back(f);
}

void Prover::encloses(const std::string& kind, Parameters arguments, double predicted) {
  if (outlined(kind, arguments)) return;
  const Fact f = proved(kind, std::move(arguments), proof_digits);
  const std::string words = words_of(f);
  findings_.equal(words, Number(f.lower).approx(), predicted, 1e-9 * (1 + std::abs(predicted)), words);
  certificate_.facts.push_back(f);
}

void Prover::holds(const std::string& kind, Parameters arguments) {
  if (outlined(kind, arguments)) return;
  certificate_.facts.push_back(proved(kind, std::move(arguments), proof_digits));
  const std::string words = words_of(certificate_.facts.back());
  findings_.at_least(words, 1, 0, 1, words); // proved: it would have thrown
}

void Prover::refutes(const std::string& kind, Parameters arguments) {
  if (outlined(kind, arguments)) return;
  const Fact f = proved(kind, std::move(arguments), proof_digits);
  const std::string words = words_of(f);
  const double low = Number(f.lower).approx();
  if (!(low > 0)) throw std::runtime_error(words + ": is not certainly positive");
  const double width = Number(f.upper).approx() - low;
  findings_.at_least("minus the violation: " + words, -low, 0, std::max(width, low * 1e-15), words, false);
  certificate_.facts.push_back(f);
}

void Prover::log_gap_at(const EquiangularParams& p, const Number& t,
                        const std::function<double()>& predicted) {
  Parameters arguments = text_of(p);
  arguments.emplace_back("t", t.text());
  if (outlined("log_gap_at", arguments)) return;
  Fact f{"log_gap_at", std::move(arguments), {}, {}};
  const Ball y = Separable(p).at_digits(t, proof_digits + 2).log_gap;
  // One more unit on each side, so that the bracket has room to be certain.
  const Ball room = parse_real<Ball>(fmt::format("1e-{}", proof_digits));
  f.lower = lower_text(y - room, proof_digits);
  f.upper = upper_text(y + room, proof_digits);
  const std::string words = words_of(f);
  if (!find_fact_kind(f.kind).confirms(f)) throw std::runtime_error(words + ": is not confirmed");
  const double expected = predicted();
  findings_.equal(words, Number(f.lower).approx(), expected, 1e-9 * (1 + std::abs(expected)), words);
  certificate_.facts.push_back(std::move(f));
}

} // namespace attndyn::verification
