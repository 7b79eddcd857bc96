/// Which attention: the weight rule of a row of logits. theory: section 1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attndyn {

/// softmax ("SA"), unnormalised ("USA"), causal softmax (the sums run over k <= j), hardmax (arg max over k
/// != j).
enum class Attention { softmax, unnormalised, causal, hardmax };

struct AttentionInfo {
  Attention kind;
  const char* name; ///< as on the command line: sa, usa, causal, hardmax
  const char* title;
  const char* formula;
  const char* file;
};
const std::vector<AttentionInfo>& attention_list();

/// Throws std::invalid_argument: "attention = foo: must be one of sa, usa, causal, hardmax".
Attention parse_attention(std::string_view name);
const char* name_of(Attention);

} // namespace attndyn
