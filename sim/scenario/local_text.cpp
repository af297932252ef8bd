#include "sim/scenario/local_text.h"

#include <utility>

namespace warplens::scenario {

LocalText words_in(const JsonValue& value, std::string fallback) {
  LocalText words;
  if (value.json().is_string()) return {{"en", value.json().get<std::string>()}};
  if (!value.json().is_object()) {
    value.error(Message("must be a text or an object of texts by language, not {}", kind_of(value.json())));
    return {{"en", std::move(fallback)}};
  }
  for (const auto& [language, text] : value.json().items())
    words[language] = value.member(language).as_text().value_or("");
  if (!words.contains("en")) {
    value.error("en", Message("is missing; every text is there in English"));
    words["en"] = std::move(fallback);
  }
  return words;
}

LocalText read_words(const JsonValue& object, std::string_view member, std::string fallback) {
  if (!object.has(member)) return {{"en", std::move(fallback)}};
  return words_in(object.member(member), std::move(fallback));
}

LocalText required_words(const JsonValue& object, std::string_view member) {
  if (!object.has(member)) object.error(member, Message("is missing"));
  return read_words(object, member);
}

}  // namespace warplens::scenario
