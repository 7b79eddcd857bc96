#include "verification/user/table.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace attndyn::verification::user {
namespace {

constexpr std::size_t most_characters = 1'000'000, most_elements = 10'000;

/// Values in messages must not fill the screen.
std::string brief(const std::string& text) { return text.size() <= 80 ? text : text.substr(0, 77) + "..."; }

} // namespace

struct Table::Node {
  std::shared_ptr<const toml::table> file; // keeps the table alive, and with it the lines of its keys
  const toml::table& values;
  std::set<std::string> asked;

  const toml::node* get(const std::string& key) {
    asked.insert(key);
    return values.get(key);
  }
};

Table::Table(std::shared_ptr<Node> node, std::string path, std::string prefix)
    : node_(std::move(node)), path_(std::move(path)), prefix_(std::move(prefix)) {}

Table Table::parsed(const std::string& text, const std::string& path) {
  const auto refuse = [&](const std::string& rule) {
    return std::invalid_argument(fmt::format("file = {}: {}", path, rule));
  };
  if (text.size() > most_characters)
    throw refuse(fmt::format("must not be longer than {} characters", most_characters));
  try {
    const auto file = std::make_shared<const toml::table>(toml::parse(text, path));
    auto node = std::make_shared<Node>(Node{file, *file, {}});
    if (file->empty()) throw refuse("is empty: it must state a claim (model, observable, ...)");
    return {std::move(node), path, ""};
  } catch (const toml::parse_error& e) {
    throw refuse(fmt::format("line {}: {}", e.source().begin.line, std::string(e.description())));
  }
}

std::invalid_argument Table::problem(const std::string& key, const std::string& value,
                                     const std::string& rule) const {
  return std::invalid_argument(fmt::format("file = {}: {}{}{}: {}", path_, prefix_, brief(key),
                                           value.empty() ? "" : " = " + brief(value), rule));
}

bool Table::has(const std::string& key) const { return node_->get(key) != nullptr; }

std::vector<std::string> Table::keys() const {
  std::vector<std::pair<toml::source_position, std::string>> found;
  for (const auto& [key, node] : node_->values)
    found.emplace_back(node.source().begin, std::string(key.str()));
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (auto& [position, key] : found) {
    node_->asked.insert(key);
    out.push_back(std::move(key));
  }
  return out;
}

namespace {

/// Nothing for what is neither text nor number.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto s = node.value_exact<std::string>()) return *s;
  if (const auto i = node.value_exact<std::int64_t>()) return std::to_string(*i);
  if (const auto x = node.value_exact<double>()) return fmt::format("{}", *x);
  return std::nullopt;
}

} // namespace

std::string Table::text(const std::string& key) const {
  if (!has(key)) throw problem(key, "", "must be given");
  return text(key, "");
}

std::string Table::text(const std::string& key, const std::string& otherwise) const {
  const toml::node* node = node_->get(key);
  if (node == nullptr) return otherwise;
  const auto text = text_of(*node);
  if (!text) throw problem(key, "", "must be a text or a number");
  if (text->empty()) throw problem(key, "", "must not be empty");
  if (text->find('\0') != std::string::npos) throw problem(key, "", "must not hold a zero character");
  return *text;
}

bool Table::flag(const std::string& key, bool otherwise) const {
  const toml::node* node = node_->get(key);
  if (node == nullptr) return otherwise;
  const auto value = node->value_exact<bool>();
  if (!value) throw problem(key, "", "must be true or false");
  return *value;
}

std::string Table::choice(const std::string& key, const std::vector<std::string>& words,
                          const std::string& otherwise) const {
  const auto value = otherwise.empty() ? text(key) : text(key, otherwise);
  if (std::find(words.begin(), words.end(), value) == words.end())
    throw problem(key, value, fmt::format("must be one of {}", fmt::join(words, ", ")));
  return value;
}

std::uint64_t Table::whole(const std::string& key, std::uint64_t otherwise, std::uint64_t least,
                           std::uint64_t most) const {
  const auto value = text(key, std::to_string(otherwise));
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (error != std::errc() || end != value.data() + value.size() || out < least || out > most)
    throw problem(key, value, fmt::format("must be an integer from {} to {}", least, most));
  return out;
}

Number Table::number_from(const std::string& key, const std::string& text) const {
  if (text.size() > 1000) throw problem(key, text, "must not be longer than 1000 characters");
  try {
    return Number(text);
  } catch (const std::invalid_argument& e) {
    throw problem(key, text, e.what());
  }
}

Number Table::number(const std::string& key, const std::string& otherwise) const {
  return number_from(key, otherwise.empty() ? text(key) : text(key, otherwise));
}

std::vector<std::string> Table::texts(const std::string& key) const {
  const toml::node* node = node_->get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) return {text(key)};
  if (array->empty()) throw problem(key, "[]", "must not be an empty list");
  if (array->size() > most_elements)
    throw problem(key, "", fmt::format("must not have more than {} elements", most_elements));
  std::vector<std::string> out;
  for (const auto& element : *array) {
    const auto one = text_of(element);
    if (!one || one->empty()) throw problem(key, "", "must be a text or a number, or a list of these");
    out.push_back(*one);
  }
  return out;
}

std::vector<std::string> Table::list(const std::string& key) const {
  const toml::node* node = node_->get(key);
  if (node == nullptr) throw problem(key, "", "must be given");
  if (!node->is_array()) throw problem(key, text(key), "must be a list");
  return texts(key);
}

std::vector<Number> Table::numbers(const std::string& key, bool may_be_absent) const {
  if (!has(key) && !may_be_absent) throw problem(key, "", "must be given");
  std::vector<Number> out;
  for (const auto& one : texts(key)) out.push_back(number_from(key, one));
  return out;
}

std::vector<std::vector<Number>> Table::rows(const std::string& key) const {
  const toml::node* node = node_->get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr || array->empty() || array->size() > most_elements)
    throw problem(key, "", fmt::format("must be a list of 1 to {} lists of numbers", most_elements));
  std::vector<std::vector<Number>> out;
  for (const auto& row : *array) {
    out.emplace_back();
    if (const toml::array* inner = row.as_array())
      for (const auto& element : *inner)
        out.back().push_back(number_from(key, text_of(element).value_or("not a number")));
    if (out.back().empty() || out.back().size() != out.front().size())
      throw problem(key, "", "must be a list of lists of numbers, all of one length");
  }
  return out;
}

std::optional<Table> Table::table(const std::string& key) const {
  const toml::node* node = node_->get(key);
  if (node == nullptr || !node->is_table()) return std::nullopt;
  return Table(std::make_shared<Node>(Node{node_->file, *node->as_table(), {}}), path_, prefix_ + key + ".");
}

void Table::all_known() const {
  for (const auto& [key, node] : node_->values)
    if (!node_->asked.contains(std::string(key.str())))
      throw problem(std::string(key.str()), "",
                    fmt::format("is not a key here; known: {}", fmt::join(node_->asked, ", ")));
}

} // namespace attndyn::verification::user
