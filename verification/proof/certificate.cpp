#include "verification/proof/certificate.hpp"

#include "verification/proof/facts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <openssl/sha.h>

#include <stdexcept>

namespace attndyn::verification {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* format_name = "attndyn certificate 1";

std::string sha256(const std::string& text) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
  std::string out;
  for (unsigned char byte : digest) out += fmt::format("{:02x}", byte);
  return out;
}

/// Bounds what a file can make the checker do.
constexpr int least_bits = 64, most_bits = 100'000;

} // namespace

std::string to_json(const Certificate& c) {
  Json facts = Json::array();
  for (const Fact& f : c.facts) {
    Json arguments = Json::object();
    for (const auto& [name, value] : f.arguments) arguments[name] = value;
    Json fact{{"kind", f.kind}, {"says", f.says}, {"arguments", arguments}};
    if (!f.lower.empty()) {
      fact["lower"] = f.lower;
      fact["upper"] = f.upper;
    }
    facts.push_back(std::move(fact));
  }
  Json json{{"format", format_name},    {"made_by", "attndyn " ATTNDYN_VERSION},
            {"claim", c.claim},         {"source", c.source},
            {"statement", c.statement}, {"bits", c.bits},
            {"facts", std::move(facts)}};
  json["sha256"] = sha256(json.dump());
  return json.dump(2) + "\n";
}

Certificate certificate_from_json(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || json.value("format", Json()) != Json(format_name))
    throw std::invalid_argument(fmt::format("is no certificate (JSON with format = \"{}\")", format_name));
  try {
    const std::string digest = json.at("sha256").get<std::string>();
    json.erase("sha256");
    if (digest != sha256(json.dump()))
      throw std::invalid_argument("has been changed since it was made: sha256 does not fit");
    Certificate c;
    c.claim = json.at("claim").get<std::string>();
    c.source = json.at("source").get<std::string>();
    c.statement = json.at("statement").get<std::string>();
    c.bits = json.at("bits").get<int>();
    if (c.bits < least_bits || c.bits > most_bits)
      throw std::invalid_argument(
          fmt::format("bits = {}: must be from {} to {}", c.bits, least_bits, most_bits));
    for (const Json& fact : json.at("facts")) {
      Fact f{fact.at("kind").get<std::string>(), fact.at("says").get<std::string>(), {}, {}, {}};
      for (const auto& [name, value] : fact.at("arguments").items())
        f.arguments.emplace_back(name, value.get<std::string>());
      if (fact.contains("lower")) {
        f.lower = fact.at("lower").get<std::string>();
        f.upper = fact.at("upper").get<std::string>();
      }
      c.facts.push_back(std::move(f));
    }
    if (c.facts.empty()) throw std::invalid_argument("holds no fact");
    return c;
  } catch (const nlohmann::json::exception& e) {
    throw std::invalid_argument(std::string("is no certificate: ") + e.what());
  }
}

std::vector<std::string> unconfirmed(const Certificate& c) {
  std::vector<std::string> problems;
  const BallBits bits(c.bits);
  for (const Fact& f : c.facts) {
    try {
      const FactKind& kind = find_fact_kind(f.kind);
      bool confirmed = false;
      if (kind.confirms != nullptr) {
        confirmed = kind.confirms(f);
      } else {
        const Ball lower = parse_real<Ball>(f.lower), upper = parse_real<Ball>(f.upper), q = kind.quantity(f);
        confirmed = arb_le(lower.raw(), q.raw()) && arb_le(q.raw(), upper.raw());
      }
      if (!confirmed) problems.push_back(f.says + ": not confirmed");
    } catch (const std::exception& e) {
      problems.push_back(f.says + ": " + e.what());
    }
  }
  return problems;
}

} // namespace attndyn::verification
