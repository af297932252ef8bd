// The line below every picture: one story of cost and time. Lanes at work, requests, sectors or wavefronts,
// and what the kernel takes; what explains the time is lit. One function makes it, on the stage, on the
// workbench, in A│B and in files.
//
//   this request                                     whole grid
//   32 of 32 lanes work    16 wavefronts, ideal 1    2,097,152 requests    the kernel takes 85.0 µs
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/readout/ladder_times.h"
#include "app/scene/views.h"
#include "app/simulate/simulation.h"

namespace warplens::app {

struct StripInput {
  const Simulation* simulation = nullptr;
  const std::vector<RungTime>* times = nullptr;  // of the ladder; null: none
  std::string timed{};                           // what the time is of, "4096 × 4096 · as written"
  std::string waits{};                           // where there is no time, why
  std::string requests{};  // A│B, where they explain the time: "3.8 times fewer requests"
  std::string turned{};    // "padding 2", at the right end
  scene::Counting counting{};
  std::optional<double> raced{};  // A│B's race: of the time, how much has gone by
  double longest = 0;             // A│B: seconds of the slower side; a bar of each time below, in one scale
  float longest_bar = 0;          // its bar, in pixels: there is room for it on both sides
};
inline constexpr float kStripHeight = 36;  // at scale 1
// As wide and as high as the canvas. A hot spot a number that can be counted out.
scene::Scene strip_scene(const StripInput& input, const scene::Canvas& canvas);

// "4096 × 4096 · as written": of the rung on screen.
std::string timed_words(const std::vector<RungTime>& times, const Settings& settings, bool optimised,
                        const language::Strings& strings);

// What `counting` has come to of an access: the first of its lanes; and how much there is to count.
memory::LaneMask lanes_counted(const PricedAccess& access, const scene::Counting& counting);
int most_to_count(const Simulation& simulation, scene::Count what);

// The lines that the grid's requests are from, each with how many; empty: not counted.
std::vector<std::pair<int, std::uint64_t>> lines_of_requests(const Simulation& simulation);

}  // namespace warplens::app
