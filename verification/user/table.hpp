/// A TOML table of a user's file, read key by key: what is missing, of the wrong type or not asked for is
/// refused in one line naming file, key, value and rule.
#pragma once

#include "lib/real/text.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace attndyn::verification::user {

class Table {
public:
  static Table parsed(const std::string& text, const std::string& path);

  std::invalid_argument problem(const std::string& key, const std::string& value,
                                const std::string& rule) const;
  bool has(const std::string& key) const;
  std::vector<std::string> keys() const; ///< in the order of the file; all count as known

  std::string text(const std::string& key) const; ///< must be given; a number is its text
  std::string text(const std::string& key, const std::string& otherwise) const;
  bool flag(const std::string& key, bool otherwise) const;
  /// One of the words. otherwise empty: must be given.
  std::string choice(const std::string& key, const std::vector<std::string>& words,
                     const std::string& otherwise) const;
  std::uint64_t whole(const std::string& key, std::uint64_t otherwise, std::uint64_t least,
                      std::uint64_t most) const;
  Number number(const std::string& key, const std::string& otherwise = {}) const;
  /// One number or a list of them, not empty unless the key may be absent.
  std::vector<Number> numbers(const std::string& key, bool may_be_absent = false) const;
  std::vector<std::string> texts(const std::string& key) const; ///< one or a list; empty if absent
  std::vector<std::string> list(const std::string& key) const;  ///< a list that must be given
  std::vector<std::vector<Number>>
  rows(const std::string& key) const;                       ///< rows of equal length; empty if absent
  std::optional<Table> table(const std::string& key) const; ///< nothing if absent or no table

  /// Throws for a key that nobody has asked for.
  void all_known() const;

private:
  struct Node;
  Table(std::shared_ptr<Node> node, std::string path, std::string prefix);
  Number number_from(const std::string& key, const std::string& text) const;

  std::shared_ptr<Node> node_;
  std::string path_, prefix_;
};

} // namespace attndyn::verification::user
