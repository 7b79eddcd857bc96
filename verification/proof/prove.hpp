/// What claims share at proof level: facts go into the certificate, and each is a comparison of the verdict.
#pragma once

#include "verification/claim.hpp"
#include "verification/proof/certificate.hpp"
#include "verification/proof/facts.hpp"

namespace attndyn::verification {

/// Digits to which quantities are enclosed, and the bits that takes.
constexpr int proof_digits = 50, proof_bits = 256;

/// In an outline facts are named and nothing is computed.
class Prover {
public:
  Prover(Certificate& certificate, Findings& findings) : certificate_(certificate), findings_(findings) {}

  /// The quantity is enclosed within 10^-digits of zero.
  void vanishes(const std::string& kind, Parameters arguments, int digits = proof_digits);
  /// The quantity is enclosed; predicted by another route to double precision.
  void encloses(const std::string& kind, Parameters arguments, double predicted);
  /// The kind confirms by itself.
  void holds(const std::string& kind, Parameters arguments);
  /// The quantity is by how much a statement is violated; it is enclosed and certainly positive.
  void refutes(const std::string& kind, Parameters arguments);
  /// log(1-g) at t lies between two decimals; predicted: as above, called outside an outline only.
  void log_gap_at(const EquiangularParams&, const Number& t, const std::function<double()>& predicted);

private:
  bool outlined(const std::string& kind, Parameters& arguments);

  Certificate& certificate_;
  Findings& findings_;
};

} // namespace attndyn::verification
