// Bad input: exit status 2, one line that names parameter, value and rule, and nothing written. Contract:
// "exit status".
#define BOOST_TEST_MODULE cli_refusals
#include "tests/cli/attndyn_for_tests.hpp"

using namespace attndyn::tests;

namespace {

/// An option, a bad value of it, and what the line must say beside both.
struct Bad {
  std::string option, value, rule;
};

void check_all(const Words& call, const std::vector<Bad>& bad) {
  for (const auto& [option, value, rule] : bad)
    check_refused_untouched(call + Words{"--" + option, value}, {option + " = " + value + ":", rule});
}

const Words equiangular{"equiangular", "--times", "1"}, particles{"particles", "--times", "1"};

/// Small files that are each wrong in one way, three tokens or 3 x 3 where it matters.
struct Files : Scratch {
  std::string good = file("good.csv", "1,0,0\n0,1,0\n0,0,1\n"),
              zero = file("zero.csv", "1,0,0\n0,0,0\n0,0,1\n"), ragged = file("ragged.csv", "1,0,0\n0,1\n"),
              empty = file("empty.csv", ""), words = file("words.csv", "1,0,x\n0,1,0\n0,0,1\n"),
              not_finite = file("nan.csv", "1,0,0\n0,nan,0\n0,0,1\n"),
              infinite = file("inf.csv", "1,0,0\n0,inf,0\n0,0,1\n"),
              huge = file("huge.csv", "1,0,0\n0,1e400,0\n0,0,1\n"), two = file("two.csv", "1\n2\n"),
              negative = file("negative.csv", "1\n-2\n1\n"), with_zero = file("with_zero.csv", "1\n0\n1\n"),
              zeros = file("zeros.csv", "0\n0\n0\n"), square = file("square.csv", "1,2\n3,4\n"),
              missing = *this / "missing.csv", folder = path.string();
};

} // namespace

BOOST_AUTO_TEST_CASE(numbers_must_be_finite_decimals) {
  const std::string finite = "must be a finite decimal",
                    range = "must lie within the range of the number type";
  for (const std::string option : {"beta", "g0", "r0", "tau", "alpha", "alpha-decay"})
    check_all(equiangular, {{option, "nan", finite}, {option, "1e400", range}});
  check_all(equiangular, {{"beta", "inf", finite},
                          {"beta", "-inf", finite},
                          {"beta", "0x10", finite},
                          {"beta", "1/0", finite},
                          {"beta", "abc", finite},
                          {"beta", "5,3", finite},
                          {"beta", "1e999999999999", finite},
                          {"beta", "", "must not be empty"},
                          {"beta", " ", finite},
                          {"r0", "1e-400", range}});
  check_all(particles, {{"beta", "nan", finite},
                        {"beta", "1e400", range},
                        {"beta", "-1e400", range},
                        {"layer-step", "nan", finite},
                        {"layer-step", "1e400", range}});
}

BOOST_AUTO_TEST_CASE(names_must_be_known) {
  check_all(equiangular, {{"scheme", "foo", "must be one of post, pre, mix, peri, ngpt, sqrt, lns"},
                          {"scheme", "Post", "must be one of"},
                          {"attention", "foo", "must be one of sa, usa"},
                          {"attention", "causal", "must be one of sa, usa"},
                          {"clock", "foo", "must be one of natural, scaled"},
                          {"stepper", "foo", "must be one of dop853"},
                          {"format", "xml", "must be one of csv, json, hdf5"}});
  check_all(particles, {{"scheme", "foo", "must be one of post"},
                        {"attention", "foo", "must be one of sa, usa, causal, hardmax"}});
  check_refused({"list", "foo"}, {"what = foo", "must be one of schemes, attention, claims, figures"});
  check_refused({"verify", "foo"}, {"claim = foo", "must be one of NAD-flow"});
  check_refused({"verify", "--level", "foo"}, {"level = foo", "must be one of"});
  check_refused({"figure", "foo"}, {"figure = foo", "must be one of nad-symmetric"});
  check_refused({"figure"}, {"figure", "must name at least one"});
  check_refused({"foo"},
                {"subcommand = foo",
                 "must be one of equiangular, particles, verify, figure, converge, check-certificate, list"});
  check_refused({""}, {"subcommand = ", "must be one of"});
  check_refused({}, {"subcommand", "must be one of"});
}

