// Claims of a user's file: the examples, sabotage, and every kind of refusal.
#define BOOST_TEST_MODULE user_claim
#include "tests/support/program.hpp"
#include "tests/support/wrong_models.hpp"
#include "verification/report.hpp"
#include "verification/user_claim.hpp"

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>

using namespace attndyn;
using namespace attndyn::verification;

namespace {

const std::string examples = std::string(ATTNDYN_REFERENCE_DIR) + "/../../verification/examples/";

Context quick() {
  Context c;
  c.quick = true;
  return c;
}

std::string example(const std::string& name) { return tests::content_of(examples + name + ".toml"); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, from);
  return text.replace(at, from.size(), to);
}

Outcome decided(const std::string& text, const Context& context = quick()) {
  static std::vector<std::unique_ptr<Claim>> claims; // an Outcome points to its claim
  claims.push_back(std::make_unique<Claim>(claim_from_toml(text, "dir/my.toml")));
  return decide(*claims.back(), context);
}

/// One line of refusal that holds each of the parts.
void check_refused(const std::string& text, const std::vector<std::string>& parts) {
  BOOST_TEST_CONTEXT(text.substr(0, 300)) {
    std::string said;
    try {
      claim_from_toml(text, "dir/my.toml");
    } catch (const std::invalid_argument& e) {
      said = e.what();
    }
    BOOST_TEST(said.starts_with("file = dir/my.toml: "), said);
    BOOST_TEST(said.find('\n') == std::string::npos, said);
    for (const auto& part : parts) BOOST_TEST(said.find(part) != std::string::npos, part << " in " << said);
  }
}

/// Two orthogonal tokens, Post-LN, beta = 0: the cosine is tanh t (closed form).
const std::string tanh_law = R"toml(
model = "particles"
start = "orthogonal"
observable = "mean_cosine"
relation = "=="
prediction = "tanh(t)"
window = [0, 3]
parameters = { n = 2, beta = 0 }
)toml";

/// Pre-LN at beta = 0 keeps r^2 (1 - g) (closed form).
const std::string pre_ln_law = replaced(
    replaced(replaced(tanh_law, "\"mean_cosine\"", "\"r_mean^2*one_minus_mean_cosine\""), "\"tanh(t)\"", "1"),
    "window", "scheme = \"pre\"\nwindow");

/// Two tokens of masses 1/4 and 3/4 (closed form).
const std::string two_masses_law = R"toml(
model = "particles"
tokens = [[1, 0], [0.6, 0.8]]
masses = [1, 3]
observable = "rate of mean_cosine"
relation = "=="
prediction = "(1-mean_cosine^2)*exp(beta*mean_cosine)*(0.75/(0.25*exp(beta)+0.75*exp(beta*mean_cosine))+0.25/(0.75*exp(beta)+0.25*exp(beta*mean_cosine)))"
window = [0, 1]
parameters = { beta = 2 }
)toml";

/// Three tokens, the rate at the start from the formulas at 30 digits in mpmath.
const std::string three_tokens_law = R"toml(
model = "particles"
tokens = [[1, 0], [0.6, 0.8], [0, 1]]
observable = "rate of mean_cosine"
relation = "=="
prediction = "0.34476972153021794255"
window = [0, 1e-12]
parameters = { beta = 2 }
)toml";

std::string with(const std::string& from, const std::string& to) { return replaced(tanh_law, from, to); }

std::string ode(const std::string& rhs, const std::string& relation) {
  return "model = \"ode\"\nrhs = \"" + rhs + "\"\nu0 = 1\nwindow = [0, 1]\n" + relation;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_examples_have_their_verdicts) {
  for (const char* name : {"pre_ln_exponent", "narrow_cone_radii", "peri_ln_limit", "dms_time_scale"}) {
    const Outcome o = decided(example(name));
    BOOST_TEST(o.as_expected(), text_table({o}) << markdown_report({o}, "."));
    BOOST_TEST(!o.evidence.refinement.empty());
    BOOST_TEST(!o.claim->hypotheses.empty());
    BOOST_TEST(!o.claim->blind_to.empty());
    if (o.claim->expected == Verdict::fails) BOOST_TEST(o.evidence.worst.margin < -1e6);
  }
}

