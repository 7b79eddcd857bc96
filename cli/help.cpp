#include "cli/help.hpp"

namespace attndyn::cli {
namespace {

class OneLineFormatter : public CLI::Formatter {
public:
  OneLineFormatter() { column_width(22); }

private:
  std::string make_option_opts(const CLI::Option* option) const override {
    const bool plain = option->get_items_expected_max() == 0 || option->get_type_name().empty();
    return plain ? "" : " " + option->get_type_name();
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string value = option->get_default_str();
    return option->get_description() + (value.empty() ? "" : "; default " + value);
  }
};

} // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<OneLineFormatter>(); }

std::string help_footer(const std::string& output, const std::string& exit_1, const std::string& example) {
  return "Output:\n" + output + "\nExit status:\n  0  success\n  1  " + exit_1 +
         "\n  2  bad input: one line on stderr (parameter, value, rule), nothing written\n\nExample:\n  " +
         example;
}

const char* const table_help =
    "  One row per output time, the row at t = 0 being the start itself. CSV begins with `# skip: K`, K being the number\n"
    "  of lines before the header row, and `# name: value` lines with every parameter, why the run ended and its error\n"
    "  estimate. Numbers carry all their digits. Messages and progress go to stderr.\n";

} // namespace attndyn::cli