BOOST_AUTO_TEST_CASE(counts_must_be_whole_and_in_range) {
  for (const std::string value : {"0", "1", "-3", "1e12", "2.5", "x", "2147483648", "99999999999999999999"})
    check_all(equiangular, {{"n", value, "must be a whole number from 2 to 2147483647"}});
  for (const std::string value : {"0", "-3", "1e12", "100000001"})
    check_all(particles, {{"n", value, "must be a whole number from 1 to 100000000"},
                          {"d", value, "must be a whole number from 1 to 100000000"}});
  for (const std::string value : {"-1", "1e5", "18446744073709551616", "x"})
    check_all(particles, {{"seed", value, "must be a whole number from 0 to 18446744073709551615"}});
  for (const std::string value : {"0", "-1", "1e3"})
    check_all(equiangular, {{"max-steps", value, "must be a whole number from 1"}});
  check_all(equiangular,
            {{"max-seconds", "-1", "must be >= 0"}, {"max-seconds", "nan", "must be a finite decimal"}});
  check_refused({"verify", "--seed", "-1"}, {"seed = -1", "must be a whole number"});
}

BOOST_AUTO_TEST_CASE(parameters_must_lie_in_their_domains) {
  const std::string cosine = "must satisfy -1/(n-1) < g0 < 1";
  check_all(equiangular + Words{"--n", "5"}, {{"g0", "1", cosine},
                                              {"g0", "-1/4", cosine},
                                              {"g0", "-0.25", cosine},
                                              {"g0", "2", cosine},
                                              {"r0", "0", "must be > 0"},
                                              {"r0", "-1", "must be > 0"}});
  for (const Words& call : {equiangular + Words{"--scheme", "mix"}, particles + Words{"--scheme", "mix"}})
    check_all(call, {{"tau", "-1", "must be >= 0"}});
  for (const Words& call : {equiangular + Words{"--scheme", "ngpt"}, particles + Words{"--scheme", "ngpt"}})
    check_all(call, {{"alpha", "0", "must be > 0"},
                     {"alpha", "-1", "must be > 0"},
                     {"alpha-decay", "-1", "must be >= 0"}});
  check_all(particles, {{"layer-step", "0", "must be > 0"},
                        {"layer-step", "-1", "must be > 0"},
                        {"layer-step", "1e-300", "needs more than 1000000 layers"}});
  check_refused_untouched({"particles", "--times", "0,0.04", "--layer-step", "0.1"},
                          {"layer-step = 0.1", "the time 0.04 is nearest to the start"});
  check_refused_untouched({"particles", "--times", "0.2,0.24", "--layer-step", "0.1"},
                          {"layer-step = 0.1", "nearest to one layer"});
  check_all(particles + Words{"--n", "3", "--d", "3"}, {{"init", "equiangular:1", "< 1"},
                                                        {"init", "equiangular:-0.5", "-1/2"},
                                                        {"init", "equiangular:x", "finite decimal"},
                                                        {"init", "equiangular:", "finite decimal"}});
  check_all(particles + Words{"--n", "3", "--d", "2"},
            {{"init", "orthogonal", "must be >= n = 3"}, {"init", "equiangular:0", "n = 3"}});
}

BOOST_AUTO_TEST_CASE(times_must_increase_from_zero) {
  const std::string finite = "must be a finite decimal", increasing = "must be strictly increasing",
                    count = "must be a whole number from 2 to 1000000";
  const std::vector<Bad> bad{{"times", "", "must not be empty"},
                             {"times", ",", finite},
                             {"times", "1,,2", finite},
                             {"times", "1,", finite},
                             {"times", "foo", finite},
                             {"times", "nan", finite},
                             {"times", "1,inf", finite},
                             {"times", "1 2", finite},
                             {"times", "1e400", "range"},
                             {"times", "-1", "must be >= 0"},
                             {"times", "-1,2", "must be >= 0"},
                             {"times", "lin:-1:1:3", "must be >= 0"},
                             {"times", "2,1", increasing},
                             {"times", "1,1", increasing},
                             {"times", "0,0", increasing},
                             {"times", "lin:1:0:3", increasing},
                             {"times", "lin:0:0:3", increasing},
                             {"times", "1,1.00000000000000000001", increasing},
                             {"times", "lin:0:1:1", count},
                             {"times", "lin:0:1:0", count},
                             {"times", "lin:0:1:-1", count},
                             {"times", "lin:0:1:1e9", count},
                             {"times", "lin:0:1:1000001", count},
                             {"times", "lin:0:1:2.5", count},
                             {"times", "lin:0:1", "must be lin:a:b:n or log:a:b:n"},
                             {"times", "lin:", "must be lin:a:b:n"},
                             {"times", "lin:0:1:2:3", "must be lin:a:b:n"},
                             {"times", "lin:x:1:2", finite},
                             {"times", "log:0:1:3", "a must be > 0"}};
  check_all({"equiangular"}, bad);
  check_all({"particles"}, {bad[0], bad[3], bad[9], bad[12], bad[18]});
  check_refused_untouched({"equiangular"}, {"times", "must be given"});
  check_refused_untouched({"particles"}, {"times", "must be given"});
}

