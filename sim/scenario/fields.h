// The fields of a format, named once: one description writes an object and reads it.
//
//   void describe(Fields& f, MapView& map) { f("shown", map.shown), f("array", map.array); }
//
// On reading, a missing field keeps its value, and the document collects errors.
#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/launch/launch.h"
#include "sim/scenario/json_document.h"

namespace warplens::scenario {

class Fields {
 public:
  static constexpr std::int64_t kMany = std::int64_t{1} << 53;  // what a reader of doubles holds exactly

  explicit Fields(nlohmann::json& out) : out_(&out) {}
  explicit Fields(const JsonValue& in) : in_(&in) {}
  bool reads() const { return in_ != nullptr; }

  // A text, a flag, a number; a whole one is a count, or an index.
  template <typename T>
  void operator()(const char* name, T& value) {
    if (!reads())
      (*out_)[name] = value;
    else if constexpr (std::is_same_v<T, std::string>)
      value = in_->optional_text(name, value);
    else if constexpr (std::is_same_v<T, bool>)
      value = in_->optional_flag(name, value);
    else if constexpr (std::is_floating_point_v<T>)
      value = static_cast<T>(in_->optional_number(name, static_cast<double>(value)));
    else
      whole(name, value, 0, sizeof(T) == 8 ? kMany : 1'000'000'000);
  }
  template <typename T>
  void whole(const char* name, T& value, std::int64_t least, std::int64_t most) {
    if (!reads()) return static_cast<void>((*out_)[name] = value);
    const std::int64_t read = in_->optional_integer(name, static_cast<std::int64_t>(value));
    if (in_->has(name) && (read < least || read > most))
      in_->error(name, Message("must be from {} to {}", least, most));
    else
      value = static_cast<T>(read);
  }
  // Written only if it differs from its default.
  template <typename T>
  void given(const char* name, T& value, const T& fallback = {}) {
    if (reads() || value != fallback) operator()(name, value);
  }
  // A value outside of the range is moved to the nearer end, and a strict document reports it.
  template <typename T>
  void between(const char* name, T& value, T least, T most) {
    operator()(name, value);
    if (!reads()) return;
    if (in_->has(name) && !(value >= least && value <= most))
      in_->member(name).replaced(
          Message("must be from {} to {}", nlohmann::json(least).dump(), nlohmann::json(most).dump()));
    value = std::clamp(value, least, most);
  }
  // A name that is none of them leaves the value as it is, and a strict document reports it.
  template <typename Enum>
  void choice(const char* name, Enum& value, std::span<const char* const> names) {
    std::string chosen = names[static_cast<std::size_t>(value)];
    operator()(name, chosen);
    if (reads()) value = static_cast<Enum>(number_among(name, chosen, names, static_cast<int>(value)));
  }
  // A text that should be one of the names; another one is kept, and a strict document reports it.
  void one_of(const char* name, std::string& value, std::span<const char* const> names) {
    operator()(name, value);
    if (reads() && in_->has(name)) number_among(name, value, names, 0);
  }
  template <typename Enum>
  void number_of(const char* name, Enum& value, Enum last) {
    int number = static_cast<int>(value);
    between(name, number, 0, static_cast<int>(last));
    if (reads()) value = static_cast<Enum>(number);
  }
  // Required.
  void required(const char* name, std::string& value) {
    if (reads())
      value = in_->text(name);
    else
      (*out_)[name] = value;
  }
  // Three numbers.
  void extents(const char* name, sim::Dim3& value, int least, const Message& words) {
    if (!reads()) return static_cast<void>((*out_)[name] = {value.x, value.y, value.z});
    if (!in_->has(name)) return;
    const JsonValue member = in_->member(name);
    const nlohmann::json& list = member.json();
    const auto sound = [&](const nlohmann::json& v) {
      return v.is_number_integer() && v >= least && v <= 0x7fffffff;
    };
    if (!list.is_array() || list.size() != 3 || !std::ranges::all_of(list, sound))
      return in_->error(name, words);
    value = {list[0], list[1], list[2]};
  }
  // The same from 1, or null.
  void extents(const char* name, std::optional<sim::Dim3>& value, const Message& words) {
    if (!reads() && !value) return static_cast<void>((*out_)[name] = nullptr);
    if (reads() && (!in_->has(name) || in_->member(name).json().is_null())) return;
    extents(name, value ? *value : value.emplace(), 1, words);
  }
  // One to three numbers from 1; those left out are 1.
  void sides(const char* name, sim::Dim3& value) {
    constexpr std::int64_t kMost = 0x7fffffff;
    std::vector<std::int64_t> sides{value.x, value.y, value.z};
    values(name, sides);
    const auto sound = [&](std::int64_t side) { return side >= 1 && side <= kMost; };
    if (sides.empty() || sides.size() > 3 || !std::ranges::all_of(sides, sound))
      return complain(name, Message("must be one to three integers from 1 to {}", kMost));
    sides.resize(3, 1);
    value = {static_cast<std::uint32_t>(sides[0]), static_cast<std::uint32_t>(sides[1]),
             static_cast<std::uint32_t>(sides[2])};
  }
  // A list of numbers or texts; an empty one is not written.
  template <typename T>
  void values(const char* name, std::vector<T>& list) {
    if (!reads() && !list.empty()) (*out_)[name] = list;
    if (!reads() || !in_->has(name)) return;
    const JsonValue given = in_->member(name);
    const auto fits = [](const nlohmann::json& one) {
      return std::is_floating_point_v<T> ? one.is_number()
             : std::is_integral_v<T>     ? one.is_number_integer()
                                         : one.is_string();
    };
    if (given.json().is_array() && std::ranges::all_of(given.json(), fits))
      list = given.json().get<std::vector<T>>();
    else
      given.error(std::is_arithmetic_v<T> ? Message("must be a list of numbers")
                                          : Message("must be a list of texts"));
  }
  // Numbers or texts by name; an empty set is not written.
  template <typename T>
  void map(const char* name, std::map<std::string, T>& all) {
    if (!reads() && !all.empty()) (*out_)[name] = all;
    if (reads() && in_->has(name))
      object(name, [&](Fields& own) {
        for (const auto& [key, unused] : own.in_->json().items()) {
          if constexpr (std::is_same_v<T, std::int64_t>)
            own.whole(key.c_str(), all[key], INT64_MIN, INT64_MAX);
          else
            own(key.c_str(), all[key]);
        }
      });
  }
  // An object of its own: written, or read if it is present.
  template <typename Describe>
  void object(const char* name, Describe&& describe) {
    if (!reads()) {
      Fields inner((*out_)[name] = nlohmann::json::object());
      describe(inner);
    } else if (const auto found = object_in(*in_, name)) {
      Fields inner(*found);
      describe(inner);
    }
  }
  // The same, but required.
  template <typename Describe>
  void needed(const char* name, Describe&& describe) {
    if (reads() && !in_->has(name)) return in_->error(name, Message("is missing"));
    object(name, describe);
  }
  // The same, for a value that may be absent.
  template <typename T, typename Describe>
  void maybe(const char* name, std::optional<T>& value, Describe&& describe) {
    if (reads() ? in_->has(name) && !in_->member(name).json().is_null() : value.has_value())
      object(name, [&](Fields& own) { describe(own, value ? *value : value.emplace()); });
  }
  // A list of objects that describe() knows; entries that are not objects are left out.
  template <typename T>
  void list(const char* name, std::vector<T>& values) {
    list(name, values, [](Fields& own, T& value) { describe(own, value); });
  }
  template <typename T, typename Describe>
  void list(const char* name, std::vector<T>& values, Describe&& describe) {
    if (reads()) {
      for (const JsonValue& one : in_->optional_list(name)) {
        if (!one.is_object()) continue;
        Fields inner(one);
        describe(inner, values.emplace_back());
      }
      return;
    }
    nlohmann::json& made = (*out_)[name] = nlohmann::json::array();
    for (T& value : values) {
      Fields inner(made.emplace_back(nlohmann::json::object()));
      describe(inner, value);
    }
  }

  // The object of that name, if there is one.
  static std::optional<JsonValue> object_in(const JsonValue& object, const char* name) {
    if (!object.has(name)) return std::nullopt;
    JsonValue found = object.member(name);
    return found.is_object() ? std::optional(found) : std::nullopt;
  }

  // When reading: reports an error at the field.
  void complain(std::string_view name, const Message& words) const {
    if (reads()) in_->error(name, words);
  }
  // The documents being read and written, for handling by hand.
  const JsonValue& in() const { return *in_; }
  nlohmann::json& out() const { return *out_; }

 private:
  int number_among(const char* name, const std::string& given, std::span<const char* const> names,
                   int otherwise) {
    std::string known;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (given == names[i]) return static_cast<int>(i);
      known += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    in_->member(name).replaced(Message("is \"{}\"; possible: {}", given, known));
    return otherwise;
  }

  nlohmann::json* out_ = nullptr;
  const JsonValue* in_ = nullptr;
};

// The fields that describe() names, as JSON. Writing does not change the described object.
template <typename T>
void write_fields(const T& value, nlohmann::json* out) {
  Fields fields(*out);
  describe(fields, const_cast<T&>(value));
}
template <typename T>
nlohmann::json json_of(const T& value) {
  nlohmann::json out = nlohmann::json::object();
  write_fields(value, &out);
  return out;
}

template <typename T>
T read_as(const JsonValue& value) {
  T made;
  Fields fields(value);
  describe(fields, made);
  return made;
}

}  // namespace warplens::scenario
