// Reading JSON whose origin is not trusted: limits before parsing, and fields that name themselves when
// wrong.
//
//   Message error;
//   auto document = parse_json(text, error);
//   Fields fields(*document, "launch", error);
//   auto shared = fields.integer("shared_bytes", 0, 1 << 20);   // error: "launch.shared_bytes must be ..."
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/budget.h"
#include "sim/base/message.h"

namespace warplens::measure {

inline constexpr std::size_t kLongestDocument = 64u << 20;  // bytes

// Throws Stopped where the budget (null: without end) does. Empty, with `error` in words ("... at byte 17"),
// where the text is no JSON, longer than that, or nested deeper than 32 levels.
std::optional<nlohmann::json> parse_json(std::string_view text, Message& error, Budget* budget = nullptr);

// The most of a count: what a reader that keeps numbers as doubles holds exactly.
inline constexpr std::int64_t kMany = std::int64_t{1} << 53;

// A view of one object. Every reader returns a harmless value and notes the first error; an error already
// noted stays. The document must outlive the view.
class Fields {
 public:
  Fields(const nlohmann::json& object, std::string place, Message& error);

  bool has(const char* name) const;
  std::string text(const char* name) const;                           // required
  std::string text_or(const char* name, std::string fallback) const;  // these: missing or null gives fallback
  double number(const char* name) const;
  double number_or(const char* name, double fallback) const;
  std::int64_t integer(const char* name, std::int64_t least, std::int64_t most) const;
  std::int64_t integer_or(const char* name, std::int64_t least, std::int64_t most,
                          std::int64_t fallback) const;
  bool flag_or(const char* name, bool fallback) const;
  std::vector<std::string> texts(const char* name) const;  // missing: empty
  std::vector<double> numbers(const char* name) const;     // missing: empty
  Fields object(const char* name) const;                   // required
  const nlohmann::json& array(const char* name) const;     // required; an empty array where it is wrong

  const nlohmann::json& document() const { return *object_; }
  std::string place_of(const std::string& name) const;
  // `what`: "is missing", said behind the field's place.
  void complain(const std::string& name, const Message& what) const;

 private:
  const nlohmann::json* find(const char* name) const;  // nullptr: missing or null
  template <typename Value>
  std::vector<Value> list_of(const char* name, const Message& what) const;
  const nlohmann::json* object_;
  std::string place_;
  Message* error_;
};

}  // namespace warplens::measure
