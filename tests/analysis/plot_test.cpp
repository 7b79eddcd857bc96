// The gnuplot runner: three files or none, whatever the paths are called, and one clear line when it cannot.
#define BOOST_TEST_MODULE plot
#include <boost/test/unit_test.hpp>

#include "analysis/plot.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

using namespace attndyn::analysis;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "attndyn-plot-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
};

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const char* const data =
    "# skip: 3\n# beta: 5\n# tol: 1e-10\nscheme,t,g\npost,1,0.5\npost,2,0.75\npre,1,0.25\npre,2,0.5\n";
const char* const script =
    "load style\n"
    "set logscale y\n"
    "set format y power_of_ten\n"
    "plot csv using \"t\":(where(\"scheme\", \"post\", column(\"g\"))) lt lt_post title \"Post-LN\", \\\n"
    "     csv using \"t\":(where(\"scheme\", \"pre\", column(\"g\"))) lt lt_pre title \"Pre-LN\", \\\n"
    "     csv using \"t\":(1/column(\"t\")) ls theory title \"1/t\"\n";

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// The message of the runtime_error that a call must throw.
template <class F> std::string complaint_of(F&& f) {
  try {
    f();
  } catch (const std::runtime_error& e) {
    BOOST_TEST(std::string(e.what()).find('\n') == std::string::npos);
    return e.what();
  }
  return "nothing was thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// An environment variable for the length of a scope.
struct Environment {
  std::string name, before;
  bool was_set;
  Environment(const char* variable, const std::string& value) : name(variable) {
    const char* old = std::getenv(variable);
    was_set = old != nullptr;
    if (old) before = old;
    setenv(variable, value.c_str(), 1);
  }
  ~Environment() {
    if (was_set)
      setenv(name.c_str(), before.c_str(), 1);
    else
      unsetenv(name.c_str());
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_script_and_a_csv_make_pdf_png_and_svg) {
  const Folder folder;
  write(folder.path / "x.gp", script);
  write(folder.path / "x.csv", data);
  plot(folder.path / "x.gp", folder.path / "x.csv", folder.path / "out" / "deep" / "x");
  const fs::path stem = folder.path / "out" / "deep" / "x";
  BOOST_TEST(read(stem.string() + ".pdf").starts_with("%PDF-"));
  BOOST_TEST(read(stem.string() + ".png").starts_with("\x89PNG\r\n"));
  const std::string svg = read(stem.string() + ".svg");
  BOOST_TEST(contains(svg, "<svg"));
  BOOST_TEST(contains(svg, "</svg>"));
  for (const char* label : {"Post-LN", "Pre-LN", "1/t"}) BOOST_TEST(contains(svg, label));
  BOOST_TEST(files_in(folder.path / "out" / "deep") == 3u); // nothing else is left behind
  // The PNG is 300 dots to the inch of 8.6 cm: width at bytes 16-19 of the header.
  const std::string png = read(stem.string() + ".png");
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(png[i])); };
  BOOST_TEST((byte(16) << 24 | byte(17) << 16 | byte(18) << 8 | byte(19)) == 1016u);
}

BOOST_AUTO_TEST_CASE(paths_with_spaces_quotes_and_other_signs_work) {
  const Folder folder;
  for (const char* name : {"it's", "two words", "a\"b", "back\\slash", "-e", "$HOME `date` %s", "ü",
                           "a''b; exit 3", "<ls", "new\nline"}) {
    const fs::path place = folder.path / name;
    fs::create_directories(place);
    const fs::path gp = place / (std::string(name) + ".gp"), csv = place / (std::string(name) + ".csv");
    write(gp, script);
    write(csv, data);
    plot(gp, csv, place / name);
    for (const char* format : {".pdf", ".png", ".svg"})
      BOOST_TEST(fs::file_size((place / name).string() + format) > 1000u);
    BOOST_TEST(files_in(place) == 5u);
  }
}

BOOST_AUTO_TEST_CASE(a_stem_with_dots_keeps_them) {
  const Folder folder;
  write(folder.path / "x.gp", script);
  write(folder.path / "x.csv", data);
  plot(folder.path / "x.gp", folder.path / "x.csv", folder.path / "beta.1.5");
  BOOST_TEST(fs::exists(folder.path / "beta.1.5.svg"));
}

