// Files: what is written is what was meant, to the last digit; what is read is exact or refused in one line;
// a failed write leaves the earlier file as it was.
#define BOOST_TEST_MODULE io
#include "lib/io.hpp"

#include "lib/io/hdf5.hpp"
#include "lib/random.hpp"
#include "lib/real/text.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>

using namespace attndyn;
namespace fs = std::filesystem;

namespace {

using Reals = std::tuple<double, Float128, Mpfr>;

struct Precision {
  Precision() { set_mpfr_digits(60); }
};
BOOST_TEST_GLOBAL_FIXTURE(Precision);

/// A folder of its own for each test.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "attndyn_io_XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
};

void put(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}
std::string get(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

/// What the call throws as Problem, or "".
template <class Problem = std::invalid_argument, class Call> std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Problem& problem) {
    return problem.what();
  }
  return "";
}

Table sample_table() {
  return {{{"scheme", "peri"},
           {"beta", "5"},
           {"times", "0.1,1,2"},
           {"g0", "1/3"},
           {"seed", "18446744073709551615"}},
          {"t", "g", "one_minus_g", "what"},
          {{"0", "0.10000000000000001", "0.9", "start"},
           {"1e-05", "nan", "3.2000000000000000e-1304", "a \"word\", or two"},
           {"2", "-inf", "1e-320", ""}}};
}

} // namespace

// CSV
// -----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_csv_file_says_how_many_lines_to_skip_then_its_parameters_then_the_table) {
  BOOST_TEST(to_bytes(sample_table(), Format::csv) ==
             "# skip: 6\n"
             "# scheme: peri\n"
             "# beta: 5\n"
             "# times: 0.1,1,2\n"
             "# g0: 1/3\n"
             "# seed: 18446744073709551615\n"
             "t,g,one_minus_g,what\n"
             "0,0.10000000000000001,0.9,start\n"
             "1e-05,nan,3.2000000000000000e-1304,\"a \"\"word\"\", or two\"\n"
             "2,-inf,1e-320,\n");
}

BOOST_AUTO_TEST_CASE(a_table_comes_back_from_csv_as_it_was) {
  const Folder folder;
  const Table tables[] = {
      sample_table(),
      {{}, {"x"}, {}},
      {{}, {"x"}, {{""}, {"1"}, {""}}},
      {{{"empty", ""}, {"colon", "a: b: c"}, {"hash", "# 1"}}, {"a b", "#c"}, {{"\"", ","}, {"", ""}}}};
  for (const Table& table : tables) {
    write_table(table, Format::csv, folder / "table.csv");
    BOOST_TEST((read_table(folder / "table.csv") == table));
    std::string with_crlf;
    for (char c : get(folder / "table.csv")) with_crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    put(folder / "crlf.csv", with_crlf);
    BOOST_TEST((read_table(folder / "crlf.csv") == table));
  }
}

BOOST_AUTO_TEST_CASE(a_table_that_no_file_could_hold_is_refused_in_every_format) {
  const auto refused = [](const Table& table) {
    std::string message;
    for (Format format : {Format::csv, Format::json, Format::hdf5}) {
      const std::string next = message_of([&] { to_bytes(table, format); });
      BOOST_TEST((message.empty() || message == next));
      message = next;
    }
    return message;
  };
  BOOST_TEST(refused({{}, {}, {}}) == "table: must have a column");
  BOOST_TEST(refused({{}, {"a", "b"}, {{"1", "2"}, {"1"}}}) ==
             "table row 2: cells = 1: must be 2, one a column");
  BOOST_TEST(refused({{}, {"a", "a"}, {}}) == "column `a`: must be there once");
  BOOST_TEST(refused({{}, {"a/b"}, {}}) == "column `a/b`: the name must be one line, not empty, without '/'");
  BOOST_TEST(refused({{}, {""}, {}}) == "column ``: the name must be one line, not empty, without '/'");
  BOOST_TEST(refused({{}, {"a"}, {{"1\n2"}}}) == "table row 1: a cell must be one line");
  BOOST_TEST(refused({{{"p", "1\n2"}}, {"a"}, {}}) == "parameter `p`: the value must be one line");
  BOOST_TEST(refused({{{"p: q", "1"}}, {"a"}, {}}) ==
             "parameter `p: q`: the name must be one line, not empty, without \": \"");
  BOOST_TEST(refused({{{"p", "1"}, {"p", "2"}}, {"a"}, {}}) ==
             "parameter `p`: must be there once, and not `skip`");
  BOOST_TEST(refused({{{"skip", "1"}}, {"a"}, {}}) == "parameter `skip`: must be there once, and not `skip`");
}

