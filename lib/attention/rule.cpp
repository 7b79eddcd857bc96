#include "lib/attention/rule.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attndyn {

const std::vector<AttentionInfo>& attention_list() {
  static const std::vector<AttentionInfo> list{
      {Attention::softmax, "sa", "softmax (SA)",
       "w_jk = m_k e^{beta <Q theta_j, K theta_k>} / sum_l m_l e^{...}", "lib/attention/softmax.hpp"},
      {Attention::unnormalised, "usa", "unnormalised (USA)", "w_jk = m_k e^{beta <Q theta_j, K theta_k>}",
       "lib/attention/unnormalised.hpp"},
      {Attention::causal, "causal", "causal softmax", "softmax over k <= j", "lib/attention/softmax.hpp"},
      {Attention::hardmax, "hardmax", "hardmax", "w_jk shared equally by the arg max over k != j",
       "lib/attention/hardmax.hpp"},
  };
  return list;
}

Attention parse_attention(std::string_view name) {
  std::string names;
  for (const auto& a : attention_list()) {
    if (name == a.name) return a.kind;
    names += (names.empty() ? "" : ", ") + std::string(a.name);
  }
  throw std::invalid_argument(fmt::format("attention = {}: must be one of {}", name, names));
}

const char* name_of(Attention kind) {
  for (const auto& a : attention_list())
    if (a.kind == kind) return a.name;
  throw std::logic_error("unknown Attention");
}

} // namespace attndyn
