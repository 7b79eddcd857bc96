// --config: a TOML file with any of the options; the command line wins.
#define BOOST_TEST_MODULE cli_config
#include "tests/cli/attndyn_for_tests.hpp"

using namespace attndyn::tests;

namespace {

/// What the table says was computed: its rows, and the parameters that the words name.
void check_same(const Words& words, const Words& same) {
  const Csv a = csv_of(words), b = csv_of(same);
  BOOST_TEST((a.parameters == b.parameters));
  BOOST_TEST((a.rows == b.rows));
}

struct Toml : Scratch {
  std::string operator()(const std::string& content) const { return file("a.toml", content); }
};

void check_bad(const std::string& content, const Words& parts,
               const Words& call = {"equiangular", "--times", "1"}) {
  const Toml toml;
  const std::string path = toml(content);
  check_refused_untouched(call + Words{"--config", path}, Words{"config = " + path} + parts);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_file_stands_for_the_options_it_holds) {
  const Toml toml;
  check_same({"equiangular", "--config",
              toml("scheme = \"peri\"\nn = 5\nbeta = 0.1\ntimes = [0, \"1/3\", 1.5]\ntol = \"1e-8\"\n")},
             {"equiangular", "--scheme", "peri", "--n", "5", "--beta", "0.1", "--times", "0,1/3,1.5", "--tol",
              "1e-8"});
  check_same(
      {"equiangular", "--config=" + toml("times = \"lin:0:1:3\"\nalpha-decay = \"0.5\"\nscheme = 'ngpt'\n")},
      {"equiangular", "--times", "lin:0:1:3", "--alpha-decay", "0.5", "--scheme", "ngpt"});
  check_same({"particles", "--times", "1", "--config",
              toml("full-space = true\nn = 0x3\nd = 7\nseed = \"18446744073709551615\"\n")},
             {"particles", "--times", "1", "--full-space", "--n", "3", "--d", "7", "--seed",
              "18446744073709551615"});
  check_same({"particles", "--times", "1", "--config", toml("full-space = false\n")},
             {"particles", "--times", "1"});
  check_same({"equiangular", "--times", "1", "--config", toml("\xEF\xBB\xBF# a comment alone\r\n")},
             {"equiangular", "--times", "1"});
}

BOOST_AUTO_TEST_CASE(numbers_in_strings_keep_their_digits) {
  const Toml toml;
  const std::string beta = "0.1000000000000000055511151231257827021181583404541015625";
  check_same(
      {"equiangular", "--times", "0.1", "--digits", "31", "--config", toml("beta = \"" + beta + "\"\n")},
      {"equiangular", "--times", "0.1", "--digits", "31", "--beta", beta});
}

BOOST_AUTO_TEST_CASE(the_command_line_wins_wherever_config_stands) {
  const Toml toml;
  const std::string path = toml("scheme = \"peri\"\nbeta = 3\ntimes = [7]\ndigits = 20\n");
  const Words words{"--beta", "2", "--times=1", "--tol", "1e-6"},
      plain = Words{"equiangular", "--scheme", "peri"} + words;
  check_same(Words{"equiangular", "--config", path} + words, plain);
  check_same(Words{"equiangular"} + words + Words{"--config", path}, plain);
}

BOOST_AUTO_TEST_CASE(heads_in_a_list_are_replaced_as_a_whole) {
  const Toml toml;
  const std::string a = toml.file("a.csv", "1,0\n0,1\n"), b = toml.file("b.csv", "0,1\n1,0\n");
  const Words call{"particles", "--n", "3", "--d", "2", "--times", "1"};
  const Words with = Words{"--config", toml("V = ['" + a + "', '" + b + "']\n")};
  check_same(call + with, call + Words{"--V", a, "--V", b});
  check_same(call + with + Words{"--V", b}, call + Words{"--V", b});
}

BOOST_AUTO_TEST_CASE(a_witness_is_such_a_file) {
  const Toml toml;
  const std::string content =
      "command = \"equiangular\"\nn = 3\ntimes = [1]\n[expect]\nclaim = \"X\"\ngamma = [1, {a = 2}]\n";
  check_same({"equiangular", "--config", toml(content)}, {"equiangular", "--n", "3", "--times", "1"});
  check_bad(content, {"command", "is equiangular, but the subcommand is particles"},
            {"particles", "--times", "1"});
}

BOOST_AUTO_TEST_CASE(what_is_no_option_is_refused) {
  check_bad("gamma = 3\n", {"gamma", "is not an option of equiangular"});
  check_bad("init = \"uniform\"\n", {"init", "is not an option of equiangular"});
  check_bad("[options]\nbeta = 3\n", {"options", "is not an option"});
  check_bad("expect = 3\n", {"expect", "is not an option"});
  check_bad("config = \"b.toml\"\n", {"config", "is not an option"});
  check_bad("help = true\n", {"help", "is not an option"});
  check_bad("\"beta=3\" = 1\n", {"beta=3", "is not an option"});
  check_bad("\"\" = 1\n", {"is not an option"});
  check_bad("beta = 3\n", {"beta", "is not an option of verify"}, {"verify", "NAD-flow"});
}

BOOST_AUTO_TEST_CASE(values_must_be_of_the_kind_the_option_takes) {
  check_bad("n = [3, 4]\n", {"n", "must be one value"});
  check_bad("n = true\n", {"n", "must not be a boolean"});
  check_bad("beta = {a = 1}\n", {"beta", "must be a string or a number"});
  check_bad("times = []\n", {"times", "must not be an empty list"}, {"equiangular"});
  check_bad("times = [[1]]\n", {"times", "must be a string or a number"}, {"equiangular"});
  check_bad("times = 1979-05-27\n", {"times", "must be a string or a number"}, {"equiangular"});
  check_bad("full-space = 1\n", {"full-space", "must be true or false"}, {"particles", "--times", "1"});
  check_bad("beta = \"1\\u0000\"\n", {"beta", "zero character"});
  const Toml toml;
  for (const auto& [content, parts] :
       std::vector<std::pair<std::string, Words>>{{"beta = nan\n", {"beta = nan", "finite"}},
                                                  {"beta = \"\"\n", {"beta"}},
                                                  {"n = -7\n", {"n = -7", "whole"}},
                                                  {"n = 1\n", {"n = 1", "whole number from 2"}},
                                                  {"times = [2, 1]\n", {"times = 2,1", "increasing"}},
                                                  {"scheme = \"foo\"\n", {"scheme = foo"}}}) {
    check_refused_untouched(Words{"equiangular", "--config", toml(content)} +
                                (content.starts_with("times") ? Words{} : Words{"--times", "1"}),
                            parts);
  }
  check_same({"equiangular", "--times", "1", "--config", toml("n = 2.0\n")},
             {"equiangular", "--times", "1", "--n", "2"});
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_toml_is_refused_in_one_line) {
  check_bad("beta =\n", {"line 1"});
  check_bad("beta = 1\nbeta = 2\n", {"line 2"});
  check_bad("\n\nbeta 3\n", {"line 3"});
  check_bad("beta = \"\xff\xfe\"\n", {"line 1"});
  check_bad(std::string("beta = 1\0\n", 10), {"zero byte"});
  check_bad("a = " + std::string(5000, '[') + std::string(5000, ']') + "\n", {"line 1"});
  const Words call{"equiangular", "--times", "1"};
  const Toml toml;
  check_refused_untouched(call + Words{"--config", toml / "none.toml"},
                          {"config = " + (toml / "none.toml"), "No such file"});
  check_refused_untouched(call + Words{"--config", toml.path.string()},
                          {"config = " + toml.path.string(), "directory"});
  check_refused_untouched(call + Words{"--config", ""}, {"config = "});
  check_refused_untouched(call + Words{"--config"}, {"--config", "needs a value"});
  const std::string good = toml("n = 3\n");
  check_refused_untouched(call + Words{"--config", good, "--config=" + good},
                          {"config = " + good, "must be given once"});
  check_refused({"list", "claims", "--config", good}, {"--config", "is not an option of list"});
}
