#include "app/views/timeline.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "app/jobs/memo.h"
#include "app/simulate/pricing.h"
#include "app/views/drawing.h"
#include "app/views/inputs.h"
#include "sim/base/numbers.h"

// ---- what it derives
namespace warplens::views {

std::shared_ptr<const Timeline> timeline_of(const app::Compiled& compiled,
                                            const std::shared_ptr<const sim::Trace>& trace, Budget& budget) {
  auto timeline = std::make_shared<Timeline>();
  for (int warp = 0; warp < trace->warps; ++warp) {
    const app::PricedWarp priced = app::price_warp(compiled, trace, warp, budget);
    std::vector<TimelineAccess> row;
    row.reserve(priced.events->size());
    for (const app::PricedEvent& event : *priced.events) {
      if (trace->is_refused(event.event)) continue;  // no brick: it took no time
      const sim::TraceEvent& traced = trace->events[event.event];
      row.push_back({.event = event.event,
                     .units = static_cast<std::uint32_t>(event.units),
                     .ideal = static_cast<std::uint32_t>(event.ideal),
                     .phase = traced.phase,
                     .lanes = std::popcount(traced.active),
                     .space = event.space});
    }
    timeline->warps.push_back(std::move(row));
  }
  timeline->cut_short = trace->error.has_value();
  place_accesses(timeline.get());
  return timeline;
}

namespace {

using language::Strings;

app::Made derive_timeline(const Deriving& on) {
  const auto kept = on.memos.get<Timeline>(
      on.simulation.trace,
      [compiled = on.simulation.compiled, trace = on.simulation.trace](Budget& budget, std::atomic<double>*) {
        return timeline_of(*compiled, trace, budget);
      },
      {.most = 3});
  return {ViewId::Timeline, kept.value, kept.busy};
}

}  // namespace

// ---- where the bricks of a timeline stand

namespace {

constexpr std::size_t kKnownBricks = 4;            // views whose bricks are kept
constexpr float kLeastBrick = 4, kLeastWall = 10;  // apart, at scale 1

// Room for the warps' names at the left, barriers above, legend and caption below.
Rect room_of(const Canvas& canvas) {
  const float type = std::max(13.0f, canvas.least_type) * canvas.scale, left = std::round(5.2f * type),
              above = std::round(1.5f * type), below = std::round(3.9f * type);
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
  using Key = std::tuple<std::shared_ptr<const Timeline>, MapPosition, double, float, float, float, float>;
  thread_local jobs::Newest<Key, TimelineBricks> known(kKnownBricks);
  return known.get({view.timeline, view.position, view.other_units, canvas.width, canvas.height, canvas.scale,
                    canvas.least_type},
                   [&] { return std::make_shared<const TimelineBricks>(lay_bricks(view, canvas)); });
}

// ---- how it is drawn

namespace {

constexpr std::size_t kGroundLayer = 0, kBricksLayer = 1, kAboveLayer = 2;

class TimelinePicture {
 public:
  TimelinePicture(const TimelineView& view, const Canvas& canvas)
      : view_(view), pen_(canvas), kept_(timeline_bricks(view, canvas)), all_(*kept_) {}

  Scene draw() {
    if (pen_.too_small() || all_.room.width < 8 || all_.row <= 0) return pen_.finish();
    pen_.scene().layers.resize(kAboveLayer + 1);
    draw_rows();
    for (std::size_t i = 0; i < all_.bricks.size(); ++i) draw_brick(i);
    draw_walls();
    draw_place();
    draw_legend();
    return pen_.finish();
  }

 private:
  float pixels() const {
    const double share = std::max(1.0, view_.other_units / view_.timeline->width);
    return static_cast<float>(all_.room.width / (all_.window.units * share));
  }
  float x_of(double units) const {
    return all_.room.x + static_cast<float>(units - all_.window.first) * pixels();
  }
  float top_of(int warp) const {
    return all_.room.y + all_.row * static_cast<float>(warp - all_.window.first_warp);
  }
  float right() const { return all_.room.x + all_.room.width; }
  float rows_height() const { return all_.row * static_cast<float>(all_.window.warps); }

