// What is written: columns, digits, formats, the row at t = 0, states. Contract: "Command line".
#define BOOST_TEST_MODULE cli_output
#include "tests/cli/attndyn_for_tests.hpp"

#include <boost/multiprecision/mpfr.hpp>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace attndyn::tests;
using Wide = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<100>>;

namespace {

const char* const equiangular_columns = "t,g,one_minus_g,log_one_minus_g,r,s";
const char* const particle_columns =
    "t,mean_cosine,min_cosine,one_minus_mean_cosine,one_minus_min_cosine,variance,energy,r_mean,r_min";

const Words two_at_beta_zero{"equiangular", "--scheme", "post", "--n", "2", "--beta", "0"};

bool agree(const std::string& text, const Wide& expected, const char* relative) {
  return abs(Wide(text) - expected) <= Wide(relative) * abs(expected);
}

} // namespace

BOOST_AUTO_TEST_CASE(equiangular_writes_its_six_columns_and_every_parameter) {
  for (const std::string scheme : {"post", "pre", "mix", "peri", "ngpt", "sqrt", "lns"}) {
    const Csv csv = csv_of({"equiangular", "--scheme", scheme, "--n", "7", "--beta", "1/3", "--times",
                            "0.5,3", "--tol", "1e-9"});
    BOOST_TEST(csv.header == equiangular_columns);
    BOOST_TEST(csv.rows.size() == 2U);
    BOOST_TEST(csv.text(0, "t") == "0.5");
    for (const auto& [name, value] : std::map<std::string, std::string>{{"command", "equiangular"},
                                                                        {"scheme", scheme},
                                                                        {"attention", "sa"},
                                                                        {"n", "7"},
                                                                        {"beta", "1/3"},
                                                                        {"g0", "0"},
                                                                        {"r0", "1"},
                                                                        {"tau", "2.5"},
                                                                        {"alpha", "1"},
                                                                        {"alpha_decay", "0"},
                                                                        {"clock", "natural"},
                                                                        {"tolerance", "1e-9"},
                                                                        {"number_type", "double"},
                                                                        {"stepper", "default"},
                                                                        {"why_ended", "reached_end"}})
      BOOST_TEST(csv.parameters.at(name) == value, name);
    BOOST_TEST(csv.parameters.contains("attndyn"));
    BOOST_TEST(std::stod(csv.parameters.at("error_estimate")) <= 1e-9);
    BOOST_TEST(csv.value(1, "g") + csv.value(1, "one_minus_g") == 1, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(std::log(csv.value(1, "one_minus_g")) == csv.value(1, "log_one_minus_g"),
               boost::test_tools::tolerance(1e-13));
  }
}

BOOST_AUTO_TEST_CASE(particles_write_their_nine_columns_and_every_parameter) {
  for (const std::string attention : {"sa", "usa", "causal", "hardmax"}) {
    const Csv csv = csv_of({"particles", "--scheme", "pre", "--attention", attention, "--beta", "2", "--n",
                            "5", "--d", "3", "--seed", "18446744073709551615", "--times", "0,0.25,1"});
    BOOST_TEST(csv.header == particle_columns);
    BOOST_TEST(csv.rows.size() == 3U);
    for (const auto& [name, value] : std::map<std::string, std::string>{{"command", "particles"},
                                                                        {"scheme", "pre"},
                                                                        {"attention", attention},
                                                                        {"beta", "2"},
                                                                        {"init", "uniform"},
                                                                        {"n", "5"},
                                                                        {"d", "3"},
                                                                        {"seed", "18446744073709551615"},
                                                                        {"radii", "1"},
                                                                        {"masses", "1/n"},
                                                                        {"log_energy_scale", "0"},
                                                                        {"why_ended", "reached_end"}})
      BOOST_TEST(csv.parameters.at(name) == value, name);
  }
}

BOOST_AUTO_TEST_CASE(both_start_words_and_sizes_give_what_they_name) {
  for (const std::string n : {"1", "2", "3", "33"}) {
    for (const std::string d : {"1", "2", "40"}) {
      const Csv csv =
          csv_of({"particles", "--n", n, "--d", d, "--times", "0,0.5", "--beta", "1", "--tol", "1e-8"});
      BOOST_TEST(csv.parameters.at("n") == n);
      BOOST_TEST(csv.parameters.at("d") == d);
      BOOST_TEST(csv.value(1, "mean_cosine") + csv.value(1, "one_minus_mean_cosine") == 1,
                 boost::test_tools::tolerance(1e-14));
      BOOST_TEST(csv.value(1, "min_cosine") <= csv.value(1, "mean_cosine"));
      BOOST_TEST(csv.value(1, "energy") >= csv.value(0, "energy")); // theory: section 2, post under sa
      if (n != "1") continue;
      BOOST_TEST((Words(csv.rows[1].begin() + 1, csv.rows[1].begin() + 5) == Words{"1", "1", "0", "0"}));
      BOOST_TEST(csv.value(1, "energy") == std::exp(1.0) / 2, boost::test_tools::tolerance(1e-14));
    }
  }
  const Csv orthogonal =
      csv_of({"particles", "--init", "orthogonal", "--n", "4", "--d", "6", "--times", "0"});
  BOOST_TEST((Words(orthogonal.rows[0].begin(), orthogonal.rows[0].begin() + 6) ==
              Words{"0", "0", "0", "1", "1", "0.75"}));
  const Csv even = csv_of(
      {"particles", "--init", "equiangular:0.5", "--n", "3", "--d", "3", "--times", "0", "--beta", "0"});
  BOOST_TEST(even.value(0, "min_cosine") == 0.5, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(even.value(0, "energy") == 0.5 * (3 + 6 * 0.5) / 9, boost::test_tools::tolerance(1e-15));
}

// Post-LN, n = 2, beta = 0: g' = 1 - g^2, so g(t) = tanh t. Closed form.
BOOST_AUTO_TEST_CASE(forty_digits_are_asked_for_and_come) {
  const Csv csv = csv_of(two_at_beta_zero + Words{"--times", "0.1,1", "--digits", "40"});
  BOOST_TEST(csv.parameters.at("number_type") == "mpfr");
  BOOST_TEST(csv.parameters.at("tolerance") == "1e-40");
  for (std::size_t row : {0, 1}) {
    const Wide t = row == 0 ? Wide(1) / 10 : Wide(1), gap = 1 - tanh(t);
    BOOST_TEST(agree(csv.text(row, "t"), t, "1e-48"));
    BOOST_TEST(agree(csv.text(row, "g"), tanh(t), "1e-38"));
    BOOST_TEST(agree(csv.text(row, "one_minus_g"), gap, "1e-38"));
    BOOST_TEST(agree(csv.text(row, "log_one_minus_g"), log(gap), "1e-38"));
    BOOST_TEST(csv.text(row, "g").size() > 42U);
  }
}

BOOST_AUTO_TEST_CASE(a_decimal_parameter_is_exact_at_every_precision) {
  const Words call{"equiangular", "--n", "5", "--times", "0.5", "--digits", "35", "--beta"};
  const auto row = [&](const std::string& beta) { return csv_of(call + Words{beta}).rows; };
  const auto tenth = row("0.1");
  BOOST_TEST((tenth == row("1/10")));
  BOOST_TEST((tenth == row(" 1e-1")));
  const Wide difference = abs(Wide(tenth[0][1]) - Wide(row("0.1000000000000000055511151231257827")[0][1]));
  BOOST_TEST(difference > Wide("1e-19")); // the double nearest to one tenth is another number
}

BOOST_AUTO_TEST_CASE(gaps_below_the_range_of_double_keep_their_digits) {
  const Csv csv = csv_of(two_at_beta_zero + Words{"--times", "50,500,5000", "--tol", "1e-12"});
  for (std::size_t row : {0, 1, 2}) {
    const Wide gap = 2 / (exp(2 * Wide(csv.text(row, "t"))) + 1);
    BOOST_TEST(agree(csv.text(row, "one_minus_g"), gap, row == 2 ? "1e-10" : "1e-11"));
    BOOST_TEST(csv.text(row, "g") == "1");
  }
  BOOST_TEST(csv.text(1, "one_minus_g").ends_with("e-434"));
}

BOOST_AUTO_TEST_CASE(digits_choose_the_number_type) {
  for (const auto& [digits, type] : std::map<std::string, std::string>{{"1", "double"},
                                                                       {"13", "double"},
                                                                       {"14", "float128"},
                                                                       {"30", "float128"},
                                                                       {"31", "mpfr"},
                                                                       {"60", "mpfr"}}) {
    const Csv csv = csv_of(two_at_beta_zero + Words{"--times", "0.1", "--digits", digits});
    BOOST_TEST(csv.parameters.at("number_type") == type, digits);
    BOOST_TEST(
        agree(csv.text(0, "g"), tanh(Wide(1) / 10), ("1e-" + std::to_string(std::stoi(digits) - 1)).c_str()),
        digits);
  }
  BOOST_TEST(
      csv_of(two_at_beta_zero + Words{"--times", "1", "--tol", "2e-14"}).parameters.at("number_type") ==
      "float128");
}

BOOST_AUTO_TEST_CASE(the_row_at_zero_is_the_start_itself) {
  for (const Words& more :
       {Words{}, Words{"--scheme", "pre"}, Words{"--attention", "usa", "--clock", "scaled"}}) {
    const Csv csv = csv_of(Words{"equiangular", "--times", "0,1", "--g0", "0.1", "--r0", "0.3"} + more);
    BOOST_TEST((Words(csv.rows[0].begin(), csv.rows[0].begin() + 3) == Words{"0", "0.1", "0.9"}));
    BOOST_TEST(csv.text(0, "r") == "0.3");
  }
  BOOST_TEST(
      csv_of({"equiangular", "--times", "0", "--g0", "0.99999999999999999999"}).text(0, "one_minus_g") ==
      "1e-20");
  BOOST_TEST(csv_of({"equiangular", "--times", "0", "--g0", "0.99999999999999999999"}).rows.size() == 1U);
  const Scratch folder;
  const std::string tokens = folder.file("tokens.csv", "3,4\n0,-0.3\n0.6,0.8\n"),
                    radii = folder.file("radii.csv", "0.3,0.01,0.1\n");
  const Words call{"particles", "--init", tokens,     "--scheme",           "pre",
                   "--times",   "0,1",    "--states", folder / "states.csv"};
  BOOST_TEST(csv_of(call + Words{"--radii", radii}).text(0, "r_min") == "0.01");
  const Csv states(content_of(folder / "states.csv"));
  BOOST_TEST((states.rows[0] == Words{"0", "1", "0.3", "0.6", "0.8"}));
  BOOST_TEST((states.rows[1] == Words{"0", "2", "0.01", "0", "-1"}));
  const Csv from_start = csv_of(call + Words{"--radii", "from-start"});
  BOOST_TEST(from_start.text(0, "r_min") == "0.3");
  BOOST_TEST(from_start.value(0, "r_mean") == 6.3 / 3, boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(times_come_as_a_list_or_evenly_or_in_ratio) {
  const auto times = [](const std::string& text) {
    std::vector<std::string> out;
    for (const auto& row : csv_of(two_at_beta_zero + Words{"--times", text}).rows) out.push_back(row[0]);
    return out;
  };
  BOOST_TEST((times("0,1/4,1e0") == Words{"0", "0.25", "1"}));
  BOOST_TEST((times("lin:0:1:11") ==
              Words{"0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"}));
  BOOST_TEST(times("lin:0:10:101")[7] == "0.7");
  BOOST_TEST((times("lin:0.1:0.7:2") == Words{"0.1", "0.7"}));
  BOOST_TEST((times("log:1:100:3") == Words{"1", "10", "100"}));
  const auto wide = times("log:1e-300:1e300:3"); // the ratio lies outside the range of double
  BOOST_TEST(wide.front() == "1e-300");
  BOOST_TEST(std::stod(wide[1]) == 1, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(wide.back() == "1e+300");
}

BOOST_AUTO_TEST_CASE(masses_heads_and_radii_reach_the_model) {
  const Scratch folder;
  const std::string tokens = folder.file("tokens.csv", "1,0\n0.6,0.8\n0.6,0.8\n"),
                    twice = folder.file("two.csv", "1,0\n0.6,0.8\n"),
                    masses = folder.file("masses.csv", "1\n2\n"),
                    half = folder.file("half.csv", "0.5,0\n0,0.5\n"),
                    one = folder.file("one.csv", "1,0\n0,1\n");
  const Words more{"--times", "1", "--scheme", "peri", "--tol", "1e-11", "--init"};
  // Two tokens at one point act as one of their common mass.
  const Csv three = csv_of(Words{"particles"} + more + Words{tokens}),
            heavy = csv_of(Words{"particles"} + more + Words{twice, "--masses", masses});
  for (const char* column : {"min_cosine", "variance", "energy", "r_min"})
    BOOST_TEST(three.value(0, column) == heavy.value(0, column), boost::test_tools::tolerance(1e-10));
  // Two heads of half the value matrix are one head of all of it.
  const Csv heads =
      csv_of(Words{"particles"} + more +
             Words{twice, "--masses", masses, "--V", half, "--V", half, "--Q", one, "--Q", one});
  BOOST_TEST(heads.value(0, "min_cosine") == heavy.value(0, "min_cosine"),
             boost::test_tools::tolerance(1e-10));
  BOOST_TEST(heads.parameters.at("V") == half + " " + half);
}

BOOST_AUTO_TEST_CASE(layers_approach_the_flow_and_full_space_changes_nothing) {
  const Words call{"particles", "--scheme", "pre", "--n", "3", "--d", "9", "--times", "0,1,2"};
  const Csv flow = csv_of(call), full = csv_of(call + Words{"--full-space"}),
            layers = csv_of(call + Words{"--layer-step", "1/512"});
  BOOST_TEST(flow.parameters.at("working_dimension") == "3");
  BOOST_TEST(full.parameters.at("working_dimension") == "9");
  BOOST_TEST(layers.parameters.at("layer_step") == "1/512");
  BOOST_TEST(full.value(2, "mean_cosine") == flow.value(2, "mean_cosine"),
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(layers.value(2, "mean_cosine") == flow.value(2, "mean_cosine"),
             boost::test_tools::tolerance(1e-2));
  BOOST_TEST(layers.value(2, "mean_cosine") != flow.value(2, "mean_cosine"));
}

BOOST_AUTO_TEST_CASE(the_same_words_give_the_same_bytes_to_a_file_as_to_standard_output) {
  const Scratch folder;
  const Words call{"particles", "--n", "6", "--d", "3", "--times", "0,1"};
  const Ran first = run(call), second = run(call + Words{"--out", folder / "a.csv"});
  BOOST_TEST(first.out == content_of(folder / "a.csv"));
  BOOST_TEST(second.out == "");
  BOOST_TEST(first.out != run(call + Words{"--seed", "2"}).out);
}

BOOST_AUTO_TEST_CASE(json_holds_what_csv_holds) {
  for (const Words& call :
       {Words{"equiangular", "--times", "0,1,500", "--n", "3", "--scheme", "post"},
        Words{"equiangular", "--times", "1", "--digits", "40"}, Words{"particles", "--times", "0,1"}}) {
    const Csv csv = csv_of(call);
    const auto json = nlohmann::json::parse(run(call + Words{"--format", "json"}).out);
    std::string header;
    for (const std::string column : json.at("columns")) header += (header.empty() ? "" : ",") + column;
    BOOST_TEST(header == csv.header);
    BOOST_REQUIRE(json.at("rows").size() == csv.rows.size());
    for (std::size_t i = 0; i < csv.rows.size(); ++i)
      for (std::size_t j = 0; j < csv.rows[i].size(); ++j) {
        const auto& cell = json["rows"][i][j]; // text where a double could not hold it
        if (cell.is_string())
          BOOST_TEST(cell.get<std::string>() == csv.rows[i][j]);
        else
          BOOST_TEST(cell.get<double>() == std::stod(csv.rows[i][j]));
      }
    for (const auto& [name, value] : csv.parameters) {
      const auto& parameter = json.at("parameters").at(name);
      if (parameter.is_string())
        BOOST_TEST(parameter.get<std::string>() == value);
      else
        BOOST_TEST(parameter.get<double>() == std::stod(value));
    }
  }
}
