// The few things that panels are made of: text, boxes, buttons, sliders, in the look of the design. Units
// here are screen pixels; View::px turns the design's into them.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/panels/view.h"
#include "app/scene/palette.h"
#include "app/scene/scene.h"

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
inline bool contains(const Rect& r, ImVec2 at) {
  return at.x >= r.x && at.x < right(r) && at.y >= r.y && at.y < bottom(r);
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
Type title_type(const View& view, float room = 0, float size = 15);  // of a panel
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

// Each `step` pixels high, the first from `at`, their left upper corner; gives their height.
float draw_lines(const View& view, ImVec2 at, std::span<const std::string> lines, float step,
                 const Type& type);

void fill(const Rect& rect, const Color& color, float radius = 0);
// The same for a large opaque box at whole pixels, whose inside is cleared and not drawn.
void fill_ground(const View& view, const Rect& rect, const Color& color, float radius);
void outline(const Rect& rect, const Color& color, float radius, float thickness);
// A panel's, framed in the accent colour where `frame` is a thickness.
void draw_ground(const View& view, const Rect& rect, float frame = 0);
// Both: a box on its ground.
void draw_box(const Rect& rect, const Color& ground, const Color& edge, float radius, float thickness = 1);
// The ground of a row of a list, where it is chosen or the mouse is over it.
void draw_row_ground(const View& view, const Rect& row, bool chosen, bool hovered);

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
};
// The controls that Tab goes through, panel by panel and in a row from left to right: each asks whether it is
// pressed by the keyboard. The one that it has come to gets an outline over everything, by end_controls.
void begin_controls(const View& view);
// The places in which controls come that are drawn in this order.
std::vector<int> places_of(const std::vector<Rect>& drawn);
bool control_pressed(const Rect& rect);
void end_controls(const View& view);
// Makes the rectangle feel the mouse. `id` is unique in its panel.
Hit hit_area(const char* id, const Rect& rect);
Hit hit_area(int id, const Rect& rect);
void tooltip(const View& view, std::string_view text);
// What it tells while the mouse is over it, and what a click does.
template <typename Act>
void answer(const View& view, const Hit& hit, std::string_view tip, Act action) {
  if (hit.hovered) tooltip(view, tip);
  if (hit.clicked) view.act(std::move(action));
}
// The same with its top edge at a height of the window: what is above stays readable.
void tooltip_below(const View& view, std::string_view text, float y);

// Text in a rounded box. `active`: chosen; `by_tab`: Tab comes to it.
Hit pill(const View& view, const char* id, const Rect& rect, std::string_view label, bool active,
         bool by_tab = true);
float pill_width(const View& view, std::string_view label, bool active);

enum class Icon {
  Play,
  Pause,
  Previous,
  Next,
  First,
  Last,
  Cross,
  Tick,
  Pencil,
  Sun,
  Moon,
  Down,
  Share,
  Panels,
  Open,
  Save,
  Launch,
  Lock
};
Hit icon_button(const View& view, const char* id, const Rect& rect, Icon icon, bool primary);
void draw_icon(const View& view, Icon icon, ImVec2 center, float size, const Color& color);

// A track with a knob; a value where it was moved. `part` is 0 to 1.
std::optional<float> slider(const View& view, const char* id, const Rect& rect, float part);

// Tells the whole of a text that was shortened where the mouse is over it.
void tell_whole(const View& view, const Rect& rect, std::string_view whole);

// What is drawn while it lives is scrolled where it has no room.
class Scrolled {
 public:
  Scrolled(const char* id, const Rect& rect);
  ~Scrolled();
  Scrolled(const Scrolled&) = delete;
  Scrolled& operator=(const Scrolled&) = delete;
  // How far down it goes, a height of the window.
  void reach(float y);
  ImVec2 origin;  // of what is scrolled
};

// A scene at its place with its labels; the hot spot under the pointer, or null.
const scene::HotSpot* draw_scene(const View& view, const char* id, scene::Scene scene, ImVec2 at);

// Whether the scene drawn last, which answers to it, was clicked.
bool scene_clicked();

// A choice of a few words in a panel's heading: quiet, the chosen one underlined.