BOOST_AUTO_TEST_CASE(a_csv_file_that_is_not_ours_is_refused_with_its_line) {
  const Folder folder;
  const std::string path = folder / "x.csv";
  const auto message = [&](const std::string& content) {
    put(path, content);
    const std::string problem = message_of([&] { read_table(path); });
    return problem.starts_with(path) ? problem.substr(path.size()) : "without its path: " + problem;
  };
  BOOST_TEST(message("a,b\n1,2\n") == ", line 1: must be `# skip: K`");
  BOOST_TEST(message("# skip: two\na\n") == ", line 1: must be `# skip: K`");
  BOOST_TEST(message("# skip: 0\na\n") == ", line 1: must be `# skip: K`");
  BOOST_TEST(message("# skip: 2\na,b\n") == ", line 2: must be `# name: value`");
  BOOST_TEST(message("# skip: 1\na,b\n1,2\n1\n") == ", line 4: cells = 1: must be 2, one a column");
  BOOST_TEST(message("# skip: 1\na,b\n1,\"2\n") == ", line 3: a quote must be closed");
  BOOST_TEST(message("# skip: 1\n") == ": has no header row");
  BOOST_TEST(message("# skip: 99999999999999999999999\na\n") == ", line 1: must be `# skip: K`");
  BOOST_TEST(message("") == ": has no header row");
}

// JSON
// ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(json_has_numbers_where_double_holds_them_strings_where_not_and_null_for_nan) {
  const auto json = nlohmann::json::parse(to_bytes(sample_table(), Format::json));
  BOOST_TEST((json == nlohmann::json{{"parameters",
                                      {{"scheme", "peri"},
                                       {"beta", 5},
                                       {"times", "0.1,1,2"},
                                       {"g0", "1/3"},
                                       {"seed", "18446744073709551615"}}},
                                     {"columns", {"t", "g", "one_minus_g", "what"}},
                                     {"rows",
                                      {{0, 0.1, "0.9", "start"},
                                       {1e-5, nullptr, "3.2000000000000000e-1304", "a \"word\", or two"},
                                       {2, nullptr, "1e-320", ""}}}}));
}

BOOST_AUTO_TEST_CASE(json_numbers_keep_the_digits_they_were_written_with) {
  const std::string text =
      to_bytes({{{"tol", "1e-10"}}, {"x"}, {{"0.10000000000000001"}, {"1.50"}}}, Format::json);
  BOOST_TEST(text == "{\n\"parameters\": {\n  \"tol\": 1e-10\n},\n\"columns\": [\"x\"],\n"
                     "\"rows\": [\n  [0.10000000000000001],\n  [1.50]\n]\n}\n");
  BOOST_TEST(nlohmann::json::parse(to_bytes({{}, {"x"}, {}}, Format::json))["rows"].empty());
}

