#include <algorithm>
#include <cmath>

#include "app/scene/pen.h"
#include "app/scene/plot/timeline.h"
#include "app/scene/text.h"

namespace warplens::scene {
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
    draw_rests();
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
    const float type = pen_.px(std::max(13.0f, pen_.least_type()));
    int step = 1;
    while (all_.row * static_cast<float>(step) < 1.15f * type) step *= 2;
    for (int i = 0; i < all_.window.warps; ++i) {
      const int warp = all_.window.first_warp + i;
      const bool here = warp == view_.warp;
      const float y = top_of(warp), high = all_.row - (all_.row >= 8 ? 2.0f : 0.0f);
      const float end = std::min(right(), x_of(view_.timeline->width));
      pen_.cell(kGroundLayer, {all_.room.x, y + all_.row - high, std::max(0.0f, end - all_.room.x), high},
                here ? mix(p.panel, p.accent, 0.16f) : mix(p.panel, p.cell, 0.75f))
          .radius = 0;
      // The one looked at is always named; its neighbours then give way.
      const bool beside = view_.warp >= 0 && std::abs(warp - view_.warp) < step;
      if (!here && (warp % step != 0 || beside)) continue;
      const std::string name = pen_.text("scene.map.warp", {{"n", std::to_string(warp)}});
      pen_.label(kAboveLayer,
                 {all_.room.x - pen_.px(6), std::max(y + 0.5f * all_.row, all_.room.y + 0.5f * type)}, name,
                 {13, here ? p.text : p.secondary, Align::Right, Font::Words, here});
    }
  }

  // Where a warp has nothing more to access up to a wall that others take longer to.
  void draw_rests() {
    if (all_.row < pen_.px(5)) return;
    std::vector<float> ends;
    for (const TimelineWall& wall : all_.walls) ends.push_back(wall.x);
    std::size_t next = 0;
    for (int i = 0; i < all_.window.warps; ++i) {
      const int warp = all_.window.first_warp + i;
      float from = all_.room.x;
      std::size_t wall = 0;
      for (; next < all_.bricks.size() && all_.bricks[next].warp == warp; ++next) {
        const Rect& brick = all_.bricks[next].rect;
        for (; wall < ends.size() && ends[wall] <= brick.x + 0.5f; ++wall) {
          rest(warp, from, ends[wall]);
          from = ends[wall];
        }
        from = std::max(from, brick.x + brick.width);
      }
      for (; wall < ends.size(); ++wall) {
        rest(warp, from, ends[wall]);
        from = ends[wall];
      }
    }
  }
  void rest(int warp, float from, float to) {
    const float wide = to - from - pen_.px(3), high = std::max(1.0f, all_.row - 2);
    if (wide < pen_.px(4)) return;
    Cell& cell = pen_.cell(kGroundLayer, {from + pen_.px(1), top_of(warp) + all_.row - high, wide, high},
                           with_alpha(pen_.palette().panel, 0.0f));
    cell.radius = 0;
    cell.hatch = std::round(pen_.px(7));
    cell.hatch_color = with_alpha(pen_.palette().hatch, 0.55f);
  }

  // What the bytes need in the calm colour, what is beyond it costly and hatched; shared memory is a frame.
  void draw_brick(std::size_t index) {
    const Palette& p = pen_.palette();
    const TimelineBrick& brick = all_.bricks[index];
    Rect r = brick.rect;
    HotSpot spot;
    spot.rect = {r.x, top_of(brick.warp), std::max(r.width, 1.0f), all_.row};
    spot.warp = brick.warp;
    spot.index = static_cast<int>(index);
    pen_.hot_spot(std::move(spot));
    const float gap = r.width >= 6 ? std::min(2.0f, pen_.px(1.5f)) : r.width >= 3 ? 1.0f : 0.0f;
    r.width = std::max(1.0f, r.width - gap);
    const bool shared = brick.requests[0] == 0;
    const float part =
        brick.units == 0
            ? 1
            : static_cast<float>(static_cast<double>(brick.ideal) / static_cast<double>(brick.units));
    const float calm = part >= 1 ? r.width : std::round(part * r.width);
    const float radius = std::min({pen_.px(2), 0.3f * r.width, 0.3f * r.height});
    const auto put = [&](Rect rect, Color color, bool costly) {
      if (rect.width <= 0) return;
      const bool frame = shared && rect.width >= 5 && rect.height >= 6;
      Cell& cell = pen_.framed(kBricksLayer, rect, frame ? mix(p.panel, color, 0.34f) : color, color,
                               frame ? std::max(1.0f, std::round(pen_.px(1.5f))) : 0.0f);
      cell.radius = radius;
      if (!costly || rect.width < 5 || rect.height < 6) return;
      cell.hatch = std::round(pen_.px(5));
      cell.hatch_color = with_alpha(p.panel, 0.45f);
    };
    put({r.x, r.y, calm, r.height}, p.ideal, false);
    put({r.x + calm, r.y, r.width - calm, r.height}, p.costly, true);
    if (brick.count > 1 && r.height >= 5)  // a lid: several accesses
      pen_.cell(kBricksLayer, {r.x, r.y, r.width, std::max(1.0f, std::round(pen_.px(2)))}, p.text).radius = 0;
    write_cost(brick, r);
  }

  // The figure of one access in its brick, or above one that is too low for it.
  void write_cost(const TimelineBrick& brick, const Rect& r) {
    const Palette& p = pen_.palette();
    const Type type{13, p.text, Align::Center, Font::Code, true};
    const std::string figure = std::to_string(brick.units);
    const float high = pen_.px(std::max(13.0f, pen_.least_type())) * 1.2f, wide = pen_.width_of(figure, type);
    if (brick.count > 1 || all_.row < high + 2 || wide + pen_.px(6) > r.width) return;
    const float middle = r.x + 0.5f * r.width;
    const bool inside = r.height >= high + 2;
    const float y = inside ? r.y + 0.5f * r.height : r.y - 0.5f * high;
    if (y - 0.5f * high < top_of(brick.warp)) return;
    if (inside)
      pen_.cell(kBricksLayer, {middle - 0.5f * wide - pen_.px(2), y - 0.5f * high, wide + pen_.px(4), high},
                p.panel)
          .radius = pen_.px(3);
    pen_.label(kBricksLayer, {middle, y}, figure, type);
  }

  void draw_walls() {
    const Palette& p = pen_.palette();
    const float wide = std::max(2.0f, std::round(pen_.px(3)));
    float free = all_.room.x;
    for (std::size_t i = 0; i < all_.walls.size(); ++i) {
      const TimelineWall& wall = all_.walls[i];
      const float left = std::clamp(wall.x - 0.5f * wide, all_.room.x, right() - wide);
      pen_.cell(kAboveLayer, {left, all_.room.y - pen_.px(2), wide, rows_height() + pen_.px(2)}, p.secondary)
          .radius = 0;
      const std::string first = std::to_string(wall.first + 1),
                        last = std::to_string(wall.first + wall.count);
      const std::string number = wall.count > 1 ? first + "–" + last : first;
      const std::string words = wall.count > 1
                                    ? pen_.text("scene.timeline.walls", {{"first", first}, {"last", last}})
                                    : pen_.text("scene.timeline.wall", {{"n", first}});
      HotSpot spot;
      spot.rect = {left - pen_.px(3), 0, wide + pen_.px(6), all_.room.y};
      spot.index = static_cast<int>(i);
      spot.tooltip = words;
      pen_.hot_spot(std::move(spot));
      free = name_wall(i, words, number, free);
    }
  }

  // In words or as a number, whichever has room between the name before and the wall behind; where it ends.
  float name_wall(std::size_t wall, const std::string& words, const std::string& number, float free) {
    const Type type{13, pen_.palette().secondary, Align::Center, Font::Words, false};
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
    const int index = timeline_index(*view_.timeline, view_.warp, view_.event);
    if (index < 0) return;
    for (const TimelineBrick& brick : all_.bricks) {
      if (brick.warp != view_.warp || static_cast<std::uint32_t>(index) < brick.first ||
          static_cast<std::uint32_t>(index) >= brick.first + brick.count)
        continue;
      const TimelineAccess& access =
          view_.timeline->warps[static_cast<std::size_t>(view_.warp)][static_cast<std::size_t>(index)];
      const float at = brick.count > 1 ? x_of(access.at) : brick.rect.x;
      const float wide = brick.count > 1 ? static_cast<float>(access.units) * pixels() : brick.rect.width;
      const float least = pen_.px(7);
      Rect r{at, top_of(brick.warp), std::max(wide, least), all_.row};
      if (wide < least) r.x -= 0.5f * (least - wide);
      r = {r.x - 2, r.y - 1, r.width + 3, r.height + 2};
      r.x = std::clamp(r.x, 0.0f, std::max(0.0f, pen_.width() - r.width));
      const Palette& p = pen_.palette();
      pen_.framed(kAboveLayer, r, with_alpha(p.accent, 0), p.text, std::max(2.0f, std::round(pen_.px(2))))
          .radius = pen_.px(3);
      return;
    }
  }

  float swatch(float x, float y, Color color, bool frame, bool hatched, float height) {
    const float side = pen_.px(std::max(13.0f, pen_.least_type()));
    const Palette& p = pen_.palette();
    Cell& cell = pen_.framed(kAboveLayer, {x, y + 0.5f * side - height * side, 1.3f * side, height * side},
                             frame ? mix(p.panel, color, 0.34f) : color, color,
                             frame ? std::max(1.0f, std::round(pen_.px(1.5f))) : 0.0f);
    cell.radius = pen_.px(2);
    if (hatched) cell.hatch = std::round(pen_.px(5)), cell.hatch_color = with_alpha(p.panel, 0.45f);
    return x + 1.3f * side + pen_.px(6);
  }

  // What a brick's look means, how wide a unit is, and what the picture does not say.
  void draw_legend() {
    const Palette& p = pen_.palette();
    const float type = pen_.px(std::max(13.0f, pen_.least_type())), left = all_.room.x - 4.2f * type;
    float x = std::max(left, 0.0f);
    const float y = all_.room.y + all_.room.height + 1.2f * type;
    const Type words{13, p.secondary, Align::Left, Font::Words, false};
    const auto put = [&](Color color, bool frame, bool hatched, float height, const char* key) {
      const std::string text = pen_.text(key);
      const float needed = 1.3f * type + pen_.px(6) + pen_.width_of(text, words);
      if (x + needed > pen_.width()) return;
      x = swatch(x, y, color, frame, hatched, height);
      pen_.label(kAboveLayer, {x, y}, text, words);
      x += pen_.width_of(text, words) + pen_.px(14);
    };
    bool global = false, shared = false, several = false, costly = false;
    for (const TimelineBrick& brick : all_.bricks) {
      global |= brick.requests[0] > 0, shared |= brick.requests[1] > 0;
      several |= brick.count > 1, costly |= brick.units > brick.ideal;
    }
    if (global) put(p.ideal, false, false, 1, "scene.timeline.global");
    if (shared) put(p.ideal, true, false, 1, "scene.timeline.shared");
    if (costly) put(p.costly, false, true, 1, "scene.timeline.costly");
    put(p.secondary, false, false, 0.5f, "scene.timeline.half");
    if (several) put(p.text, false, false, 0.16f, "scene.timeline.lid");
    draw_scale(y + 1.65f * type, std::max(left, 0.0f));
  }

  // A bar of 1, 2, 5, 10 ... units, and beside it that this is no time.
  void draw_scale(float y, float left) {
    const Palette& p = pen_.palette();
    double units = 1;
    for (int i = 0; units * pixels() < pen_.px(48) && units < 1e9; ++i) units *= i % 3 == 1 ? 2.5 : 2;
    const float wide = static_cast<float>(units) * pixels();
    const float room = pen_.width() - left;
    if (wide > 0.4f * room) return;
    pen_.cell(kAboveLayer, {left, y - 1, wide, 2}, p.secondary).radius = 0;
    for (const float x : {left, left + wide - 2})
      pen_.cell(kAboveLayer, {x, y - pen_.px(4), 2, pen_.px(8)}, p.secondary).radius = 0;
    const float at = left + wide + pen_.px(8);
    const auto count = static_cast<long long>(units);
    const std::string scale = pen_.counted("scene.timeline.scale", count, {{"n", language::grouped(count)}});
    const Type words{13, p.secondary, Align::Left, Font::Words, false};
    std::string caption = pen_.text("scene.timeline.caption");
    if (view_.timeline->cut_short) caption = pen_.text("map.cut") + " · " + caption;
    const std::string brief = pen_.text("scene.timeline.caption.short");
    for (const std::string& text : {scale + " · " + caption, scale + " · " + brief}) {
      if (pen_.width_of(text, words) <= pen_.width() - at)
        return pen_.label(kAboveLayer, {at, y}, text, words);
    }
    pen_.label_within(kAboveLayer, {at, y}, pen_.width() - at, brief, words);
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

}  // namespace warplens::scene
