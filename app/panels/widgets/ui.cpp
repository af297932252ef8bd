#include "app/panels/widgets/ui.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "app/language/strings.h"
#include "app/panels/widgets/text_input.h"

namespace warplens::panels {
namespace {

TextObserver observer;
std::function<void(Drawn)> area_observer;
std::optional<Rect> picture;  // whose labels are drawn

void tell_observer(std::string_view drawn, std::string_view whole, const Rect& rect, float size,
                   const Color& color) {
  const ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 from = list->GetClipRectMin(), to = list->GetClipRectMax();
  // Letters themselves leave a fifth of their line free above and below.
  const float top = rect.y + 0.2f * rect.height, foot = rect.y + 0.8f * rect.height;
  const float beyond = picture ? std::max({picture->y - top, foot - bottom(*picture), 0.0f}) : 0.0f;
  observer({std::string(drawn),
            std::string(whole),
            rect,
            {from.x, from.y, to.x - from.x, to.y - from.y},
            size,
            color,
            list->_OwnerName ? list->_OwnerName : "",
            beyond});
}

void draw_labels(const View& view, const scene::Scene& scene, ImVec2 at) {
  for (const scene::Layer& layer : scene.layers) {
    for (const scene::Label& label : layer.labels) {
      Type type;
      type.size = label.size / view.scale;
      type.color = label.color;
      type.align = label.align;
      type.face = label.font == scene::Font::Code ? (label.bold ? Face::CodeBold : Face::Code)
                                                  : (label.bold ? Face::WordsBold : Face::Words);
      draw_text(view, {at.x + label.at.x, at.y + label.at.y}, label.text, type);
    }
  }
}

// The monospaced faces have no Chinese: such a text is set in words.
Face face_for(std::string_view text, Face face) {
  const bool chinese =
      std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xe3; });
  if (!chinese) return face;
  if (face == Face::Code) return Face::Words;
  return face == Face::CodeBold ? Face::WordsBold : face;
}

float pixels_of(const View& view, const Type& type) {
  return view.px(view.is_large() ? std::max(type.size, kLeastPresented) : type.size);
}

}  // namespace

const std::string& View::source() const {
  static const std::string kNone;
  // PTX is what is edited; what it was compiled from is what is read.
  const bool has_source = sim.compiled && sim.fresh && !sim.compiled->setup.compile.source.empty();
  if (has_source && !state.editing) return sim.compiled->setup.compile.source;
  if (state.settings.text) return *state.settings.text;
  const scenario::Scenario* s = scenario();
  return s ? s->text : kNone;
}

scene::Canvas View::canvas(float width, float height) const {
  const bool pointed = state.hovered_lane >= 0;  // at a lane, and no longer at the answer
  scene::Canvas canvas{
      width, height, scale, &palette, &strings, lit_lane(), is_large() ? kLeastPresented : 0};
  if (is_large()) tell_plain(enlarged, ImGui::GetIO().DisplaySize.y, &canvas);
  if (sim.now && !is_a) canvas.lit_lanes = app::lanes_counted(*sim.now, counting);
  if (pointed) return canvas;
  canvas.lit_bank = lit.bank, canvas.lit_sector = lit.sector;
  canvas.said_lane = lit.said_lane, canvas.bank_votes = lit.bank_votes;
  return canvas;
}

Rect inset(const Rect& r, float by) {
  return {r.x + by, r.y + by, std::max(0.0f, r.width - 2 * by), std::max(0.0f, r.height - 2 * by)};
}

void observe_areas(std::function<void(Drawn)> with) {
  area_observer = std::move(with);
}

void observe_texts(TextObserver with) {
  observer = std::move(with);
}

float text_width(const View& view, std::string_view text, const Type& type) {
  text = language::readable(text);
  return view.fonts.width(face_for(text, type.face), pixels_of(view, type), text);
}

SizedFont font_of(const View& view, std::string_view text, const Type& type) {
  return view.fonts.pick(face_for(text, type.face), pixels_of(view, type), text);
}

float top_from_middle(const View& view, std::string_view text, const Type& type) {
  return view.fonts.top_from_middle(face_for(text, type.face), pixels_of(view, type));
}

std::string shortened(const View& view, std::string_view text, float room, const Type& type) {
  return language::shortened(text, room, [&](auto part) { return text_width(view, part, type); });
}