  // Every warp's name where there is room, else every second, fourth ...
  void draw_rows() {
    const Palette& p = pen_.palette();
    const float type = pen_.size_of({});
    int step = 1;
    while (all_.row * static_cast<float>(step) < 1.15f * type) step *= 2;
    for (int i = 0; i < all_.window.warps; ++i) {
      const int warp = all_.window.first_warp + i;
      const bool here = warp == view_.warp;
      const float y = top_of(warp), high = all_.row - (all_.row >= 8 ? 2.0f : 0.0f);
      const float end = std::min(right(), x_of(view_.timeline->width));
      pen_.sharp(kGroundLayer, {all_.room.x, y + all_.row - high, std::max(0.0f, end - all_.room.x), high},
                 here ? mix(p.panel, p.accent, 0.10f) : mix(p.panel, p.cell, 0.75f));
      // The one looked at is always named; its neighbours then give way.
      const bool beside = view_.warp >= 0 && std::abs(warp - view_.warp) < step;
      if (!here && (warp % step != 0 || beside)) continue;
      const std::string name = pen_.text("scene.map.warp", {{"n", warp}});
      pen_.label(kAboveLayer,
                 {all_.room.x - pen_.px(6), std::max(y + 0.5f * all_.row, all_.room.y + 0.5f * type)}, name,
                 {13, here ? p.text : p.secondary, Align::Right, Font::Words, here});
    }
  }

  // What the bytes need in the calm colour, what is beyond it costly and hatched; shared memory is a frame.
  void draw_brick(std::size_t index) {
    const Palette& p = pen_.palette();
    const TimelineBrick& brick = all_.bricks[index];
    Rect r = brick.rect;
    pen_.hot_spot({.rect = {r.x, top_of(brick.warp), std::max(r.width, 1.0f), all_.row},
                   .warp = brick.warp,
                   .index = static_cast<int>(index)});
    const float gap = r.width >= 6 ? std::min(2.0f, pen_.px(1.5f)) : r.width >= 3 ? 1.0f : 0.0f;
    r.width = std::max(1.0f, r.width - gap);
    const bool shared = brick.requests[0] == 0;
    const float part =
        brick.units == 0
            ? 1
            : static_cast<float>(static_cast<double>(brick.ideal) / static_cast<double>(brick.units));
    const float calm = part >= 1 ? r.width : std::round(part * r.width);
    draw_part(kBricksLayer, {r.x, r.y, calm, r.height}, shared, false);
    draw_part(kBricksLayer, {r.x + calm, r.y, r.width - calm, r.height}, shared, true);
    if (brick.count > 1 && r.height >= 5)  // a lid: several accesses
      pen_.sharp(kBricksLayer, {r.x, r.y, r.width, std::max(1.0f, std::round(pen_.px(2)))}, p.text);
    write_cost(brick, r);
  }

  void draw_part(std::size_t layer, const Rect& r, bool shared, bool costly) {
    if (r.width <= 0) return;
    const Palette& p = pen_.palette();
    const Color color = costly ? p.costly : p.secondary;
    const bool large = r.width >= 5 && r.height >= 6, frame = shared && large;
    pen_.framed(layer, r, frame ? mix(p.panel, color, 0.34f) : color, color,
                frame ? std::max(1.0f, std::round(pen_.px(1.5f))) : 0.0f)
        .rounded(std::min({pen_.px(2), 0.3f * r.width, 0.3f * r.height}))
        .hatched(costly && large ? std::round(pen_.px(5)) : 0, with_alpha(p.panel, 0.45f));
  }

