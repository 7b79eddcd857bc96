#include "verification/proof/certificate.hpp"

#include "verification/all_claims.hpp"
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
constexpr std::int64_t least_bits = 64, most_bits = 4096;

Json fact_json(const Fact& f) {
  Json arguments = Json::object();
  for (const auto& [name, value] : f.arguments) arguments[name] = value;
  Json out{{"kind", f.kind}, {"says", words_of(f)}, {"arguments", std::move(arguments)}};
  if (!f.lower.empty()) {
    out["lower"] = f.lower;
    out["upper"] = f.upper;
  }
  return out;
}

Json certificate_json(const Certificate& c) {
  Json facts = Json::array();
  for (const Fact& f : c.facts) facts.push_back(fact_json(f));
  return {{"format", format_name},    {"made_by", "attndyn " ATTNDYN_VERSION},
          {"claim", c.claim},         {"source", c.source},
          {"statement", c.statement}, {"bits", c.bits},
          {"facts", std::move(facts)}};
}

/// A part that must be there, of one type.
const Json& part(const Json& in, const char* name, Json::value_t type) {
  if (!in.is_object() || !in.contains(name)) throw std::invalid_argument(fmt::format("{}: is missing", name));
  const Json& out = in.at(name);
  const bool integer = type == Json::value_t::number_unsigned && out.is_number_unsigned();
  if (!integer && out.type() != type)
    throw std::invalid_argument(fmt::format("{}: is of the wrong type", name));
  return out;
}

std::string text_part(const Json& in, const char* name) {
  return part(in, name, Json::value_t::string).get<std::string>();
}

} // namespace

std::string words_of(const Fact& f) {
  std::string out = find_fact_kind(f.kind).title;
  const char* separator = ": ";
  for (const auto& [name, value] : f.arguments) {
    out += fmt::format("{}{} = {}", separator, name, value);
    separator = ", ";
  }
  return out;
}

std::string to_json(const Certificate& c) {
  Json json = certificate_json(c);
  json["sha256"] = sha256(json.dump());
  return json.dump(2) + "\n";
}

Certificate certificate_from_json(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || json.value("format", Json()) != Json(format_name))
    throw std::invalid_argument(fmt::format("is no certificate (JSON with format = \"{}\")", format_name));
  const std::string digest = text_part(json, "sha256");
  json.erase("sha256");
  if (digest != sha256(json.dump(-1, ' ', false, Json::error_handler_t::replace)))
    throw std::invalid_argument("has been changed since it was made: sha256 does not fit");
  Certificate c;
  c.claim = text_part(json, "claim");
  c.source = text_part(json, "source");
  c.statement = text_part(json, "statement");
  const auto bits = part(json, "bits", Json::value_t::number_unsigned).get<std::uint64_t>();
  if (bits < least_bits || bits > most_bits)
    throw std::invalid_argument(fmt::format("bits = {}: must be from {} to {}", bits, least_bits, most_bits));
  c.bits = static_cast<int>(bits);
  for (const Json& fact : part(json, "facts", Json::value_t::array)) {
    Fact f{text_part(fact, "kind"), {}, {}, {}};
    for (const auto& [name, value] : part(fact, "arguments", Json::value_t::object).items())
      f.arguments.emplace_back(name, text_part(fact.at("arguments"), name.c_str()));
    if (fact.contains("lower")) {
      f.lower = text_part(fact, "lower");
      f.upper = text_part(fact, "upper");
    }
    if (fact != fact_json(f))
      throw std::invalid_argument(
          fmt::format("fact {}: its words are not those of the fact, or it holds more", c.facts.size() + 1));
    c.facts.push_back(std::move(f));
  }
  if (c.facts.empty()) throw std::invalid_argument("holds no fact");
  Json again = certificate_json(c);
  again["made_by"] = json.value("made_by", Json());
  if (again != json) throw std::invalid_argument("holds more than a certificate does");
  return c;
}

namespace {

/// Of the claim list, with its facts in their order.
void check_against_claim(const Certificate& c, std::vector<std::string>& problems) {
  const Claim& claim = find_claim(c.claim); // throws for a name that is none
  if (c.source != claim.source || c.statement != claim.statement)
    problems.push_back("source or statement: is not that of claim " + claim.id);
  const Certificate wanted = outline_of(claim);
  bool same = wanted.facts.size() == c.facts.size();
  for (std::size_t i = 0; same && i < c.facts.size(); ++i)
    same = wanted.facts[i].kind == c.facts[i].kind && wanted.facts[i].arguments == c.facts[i].arguments;
  if (!same)
    problems.push_back(fmt::format("facts: are not the {} of claim {}", wanted.facts.size(), claim.id));
}

bool narrow(const FactKind& kind, const Ball& lower, const Ball& upper) {
  const Ball widest = parse_real<Ball>(kind.widest);
  if (kind.vanishes) return arb_le(abs(lower).raw(), widest.raw()) && arb_le(abs(upper).raw(), widest.raw());
  return arb_le((upper - lower).raw(), (widest * (Ball(1) + abs(upper))).raw());
}

bool confirmed(const Fact& f) {
  const FactKind& kind = find_fact_kind(f.kind);
  if (kind.quantity == nullptr) return kind.confirms(f);
  const Ball lower = parse_real<Ball>(f.lower), upper = parse_real<Ball>(f.upper);
  if (!narrow(kind, lower, upper))
    throw std::invalid_argument("is wider than a certificate of this kind may be");
  if (kind.confirms != nullptr) return kind.confirms(f);
  const Ball q = kind.quantity(f);
  return arb_le(lower.raw(), q.raw()) && arb_le(q.raw(), upper.raw());
}

} // namespace

std::vector<std::string> unconfirmed(const Certificate& c) {
  std::vector<std::string> problems;
  const BallBits bits(c.bits);
  try {
    check_against_claim(c, problems);
  } catch (const std::exception& e) {
    problems.push_back(e.what());
  }
  for (const Fact& f : c.facts) {
    try {
      if (!confirmed(f)) problems.push_back(words_of(f) + ": not confirmed");
    } catch (const std::exception& e) {
      problems.push_back(words_of(f) + ": " + e.what());
    }
  }
  return problems;
}

} // namespace attndyn::verification
