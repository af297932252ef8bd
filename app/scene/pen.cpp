#include "app/scene/pen.h"

#include <algorithm>
#include <cmath>

#include "app/scene/text.h"
#include "sim/base/numbers.h"

namespace warplens::scene {

Pen::Pen(const Canvas& canvas)
    : palette_(canvas.palette != nullptr ? canvas.palette : &dark_palette()),
      strings_(canvas.strings),
      scale_(std::isfinite(canvas.scale) ? std::clamp(canvas.scale, 0.25f, 16.0f) : 1.0f),
      hovered_lane_(canvas.hovered_lane),
      lit_bank_(canvas.lit_bank),
      said_lane_(canvas.said_lane),
      said_bank_(canvas.said_bank),
      lit_lanes_(canvas.lit_lanes),
      lit_sector_(canvas.lit_sector),
      least_type_(canvas.least_type) {
  const bool sound = std::isfinite(canvas.width) && std::isfinite(canvas.height);
  scene_.width = sound ? std::clamp(canvas.width, 0.0f, 65536.0f) : 0;
  scene_.height = sound ? std::clamp(canvas.height, 0.0f, 65536.0f) : 0;
  too_small_ = scene_.width < 8 || scene_.height < 4;
}

std::string Pen::text(std::string_view key) const {
  return strings_ != nullptr ? (*strings_)(key) : std::string(key);
}

std::string Pen::text(std::string_view key, std::initializer_list<language::Value> values) const {
  return strings_ != nullptr ? (*strings_)(key, values) : std::string(key);
}

std::string Pen::counted(std::string_view key, long long count,
                         std::initializer_list<language::Value> values) const {
  const std::string one = std::string(key) + ".one";
  const bool singular = count == 1 && strings_ != nullptr && strings_->texts().contains(one);
  return singular ? text(one, values) : text(key, values);
}

Layer& Pen::layer(std::size_t index) {
  if (scene_.layers.size() <= index) scene_.layers.resize(index + 1);
  return scene_.layers[index];
}

Cell& Pen::cell(std::size_t index, const Rect& rect, Color fill) {
  Cell cell;
  cell.rect = rect;
  cell.radius = std::min(px(3), 0.2f * std::min(rect.width, rect.height));
  cell.fill = fill;
  return layer(index).cells.emplace_back(cell);
}

Cell& Pen::framed(std::size_t index, const Rect& rect, Color fill, Color border, float border_width) {
  Cell& result = cell(index, rect, fill);
  result.border = border;
  result.border_width = border_width;
  return result;
}

Arc& Pen::arc(std::size_t index, Point from, Point to, Color color) {
  return layer(index).arcs.emplace_back(Arc{from, to, color, px(1.5f), 1});
}

void Pen::title(TitleParts parts) {
  scene_.title = parts.lead + " " + parts.text + (parts.detail.empty() ? "" : " · " + parts.detail);
  scene_.title_parts = std::move(parts);
}

void Pen::label(std::size_t index, Point at, std::string text, const Type& type) {
  if (text.empty()) return;
  layer(index).labels.push_back({at, std::move(text), px(std::max(type.size, least_type_)), type.color,
                                 type.align, type.font, type.bold});
}

void Pen::label_within(std::size_t index, Point at, float width, const std::string& text, const Type& type) {
  label(index, at, shortened(text, width, px(std::max(type.size, least_type_)), type.font, type.bold), type);
}

void Pen::backed_label(std::size_t index, Point at, float width, const std::string& text, const Type& type) {
  const std::string shown =
      shortened(text, width, px(std::max(type.size, least_type_)), type.font, type.bold);
  if (shown.empty()) return;
  label(index, at, shown, type);
  Rect ground = bounds(layer(index).labels.back());
  const float right = std::min(ground.x + ground.width + px(3), scene_.width);
  ground.x = std::max(0.0f, ground.x - px(3));
  ground.width = right - ground.x;
  cell(index, ground, with_alpha(palette_->panel, 0.86f));
}

float Pen::width_of(std::string_view text, const Type& type) const {
  return text_width(text, px(std::max(type.size, least_type_)), type.font, type.bold);
}

void Pen::hot_spot(HotSpot spot) {
  scene_.hot_spots.push_back(std::move(spot));
}

float eased(float progress, float from, float to) {
  if (!(progress > from)) return 0;
  const float t = std::min(1.0f, (progress - from) / (to - from));
  return t * t * (3 - 2 * t);
}

std::string number_list(const Pen& pen, std::uint32_t set, int most) {
  std::vector<std::string> parts;
  for (int first = 0; first < 32; ++first) {
    if ((set >> first & 1) == 0) continue;
    int last = first;
    while (last < 31 && (set >> (last + 1) & 1) != 0) ++last;
    if (last - first >= 2) {
      parts.push_back(std::to_string(first) + "–" + std::to_string(last));
    } else {
      for (int i = first; i <= last; ++i) parts.push_back(std::to_string(i));
    }
    first = last;
  }
  const auto limit = static_cast<std::size_t>(most);
  const bool more = parts.size() > limit;
  if (more) parts.resize(limit);
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += pen.text(i + 1 == parts.size() && !more ? "scene.list.and" : "scene.list.comma");
    out += parts[i];
  }
  return more ? out + pen.text("scene.list.comma") + "…" : out;
}

std::string hex_text(std::uint64_t value) {
  return "0x" + hexadecimal(value, 4);
}

}  // namespace warplens::scene