std::string first_that_fits(const View& view, std::initializer_list<std::string> wordings, float room,
                            const Type& type) {
  for (const std::string& words : wordings) {
    if (text_width(view, words, type) <= room) return words;
  }
  return shortened(view, *(wordings.end() - 1), room, type);
}

float draw_text(const View& view, ImVec2 at, std::string_view text, const Type& type) {
  if (text.empty()) return 0;
  text = language::readable(text);
  const std::string_view whole = text;
  std::string shorter;
  if (type.room > 0) {
    shorter = shortened(view, text, type.room, type);
    text = shorter;
  }
  const float pixels = pixels_of(view, type);
  const Face face = face_for(text, type.face);
  const SizedFont font = view.fonts.pick(face, pixels, text);
  if (font.font == nullptr) return 0;
  const char *begin = text.data(), *end = begin + text.size();
  const float width = text_width(font, begin, end);
  float x = at.x;
  if (type.align == Align::Center) x -= 0.5f * width;
  if (type.align == Align::Right) x -= width;
  const float y = at.y + view.fonts.top_from_middle(face, pixels);
  ImGui::GetWindowDrawList()->AddText(font.font, font.size, {std::round(x), std::round(y)},
                                      color_of(type.color), begin, end);
  if (observer)
    tell_observer(text, whole, {x, at.y - 0.62f * pixels, width, 1.24f * pixels}, font.em, type.color);
  return width;
}

Type title_type(const View& view, float room, float size) {
  return {size, scene::mix(view.palette.secondary, view.palette.text, 0.55f), Align::Left, Face::WordsBold,
          room};
}

std::vector<std::string> wrapped(const View& view, std::string_view text, float width, const Type& type) {
  return language::wrapped(text, width, std::numeric_limits<int>::max(),
                           [&](auto part) { return text_width(view, part, type); });
}

float draw_lines(const View& view, ImVec2 at, std::span<const std::string> lines, float step,
                 const Type& type) {
  float y = at.y + 0.5f * step;
  for (const std::string& line : lines) {
    draw_text(view, {at.x, y}, line, type);
    y += step;
  }
  return step * static_cast<float>(lines.size());
}

void fill(const Rect& rect, const Color& color, float radius) {
  ImGui::GetWindowDrawList()->AddRectFilled(top_left(rect), bottom_right(rect), color_of(color), radius);
}

void fill_ground(const View& view, const Rect& rect, const Color& color, float radius) {
  const float r = std::ceil(radius);
  if (area_observer && r > 0) area_observer(Drawn::Frame);
  if (r <= 0) return view.stage.clear(rect, color);
  // A cross of cleared rectangles; the corners are drawn.
  view.stage.clear({rect.x, rect.y + r, rect.width, rect.height - 2 * r}, color);
  view.stage.clear({rect.x + r, rect.y, rect.width - 2 * r, r}, color);
  view.stage.clear({rect.x + r, bottom(rect) - r, rect.width - 2 * r, r}, color);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 ink = color_of(color);
  constexpr float kQuarter = 1.5707963f;
  const auto corner = [&](float x, float y, int quarter) {
    list->PathLineTo({x, y});
    list->PathArcTo({x, y}, radius, kQuarter * static_cast<float>(quarter),
                    kQuarter * static_cast<float>(quarter + 1), 8);
    list->PathFillConvex(ink);
  };
  corner(right(rect) - r, bottom(rect) - r, 0);
  corner(rect.x + r, bottom(rect) - r, 1);
  corner(rect.x + r, rect.y + r, 2);
  corner(right(rect) - r, rect.y + r, 3);
}

void outline(const Rect& rect, const Color& color, float radius, float thickness) {
  add_rect(ImGui::GetWindowDrawList(), top_left(rect), bottom_right(rect), color_of(color), radius,
           thickness);
}

void draw_ground(const View& view, const Rect& rect, float frame) {
  fill_ground(view, rect, view.palette.panel, view.px(8));
  outline(rect, frame > 0 ? view.palette.accent : view.palette.line, view.px(8), frame > 0 ? frame : 1);
}

namespace {

struct Controls {
  std::optional<int> at;
  bool pressed = false;
  std::vector<int> places;  // of each that was drawn in the frame before
  std::vector<Rect> drawn;
  std::optional<Rect> focused;
} controls;

}  // namespace

