#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "lib/attention/rule.hpp"
#include "paper_figures/all_figures.hpp"
#include "verification/all_claims.hpp"

#include <memory>

namespace attndyn::cli {

Command add_list(CLI::App& app) {
  auto what = std::make_shared<std::string>();
  app.add_option("what", *what, "schemes, attention, claims or figures")
      ->required()
      ->check(CLI::IsMember({"schemes", "attention", "claims", "figures"}));
  return [what] {
    if (*what == "schemes")
      for (const auto& s : scheme_list()) fmt::print("{:<6} {:<18} {:<45} {}\n", s.name, s.title, s.formula, s.file);
    if (*what == "attention")
      for (const auto& a : attention_list()) fmt::print("{:<8} {:<20} {:<70} {}\n", a.name, a.title, a.formula, a.file);
    if (*what == "claims")
      for (const auto& c : verification::all_claims())
        fmt::print("{:<18} {:<22} {:<8} {}\n", c.id, c.source, verification::name_of(c.expected), c.statement);
    if (*what == "figures")
      for (const auto& f : figures::all_figures()) fmt::print("{:<16} {}\n", f.name, f.title);
    return 0;
  };
}

}  // namespace attndyn::cli
