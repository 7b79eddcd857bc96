/// What a claim is, what its check finds, and the verdict that follows from it.
///
/// A claim restates a printed statement with its source, names the domain in which it is checked and what the
/// check cannot see. The check gets its models from a factory, so that tests can hand it a wrong one and see
/// it caught.
#pragma once

#include "lib/models/equiangular.hpp"
#include "lib/models/particles.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attndyn::verification {

enum class Verdict { holds, fails, inconclusive, not_applicable };
const char* name_of(Verdict);

/// How a verdict is reached. simulation ("double"): runs in double with error bars and a refinement. high:
/// two methods at 30 digits or more that must agree. proof: rigorous enclosures of what is finite in the
/// claim, with a certificate.
enum class Level { simulation, high, proof };
const char* name_of(Level);

/// A number that a claim fixes: its prediction as data. Tests move it, by 2 % a constant, by 0.1 an exponent,
/// and demand that the claim is then rejected.
struct Fixed {
  enum class Kind { constant, exponent };
  std::string name; ///< unique within the claim
  Kind kind;
  std::string formula; ///< what is predicted for it
};

struct Certificate;

/// Where checks get their right-hand sides. The default hands the model through; a test wraps it in a wrong
/// one.
struct ModelFactory {
  using Field = std::shared_ptr<const Model<double>>;
  std::function<Field(std::shared_ptr<const Particles<double>>)> particles = [](auto model) { return model; };
  std::function<Field(std::shared_ptr<const Equiangular<double>>)> equiangular = [](auto model) {
    return model;
  };
};

struct Context {
  bool quick = false;     ///< fewer sizes and shorter times, same tolerances
  std::uint64_t seed = 1; ///< of every random start
  ModelFactory factory;
  Level level = Level::simulation;
  std::size_t search = 0;      ///< points at which the search of a claim tries its hypotheses; 0: off
  std::size_t full_search = 0; ///< the same for claims that take no notice of quick; 0: as search

  std::string moved;    ///< name of the Fixed that is predicted wrongly on purpose; empty: none
  double direction = 1; ///< +1 or -1: which way it is moved
  /// The predicted value of a Fixed of that name, as a check must ask for it.
  double constant(std::string_view name, double value) const;
  double exponent(std::string_view name, double value) const;
};

/// One comparison of the check, and the worst of them.
struct Finding {
  std::string quantity; ///< what was measured, in words and symbols
  std::string where;    ///< parameters: enough to repeat it
  double measured = 0, predicted = 0;
  double error = 0;    ///< bar on measured - predicted, > 0
  double margin = 0;   ///< signed distance to violation over the error bar; positive: holds
  std::string witness; ///< a file that the command line replays (witness.hpp); may be empty
};

/// Measured against predicted, to be drawn in the report.
struct Curve {
  std::string title, x_name, y_name;
  bool log_x = false, log_y = false;
  struct Point {
    double x, measured, error,
        predicted; ///< NaN: nothing measured or predicted here; error is a bar on measured, >= 0
  };
  std::vector<Point> points = {};
  std::string reference = "predicted"; ///< what the predicted values are: a bound, a limit
};

/// What a check leaves: its worst finding, and on what the verdict rests.
struct Evidence {
  Finding worst;
  std::size_t comparisons = 0;
  std::vector<std::string> basis;      ///< sizes, seeds, tolerances: one line each
  std::vector<std::string> refinement; ///< what was refined and by how much results changed: one line each
  std::vector<Curve> curves;
  /// The worst that the search found, whether or not the claim holds; nothing if it did not run.
  std::optional<Finding> hunted;
  /// The worst violation that comes with a file to replay it, of the check or, if it has none, the first of
  /// the search; nothing if there is none.
  std::optional<Finding> witnessed;
};

/// Collects comparisons and keeps the worst.
class Findings {
public:
  /// measured should equal predicted up to error: margin 1 - |measured - predicted| / error.
  void equal(std::string quantity, double measured, double predicted, double error, std::string where,
             std::string witness = {});
  /// measured should be >= bound: margin (measured - bound) / error + slack, with slack 1 where rounding
  /// alone may reach below the bound (equality allowed), else 0.
  void at_least(std::string quantity, double measured, double bound, double error, std::string where,
                bool equality_allowed = true, std::string witness = {});
  /// measured should be <= bound, likewise.
  void at_most(std::string quantity, double measured, double bound, double error, std::string where,
               bool equality_allowed = true, std::string witness = {});
  void note(std::string line);
  /// No verdict rests on one run of one size: what was refined, and the change that it made. A check at level
  /// double or high that never calls this is inconclusive.
  void refined(std::string line);
  /// The same with a demand: the change must be within its bar.
  void refined(std::string what, double change, double bar, std::string where);
  void draw(Curve curve);
  /// Takes over the comparisons of another, and its worst as found by the search.
  void hunted(const Findings& other);
  const Evidence& evidence() const { return evidence_; }

private:
  void add(Finding);
  Evidence evidence_;
};

struct Search;

struct Claim {
  std::string id;         ///< as in the literature list, e.g. "NAD-4.1-initial"
  std::string source;     ///< tag and theorem
  std::string statement;  ///< as printed, restated in one or two sentences
  std::string hypotheses; ///< the domain that the check covers
  std::string prediction; ///< formula
  std::string blind_to;   ///< what the check cannot see
  Verdict expected;
  /// Adds its comparisons to the findings as it goes; may throw, and then keeps what it has found.
  std::function<void(const Context&, Findings&)> check;
  /// What of it is proved (or, of a claim that fails, refuted) at proof level; empty: it has no such check.
  std::string proves = {};
  /// Adds facts to the certificate and a comparison for each; throws where one cannot be proved.
  std::function<void(const Context&, Findings&, Certificate&)> prove = {};
  /// The numbers that it fixes; `check` asks the context for each of them by name.
  std::vector<Fixed> fixes = {};
  /// Its hypotheses as a domain to hunt in (search.hpp); empty: nothing to search, and `blind_to` says why.
  std::function<Search(const Context&)> search = {};
  bool same_when_quick = false; ///< decided in full in the quick form too
  /// Two methods at 30 digits or more; adds comparisons as `check` does. Empty: it has no such check.
  std::function<void(const Context&, Findings&)> check_high = {};
};

struct Outcome {
  const Claim* claim;
  Verdict verdict;
  Level level;
  Evidence evidence;
  double seconds;
  std::shared_ptr<const Certificate> certificate; ///< at proof level, if the verdict is holds or fails
  bool as_expected() const { return verdict == claim->expected; }
};

/// fails if the worst margin is below -margin_to_fail; holds if it is positive and the check went through to
/// its end; else inconclusive, with the reason in the basis (an exception, nothing compared, a difference of
/// the size of its bar).
constexpr double margin_to_fail = 9;
/// The facts that a certificate of the claim must hold, not computed. Throws std::invalid_argument for a
/// claim without a proof.
Certificate outline_of(const Claim&);

/// At proof level the claim must have a proof (Claim::prove), at level high Claim::check_high, else
/// std::invalid_argument.
Outcome decide(const Claim&, const Context&);

} // namespace attndyn::verification
