#include "sim/scenario/text_file.h"

#include <algorithm>
#include <utility>

#include "sim/text/read_file.h"
#include "sim/text/scan.h"

namespace warplens::scenario {

std::size_t most_bytes_of(const std::filesystem::path& file) {
  return file.extension() == ".ptx" ? kMostPtxBytes : kMaxTextBytes;
}

Outcome<std::string> read_text(const std::filesystem::path& file, std::size_t limit) {
  std::string text;
  Message error;
  if (!text::read_file(file, limit, &text, &error)) return error;
  return text;
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > 200) return {};
  const std::string nearest = text::nearest_name(name, candidates, std::max<std::size_t>(2, name.size() / 3));
  if (!nearest.empty()) return nearest;
  // "transpose" for "transpose_shared": a beginning serves too.
  const auto begins = std::ranges::find_if(candidates, [&](const std::string& candidate) {
    return name.size() >= 3 && candidate.starts_with(name);
  });
  return begins == candidates.end() ? std::string() : *begins;
}

Message did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? Message() : Message("; did you mean \"{}\"?", nearest);
}

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
