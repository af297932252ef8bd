#include "kernels/protocol/json_fields.h"

#include <nlohmann/json.hpp>

#include "sim/scenario/json_document.h"

namespace warplens::measure {
namespace {

constexpr int kMostNested = 32;

const nlohmann::json& empty_object() {
  static const nlohmann::json value = nlohmann::json::object();
  return value;
}
const nlohmann::json& empty_array() {
  static const nlohmann::json value = nlohmann::json::array();
  return value;
}

}  // namespace

std::optional<nlohmann::json> parse_json(std::string_view text, Message& error, Budget* budget) {
  if (text.size() > kLongestDocument) {
    error = Message("the document has {} bytes; at most {} are read", text.size(), kLongestDocument);
    return std::nullopt;
  }
  Pace pace(budget != nullptr ? *budget : Budget::endless(), Stage::Reading);
  HeldMemory held(pace.budget());
  nlohmann::json document;
  const scenario::JsonError wrong = scenario::read_json(text, kMostNested, pace, held, &document);
  if (wrong.words.empty()) return document;
  error = Message("no valid JSON at line {}, byte {}: {}", scenario::line_at(text, wrong.at), wrong.at,
                  wrong.words);
  return std::nullopt;
}

Fields::Fields(const nlohmann::json& object, std::string place, Message& error)
    : object_(&object), place_(std::move(place)), error_(&error) {
  if (object.is_object()) return;
  if (error.empty())
    error = place_.empty() ? Message("the document must be an object")
                           : Message("{} {}", place_, Message("must be an object"));
  object_ = &empty_object();
}

std::string Fields::place_of(const std::string& name) const {
  return place_.empty() ? name : place_ + "." + name;
}

void Fields::complain(const std::string& name, const Message& what) const {
  if (error_->empty()) *error_ = Message("{} {}", place_of(name), what);
}

const nlohmann::json* Fields::find(const char* name) const {
  const auto found = object_->find(name);
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

bool Fields::has(const char* name) const {
  return find(name) != nullptr;
}

std::string Fields::text(const char* name) const {
  if (!has(name)) complain(name, Message("is missing"));
  return text_or(name, {});
}

std::string Fields::text_or(const char* name, std::string fallback) const {
  const auto* value = find(name);
  if (value == nullptr) return fallback;
  if (value->is_string()) return value->get<std::string>();
  complain(name, Message("must be a text"));
  return fallback;
}

double Fields::number(const char* name) const {
  if (!has(name)) complain(name, Message("is missing"));
  return number_or(name, 0);
}

double Fields::number_or(const char* name, double fallback) const {
  const auto* value = find(name);
  if (value == nullptr) return fallback;
  if (value->is_number()) return value->get<double>();
  complain(name, Message("must be a number"));
  return fallback;
}

std::int64_t Fields::integer(const char* name, std::int64_t least, std::int64_t most) const {
  if (!has(name)) complain(name, Message("is missing"));
  return integer_or(name, least, most, least);
}

std::int64_t Fields::integer_or(const char* name, std::int64_t least, std::int64_t most,
                                std::int64_t fallback) const {
  const auto* value = find(name);
  if (value == nullptr) return fallback;
  const bool fits = value->is_number_integer() &&
                    (!value->is_number_unsigned() || value->get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
  if (fits && value->get<std::int64_t>() >= least && value->get<std::int64_t>() <= most)
    return value->get<std::int64_t>();
  complain(name, Message("must be an integer from {} to {}", least, most));
  return fallback;
}

bool Fields::flag_or(const char* name, bool fallback) const {
  const auto* value = find(name);
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  complain(name, Message("must be true or false"));
  return fallback;
}

template <typename Value>
std::vector<Value> Fields::list_of(const char* name, const Message& what) const {
  std::vector<Value> values;
  const auto* list = find(name);
  if (list == nullptr) return values;
  if (!list->is_array()) complain(name, what);
  for (const auto& value : *list) {
    if (std::is_arithmetic_v<Value> ? value.is_number() : value.is_string())
      values.push_back(value.template get<Value>());
    else
      complain(name, what);
  }
  return values;
}

std::vector<std::string> Fields::texts(const char* name) const {
  return list_of<std::string>(name, Message("must be a list of texts"));
}

std::vector<double> Fields::numbers(const char* name) const {
  return list_of<double>(name, Message("must be a list of numbers"));
}

Fields Fields::object(const char* name) const {
  const auto* value = find(name);
  if (value == nullptr) complain(name, Message("is missing"));
  return Fields(value != nullptr ? *value : empty_object(), place_of(name), *error_);
}

const nlohmann::json& Fields::array(const char* name) const {
  const auto* value = find(name);
  if (value != nullptr && value->is_array()) return *value;
  complain(name, value == nullptr ? Message("is missing") : Message("must be a list"));
  return empty_array();
}

}  // namespace warplens::measure