BOOST_AUTO_TEST_CASE(accuracy_is_digits_or_a_tolerance) {
  for (const std::string value : {"0", "-1", "1e9", "1.5", "nan", "10001"})
    check_all(equiangular, {{"digits", value, "must be a whole number from 1 to 10000"}});
  for (const std::string value : {"0", "-1", "1", "1e-20000"})
    check_all(equiangular, {{"tol", value, "must be from 1e-10000 to 0.1"}});
  check_all(equiangular, {{"tol", "nan", "must be a finite decimal"}});
  check_refused_untouched(equiangular + Words{"--tol", "1e-5", "--digits", "5"},
                          {"tol = 1e-5", "must not be given with digits = 5"});
}

BOOST_AUTO_TEST_CASE(the_clock_must_fit_the_attention) {
  for (const Words& call : {equiangular, particles}) {
    for (const std::string attention : {"sa", "hardmax"})
      if (call[0] == "particles" || attention == "sa")
        check_refused_untouched(call + Words{"--attention", attention, "--clock", "scaled"},
                                {"clock = scaled", "only for --attention usa"});
    for (const std::string beta : {"600.1", "-601"})
      check_refused_untouched(call + Words{"--attention", "usa", "--beta", beta},
                              {"beta = ", "600", "--clock scaled"});
    check_refused_untouched(
        call + Words{"--attention", "usa", "--beta", "1e3", "--scheme", "peri", "--clock", "scaled"},
        {"beta = 1000", "--clock natural"});
  }
}

BOOST_AUTO_TEST_CASE(the_start_file_must_hold_tokens) {
  const Files f;
  const std::string number = "must be a finite decimal number";
  check_all(particles, {{"init", f.missing, "No such file"},
                        {"init", f.folder, "directory"},
                        {"init", "uniforn", "No such file"},
                        {"init", "", "must not be empty"}});
  for (const auto& [path, part] :
       std::vector<std::pair<std::string, std::string>>{{f.zero, "token 2: is zero"},
                                                        {f.ragged, "line 2: entries = 2: must be 3"},
                                                        {f.empty, "holds no numbers"},
                                                        {f.words, "line 1, entry 3: `x`"},
                                                        {f.not_finite, "line 2, entry 2: `nan`"},
                                                        {f.infinite, "line 2, entry 2: `inf`"},
                                                        {f.huge, "line 2, entry 2: `1e400`"}})
    check_refused_untouched(particles + Words{"--init", path}, {"init = " + path, part});
  check_refused_untouched(particles + Words{"--init", f.good, "--n", "4"}, {"n = 4", "holds 3 tokens"});
  check_refused_untouched(particles + Words{"--init", f.good, "--d", "2"}, {"d = 2", "dimension 3"});
}

BOOST_AUTO_TEST_CASE(masses_and_radii_must_fit_the_tokens) {
  const Files f;
  for (const std::string option : {"masses", "radii"}) {
    const Words call = particles + Words{"--init", f.good, "--" + option};
    check_refused_untouched(call + Words{f.two},
                            {option + " = " + f.two, "holds 2 numbers, but there are 3 tokens"});
    check_refused_untouched(call + Words{f.square}, {option + " = " + f.square, "one a line"});
    check_refused_untouched(call + Words{f.not_finite}, {option, "`nan`"});
    check_refused_untouched(call + Words{f.missing}, {option + " = " + f.missing, "No such file"});
    check_refused_untouched(call + Words{f.folder}, {option + " = " + f.folder, "directory"});
    check_refused_untouched(call + Words{f.empty}, {option + " = " + f.empty, "holds no numbers"});
    check_refused_untouched(call + Words{f.negative}, {option, "number 2 is -2"});
    check_refused_untouched(call + Words{""}, {option, "must not be empty"});
  }
  check_refused_untouched(particles + Words{"--init", f.good, "--radii", f.with_zero},
                          {"radii", "number 2 is 0", "must be > 0"});
  check_refused_untouched(particles + Words{"--init", f.good, "--masses", f.zeros},
                          {"masses", "must not all be zero"});
}

