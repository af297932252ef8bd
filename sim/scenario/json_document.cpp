#include "sim/scenario/json_document.h"

#include <charconv>
#include <limits>

#include "sim/scenario/json_scan.h"
#include "sim/scenario/text_file.h"
#include "sim/text/shown.h"

namespace warplens::scenario {

using nlohmann::json;

JsonDocument::JsonDocument(std::string name, const JsonLimits& limits)
    : name_(std::move(name)),
      limits_(limits),
      work_(std::make_unique<Work>(limits.budget != nullptr ? *limits.budget : Budget::endless())) {}

JsonDocument JsonDocument::load(const std::filesystem::path& file, const JsonLimits& limits) {
  Outcome<std::string> text = read_text(file, limits.bytes);
  if (text) return parse(std::move(*text.value), file.string(), limits);
  JsonDocument document(file.string(), limits);
  document.errors_ = std::move(text.errors);
  return document;
}

JsonDocument JsonDocument::parse(std::string text, std::string name, const JsonLimits& limits) {
  JsonDocument document(std::move(name), limits);
  if (text.size() > limits.bytes) {
    document.errors_.push_back(document.name_ + ": larger than " + std::to_string(limits.bytes) +
                               " bytes, the most that is read");
    return document;
  }
  document.text_ = std::move(text);
  Pace& pace = document.work_->pace;
  pace.budget().check(pace.stage());  // a file of many small documents makes few steps in each
  const JsonError wrong =
      read_json(document.text_, limits.depth, pace, document.work_->held, &document.json_);
  if (!wrong.words.empty())
    document.errors_.push_back(document.name_ + ":" + std::to_string(line_at(document.text_, wrong.at)) +
                               ":" + std::to_string(column_at(document.text_, wrong.at)) +
                               ": not sound JSON: " + wrong.words);
  return document;
}

JsonValue JsonDocument::root() {
  return JsonValue(*this, json_, "");
}

int JsonDocument::line_of(const std::string& field) const {
  const auto found = find_field(text_, field, work_->pace);
  return found ? line_at(text_, *found) : 0;
}

void JsonDocument::add_error(const std::string& field, const std::string& message) {
  if (is_full()) return;
  if (errors_.size() == limits_.errors) {
    errors_.push_back(name_ + ": further errors are not shown");
    return;
  }
  // A field that is absent is placed where the object that lacks it begins.
  std::string at = field;
  int line = line_of(at);
  while (line == 0 && !at.empty()) {
    const auto cut = at.find_last_of(".[");
    at.erase(cut == std::string::npos ? 0 : cut);
    line = at.empty() ? 1 : line_of(at);
  }
  errors_.push_back(name_ + ":" + std::to_string(std::max(line, 1)) + ": " +
                    text::shown_in_line(field.empty() ? message : field + ": " + message));
}

bool JsonDocument::has_schema(std::string_view name) {
  const JsonValue top = root();
  if (!top.is_object()) return false;
  const std::string schema = top.text("schema");
  if (schema.empty()) return false;
  const std::string wanted = "warplens." + std::string(name) + "/";
  if (!schema.starts_with(wanted)) {
    add_error("schema", "is \"" + schema + "\"; \"" + wanted + "1\" is needed here");
    return false;
  }
  int major = 0;
  const char* end = schema.data() + schema.size();
  const auto [stop, failed] = std::from_chars(schema.data() + wanted.size(), end, major);
  if (failed != std::errc() || (stop != end && *stop != '.') || major < 1) {
    add_error("schema", "\"" + schema + "\" has no version; write \"" + wanted + "1\"");
    return false;
  }
  if (major > 1) {
    add_error("schema", "is \"" + schema + "\", written by a newer Warplens; this one reads version 1");
    return false;
  }
  return true;
}

std::string JsonValue::field_of(std::string_view member) const {
  return field_.empty() ? std::string(member) : field_ + "." + std::string(member);
}

bool JsonValue::has(std::string_view member) const {
  return json_->is_object() && json_->contains(std::string(member));
}

bool JsonValue::is_object(bool complain) const {
  if (!json_->is_object() && complain)
    error("must be an object {...}, not " + std::string(json_->type_name()));
  return json_->is_object();
}

JsonValue JsonValue::member(std::string_view member) const {
  return JsonValue(*document_, json_->at(std::string(member)), field_of(member));
}

bool JsonValue::require(std::string_view member) const {
  if (has(member)) return true;
  error(member, "is missing");
  return false;
}

std::optional<std::string> JsonValue::as_text() const {
  if (json_->is_string()) return json_->get<std::string>();
  error("must be a text \"...\", not " + std::string(json_->type_name()));
  return std::nullopt;
}

std::optional<std::int64_t> JsonValue::as_integer() const {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (json_->is_number_unsigned() && json_->get<std::uint64_t>() > kMost) {
    error(json_->dump() + " is too large");
    return std::nullopt;
  }
  if (json_->is_number_integer()) return json_->get<std::int64_t>();
  error(json_->is_number() ? "must be an integer, not " + json_->dump()
                           : "must be an integer, not " + std::string(json_->type_name()));
  return std::nullopt;
}

std::string JsonValue::text(std::string_view name) const {
  return require(name) ? member(name).as_text().value_or("") : "";
}

std::string JsonValue::optional_text(std::string_view name, std::string fallback) const {
  return has(name) ? member(name).as_text().value_or(fallback) : fallback;
}

std::int64_t JsonValue::integer(std::string_view name) const {
  return require(name) ? member(name).as_integer().value_or(0) : 0;
}

std::int64_t JsonValue::optional_integer(std::string_view name, std::int64_t fallback) const {
  return has(name) ? member(name).as_integer().value_or(fallback) : fallback;
}

bool JsonValue::optional_flag(std::string_view name, bool fallback) const {
  if (!has(name)) return fallback;
  const JsonValue value = member(name);
  if (value.json().is_boolean()) return value.json().get<bool>();
  value.error("must be true or false, not " + std::string(value.json().type_name()));
  return fallback;
}

double JsonValue::optional_number(std::string_view name, double fallback) const {
  if (!has(name)) return fallback;
  const JsonValue value = member(name);
  if (value.json().is_number()) return value.json().get<double>();
  value.error("must be a number, not " + std::string(value.json().type_name()));
  return fallback;
}

JsonList JsonValue::list(std::string_view name) const {
  return require(name) ? optional_list(name) : JsonList();
}

JsonList JsonValue::optional_list(std::string_view name) const {
  if (!has(name)) return {};
  const JsonValue array = member(name);
  if (array.json().is_array()) return {*document_, array.json(), array.field()};
  array.error("must be a list [...], not " + std::string(array.json().type_name()));
  return {};
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::optional_members(std::string_view name) const {
  std::vector<std::pair<std::string, JsonValue>> members;
  if (!has(name)) return members;
  const JsonValue object = member(name);
  if (!object.is_object()) return members;
  for (const auto& [key, value] : object.json().items()) {
    document_->step();
    members.emplace_back(key, JsonValue(*document_, value, object.field_of(key)));
  }
  return members;
}

}  // namespace warplens::scenario
