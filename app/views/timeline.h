// A block's accesses in the order in which each warp makes them: a row a warp, a brick an access.
//
//   warp 0  ▇▇▇▇▇▇▇▇▇▇▇▇┃▇▇▇┃▇▇┃        as wide as it costs: a sector or a wavefront is one unit;
//   warp 1  ▇▇▇▇▇▇▇▇▇▇▇▇┃▄▄ ┃  ┃        as high as its active lanes; a barrier is a wall
//
// Order and cost, not time: behind a wall every warp begins at the same place, which is where the costliest
// has come to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/scene/scene.h"
#include "app/scene/views.h"
#include "app/state/action.h"
#include "app/views/views.h"

namespace warplens::views {

const Row& timeline();  // its row

struct TimelineAccess {
  std::uint32_t event = 0;  // of the block's trace
  std::uint32_t at = 0;     // units before it begins; see place_accesses()
  std::uint32_t units = 0, ideal = 0;
  std::uint32_t phase = 0;  // barriers before it
  int lanes = 0;            // active
  memory::Space space = memory::Space::Global;
  friend bool operator==(const TimelineAccess&, const TimelineAccess&) = default;
};

struct Timeline {
  std::vector<std::vector<TimelineAccess>> warps;  // in the order in which each makes them
  std::vector<std::uint32_t> walls;                // a barrier each, in units; no two stand in another order
  std::uint32_t width = 0;                         // units up to the end of the last access
  bool cut_short = false;                          // there are more accesses than were traced
};
// Sets `at`, `walls` and `width` from units and phases, which never fall within a warp.
void place_accesses(Timeline* timeline);

// The part in view. All of it: position.zoom 1.
struct TimelineWindow {
  double first = 0, units = 1;
  int first_warp = 0, warps = 0;
};
inline constexpr double kMostTimelineZoom = 65536;
TimelineWindow timeline_window(const Timeline& timeline, const scene::MapPosition& position);
// The access in the middle, at the enlargement that the position has.
scene::MapPosition timeline_position(const Timeline& timeline, int warp, std::uint32_t event, double zoom);
// The access of the block, in its warp; -1: there is none.
int timeline_index(const Timeline& timeline, int warp, std::uint32_t event);

struct TimelineView {
  std::shared_ptr<const Timeline> timeline;
  scene::MapPosition position;
  int warp = -1;            // looked at
  std::uint32_t event = 0;  // of the block, looked at
  double other_units = 0;   // A│B: how wide the other pane's is; both share one scale
};

// Accesses that are narrower than can be told apart stand together as one brick, as wide as they cost
// together; none stands across a wall that is drawn.
struct TimelineBrick {
  scene::Rect rect;  // cut to the picture's room
  int warp = 0;
  std::uint32_t first = 0, count = 1;        // of the warp's accesses
  std::uint64_t units = 0, ideal = 0;        // of all of them
  std::uint64_t sectors = 0, requests[2]{};  // of `units`, those of global memory; by memory::Space
  double lanes = 0;                          // active in the mean
};
// Barriers that are nearer than can be told apart stand together as one wall.
struct TimelineWall {
  float x = 0;
  std::uint32_t first = 0, count = 1;
};
struct TimelineBricks {
  scene::Rect room;  // of the rows
  float row = 0;
  TimelineWindow window;
  std::vector<TimelineBrick> bricks;
  std::vector<TimelineWall> walls;
};
// Those of the last few views are kept: a frame in which nothing of them changes costs nothing.
std::shared_ptr<const TimelineBricks> timeline_bricks(const TimelineView& view, const scene::Canvas& canvas);

// Hot spots of bricks carry the warp and, as index, the brick of timeline_bricks(); those of walls only the
// index of the wall.
scene::Scene timeline_scene(const TimelineView& view, const scene::Canvas& canvas);

// Every access of the block, priced. Throws Stopped where the budget ends.
std::shared_ptr<const Timeline> timeline_of(const app::Compiled& compiled,
                                            const std::shared_ptr<const sim::Trace>& trace,
                                            Budget& budget = Budget::endless());

// As near to the enlargement as the timeline takes.
double timeline_zoom(double wanted);
void act(const Acting& on, const app::ZoomTimeline& a);

}  // namespace warplens::views
