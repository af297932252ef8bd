// The array as it is thought of: rows and columns, how often each sector is visited, and where the 32 lanes
// of the access looked at are in it.
#include <algorithm>
#include <cmath>
#include <deque>

#include "app/scene/map/map_lines.h"
#include "app/scene/memory/lane_marks.h"

namespace warplens::scene {
namespace {

using memory::Address;

constexpr std::size_t kKnown = 8;  // views whose pixels are kept
constexpr std::size_t kBack = 0, kMarks = 1, kFrames = 2;

// The pixels of the last few views: zooming and panning makes new ones, a frame in which nothing of them
// changes does not.
std::shared_ptr<const Image> pixels_of(const std::shared_ptr<const HeatMap>& heat, const MapWindow& window,
                                       const Palette& palette) {
  struct Known {
    std::weak_ptr<const HeatMap> heat;  // a map is large: it is not kept for its pixels' sake
    double width, height, scale, row, column;
    bool dark;
    std::shared_ptr<Image> image;
  };
  thread_local std::deque<Known> known;
  for (const Known& k : known) {
    if (k.heat.lock() == heat && k.width == window.width && k.height == window.height &&
        k.scale == window.scale && k.row == window.row && k.column == window.column && k.dark == palette.dark)
      return k.image;
  }
  // The memory of a picture that is not shown any more is used again: fresh pages cost more than pixels.
  Image old;
  if (known.size() >= kKnown) {
    if (known.front().image.use_count() == 1) old = std::move(*known.front().image);
    known.pop_front();
  }
  auto image =
      std::make_shared<Image>(map_pixels(*heat, window, heat_colors(palette, heat->most()), std::move(old)));
  rule_elements(heat->shape(), window, palette.panel, image.get());
  known.push_back(
      {heat, window.width, window.height, window.scale, window.row, window.column, palette.dark, image});
  return image;
}

// 1, 2, 5, 10, 20 ... or a power of two, whichever is next: the distance of figures along an edge.
std::int64_t tick_step(double least) {
  std::int64_t step = 1;
  while (static_cast<double>(step) < least) step *= 2;
  return step;
}

class MapPicture {
 public:
  MapPicture(const MatrixMapView& view, const Canvas& canvas)
      : view_(view), pen_(canvas), density_(canvas.density) {}

  Scene draw() {
    if (pen_.too_small() || !view_.heat) return pen_.finish();
    room_ = matrix_map_room(canvas_size());
    shape_ = view_.heat->shape();
    window_ = window_of(shape_, view_.position, room_.width, room_.height);
    if (room_.width < 8 || room_.height < 8) return pen_.finish();
    Picture picture;
    picture.rect = room_;
    picture.image = pixels_of(view_.heat, finer(window_), pen_.palette());
    pen_.scene().layers.resize(kFrames + 1);
    pen_.scene().layers[kBack].pictures.push_back(std::move(picture));
    draw_edges();
    if (view_.block.rows > 0 && view_.frame_block) frame_box(view_.block, pen_.palette().text, 2);
    draw_lanes();
    draw_overview();
    draw_legend();
    return pen_.finish();
  }

 private:
  Canvas canvas_size() const {
    Canvas canvas;
    canvas.width = pen_.width();
    canvas.height = pen_.height();
    canvas.scale = pen_.px(1);
    return canvas;
  }
  Point at(double row, double column) const {
    return {room_.x + static_cast<float>(window_.x_of(column)),
            room_.y + static_cast<float>(window_.y_of(row))};
  }
  // Cut to the room; false: nothing of it is left.
  bool cut(Rect* r) const {
    const float right = std::min(r->x + r->width, room_.x + room_.width),
                bottom = std::min(r->y + r->height, room_.y + room_.height);
    r->x = std::max(r->x, room_.x), r->y = std::max(r->y, room_.y);
    r->width = right - r->x, r->height = bottom - r->y;
    return r->width > 0 && r->height > 0;
  }

