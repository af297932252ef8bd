// Where the bricks of a timeline stand.
#include <algorithm>
#include <cmath>
#include <deque>

#include "app/scene/plot/timeline.h"

namespace warplens::scene {
namespace {

constexpr std::size_t kKnownBricks = 4;            // views whose bricks are kept
constexpr float kLeastBrick = 4, kLeastWall = 10;  // apart, at scale 1

float type_of(const Canvas& canvas, float size) {
  return std::max(size, canvas.least_type) * canvas.scale;
}

// Room for the warps' names at the left, barriers above, legend and caption below.
Rect room_of(const Canvas& canvas) {
  const float type = type_of(canvas, 13), left = std::round(5.2f * type), above = std::round(1.5f * type),
              below = std::round(3.9f * type);
  return {left, above, std::max(0.0f, canvas.width - left - canvas.scale * 2),
          std::max(0.0f, canvas.height - above - below)};
}

// Which wall that is drawn stands before each phase: 0, none; so many that bricks of one may stand together.
std::vector<std::uint32_t> draw_walls(const Timeline& timeline, float pixels, float least,
                                      TimelineBricks* out) {
  std::vector<std::uint32_t> before{0};
  for (std::size_t i = 0; i < timeline.walls.size(); ++i) {
    const float x = out->room.x + static_cast<float>(timeline.walls[i] - out->window.first) * pixels;
    if (!out->walls.empty() && x - out->walls.back().x < least) {
      ++out->walls.back().count;
    } else {
      out->walls.push_back({x, static_cast<std::uint32_t>(i), 1});
    }
    before.push_back(static_cast<std::uint32_t>(out->walls.size()));
  }
  return before;
}

class Mason {
 public:
  Mason(const Timeline& timeline, float pixels, float least, TimelineBricks* out)
      : timeline_(timeline), pixels_(pixels), least_(least), out_(out) {}

  void build_row(int warp, const std::vector<std::uint32_t>& before) {
    const auto& accesses = timeline_.warps[static_cast<std::size_t>(warp)];
    const std::size_t row_begins = out_->bricks.size();
    begins_ = row_begins;
    std::uint32_t segment = 0;
    for (std::uint32_t i = 0; i < accesses.size(); ++i) {
      const TimelineAccess& access = accesses[i];
      if (before[access.phase] != segment) close(), segment = before[access.phase];
      if (out_->bricks.size() > begins_ && out_->bricks.back().rect.width < least_) {
        add(access, &out_->bricks.back());
      } else {
        TimelineBrick brick;
        brick.warp = warp, brick.first = i, brick.count = 0;
        brick.rect.x = out_->room.x + static_cast<float>(access.at - out_->window.first) * pixels_;
        add(access, &brick);
        out_->bricks.push_back(brick);
      }
    }
    close();
    stand(row_begins, warp);
  }

 private:
  void add(const TimelineAccess& access, TimelineBrick* brick) const {
    ++brick->count;
    brick->units += access.units;
    brick->ideal += std::min(access.ideal, access.units);
    if (access.space == memory::Space::Global) brick->sectors += access.units;
    ++brick->requests[static_cast<std::size_t>(access.space)];
    brick->lanes += access.lanes;
    brick->rect.width = static_cast<float>(brick->units) * pixels_;
  }

  // What is left over before a wall joins the brick before it.
  void close() {
    auto& bricks = out_->bricks;
    if (bricks.size() >= begins_ + 2 && bricks.back().rect.width < least_) {
      const TimelineBrick last = bricks.back();
      bricks.pop_back();
      TimelineBrick& to = bricks.back();
      to.count += last.count, to.units += last.units, to.ideal += last.ideal, to.sectors += last.sectors;
      for (const std::size_t space : {0u, 1u}) to.requests[space] += last.requests[space];
      to.lanes += last.lanes;
      to.rect.width = static_cast<float>(to.units) * pixels_;
    }
    begins_ = bricks.size();
  }

  // Sets heights, and cuts to the room; what is outside goes.
  void stand(std::size_t from, int warp) {
    const Rect& room = out_->room;
    const float floor = room.y + out_->row * static_cast<float>(warp - out_->window.first_warp + 1);
    const float high = std::max(1.0f, out_->row - (out_->row >= 8 ? 2.0f : 0.0f));
    auto& bricks = out_->bricks;
    std::size_t kept = from;
    for (std::size_t i = from; i < bricks.size(); ++i) {
      TimelineBrick brick = bricks[i];
      brick.lanes /= std::max(1u, brick.count);
      Rect& r = brick.rect;
      const float right = std::min(r.x + std::max(r.width, 1.0f), room.x + room.width);
      r.x = std::max(r.x, room.x);
      r.width = right - r.x;
      if (r.width <= 0) continue;
      r.height = std::max(std::min(2.0f, high), high * static_cast<float>(brick.lanes) / memory::kWarpLanes);
      r.y = floor - r.height;
      bricks[kept++] = brick;
    }
    bricks.resize(kept);
  }

