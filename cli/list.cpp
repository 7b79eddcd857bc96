#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "lib/attention/rule.hpp"
#include "paper_figures/all_figures.hpp"
#include "verification/all_claims.hpp"

#include <algorithm>
#include <memory>

namespace attndyn::cli {

Command add_list(CLI::App& app) {
  auto what = std::make_shared<std::string>();
  app.add_option("what", *what, "schemes, attention, claims or figures")->type_name("");
  app.footer(help_footer("  schemes    name, title, speed factor s and radial rate rho, file\n"
                         "  attention  name, title, weights, file\n"
                         "  claims     id, source, expected verdict, statement\n"
                         "  figures    name, title\n",
                         "the list could not be written", "attndyn list claims"));
  return [what] {
    choice("what", *what, {"schemes", "attention", "claims", "figures"});
    if (*what == "schemes")
      for (const auto& s : scheme_list())
        fmt::print("{:<6} {:<18} {:<45} {}\n", s.name, s.title, s.formula, s.file);
    if (*what == "attention")
      for (const auto& a : attention_list())
        fmt::print("{:<8} {:<20} {:<70} {}\n", a.name, a.title, a.formula, a.file);
    if (*what == "claims") {
      std::size_t id = 0, source = 0;
      for (const auto& c : verification::all_claims()) {
        id = std::max(id, c.id.size());
        source = std::max(source, c.source.size());
      }
      for (const auto& c : verification::all_claims())
        fmt::print("{:<{}}  {:<{}}  {:<6}  {}\n", c.id, id, c.source, source,
                   verification::name_of(c.expected), c.statement);
    }
    if (*what == "figures")
      for (const auto& f : figures::all_figures()) fmt::print("{:<16} {}\n", f.name, f.title);
    return 0;
  };
}

} // namespace attndyn::cli