  // Rows down the left of the array, columns along its top, and a frame around it.
  void draw_edges() {
    const Palette& palette = pen_.palette();
    Rect all{at(0, 0).x, at(0, 0).y, static_cast<float>(window_.scale * static_cast<double>(shape_.columns)),
             static_cast<float>(window_.scale * static_cast<double>(shape_.rows))};
    const bool shown = cut(&all);
    const float left = shown ? all.x : room_.x, above = shown ? all.y : room_.y;
    if (shown) pen_.framed(kBack, all, with_alpha(palette.panel, 0), palette.line, 1).radius = 0;
    const Type type{13, palette.secondary, Align::Right, Font::Code, false};
    const auto ticks = [&](double first, double seen, std::int64_t count, float least, auto draw) {
      const std::int64_t step = tick_step(least / window_.scale);
      auto i = static_cast<std::int64_t>(std::max(0.0, std::ceil(first)));
      for (i = (i + step - 1) / step * step; i < count && static_cast<double>(i) < first + seen; i += step)
        draw(i);
    };
    ticks(window_.row, room_.height / window_.scale, shape_.rows, pen_.px(22), [&](std::int64_t row) {
      const float y = at(static_cast<double>(row) + (window_.scale > 12 ? 0.5 : 0), 0).y;
      if (y > room_.y + room_.height - pen_.px(4)) return;
      pen_.label(kBack, {left - pen_.px(6), std::max(y, room_.y + pen_.px(4))}, grouped(row), type);
    });
    Type top = type;
    top.align = Align::Left;
    const float wide = pen_.width_of(grouped(shape_.columns), type) + pen_.px(14);
    ticks(window_.column, room_.width / window_.scale, shape_.columns, wide, [&](std::int64_t column) {
      const float x = at(0, static_cast<double>(column)).x;
      if (x + wide - pen_.px(12) > room_.x + room_.width) return;
      pen_.label(kBack, {x, above - pen_.px(9)}, grouped(column), top);
    });
  }

  void frame_box(const HeatMap::Box& box, Color color, float thick) {
    const Point p = at(static_cast<double>(box.row), static_cast<double>(box.column));
    const float least = pen_.px(5);
    Rect r{p.x, p.y, std::max(least, static_cast<float>(window_.scale * static_cast<double>(box.columns))),
           std::max(least, static_cast<float>(window_.scale * static_cast<double>(box.rows)))};
    r = {r.x - 2, r.y - 2, r.width + 4, r.height + 4};
    if (cut(&r))
      pen_.framed(kFrames, r, with_alpha(color, 0), color, std::max(1.0f, std::round(pen_.px(thick))))
          .radius = 1;
  }

  // The whole matrix in small, with what of it is in view: where only a part is.
  void draw_overview() {
    const Rect box = matrix_overview_room(canvas_size());
    const auto rows = static_cast<double>(shape_.rows), columns = static_cast<double>(shape_.columns);
    const bool all = room_.width / window_.scale >= columns && room_.height / window_.scale >= rows;
    if (box.width < 8 || all) return;
    const MapWindow small = window_of(shape_, {}, box.width, box.height);
    const Palette& palette = pen_.palette();
    Picture picture{box, pixels_of(view_.heat, finer(small), palette)};
    pen_.scene().layers[kBack].pictures.push_back(std::move(picture));
    const auto place = [&](double row, double column, double high, double wide, float least) {
      Rect r{box.x + static_cast<float>(small.x_of(column)), box.y + static_cast<float>(small.y_of(row)),
             static_cast<float>(small.scale * wide), static_cast<float>(small.scale * high)};
      if (r.width < least) r.x -= 0.5f * (least - r.width), r.width = least;
      if (r.height < least) r.y -= 0.5f * (least - r.height), r.height = least;
      r.x = std::clamp(r.x, box.x, box.x + box.width - r.width);
      r.y = std::clamp(r.y, box.y, box.y + box.height - r.height);
      return r;
    };
    pen_.framed(kBack, place(0, 0, rows, columns, 1), with_alpha(palette.panel, 0), palette.line, 1).radius =
        0;
    const double top = std::max(window_.row, 0.0), left = std::max(window_.column, 0.0),
                 bottom = std::min(window_.row + room_.height / window_.scale, rows),
                 right = std::min(window_.column + room_.width / window_.scale, columns);
    const Rect seen = place(top, left, bottom - top, right - left, std::max(5.0f, pen_.px(6)));
    pen_.framed(kFrames, seen, with_alpha(palette.accent, 0.25f), palette.accent,
                std::max(1.0f, std::round(pen_.px(1.5f))))
        .radius = 1;
    const std::string name = pen_.text("scene.map.overview");
    const Type type{13, palette.secondary, Align::Left, Font::Words, false};
    pen_.label_within(kBack, {box.x, box.y - pen_.px(9)}, box.width, name, type);
  }