BOOST_AUTO_TEST_CASE(a_bare_name_is_looked_up_in_the_plot_directory) {
  const Folder folder;
  fs::copy_file(plot_directory() / "style.gp", folder.path / "style.gp");
  write(folder.path / "own.gp", script);
  write(folder.path / "x.csv", data);
  const Environment moved("ATTNDYN_PLOT_DIR", folder.path.string());
  BOOST_TEST(plot_directory() == folder.path);
  plot("own.gp", folder.path / "x.csv", folder.path / "x");
  BOOST_TEST(fs::exists(folder.path / "x.pdf"));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_one_line_and_nothing_is_written) {
  const Folder folder;
  const fs::path gp = folder.path / "x.gp", csv = folder.path / "x.csv", out = folder.path / "out";
  write(csv, data);
  const auto run = [&] { plot(gp, csv, out / "x"); };

  BOOST_TEST(complaint_of(run) == "plot: script " + gp.string() + ": no such file");
  write(gp, "load style\nplot csv using \"t\":(\n");
  BOOST_TEST(contains(complaint_of(run), "\" line 2: "));
  write(gp, "load style\nset nonsense 3\n");
  BOOST_TEST(contains(complaint_of(run), "\" line 2: "));
  write(gp, "load style\nplot csv using \"t\":\"speed\"\n");
  BOOST_TEST(contains(complaint_of(run), "no column with header \"speed\""));
  write(gp, "load style\nset xrange [0:1]\nset yrange [0:1]\n"
            "plot csv using \"t\":(where(\"scheme\", \"peri\", column(\"g\"))), x\n");
  BOOST_TEST(contains(complaint_of(run), "no valid points"));
  write(gp, "set terminal dumb\nplot x\n");
  BOOST_TEST(contains(complaint_of(run), "load style"));
  write(gp, script);
  BOOST_TEST(complaint_of([&] { plot(gp, folder.path / "none.csv", out / "x"); }) ==
             "plot: data " + (folder.path / "none.csv").string() + ": no such file");
  BOOST_TEST(contains(complaint_of([&] { plot(gp, csv, out / ""); }), "has no name"));
  BOOST_TEST(contains(complaint_of([&] { plot(gp, csv, csv / "x"); }), "cannot create"));
  {
    const Environment no_path("PATH", folder.path.string());
    BOOST_TEST(complaint_of(run) == "gnuplot: not found on PATH; install it (Debian: gnuplot-nox)");
  }
  {
    const Environment elsewhere("ATTNDYN_PLOT_DIR", (folder.path / "nowhere").string());
    BOOST_TEST(contains(complaint_of(run), "plot: style "));
  }
  BOOST_TEST((!fs::exists(out) || files_in(out) == 0));
}

BOOST_AUTO_TEST_CASE(a_failing_redraw_keeps_the_old_figure) {
  const Folder folder;
  const fs::path gp = folder.path / "x.gp", csv = folder.path / "x.csv";
  write(gp, script);
  write(csv, data);
  plot(gp, csv, folder.path / "x");
  const std::string before = read(folder.path / "x.svg");
  // Fails in the last of the three formats only.
  write(gp, "load style\nif (format eq \"svg\") { plot csv using \"t\":\"speed\" } else { plot csv using "
            "\"t\":\"g\" }\n");
  BOOST_TEST(complaint_of([&] { plot(gp, csv, folder.path / "x"); }) != "nothing was thrown");
  BOOST_TEST(read(folder.path / "x.svg") == before);
  BOOST_TEST(files_in(folder.path) == 5u);
}

BOOST_AUTO_TEST_CASE(the_users_gnuplotrc_changes_nothing) {
  const Folder folder;
  write(folder.path / ".gnuplot", "set datafile separator ';'\nset title 'MINE'\n");
  write(folder.path / "x.gp", script);
  write(folder.path / "x.csv", data);
  const Environment home("HOME", folder.path.string());
  plot(folder.path / "x.gp", folder.path / "x.csv", folder.path / "x");
  BOOST_TEST(!contains(read(folder.path / "x.svg"), "MINE"));
}