  // The figure of one access in its brick, where it has room.
  void write_cost(const TimelineBrick& brick, const Rect& r) {
    const Palette& p = pen_.palette();
    const Type type{13, p.text, Align::Center, Font::Code, true};
    const std::string figure = std::to_string(brick.units);
    const float high = 1.2f * pen_.size_of(type), wide = pen_.width_of(figure, type);
    if (brick.count > 1 || r.height < high + 2 || wide + pen_.px(6) > r.width) return;
    const Point middle{r.x + 0.5f * r.width, r.y + 0.5f * r.height};
    pen_.cell(kBricksLayer,
              {middle.x - 0.5f * wide - pen_.px(2), middle.y - 0.5f * high, wide + pen_.px(4), high}, p.panel)
        .radius = pen_.px(3);
    pen_.label(kBricksLayer, middle, figure, type);
  }

  void draw_walls() {
    const Palette& p = pen_.palette();
    const float wide = std::max(2.0f, std::round(pen_.px(3)));
    float free = all_.room.x;
    for (std::size_t i = 0; i < all_.walls.size(); ++i) {
      const TimelineWall& wall = all_.walls[i];
      const float left = std::clamp(wall.x - 0.5f * wide, all_.room.x, right() - wide);
      pen_.sharp(kAboveLayer, {left, all_.room.y - pen_.px(2), wide, rows_height() + pen_.px(2)},
                 p.secondary);
      const std::string first = std::to_string(wall.first + 1),
                        last = std::to_string(wall.first + wall.count);
      const std::string number = wall.count > 1 ? first + "–" + last : first;
      const std::string words = wall.count > 1
                                    ? pen_.text("scene.timeline.walls", {{"first", first}, {"last", last}})
                                    : pen_.text("scene.timeline.wall", {{"n", first}});
      pen_.hot_spot({.rect = {left - pen_.px(3), 0, wide + pen_.px(6), all_.room.y},
                     .index = static_cast<int>(i),
                     .tooltip = words});
      free = name_wall(i, words, number, free);
    }
  }

  // In words or as a number, whichever has room between the name before and the wall behind; where it ends.
  float name_wall(std::size_t wall, const std::string& words, const std::string& number, float free) {
    const Type type{13, pen_.palette().secondary, Align::Center};
    const float next = wall + 1 < all_.walls.size() ? all_.walls[wall + 1].x : pen_.width();
    for (const bool whole : {true, false}) {
      const std::string& text = whole ? words : number;
      const float half = 0.5f * pen_.width_of(text, type) + pen_.px(4);
      const float middle = std::min(all_.walls[wall].x, pen_.width() - half);
      if (middle - half < free || (whole && middle + half > next - half)) continue;
      pen_.label(kAboveLayer, {middle, 0.5f * (all_.room.y - pen_.px(2))}, text, type);
      return middle + half;
    }
    return free;
  }

  // The access looked at, framed so that it is seen however narrow it is.
  void draw_place() {
    const int found = timeline_index(*view_.timeline, view_.warp, view_.event);
    if (found < 0) return;
    const auto index = static_cast<std::uint32_t>(found);
    for (const TimelineBrick& brick : all_.bricks) {
      if (brick.warp != view_.warp || index < brick.first || index >= brick.first + brick.count) continue;
      const float least = pen_.px(7), wide = brick.rect.width;
      Rect r{brick.rect.x, top_of(brick.warp), std::max(wide, least), all_.row};
      if (wide < least) r.x -= 0.5f * (least - wide);
      r = {r.x - 2, r.y - 1, r.width + 3, r.height + 2};
      r.x = std::clamp(r.x, 0.0f, std::max(0.0f, pen_.width() - r.width));
      pen_.outline(kAboveLayer, r, pen_.palette().text, std::max(2.0f, std::round(pen_.px(2))))
          .rounded(pen_.px(3));
      return;
    }
  }

