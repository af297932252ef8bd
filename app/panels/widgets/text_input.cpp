#include "app/panels/widgets/text_input.h"

#include <algorithm>
#include <cmath>

#include "app/panels/widgets/legible.h"
#include "sim/text/utf8.h"

namespace warplens::panels {
namespace {

// The boundary of a character nearest to x, counted from the text's left end.
int offset_at_x(const View& view, const std::string& text, float x, const Type& type) {
  int best = 0;
  float distance = std::abs(x);
  for (std::size_t i = 1; i <= text.size(); ++i) {
    if (i < text.size() && text::continues_character(text[i])) continue;
    const float here = std::abs(text_width(view, std::string_view(text).substr(0, i), type) - x);
    if (here < distance) distance = here, best = static_cast<int>(i);
  }
  return best;
}

float x_of(const View& view, const std::string& text, int offset, const Type& type) {
  const auto end = static_cast<std::size_t>(std::clamp(offset, 0, static_cast<int>(text.size())));
  return text_width(view, std::string_view(text).substr(0, end), type);
}

void draw_wave(const View& view, float x, float end, float y) {
  const float step = view.px(2.5f);
  std::vector<ImVec2> points;
  bool up = false;
  for (float at = x; at <= std::max(end, x + 4 * step); at += step, up = !up)
    points.push_back({at, up ? y - step : y});
  add_polyline(ImGui::GetWindowDrawList(), points.data(), static_cast<int>(points.size()),
               color_of(view.palette.costly), std::max(1.2f, view.px(1.4f)));
}

}  // namespace

bool has_keyboard(const View& view, const std::string& id) {
  return view.state.field.id == id;
}

Actions draw_input(const View& view, const std::string& id, const Rect& rect, const std::string& value,
                   const InputLook& look) {
  Actions actions;
  const scene::Palette& p = view.palette;
  const bool active = has_keyboard(view, id);
  const std::string& text = active ? view.state.field.text : value;
  const session::Caret caret = active ? view.state.field.caret : session::Caret{};
  const Type type{look.size, look.wrong ? legible(p.costly, p.cell, p) : p.text, Align::Left, Face::Code};
  const Hit hit = hit_area(id.c_str(), rect);
  const float radius = view.px(4), margin = view.px(7);
  fill(rect,
       active        ? scene::mix(p.cell, p.accent, 0.10f)
       : hit.hovered ? scene::mix(p.cell, p.text, 0.06f)
                     : p.cell,
       radius);
  outline(rect,
          look.wrong ? p.costly
          : active   ? p.accent
                     : p.line,
          radius, active || look.wrong ? view.px(1.5f) : 1);
  float room = rect.width - 2 * margin;
  const Type quiet{std::max(look.size - 1, 13.0f), p.faint, Align::Right, Face::Code};
  if (!look.suffix.empty() && !active) {
    const float suffix = text_width(view, look.suffix, quiet);
    if (suffix + text_width(view, text, type) + view.px(10) < room) {
      draw_text(view, {right(rect) - margin, middle(rect)}, look.suffix, quiet);
      room -= suffix + view.px(6);
    }
  }
  // What is longer than its room is pushed aside, so that the caret can be seen.
  const float caret_x = x_of(view, text, caret.offset, type);
  const float shift = active ? std::max(0.0f, caret_x - room + view.px(2)) : 0;
  const float x = rect.x + margin - shift;
  ImGui::PushClipRect({rect.x + 2, rect.y}, {right(rect) - 2, bottom(rect)}, true);
  if (active && caret.offset != caret.anchor) {
    const float a = x_of(view, text, std::min(caret.offset, caret.anchor), type);
    const float b = x_of(view, text, std::max(caret.offset, caret.anchor), type);
    fill({x + a, rect.y + view.px(3), b - a, rect.height - view.px(6)}, scene::with_alpha(p.accent, 0.30f));
  }
  if (text.empty()) {
    draw_text(view, {x, middle(rect)}, look.placeholder,
              {look.size, p.secondary, Align::Left, Face::Words, room});
  } else {
    Type drawn = type;
    drawn.room = active ? 0 : room;
    draw_text(view, {x, middle(rect)}, text, drawn);
  }
  if (look.squiggle != nullptr) {
    const float a = x_of(view, text, look.squiggle->begin.column - 1, type);
    const float b = x_of(view, text, look.squiggle->end.column - 1, type);
    draw_wave(view, x + a, x + b, bottom(rect) - view.px(3));
  }
  if (active)
    fill({std::round(x + caret_x), rect.y + view.px(4), std::max(1.5f, view.px(1.6f)),
          rect.height - view.px(8)},
         p.accent);
  ImGui::PopClipRect();
  if (hit.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  const float pointed = ImGui::GetIO().MousePos.x - x;
  if (!active && hit.clicked) actions.push_back(session::FocusField{id});
  if (active && (hit.held || hit.clicked)) {
    const int offset = offset_at_x(view, text, pointed, type);
    const bool begins = ImGui::IsItemActivated() && !ImGui::GetIO().KeyShift;
    const session::Caret to{offset, begins ? offset : caret.anchor};
    if (!(to == caret)) actions.push_back(session::EditField{text, to});
  }
  return actions;
}

Hit glyph_button(const View& view, const char* id, const Rect& rect, Glyph glyph, bool active) {
  const Hit hit = hit_area(id, rect);
  const scene::Palette& p = view.palette;
  const float radius = 0.5f * std::min(rect.width, rect.height);
  fill(rect, active ? p.accent : hit.hovered ? scene::mix(p.cell, p.text, 0.12f) : p.cell, radius);
  if (!active) outline(rect, p.line, radius, 1);
  const ImU32 ink = color_of(active ? (p.dark ? p.window : p.panel) : p.text);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float cx = rect.x + 0.5f * rect.width, cy = middle(rect), h = 0.21f * rect.height,
              thick = std::max(1.3f, view.px(1.5f));
  const auto line = [&](float x0, float y0, float x1, float y1) {
    list->AddLine({cx + x0 * h, cy + y0 * h}, {cx + x1 * h, cy + y1 * h}, ink, thick);
  };
  if (glyph == Glyph::Open) {  // a folder
    line(-1.1f, -0.8f, -0.3f, -0.8f), line(-0.3f, -0.8f, 0.0f, -0.45f), line(0.0f, -0.45f, 1.1f, -0.45f);
    line(1.1f, -0.45f, 1.1f, 0.9f), line(1.1f, 0.9f, -1.1f, 0.9f), line(-1.1f, 0.9f, -1.1f, -0.8f);
  } else if (glyph == Glyph::Save) {  // an arrow onto a tray
    line(0, -1.1f, 0, 0.35f), line(-0.6f, -0.25f, 0, 0.35f), line(0.6f, -0.25f, 0, 0.35f);
    line(-1.0f, 0.2f, -1.0f, 0.95f), line(-1.0f, 0.95f, 1.0f, 0.95f), line(1.0f, 0.95f, 1.0f, 0.2f);
  } else {  // sliders
    for (const auto& [y, knob] : {std::pair{-0.8f, 0.4f}, {0.0f, -0.5f}, {0.8f, 0.1f}}) {
      line(-1.1f, y, 1.1f, y);
      list->AddCircleFilled({cx + knob * h, cy + y * h}, 1.5f * thick, ink, 12);
    }
  }
  return hit;
}

}  // namespace warplens::panels
