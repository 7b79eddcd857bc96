// Every counterexample in verification/witnesses replays by the command line alone, and what it shows is what
// it says.
#define BOOST_TEST_MODULE cli_witness
#include "tests/cli/attndyn_for_tests.hpp"

#include <filesystem>

using namespace attndyn::tests;

namespace {

const std::filesystem::path folder =
    std::filesystem::path(ATTNDYN_REFERENCE_DIR) / "../../verification/witnesses";

std::string command_of(const std::string& text) {
  return text.find("command = \"particles\"") != std::string::npos ? "particles" : "equiangular";
}

/// The subcommand on a witness: its exit status and what it says on stderr.
Ran replay(const std::string& path) { return run({command_of(content_of(path)), "--config", path}); }

const std::string small = "command = \"particles\"\ninit = \"list:1;-1\"\nbeta = 1\ntimes = \"0,100\"\n";

std::string expecting(const std::string& column, const std::string& t, const std::string& measured) {
  return small + "[expect]\nclaim = \"X\"\nsays = \"a\"\nobserve = \"b\"\n[[expect.value]]\nt = \"" + t +
         "\"\ncolumn = \"" + column + "\"\nmeasured = " + measured + "\ntolerance = 1e-9\n";
}

} // namespace

BOOST_AUTO_TEST_CASE(every_witness_is_reproduced) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Ran ran = replay(entry.path().string());
    BOOST_TEST(ran.status == 0, entry.path() << ": " << ran.err);
    BOOST_TEST(ran.err.find(": reproduced") != std::string::npos, entry.path());
    BOOST_TEST(ran.err.find("NOT") == std::string::npos, entry.path() << ": " << ran.err);
    ++files;
  }
  BOOST_TEST(files >= 9);
}

BOOST_AUTO_TEST_CASE(a_value_that_is_not_there_costs_the_exit_status) {
  const Scratch scratch;
  const auto status = [&](const std::string& text) { return replay(scratch.file("w.toml", text)).status; };
  BOOST_TEST(status(expecting("min_cosine", "100", "-1.0")) == 0);
  BOOST_TEST(status(expecting("min_cosine", "1e2", "-1")) == 0);
  BOOST_TEST(status(expecting("min_cosine", "100", "-0.999")) == 1);
  BOOST_TEST(status(expecting("min_cosine", "99", "-1.0")) == 1);
  BOOST_TEST(status(expecting("no_such_column", "100", "-1.0")) == 1);
}

BOOST_AUTO_TEST_CASE(an_expectation_that_is_none_is_refused_before_the_run) {
  const Scratch scratch;
  for (const std::string& end :
       {std::string("[[expect.value]]\nt = \"1\"\n"), std::string("[expect]\nvalue = [3]\n"),
        std::string("[[expect.value]]\nt = \"x\"\ncolumn = \"g\"\nmeasured = 1\ntolerance = 0\n"),
        std::string("[[expect.value]]\nt = \"1\"\ncolumn = \"g\"\nmeasured = 1\ntolerance = -1\n"),
        std::string("[[expect.value]]\nt = \"1\"\ncolumn = \"g\"\nmeasured = nan\ntolerance = 1\n")}) {
    const std::string path = scratch.file("w.toml", small + end);
    check_refused({"particles", "--config", path}, {});
  }
}

BOOST_AUTO_TEST_CASE(numbers_stand_in_place_of_a_file) {
  const Scratch scratch;
  const std::string tokens = scratch.file("tokens.csv", "1,0\n0.6,0.8\n"),
                    masses = scratch.file("m.csv", "1\n3\n");
  const Words call{"particles", "--beta", "2", "--times", "1"};
  const Csv by_file = csv_of(call + Words{"--init", tokens, "--masses", masses}),
            by_list = csv_of(call + Words{"--init", "list:1,0;0.6,0.8", "--masses", "list:1;3"});
  BOOST_TEST(by_file.rows == by_list.rows);
  check_refused(call + Words{"--init", "list:1,0;a"}, {"init = list:1,0;a", "line 2"});
  check_refused(call + Words{"--init", "list:"}, {"init = list:", "holds no numbers"});
  check_refused(call + Words{"--init", "list:1,0;0.6"}, {"line 2", "must be 2"});
}

BOOST_AUTO_TEST_CASE(an_expectation_without_values_is_refused_where_it_is_asked_for) {
  const Scratch scratch;
  const std::string run_only = scratch.file("w.toml", small);
  check_refused({"particles", "--config", run_only, "--expect", run_only}, {"expect = ", "list of values"});
  const std::string witness = scratch.file("x.toml", expecting("min_cosine", "100", "-1.0"));
  check_refused({"particles", "--config", witness, "--out", witness},
                {"out = ", "must not be the same as expect"});
}

BOOST_AUTO_TEST_CASE(the_mean_of_radii_stays_where_their_sum_leaves_the_range) {
  const Csv csv =
      csv_of({"particles", "--times", "0,1", "--init", "list:1,0;0,1", "--radii", "list:1e308;1e308"});
  for (const std::size_t row : {0, 1})
    BOOST_TEST(csv.value(row, "r_mean") == 1e308, boost::test_tools::tolerance(1e-12));
}
