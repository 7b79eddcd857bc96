// The studies of `attndyn converge` on short runs: what they say must be true of the methods.
#define BOOST_TEST_MODULE convergence
#include "analysis/convergence.hpp"

#include "lib/integrators/stepper.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>

using namespace attndyn;
using namespace attndyn::analysis;

namespace {

Study study(const char* scheme, const char* t) {
  Study s;
  s.params.scheme.name = scheme;
  s.params.n = 8;
  s.params.beta = 2;
  s.params.g0 = "0.1";
  s.t = t;
  s.max_seconds = 0.4;
  return s;
}

double cell(const Table& table, std::size_t row, const char* column) {
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c] == column) return std::stod(table.rows[row][c]);
  BOOST_FAIL("no column " << column);
  return 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(fixed_steps_show_the_nominal_order) {
  for (const char* scheme : {"post", "peri"}) {
    const Table table = order_study(study(scheme, "2"));
    std::set<std::string> methods;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      methods.insert(table.rows[i][0]);
      // The last halving of each method.
      if (i + 1 < table.rows.size() && table.rows[i + 1][0] == table.rows[i][0]) continue;
      BOOST_TEST(std::abs(cell(table, i, "observed") - cell(table, i, "order")) < 0.1,
                 scheme << ", " << table.rows[i][0] << ": " << cell(table, i, "observed"));
    }
    BOOST_TEST((methods == std::set<std::string>{"euler", "rk4", "dopri5", "dop853", "fehlberg78"}));
  }
}

BOOST_AUTO_TEST_CASE(the_true_error_is_at_most_ten_times_the_tolerance) {
  const Table table = tolerance_study(study("mix", "5"));
  std::set<std::string> methods;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    methods.insert(table.rows[i][0]);
    BOOST_TEST(cell(table, i, "ratio") <= 10, table.rows[i][0] << " at " << table.rows[i][2]);
    BOOST_TEST(cell(table, i, "ratio") * cell(table, i, "tolerance") <=
               1.1 * cell(table, i, "error") + 1e-3 * cell(table, i, "tolerance"));
  }
  BOOST_TEST(methods.size() == 5u); // all but the two of fixed step
}

BOOST_AUTO_TEST_CASE(taylor_goes_where_the_others_do_not) {
  const Table table = precision_study(study("pre", "3"));
  double best = 1;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double error = cell(table, i, "error");
    BOOST_TEST(error < 3e4 * cell(table, i, "tolerance"), table.rows[i][0] << " at " << table.rows[i][2]);
    if (table.rows[i][0] == "taylor" && error < best) best = error;
    if (table.rows[i][0] != "taylor") BOOST_TEST(error > 1e-60);
  }
  BOOST_TEST(best < 1e-95); // in the time allowed here; 1e-298 in a few seconds
}