// A row whose controls are drawn from its right end leftwards is read from left to right as any other.
std::vector<int> places_of(const std::vector<Rect>& drawn) {
  std::vector<int> places(drawn.size());
  std::iota(places.begin(), places.end(), 0);
  for (std::size_t i = 0, end = 0; i < drawn.size(); i = end) {
    end = i + 1;
    while (end < drawn.size() && right(drawn[end]) <= drawn[end - 1].x + 1 &&
           std::abs(middle(drawn[end]) - middle(drawn[end - 1])) < 0.5f * drawn[end].height)
      ++end;
    std::reverse(places.begin() + static_cast<std::ptrdiff_t>(i),
                 places.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return places;
}

void begin_controls(const View& view) {
  controls = {view.state.control, view.state.control_pressed, places_of(controls.drawn), {}, {}};
}

bool control_pressed(const Rect& rect) {
  if (!ImGui::IsRectVisible(top_left(rect), bottom_right(rect))) return false;
  const std::size_t i = controls.drawn.size();
  controls.drawn.push_back(rect);
  if ((i < controls.places.size() ? controls.places[i] : static_cast<int>(i)) != controls.at) return false;
  controls.focused = rect;
  return controls.pressed;
}

void end_controls(const View& view) {
  if (!controls.at) return;
  const int count = static_cast<int>(controls.drawn.size());
  const bool leaves = ImGui::IsMouseClicked(0) || count == 0;
  const int at = *controls.at < 0 ? count - 1 : *controls.at % std::max(1, count);
  if (leaves)
    view.act(app::SettleControl{});
  else if (at != controls.at || controls.pressed)
    view.act(app::SettleControl{at});
  if (!controls.focused || leaves) return;
  const Rect r = inset(*controls.focused, -view.px(2));
  add_rect(ImGui::GetForegroundDrawList(), top_left(r), bottom_right(r), color_of(view.palette.accent),
           std::min(view.px(8), 0.5f * r.height), std::max(2.0f, view.px(2.5f)));
}

void draw_box(const Rect& rect, const Color& ground, const Color& edge, float radius, float thickness) {
  fill(rect, ground, radius);
  outline(rect, edge, radius, thickness);
}

void draw_row_ground(const View& view, const Rect& row, bool chosen, bool hovered) {
  const scene::Palette& p = view.palette;
  if (chosen)
    draw_box(row, scene::with_alpha(p.accent, 0.26f), p.accent, view.px(5), view.px(1.5f));
  else if (hovered)
    fill(row, scene::mix(p.cell, p.text, 0.06f), view.px(5));
}

Scrolled::Scrolled(const char* id, const Rect& rect) {
  ImGui::SetCursorScreenPos(top_left(rect));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(id, {rect.width, rect.height}, false, ImGuiWindowFlags_NoNav);
  origin = ImGui::GetCursorScreenPos();
}

Scrolled::~Scrolled() {
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void Scrolled::reach(float y) {
  ImGui::SetCursorScreenPos({origin.x, y - 1});
  ImGui::Dummy({1, 1});
}

Hit hit_area(const char* id, const Rect& rect) {
  if (rect.width < 1 || rect.height < 1) return {};
  if (area_observer) area_observer(Drawn::Control);
  ImGui::SetCursorScreenPos(top_left(rect));
  Hit hit;
  hit.clicked = ImGui::InvisibleButton(id, {rect.width, rect.height});
  hit.hovered = ImGui::IsItemHovered();
  hit.held = ImGui::IsItemActive();
  hit.double_clicked = hit.hovered && ImGui::IsMouseDoubleClicked(0);
  return hit;
}

Hit hit_area(int id, const Rect& rect) {
  ImGui::PushID(id);
  const Hit hit = hit_area("area", rect);
  ImGui::PopID();
  return hit;
}

// The same, which the keyboard presses too.
static Hit control_area(const char* id, const Rect& rect) {
  Hit hit = hit_area(id, rect);
  hit.clicked |= control_pressed(rect);
  return hit;
}

bool scene_clicked() {
  if (area_observer) area_observer(Drawn::Control);
  return ImGui::IsItemClicked();
}

namespace {

// Of a row of a table or of a list the words stand beside it, at the left where there is room: under the
// pointer they would cover the rows around it.
void place_beside_row(const View& view, const Rect& row, float width, float height) {
  const ImVec2 from = top_left(row), to{right(row), bottom(row)}, mouse = ImGui::GetIO().MousePos;
  const bool is_row = contains({from.x, from.y, to.x - from.x, to.y - from.y}, mouse) &&
                      to.x - from.x > view.px(160) && to.y - from.y < view.px(60);
  const float gap = view.px(8), screen_high = ImGui::GetIO().DisplaySize.y;
  const bool fits_left = from.x - gap >= width,
             fits_right = to.x + gap + width <= ImGui::GetIO().DisplaySize.x;
  if (!is_row || (!fits_left && !fits_right)) return;
  const float y = std::clamp(0.5f * (from.y + to.y - height), 0.0f, std::max(0.0f, screen_high - height));
  ImGui::SetNextWindowPos({fits_left ? from.x - gap - width : to.x + gap, y});
}

// No `row`: where it begins is decided already.
void show_tooltip(const View& view, std::string_view text, const std::optional<Rect>& row) {
  if (text.empty() || view.quiet) return;
  const Type type{13, view.palette.text};
  const std::vector<std::string> lines = wrapped(view, text, view.px(460), type);
  float width = 0;
  for (const std::string& line : lines) width = std::max(width, text_width(view, line, type));
  const float step = view.px(19), margin = view.px(10);
  if (row)
    place_beside_row(view, *row, width + 2 * margin, step * static_cast<float>(lines.size()) + 2 * margin);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, margin});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, view.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_PopupBg, color_of(view.palette.cell));
  ImGui::PushStyleColor(ImGuiCol_Border, color_of(view.palette.line));
  if (begin_tooltip()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({width, step * static_cast<float>(lines.size())});
    draw_lines(view, at, lines, step, type);
    end_tooltip();
  }
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(3);
}

}  // namespace

