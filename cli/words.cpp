#include "cli/words.hpp"

#include "cli/input.hpp"
#include "lib/io/file.hpp"

#include <toml++/toml.h>

#include <set>

namespace attndyn::cli {
namespace {

/// One TOML file and the subcommand it is for.
struct Config {
  const std::string& path;
  const CLI::App& subcommand;

  BadInput problem(const std::string& key, const std::string& rule) const {
    return BadInput(fmt::format("config = {}: {}: {}", one_line(path, 200), one_line(key, 100), rule));
  }

  toml::table parsed() const {
    const std::string text = named("config", path, [&] { return read_text(path); });
    try {
      return toml::parse(text, path);
    } catch (const toml::parse_error& e) {
      throw problem(fmt::format("line {}", e.source().begin.line), std::string(e.description()));
    }
  }

  std::string text_of(const std::string& key, const toml::node& value) const {
    if (const auto s = value.value_exact<std::string>()) {
      if (s->find('\0') != std::string::npos) throw problem(key, "must not hold a zero character");
      return *s;
    }
    if (const auto i = value.value_exact<std::int64_t>()) return std::to_string(*i);
    if (const auto x = value.value_exact<double>()) return fmt::format("{}", *x);
    throw problem(key, "must be a string or a number, or a list of these");
  }

  void add_option(std::vector<std::string>& words, const std::string& key, const toml::node& node) const {
    const std::string option = "--" + key;
    const CLI::Option* known = subcommand.get_option_no_throw(option);
    if (known == nullptr || key == "config" || key == "help")
      throw problem(key, "is not an option of " + subcommand.get_name());
    const bool is_flag = known->get_items_expected_max() == 0;
    const toml::array* list = node.as_array();
    if (list != nullptr && list->empty()) throw problem(key, "must not be an empty list");
    if (is_flag || node.is_boolean()) {
      if (!is_flag || !node.is_boolean())
        throw problem(key, is_flag ? "must be true or false" : "must not be a boolean");
      if (node.value<bool>().value_or(false)) words.push_back(option);
    } else if (list == nullptr) {
      words.push_back(option + "=" + text_of(key, node));
    } else if (key == "times") {
      std::string times;
      for (const auto& element : *list) times += (times.empty() ? "" : ",") + text_of(key, element);
      words.push_back(option + "=" + times);
    } else if (known->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw) { // one value a head
      for (const auto& element : *list) words.push_back(option + "=" + text_of(key, element));
    } else {
      throw problem(key, "must be one value, not a list");
    }
  }
};

std::string name_of_word(const std::string& word) {
  return word.starts_with("--") ? word.substr(2, word.find('=') - 2) : std::string();
}

} // namespace

std::vector<std::string> with_config(const std::vector<std::string>& words, const CLI::App& subcommand) {
  if (subcommand.get_option_no_throw("--config") == nullptr) return words;
  std::vector<std::string> own, out;
  std::string path;
  int configs = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--config="))
      path = words[i].substr(9);
    else if (words[i] == "--config" && i + 1 < words.size())
      path = words[++i];
    else {
      own.push_back(words[i]);
      continue;
    }
    if (++configs > 1) throw refused("config", path, "must be given once");
  }
  if (configs == 0) return own;

  std::set<std::string> given;
  for (const std::string& word : own) given.insert(name_of_word(word));
  if (given.contains("tol") || given.contains("digits")) given.insert({"tol", "digits"});
  const Config config{path, subcommand};
  for (const auto& [key, node] : config.parsed()) {
    const std::string name(key.str());
    if (name == "expect") {
      if (!node.is_table()) throw config.problem(name, "is not an option in a file, must be a table");
      if (subcommand.get_option_no_throw("--expect") != nullptr && !given.contains(name) &&
          node.as_table()->contains("value"))
        out.push_back("--expect=" + path);
      continue;
    }
    if (name == "command") {
      if (const std::string other = config.text_of(name, node); other != subcommand.get_name())
        throw config.problem(
            name, fmt::format("is {}, but the subcommand is {}", one_line(other, 50), subcommand.get_name()));
      continue;
    }
    std::vector<std::string> from_file;
    config.add_option(from_file, name, node);
    if (!given.contains(name)) out.insert(out.end(), from_file.begin(), from_file.end());
  }
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

} // namespace attndyn::cli
