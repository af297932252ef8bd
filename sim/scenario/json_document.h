// JSON that people write: errors name file, line and field.
//
//   JsonDocument document = JsonDocument::parse(text, "pad.scenario.json");
//   JsonValue root = document.root();
//   std::string name = root.text("name");                 // wrong or absent: an error in document.errors()
//   for (JsonValue parameter : root.list("parameters")) ...
//
// Size and depth are checked before anything is built. Asking goes on after an error, so that all are
// reported. Where JsonLimits names a budget, reading and every value asked for goes by it, and throws
// Stopped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/budget.h"

// JSON text in one pass: whether it is sound, how deep and how large it is, and the document; and where a
// field begins. Both passes look at a budget as they go and throw Stopped.

namespace warplens::scenario {

struct JsonError {
  Message words;       // what is wrong; empty: the text is sound
  std::size_t at = 0;  // byte offset
};

// Fills `document` (null where the text is not sound). `held` takes the memory of the document, about, and
// rather too much, as it grows; it is to live as long as the document. A member that is given twice is an
// error.
JsonError read_json(std::string_view text, int max_depth, Pace& pace, HeldMemory& held,
                    nlohmann::json* document);

// The offset just past the beginning of the key or value of a field of a sound text, as
// "parameters[2].default".
std::optional<std::size_t> find_field(std::string_view text, std::string_view field, Pace& pace);

int line_at(std::string_view text, std::size_t offset);
int column_at(std::string_view text, std::size_t offset);

struct JsonLimits {
  std::size_t bytes = std::size_t{1} << 20;
  int depth = 32;
  std::size_t errors = 20;   // further ones are not reported
  Budget* budget = nullptr;  // null: without end
  bool strict = false;       // see JsonValue::replaced()
};

class JsonValue;
class JsonList;

// "object", "array", "string", "boolean", "number" or "null".
Message kind_of(const nlohmann::json& value);

class JsonDocument {
 public:
  static JsonDocument parse(std::string text, std::string name, const JsonLimits& limits = {});
  static JsonDocument load(const std::filesystem::path& file, const JsonLimits& limits = {});

  JsonValue root();
  const nlohmann::json& json() const { return json_; }
  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }

  // Checks {"schema": "warplens.NAME/1"}; a newer major version and another schema are errors.
  bool has_schema(std::string_view name);
  void add_error(const std::string& field, const Message& message);
  const std::vector<Message>& errors() const { return errors_; }
  bool ok() const { return errors_.empty(); }
  bool is_strict() const { return limits_.strict; }
  bool is_full() const { return errors_.size() > limits_.errors; }  // further errors are not kept

  // The line, from 1, on which a field ("parameters[2].default") begins; 0: there is no such field.
  int line_of(const std::string& field) const;

  void step() { work_->pace.step(); }  // of those who go through the document; throws Stopped

 private:
  struct Work {
    explicit Work(Budget& budget) : pace(budget, Stage::Reading), held(budget) {}
    Pace pace;
    HeldMemory held;
  };
  JsonDocument(std::string name, const JsonLimits& limits);

  std::string name_, text_;
  nlohmann::json json_;
  JsonLimits limits_;
  std::unique_ptr<Work> work_;
  std::vector<Message> errors_;
};

// One value and its field's name. Getters of a member that is absent or of another kind add an error and give
// the fallback; those named optional_... take an absent member without complaint.
class JsonValue {
 public:
  JsonValue(JsonDocument& document, const nlohmann::json& json, std::string field)
      : document_(&document), json_(&json), field_(std::move(field)) {}

  const nlohmann::json& json() const { return *json_; }
  const std::string& field() const { return field_; }
  std::string field_of(std::string_view member) const;
  bool has(std::string_view member) const;
  bool is_object(bool complain = true) const;
  JsonValue member(std::string_view member) const;  // must be there: see has()

  std::string text(std::string_view member) const;
  std::string optional_text(std::string_view member, std::string fallback = {}) const;
  std::int64_t integer(std::string_view member) const;
  std::int64_t optional_integer(std::string_view member, std::int64_t fallback) const;
  int optional_within(std::string_view member, int least, int most, int fallback) const;
  std::array<std::uint32_t, 3> optional_index(std::string_view member) const;  // x, y, z; else 0
  bool optional_flag(std::string_view member, bool fallback) const;
  double optional_number(std::string_view member, double fallback) const;
  JsonList list(std::string_view member) const;
  JsonList optional_list(std::string_view member) const;
  std::vector<std::pair<std::string, JsonValue>> optional_members(std::string_view member) const;

  std::optional<std::int64_t> as_integer() const;  // of this value itself, with an error where it is none
  std::optional<std::string> as_text() const;

  void error(const Message& message) const { document_->add_error(field_, message); }
  void error(std::string_view member, const Message& message) const {
    document_->add_error(field_of(member), message);
  }
  // This value is impossible, and the nearest that is possible is read in its place: an error only where the
  // document is read strictly, to be checked. A window opens it.
  void replaced(const Message& message) const {
    if (document_->is_strict()) error(message);
  }

 private:
  bool require(std::string_view member) const;

  JsonDocument* document_;
  const nlohmann::json* json_;
  std::string field_;
};

// The entries of a list, each made when it is asked for: a list of millions takes no memory beside its own.
class JsonList {
 public:
  JsonList() = default;  // of nothing
  JsonList(JsonDocument& document, const nlohmann::json& array, std::string field)
      : document_(&document), array_(&array), field_(std::move(field)) {}

  std::size_t size() const { return array_ == nullptr ? 0 : array_->size(); }
  bool empty() const { return size() == 0; }
  JsonValue operator[](std::size_t index) const {
    document_->step();
    return JsonValue(*document_, (*array_)[index], field_ + "[" + std::to_string(index) + "]");
  }

  class Iterator {
   public:
    Iterator(const JsonList& list, std::size_t index) : list_(&list), index_(index) {}
    JsonValue operator*() const { return (*list_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const JsonList* list_;
    std::size_t index_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  JsonDocument* document_ = nullptr;
  const nlohmann::json* array_ = nullptr;
  std::string field_;
};

}  // namespace warplens::scenario
