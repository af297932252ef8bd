#include "app/language/strings.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/text/read_file.h"

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

// The text with the value of each {name} that has one.
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
    out += *value;
    at = end + 1;
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

std::string Strings::operator()(std::string_view key, std::initializer_list<Value> values) const {
  return filled((*this)(key), [&](std::string_view name) -> const std::string* {
    const auto* value =
        std::find_if(values.begin(), values.end(), [&](const Value& v) { return v.first == name; });
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

}  // namespace warplens::language
