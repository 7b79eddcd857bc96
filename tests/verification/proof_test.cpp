// Level proof: certificates confirm themselves when read back, and do not when anything in them is changed.
#define BOOST_TEST_MODULE proof
#include "verification/proof/certificate.hpp"

#include "verification/all_claims.hpp"
#include "verification/proof/facts.hpp"
#include "verification/proof/identity.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <openssl/sha.h>

#include <cctype>

using namespace attndyn;
using namespace attndyn::verification;

namespace {

Certificate certificate_of(const char* id) {
  Context context;
  context.level = Level::proof;
  const Outcome o = decide(find_claim(id), context);
  BOOST_REQUIRE_MESSAGE(o.verdict == Verdict::holds,
                        id << ": " << (o.evidence.basis.empty() ? "" : o.evidence.basis.back()));
  BOOST_REQUIRE(o.certificate != nullptr);
  return *o.certificate;
}

bool complains(const Certificate& c, const std::string& about) {
  for (const std::string& problem : unconfirmed(c))
    if (problem.find(about) != std::string::npos) return true;
  return false;
}

const char* const proved_claims[] = {"NAD-4.1-initial", "NAD-4.1-terminal", "NAD-time-change",
                                     "MPT-orthogonal", "MFT-equiangular"};

/// The decimal moved away from the enclosure, into it, by this share of itself.
std::string moved(const std::string& decimal, double share) {
  const BallBits bits(512);
  const Ball x = parse_real<Ball>(decimal);
  return lower_text(x + abs(x) * Ball(share), 60);
}

} // namespace

BOOST_AUTO_TEST_CASE(every_certificate_confirms_itself_when_read_back) {
  for (const char* id : proved_claims) {
    const Certificate c = certificate_of(id);
    BOOST_TEST(c.facts.size() >= 14u);
    const Certificate again = certificate_from_json(to_json(c));
    BOOST_TEST(again.facts.size() == c.facts.size());
    BOOST_TEST(unconfirmed(again).empty(), id);
  }
}

BOOST_AUTO_TEST_CASE(a_certificate_changed_in_one_digit_is_rejected) {
  const std::string text = to_json(certificate_of("NAD-time-change"));
  std::size_t tried = 0;
  for (std::size_t i = 0; i < text.size(); i += 5) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) continue;
    std::string tampered = text;
    tampered[i] = static_cast<char>('0' + (text[i] - '0' + 1) % 10);
    BOOST_CHECK_THROW(certificate_from_json(tampered), std::invalid_argument);
    ++tried;
  }
  BOOST_TEST(tried > 200u);
}

// With a digest made anew: then the numbers themselves must tell.
BOOST_AUTO_TEST_CASE(a_false_bound_is_not_confirmed_even_under_a_fresh_digest) {
  Certificate c = certificate_of("MFT-equiangular");
  std::size_t values = 0;
  for (std::size_t i = 0; i < c.facts.size(); ++i) {
    if (c.facts[i].kind != "log_gap_at") continue;
    ++values;
    for (const double share : {1e-6, 1e-40}) {
      Certificate wrong = c;
      wrong.facts = {c.facts[i]}; // log(1-g) < 0: moving up the lower end past the value
      wrong.facts[0].lower = moved(c.facts[i].upper, share);
      wrong.facts[0].upper = moved(c.facts[i].upper, share + 1e-48);
      BOOST_TEST(complains(certificate_from_json(to_json(wrong)), "not confirmed"), words_of(c.facts[i]));
    }
  }
  BOOST_TEST(values == 14u);

  c = certificate_of("NAD-4.1-terminal");
  for (const Fact& f : c.facts) {
    if (f.kind != "terminal_constant") continue;
    Certificate wrong = c;
    wrong.facts = {f};
    for (auto& [name, value] : wrong.facts[0].arguments) // another system
      if (name == "beta") value = value == "0" ? "1/1000000" : value + "000001/1000000";
    BOOST_TEST(complains(wrong, "not confirmed"), words_of(f));
    wrong.facts = {f};
    wrong.facts[0].lower = moved(f.upper, 1e-45);
    wrong.facts[0].upper = moved(f.upper, 1e-45 + 1e-49);
    BOOST_TEST(complains(wrong, "not confirmed"), words_of(f));
    wrong.facts[0].lower = "-1e300";
    wrong.facts[0].upper = "1e300";
    BOOST_TEST(complains(wrong, "wider"), words_of(f));
  }
}