  // What a brick's look means, and what the picture does not say.
  void draw_legend() {
    const float type = pen_.size_of({}), left = std::max(all_.room.x - 4.2f * type, 0.0f),
                y = all_.room.y + all_.room.height + 1.2f * type;
    bool global = false, shared = false, several = false, costly = false;
    for (const TimelineBrick& brick : all_.bricks) {
      global |= brick.requests[0] > 0, shared |= brick.requests[1] > 0;
      several |= brick.count > 1, costly |= brick.units > brick.ideal;
    }
    std::vector<Pen::LegendEntry> entries;
    const auto entry = [&](bool there, const char* key, bool frame, bool hatched, float part) {
      if (there)
        entries.push_back({1.6f, pen_.text(key), [=, this](const Rect& r) {
                             draw_part(kAboveLayer,
                                       {r.x, r.y + (1 - part) * r.height, r.width, part * r.height}, frame,
                                       hatched);
                           }});
    };
    entry(global, "scene.timeline.global", false, false, 1);
    entry(shared, "scene.timeline.shared", true, false, 1);
    entry(costly, "scene.timeline.costly", false, true, 1);
    entry(true, "scene.timeline.half", false, false, 0.5f);
    entry(several, "scene.timeline.lid", false, false, 0.2f);
    pen_.legend(kAboveLayer, {left, y}, entries);
    const std::string caption = pen_.text("scene.timeline.caption");
    pen_.label_fitting(kAboveLayer, {left, y + 1.65f * type}, pen_.width() - left,
                       {view_.timeline->cut_short ? pen_.text("map.cut") + " · " + caption : caption,
                        pen_.text("scene.timeline.caption.short")},
                       {13, pen_.palette().secondary});
  }