BOOST_AUTO_TEST_CASE(matrices_must_be_finite_and_fit_the_dimension) {
  const Files f;
  const Words call = particles + Words{"--init", f.good};
  for (const std::string name : {"Q", "K", "V", "W"}) {
    check_refused_untouched(call + Words{"--" + name, f.not_finite}, {name + " = " + f.not_finite, "`nan`"});
    check_refused_untouched(call + Words{"--" + name, f.square}, {name + " is 2 x 2"});
  }
  check_refused_untouched(call + Words{"--Q", f.missing}, {"Q = " + f.missing, "No such file"});
  check_refused_untouched(call + Words{"--W", f.ragged}, {"W = " + f.ragged, "entries = 2"});
  check_refused_untouched(call + Words{"--V", f.good, "--V", f.good, "--Q", f.good},
                          {"Q = 1 files", "once a head, 2 times"});
  check_refused_untouched(call + Words{"--V", f.good, f.good}, {f.good, "is not an option of particles"});
}

BOOST_AUTO_TEST_CASE(options_must_be_known_and_have_values) {
  check_refused_untouched(equiangular + Words{"--foo", "3"}, {"--foo", "is not an option of equiangular"});
  check_refused_untouched(equiangular + Words{"--init", "uniform"},
                          {"--init", "is not an option of equiangular"});
  check_refused_untouched(equiangular + Words{"-x"}, {"-x", "is not an option of equiangular"});
  check_refused_untouched(equiangular + Words{"extra"}, {"extra", "is not an option of equiangular"});
  check_refused_untouched(equiangular + Words{"list"}, {"list", "is not an option of equiangular"});
  check_refused_untouched(equiangular + Words{"--n"}, {"--n", "needs a value"});
  check_refused_untouched(equiangular + Words{"--n=", "5"}, {"n = ", "must not be empty"});
  check_refused_untouched(particles + Words{"--full-space=x"}, {"--full-space = x", "must be true or false"});
  check_refused({"list", "claims", "extra"}, {"extra", "is not an option of list"});
  check_refused({"--foo", "list", "claims"}, {"--foo", "is not an option of attndyn"});
  check_refused({"verify", "--report", "a.txt"}, {"report = a.txt", "must end in .md"});
}

BOOST_AUTO_TEST_CASE(outputs_must_be_writable_files_of_their_own) {
  const Files f;
  for (const std::string& path : {f / "no/such/folder/x.csv", f.folder, f / "x/", f.good + "/x"}) {
    check_refused(equiangular + Words{"--out", path}, {"out = " + path});
    check_refused(particles + Words{"--states", path}, {"states = " + path});
    check_refused({"verify", "--json", path}, {"json = " + path});
  }
  check_refused(equiangular + Words{"--out", std::string(300, 'x')}, {"out = xxx", "File name too long"});
  check_refused({"figure", "nad-speed", "--out", f.good}, {"out = " + f.good, "is no folder"});
  check_refused(equiangular + Words{"--format", "hdf5"}, {"format = hdf5", "needs --out FILE"});
  check_refused(particles + Words{"--format", "hdf5", "--out", "-"}, {"format = hdf5", "needs --out FILE"});
  check_refused(particles + Words{"--states", "-"}, {"states = -", "must not be the same as out"});
  check_refused(particles + Words{"--states", f / "x.csv", "--out", f / "./x.csv"},
                {"states = ", "must not be the same as out"});
  check_refused(particles +
                    Words{"--states", f.good, "--out", f / "../" + f.path.filename().string() + "/good.csv"},
                {"states = ", "must not be the same as out"});
  BOOST_TEST(content_of(f.good) == "1,0,0\n0,1,0\n0,0,1\n");
  BOOST_TEST(!std::filesystem::exists(f / "x.csv"));
}

BOOST_AUTO_TEST_CASE(what_cannot_fit_the_memory_is_refused_before_it_is_tried) {
  const Circumstances one_gigabyte{.memory = 1'000'000'000};
  for (const auto& [n, d] : std::vector<std::pair<std::string, std::string>>{
           {"100000000", "100000000"}, {"100000000", "8"}, {"32", "100000000"}})
    check_refused_untouched(particles + Words{"--n", n, "--d", d},
                            {"n = " + n + ", d = " + d, "GB of memory"}, one_gigabyte);
  check_refused_untouched({"particles", "--n", "1000", "--d", "1000", "--times", "lin:0:1:1000"},
                          {"1000 times", "GB of memory"}, one_gigabyte);
  check_refused_untouched(particles + Words{"--n", "3000", "--d", "3000", "--digits", "100"},
                          {"n = 3000", "GB of memory"}, one_gigabyte);
}
