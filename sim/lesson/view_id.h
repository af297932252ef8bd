// The views, each with one name for lessons, sessions, lectures, links and the command line: the memory of
// one access, and the pictures that can take its place. Everything else about a view is in its row in
// app/views.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens {

enum class ViewId : std::uint8_t {
  Memory,  // lanes, sectors and banks of the access looked at
  Reuse,   // the same, and who touched its sectors before
  Map,     // an array as rows and columns
  Phases,  // of a corner turn
  Timeline,
  Landscape,  // of two parameters
  Profile,    // what Nsight Compute counted, beside the prediction
  Why,        // the least time that each resource needs
  Roofline,
  Layout,     // where the elements of a tile lie
  Fragments,  // who holds the matrices of an mma.sync
  Occupancy,  // the warps that a multiprocessor holds, and their lanes at work
  Ptx         // the instructions, beside the text that they were compiled from
};

inline constexpr std::array<std::string_view, 13> kViewNames{
    "memory", "reuse",    "map",    "phases",    "timeline",  "landscape", "profile",
    "why",    "roofline", "layout", "fragments", "occupancy", "ptx"};
static_assert(kViewNames.size() == static_cast<std::size_t>(ViewId::Ptx) + 1);

constexpr std::string_view name_of(ViewId id) {
  return kViewNames[static_cast<std::size_t>(id)];
}
inline std::optional<ViewId> view_named(std::string_view name) {
  const auto found = std::ranges::find(kViewNames, name);
  if (found == kViewNames.end()) return std::nullopt;
  return static_cast<ViewId>(found - kViewNames.begin());
}

// It stands in the place of both memory panels, and Esc leaves it.
constexpr bool is_plot(ViewId id) {
  return id >= ViewId::Timeline;
}

}  // namespace warplens
