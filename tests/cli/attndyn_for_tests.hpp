/// What the tests of the command line share: calls of the program, its CSV read as a script would, and
/// refusals.
#pragma once

#include "tests/support/program.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <sstream>

namespace attndyn::tests {

using Words = std::vector<std::string>;

inline Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Ran run(const Words& words, const Circumstances& c = {}) {
  return run_program(ATTNDYN_PROGRAM, words, c);
}

inline std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  return parts;
}

/// The file as somebody reads it who trusts `# skip: K` and nothing else.
struct Csv {
  std::map<std::string, std::string> parameters;
  std::string header;
  std::vector<std::vector<std::string>> rows;

  explicit Csv(const std::string& text) {
    const auto lines = split(text, '\n');
    BOOST_REQUIRE(!lines.empty());
    BOOST_REQUIRE(lines[0].starts_with("# skip: "));
    const std::size_t skip = std::stoul(lines[0].substr(8));
    BOOST_REQUIRE(lines.size() > skip);
    for (std::size_t i = 1; i < skip; ++i) {
      const std::size_t colon = lines[i].find(": ");
      BOOST_REQUIRE(lines[i].starts_with("# "));
      BOOST_REQUIRE(colon != std::string::npos);
      parameters[lines[i].substr(2, colon - 2)] = lines[i].substr(colon + 2);
    }
    header = lines[skip];
    BOOST_TEST(!header.starts_with("#"));
    for (std::size_t i = skip + 1; i < lines.size(); ++i) {
      rows.push_back(split(lines[i], ','));
      BOOST_TEST(rows.back().size() == split(header, ',').size());
    }
  }
  const std::string& text(std::size_t row, const std::string& column) const {
    const auto columns = split(header, ',');
    const auto found = std::find(columns.begin(), columns.end(), column);
    BOOST_REQUIRE(found != columns.end());
    return rows.at(row).at(static_cast<std::size_t>(found - columns.begin()));
  }
  double value(std::size_t row, const std::string& column) const { return std::stod(text(row, column)); }
};

inline Csv csv_of(const Words& words, const Circumstances& c = {}) {
  const Ran ran = run(words, c);
  BOOST_TEST(ran.status == 0);
  BOOST_TEST(ran.err == "");
  return Csv(ran.out);
}

/// One line for a person: no control characters but the last line end.
inline bool is_one_line(const std::string& text) {
  return !text.empty() && text.back() == '\n' && std::all_of(text.begin(), text.end() - 1, [](char c) {
    return static_cast<unsigned char>(c) >= ' ';
  });
}

/// Exit status 2, nothing on standard output, one line on stderr that holds each of the parts.
inline void check_refused(const Words& words, const Words& parts, const Circumstances& c = {}) {
  std::string call;
  for (const auto& word : words) call += " '" + word.substr(0, 60) + "'";
  BOOST_TEST_CONTEXT("attndyn" << call) {
    const Ran ran = run(words, c);
    BOOST_TEST(ran.status == 2);
    BOOST_TEST(ran.out == "");
    BOOST_TEST(is_one_line(ran.err), ran.err);
    for (const auto& part : parts)
      BOOST_TEST(ran.err.find(part) != std::string::npos, part << " in " << ran.err);
  }
}

/// The same for a run with an output file and a states file, of which neither may be touched.
inline void check_refused_untouched(const Words& words, const Words& parts, const Circumstances& c = {}) {
  const Scratch folder;
  folder.file("old.csv", "old\n");
  const std::string states = words[0] == "particles" ? folder / "states.csv" : "";
  const Words outputs =
      Words{words[0], "--out", folder / "old.csv"} + (states.empty() ? Words{} : Words{"--states", states});
  check_refused(outputs + Words(words.begin() + 1, words.end()), parts, c);
  BOOST_TEST(content_of(folder / "old.csv") == "old\n");
  BOOST_TEST((folder.names() == Words{"old.csv"}));
}

} // namespace attndyn::tests