BOOST_AUTO_TEST_CASE(the_border_between_numbers_and_strings_lies_at_17_digits_and_at_the_range_of_double) {
  const auto is_number = [](const std::string& cell) {
    return nlohmann::json::parse(to_bytes({{}, {"x"}, {{cell}}}, Format::json))["rows"][0][0].is_number();
  };
  for (const char* cell :
       {"0", "-0", "0.00", "1", "-12345678901234567", "0.00012345678901234567", "1e308", "2.3e-308",
        "123456789012345670000000", "0.50000000000000000000000", "1E+5", "0e-999", "10"})
    BOOST_TEST(is_number(cell), cell << " should be a number");
  for (const char* cell : {"123456789012345678",
                           "0.123456789012345678",
                           "1e309",
                           "-1e309",
                           "2.2e-308",
                           "1e-400",
                           "1e-99999999999999999999",
                           "1e99999999999999999999",
                           "01",
                           ".5",
                           "5.",
                           "+5",
                           "1e",
                           "0x10",
                           "1 ",
                           " 1",
                           "-",
                           "e5",
                           "1/3",
                           "word",
                           "Infinity",
                           "NaN"})
    BOOST_TEST(!is_number(cell), cell << " should be a string");
}

BOOST_AUTO_TEST_CASE(text_that_is_not_utf8_still_gives_valid_json) {
  BOOST_TEST(
      nlohmann::json::accept(to_bytes({{{"path", "caf\xE9"}}, {"x"}, {{"\x01\t\xFF"}}}, Format::json)));
}

// HDF5
// ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(hdf5_has_doubles_joined_by_text_where_they_lose_digits_and_strings_for_words) {
  const Folder folder;
  write_table(sample_table(), Format::hdf5, folder / "table.h5");
  const Hdf5Content content = read_hdf5(folder / "table.h5");
  BOOST_TEST((content.attributes == sample_table().parameters));
  BOOST_REQUIRE(content.datasets.size() == 5u);
  const double inf = infinity<double>();
  BOOST_TEST((content.datasets[0] == Hdf5Dataset{"t", {3}, {0, 1e-5, 2}, {}}));
  BOOST_TEST(content.datasets[1].name == "g");
  BOOST_TEST(content.datasets[1].numbers[0] == 0.1);
  BOOST_TEST(std::isnan(content.datasets[1].numbers[1]));
  BOOST_TEST(content.datasets[1].numbers[2] == -inf);
  BOOST_TEST((content.datasets[2] == Hdf5Dataset{"one_minus_g", {3}, {0.9, 0, 1e-320}, {}}));
  BOOST_TEST((content.datasets[3] ==
              Hdf5Dataset{"one_minus_g_text", {3}, {}, {"0.9", "3.2000000000000000e-1304", "1e-320"}}));
  BOOST_TEST((content.datasets[4] == Hdf5Dataset{"what", {3}, {}, {"start", "a \"word\", or two", ""}}));
}