void tooltip(const View& view, std::string_view text) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  show_tooltip(view, text, Rect{from.x, from.y, to.x - from.x, to.y - from.y});
}

void tell_whole(const View& view, const Rect& rect, std::string_view whole) {
  if (contains(rect, ImGui::GetIO().MousePos) && ImGui::IsWindowHovered()) tooltip(view, whole);
}

void tooltip_below(const View& view, std::string_view text, float y) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float room = ImGui::GetIO().DisplaySize.x - view.px(490);  // the widest tooltip
  ImGui::SetNextWindowPos({std::max(view.px(8), std::min(mouse.x + view.px(12), room)), y});
  show_tooltip(view, text, std::nullopt);
}

float pill_width(const View& view, std::string_view label, bool active) {
  return text_width(view, label, {14, {}, Align::Left, active ? Face::WordsBold : Face::Words}) + view.px(24);
}

Hit pill(const View& view, const char* id, const Rect& rect, std::string_view label, bool active,
         bool by_tab) {
  const Hit hit = by_tab ? control_area(id, rect) : hit_area(id, rect);
  const float radius = 0.5f * rect.height;
  const scene::Palette& p = view.palette;
  fill(rect, active ? p.accent : hit.hovered ? scene::mix(p.cell, p.text, 0.10f) : p.cell, radius);
  if (!active) outline(rect, p.line, radius, 1);
  const Color ink = active ? (p.dark ? p.window : p.panel) : scene::mix(p.secondary, p.text, 0.5f);
  draw_text(view, {rect.x + 0.5f * rect.width, middle(rect)}, label,
            {14, ink, Align::Center, active ? Face::WordsBold : Face::Words, rect.width - view.px(8)});
  return hit;
}

Hit icon_button(const View& view, const char* id, const Rect& rect, Icon icon, bool primary) {
  const Hit hit = control_area(id, rect);
  const scene::Palette& p = view.palette;
  const float radius = 0.5f * std::min(rect.width, rect.height);
  const Color base = primary ? p.accent : p.cell;
  fill(rect, hit.hovered ? scene::mix(base, p.text, 0.12f) : base, radius);
  if (!primary) outline(rect, p.line, radius, 1);
  const Color ink = primary ? (p.dark ? p.window : p.panel) : p.text;
  draw_icon(view, icon, {rect.x + 0.5f * rect.width, middle(rect)}, 0.36f * rect.height, ink);
  return hit;
}

