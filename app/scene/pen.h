// What the scene builders draw with: adds cells, arcs and labels to a scene in the canvas's scale, palette,
// language.
//
//   Pen pen(canvas);
//   pen.cell(1, {10, 10, 20, 20}, pen.palette().cell);
//   pen.label(1, {30, 20}, pen.text("scene.bank.words"), {.color = pen.palette().faint});
//   return pen.finish();
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "app/scene/views.h"

namespace warplens::scene {

struct Type {
  float size = 13;  // at scale 1
  Color color{};
  Align align = Align::Left;
  Font font = Font::Words;
  bool bold = false;
};

class Pen {
 public:
  explicit Pen(const Canvas& canvas);

  // Too small to draw in, or not a number: builders return finish() at once.
  bool too_small() const { return too_small_; }
  float width() const { return scene_.width; }
  float height() const { return scene_.height; }
  float px(float units) const { return units * scale_; }  // at scale 1 -> pixels
  const Palette& palette() const { return *palette_; }
  float least_type() const { return least_type_; }
  int hovered_lane() const { return hovered_lane_; }
  std::uint32_t lit_lanes() const { return lit_lanes_; }
  int lit_bank() const { return lit_bank_; }
  bool lit_sector() const { return lit_sector_; }
  int said_lane() const { return said_lane_; }
  int said_bank() const { return said_bank_; }

  std::string text(std::string_view key) const;
  std::string text(std::string_view key, std::initializer_list<language::Value> values) const;
  // The key with ".one" where the language has a singular and `count` is 1.
  std::string counted(std::string_view key, long long count,
                      std::initializer_list<language::Value> values) const;

  Cell& cell(std::size_t layer, const Rect& rect, Color fill);
  Cell& framed(std::size_t layer, const Rect& rect, Color fill, Color border, float border_width);
  Arc& arc(std::size_t layer, Point from, Point to, Color color);
  void label(std::size_t layer, Point at, std::string text, const Type& type);
  // Shortens the text to `width` pixels; nothing where not even a letter fits.
  void label_within(std::size_t layer, Point at, float width, const std::string& text, const Type& type);
  // On a ground of its own, so that arcs behind it leave it legible.
  void backed_label(std::size_t layer, Point at, float width, const std::string& text, const Type& type);
  float width_of(std::string_view text, const Type& type) const;
  void hot_spot(HotSpot spot);

  // "Shared memory · load", "tile[c][r]", "float tile[16][32]"; the last may be empty.
  void title(TitleParts parts);
  Scene& scene() { return scene_; }
  Scene finish() { return std::move(scene_); }

 private:
  Layer& layer(std::size_t index);

  Scene scene_;
  const Palette* palette_;
  const language::Strings* strings_;
  float scale_ = 1;
  int hovered_lane_ = -1, lit_bank_ = -1, said_lane_ = -1, said_bank_ = -1;
  std::uint32_t lit_lanes_ = ~0u;
  bool lit_sector_ = false;
  float least_type_ = 0;
  bool too_small_ = false;
};

// Ease in and out: 0 before `from`, 1 after `to`.
float eased(float progress, float from = 0, float to = 1);

// "0, 2 and 18", "0–31" for runs of three and more; at most `most` runs, then "…".
std::string number_list(const Pen& pen, std::uint32_t set, int most = 6);

// "0x2000", of four digits at least.
std::string hex_text(std::uint64_t value);

}  // namespace warplens::scene