BOOST_AUTO_TEST_CASE(hdf5_takes_what_csv_takes) {
  const Folder folder;
  // More than 64 kB in one attribute, no rows, an empty value.
  const Table table{{{"times", std::string(200'000, '7')}, {"empty", ""}}, {"x", "y"}, {}};
  write_table(table, Format::hdf5, folder / "a.h5");
  const Hdf5Content content = read_hdf5(folder / "a.h5");
  BOOST_TEST((content.attributes == table.parameters));
  BOOST_TEST((content.datasets == std::vector<Hdf5Dataset>{{"x", {0}, {}, {}}, {"y", {0}, {}, {}}}));
  BOOST_TEST(message_of<std::runtime_error>([] { // x_text is there twice
               to_bytes({{}, {"x", "x_text"}, {{"1e-400", "1"}}}, Format::hdf5);
             }) == "HDF5 dataset `x_text`: refused by the HDF5 library");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_hdf5_is_refused_in_one_line) {
  const Folder folder;
  put(folder / "a.h5", "t,x\n1,2\n");
  for (const std::string& path : {folder / "a.h5", folder / "missing.h5", folder.path.string()})
    BOOST_TEST(message_of([&] { read_hdf5(path); }) ==
               path + ": not an HDF5 file that can be read: refused by the HDF5 library");
}

BOOST_AUTO_TEST_CASE(threads_may_make_hdf5_files_at_once) {
  const std::string expected = to_bytes(sample_table(), Format::hdf5);
  std::vector<std::future<bool>> same;
  for (int i = 0; i < 4; ++i)
    same.push_back(std::async(std::launch::async, [&] {
      bool all = true;
      for (int k = 0; k < 20; ++k)
        all = all && to_bytes(sample_table(), Format::hdf5).size() == expected.size();
      return all;
    }));
  for (auto& one : same) BOOST_TEST(one.get());
}

// Writing
// -------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_names_of_the_formats_are_known_and_others_refused) {
  BOOST_TEST((parse_format("csv") == Format::csv));
  BOOST_TEST((parse_format("json") == Format::json));
  BOOST_TEST((parse_format("hdf5") == Format::hdf5));
  BOOST_TEST(message_of([] { parse_format("xml"); }) == "format = xml: must be one of csv, json, hdf5");
}

BOOST_AUTO_TEST_CASE(a_file_is_replaced_as_a_whole_and_nothing_else_is_left) {
  const Folder folder;
  write_text(folder / "a.txt", "first, and longer\n");
  write_text(folder / "a.txt", std::string("second\0", 7));
  BOOST_TEST(get(folder / "a.txt") == std::string("second\0", 7));
  BOOST_TEST((folder.files() == std::vector<std::string>{"a.txt"}));
  write_text(folder / std::string(250, 'n'), "a name as long as they may be");
  BOOST_TEST(get(folder / std::string(250, 'n')) == "a name as long as they may be");
}

BOOST_AUTO_TEST_CASE(a_new_file_has_the_usual_mode_and_an_old_one_keeps_its_own) {
  const Folder folder;
  const auto mode = [&](const std::string& path) {
    struct stat status {};
    ::stat(path.c_str(), &status);
    return status.st_mode & 0777;
  };
  const mode_t mask = ::umask(022);
  write_text(folder / "new", "x");
  ::umask(mask);
  BOOST_TEST(mode(folder / "new") == 0644u);
  ::chmod((folder / "new").c_str(), 0600);
  write_text(folder / "new", "y");
  BOOST_TEST(mode(folder / "new") == 0600u);
}

BOOST_AUTO_TEST_CASE(a_link_stays_a_link_and_its_file_is_replaced) {
  const Folder folder, elsewhere;
  put(elsewhere / "real", "old");
  fs::create_symlink(elsewhere / "real", folder / "link");
  write_text(folder / "link", "new");
  BOOST_TEST(fs::is_symlink(folder / "link"));
  BOOST_TEST(get(elsewhere / "real") == "new");
  BOOST_TEST((elsewhere.files() == std::vector<std::string>{"real"}));
}

BOOST_AUTO_TEST_CASE(a_pipe_is_written_to_and_not_replaced) {
  const Folder folder;
  const std::string path = folder / "pipe";
  BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  auto received = std::async(std::launch::async, [&] { return get(path); });
  write_text(path, "through");
  BOOST_TEST(received.get() == "through");
  BOOST_TEST(fs::is_fifo(path));
}

BOOST_AUTO_TEST_CASE(a_write_that_cannot_be_done_names_path_and_reason) {
  const Folder folder;
  put(folder / "file", "x");
  const auto message = [](const std::string& path) {
    return message_of<std::runtime_error>([&] { write_text(path, "content"); });
  };
  const std::string path = folder.path.string();
  BOOST_TEST(message(path) == "cannot write " + path + ": Is a directory");
  BOOST_TEST(message(path + "/") == "cannot write " + path + "/: Is a directory");
  BOOST_TEST(message(path + "/no/a.csv") == "cannot write " + path + "/no/a.csv: No such file or directory");
  BOOST_TEST(message(path + "/no/") == "cannot write " + path + "/no/: Is a directory");
  BOOST_TEST(message(path + "/file/a.csv") == "cannot write " + path + "/file/a.csv: Not a directory");
  BOOST_TEST(message(path + "/" + std::string(300, 'n')).ends_with(": File name too long"));
  BOOST_TEST(message("") == "cannot write a file without a name: No such file or directory");
  BOOST_TEST(message("/dev/full") == "cannot write /dev/full: No space left on device");
  if (::geteuid() != 0) { // root may write anywhere
    fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
    BOOST_TEST(message(path + "/a.csv") == "cannot write " + path + "/a.csv: Permission denied");
    fs::permissions(folder.path, fs::perms::owner_all);
  }
  BOOST_TEST((folder.files() == std::vector<std::string>{"file"}));
  BOOST_TEST(get(folder / "file") == "x");
}

// A limit on file size stands for a full disk: the write fails half-way.
BOOST_AUTO_TEST_CASE(a_write_that_fails_half_way_leaves_the_earlier_file_and_no_other) {
  const Folder folder;
  const std::string path = folder / "a.csv";
  put(path, "earlier");
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string message =
      message_of<std::runtime_error>([&] { write_text(path, std::string(5000, 'x')); });
  const std::string new_message =
      message_of<std::runtime_error>([&] { write_text(folder / "b", std::string(5000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  BOOST_TEST(message == "cannot write " + path + ": File too large");
  BOOST_TEST(new_message == "cannot write " + (folder / "b") + ": File too large");
  BOOST_TEST(get(path) == "earlier");
  BOOST_TEST((folder.files() == std::vector<std::string>{"a.csv"}));
}

BOOST_AUTO_TEST_CASE(a_reader_sees_the_old_file_or_the_new_one_while_writers_race) {
  const Folder folder;
  const std::string path = folder / "a", contents[] = {std::string(300'000, 'a'), std::string(200'000, 'b')};
  write_text(path, contents[0]);
  std::atomic<bool> done = false;
  std::vector<std::jthread> writers;
  for (const std::string& content : contents)
    writers.emplace_back([&] {
      for (int i = 0; i < 20; ++i) write_text(path, content);
      done = true;
    });
  while (!done) {
    const std::string seen = get(path);
    if (seen != contents[0] && seen != contents[1]) BOOST_ERROR("a mixture of " << seen.size() << " bytes");
  }
  writers.clear();
  BOOST_TEST((folder.files() == std::vector<std::string>{"a"}));
}

BOOST_AUTO_TEST_CASE(dash_is_the_standard_output_after_what_was_printed_before) {
  const Folder folder;
  std::fflush(stdout);
  const int kept = ::dup(STDOUT_FILENO);
  BOOST_REQUIRE(std::freopen((folder / "out").c_str(), "w", stdout) != nullptr);
  std::printf("before\n");
  write_table({{}, {"x"}, {{"1"}}}, Format::csv, "-");
  std::fflush(stdout);
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  BOOST_TEST(get(folder / "out") == "before\n# skip: 1\nx\n1\n");
}

// Numbers in
// ----------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE_TEMPLATE(a_matrix_has_one_row_a_line_and_tokens_are_its_transpose, Real, Reals) {
  const Folder folder;
  const std::string plain = "1,2,1/3\n-4e0,0.1,+6\n";
  const std::string path = folder / "m.csv";
  for (const std::string& content :
       {plain, std::string("1,2,1/3\n-4e0,0.1,+6"),
        std::string("\xEF\xBB\xBF 1 ,\t2 , 1 / 3 \r\n\r\n-4e0,0.1,+6\r\n"),
        std::string("# tokens\n\n  # another, comment\n1,2,1/3\n   \n-4e0,0.1,+6\n\n\n# end")}) {
    put(path, content);
    const auto m = read_matrix<Real>(path), tokens = read_tokens<Real>(path);
    BOOST_REQUIRE(m.rows == 2u);
    BOOST_REQUIRE(m.cols == 3u);
    const Real expected[2][3] = {{Real(1), Real(2), parse_real<Real>("1/3")},
                                 {Real(-4), parse_real<Real>("0.1"), Real(6)}};
    BOOST_TEST((tokens.rows == 3u && tokens.cols == 2u));
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        BOOST_TEST((m(i, j) == expected[i][j]));
        BOOST_TEST((tokens(j, i) == expected[i][j]));
      }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_vector_is_a_column_or_a_row, Real, Reals) {
  const Folder folder;
  const std::string path = folder / "v.csv";
  const Vector<Real> expected{Real(1), parse_real<Real>("0.1"), Real(3)};
  for (const char* content : {"1\n0.1\n3\n", "1,0.1,3\n", "1, 0.1, 3"}) {
    put(path, content);
    BOOST_TEST((read_vector<Real>(path) == expected));
  }
  put(path, "7");
  BOOST_TEST((read_vector<Real>(path) == Vector<Real>{Real(7)}));
  BOOST_TEST((read_matrix<Real>(path).rows == 1u));
  put(path, "1,2\n3,4\n");
  BOOST_TEST(message_of([&] { read_vector<Real>(path); }) ==
             path + ": 2 x 2 numbers: must be one a line or all in one line");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(numbers_survive_writing_and_reading_in_every_type, Real, Reals) {
  const Folder folder;
  const Stream stream(1, 1, Purpose::noise);
  Vector<Real> x;
  std::string content;
  for (std::uint64_t i = 0; i < 200; ++i) {
    x.push_back(Real(stream.normal_at(i)) / 3 * Real(std::ldexp(1.0, static_cast<int>(i) * 9 - 900)));
    content += to_text(x.back()) + "\n";
  }
  put(folder / "v", content);
  BOOST_TEST((read_vector<Real>(folder / "v") == x));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(bad_number_files_are_refused_with_line_entry_and_rule, Real, Reals) {
  const Folder folder;
  const std::string path = folder / "bad.csv";
  const auto message = [&](const std::string& content) {
    put(path, content);
    const std::string problem = message_of([&] { read_matrix<Real>(path); });
    BOOST_TEST(problem == message_of([&] { read_tokens<Real>(path); }));
    return problem.starts_with(path) ? problem.substr(path.size()) : "without its path: " + problem;
  };
  const std::string rule = ": must be a finite decimal number or a quotient p/q";
  BOOST_TEST(message("1,2\n3,abc\n") == ", line 2, entry 2: `abc`" + rule);
  for (const std::string bad :
       {"nan", "inf", "-inf", "NaN", "0x10", "1e", "1.2.3", "1;2", "1 2", "--1", "1/2/3", "\"1\""})
    BOOST_TEST(message("# c\n\n" + bad + ",2\n") == ", line 3, entry 1: `" + bad + "`" + rule);
  BOOST_TEST(message("1,,2\n") == ", line 1, entry 2: ``" + rule);
  BOOST_TEST(message("1,2,\n") == ", line 1, entry 3: ``" + rule);
  BOOST_TEST(message("1/0\n") == ", line 1, entry 1: `1/0`" + rule + " with q not zero");
  BOOST_TEST(message("1,2,3\n4,5\n") == ", line 2: entries = 2: must be 3 as in line 1");
  BOOST_TEST(message("#\n1\n\n4,5\n") == ", line 4: entries = 2: must be 1 as in line 2");
  for (const char* empty : {"", "\n\n", "# only this", "  \r\n"})
    BOOST_TEST(message(empty) == ": holds no numbers");
  BOOST_TEST(message("1\r2\n") == ", line 1, entry 1: `1?2`" + rule);
  BOOST_TEST(message(std::string("1,2\n\0,3\n", 8)) == ": holds a zero byte, must be a text file");
  BOOST_TEST(message(std::string(50, 'y')) == ", line 1, entry 1: `" + std::string(40, 'y') + "...`" + rule);
  if constexpr (!std::is_same_v<Real, Mpfr>)
    BOOST_TEST(message("1e99999\n") ==
               ", line 1, entry 1: `1e99999`: must lie within the range of the number type (ask "
               "for more --digits)");
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_refused_in_one_line) {
  const Folder folder;
  BOOST_TEST(message_of([&] { read_vector<double>(folder / "no"); }) ==
             (folder / "no") + ": cannot be read: No such file or directory");
  BOOST_TEST(message_of([&] { read_table(folder / "no"); }) ==
             (folder / "no") + ": cannot be read: No such file or directory");
  BOOST_TEST(message_of([&] { read_matrix<double>(folder.path.string()); }) ==
             folder.path.string() + ": is a directory, must be a text file");
  BOOST_TEST(message_of([] { read_matrix<double>("/dev/zero"); }) ==
             "/dev/zero: holds a zero byte, must be a text file");
  put(folder / "large", "1\n");
  fs::resize_file(folder / "large", 2'000'000'001); // sparse: takes no room
  BOOST_TEST(message_of([&] { read_matrix<double>(folder / "large"); }) ==
             (folder / "large") + ": must not be larger than 2000000000 bytes");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(garbage_is_refused_quickly_in_one_printable_line, Real, Reals) {
  const Folder folder;
  const std::string path = folder / "garbage";
  const auto start = std::chrono::steady_clock::now();
  const auto refused = [&](const std::string& content) {
    put(path, content);
    const std::string message = message_of([&] { read_matrix<Real>(path); });
    BOOST_TEST(!message.empty());
    BOOST_TEST(message.size() < path.size() + 200);
    BOOST_TEST(std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  };
  const std::size_t length = 1'000'000;
  for (char c : {'x', ',', '-', '.', '/', 'e', '\xFF', '\x01'}) refused(std::string(length, c));
  refused("1e" + std::string(length, '9'));
  refused("1" + std::string(length, ' ') + "x");
  Stream stream(3, 3, Purpose::noise);
  for (int file = 0; file < 20; ++file) {
    std::string bytes;
    for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(stream.bits() >> (file % 2 == 0 ? 56 : 57));
    refused(bytes);
  }
  BOOST_TEST(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 20);
}

// What is long but right is read.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_line_of_a_million_characters_is_read, Real, Reals) {
  const Folder folder;
  std::string row, digits = "0." + std::string(1'000'000, '3');
  for (int i = 0; i < 250'000; ++i) row += i == 0 ? "0.5" : ",0.5";
  put(folder / "row", row);
  put(folder / "digits", digits);
  put(folder / "rows", row + "\n" + row + "\n");
  BOOST_TEST(read_vector<Real>(folder / "row").size() == 250'000u);
  BOOST_TEST((read_vector<Real>(folder / "row").back() == Real(0.5)));
  BOOST_TEST(read_matrix<Real>(folder / "rows").cols == 250'000u);
  const Real third = read_vector<Real>(folder / "digits")[0];
  BOOST_TEST(std::abs(plain_value(Real((third * 3 - 1) / epsilon<Real>()))) <= 1);
}

// States
// --------------------------------------------------------------------------------------------------------

namespace {

template <class Real> std::vector<Tokens<Real>> two_states() {
  Tokens<Real> a{Matrix<Real>(2, 3), Vector<Real>{Real(1), Real(2), Real(1) / 3}};
  for (std::size_t i = 0; i < 6; ++i) a.theta.data[i] = Real(static_cast<double>(i)) / 4;
  Tokens<Real> b = a;
  b.theta(1, 2) = Real(1) / 3;
  return {a, b};
}

} // namespace

BOOST_AUTO_TEST_CASE(states_are_written_one_token_a_line) {
  const Folder folder;
  const Vector<double> times{0, 0.1};
  write_states(folder / "s.csv", times, two_states<double>(), {{"seed", "3"}});
  BOOST_TEST(get(folder / "s.csv") ==
             "# skip: 2\n# seed: 3\nt,token,r,theta_1,theta_2\n"
             "0,1,1,0,0.25\n0,2,2,0.5,0.75\n0,3,0.3333333333333333,1,1.25\n"
             "0.1,1,1,0,0.25\n0.1,2,2,0.5,0.75\n0.1,3,0.3333333333333333,1,0.3333333333333333\n");
  BOOST_TEST(read_table(folder / "s.csv").rows.size() == 6u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(states_come_back_exactly_from_csv, Real, Reals) {
  const Folder folder;
  const auto states = two_states<Real>();
  write_states(folder / "s.csv", Vector<Real>{Real(0), Real(1) / 3}, states);
  const Table table = read_table(folder / "s.csv");
  for (std::size_t row = 0; row < 6; ++row) {
    const auto number = [&](std::size_t column) { return parse_real<Real>(table.rows[row][column]); };
    const std::size_t k = row / 3, j = row % 3;
    BOOST_TEST((number(0) == (k == 0 ? Real(0) : Real(1) / 3)));
    BOOST_TEST((number(2) == states[k].r[j]));
    for (std::size_t i = 0; i < 2; ++i) BOOST_TEST((number(3 + i) == states[k].theta(i, j)));
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(states_come_back_exactly_from_hdf5, Real, Reals) {
  const Folder folder;
  const auto states = two_states<Real>();
  const Vector<Real> times{Real(0), Real(1) / 4};
  for (const std::string& path : {folder / "s.h5", folder / "s.hdf5"}) {
    write_states(path, times, states, {{"seed", "3"}});
    const Hdf5Content content = read_hdf5(path);
    BOOST_TEST((content.attributes == Parameters{{"seed", "3"}}));
    const auto find = [&](const std::string& name) {
      const auto& sets = content.datasets;
      const auto at =
          std::find_if(sets.begin(), sets.end(), [&](const auto& set) { return set.name == name; });
      return at == sets.end() ? Hdf5Dataset{} : *at;
    };
    BOOST_TEST((find("t") == Hdf5Dataset{"t", {2}, {0, 0.25}, {}}));
    const Hdf5Dataset theta = find("theta"), r = find("r"), theta_text = find("theta_text"),
                      r_text = find("r_text");
    BOOST_TEST((theta.dims == std::vector<std::size_t>{2, 3, 2}));
    BOOST_TEST((r.dims == std::vector<std::size_t>{2, 3}));
    BOOST_TEST(content.datasets.size() == (std::is_same_v<Real, double> ? 3u : 5u));
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t j = 0; j < 3; ++j) {
        BOOST_TEST(r.numbers[k * 3 + j] == plain_value(states[k].r[j]));
        if (!r_text.texts.empty()) BOOST_TEST((parse_real<Real>(r_text.texts[k * 3 + j]) == states[k].r[j]));
        for (std::size_t i = 0; i < 2; ++i) {
          const std::size_t at = (k * 3 + j) * 2 + i;
          BOOST_TEST(theta.numbers[at] == plain_value(states[k].theta(i, j)));
          if (!theta_text.texts.empty())
            BOOST_TEST((parse_real<Real>(theta_text.texts[at]) == states[k].theta(i, j)));
        }
      }
  }
}

BOOST_AUTO_TEST_CASE(states_that_do_not_fit_their_times_are_refused_and_nothing_is_written) {
  const Folder folder;
  auto states = two_states<double>();
  const auto message = [&](const Vector<double>& times, const Parameters& parameters = {}) {
    return message_of([&] { write_states(folder / "s.csv", times, states, parameters); });
  };
  BOOST_TEST(message({0}) == "states = 2: must be 1, one a time");
  BOOST_TEST(message({0, 1}, {{"skip", "1"}}) == "parameter `skip`: must be there once, and not `skip`");
  states[1] = {Matrix<double>(2, 2), Vector<double>(2)};
  BOOST_TEST(message({0, 1}) == "states: all must have one shape");
  states.clear();
  BOOST_TEST(message({}) == "states: there must be one");
  BOOST_TEST(folder.files().empty());
}
