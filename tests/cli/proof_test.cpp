// Enclosures, certificates and studies on the command line.
#define BOOST_TEST_MODULE cli_proof
#include "tests/cli/attndyn_for_tests.hpp"

#include <cmath>

using namespace attndyn::tests;

BOOST_AUTO_TEST_CASE(rigorous_ends_hold_the_value_that_the_solver_gives) {
  const Words system{"equiangular", "--scheme", "peri", "--n", "256", "--beta", "5", "--times", "0,0.1,10"};
  const Csv ends = csv_of(system + Words{"--rigorous", "--digits", "12"}), values = csv_of(system);
  BOOST_TEST(ends.header.starts_with("t,g_lower,g_upper,one_minus_g_lower"));
  BOOST_TEST(ends.rows.size() == 3u);
  for (std::size_t i = 0; i < 3; ++i)
    for (const char* column : {"g", "one_minus_g", "log_one_minus_g", "r", "s"}) {
      const double low = ends.value(i, std::string(column) + "_lower"),
                   high = ends.value(i, std::string(column) + "_upper"), value = values.value(i, column);
      BOOST_TEST(low <= high);
      BOOST_TEST(std::abs(value - low) <= 1e-9 * (1 + std::abs(value)), column);
      BOOST_TEST(high - low <= 1e-10 * (1 + std::abs(value)), column);
    }
  check_refused(system + Words{"--rigorous", "--stepper", "dopri5"}, {"stepper", "--rigorous"});
}

BOOST_AUTO_TEST_CASE(certificates_are_written_checked_and_rejected_when_changed) {
  const Scratch folder;
  const std::string where = folder / "proofs";
  const Ran made = run({"verify", "NAD-4.1-initial", "--level", "proof", "--certificates", where});
  BOOST_TEST(made.status == 0, made.err);
  BOOST_TEST(made.out.find("proof") != std::string::npos);
  const std::string path = where + "/NAD-4.1-initial.json", text = content_of(path);
  const Ran checked = run({"check-certificate", path});
  BOOST_TEST(checked.status == 0, checked.err);
  BOOST_TEST(checked.out == "NAD-4.1-initial: all 24 facts confirmed at 256 bits\n");
  std::string tampered = text;
  const std::size_t digit = tampered.find_first_of("123456789", tampered.find("\"lower\""));
  tampered[digit] = tampered[digit] == '9' ? '8' : static_cast<char>(tampered[digit] + 1);
  check_refused({"check-certificate", folder.file("t.json", tampered)}, {"file = ", "sha256"});
  check_refused({"check-certificate", folder / "absent.json"}, {"file = "});
  check_refused({"check-certificate"}, {"file"});
  check_refused({"verify", "MFT-hemisphere", "--level", "proof"}, {"level = proof", "MFT-hemisphere"});
  check_refused({"verify", "--level", "poof"}, {"level = poof: must be one of double, high, proof"});
}

BOOST_AUTO_TEST_CASE(converge_prints_its_table) {
  const Csv table = csv_of({"converge", "--study", "order", "--n", "4", "--beta", "1", "--t", "1"});
  BOOST_TEST(table.header == "method,order,step,error,observed");
  BOOST_TEST(table.parameters.at("study") == "order");
  BOOST_TEST(table.rows.size() == 25u);
  check_refused({"converge"}, {"study: must be given, one of precision, tolerance, order"});
  check_refused({"converge", "--study", "speed"}, {"study = speed"});
  check_refused({"converge", "--study", "order", "--t", "0"}, {"t = 0: must be > 0"});
  check_refused({"converge", "--study", "order", "--n", "1"}, {"n = 1"});
}
