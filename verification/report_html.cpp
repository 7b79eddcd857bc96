#include "verification/report_html.hpp"

#include "analysis/plot.hpp"
#include "lib/io.hpp"
#include "lib/real/text.hpp"
#include "verification/report.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace attndyn::verification {
namespace {

constexpr const char* style = R"(<style>
body { font: 15px/1.5 "DejaVu Sans", sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #111; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2.4em; border-top: 1px solid #ccc; padding-top: 1em; }
table { border-collapse: collapse; font-size: 0.92em; } th, td { text-align: left; padding: 0.2em 0.9em 0.2em 0; vertical-align: top; }
th { border-bottom: 1px solid #333; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.holds { color: #00684a; } .fails { color: #a33b00; } .inconclusive, .not_applicable { color: #555; }
.unexpected { background: #ffe9a8; } code, pre { font: 0.92em/1.4 "DejaVu Sans Mono", monospace; }
pre { background: #f5f5f5; padding: 0.7em; overflow-x: auto; } figure { margin: 1em 0; } img { max-width: 100%; }
figcaption { font-size: 0.9em; color: #333; } dt { font-weight: bold; margin-top: 0.6em; } dd { margin: 0 0 0 1.2em; }
</style>
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '&': out += "&amp;"; break;
    case '"': out += "&quot;"; break;
    default: out += c;
    }
  return out;
}

std::string base64(const std::string& bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(length));
  return out;
}

/// A file of its own that is gone afterwards.
class TemporaryFile {
public:
  TemporaryFile() {
    std::string name = (std::filesystem::temp_directory_path() / "attndyn-curve-XXXXXX").string();
    const int fd = mkstemp(name.data());
    if (fd < 0) throw std::runtime_error("cannot write in the folder for temporary files");
    ::close(fd);
    path_ = name;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

std::string picture(const Curve& curve) {
  Table table{{}, {"x", "measured", "error", "predicted"}, {}};
  bool bars = false, theory = false;
  for (const auto& p : curve.points) {
    table.rows.push_back({to_text(p.x), to_text(p.measured), to_text(p.error), to_text(p.predicted)});
    bars = bars || p.error > 0;
    theory = theory || std::isfinite(p.predicted);
  }
  const TemporaryFile csv;
  write_table(table, Format::csv, csv.path());
  const auto word = [](bool yes) { return std::string(yes ? "yes" : "no"); };
  return analysis::plot_svg("claim-curve.gp", csv.path(),
                            {{"name_x", curve.x_name},
                             {"name_y", curve.y_name},
                             {"reference", curve.reference},
                             {"log_x", word(curve.log_x)},
                             {"log_y", word(curve.log_y)},
                             {"bars", word(bars)},
                             {"theory_line", word(theory)}});
}

std::string figure(const Curve& curve) {
  std::string body;
  try {
    body = fmt::format("<img alt=\"{}\" src=\"data:image/svg+xml;base64,{}\">", escaped(curve.title),
                       base64(picture(curve)));
  } catch (const std::runtime_error& e) {
    body = fmt::format("<p>(not drawn: {})</p>", escaped(e.what()));
  }
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", body, escaped(curve.title));
}

std::string list(const std::vector<std::string>& lines) {
  std::string out = "<ul>\n";
  for (const auto& line : lines) out += "<li>" + escaped(line) + "</li>\n";
  return out + "</ul>\n";
}

std::string summary(const std::vector<Outcome>& outcomes) {
  std::string out =
      "<table>\n<tr><th>claim</th><th>source</th><th>verdict</th><th class=\"number\">margin</th>"
      "<th>level</th><th class=\"number\">time</th></tr>\n";
  for (const auto& o : outcomes)
    out += fmt::format(
        "<tr{}><td><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"{}\">{}</td><td class=\"number\">{}"
        "</td><td>{}</td><td class=\"number\">{:.2f} s</td></tr>\n",
        o.as_expected() ? "" : " class=\"unexpected\"", escaped(o.claim->id), escaped(o.claim->id),
        escaped(o.claim->source), name_of(o.verdict), verdict_text(o), margin_text(o), name_of(o.level),
        o.seconds);
  return out + "</table>\n";
}

std::string section(const Outcome& o, const std::string& witness_folder) {
  const Claim& c = *o.claim;
  std::string out = fmt::format("<h2 id=\"{}\">{}: <span class=\"{}\">{}</span></h2>\n", escaped(c.id),
                                escaped(c.id), name_of(o.verdict), verdict_text(o));
  const auto entry = [&](const char* name, const std::string& text) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, text);
  };
  out += "<dl>\n";
  entry("Statement", escaped(c.statement) + " <em>(" + escaped(c.source) + ")</em>");
  entry("Checked for", escaped(c.hypotheses));
  entry("Prediction", "<code>" + escaped(c.prediction) + "</code>");
  for (const auto& f : c.fixes)
    entry(f.kind == Fixed::Kind::constant ? "Fixes the constant" : "Fixes the exponent",
          escaped(f.name) + ": <code>" + escaped(f.formula) + "</code>");
  if (o.evidence.comparisons > 0)
    entry(fmt::format("Worst of {} comparisons", o.evidence.comparisons).c_str(),
          escaped(describe(o.evidence.worst)));
  if (o.evidence.hunted) entry("Worst that the search found", escaped(describe(*o.evidence.hunted)));
  entry("Evidence", list(o.evidence.basis));
  if (!o.evidence.refinement.empty()) entry("Refinement", list(o.evidence.refinement));
  entry("Blind to", escaped(c.blind_to));
  out += "</dl>\n";
  for (const auto& curve : o.evidence.curves)
    if (!curve.points.empty()) out += figure(curve);
  if (o.evidence.witnessed)
    out += fmt::format("<p>Counterexample: {}</p>\n<pre>{}</pre>\n<pre>{}</pre>\n",
                       escaped(describe(*o.evidence.witnessed)), escaped(replay_command(o, witness_folder)),
                       escaped(o.evidence.witnessed->witness));
  return out;
}

} // namespace

std::string html_report(const std::vector<Outcome>& outcomes, const std::string& witness_folder) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>attndyn: verdicts</title>\n";
  out += style;
  out += "</head>\n<body>\n<h1>Verdicts</h1>\n";
  out += fmt::format("<p>attndyn {}. {}</p>\n", ATTNDYN_VERSION, escaped(margin_words));
  out += summary(outcomes);
  for (const auto& o : outcomes) out += section(o, witness_folder);
  return out + "</body>\n</html>\n";
}

} // namespace attndyn::verification