  const TimelineView& view_;
  Pen pen_;
  std::shared_ptr<const TimelineBricks> kept_;
  const TimelineBricks& all_;
};

}  // namespace

Scene timeline_scene(const TimelineView& view, const Canvas& canvas) {
  return TimelinePicture(view, canvas).draw();
}

// ---- what it says
namespace {

TimelineView timeline_view_of(const Inputs& in) {
  const app::Simulation& s = *in.simulation;
  TimelineView view;
  view.timeline = app::made_of<Timeline>(in.made, ViewId::Timeline);
  view.warp = s.place.warp;
  if (s.place.event >= 0) view.event = (*s.events)[static_cast<std::size_t>(s.place.event)].event;
  view.position = timeline_position(*view.timeline, view.warp, view.event, in.plot_view.timeline_zoom);
  if (const auto other = app::made_of<Timeline>(in.other_made, ViewId::Timeline))
    view.other_units = other->width;
  return view;
}

Scene draw_timeline(const Inputs& in, const Canvas& canvas) {
  const Strings& strings = *canvas.strings;
  const app::Simulation& s = *in.simulation;
  const std::string title =
      strings("timeline.title", {{"block", "(" + app::dim_text(s.place.block, s.place.block.z > 0) + ")"}});
  const auto made = app::made_of<Timeline>(in.made, ViewId::Timeline);
  Scene scene;
  if (made && made->width > 0) scene = timeline_scene(timeline_view_of(in), canvas);
  scene.title = title;
  if (!made || made->width == 0) {
    scene.nothing = strings(made ? "timeline.none" : "timeline.busy");
    return scene;
  }
  const Timeline& timeline = *made;
  std::uint64_t accesses = 0;
  for (const auto& warp : timeline.warps) accesses += warp.size();
  scene.answer = strings(timeline.walls.size() == 1 ? "timeline.answer.one" : "timeline.answer",
                         {{"accesses", grouped(accesses)}, {"barriers", grouped(timeline.walls.size())}});
  return scene;
}

std::string brick_words(const Inputs& in, const TimelineBrick& brick, const Strings& strings) {
  const app::Simulation& s = *in.simulation;
  const auto made = app::made_of<Timeline>(in.made, ViewId::Timeline);
  const auto& accesses = made->warps[static_cast<std::size_t>(brick.warp)];
  const std::string ideal = grouped(brick.ideal);
  const bool global = brick.requests[0] > 0, shared = brick.requests[1] > 0;
  const std::string cost =
      global && shared ? strings("timeline.tip.both", {{"sectors", grouped(brick.sectors)},
                                                       {"wavefronts", grouped(brick.units - brick.sectors)},
                                                       {"ideal", ideal}})
                       : strings(global ? "timeline.tip.sectors" : "timeline.tip.wavefronts",
                                 {{"n", grouped(brick.units)}, {"ideal", ideal}});
  const std::string total = grouped(accesses.size()), warp = std::to_string(brick.warp);
  const std::string lanes = fixed(brick.lanes, brick.lanes == std::floor(brick.lanes) ? 0 : 1);
  if (brick.count > 1)
    return strings("timeline.tip.several", {{"first", grouped(brick.first + 1)},
                                            {"last", grouped(brick.first + brick.count)},
                                            {"total", total},
                                            {"warp", warp},
                                            {"n", grouped(brick.count)},
                                            {"cost", cost},
                                            {"lanes", lanes}});
  const sim::TraceEvent& event = s.trace->events[accesses[brick.first].event];
  const sim::AccessSite& site = s.program().sites[event.site];
  return strings("timeline.tip", {{"n", grouped(brick.first + 1)},
                                  {"total", total},
                                  {"warp", warp},
                                  {"line", site.range.begin.line},
                                  {"text", site.text},
                                  {"cost", cost},
                                  {"lanes", lanes}});
}

// ---- what is done in it

Felt feel_timeline(const Inputs& in, const Canvas& canvas, const Pointer& pointer) {
  Felt felt;
  const auto bricks = timeline_bricks(timeline_view_of(in), canvas);
  if (pointer.hovered && pointer.wheel != 0)
    felt.actions.push_back(app::ZoomTimeline{std::exp2(0.5 * static_cast<double>(pointer.wheel))});
  if (pointer.spot == nullptr || pointer.spot->warp < 0) return felt;
  const TimelineBrick& brick = bricks->bricks[static_cast<std::size_t>(pointer.spot->index)];
  felt.tooltip = brick_words(in, brick, *canvas.strings);
  if (pointer.clicked) felt.actions.push_back(app::GoToAccess{brick.warp, static_cast<int>(brick.first)});
  return felt;
}

constexpr auto shows_timeline = shows<ViewId::Timeline>;
constexpr const char* kTimelineKeys = "help.timeline_view";
constexpr app::Command kTimelineCommands[] = {
    {"timeline", app::Focus::Window, "Ctrl A", "help.timeline", app::toggles<ViewId::Timeline>},
    {"timeline_larger", app::Focus::Map, "+; =", nullptr, zooms<app::ZoomTimeline, 2>, kTimelineKeys,
     shows_timeline},
    {"timeline_smaller", app::Focus::Map, "−", nullptr, zooms<app::ZoomTimeline, -2>, kTimelineKeys,
     shows_timeline},
    {"timeline_all", app::Focus::Map, "0", nullptr,
     [](app::In) { return app::Actions{app::ZoomTimeline{0}}; }, kTimelineKeys, shows_timeline},
};

}  // namespace

double timeline_zoom(double wanted) {
  return std::clamp(wanted, 1.0, kMostTimelineZoom);
}
void act(const Acting& on, const app::ZoomTimeline& a) {
  on.state.plot.timeline_zoom = timeline_zoom(on.state.plot.timeline_zoom * a.factor);
}

const Row& timeline() {
  static const Row kRow{.id = ViewId::Timeline,
                        .file = "timeline",
                        .where = Tab::WhereWide,
                        .derive = derive_timeline,
                        .draw = draw_timeline,
                        .feel = feel_timeline,
                        .commands = kTimelineCommands};
  return kRow;
}

}  // namespace warplens::views