  // Each lane of the access where it goes, at least so large that it is seen.
  void draw_lanes() {
    if (!view_.access_is_here) return;
    const memory::WarpAccess access = drawable(view_.access);
    const float least = pen_.px(4);
    for (const Slot& slot : slots_of(access)) {
      const auto byte = static_cast<std::int64_t>(slot.address - view_.base);
      const std::int64_t row = byte / shape_.row_bytes();
      const double column = static_cast<double>(byte % shape_.row_bytes()) / shape_.element_bytes;
      const double wide = std::max(static_cast<double>(access.bytes) / shape_.element_bytes, 1e-3);
      const Point p = at(static_cast<double>(row), column);
      const float gap = window_.scale >= 9 ? 1.0f : 0.0f;
      Rect r{p.x + gap, p.y + gap, static_cast<float>(window_.scale * wide) - 2 * gap,
             static_cast<float>(window_.scale) - 2 * gap};
      if (r.width < least) r.x -= 0.5f * (least - r.width), r.width = least;
      if (r.height < least) r.y -= 0.5f * (least - r.height), r.height = least;
      Rect seen = r;
      if (!cut(&seen)) continue;
      MarkStyle style{.ground = pen_.palette().cell};
      style.strength = lane_strength(pen_, slot.lanes);
      style.layer = static_cast<int>(kMarks);
      const int hovered = pen_.hovered_lane();
      if (hovered >= 0 && hovered < 32 && (slot.lanes >> hovered & 1) != 0) style.frame = pen_.palette().text;
      draw_mark(&pen_, seen.width < r.width || seen.height < r.height ? seen : r, slot.lanes, style);
    }
  }

  // What the colours mean, exactly; and how long a row is, and who says so.
  void draw_legend() {
    const Palette& palette = pen_.palette();
    const HeatMap& heat = *view_.heat;
    const float y = pen_.height() - pen_.px(9), bar = pen_.px(72), high = pen_.px(10);
    const HeatColors colors = heat_colors(palette, heat.most());
    float x = room_.x;
    const Type code{13, palette.secondary, Align::Left, Font::Code, false};
    const auto put = [&](const std::string& text, const Type& type) {
      pen_.label(kBack, {x, y}, text, type);
      x += pen_.width_of(text, type) + pen_.px(6);
    };
    put("0", code);
    pen_.framed(kBack, {x, y - 0.5f * high, high, high}, heat_color(colors, 0), palette.line, 1);
    x += high + pen_.px(8);
    if (heat.most() == 1) {
      put("1", code);
      pen_.framed(kBack, {x, y - 0.5f * high, high, high}, heat_color(colors, 1), palette.line, 1);
      x += high + pen_.px(8);
    } else if (heat.most() > 1) {
      put("1", code);
      constexpr int kParts = 24;
      for (int i = 0; i < kParts; ++i) {
        const double visits = std::pow(static_cast<double>(heat.most()), (i + 0.5) / kParts);
        pen_.cell(kBack,
                  {x + bar * static_cast<float>(i) / kParts, y - 0.5f * high, bar / kParts + 0.5f, high},
                  heat_color(colors, visits))
            .radius = 0;
      }
      x += bar + pen_.px(6);
      put(grouped(heat.most()), code);
    }
    const std::string row =
        pen_.text(shape_.known ? "scene.map.row" : "scene.map.wrapped", {{"n", grouped(shape_.columns)}});
    const Type right{13, palette.faint, Align::Right, Font::Words, false};
    const float end = pen_.width() - pen_.px(2), needed = pen_.width_of(row, right) + pen_.px(12);
    // What was counted comes first; how long a row is can also be read from the numbers along the edge.
    const Type words{13, palette.text, Align::Left, Font::Words, false};
    const bool both = pen_.width_of(view_.counted, words) + pen_.px(4) <= end - x - needed;
    pen_.label_within(kBack, {x + pen_.px(4), y}, std::max(0.0f, end - x - (both ? needed : pen_.px(4))),
                      view_.counted, words);
    if (both) pen_.label(kBack, {end, y}, row, right);
  }

  MapWindow finer(MapWindow window) const {
    window.width *= density_, window.height *= density_, window.scale *= density_;
    return window;
  }

  const MatrixMapView& view_;
  Pen pen_;
  double density_;
  Rect room_;
  MatrixShape shape_;
  MapWindow window_;
};

}  // namespace

Rect matrix_overview_room(const Canvas& canvas) {
  const float s = canvas.scale, high = canvas.height - 42 * s;
  const float side = std::round(std::min({0.2f * canvas.width, high, 150 * s}));
  if (side < 56 * s) return {};
  return {std::round(canvas.width - side), std::round(18 * s), side, side};
}

Rect matrix_map_room(const Canvas& canvas) {
  const float s = canvas.scale, overview = matrix_overview_room(canvas).width;
  const float right = overview > 0 ? overview + 14 * s : 2 * s;
  return {std::round(52 * s), std::round(18 * s), std::max(0.0f, std::round(canvas.width - 52 * s - right)),
          std::max(0.0f, std::round(canvas.height - 42 * s))};
}

Scene matrix_map_scene(const MatrixMapView& view, const Canvas& canvas) {
  return MapPicture(view, canvas).draw();
}

}  // namespace warplens::scene
