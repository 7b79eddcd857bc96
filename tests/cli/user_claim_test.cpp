// verify --file: exit status, table, JSON and refusals.
#define BOOST_TEST_MODULE cli_user_claim
#include "tests/cli/attndyn_for_tests.hpp"

#include <nlohmann/json.hpp>

using namespace attndyn::tests;

namespace {

std::string example(const std::string& name) {
  return std::string(ATTNDYN_REFERENCE_DIR) + "/../../verification/examples/" + name + ".toml";
}

const Words all{"--file", example("pre_ln_exponent"), "--file", example("narrow_cone_radii"),
                "--file", example("peri_ln_limit"),   "--file", example("dms_time_scale")};

} // namespace

BOOST_AUTO_TEST_CASE(the_examples_are_decided_as_they_expect) {
  const Scratch folder;
  const Ran ran = run(Words{"verify", "--quick", "--search", "4", "--json", folder / "out.json", "--report",
                            folder / "out.md"} +
                      all);
  BOOST_TEST(ran.status == 0, ran.out << ran.err);
  const auto json = nlohmann::json::parse(content_of(folder / "out.json"));
  BOOST_TEST_REQUIRE(json.size() == 4u); // the files alone
  BOOST_TEST(json[0]["id"] == "pre-ln-exponent");
  BOOST_TEST(json[0]["verdict"] == "holds");
  BOOST_TEST(json[3]["verdict"] == "fails");
  BOOST_TEST(json[3]["level"] == "double");
  BOOST_TEST(content_of(folder / "out.md").find("dms-time-scale: fails") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(files_go_with_ids_and_an_unexpected_verdict_has_status_1) {
  const Scratch folder;
  std::string text = content_of(example("pre_ln_exponent"));
  text.replace(text.rfind("prediction = \"-2\""), 17, "prediction = \"-2.1\"");
  const Ran ran = run(
      {"verify", "NAD-4.1-initial", "--file", folder.file("mine.toml", text), "--quick", "--search", "0"});
  BOOST_TEST(ran.status == 1);
  BOOST_TEST(ran.out.find("NAD-4.1-initial") != std::string::npos);
  BOOST_TEST(ran.out.find("<- expected: holds") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_decided_are_refused) {
  const Scratch folder;
  check_refused({"verify", "--file", folder / "absent.toml"}, {"file = ", "absent.toml", "cannot be read"});
  check_refused({"verify", "--file", folder.file("empty.toml", "")}, {"file = ", "empty.toml", "is empty"});
  check_refused({"verify", "--file",
                 folder.file("bad.toml", "model = \"ode\"\nrhs = \"-u)\"\nu0 = 1\n"
                                         "observable = \"u\"\nrelation = \"<=\"\nprediction = 1\n"
                                         "window = [0, 1]\n")},
                {"bad.toml: rhs = -u)", "is no formula"});
  check_refused({"verify", "--file", example("peri_ln_limit"), "--level", "high"},
                {"level = high", "must be double"});
  check_refused({"verify", "--file", example("peri_ln_limit"), "--level", "proof"},
                {"level = proof", "must be double"});
  check_refused({"verify", "--file", example("peri_ln_limit"), "--search", "-1"}, {"search = -1"});
  check_refused({"verify", "--file", "/dev/zero"}, {"file = /dev/zero", "zero byte"});
}