namespace {

// Of a drawing from -1 to 1, downwards. kFill, kBox: corners. kDisc, kHole (in the colour of a button): a
// middle and a radius. Else the points of a stroke.
enum class Draws : std::uint8_t { kFill, kBox, kDisc, kHole, kThin, kThick, kBold };
struct Mark {
  Draws how;
  std::vector<float> at;
};
using enum Draws;
const std::vector<Mark> kIcons[] = {
    {{kFill, {-.76f, -1, 1.08f, 0, -.76f, 1}}},                            // Play
    {{kBox, {-.84f, -1, -.24f, 1}}, {kBox, {.24f, -1, .84f, 1}}},          // Pause
    {{kFill, {-.94f, 0, .76f, -1, .76f, 1}}},                              // Previous
    {{kFill, {-.76f, -1, .94f, 0, -.76f, 1}}},                             // Next
    {{kBox, {-1, -1, -.68f, 1}}, {kFill, {-.68f, 0, .92f, -1, .92f, 1}}},  // First
    {{kFill, {-.92f, -1, .68f, 0, -.92f, 1}}, {kBox, {.68f, -1, 1, 1}}},   // Last
    {{kThick, {-1, -1, 1, 1}}, {kThick, {-1, 1, 1, -1}}},                  // Cross
    {{kBold, {-1, 0, -.25f, .8f, 1, -.8f}}},                               // Tick
    {{kBold, {-1, 1, 1, -1}}, {kThick, {-1, 1, 0, 1}}},                    // Pencil
    {{kDisc, {0, 0, .55f}},                                                // Sun
     {kThick, {.8f, 0, 1.15f, 0}},
     {kThick, {.57f, .57f, .81f, .81f}},
     {kThick, {0, .8f, 0, 1.15f}},
     {kThick, {-.57f, .57f, -.81f, .81f}},
     {kThick, {-.8f, 0, -1.15f, 0}},
     {kThick, {-.57f, -.57f, -.81f, -.81f}},
     {kThick, {0, -.8f, 0, -1.15f}},
     {kThick, {.57f, -.57f, .81f, -.81f}}},
    {{kDisc, {0, 0, .9f}}, {kHole, {.45f, -.3f, .75f}}},  // Moon
    {{kFill, {-1, -.5f, 1, -.5f, 0, .6f}}},               // Down
    {{kThick, {0, .35f, 0, -1.2f}},                       // Share
     {kThick, {-.55f, -.65f, 0, -1.2f, .55f, -.65f}},
     {kThick, {-.9f, -.1f, -.9f, 1, .9f, 1, .9f, -.1f}}},
    {{kThick, {-1.2f, -1, 1.2f, -1, 1.2f, 1, -1.2f, 1, -1.2f, -1}},  // Panels
     {kThick, {-.5f, -1, -.5f, 1}},
     {kThick, {.5f, -1, .5f, 1}}},
    {{kThin,
      {-1.3f, 1.05f, -1.3f, -.95f, -.35f, -.95f, 0, -.5f, 1.3f, -.5f, 1.3f, 1.05f, -1.3f, 1.05f}}},  // Open
    {{kThin, {0, -1.3f, 0, .4f}},                                                                    // Save
     {kThin, {-.7f, -.3f, 0, .4f, .7f, -.3f}},
     {kThin, {-1.15f, .25f, -1.15f, 1.1f, 1.15f, 1.1f, 1.15f, .25f}}},
    {{kThin, {-1.3f, -.95f, 1.3f, -.95f}},  // Launch
     {kDisc, {.45f, -.95f, .34f}},
     {kThin, {-1.3f, 0, 1.3f, 0}},
     {kDisc, {-.6f, 0, .34f}},
     {kThin, {-1.3f, .95f, 1.3f, .95f}},
     {kDisc, {.1f, .95f, .34f}}},
    {{kBox, {-.85f, -.1f, .85f, 1.1f}},  // Lock
     {kThin, {-.55f, 0, -.55f, -.3f, -.39f, -.64f, 0, -.8f, .39f, -.64f, .55f, -.3f, .55f, 0}}}};

}  // namespace

