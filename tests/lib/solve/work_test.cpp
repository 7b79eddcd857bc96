// Standard S7, work and precision: the error of every adaptive stepper against references with twenty digits
// more by another method, and what it cost against the numbers of tests/reference/work.csv. A rise of more
// than 5 % fails. With ATTNDYN_WRITE_WORK=FILE in the environment the counts are written to FILE instead of
// compared: that is how work.csv is made.
#define BOOST_TEST_MODULE work
#include <boost/test/unit_test.hpp>

#include "lib/models/equiangular.hpp"
#include "tests/lib/integrators/problems.hpp"
#include "tests/support/equiangular_rows.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

using namespace attndyn;
using namespace attndyn::testing;

namespace {

struct Precision {
  Precision() { set_mpfr_digits(40); }
};
BOOST_TEST_GLOBAL_CONFIGURATION(Precision);

constexpr double rise_allowed = 0.05;
const char* const write_variable = "ATTNDYN_WRITE_WORK";
const char* const how_to_regenerate =
    "if the rise is wanted, run this test with ATTNDYN_WRITE_WORK=tests/reference/work.csv and say why in the "
    "commit";

struct Problem {
  std::string name;
  std::shared_ptr<const Model<double>> model;
  Vector<double> start;
  double end;
  Vector<Mpfr> exact; ///< at `end`, twenty digits more than double
};

/// Peri-LN, n = 256, beta = 5 to t = 10; exact: quadrature, tests/reference/equiangular.csv.
Problem equiangular_problem() {
  const EquiangularRow row = equiangular_row("peri", "sa", "256", "5", "10");
  const auto model = std::make_shared<Equiangular<double>>(row.params);
  return {
      "equiangular", model, model->start(), 10, {parse_real<Mpfr>(row.log_gap), parse_real<Mpfr>(row.log_r)}};
}

/// Four tokens under Pre-LN to t = 8; exact: by Taylor and by Bulirsch-Stoer at 40 digits.
Problem tokens_problem() {
  const auto model = four_tokens<double>();
  const auto wide = four_tokens<Mpfr>();
  Vector<Mpfr> start(model->start().begin(), model->start().end());
  wide->retract(start); // a double is on the sphere to 1e-16 only
  const auto at_forty = [&](const char* stepper) {
    Options<Mpfr> options;
    options.stepper = stepper;
    options.tolerance = parse_real<Mpfr>("1e-33");
    options.control_global_error = false;
    const auto s = solve<Mpfr>(*wide, start, Mpfr(0), {Mpfr(8)}, options);
    BOOST_REQUIRE((s.why == Stop::reached_end));
    return s.x;
  };
  const auto exact = at_forty("taylor"), other = at_forty("bulirsch_stoer");
  BOOST_TEST((largest_difference(exact, other) < parse_real<Mpfr>("1e-28")),
             "the references differ by " << brief(largest_difference(exact, other)));
  return {"4 tokens", model, model->start(), 8, exact};
}

struct Work {
  std::uint64_t accepted, rejected, rhs_calls;
};
/// problem, stepper and tolerance -> work.
using Table = std::map<std::string, Work>;

Table stored() {
  Table out;
  for (const auto& row : reference_rows("work.csv"))
    out[row.at("problem") + "," + row.at("stepper") + "," + row.at("tolerance")] = {
        std::stoull(row.at("accepted")), std::stoull(row.at("rejected")), std::stoull(row.at("rhs_calls"))};
  return out;
}

/// Runs everything; the errors are asserted here.
Table measured() {
  Table out;
  for (const Problem& p : {equiangular_problem(), tokens_problem()})
    for (const char* stepper : {"dop853", "dopri5", "fehlberg78", "bulirsch_stoer", "taylor"})
      for (const char* text : {"1e-6", "1e-9", "1e-12"}) {
        Options<double> options;
        options.stepper = stepper;
        options.tolerance = parse_real<double>(text);
        const auto s = solve<double>(*p.model, p.start, 0.0, {p.end}, options);
        BOOST_TEST_REQUIRE((s.why == Stop::reached_end), p.name << " " << stepper << ": " << s.detail);
        const Vector<Mpfr> got(s.x.begin(), s.x.end());
        const double error = plain_value(largest_difference(got, p.exact));
        const std::string key = fmt::format("{},{},{}", p.name, stepper, text);
        BOOST_TEST_MESSAGE(fmt::format("{:<34} err/tol {:<9.2g} {:>5} + {:>3} steps, {:>6} calls, {:.1e} s",
                                       key, error / options.tolerance, s.stats.accepted, s.stats.rejected,
                                       s.stats.rhs_calls, s.stats.seconds));
        BOOST_TEST(error <= options.tolerance, key << ": " << error);
        out[key] = {s.stats.accepted, s.stats.rejected, s.stats.rhs_calls};
      }
  return out;
}

void write(const Table& table, const std::string& path) {
  std::ofstream out(path);
  out << "# skip: 3\n"
         "# program: tests/lib/solve/work_test.cpp with ATTNDYN_WRITE_WORK set to the name of this file\n"
         "# accepted, rejected: steps of the last run; rhs_calls: of all runs together, under global control\n"
         "problem,stepper,tolerance,accepted,rejected,rhs_calls\n";
  for (const auto& [key, work] : table)
    out << key << ',' << work.accepted << ',' << work.rejected << ',' << work.rhs_calls << '\n';
  BOOST_REQUIRE_MESSAGE(out.flush(), path << " cannot be written");
}

bool risen(std::uint64_t now, std::uint64_t before) {
  return static_cast<double>(now) > (1 + rise_allowed) * static_cast<double>(before);
}

} // namespace

BOOST_AUTO_TEST_CASE(true_errors_are_within_the_tolerance_and_the_work_has_not_risen) {
  const Table now = measured();
  if (const char* path = std::getenv(write_variable)) return write(now, path);
  const Table before = stored();
  BOOST_TEST(now.size() == before.size(), "work.csv has other rows; " << how_to_regenerate);
  for (const auto& [key, work] : now) {
    const auto row = before.find(key);
    BOOST_TEST_REQUIRE((row != before.end()), key << " is not in work.csv; " << how_to_regenerate);
    const Work& old = row->second;
    BOOST_TEST(!risen(work.rhs_calls, old.rhs_calls), key << ": " << work.rhs_calls << " calls, were "
                                                          << old.rhs_calls << "; " << how_to_regenerate);
    BOOST_TEST(!risen(work.accepted + work.rejected, old.accepted + old.rejected),
               key << ": " << work.accepted + work.rejected << " steps, were " << old.accepted + old.rejected
                   << "; " << how_to_regenerate);
  }
}

BOOST_AUTO_TEST_CASE(a_rise_of_six_percent_is_seen_and_one_of_five_is_not) {
  BOOST_TEST(risen(1060, 1000));
  BOOST_TEST(!risen(1050, 1000));
  BOOST_TEST(!risen(900, 1000));
}
