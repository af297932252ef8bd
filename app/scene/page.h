// Pictures laid out on a page: each in a panel with its title and answer, caption and provenance at the foot.
#pragma once

#include <span>
#include <string>

#include "app/scene/palette.h"
#include "app/scene/scene.h"

namespace warplens::scene {

// The distances of a page, at scale 1.
struct PageStyle {
  float scale = 1;                   // of type and distances
  float outside = 20, between = 12;  // around all panels, between two
  float inside = 14;                 // left and right of a picture in its panel
  float above = 34, below = 10;      // the picture; its heading is above
  float heading = 19;                // from the panel's top to the middle of the heading
  float most_answer = 0.7f;          // of the heading's width
  float title_strength = 0.55f;      // 0: secondary text, 1: text
};
// Slides hold several panels; a picture that stands alone has more air.
inline constexpr PageStyle kSlideStyle{};
inline constexpr PageStyle kAloneStyle{1, 16, 12, 14, 46, 14, 23, 1, 0};

class Page {
 public:
  Page(float width, float height, const Palette& palette, const PageStyle& style = kSlideStyle);

  // Caption and provenance, either of which may be empty, at the foot; gives the room above.
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
  PageStyle style_;
  Scene page_;
};

// A picture as a part of another, its upper left corner at `at`: what is drawn, and what the pointer meets.
void add_part(Scene* whole, Scene part, Point at);

// Pictures one below the other, the page as large as they need.
struct PageText {
  std::string caption, provenance;
  float scale = 1;  // the pictures' own
};
Scene compose(std::span<const Scene> scenes, const Palette& palette, const PageText& text = {});

}  // namespace warplens::scene
