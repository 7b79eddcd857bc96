// --help: every option with its meaning and default, the output, the exit status and an example that runs.
#define BOOST_TEST_MODULE cli_help
#include "tests/cli/attndyn_for_tests.hpp"

#include <nlohmann/json.hpp>

using namespace attndyn::tests;

namespace {

const Words subcommands{"equiangular", "particles",         "verify", "figure",
                        "converge",    "check-certificate", "list"};

/// The line of an option, without leading spaces.
std::string line_of(const std::string& help, const std::string& option) {
  for (const std::string& line : split(help, '\n'))
    if (line.starts_with("  " + option + " ") || line.starts_with("  -h," + option + " "))
      return line.substr(2);
  return "";
}

const std::map<std::string, Words> options{
    {"equiangular",
     {"--scheme",    "--attention",   "--n",      "--beta",   "--g0",     "--r0",       "--tau",
      "--alpha",     "--alpha-decay", "--times",  "--digits", "--tol",    "--clock",    "--stepper",
      "--max-steps", "--max-seconds", "--format", "--out",    "--config", "--rigorous", "--help"}},
    {"particles",
     {"--scheme", "--attention", "--beta",       "--init",       "--n",      "--d",     "--seed",  "--radii",
      "--masses", "--Q",         "--K",          "--V",          "--W",      "--times", "--clock", "--states",
      "--tol",    "--digits",    "--layer-step", "--full-space", "--format", "--out",   "--config"}},
    {"verify", {"--level", "--quick", "--seed", "--json", "--report", "--certificates", "--config"}},
    {"figure", {"--quick", "--out", "--config"}},
    {"converge",
     {"--study", "--scheme", "--n", "--beta", "--g0", "--r0", "--t", "--max-seconds", "--out", "--config"}},
    {"check-certificate", {"--help"}},
    {"list", {"--help"}}};

} // namespace

BOOST_AUTO_TEST_CASE(help_names_every_option_in_one_line_with_an_example) {
  for (const std::string& name : subcommands) {
    const Ran ran = run({name, "--help"});
    BOOST_TEST(ran.status == 0);
    BOOST_TEST(ran.err == "");
    for (const std::string& option : options.at(name))
      BOOST_TEST(line_of(ran.out, option).size() > option.size() + 20, option);
    for (const std::string& part : Words{"Output:\n", "Exit status:\n", "Example:\n  attndyn " + name})
      BOOST_TEST(ran.out.find(part) != std::string::npos, name << ": " << part);
    BOOST_TEST(run({name, "-h"}).out == ran.out);
  }
  const Ran ran = run({"--help"});
  BOOST_TEST(ran.status == 0);
  for (const std::string& name : subcommands) BOOST_TEST(line_of(ran.out, name) != "");
  BOOST_TEST(run({"--version"}).out.starts_with("attndyn "));
}

BOOST_AUTO_TEST_CASE(the_defaults_that_help_shows_are_the_ones_in_force) {
  const auto shown = [](const std::string& help, const std::string& option) {
    const std::string line = line_of(help, option);
    const std::size_t at = line.find("; default ");
    return at == std::string::npos ? "" : line.substr(at + 10);
  };
  for (const std::string name : {"equiangular", "particles"}) {
    const std::string help = run({name, "--help"}).out;
    const Csv csv = csv_of({name, "--times", "0.1"});
    for (const auto& [option, parameter] :
         std::map<std::string, std::string>{{"--scheme", "scheme"},
                                            {"--attention", "attention"},
                                            {"--beta", "beta"},
                                            {"--tau", "tau"},
                                            {"--alpha", "alpha"},
                                            {"--alpha-decay", "alpha_decay"},
                                            {"--clock", "clock"},
                                            {"--tol", "tolerance"},
                                            {"--n", "n"},
                                            {"--d", "d"},
                                            {"--g0", "g0"},
                                            {"--r0", "r0"},
                                            {"--init", "init"},
                                            {"--seed", "seed"}})
      if (csv.parameters.contains(parameter))
        BOOST_TEST(shown(help, option) == csv.parameters.at(parameter), option);
  }
}

