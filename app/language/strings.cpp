#include "app/language/strings.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sim/text/read_file.h"
#include "sim/text/scan.h"

namespace warplens::language {
namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

constexpr std::size_t kMaxBytes = 1 << 20;

// Files of one language: "en.json" and "PART.en.json", in the order of their names.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder, std::string_view language) {
  const std::string whole = std::string(language) + ".json";
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name == whole || name.ends_with("." + whole)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_file(const std::filesystem::path& file, Texts* texts) {
  std::string text;
  Message error;
  if (!text::read_file(file, kMaxBytes, &text, &error)) return error.english();
  try {
    const nlohmann::json document = nlohmann::json::parse(text);
    if (!document.is_object()) return file.string() + ": must be one JSON object, key -> text";
    for (const auto& [key, value] : document.items()) {
      if (!value.is_string()) return file.string() + ": " + key + ": must be a text";
      (*texts)[key] = value.get<std::string>();
    }
  } catch (const nlohmann::json::exception& exception) {
    return file.string() + ": " + exception.what();
  }
  return {};
}

std::string read_language(const std::filesystem::path& folder, std::string_view language, Texts* texts) {
  const std::vector<std::filesystem::path> files = files_of(folder, language);
  if (files.empty()) {
    return folder.string() + ": has no file for the language " + std::string(language) + " (*." +
           std::string(language) + ".json)";
  }
  std::string first_error;
  for (const std::filesystem::path& file : files) {
    std::string error = read_file(file, texts);
    if (first_error.empty()) first_error = std::move(error);
  }
  return first_error;
}

// A Chinese character begins there; the common ones take three bytes.
bool is_han(std::string_view text, std::size_t at) {
  const auto first = at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  return first >= 0xe4 && first <= 0xe9;
}

// The text with the value of each {name} that has one. Between Chinese and Latin letters stands a space,
// whichever of the two the value turns out to be.
template <typename Find>
std::string filled(const std::string& text, Find find) {
  std::string out;
  out.reserve(text.size() + 16);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
    const std::string* value =
        end == std::string::npos ? nullptr : find(std::string_view(text).substr(at + 1, end - at - 1));
    if (value == nullptr) {
      out += text[at++];
      continue;
    }
    const bool latin = !value->empty() && std::isalpha(static_cast<unsigned char>(value->front())) !=
                                              0;  // a word: "L1", not "88 %"
    if (latin && out.size() >= 3 && is_han(out, out.size() - 3)) out += ' ';
    out += *value;
    at = end + 1;
    if (latin && std::isalnum(static_cast<unsigned char>(value->back())) != 0 && is_han(text, at)) out += ' ';
  }
  return out;
}

}  // namespace

Strings Strings::load(const std::filesystem::path& folder, std::string_view language, std::string* error) {
  Strings strings;
  std::string first_error = read_language(folder, "en", &strings.texts_);
  if (language != "en") {
    std::string second_error = read_language(folder, language, &strings.texts_);
    if (second_error.empty()) strings.language_ = language;
    if (first_error.empty()) first_error = std::move(second_error);
  }
  if (error) *error = std::move(first_error);
  return strings;
}

std::string Strings::operator()(std::string_view key) const {
  const auto found = texts_.find(key);
  return found == texts_.end() ? std::string(key) : found->second;
}

std::string Strings::with(std::string_view key, std::span<const Value> values) const {
  return filled((*this)(key), [&](std::string_view name) -> const std::string* {
    const auto value = std::ranges::find(values, name, &Value::first);
    return value == values.end() ? nullptr : &value->second;
  });
}

std::string Strings::operator()(const Message& message) const {
  if (const std::string* own = message.text_in(language_)) return *own;
  if (message.pattern().empty()) return message.english();
  std::vector<std::string> values;
  values.reserve(message.arguments().size());
  for (const Message& argument : message.arguments()) values.push_back((*this)(argument));
  return warplens::filled((*this)(std::string_view(message.pattern())), values);
}

std::string Strings::operator()(const Message& message, const Message& remedy) const {
  return (*this)(message) + (remedy.empty() ? "" : " — " + (*this)(remedy));
}

void Strings::put_in(const std::map<std::string, std::string, std::less<>>& values) {
  for (auto& [key, text] : texts_) {
    text = filled(text, [&](std::string_view name) {
      const auto value = values.find(name);
      return value == values.end() ? nullptr : &value->second;
    });
  }
}

