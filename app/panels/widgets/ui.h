// The few things that panels are made of: text, boxes, buttons, sliders, in the look of the design. Units
// here are screen pixels; View::px turns the design's into them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/panels/view.h"

namespace warplens::panels {

using scene::Align;
using scene::Color;
using scene::Rect;

inline ImVec2 top_left(const Rect& r) {
  return {r.x, r.y};
}
inline ImVec2 bottom_right(const Rect& r) {
  return {r.x + r.width, r.y + r.height};
}
inline float right(const Rect& r) {
  return r.x + r.width;
}
inline float bottom(const Rect& r) {
  return r.y + r.height;
}
inline float middle(const Rect& r) {
  return r.y + 0.5f * r.height;
}
Rect inset(const Rect& r, float by);

struct Type {
  float size = 15;  // of the design
  Color color{};
  Align align = Align::Left;
  Face face = Face::Words;
  float room = 0;  // pixels; longer text ends in an ellipsis. 0: as long as it is
};

// Presenting, no letters are smaller than this: 24 pixels at 1080p.
inline constexpr float kLeastPresented = 13;

// `at`: left end, centre or right end of the text's vertical middle. Gives the width drawn.
float draw_text(const View& view, ImVec2 at, std::string_view text, const Type& type);
float text_width(const View& view, std::string_view text, const Type& type);
// The font that such a text is drawn with, and from its vertical middle to its top (pixels, negative).
SizedFont font_of(const View& view, std::string_view text, const Type& type);
float top_from_middle(const View& view, std::string_view text, const Type& type);
std::string shortened(const View& view, std::string_view text, float room, const Type& type);
// The first of some wordings, the longest first, that has room; the last one shortened where none has.
std::string first_that_fits(const View& view, std::initializer_list<std::string> wordings, float room,
                            const Type& type);
// Breaks the text into lines of at most `width` pixels, between words (between characters in Chinese) and
// where it has a line's end of its own.
std::vector<std::string> wrapped(const View& view, std::string_view text, float width, const Type& type);

void fill(const Rect& rect, const Color& color, float radius = 0);
// The same for a large opaque box at whole pixels, whose inside is cleared and not drawn.
void fill_ground(const View& view, const Rect& rect, const Color& color, float radius);
void outline(const Rect& rect, const Color& color, float radius, float thickness);

// A panel with its question at the left and the answer at the right; gives the room inside, below the title.
struct Heading {
  std::string title, answer;
  std::optional<Color> answer_color;
  bool active = false;        // framed in the accent colour
  float reserve = 0;          // pixels kept free at the right
  scene::TitleParts parts{};  // of the title, where it has any: they stand in two rows if there is no room
  bool tab_says_it = false;   // what is asked is the underlined tab's word too: it need not be cut
};
Rect draw_panel(const View& view, const Rect& rect, const Heading& heading);

struct Hit {
  bool hovered = false, held = false, clicked = false, double_clicked = false;
  bool released = false;
};
// Makes the rectangle feel the mouse. `id` is unique in its panel.
Hit hit_area(const char* id, const Rect& rect);
Hit hit_area(int id, const Rect& rect);
void tooltip(const View& view, std::string_view text);
// The same with its top edge at a height of the window: what is above stays readable.
void tooltip_below(const View& view, std::string_view text, float y);

// Text in a rounded box. `active`: chosen.
Hit pill(const View& view, const char* id, const Rect& rect, std::string_view label, bool active);
float pill_width(const View& view, std::string_view label, bool active);

enum class Icon { Play, Pause, Previous, Next, First, Last, Cross, Tick, Pencil, Sun, Moon, Down, Share };
Hit icon_button(const View& view, const char* id, const Rect& rect, Icon icon, bool primary);
void draw_icon(const View& view, Icon icon, ImVec2 center, float size, const Color& color);

// A track with a knob; a value where it was moved. `part` is 0 to 1.
struct Slide {
  std::optional<float> part;
  bool began = false;
};
Slide slider(const View& view, const char* id, const Rect& rect, float part);

// Tells the whole of a text that was shortened where the mouse is over it.
void tell_whole(const View& view, const Rect& rect, std::string_view whole);

// The scrollbars of a window and its panels, from here until popped.
void push_scrollbars(const View& view);
void pop_scrollbars();

// A scene at its place with its labels; the hot spot under the pointer, or null.
const scene::HotSpot* draw_scene(const View& view, const char* id, scene::Scene scene, ImVec2 at);

}  // namespace warplens::panels
