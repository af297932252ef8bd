#include "sim/scenario/json_document.h"

#include <charconv>
#include <limits>

#include "sim/scenario/json_scan.h"
#include "sim/scenario/text_file.h"
#include "sim/text/shown.h"

namespace warplens::scenario {

using nlohmann::json;

Message kind_of(const json& value) {
  if (value.is_object()) return Message("object");
  if (value.is_array()) return Message("array");
  if (value.is_string()) return Message("string");
  if (value.is_boolean()) return Message("boolean");
  return value.is_null() ? Message::verbatim("null") : Message("number");
}

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
    document.errors_.push_back(
        Message("{}: larger than {} bytes, the most that is read", document.name_, limits.bytes));
    return document;
  }
  document.text_ = std::move(text);
  Pace& pace = document.work_->pace;
  pace.budget().check(pace.stage());  // a file of many small documents makes few steps in each
  const JsonError wrong =
      read_json(document.text_, limits.depth, pace, document.work_->held, &document.json_);
  if (!wrong.words.empty())
    document.errors_.push_back(Message("{}:{}:{}: not sound JSON: {}", document.name_,
                                       line_at(document.text_, wrong.at), column_at(document.text_, wrong.at),
                                       wrong.words));
  return document;
}

JsonValue JsonDocument::root() {
  return JsonValue(*this, json_, "");
}

int JsonDocument::line_of(const std::string& field) const {
  const auto found = find_field(text_, field, work_->pace);
  return found ? line_at(text_, *found) : 0;
}

void JsonDocument::add_error(const std::string& field, const Message& message) {
  if (is_full()) return;
  if (errors_.size() == limits_.errors) {
    errors_.push_back(Message("{}: further errors are not shown", name_));
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
  errors_.push_back(
      Message("{}:{}: {}", name_, std::max(line, 1),
              text::shown_in_line(field.empty() ? message : Message("{}: {}", field, message))));
}

bool JsonDocument::has_schema(std::string_view name) {
  const JsonValue top = root();
  if (!top.is_object()) return false;
  const std::string schema = top.text("schema");
  if (schema.empty()) return false;
  const std::string wanted = "warplens." + std::string(name) + "/";
  if (!schema.starts_with(wanted)) {
    add_error("schema", Message("is \"{}\"; \"{}1\" is needed here", schema, wanted));
    return false;
  }
  int major = 0;
  const char* end = schema.data() + schema.size();
  const auto [stop, failed] = std::from_chars(schema.data() + wanted.size(), end, major);
  if (failed != std::errc() || (stop != end && *stop != '.') || major < 1) {
    add_error("schema", Message("\"{}\" has no version; write \"{}1\"", schema, wanted));
    return false;
  }
  if (major > 1) {
    add_error("schema", Message("is \"{}\", written by a newer Warplens; this one reads version 1", schema));
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
  if (!json_->is_object() && complain) error(Message("must be an object {...}, not {}", kind_of(*json_)));
  return json_->is_object();
}

JsonValue JsonValue::member(std::string_view member) const {
  return JsonValue(*document_, json_->at(std::string(member)), field_of(member));
}

bool JsonValue::require(std::string_view member) const {
  if (has(member)) return true;
  error(member, Message("is missing"));
  return false;
}

std::optional<std::string> JsonValue::as_text() const {
  if (json_->is_string()) return json_->get<std::string>();
  error(Message("must be a text \"...\", not {}", kind_of(*json_)));
  return std::nullopt;
}

std::optional<std::int64_t> JsonValue::as_integer() const {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (json_->is_number_unsigned() && json_->get<std::uint64_t>() > kMost) {
    error(Message("{} is too large", json_->dump()));
    return std::nullopt;
  }
  if (json_->is_number_integer()) return json_->get<std::int64_t>();
  error(json_->is_number() ? Message("must be an integer, not {}", json_->dump())
                           : Message("must be an integer, not {}", kind_of(*json_)));
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
  value.error(Message("must be true or false, not {}", kind_of(value.json())));
  return fallback;
}

double JsonValue::optional_number(std::string_view name, double fallback) const {
  if (!has(name)) return fallback;
  const JsonValue value = member(name);
  if (value.json().is_number()) return value.json().get<double>();
  value.error(Message("must be a number, not {}", kind_of(value.json())));
  return fallback;
}

JsonList JsonValue::list(std::string_view name) const {
  return require(name) ? optional_list(name) : JsonList();
}

JsonList JsonValue::optional_list(std::string_view name) const {
  if (!has(name)) return {};
  const JsonValue array = member(name);
  if (array.json().is_array()) return {*document_, array.json(), array.field()};
  array.error(Message("must be a list [...], not {}", kind_of(array.json())));
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