namespace {

bool is_one_of(std::string_view character, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), character) != all.end();
}

bool closes(std::string_view character) {
  return is_one_of(character, {"。", "，", "、", "；", "：", "？", "！", "）", "》", "」", "』", "】", "”",
                               "’",  "…",  "％", ".",  ",",  ";",  ":",  "?",  "!",  ")",  "]",  "%"});
}

bool opens(std::string_view character) {
  return is_one_of(character, {"（", "《", "「", "『", "【", "“", "‘", "(", "["});
}

// Characters of scripts without spaces, and signs: a line may end on either side. Dashes and quotes go with
// words.
bool stands_alone(std::string_view character) {
  return static_cast<unsigned char>(character[0]) >= 0xe2 && !character.starts_with("\xe2\x80");
}

std::string_view character_at(std::string_view text, std::size_t at) {
  return text.substr(at, character_length(text, at));
}

// One character that stands alone, or all of a word.
std::size_t unit_end(std::string_view text, std::size_t at) {
  const std::size_t first = at + character_length(text, at);
  if (stands_alone(character_at(text, at))) return first;
  std::size_t end = first;
  while (end < text.size() && text[end] != ' ' && !stands_alone(character_at(text, end)))
    end += character_length(text, end);
  return end;
}

// The last character of a piece that is not empty.
std::string_view last_character(std::string_view piece) {
  std::size_t at = piece.size() - 1;
  while (at > 0 && text::continues_character(piece[at])) --at;
  return piece.substr(at);
}

}  // namespace

std::size_t character_length(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && text::continues_character(text[end])) ++end;
  return end - at;
}

std::string_view readable(std::string_view text) {
  constexpr std::size_t kMost = 4000;  // bytes
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > kMost - 4 && text::continues_character(text[end])) --end;
  return text.substr(0, end);
}

std::size_t piece_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] == ' ') ++end;
  if (end >= text.size()) return end;
  end = unit_end(text, end);
  const auto is_percent = [&] {  // a sign that goes with its number: "88 %"
    return std::isdigit(static_cast<unsigned char>(text[end - 1])) != 0 && text.substr(end).starts_with(" %");
  };
  while (end < text.size() && (text[end] != ' ' || is_percent())) {
    if (text[end] == ' ') ++end;
    const bool more = closes(character_at(text, end)) || opens(last_character(text.substr(at, end - at)));
    if (!more) break;
    end = closes(character_at(text, end)) ? end + character_length(text, end) : unit_end(text, end);
  }
  return end;
}

std::string shortened(std::string_view text, float room, const Width& width) {
  text = readable(text);
  if (width(text) <= room) return std::string(text);
  for (std::size_t dot = text.rfind(kDot); dot != std::string_view::npos && dot > 0; dot = text.rfind(kDot)) {
    text = text.substr(0, dot);
    if (width(text) <= room) return std::string(text);
  }
  std::string fits;
  for (std::size_t end = 0; end < text.size();) {
    end += character_length(text, end);
    if (text[end - 1] == ' ') continue;
    std::string longer = std::string(text.substr(0, end)) + "…";
    if (width(longer) > room) break;
    fits = std::move(longer);
  }
  return fits;
}

std::vector<std::string> wrapped(std::string_view text, float room, int most, const Width& width) {
  std::vector<std::string> lines;
  const bool cut = readable(text).size() < text.size();
  text = readable(text);
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) lines.push_back(std::exchange(line, {}));
  };
  for (std::size_t at = 0; at < text.size() && static_cast<int>(lines.size()) < most;) {
    const std::size_t paragraph = std::min(text.find('\n', at), text.size());
    while (at < paragraph) {
      const std::size_t end = piece_end(text.substr(0, paragraph), at);
      std::string_view piece = text.substr(at, end - at);
      const bool last = static_cast<int>(lines.size()) + 1 >= most;
      if (!last && !line.empty() && width(line + std::string(piece)) > room) end_line();
      if (line.empty()) piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
      line += piece;
      at = end;
    }
    end_line();
    at = paragraph + 1;
  }
  if (cut && !lines.empty()) lines.back() += " …";
  return lines;
}

}  // namespace warplens::language
