// A hostile or unlucky user: closed descriptors, broken pipes, full disks, odd names, locales, random bytes.
#define BOOST_TEST_MODULE cli_hostile
#include "tests/cli/attndyn_for_tests.hpp"

#include <sys/stat.h>

#include <random>

using namespace attndyn::tests;
namespace fs = std::filesystem;

namespace {

const Words small{"equiangular", "--times", "0,1"}, long_table{"equiangular", "--times", "lin:0:1:3000"};

void check_cannot_write(const Ran& ran) {
  BOOST_TEST(ran.status == 1);
  BOOST_TEST(is_one_line(ran.err), ran.err);
  BOOST_TEST(ran.err.find("cannot write") != std::string::npos, ran.err);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_standard_output_that_takes_nothing_is_an_error) {
  for (const Words& words : {small, Words{"list", "claims"}, Words{"--help"}, Words{"equiangular", "--help"},
                             Words{"--version"}}) {
    check_cannot_write(run(words, {.closed = {STDOUT_FILENO}}));
    check_cannot_write(run(words, {.standard_output = "/dev/full"}));
  }
  check_cannot_write(run(small + Words{"--out", "/dev/full"}));
  BOOST_TEST(run(small + Words{"--out", "/dev/null"}).status == 0);
}

BOOST_AUTO_TEST_CASE(closed_descriptors_change_neither_status_nor_files) {
  const Ran plain = run(small);
  BOOST_TEST(run(small, {.closed = {STDERR_FILENO}}).out == plain.out);
  BOOST_TEST(run(small, {.closed = {STDIN_FILENO, STDERR_FILENO}}).out == plain.out);
  BOOST_TEST(run({"equiangular", "--times", "x"}, {.closed = {STDERR_FILENO}}).status == 2);
  BOOST_TEST(run({"equiangular", "--times", "x"}, {.closed = {0, 1, 2}}).status == 2);
  const Scratch folder;
  const std::string tokens = folder.file("tokens.csv", "1,0\n0,1\n");
  const Words call{"particles", "--times", "1", "--init", tokens, "--states", folder / "s.csv"};
  BOOST_TEST(run(call).status == 0);
  const std::string states = content_of(folder / "s.csv");
  BOOST_TEST(run(call, {.closed = {0, 1, 2}}).status == 1); // the table had nowhere to go
  BOOST_TEST(content_of(folder / "s.csv") == states);
  BOOST_TEST(content_of(tokens) == "1,0\n0,1\n");
  check_refused({"particles", "--times", "1", "--init", "-"}, {"init = -", "cannot be read"},
                {.closed = {STDIN_FILENO}});
}

BOOST_AUTO_TEST_CASE(standard_input_can_be_the_start) {
  const Scratch folder;
  const std::string tokens = "3,4\n0,1\n";
  const Words call{"particles", "--times", "1", "--init"};
  BOOST_TEST((csv_of(call + Words{"-"}, {.input = tokens}).rows ==
              csv_of(call + Words{folder.file("tokens.csv", tokens)}).rows));
  check_refused(call + Words{"-"}, {"init = -", "holds no numbers"});
}

BOOST_AUTO_TEST_CASE(a_reader_that_leaves_early_is_no_crash) {
  const std::string pipe = std::string(ATTNDYN_PROGRAM) + " equiangular --times lin:0:1:3000 | head -1";
  const Ran ran = run_program("/bin/sh", {"-c", pipe});
  BOOST_TEST(ran.out.starts_with("# skip: "));
  BOOST_TEST(ran.err == "");
  const Ran ignoring = run_program("/bin/sh", {"-c", "trap '' PIPE; " + pipe});
  BOOST_TEST(
      (ignoring.err == "" || ignoring.err == "attndyn: cannot write the standard output: Broken pipe\n"),
      ignoring.err);
}

BOOST_AUTO_TEST_CASE(a_file_too_large_leaves_the_earlier_one) {
  const Scratch folder;
  const std::string old = folder.file("old.csv", "old\n");
  const Circumstances little_room{.file_size = 4096}; // stands for a full disk: the write fails half way
  check_cannot_write(run(long_table + Words{"--out", old}, little_room));
  check_cannot_write(run(long_table + Words{"--out", folder / "new.csv"}, little_room));
  check_cannot_write(run(long_table + Words{"--out", folder / "new.h5", "--format", "hdf5"}, little_room));
  BOOST_TEST(content_of(old) == "old\n");
  BOOST_TEST((folder.names() == Words{"old.csv"}));
}

BOOST_AUTO_TEST_CASE(a_folder_or_file_without_write_permission_is_refused) {
  const Scratch folder;
  fs::create_directory(folder.path / "closed");
  folder.file("old.csv", "old\n");
  ::chmod((folder / "closed").c_str(), 0555);
  ::chmod((folder / "old.csv").c_str(), 0444);
  ::chmod(folder.path.c_str(), 0777);
  const Circumstances nobody{.as_nobody = true};
  if (run({"--version"}, nobody).status != 0) {
    BOOST_TEST_MESSAGE("skipped: the program lies where only root may run it");
    return;
  }
  check_refused(small + Words{"--out", folder / "closed/a.csv"}, {"out = ", "Permission denied"}, nobody);
  check_refused(small + Words{"--out", folder / "old.csv"}, {"out = ", "Permission denied"}, nobody);
  check_refused({"figure", "nad-speed", "--quick", "--out", folder / "closed"},
                {"out = ", "Permission denied"}, nobody);
  check_refused({"figure", "nad-speed", "--quick", "--out", folder / "closed/new"},
                {"out = ", "is no folder"}, nobody);
  BOOST_TEST(content_of(folder / "old.csv") == "old\n");
}

BOOST_AUTO_TEST_CASE(links_are_followed_and_loops_refused) {
  const Scratch folder;
  folder.file("real.csv", "old\n");
  fs::create_symlink("real.csv", folder.path / "link.csv");
  fs::create_symlink("b", folder.path / "a");
  fs::create_symlink("a", folder.path / "b");
  BOOST_TEST(run(small + Words{"--out", folder / "link.csv"}).status == 0);
  BOOST_TEST(content_of(folder / "real.csv").starts_with("# skip: "));
  BOOST_TEST(fs::is_symlink(folder.path / "link.csv"));
  check_refused(small + Words{"--out", folder / "a"}, {"out = ", "symbolic links"});
  check_refused(small + Words{"--config", folder / "a"}, {"config = ", "symbolic links"});
  check_refused({"particles", "--times", "1", "--init", folder / "a"}, {"init = ", "symbolic links"});
}

BOOST_AUTO_TEST_CASE(odd_names_of_files_stay_on_one_line_of_every_format) {
  const Scratch folder;
  for (const std::string name :
       {"line\nend.csv", "\x1b[31mred.csv", "b\xff.csv", "[a,b]", "a, \"b\".csv", "-", "--n", "#"}) {
    const Words call{"particles", "--times", "0.1", "--init=" + folder.file(name, "1,0\n0,1\n")};
    const Csv csv = csv_of(call);
    BOOST_TEST(csv.parameters.at("n") == "2");
    BOOST_TEST(run(call + Words{"--format", "json"}).status == 0);
    BOOST_TEST(run(call + Words{"--format", "hdf5", "--out", folder / "o.h5"}).status == 0);
  }
  check_refused({"particles", "--times", "1", "--init", "no\nsuch\x1b[31m\rfile"},
                {"init = no?such?[31m?file"});
  check_refused(small + Words{"--be\nta", "1"}, {"--be?ta"});
}

BOOST_AUTO_TEST_CASE(text_of_any_length_gives_one_short_line) {
  const std::string ones(100'000, '1');
  for (const Words& more :
       {Words{"--beta", ones}, Words{"--n", ones}, Words{"--scheme", ones}, Words{"--digits", ones},
        Words{"--" + ones, "1"}, Words{"--out", ones}, Words{"--config", ones}, Words{ones}}) {
    const Ran ran = run(small + more);
    BOOST_TEST(ran.status == 2);
    BOOST_TEST(is_one_line(ran.err));
    BOOST_TEST(ran.err.size() < 1100U);
  }
  // A number of many digits is a number all the same.
  const Csv csv = csv_of({"equiangular", "--times", "1", "--beta", "5." + std::string(100'000, '0') + "1"});
  BOOST_TEST((csv.rows == csv_of({"equiangular", "--times", "1", "--beta", "5"}).rows));
}

// The program asks for no locale; should one of its libraries do, the comma of this one would show. (Blind
// where the locale is not installed.)
BOOST_AUTO_TEST_CASE(a_locale_with_decimal_commas_changes_nothing) {
  const Circumstances german{
      .environment = {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8", "LC_NUMERIC=de_DE.UTF-8"}};
  for (const std::string digits : {"10", "20", "35"}) {
    const Words call{"equiangular", "--times", "0.25", "--beta", "0.5", "--digits", digits};
    BOOST_TEST(run(call, german).out == run(call).out);
  }
}

BOOST_AUTO_TEST_CASE(devices_and_directories_are_no_input) {
  const Words call{"particles", "--times", "1", "--init"};
  check_refused(call + Words{"/dev/zero"}, {"zero byte"});
  check_refused(call + Words{"/dev/null"}, {"holds no numbers"});
  check_refused(call + Words{"/"}, {"directory"});
  check_refused(small + Words{"--config", "/dev/zero"}, {"zero byte"});
}

// Deterministic: std::mt19937 gives the same bytes everywhere.
BOOST_AUTO_TEST_CASE(random_bytes_in_files_and_options_never_crash_or_hang) {
  std::mt19937 chance(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(chance() % n); };
  const std::string csv = "# three tokens\n1,0.5,-2e-3\r\n 0, 1/3 ,7\n-1,+2,1e5\n",
                    toml = "beta = \"0.5\"\nn = 5\ntimes = [0, 0.5]\nscheme = 'pre'\n[expect]\na = 1\n";
  const std::string likely = ",.-+e/\n\r\t \"'[]{}=#:019naif\xef\xbb\xbf\x80";
  const auto spoiled = [&](std::string text) {
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
      const std::size_t at = below(text.size());
      const char byte = below(4) == 0 ? static_cast<char>(below(256)) : likely[below(likely.size())];
      if (below(2) == 0)
        text[at] = byte;
      else
        text.insert(at, 1, byte);
    }
    return text;
  };
  const Scratch folder;
  const Words limits{"--max-steps", "300", "--max-seconds", "2", "--tol", "1e-4"};
  for (int i = 0; i < 60; ++i) {
    Words words;
    if (i % 3 == 0)
      words = Words{"particles", "--times", "0.5", "--init", folder.file("a", spoiled(csv))};
    else if (i % 3 == 1)
      words = Words{"equiangular", "--config", folder.file("a", spoiled(toml)), "--n", "7"};
    else
      words = Words{"equiangular", "--times", spoiled("0.5,1"), "--g0", spoiled("-0.05")};
    for (std::string& word : words) word = word.c_str(); // an argument ends at a zero byte
    const Ran ran = run(words + limits, {.seconds = 20});
    BOOST_TEST_CONTEXT(i << ": " << ran.err) {
      BOOST_TEST((ran.status == 0 || ran.status == 1 || ran.status == 2), ran.status);
      BOOST_TEST(is_one_line(ran.err) == (ran.status != 0));
      BOOST_TEST(ran.out.empty() == (ran.status == 2));
    }
  }
}
