// Runs that end early: exit status 1, the reason with token and time on stderr, the rows until then on
// standard output.
#define BOOST_TEST_MODULE cli_ends
#include "tests/cli/attndyn_for_tests.hpp"

#include <cmath>

using namespace attndyn::tests;

namespace {

Csv check_ended(const Words& words, const Words& parts, std::size_t rows) {
  const Ran ran = run(words);
  BOOST_TEST(ran.status == 1);
  BOOST_TEST(is_one_line(ran.err), ran.err);
  for (const auto& part : parts)
    BOOST_TEST(ran.err.find(part) != std::string::npos, part << " in " << ran.err);
  const Csv csv(ran.out);
  BOOST_TEST(csv.rows.size() == rows);
  BOOST_TEST(ran.err.find(csv.parameters.at("why_ended")) != std::string::npos);
  BOOST_TEST(csv.parameters.contains("t_ended"));
  return csv;
}

struct Files : Scratch {
  std::string opposite = file("opposite.csv", "1,0\n-1,0\n"), radii = file("radii.csv", "2\n1\n"),
              near = file("near.csv", "1,0,0\n1,0.001,0\n1,0,0.001\n"),
              huge = file("huge.csv", "1e308,1e308,1e308\n1e308,1e308,1e308\n1e308,1e308,1e308\n"),
              other = file("other.csv", "1e308,0,0\n0,1e308,0\n0,0,1e308\n");
};

} // namespace

// Opposite tokens under Pre-LN: <theta, A> = -tanh(beta') with beta' = -beta stays, so r_j = r_j(0) - tanh(1)
// t. Closed form.
BOOST_AUTO_TEST_CASE(a_radius_that_reaches_zero_ends_the_run_with_token_and_time) {
  const Files f;
  const Csv csv = check_ended({"particles", "--scheme", "pre", "--beta", "-1", "--init", f.opposite,
                               "--radii", f.radii, "--times", "lin:0:5:11"},
                              {"radius_zero", "token 2", "t = 1.31304"}, 3);
  BOOST_TEST(std::stod(csv.parameters.at("t_ended")) == 1 / std::tanh(1.0),
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(csv.value(2, "t") == 1);
  BOOST_TEST(csv.value(2, "r_min") == 1 - std::tanh(1.0), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(csv.value(2, "r_mean") == 1.5 - std::tanh(1.0), boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_vanishing_attention_ends_peri_and_ngpt_with_token_and_time) {
  const Files f; // at beta = 0 the attention of two opposite tokens is their mean, 0
  for (const std::string scheme : {"peri", "ngpt"})
    check_ended({"particles", "--scheme", scheme, "--beta", "0", "--init", f.opposite, "--times", "0,1"},
                {"singular_field", "|A| = 0 for token 1 at t = 0"}, 1);
  // Post-LN does not divide by |A|; the tokens rest.
  BOOST_TEST(
      csv_of({"particles", "--beta", "0", "--init", f.opposite, "--times", "0,1"}).value(1, "min_cosine") ==
      -1);
}

BOOST_AUTO_TEST_CASE(a_field_that_is_not_finite_ends_the_run) {
  const Files f; // every sum of the value matrix overflows
  check_ended({"particles", "--init", f.near, "--V", f.huge, "--times", "0,1"}, {"non_finite"}, 1);
  check_ended({"particles", "--init", f.near, "--V", f.huge, "--times", "1"}, {"non_finite"}, 0);
  // Finite, but so fast that t = 1 is out of reach.
  check_ended({"particles", "--init", f.near, "--V", f.other, "--times", "0,1", "--max-steps", "1000"},
              {"ended early"}, 1);
}

BOOST_AUTO_TEST_CASE(limits_of_steps_and_seconds_end_the_run) {
  for (const std::string command : {"equiangular", "particles"}) {
    check_ended({command, "--times", "0,1", "--max-steps", "1"}, {"max_steps", "1 steps"}, 1);
    check_ended({command, "--times", "0,1", "--max-seconds", "1e-9"}, {"max_seconds"}, 1);
  }
  check_ended({"equiangular", "--times", "1", "--digits", "2000", "--max-seconds", "0.2"}, {"max_seconds"},
              0);
  check_ended({"equiangular", "--times", "0,1", "--stepper", "euler", "--max-steps", "1000"},
              {"tolerance_not_reached", "asked 1e-10"}, 2);
}

BOOST_AUTO_TEST_CASE(an_early_end_is_told_in_every_format) {
  const Files f;
  const Words call{"particles", "--scheme", "pre",     "--beta", "-1",
                   "--init",    f.opposite, "--times", "0,5",    "--format"};
  const Ran json = run(call + Words{"json"}), hdf5 = run(call + Words{"hdf5", "--out", f / "a.h5"});
  BOOST_TEST(json.status == 1);
  BOOST_TEST(json.out.find("\"why_ended\": \"radius_zero\"") != std::string::npos);
  BOOST_TEST(hdf5.status == 1);
  BOOST_TEST(content_of(f / "a.h5").find("radius_zero") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(extreme_temperatures_neither_overflow_nor_hang) {
  const auto check_finite = [](const Csv& csv) {
    const bool s_is_huge = csv.parameters.at("attention") == "usa" &&
                           csv.parameters.at("scheme") == "peri"; // r |A|, beyond double
    for (auto row : csv.rows)
      for (const auto& cell : s_is_huge ? Words(row.begin(), row.end() - 1) : row)
        BOOST_TEST(cell.find_first_not_of("0123456789.e+-") == std::string::npos, cell);
  };
  for (const std::string beta : {"-1e3", "-0.1", "0", "1e4", "1e300", "-1e300"}) {
    check_finite(csv_of({"equiangular", "--n", "4", "--beta", beta, "--times", "0,0.1"}));
    if (beta.size() < 6)
      check_finite(csv_of(
          {"particles", "--n", "4", "--d", "3", "--beta", beta, "--times", "0,0.01", "--tol", "1e-6"}));
  }
  for (const std::string beta : {"-1e3", "-601", "601", "1e4"})
    for (const std::string scheme : {"post", "pre", "peri"})
      check_finite(
          csv_of({"equiangular", "--attention", "usa", "--clock", scheme == "peri" ? "natural" : "scaled",
                  "--n", "4", "--beta", beta, "--scheme", scheme, "--times", "0,0.1"}));
}

BOOST_AUTO_TEST_CASE(a_run_without_rows_does_not_replace_an_earlier_file) {
  const Scratch folder;
  const std::string old = folder.file("old.csv", "earlier result\n"), empty = folder.file("empty.csv", "");
  const Words run_words{"equiangular", "--times", "1", "--stepper", "euler", "--max-steps", "1", "--out"};
  const Ran kept = run(run_words + Words{old});
  BOOST_TEST(kept.status == 1);
  BOOST_TEST(kept.err.find("kept as it was") != std::string::npos, kept.err);
  BOOST_TEST(content_of(old) == "earlier result\n");
  for (const std::string& path : {empty, folder / "new.csv"}) {
    BOOST_TEST(run(run_words + Words{path}).status == 1);
    BOOST_TEST(content_of(path).starts_with("# skip: "));
  }
}