struct Tab {
  std::string label, tip;
  bool active = false;
};
struct TabChoice {
  float width = 0;   // drawn, to the left of `end`
  int clicked = -1;  // which, or none
};
float tabs_width(const View& view, std::span<const Tab> tabs);  // as TabChoice::width
// `end`: the row's right end and vertical middle.
TabChoice draw_tabs(const View& view, const char* id, ImVec2 end, std::span<const Tab> tabs);

// `ink`, or as much nearer to the palette's text as a contrast of 4.5 on `ground` asks for.
inline scene::Color legible(scene::Color ink, scene::Color ground, const scene::Palette& palette) {
  for (float t = 0; t < 1; t += 0.1f) {
    const scene::Color mixed = scene::mix(ink, palette.text, t);
    if (scene::contrast(mixed, ground) >= 4.6f) return mixed;
  }
  return palette.text;
}

inline constexpr float kScrollbarRoom = 12;  // of the design

// Calls draw(i, rect) for every row in view; all have the same height (pixels). The `selected` one comes into
// view when it becomes another one; -1: there is none.
template <typename Draw>
void draw_list(const View& view, const char* id, const Rect& box, int count, float row, int selected,
               Draw draw) {
  Scrolled scrolled(id, box);
  ImGuiStorage* storage = ImGui::GetStateStorage();
  if (const ImGuiID kept = ImGui::GetID("kept"); storage->GetInt(kept, -2) != selected) {
    storage->SetInt(kept, selected);
    const float y = row * static_cast<float>(std::max(selected, 0));
    if (y < ImGui::GetScrollY()) ImGui::SetScrollY(y);
    if (y + row > ImGui::GetScrollY() + box.height) ImGui::SetScrollY(y + row - box.height);
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = box.width - view.px(kScrollbarRoom);
  const int first = std::clamp(static_cast<int>(ImGui::GetScrollY() / row), 0, count);
  const int last = std::clamp(first + static_cast<int>(box.height / row) + 2, 0, count);
  for (int i = first; i < last; ++i)
    draw(i, Rect{origin.x, origin.y + row * static_cast<float>(i), width, row});
  scrolled.reach(origin.y + row * static_cast<float>(count));
}

// How wide the rows of draw_rows are: beside a scrollbar where they have no room.
inline float rows_width(const View& view, const Rect& box, int count, float least) {
  return box.width - (box.height < least * static_cast<float>(count) ? view.px(kScrollbarRoom) : 0);
}

// The same between `natural` and `least` (pixels) a row: they share the room where there is enough, and are
// scrolled where `least` does not fit either. Nothing is drawn where not even one has room.
template <typename Draw>
void draw_rows(const View& view, const char* id, const Rect& box, int count, float natural, float least,
               Draw draw) {
  if (count <= 0 || box.height < least) return;
  const float share = box.height / static_cast<float>(count);
  if (share < least) {  // whole rows: one cut through its letters looks like a fault
    const Rect whole{box.x, box.y, box.width, least * std::floor(box.height / least)};
    return draw_list(view, id, whole, count, least, -1, draw);
  }
  const float height = std::min(natural, share);
  for (int i = 0; i < count; ++i)
    draw(i, Rect{box.x, box.y + height * static_cast<float>(i), box.width, height});
}

// ---- what lies over the whole window while it is open: the key list, the palette, the lessons, the
// dialogues

// A window of Dear ImGui's as long as this lives: that of all panels, or one before it, which feels the mouse
// first. `over_all`: it comes before every other one.
class Window {
 public:
  Window(const View& view, const char* name, const Rect& rect, bool over_all, ImGuiWindowFlags more = 0);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
};

struct SheetLook {
  const char* name;
  float width = 760, height = 620;  // pixels of the screen, at most the window's
  float rise = 0.5f;                // how much of the room that is left lies above it
  float margin = 24;                // of the design, at the left and the right
  std::string title{};              // with a cross; empty: neither
  const char* keys = nullptr;       // at the foot, of the languages
  bool stays = false;               // a click beside it does not close it
};
// A box over the dimmed window. A click on its cross, or beside it, closes it.
class Sheet {
 public:
  Sheet(const View& view, const Rect& window, const SheetLook& look);
  const Rect& box() const { return box_; }
  float left() const { return box_.x + margin_; }
  float room() const { return box_.width - 2 * margin_; }

 private:
  Window window_;
  Rect box_;
  float margin_;
};

}  // namespace warplens::panels
