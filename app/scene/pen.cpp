#include "app/scene/pen.h"

#include <algorithm>
#include <cmath>

#include "app/scene/scene.h"

namespace warplens::scene {

Pen::Pen(const Canvas& canvas) : canvas_(canvas) {
  if (canvas.palette == nullptr) canvas_.palette = &dark_palette();
  canvas_.scale = std::isfinite(canvas.scale) ? std::clamp(canvas.scale, 0.25f, 16.0f) : 1.0f;
  const bool sound = std::isfinite(canvas.width) && std::isfinite(canvas.height);
  scene_.width = canvas_.width = sound ? std::clamp(canvas.width, 0.0f, 65536.0f) : 0;
  scene_.height = canvas_.height = sound ? std::clamp(canvas.height, 0.0f, 65536.0f) : 0;
  too_small_ = scene_.width < 8 || scene_.height < 4;
}

std::string Pen::text(std::string_view key) const {
  return canvas_.strings != nullptr ? (*canvas_.strings)(key) : std::string(key);
}

std::string Pen::text(std::string_view key, std::initializer_list<language::Value> values) const {
  return canvas_.strings != nullptr ? (*canvas_.strings)(key, values) : std::string(key);
}

std::string Pen::counted(std::string_view key, long long count,
                         std::initializer_list<language::Value> values) const {
  const std::string one = std::string(key) + ".one";
  const bool singular = count == 1 && canvas_.strings != nullptr && canvas_.strings->texts().contains(one);
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

Cell& Pen::sharp(std::size_t index, const Rect& rect, Color fill) {
  return cell(index, rect, fill).rounded(0);
}

Cell& Pen::outline(std::size_t index, const Rect& rect, Color border, float border_width) {
  return framed(index, rect, with_alpha(border, 0), border, border_width);
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
  layer(index).labels.push_back(
      {at, std::move(text), size_of(type), type.color, type.align, type.font, type.bold});
}

void Pen::label_within(std::size_t index, Point at, float width, const std::string& text, const Type& type) {
  label(index, at, shortened(text, width, size_of(type), type.font, type.bold), type);
}

void Pen::label_fitting(std::size_t index, Point at, float width, const std::vector<std::string>& wordings,
                        const Type& type) {
  for (const std::string& text : wordings)
    if (&text == &wordings.back() || width_of(text, type) <= width)
      return label_within(index, at, width, text, type);
}

void Pen::backed_label(std::size_t index, Point at, float width, const std::string& text, const Type& type) {
  const std::string shown = shortened(text, width, size_of(type), type.font, type.bold);
  if (shown.empty()) return;
  label(index, at, shown, type);
  Rect ground = bounds(layer(index).labels.back());
  const float right = std::min(ground.x + ground.width + px(3), scene_.width);
  ground.x = std::max(0.0f, ground.x - px(3));
  ground.width = right - ground.x;
  cell(index, ground, with_alpha(palette().panel, 0.86f));
}

void Pen::ramp(std::size_t index, const Rect& rect, int parts, const std::function<Color(float)>& color_at) {
  const float step = rect.width / static_cast<float>(parts);
  for (int i = 0; i < parts; ++i) {
    const float at = static_cast<float>(i);
    sharp(index, {rect.x + step * at, rect.y, step + 0.5f, rect.height},
          color_at((at + 0.5f) / static_cast<float>(parts)));
  }
}

float Pen::width_of(std::string_view text, const Type& type) const {
  return text_width(text, size_of(type), type.font, type.bold);
}

std::vector<std::string> Pen::lines_of(const std::string& text, float width, const Type& type,
                                       int most) const {
  return wrapped(text, width, size_of(type), most, type.font, type.bold);
}

float Pen::lines(std::size_t index, Point at, const std::vector<std::string>& lines, float step,
                 const Type& type) {
  for (const std::string& line : lines) {
    label(index, {at.x, at.y + 0.5f * step}, line, type);
    at.y += step;
  }
  return at.y;
}

float Pen::foot(std::size_t index, const std::vector<Paragraph>& paragraphs, float step) {
  float top = scene_.height;
  for (std::size_t i = paragraphs.size(); i-- > 0;) {
    const Type type{14, paragraphs[i].color};
    const auto all = lines_of(paragraphs[i].text, scene_.width, type, paragraphs[i].most);
    top -= step * static_cast<float>(all.size());
    lines(index, {0, top}, all, step, type);
  }
  return top;
}

float Pen::legend(std::size_t index, Point at, const std::vector<LegendEntry>& entries) {
  const Type type{13, palette().secondary};
  const float high = 0.8f * size_of(type);
  for (const LegendEntry& entry : entries) {
    const float wide = high * entry.wide, needed = wide + px(6) + width_of(entry.text, type);
    if (at.x + needed > scene_.width) continue;
    entry.draw({at.x, at.y - 0.5f * high, wide, high});
    label(index, {at.x + wide + px(6), at.y}, entry.text, type);
    if (!entry.tooltip.empty())
      hot_spot({.rect = {at.x, at.y - high, needed, 2 * high}, .tooltip = entry.tooltip});
    at.x += needed + px(14);
  }
  return at.x;
}

void Pen::hot_spot(HotSpot spot) {
  scene_.hot_spots.push_back(std::move(spot));
}

float eased(float progress, float from, float to) {
  if (!(progress > from)) return 0;
  const float t = std::min(1.0f, (progress - from) / (to - from));
  return t * t * (3 - 2 * t);
}

Point along_arc(Point a, Point d, float t) {
  const float bend = 0.5f * (d.y - a.y), u = 1 - t;
  const auto cubic = [&](float p, float q, float r, float s) {
    return u * u * u * p + 3 * u * u * t * q + 3 * u * t * t * r + t * t * t * s;
  };
  return {cubic(a.x, a.x, d.x, d.x), cubic(a.y, a.y + bend, d.y - bend, d.y)};
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

namespace {

constexpr float kCaption = 15, kProvenance = 13;        // type
constexpr float kCaptionRow = 22, kProvenanceRow = 18;  // from one line to the next
constexpr float kFootGap = 8;                           // above the caption
constexpr int kMostLines = 3;                           // of either
constexpr float kOutside = 20;                          // around all panels
constexpr float kInside = 14;                           // left and right of a picture in its panel
constexpr float kAbove = 34, kBelow = 10;               // the picture; its heading is above

Layer moved(Layer layer, float x, float y) {
  for (Picture& p : layer.pictures) p.rect.x += x, p.rect.y += y;
  for (Arc& a : layer.arcs) a.from.x += x, a.from.y += y, a.to.x += x, a.to.y += y;
  for (Cell& c : layer.cells) c.rect.x += x, c.rect.y += y;
  for (Label& l : layer.labels) l.at.x += x, l.at.y += y;
  return layer;
}

}  // namespace

Page::Page(float width, float height, const Palette& palette) : palette_(palette) {
  page_.width = width, page_.height = height;
  page_.layers.resize(1);
  page_.layers[0].cells.push_back({{0, 0, width, height}, 0, palette_.window, {}, 0, 0, {}});
}

Rect Page::foot(const std::string& caption, const std::string& provenance) {
  const float width = page_.width - 2 * kOutside;
  const auto lines = wrapped(caption, width, kCaption, kMostLines),
             below = wrapped(provenance, width, kProvenance, kMostLines);
  float height =
      kCaptionRow * static_cast<float>(lines.size()) + kProvenanceRow * static_cast<float>(below.size());
  if (height > 0) height += kFootGap - 4;
  float y = page_.height - kOutside - height + kFootGap;
  for (const std::string& line : lines) {
    label({kOutside, y + 10}, line, kCaption, palette_.text);
    y += kCaptionRow;
  }
  for (const std::string& line : below) {
    label({kOutside, y + 8}, line, kProvenance, palette_.secondary);
    y += kProvenanceRow;
  }
  return {kOutside, kOutside, width, page_.height - 2 * kOutside - height};
}

void Page::label(Point at, std::string text, float size, Color color, Align align, bool bold) {
  page_.layers[0].labels.push_back({at, std::move(text), size, color, align, Font::Words, bold});
}

Rect Page::inside(const Rect& panel) const {
  return {panel.x + kInside, panel.y + kAbove, panel.width - 2 * kInside, panel.height - kAbove - kBelow};
}

// Title left, answer right in the colour of the verdict; the title gives way.
void Page::heading(const Rect& rect, const Scene& scene) {
  constexpr float kMostAnswer = 0.7f, kMiddle = 19;
  const float room = rect.width - 2 * kInside, y = rect.y + kMiddle;
  const Color verdict = scene.answer_is_costly  ? palette_.costly
                        : scene.answer_is_ideal ? palette_.ideal
                                                : palette_.secondary;
  const std::string answer = shortened(scene.answer, kMostAnswer * room, 14, Font::Words, true);
  const float used = answer.empty() ? 0 : text_width(answer, 14, Font::Words, true) + 16;
  label({rect.x + rect.width - kInside, y}, answer, 14, verdict, Align::Right, true);
  label({rect.x + kInside, y}, title_within(scene, room - used, 15), 15,
        mix(palette_.secondary, palette_.text, 0.55f), Align::Left, true);
}

void Page::nothing(const Rect& room, const std::string& why) {
  float y = room.y + 0.5f * room.height;
  for (std::size_t at = 0; at < why.size();) {
    const std::size_t end = std::min(why.find('\n', at), why.size());
    for (const std::string& line : wrapped(why.substr(at, end - at), room.width, 14, kMostLines)) {
      label({room.x + 0.5f * room.width, y}, line, 14, palette_.secondary, Align::Center);
      y += 22;
    }
    at = end + 1;
  }
}

void Page::panel(const Rect& rect, const Scene& scene) {
  page_.layers[0].cells.push_back({rect, 8, palette_.panel, palette_.line, 1, 0, {}});
  heading(rect, scene);
  const Rect room = inside(rect);
  if (!scene.nothing.empty()) nothing(room, scene.nothing);
  for (const Layer& layer : scene.layers) page_.layers.push_back(moved(layer, room.x, room.y));
}

Scene Page::finish(const std::string& title) {
  page_.title = title;
  return std::move(page_);
}

void add_part(Scene* whole, Scene part, Point at) {
  for (Layer& layer : part.layers) whole->layers.push_back(moved(std::move(layer), at.x, at.y));
  for (HotSpot& spot : part.hot_spots) {
    spot.rect.x += at.x, spot.rect.y += at.y;
    whole->hot_spots.push_back(std::move(spot));
  }
}

}  // namespace warplens::scene