void draw_icon(const View& view, Icon icon, ImVec2 c, float size, const Color& color) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 ink = color_of(color);
  const float h = 0.5f * size, thick = std::max(1.5f, view.px(1.8f)), thin = std::max(1.3f, view.px(1.5f));
  for (const auto& [how, at] : kIcons[static_cast<std::size_t>(icon)]) {
    const auto point = [&, &p = at](std::size_t i) {
      return ImVec2{c.x + p[2 * i] * h, c.y + p[2 * i + 1] * h};
    };
    if (how == kFill) {
      list->AddTriangleFilled(point(0), point(1), point(2), ink);
    } else if (how == kBox) {
      list->AddRectFilled(point(0), point(1), ink, 1);
    } else if (how == kDisc || how == kHole) {
      list->AddCircleFilled(point(0), at[2] * h, how == kHole ? color_of(view.palette.cell) : ink);
    } else {
      for (std::size_t i = 1; 2 * i < at.size(); ++i)
        list->AddLine(point(i - 1), point(i), ink, how == kThin ? thin : how == kBold ? 1.5f * thick : thick);
    }
  }
}

std::optional<float> slider(const View& view, const char* id, const Rect& rect, float part) {
  const float knob = view.px(8);
  const Rect felt{rect.x - knob, rect.y, rect.width + 2 * knob, rect.height};
  const Hit hit = hit_area(id, felt);
  std::optional<float> slide;
  if (hit.held && rect.width > 0) {
    const float moved = std::clamp((ImGui::GetIO().MousePos.x - rect.x) / rect.width, 0.0f, 1.0f);
    if (moved != part) slide = moved;
    part = moved;
  }
  const scene::Palette& p = view.palette;
  const float height = view.px(6), y = middle(rect), x = rect.x + part * rect.width;
  fill({rect.x, y - 0.5f * height, rect.width, height}, p.line, 0.5f * height);
  fill({rect.x, y - 0.5f * height, std::max(x - rect.x, 0.0f), height}, p.accent, 0.5f * height);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled({x, y}, hit.hovered || hit.held ? 1.15f * knob : knob, color_of(p.text), 24);
  return slide;
}

const scene::HotSpot* draw_scene(const View& view, const char* id, scene::Scene scene, ImVec2 at) {
  const Rect area{at.x, at.y, scene.width, scene.height};
  const Hit hit = hit_area(id, area);
  const scene::Scene& placed = view.stage.place(std::move(scene), at);
  picture = area;
  draw_labels(view, placed, at);
  picture.reset();
  if (!hit.hovered) return nullptr;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const scene::HotSpot* found = nullptr;
  for (const scene::HotSpot& spot : placed.hot_spots)
    if (contains(spot.rect, {mouse.x - at.x, mouse.y - at.y})) found = &spot;
  if (found == nullptr) return nullptr;
  // A row of a table that is drawn as a scene is a row too.
  const bool whole = found->rect.width > 0.9f * area.width;
  const Rect row{area.x, at.y + found->rect.y, area.width, found->rect.height};
  show_tooltip(view, found->tooltip, whole ? std::optional(row) : std::nullopt);
  return found;
}

// What is asked, then of what. A title without such parts has those before and after its first dot.
static scene::TitleParts parts_of(const Heading& heading) {
  if (!heading.parts.text.empty()) return heading.parts;
  const std::size_t dot = heading.title.find(language::kDot);
  if (dot == std::string::npos) return {heading.title, {}, {}};
  return {heading.title.substr(0, dot), heading.title.substr(dot + language::kDot.size()), {}};
}

