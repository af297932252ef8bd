// The languages that there are: those of assets/languages/*.LANGUAGE.json, English first.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::language {

inline constexpr std::array<const char*, 2> kLanguages{"en", "zh-CN"};

inline std::vector<std::string> languages() {
  return {kLanguages.begin(), kLanguages.end()};
}

// The one after `language`, round and round.
inline std::string next_language(std::string_view language) {
  for (std::size_t i = 0; i < kLanguages.size(); ++i) {
    if (kLanguages[i] == language) return kLanguages[(i + 1) % kLanguages.size()];
  }
  return kLanguages[0];
}

// "en or zh-CN"
inline std::string language_choice() {
  std::string text;
  for (std::size_t i = 0; i < kLanguages.size(); ++i)
    text += (i == 0 ? "" : i + 1 == kLanguages.size() ? " or " : ", ") + std::string(kLanguages[i]);
  return text;
}

}  // namespace warplens::language
