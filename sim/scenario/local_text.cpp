#include "sim/scenario/local_text.h"

#include <utility>

namespace warplens::scenario {

LocalText read_words(const JsonValue& object, std::string_view member, std::string fallback) {
  LocalText words;
  if (!object.has(member)) return {{"en", std::move(fallback)}};
  const JsonValue value = object.member(member);
  if (value.json().is_string()) return {{"en", value.json().get<std::string>()}};
  if (!value.json().is_object()) {
    value.error("must be a text or an object of texts by language, not " +
                std::string(value.json().type_name()));
    return {{"en", std::move(fallback)}};
  }
  for (const auto& [language, text] : object.optional_members(member)) {
    words[language] = text.as_text().value_or("");
  }
  if (!words.contains("en")) {
    value.error("en", "is missing; every text is there in English");
    words["en"] = std::move(fallback);
  }
  return words;
}

}  // namespace warplens::scenario