// A panel's ground and its heading: what is asked at the left, the answer at the right; in one row, without
// the title's last part where that has no room, or in two: then the answer is in the first, or in the second
// where the title has no second part. Of the answer and of what is asked, the first words stay.
Rect draw_panel(const View& view, const Rect& rect, const Heading& heading) {
  draw_ground(view, rect, heading.active ? std::max(1.5f, view.px(2)) : 0);
  const float inside = view.px(14), left = rect.x + inside, end = right(rect) - inside - heading.reserve,
              room = std::max(view.px(20), end - left);
  Type answer{14, heading.answer_color.value_or(view.palette.secondary), Align::Right,
              heading.answer_color ? Face::WordsBold : Face::Words, 0.62f * (rect.width - heading.reserve)};
  const Type large = title_type(view), small = title_type(view, 0, 13);
  const auto fits = [&](const std::string& words, const Type& type, float most) {
    return text_width(view, words, type) <= most;
  };
  const auto put = [&](float y, const std::string& words, Type type, float most) {
    type.room = most;
    const float at = rect.y + view.px(y), half = view.px(10);
    if (!fits(words, type, most)) tell_whole(view, {left, at - half, most, 2 * half}, words);
    return draw_text(view, {left, at}, words, type);
  };
  const auto put_lead = [&](float y, const std::string& words, const Type& type, float most) {
    return heading.tab_says_it && !fits(words, type, most) ? 0 : put(y, words, type, most);
  };
  const scene::TitleParts parts = parts_of(heading);
  const float taken = std::min(answer.room, text_width(view, heading.answer, answer)),
              beside = std::max(view.px(20), end - left - taken - view.px(12));
  const bool shorter = !heading.parts.text.empty() && !fits(heading.title, large, beside);
  const std::string title = shorter ? parts.lead + " " + parts.text : heading.title;
  const bool one = fits(title, large, beside) || (parts.text.empty() && taken == 0);
  if (one) {
    draw_text(view, {end, rect.y + view.px(20)}, heading.answer, answer);
    put_lead(20, title, large, beside);
  } else if (parts.text.empty()) {
    put_lead(12, parts.lead, small, room);
    answer.align = Align::Left, answer.room = room;
    draw_text(view, {left, rect.y + view.px(28)}, heading.answer, answer);
  } else {
    const auto up_to_dot = [](const std::string& words) {
      return words.substr(0, words.find(language::kDot));
    };
    const float first = text_width(view, up_to_dot(heading.answer), answer), gap = view.px(8);
    const bool whole = fits(parts.lead, small, room - first - gap);
    const float asked = put_lead(12,
                                 whole                 ? parts.lead
                                 : parts.brief.empty() ? up_to_dot(parts.lead)
                                                       : parts.brief,
                                 small, room - first - gap);
    answer.room = std::max(first, room - asked - gap);
    draw_text(view, {end, rect.y + view.px(12)}, heading.answer, answer);
    const std::string all =
        parts.text + (parts.detail.empty() ? "" : std::string(language::kDot) + parts.detail);
    put(28, fits(all, small, room) ? all : parts.text, small, room);
  }
  const float above = view.px(one ? 34 : 42);
  return {left, rect.y + above, std::max(0.0f, rect.width - 2 * inside),
          std::max(0.0f, rect.height - above - view.px(10))};
}

namespace {

Type type_of(const View& view, const Tab& tab) {
  const scene::Palette& p = view.palette;
  return {13, tab.active ? p.text : p.secondary, Align::Right, tab.active ? Face::WordsBold : Face::Words};
}

constexpr float kGap = 12;

}  // namespace

float tabs_width(const View& view, std::span<const Tab> tabs) {
  float width = 0;
  for (const Tab& tab : tabs) width += text_width(view, tab.label, type_of(view, tab)) + view.px(kGap);
  return width;
}

TabChoice draw_tabs(const View& view, const char* id, ImVec2 end, std::span<const Tab> tabs) {
  const scene::Palette& p = view.palette;
  TabChoice choice;
  const float gap = view.px(kGap), height = view.px(22);
  float x = end.x;
  ImGui::PushID(id);
  for (std::size_t i = tabs.size(); i-- > 0;) {
    const Tab& tab = tabs[i];
    const Type type = type_of(view, tab);
    const float width = text_width(view, tab.label, type);
    const Rect felt{x - width - 0.4f * gap, end.y - 0.5f * height, width + 0.8f * gap, height};
    Hit hit = hit_area(static_cast<int>(i), felt);
    hit.clicked |= control_pressed(felt);
    Type shown = type;
    if (hit.hovered) shown.color = p.text;
    draw_text(view, {x, end.y}, tab.label, shown);
    if (tab.active) {
      fill({x - width, std::round(end.y + view.px(9)), width, std::max(1.5f, view.px(2))}, p.accent);
    }
    if (hit.hovered && !tab.tip.empty()) tooltip(view, tab.tip);
    if (hit.clicked && !tab.active) choice.clicked = static_cast<int>(i);
    x -= width + gap;
  }
  ImGui::PopID();
  choice.width = end.x - x;
  return choice;
}

}  // namespace warplens::panels