BOOST_AUTO_TEST_CASE(the_columns_that_help_explains_are_the_ones_written) {
  for (const std::string name : {"equiangular", "particles"}) {
    const std::string help = run({name, "--help"}).out, output = help.substr(help.find("Output:\n"));
    for (const std::string& column : split(csv_of({name, "--times", "0"}).header, ','))
      BOOST_TEST((output.find("  " + column + " ") != std::string::npos ||
                  output.find("  " + column + ", ") != std::string::npos ||
                  output.find(", " + column + " ") != std::string::npos),
                 column);
  }
}

BOOST_AUTO_TEST_CASE(the_examples_run) {
  for (const std::string& name : subcommands) {
    const std::string help = run({name, "--help"}).out;
    Words words = split(help.substr(help.find("  attndyn ") + 10), ' ');
    while (!words.back().empty() && words.back().back() == '\n') words.back().pop_back();
    const Scratch folder;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) // into our folder, and not for long
      if (words[i] == "--out" || words[i] == "--json") words[i + 1] = folder / "out";
    if (name == "check-certificate") { // of a certificate made by verify, where the example looks for it
      BOOST_TEST(
          run({"verify", "NAD-4.1-terminal", "--level", "proof", "--certificates", folder / "made"}).status ==
          0);
      words.back() = folder / ("made/" + words.back().substr(words.back().find('/') + 1));
    }
    if (name == "equiangular") words.insert(words.end(), {"--digits", "20"});
    const Ran ran = run(words);
    BOOST_TEST(ran.status == 0, name << ": " << ran.err);
    BOOST_TEST((words.size() < 6 || !ran.out.empty() || !folder.names().empty()));
  }
}

BOOST_AUTO_TEST_CASE(lists_name_everything_that_can_be_asked_for) {
  const auto first_words = [](const std::string& what) {
    Words out;
    const Ran ran = run({"list", what});
    BOOST_TEST(ran.status == 0);
    for (const std::string& line : split(ran.out, '\n')) out.push_back(line.substr(0, line.find(' ')));
    return out;
  };
  BOOST_TEST((first_words("schemes") == Words{"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"}));
  BOOST_TEST((first_words("attention") == Words{"sa", "usa", "causal", "hardmax"}));
  const Words claims = first_words("claims"), figures = first_words("figures");
  for (const std::string id :
       {"NAD-flow", "NAD-time-change", "NAD-4.1-initial", "NAD-4.1-terminal", "MFT-equiangular",
        "MFT-hemisphere", "MPT-orthogonal", "MPT-dissipation", "MFT-long-context"})
    BOOST_TEST(std::count(claims.begin(), claims.end(), id) == 1, id);
  for (const std::string id : {"nad-symmetric", "nad-speed"})
    BOOST_TEST(std::count(figures.begin(), figures.end(), id) == 1, id);
}

BOOST_AUTO_TEST_CASE(verify_decides_the_claims_asked_for_in_json_and_markdown_too) {
  const Scratch folder;
  const Ran ran = run({"verify", "NAD-4.1-initial", "MFT-long-context", "--quick", "--json", "-", "--report",
                       folder / "r.md"});
  BOOST_TEST(ran.status == 0);
  const auto json = nlohmann::json::parse(ran.out);
  BOOST_REQUIRE(json.size() == 2U);
  BOOST_TEST(json[0].at("id") == "NAD-4.1-initial");
  for (const std::string key : {"source", "statement", "verdict", "level", "measured", "predicted", "error",
                                "margin", "expected", "witness", "seconds", "blind_to"})
    BOOST_TEST(json[1].contains(key), key);
  BOOST_TEST(json[1].at("verdict") == json[1].at("expected"));
  BOOST_TEST(content_of(folder / "r.md").find("MFT-long-context") != std::string::npos);
  BOOST_TEST(run({"verify", "MFT-long-context", "--quick"}).out.find("MFT-long-context") !=
             std::string::npos);
}
