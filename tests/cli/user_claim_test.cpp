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

namespace {

/// u' = -u <= bound, a claim of no cost.
std::string small_claim(const std::string& more) {
  return "model = \"ode\"\nrhs = \"-u\"\nu0 = 1\nobservable = \"u\"\nrelation = \"<=\"\nprediction = \"2\"\n"
         "window = [0, 1]\n" +
         more;
}

} // namespace

BOOST_AUTO_TEST_CASE(no_output_overwrites_an_input_or_another_output) {
  const Scratch folder;
  const std::string text = small_claim(""), claim = folder.file("c.toml", text), report = folder / "x.md";
  check_refused({"verify", "--file", claim, "--json", claim}, {"json = ", "must not be the same as file"});
  check_refused({"verify", "--file", claim, "--report", report, "--json", report},
                {"json = ", "must not be the same as report"});
  BOOST_TEST(content_of(claim) == text);
}

BOOST_AUTO_TEST_CASE(ids_are_unique_and_name_files_safely) {
  const Scratch folder;
  const std::string a = folder.file("a.toml", small_claim("id = \"x\"\n")),
                    b = folder.file("b.toml", small_claim("id = \"x\"\n"));
  check_refused({"verify", "--file", a, "--file", b}, {"another claim with the id x"});
  for (const char* id : {"../x", "a/b", ".x", "$(id)", "a b", "<b>"})
    check_refused(
        {"verify", "--file", folder.file("c.toml", small_claim("id = \"" + std::string(id) + "\"\n"))},
        {"id", "letters"});
  check_refused({"verify", "--file", folder.file("d.toml", small_claim("id = \"NAD-3.1a\"\n"))},
                {"another claim with the id NAD-3.1a"});
}

BOOST_AUTO_TEST_CASE(the_table_comes_where_a_report_cannot_be_written_and_markup_stays_text) {
  const Scratch folder;
  const std::string claim = folder.file("c.toml", small_claim("id = \"x\"\nsource = \"a|b <script>\"\n")),
                    report = folder / "x.md";
  const Ran full = run({"verify", "--file", claim, "--json", "/dev/full", "--report", report});
  BOOST_TEST(full.status == 1);
  BOOST_TEST(full.out.find("holds") != std::string::npos, full.out);
  BOOST_TEST(content_of(report).find("a\\|b &lt;script>") != std::string::npos);
  BOOST_TEST(content_of(report).find("<script") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_quick_form_decides_a_claim_of_ones_own_in_full) {
  const Scratch folder;
  // Violated in the middle of the range alone.
  const std::string claim = folder.file(
      "c.toml", "model = \"ode\"\nrhs = \"0\"\nu0 = \"a*(1-a)\"\nobservable = \"u\"\nrelation = \"<=\"\n"
                "prediction = \"0.2\"\nwindow = [0, 1]\nparameters = { a = { low = 0, high = 1 } }\n");
  const Ran quick = run({"verify", "--quick", "--search", "0", "--file", claim});
  BOOST_TEST(quick.status == 1);
  BOOST_TEST(quick.out.find("fails") != std::string::npos, quick.out);
}
