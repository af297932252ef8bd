// The fields of a format, named once: one description writes an object and reads it.
//
//   void describe(Fields& f, MapView& map) { f("shown", map.shown), f("array", map.array); }
//
// Reading, what is left out stays as it is, and errors are the document's.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/launch/launch.h"
#include "sim/scenario/json_document.h"

namespace warplens::app {

class Fields {
 public:
  explicit Fields(nlohmann::json& out) : out_(&out) {}
  explicit Fields(const scenario::JsonValue& in) : in_(&in) {}
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
      count(name, value, 1'000'000'000);
  }
  void count(const char* name, int& value, int most) {
    if (!reads()) return operator()(name, value);
    const std::int64_t read = in_->optional_integer(name, value);
    if (in_->has(name) && (read < 0 || read > most))
      in_->error(name, Message("must be from 0 to {}", most));
    else
      value = static_cast<int>(read);
  }
  // What lies outside is moved to the nearer end.
  template <typename T>
  void between(const char* name, T& value, T least, T most) {
    operator()(name, value);
    if (reads()) value = std::clamp(value, least, most);
  }
  // A name that is none of them leaves the value as it is.
  template <typename Enum, std::size_t N>
  void choice(const char* name, Enum& value, const char* const (&names)[N]) {
    std::string chosen = names[static_cast<std::size_t>(value)];
    operator()(name, chosen);
    if (!reads()) return;
    for (std::size_t i = 0; i < N; ++i)
      if (chosen == names[i]) value = static_cast<Enum>(i);
  }
  template <typename Enum>
  void number_of(const char* name, Enum& value, Enum last) {
    int number = static_cast<int>(value);
    operator()(name, number);
    if (reads()) value = static_cast<Enum>(std::min(number, static_cast<int>(last)));
  }
  // Must be there.
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
    const scenario::JsonValue member = in_->member(name);
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
  // An object of its own: written, or read where it is there.
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
  // A list of objects that describe() knows, of which those that are none are left out.
  template <typename T>
  void list(const char* name, std::vector<T>& values) {
    if (reads()) {
      for (const scenario::JsonValue& one : in_->optional_list(name)) {
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

  // The object of that name, where there is one.
  static std::optional<scenario::JsonValue> object_in(const scenario::JsonValue& object, const char* name) {
    if (!object.has(name)) return std::nullopt;
    scenario::JsonValue found = object.member(name);
    return found.is_object() ? std::optional(found) : std::nullopt;
  }

 private:
  nlohmann::json* out_ = nullptr;
  const scenario::JsonValue* in_ = nullptr;
};

// What describe() names of it, as JSON. Writing changes nothing of what is described.
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

}  // namespace warplens::app
