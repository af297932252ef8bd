// What the scene builders draw with: adds cells, arcs and labels to a scene in the canvas's scale, palette,
// language.
//
//   Pen pen(canvas);
//   pen.cell(1, {10, 10, 20, 20}, pen.palette().cell);
//   pen.label(1, {30, 20}, pen.text("scene.bank.words"), {.color = pen.palette().faint});
//   return pen.finish();
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/palette.h"
#include "app/scene/scene.h"
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
  const Canvas& canvas() const { return canvas_; }               // within what can be drawn
  float px(float units) const { return units * canvas_.scale; }  // at scale 1 -> pixels
  const Palette& palette() const { return *canvas_.palette; }
  const language::Strings& strings() const { return *canvas_.strings; }
  float least_type() const { return canvas_.least_type; }
  int hovered_lane() const { return canvas_.hovered_lane; }
  std::uint32_t lit_lanes() const { return canvas_.lit_lanes; }
  int lit_bank() const { return canvas_.lit_bank; }
  bool lit_sector() const { return canvas_.lit_sector; }
  int said_lane() const { return canvas_.said_lane; }
  const std::array<int, 32>& bank_votes() const { return canvas_.bank_votes; }

  std::string text(std::string_view key) const;
  std::string text(std::string_view key, std::initializer_list<language::Value> values) const;
  // The key with ".one" where the language has a singular and `count` is 1.
  std::string counted(std::string_view key, long long count,
                      std::initializer_list<language::Value> values) const;

  Cell& cell(std::size_t layer, const Rect& rect, Color fill);
  Cell& sharp(std::size_t layer, const Rect& rect, Color fill);  // its corners are
  Cell& framed(std::size_t layer, const Rect& rect, Color fill, Color border, float border_width);
  Cell& outline(std::size_t layer, const Rect& rect, Color border, float border_width);
  Arc& arc(std::size_t layer, Point from, Point to, Color color);
  void label(std::size_t layer, Point at, std::string text, const Type& type);
  // Shortens the text to `width` pixels; nothing where not even a letter fits.
  void label_within(std::size_t layer, Point at, float width, const std::string& text, const Type& type);
  // The first that fits; where none does, the last of them, shortened.
  void label_fitting(std::size_t layer, Point at, float width, const std::vector<std::string>& wordings,
                     const Type& type);
  // On a ground of its own, so that arcs behind it leave it legible.
  void backed_label(std::size_t layer, Point at, float width, const std::string& text, const Type& type);
  float width_of(std::string_view text, const Type& type) const;
  // In pixels.
  float size_of(const Type& type) const { return px(std::max(type.size, canvas_.least_type)); }
  std::vector<std::string> lines_of(const std::string& text, float width, const Type& type, int most) const;
  // One below the other, `step` apart; gives where they end.
  float lines(std::size_t layer, Point at, const std::vector<std::string>& lines, float step,
              const Type& type);
  // Paragraphs at the picture's foot, each of so many lines at most; gives where they begin.
  struct Paragraph {
    std::string text;
    Color color;
    int most = 2;
  };
  float foot(std::size_t layer, const std::vector<Paragraph>& paragraphs, float step);
  // Swatches in a row with their words; those without room are left out. Gives where it ends.
  struct LegendEntry {
    float wide;  // times the height of a swatch
    std::string text;
    std::function<void(const Rect&)> draw;
    std::string tooltip{};
  };
  float legend(std::size_t layer, Point at, const std::vector<LegendEntry>& entries);
  // A legend's bar of so many parts, by how far along each is: 0 to 1.
  void ramp(std::size_t layer, const Rect& rect, int parts, const std::function<Color(float)>& color_at);
  void hot_spot(HotSpot spot);

  // "Shared memory · load", "tile[c][r]", "float tile[16][32]"; the last may be empty.
  void title(TitleParts parts);
  Scene& scene() { return scene_; }
  Scene finish() { return std::move(scene_); }

 private:
  Layer& layer(std::size_t index);

  Scene scene_;
  Canvas canvas_;
  bool too_small_ = false;
};

// Ease in and out: 0 before `from`, 1 after `to`.
float eased(float progress, float from = 0, float to = 1);

// Where an arc is at `t` of its length, as renderers draw it: it leaves and arrives vertically.
Point along_arc(Point from, Point to, float t);

// "0, 2 and 18", "0–31" for runs of three and more; at most `most` runs, then "…".
std::string number_list(const Pen& pen, std::uint32_t set, int most = 6);

// ---- pages

inline constexpr float kBetweenPanels = 12;

// Panels with caption and provenance at its foot.
class Page {
 public:
  Page(float width, float height, const Palette& palette);

  // Caption and provenance, either of which may be empty; gives the room above.
  Rect foot(const std::string& caption, const std::string& provenance);
  void label(Point at, std::string text, float size, Color color, Align align = Align::Left,
             bool bold = false);
  Rect inside(const Rect& panel) const;  // where a panel's picture is
  void panel(const Rect& rect, const Scene& scene);
  Scene finish(const std::string& title);

 private:
  void heading(const Rect& rect, const Scene& scene);
  void nothing(const Rect& room, const std::string& why);

  const Palette& palette_;
  Scene page_;
};

// A picture as a part of another, its upper left corner at `at`: what is drawn, and what the pointer meets.
void add_part(Scene* whole, Scene part, Point at);

}  // namespace warplens::scene