BOOST_AUTO_TEST_CASE(a_narrower_bracket_than_can_be_certain_is_not_confirmed) {
  Certificate c = certificate_of("MFT-equiangular");
  for (Fact& f : c.facts)
    if (f.kind == "log_gap_at") {
      f.lower = f.upper;
      c.facts = {f};
      break;
    }
  BOOST_TEST(complains(c, "not confirmed"));
}

BOOST_AUTO_TEST_CASE(growth_is_not_confirmed_where_g_does_not_grow) {
  // g0 exactly on the simplex is refused; boxes too wide to be certain are not confirmed.
  EquiangularParams p;
  p.n = 8;
  p.beta = 400;
  p.g0 = "-1/8";
  Fact f{"gap_decreases", text_of(p), {}, {}};
  f.arguments.emplace_back("boxes", "1");
  const BallBits bits(128);
  BOOST_TEST(!find_fact_kind(f.kind).confirms(f));
  f.arguments.back().second = "4000";
  BOOST_TEST(find_fact_kind(f.kind).confirms(f));
  for (auto& [name, value] : f.arguments)
    if (name == "g0") value = "-1/7";
  BOOST_CHECK_THROW(find_fact_kind(f.kind).confirms(f), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_velocity_identity_holds_for_the_six_schemes_and_for_no_other_formula) {
  for (const char* scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt"})
    BOOST_TEST(initial_velocity_identity(scheme), scheme);
  BOOST_CHECK_THROW(initial_velocity_identity("lns"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(what_is_no_certificate_is_refused_in_one_line) {
  const std::string good = to_json(certificate_of("NAD-4.1-initial"));
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[1,2]"), std::string("nonsense"),
        good.substr(0, good.size() / 2), std::string("{\"format\": \"attndyn certificate 1\"}"),
        std::string(100000, '[')})
    BOOST_CHECK_EXCEPTION(
        certificate_from_json(text), std::invalid_argument,
        [](const std::invalid_argument& e) { return std::string(e.what()).find('\n') == std::string::npos; });
  BOOST_CHECK_THROW(find_fact_kind("nothing"), std::invalid_argument);
  Certificate c = certificate_of("NAD-4.1-initial");
  c.facts = {{"log_gap_at", {}, "0", "1"}};
  BOOST_TEST(unconfirmed(c).size() == 2u); // not the facts of the claim, and no fact
}

// Under a fresh digest: words, claim and completeness are checked against what the program knows.
BOOST_AUTO_TEST_CASE(a_forged_certificate_is_not_accepted) {
  const Certificate good = certificate_of("NAD-4.1-terminal");
  Certificate c = good;
  c.statement = "g = 1 for all t";
  BOOST_TEST(complains(c, "statement"));
  c = good;
  c.claim = "RIEMANN";
  BOOST_TEST(complains(c, "RIEMANN"));
  c = good;
  c.claim = "NAD-time-change";
  BOOST_TEST(complains(c, "source or statement"));
  BOOST_TEST(complains(c, "facts: are not the 18"));
  c = good;
  c.facts.pop_back();
  BOOST_TEST(complains(c, "facts: are not the 48"));
  c = good;
  c.facts[1] = c.facts[3];
  BOOST_TEST(complains(c, "facts: are not the 48"));
  // Words that are not those of the fact, and parts that nobody asked for, under a digest that fits.
  const auto forged = [&](const std::string& from, const std::string& to) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(to_json(good));
    json.erase("sha256");
    std::string text = json.dump();
    const std::size_t at = text.find(from);
    BOOST_REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
    std::string hex;
    for (unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
    json = nlohmann::ordered_json::parse(text);
    json["sha256"] = hex;
    return json.dump();
  };
  BOOST_CHECK_NO_THROW(certificate_from_json(forged("\"bits\":256", "\"bits\":257")));
  for (const auto& [from, to] : {std::pair{"\"bits\":256", "\"bits\":4294967552"},
                                 {"\"bits\":256", "\"bits\":-256"},
                                 {"\"bits\":256", "\"bits\":\"256\""},
                                 {"\"bits\":256", "\"bits\":256,\"more\":1"},
                                 {"\"says\":\"dg/dt > 0", "\"says\":\"dg/dt > 1"},
                                 {"\"kind\":\"gap_decreases\"", "\"kind\":\"gap_decreases\",\"x\":1"},
                                 {"\"beta\":\"1\"", "\"beta\":1"}})
    BOOST_CHECK_THROW(certificate_from_json(forged(from, to)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_claim_without_a_finite_part_says_so) {
  Context context;
  context.level = Level::proof;
  BOOST_CHECK_THROW(decide(find_claim("MFT-hemisphere"), context), std::invalid_argument);
}
