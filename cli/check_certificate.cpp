#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "verification/proof/certificate.hpp"

#include <memory>

namespace attndyn::cli {
namespace {

int check(const std::string& path) {
  using namespace verification;
  const std::string text = named("file", path, [&] { return read_text(path); });
  const Certificate certificate = named("file", path, [&] { return certificate_from_json(text); });
  const auto problems = unconfirmed(certificate);
  for (const auto& problem : problems) say("attndyn check-certificate: " + problem);
  if (!problems.empty()) return 1;
  fmt::print("{}: all {} facts confirmed at {} bits\n", certificate.claim, certificate.facts.size(),
             certificate.bits);
  return 0;
}

} // namespace

Command add_check_certificate(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  app.add_option("file", *path, "certificate written by `attndyn verify --level proof`")
      ->required()
      ->type_name("");
  app.footer(help_footer(
      "  One line: the claim, and that all of its facts are confirmed. Each fact is computed again in "
      "ball arithmetic, or\n  its bracket is redone, and compared with directed rounding; a "
      "certificate that was changed is refused.\n",
      "a fact is not confirmed, or is not what the claim needs (named on stderr)",
      "attndyn check-certificate certificates/NAD-4.1-terminal.json"));
  return [path] { return check(*path); };
}

} // namespace attndyn::cli
