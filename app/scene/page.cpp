#include "app/scene/page.h"

#include <algorithm>

#include "app/scene/text.h"

namespace warplens::scene {
namespace {

constexpr float kCaption = 15, kProvenance = 13;        // type
constexpr float kCaptionRow = 22, kProvenanceRow = 18;  // from one line to the next
constexpr float kFootGap = 8;                           // above the caption
constexpr int kMostLines = 3;                           // of either

Layer moved(Layer layer, float x, float y) {
  for (Picture& p : layer.pictures) p.rect.x += x, p.rect.y += y;
  for (Arc& a : layer.arcs) a.from.x += x, a.from.y += y, a.to.x += x, a.to.y += y;
  for (Cell& c : layer.cells) c.rect.x += x, c.rect.y += y;
  for (Label& l : layer.labels) l.at.x += x, l.at.y += y;
  return layer;
}

struct Foot {
  std::vector<std::string> caption, provenance;
  float height = 0;

  Foot(const std::string& caption_words, const std::string& provenance_words, float page_width,
       const PageStyle& style) {
    const float s = style.scale, width = page_width - 2 * style.outside * s;
    caption = wrapped(caption_words, width, kCaption * s, kMostLines);
    provenance = wrapped(provenance_words, width, kProvenance * s, kMostLines);
    height = s * (kCaptionRow * static_cast<float>(caption.size()) +
                  kProvenanceRow * static_cast<float>(provenance.size()));
    if (height > 0) height += (kFootGap - 4) * s;
  }
};

}  // namespace

Page::Page(float width, float height, const Palette& palette, const PageStyle& style)
    : palette_(palette), style_(style) {
  page_.width = width, page_.height = height;
  page_.layers.resize(1);
  page_.layers[0].cells.push_back({{0, 0, width, height}, 0, palette_.window, {}, 0, 0, {}});
}

Rect Page::foot(const std::string& caption, const std::string& provenance) {
  const float s = style_.scale, outside = style_.outside * s;
  const Foot foot(caption, provenance, page_.width, style_);
  float y = page_.height - outside - foot.height + kFootGap * s;
  const Rect above{outside, outside, page_.width - 2 * outside, page_.height - 2 * outside - foot.height};
  for (const std::string& line : foot.caption) {
    label({outside, y + 10 * s}, line, kCaption * s, palette_.text);
    y += kCaptionRow * s;
  }
  for (const std::string& line : foot.provenance) {
    label({outside, y + 8 * s}, line, kProvenance * s, palette_.secondary);
    y += kProvenanceRow * s;
  }
  return above;
}

void Page::label(Point at, std::string text, float size, Color color, Align align, bool bold) {
  page_.layers[0].labels.push_back({at, std::move(text), size, color, align, Font::Words, bold});
}

Rect Page::inside(const Rect& panel) const {
  const float s = style_.scale;
  return {panel.x + style_.inside * s, panel.y + style_.above * s, panel.width - 2 * style_.inside * s,
          panel.height - (style_.above + style_.below) * s};
}

// Title left, answer right in the colour of the verdict; the title gives way.
void Page::heading(const Rect& rect, const Scene& scene) {
  const float s = style_.scale, room = rect.width - 2 * style_.inside * s, y = rect.y + style_.heading * s;
  const Color verdict = scene.answer_is_costly  ? palette_.costly
                        : scene.answer_is_ideal ? palette_.ideal
                                                : palette_.secondary;
  const std::string answer = shortened(scene.answer, style_.most_answer * room, 14 * s, Font::Words, true);
  const float used = answer.empty() ? 0 : text_width(answer, 14 * s, Font::Words, true) + 16 * s;
  label({rect.x + rect.width - style_.inside * s, y}, answer, 14 * s, verdict, Align::Right, true);
  const Color ink = mix(palette_.secondary, palette_.text, style_.title_strength);
  label({rect.x + style_.inside * s, y}, title_within(scene, room - used, 15 * s), 15 * s, ink, Align::Left,
        true);
}

void Page::nothing(const Rect& room, const std::string& why) {
  const float s = style_.scale;
  float y = room.y + 0.5f * room.height;
  for (std::size_t at = 0; at < why.size();) {
    const std::size_t end = std::min(why.find('\n', at), why.size());
    for (const std::string& line : wrapped(why.substr(at, end - at), room.width, 14 * s, kMostLines)) {
      label({room.x + 0.5f * room.width, y}, line, 14 * s, palette_.secondary, Align::Center);
      y += 22 * s;
    }
    at = end + 1;
  }
}

void Page::panel(const Rect& rect, const Scene& scene) {
  const float s = style_.scale;
  page_.layers[0].cells.push_back({rect, 8 * s, palette_.panel, palette_.line, s, 0, {}});
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

Scene compose(std::span<const Scene> scenes, const Palette& palette, const PageText& text) {
  PageStyle style = kAloneStyle;
  style.scale = text.scale;
  const float s = text.scale, around = (style.above + style.below) * s;
  float width = 0, height = 2 * style.outside * s - style.between * s;
  for (const Scene& scene : scenes) {
    width = std::max(width, scene.width);
    height += scene.height + around + style.between * s;
  }
  width += 2 * (style.inside + style.outside) * s;
  height += Foot(text.caption, text.provenance, width, style).height;
  Page page(width, height, palette, style);
  Rect rect = page.foot(text.caption, text.provenance);
  std::string title;
  for (const Scene& scene : scenes) {
    if (title.empty()) title = scene.title;
    rect.height = scene.height + around;
    page.panel(rect, scene);
    rect.y += rect.height + style.between * s;
  }
  return page.finish(title);
}

}  // namespace warplens::scene