BOOST_AUTO_TEST_CASE(a_prediction_off_by_two_percent_is_rejected) {
  for (const auto& text :
       {replaced(example("pre_ln_exponent"), "prediction = \"-2\"", "prediction = \"-2.04\""),
        replaced(example("peri_ln_limit"), "\"r0/sqrt(n)\"", "\"1.02*r0/sqrt(n)\""),
        replaced(example("narrow_cone_radii"), "\"(1 - delta) * t\"", "\"1.02*(t + 1)\""),
        with("tanh(t)", "1.02*tanh(t)"), with("tanh(t)", "tanh(1.02*t)")})
    BOOST_TEST((decided(text).verdict == Verdict::fails), text);
  Context moved = quick();
  moved.moved = "prediction";
  for (const auto& text : {example("pre_ln_exponent"), example("peri_ln_limit"), tanh_law})
    for (const double direction : {-1.0, 1.0}) {
      moved.direction = direction;
      const Outcome o = decided(text, moved);
      BOOST_TEST(o.claim->fixes.size() == 1u);
      BOOST_TEST((o.verdict == Verdict::fails), text_table({o}));
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_model_is_rejected) {
  for (const auto& sabotage : attndyn::testing::all_sabotages()) {
    Context c = quick();
    c.factory = sabotage.factory;
    std::string caught;
    for (const auto& text :
         {tanh_law, example("narrow_cone_radii"), pre_ln_law, two_masses_law, three_tokens_law})
      if (const Outcome o = decided(text, c); o.verdict != Verdict::holds)
        caught += fmt::format("; {}: {}", o.claim->prediction, name_of(o.verdict));
    BOOST_TEST_MESSAGE(fmt::format("{:<42} caught by{}", sabotage.name, caught));
    // Without the projection the runs do not agree with one another, and nothing can be said of the
    // statement.
    const char* verdict = sabotage.name == "projection dropped" ? "inconclusive" : "fails";
    BOOST_TEST(caught.find(verdict) != std::string::npos, sabotage.name);
  }
}

// What an attack found: rates whose differences agree by chance, bars that decide, forcing between two steps.
BOOST_AUTO_TEST_CASE(rates_are_right_and_their_bars_count_rounding) {
  for (const auto& law : {two_masses_law, three_tokens_law})
    BOOST_TEST((decided(law).verdict == Verdict::holds), text_table({decided(law)}));
  const auto rate = [](const std::string& f, const std::string& derivative, const std::string& window) {
    return decided("model = \"ode\"\nrhs = \"-u\"\nu0 = 1\nobservable = \"rate of " + f +
                   "\"\nrelation = \"==\"\nprediction = \"" + derivative + "\"\nwindow = " + window + "\n");
  };
  for (const auto& [f, derivative] : {std::pair{"sqrt(t)", "0.5/sqrt(t)"},
                                      {"t^3", "3*t^2"},
                                      {"exp(-t)", "-exp(-t)"},
                                      {"sin(10*t)", "10*cos(10*t)"},
                                      {"log(1+t)", "1/(1+t)"},
                                      {"u^2", "-2*u^2"}}) {
    const Outcome o = rate(f, derivative, "[0.01, 9]");
    BOOST_TEST((o.verdict != Verdict::fails), text_table({o}));
    BOOST_TEST((rate(f, std::string("1.02*(") + derivative + ")", "[0.01, 9]").verdict == Verdict::fails), f);
  }
  BOOST_TEST((decided("model = \"ode\"\nrhs = \"-u\"\nu0 = 1\nobservable = \"rate of sin(40*pi*t)\"\n"
                      "relation = \"<=\"\nprediction = \"1\"\nwindow = [0, 1]\n")
                  .verdict == Verdict::fails));
}

BOOST_AUTO_TEST_CASE(what_only_an_error_bar_decides_is_inconclusive) {
  for (const char* relation :
       {"relation = \"<=\"\nprediction = \"0.5\"", "relation = \">=\"\nprediction = \"2\""})
    BOOST_TEST(
        (decided("model = \"ode\"\nrhs = \"-u\"\nu0 = 1\nobservable = \"u*exp(t)\"\nwindow = [24, 30]\n" +
                 std::string(relation) + "\n")
             .verdict == Verdict::inconclusive));
}

BOOST_AUTO_TEST_CASE(a_scalar_equation_steps_to_every_sample) {
  BOOST_TEST((decided("model = \"ode\"\nrhs = \"exp(-((t-50.3)/0.3)^2)\"\nu0 = 0\nobservable = \"u\"\n"
                      "relation = \"<=\"\nprediction = \"0.1\"\nwindow = [0, 100]\nsamples = 1024\n")
                  .verdict == Verdict::fails));
}

BOOST_AUTO_TEST_CASE(closed_forms_hold_for_every_relation) {
  const auto holds = [](const std::string& text) {
    const Outcome o = decided(text);
    BOOST_TEST((o.verdict == Verdict::holds), text << text_table({o}) << markdown_report({o}, "."));
  };
  holds(tanh_law);
  holds(replaced(with("\"mean_cosine\"", "\"rate of mean_cosine\""), "tanh(t)", "1 - tanh(t)^2"));
  holds(replaced(with("\"mean_cosine\"", "\"rate of log one_minus_min_cosine\""), "tanh(t)", "-1 - tanh(t)"));
  holds(replaced(with("relation = \"==\"", "relation = \"<=\""), "tanh(t)", "t"));
  holds(replaced(with("start = \"orthogonal\"", "tokens = [[1, 0], [0, \"1/3\"]]"), "n = 2, ", ""));
  holds(with("tanh(t)", "tanh(t) + (n - 2) + (d - 2)")); // d is that of the start
  holds(ode("-u", "observable = \"u\"\nrelation = \"==\"\nprediction = \"exp(-t)\""));
  holds(ode("-2*u", "observable = \"u\"\nrelation = \"~\"\nlaw = \"exponential\"\nprediction = \"2\""));
  holds(
      ode("1 - u^2", "observable = \"T\"\nrelation = \"==\"\nprediction = \"0\"\nfirst_time = \"u >= 0.5\""));
  holds(
      ode("-u", "observable = \"T\"\nrelation = \"==\"\nprediction = \"log(2)\"\nfirst_time = \"u <= 1/2\""));
  // 1 - g ~ n e^I e^{-2t}, which underflows at the end of the window.
  holds(R"toml(
model = "equiangular"
observable = "one_minus_g"
relation = "~"
law = "exponential"
prediction = 2
window = [10, 500]
parameters = { n = [2, 64], beta = 1 }
)toml");
}

BOOST_AUTO_TEST_CASE(the_worst_time_is_found_between_the_samples) {
  // sin(7.3 t) reaches 1 at no sample.
  const std::string law = "observable = \"sin(7.3*t) + 0*u\"\nrelation = \"<=\"\nsamples = 8\nprediction = ";
  BOOST_TEST((decided(ode("0", law + "\"1 - 1e-9\"")).verdict == Verdict::fails));
  BOOST_TEST((decided(ode("0", law + "1")).verdict == Verdict::holds));
}

BOOST_AUTO_TEST_CASE(the_search_finds_what_the_grid_does_not_see) {
  const std::string text =
      ode("0", "observable = \"u - (a - 0.3)^2\"\nrelation = \"<=\"\nprediction = \"1 - 1e-3\"\n"
               "[parameters]\na = { low = 0, high = 1 }");
  BOOST_TEST((decided(text).verdict == Verdict::holds));
  Context searching = quick();
  searching.search = 40;
  const Outcome o = decided(text, searching);
  BOOST_TEST((o.verdict == Verdict::fails), text_table({o}));
  BOOST_TEST(o.evidence.hunted.has_value());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_inconclusive_with_the_reason) {
  const auto inconclusive = [](const std::string& text, const std::string& reason) {
    const Outcome o = decided(text);
    BOOST_TEST((o.verdict == Verdict::inconclusive), text_table({o}));
    BOOST_TEST(o.evidence.basis.back().find(reason) != std::string::npos, o.evidence.basis.back());
  };
  const std::string law = "observable = \"u\"\nrelation = \"==\"\nprediction = ";
  inconclusive(ode("-u", law + "\"1/(t - 0.5)\""), "not comparable");
  inconclusive(ode("-u", law + "\"log(t - 2)\""), "not comparable");
  inconclusive(ode("1/(t - 0.5)", law + "1"), "a run ended");
  inconclusive(ode("u^2", law + "1"), "a run ended");
  inconclusive(ode("-u", law + "1\nfirst_time = \"u <= -1\""), "is not met");
  // sin t settles nowhere.
  inconclusive("model = \"ode\"\nrhs = \"cos(t)\"\nu0 = 0\nwindow = [1, 100]\nspacing = \"linear\"\n"
               "observable = \"u\"\nrelation = \"->\"\nprediction = 0",
               "is needed");
  // A cosine gap of 1e-20 cannot be read from tokens known to 1e-11.
  inconclusive(replaced(replaced(with("[0, 3]", "[22, 24]"), "\"mean_cosine\"", "\"one_minus_mean_cosine\""),
                        "tanh(t)", "2/(exp(2*t) + 1)"),
               "0.2 % of the prediction");
}

BOOST_AUTO_TEST_CASE(files_that_state_no_claim_are_refused_in_one_line) {
  check_refused("", {"is empty"});
  check_refused("model = ", {"line 1"});
  check_refused(tanh_law + "colour = 1", {"colour", "is not a key"});
  check_refused(replaced(tanh_law, "beta = 0", "beta = { low = 0, high = 1, step = 2 }"),
                {"parameters.beta.step"});
  check_refused(with("\"particles\"", "\"waves\""), {"model = waves", "particles, equiangular, ode"});
  check_refused(with("start = \"orthogonal\"", ""), {"start", "tokens"});
  check_refused(with("\"orthogonal\"", "\"square\""), {"start = square"});
  check_refused(with("\"orthogonal\"", "\"equiangular:2\""), {"must be > -1/(n-1)"});
  check_refused(with("observable = \"mean_cosine\"", ""), {"observable", "must be given"});
  check_refused(with("\"mean_cosine\"", "\"mean_sine\""),
                {"observable = mean_sine", "does not know mean_sine"});
  check_refused(with("tanh(t)", "tanh(t"), {"prediction = tanh(t", "is no formula", "parenthesis"});
  check_refused(with("tanh(t)", "tanh(t), 1"), {"prediction", "not several"});
  check_refused(with("tanh(t)", "n = 3"), {"prediction", "assignment"});
  check_refused(with("\"==\"", "\"=\""), {"relation = =", "must be one of"});
  check_refused(with("\"==\"", "\"~\""), {"law", "must be given"});
  check_refused(with("[0, 3]", "[3, 0]"), {"window = [3, 0]", "begin < end"});
  check_refused(with("[0, 3]", "[0, \"1/0\"]"), {"window = 1/0", "finite"});
  check_refused(with("[0, 3]", "3"), {"window", "must be a list"});
  check_refused(with("beta = 0", "beta = nan"), {"parameters.beta = nan"});
  check_refused(with("beta = 0", "beta = { low = 2, high = 1 }"), {"parameters.beta.low = 2", "<= high"});
  check_refused(with("beta = 0", "beta = { low = 0, high = 1, scale = \"log\" }"), {"must be > 0"});
  check_refused(with("n = 2", "n = 1000000000"), {"parameters.n = 1000000000"});
  check_refused(with("n = 2", "n = 2.5"), {"parameters.n = 2.5", "integer"});
  check_refused(with("n = 2, ", ""), {"parameters.n", "must be given"});
  check_refused(with("n = 2", "n = 2, t = 3"), {"parameters.t", "meaning of its own"});
  check_refused(with("[0, 3]", "[0, 3]\ndraws = 0"), {"draws = 0"});
  check_refused(with("[0, 3]", "[0, 3]\ndraws = 7"), {"draws = 7", "not random"});
  check_refused(with("[0, 3]", "[0, 3]\nsamples = 1000000000"), {"samples = 1000000000"});
  check_refused(with("[0, 3]", "[0, 3]\nmasses = [1, 2, 3]"), {"masses", "must have n = 2"});
  check_refused(with("[0, 3]", "[0, 3]\nscheme = \"psot\""), {"scheme = psot", "post"});
  check_refused(with("[0, 3]", "[0, 3]\nhypothesis = \"n > 2\""), {"hypothesis", "no point of the grid"});
  check_refused(with("[0, 3]", "[0, 3]\nexpected = \"true\""), {"expected = true", "holds, fails"});
  check_refused(with("[0, 3]", "[0, 3]\nid = \"a\\nb\""), {"id", "letters"});
  std::string many;
  for (const char* name : {"a", "b", "c", "f", "h", "i", "j"})
    many += fmt::format(", {} = {{ low = 0, high = 1 }}", name);
  check_refused(with("beta = 0", "beta = 0" + many), {"2187 cases", "at most 1000"});
  std::string lists = "beta = [0";
  for (int i = 1; i < 9999; ++i) lists += ", 1";
  check_refused(with("beta = 0", lists + "]"), {"9999 cases"});
  check_refused(with("beta = 0", lists + ", 1, 1]"), {"10000 elements"});
}