  const Timeline& timeline_;
  float pixels_, least_;
  TimelineBricks* out_;
  std::size_t begins_ = 0;  // the first brick behind the last wall
};

}  // namespace

void place_accesses(Timeline* timeline) {
  std::uint32_t phases = 0;
  for (const auto& warp : timeline->warps)
    if (!warp.empty()) phases = std::max(phases, warp.back().phase);
  std::vector<std::uint32_t> widths(phases + 1, 0);
  for (const auto& warp : timeline->warps) {
    std::vector<std::uint32_t> own(phases + 1, 0);
    for (const TimelineAccess& access : warp)
      widths[access.phase] = std::max(widths[access.phase], own[access.phase] += access.units);
  }
  std::vector<std::uint32_t> starts(phases + 2, 0);
  for (std::size_t i = 0; i <= phases; ++i) starts[i + 1] = starts[i] + widths[i];
  timeline->walls.assign(starts.begin() + 1, starts.end() - 1);
  timeline->width = starts.back();
  for (auto& warp : timeline->warps) {
    std::uint32_t phase = 0, at = 0;
    for (TimelineAccess& access : warp) {
      if (access.phase != phase || &access == &warp.front()) phase = access.phase, at = starts[phase];
      access.at = at;
      at += access.units;
    }
  }
}

TimelineWindow timeline_window(const Timeline& timeline, const MapPosition& position) {
  const double zoom = std::clamp(position.zoom, 1.0, kMostTimelineZoom), width = timeline.width;
  const int warps = static_cast<int>(timeline.warps.size());
  TimelineWindow window;
  window.units = std::max(width / zoom, 1.0);
  window.first =
      std::clamp(position.column * width - 0.5 * window.units, 0.0, std::max(0.0, width - window.units));
  window.warps = std::clamp(static_cast<int>(std::lround(warps / zoom)), std::min(1, warps), warps);
  window.first_warp = std::clamp(
      static_cast<int>(std::floor(position.row * warps - 0.5 * (window.warps - 1))), 0, warps - window.warps);
  return window;
}

int timeline_index(const Timeline& timeline, int warp, std::uint32_t event) {
  if (warp < 0 || warp >= static_cast<int>(timeline.warps.size())) return -1;
  const auto& accesses = timeline.warps[static_cast<std::size_t>(warp)];
  const auto found = std::ranges::lower_bound(accesses, event, {}, &TimelineAccess::event);
  return found != accesses.end() && found->event == event ? static_cast<int>(found - accesses.begin()) : -1;
}

MapPosition timeline_position(const Timeline& timeline, int warp, std::uint32_t event, double zoom) {
  MapPosition position{0.5, 0.5, zoom};
  const int index = timeline_index(timeline, warp, event);
  if (index < 0) return position;
  const TimelineAccess& access =
      timeline.warps[static_cast<std::size_t>(warp)][static_cast<std::size_t>(index)];
  position.column = (access.at + 0.5 * access.units) / std::max(1u, timeline.width);
  position.row = (warp + 0.5) / static_cast<double>(timeline.warps.size());
  return position;
}

namespace {

TimelineBricks lay_bricks(const TimelineView& view, const Canvas& canvas) {
  const Timeline& timeline = *view.timeline;
  TimelineBricks out;
  out.room = room_of(canvas);
  out.window = timeline_window(timeline, view.position);
  if (out.room.width < 8 || out.room.height < 8 || timeline.width == 0) return out;
  // A│B: as many pixels a unit as the wider one has.
  const double share = std::max(1.0, view.other_units / timeline.width);
  const auto pixels = static_cast<float>(out.room.width / (out.window.units * share));
  out.row = std::min(out.room.height / static_cast<float>(out.window.warps), 140 * canvas.scale);
  const std::vector<std::uint32_t> before = draw_walls(timeline, pixels, kLeastWall * canvas.scale, &out);
  Mason mason(timeline, pixels, kLeastBrick * canvas.scale, &out);
  for (int i = 0; i < out.window.warps; ++i) mason.build_row(out.window.first_warp + i, before);
  std::erase_if(out.walls, [&](const TimelineWall& wall) {
    return wall.x < out.room.x - 0.5f || wall.x > out.room.x + out.room.width + 0.5f;
  });
  return out;
}

}  // namespace

std::shared_ptr<const TimelineBricks> timeline_bricks(const TimelineView& view, const Canvas& canvas) {
  struct Known {
    std::shared_ptr<const Timeline> timeline;
    MapPosition position;
    double other_units;
    float width, height, scale, least_type;
    std::shared_ptr<const TimelineBricks> bricks;
  };
  thread_local std::deque<Known> known;
  for (const Known& k : known) {
    if (k.timeline == view.timeline && k.position == view.position && k.other_units == view.other_units &&
        k.width == canvas.width && k.height == canvas.height && k.scale == canvas.scale &&
        k.least_type == canvas.least_type)
      return k.bricks;
  }
  if (known.size() >= kKnownBricks) known.pop_front();
  auto bricks = std::make_shared<const TimelineBricks>(lay_bricks(view, canvas));
  known.push_back({view.timeline, view.position, view.other_units, canvas.width, canvas.height, canvas.scale,
                   canvas.least_type, bricks});
  return bricks;
}

}  // namespace warplens::scene
