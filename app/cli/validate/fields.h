// Readers that more than one kind of document needs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/memory/gpu_model.h"
#include "sim/report/output/fields.h"
#include "sim/report/report.h"
#include "sim/scenario/json_document.h"

namespace warplens::cli {

inline constexpr std::int64_t kMostCount = std::numeric_limits<std::int64_t>::max();

// A member that must be an integer from `least` to `most`.
inline std::int64_t whole_in(const scenario::JsonValue& object, std::string_view member, std::int64_t least,
                             std::int64_t most = kMostCount) {
  const std::int64_t value = object.integer(member);
  const bool there = object.has(member) && object.member(member).json().is_number_integer();
  if (there && (value < least || value > most)) {
    object.error(member, Message::verbatim("is " + std::to_string(value) + "; " + std::to_string(least) +
                                           (most == kMostCount ? " or more" : " to " + std::to_string(most)) +
                                           " is possible"));
    return least;
  }
  return value;
}

// A finite number from 0.
inline double amount_in(const scenario::JsonValue& object, std::string_view member) {
  if (!object.has(member)) {
    object.error(member, Message::verbatim("is missing"));
    return 0;
  }
  const double value = object.optional_number(member, 0);
  if (!(value >= 0)) object.error(member, Message::verbatim("must not be negative"));
  return value;
}

inline std::string one_of(const scenario::JsonValue& object, std::string_view member,
                          const std::vector<std::string>& known) {
  const std::string value = object.text(member);
  const bool is_text = object.has(member) && object.member(member).json().is_string();
  if (is_text && std::find(known.begin(), known.end(), value) == known.end()) {
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    object.error(member, Message::verbatim("is \"" + value + "\"; possible: " + list));
  }
  return value;
}

inline const memory::GpuModel* gpu_in(const scenario::JsonValue& object) {
  const std::string name = object.text("gpu");
  const memory::GpuModel* gpu = memory::find_gpu_model(name);
  if (gpu == nullptr && !name.empty())
    object.error("gpu", Message::verbatim("is \"" + name + "\", which is not known"));
  return gpu;
}

// [x, y, z]
inline sim::Dim3 extents_in(const scenario::JsonValue& object, std::string_view member, std::int64_t least) {
  sim::Dim3 dim{1, 1, 1};
  std::uint32_t* parts[] = {&dim.x, &dim.y, &dim.z};
  const auto list = object.list(member);
  if (object.has(member) && object.member(member).json().is_array() && list.size() != 3)
    object.error(member, Message::verbatim("has " + std::to_string(list.size()) +
                                           " entries; three are needed: x, y, z"));
  for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 3); ++i) {
    const auto value = list[i].as_integer();
    if (!value) continue;
    if (*value < least || *value > std::numeric_limits<std::int32_t>::max())
      list[i].error(Message::verbatim("is " + std::to_string(*value) + "; " + std::to_string(least) +
                                      " to 2147483647 is possible"));
    else
      *parts[i] = static_cast<std::uint32_t>(*value);
  }
  return dim;
}

}  // namespace warplens::cli
