#include "app/panels/widgets/text_input.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/input/palette.h"
#include "app/panels/widgets/ui.h"
#include "app/state/sheets.h"

namespace warplens::panels {
namespace {

constexpr std::size_t kMostBytes = 1 << 16;  // of an input

// The input that has the keyboard.
struct Typing {
  std::string id, known;  // the text that ImGui has
  int caret = 0;          // bytes
  bool active = false;    // ImGui takes in what is typed
  int frame = -1;         // of ImGui, in which it was drawn last
  bool is_active(int in_frame) const { return active && frame == in_frame; }
} typing;

float x_of(const View& view, const std::string& text, int offset, const Type& type) {
  const auto end = static_cast<std::size_t>(std::clamp(offset, 0, static_cast<int>(text.size())));
  return text_width(view, std::string_view(text).substr(0, end), type);
}

// Takes over a text that was changed by something else (undo, a folder that was chosen), and notes the caret.
int follow(ImGuiInputTextCallbackData* data) {
  const std::string& text = *static_cast<const std::string*>(data->UserData);
  if (text != typing.known) {
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, text.c_str());
  }
  typing.caret = data->CursorPos;
  return 0;
}

// ImGui's input over the box, and its caret as the design has it. Gives the left end of the text.
float draw_typing(const View& view, const Rect& rect, const std::string& text, const Type& type,
                  float margin) {
  const SizedFont font = font_of(view, text, type);
  const float top = std::round(middle(rect) + top_from_middle(view, text, type));
  static char buffer[kMostBytes];
  std::snprintf(buffer, sizeof buffer, "%s", text.c_str());
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {margin, top - rect.y});
  ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
  ImGui::PushStyleColor(ImGuiCol_NavHighlight, 0);
  ImGui::PushStyleColor(ImGuiCol_Text, color_of(type.color));
  ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, color_of(scene::with_alpha(view.palette.accent, 0.30f)));
  push_font(font);
  ImGui::SetCursorScreenPos(top_left(rect));
  ImGui::SetNextItemWidth(rect.width);
  // What the mouse holds keeps it until it is let go.
  if (!typing.active && !ImGui::IsMouseDown(0)) ImGui::SetKeyboardFocusHere();
  ImGui::InputText("##typed", buffer, sizeof buffer, ImGuiInputTextFlags_CallbackAlways, follow,
                   const_cast<std::string*>(&text));  // which follow() only reads
  typing.active = ImGui::IsItemActive();
  typing.frame = ImGui::GetFrameCount();
  const bool left = ImGui::IsItemDeactivated() && ImGui::IsMouseClicked(0);
  ImGui::PopFont();
  ImGui::PopStyleColor(4);
  ImGui::PopStyleVar();
  // A click beside it ends the typing, but not in a sheet, which is there to be typed into.
  if (left && app::sheets_of(view.state).empty()) view.act(app::LeaveField{true, true});
  if (!typing.active) return rect.x + margin;
  typing.known = buffer;
  if (typing.known != text) view.act(app::EditField{typing.known});
  const float caret = text_caret().x + 1;
  fill({caret, rect.y + view.px(4), std::max(1.5f, view.px(1.6f)), rect.height - view.px(8)},
       view.palette.accent);
  return caret - x_of(view, typing.known, typing.caret, type);
}

}  // namespace

void draw_wave(const View& view, float x, float end, float y, const Color& color) {
  const float step = view.px(2.5f);
  std::vector<ImVec2> points;
  bool up = false;
  for (float at = x; at <= std::max(end, x + 4 * step); at += step, up = !up)
    points.push_back({at, up ? y - step : y});
  add_polyline(ImGui::GetWindowDrawList(), points.data(), static_cast<int>(points.size()), color_of(color),
               std::max(1.2f, view.px(1.4f)));
}

bool has_keyboard(const View& view, const std::string& id) {
  return view.state.field.id == id;
}

bool takes_typing(const app::State& state) {
  return typing.is_active(ImGui::GetFrameCount()) && typing.id == state.field.id;
}

void draw_input(const View& view, const std::string& id, const Rect& rect, const std::string& value,
                const InputLook& look) {
  const scene::Palette& p = view.palette;
  const bool active = has_keyboard(view, id);
  const std::string& text = active ? view.state.field.text : value;
  const Type type{look.size, look.wrong ? legible(p.costly, p.cell, p) : p.text, Align::Left, Face::Code};
  ImGui::PushID(id.c_str());
  const Hit hit = active ? Hit{} : hit_area("input", rect);
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
  float room = rect.width - 2 * margin, x = rect.x + margin;
  const Type quiet{std::max(look.size - 1, 13.0f), p.faint, Align::Right, Face::Code};
  if (!look.suffix.empty() && !active) {
    const float suffix = text_width(view, look.suffix, quiet);
    if (suffix + text_width(view, text, type) + view.px(10) < room) {
      draw_text(view, {right(rect) - margin, middle(rect)}, look.suffix, quiet);
      room -= suffix + view.px(6);
    }
  }
  if (active) {
    if (typing.id != id || !typing.is_active(ImGui::GetFrameCount() - 1)) typing = {id, text};
    x = draw_typing(view, rect, text, type, margin);
  }
  ImGui::PushClipRect({rect.x + 2, rect.y}, {right(rect) - 2, bottom(rect)}, true);
  if (text.empty()) {
    const float caret = active ? view.px(4) : 0;  // stands before the hint, not on its first letter
    draw_text(view, {x + caret, middle(rect)}, look.placeholder,
              {look.size, p.secondary, Align::Left, Face::Words, room - caret});
  } else if (!active) {
    Type drawn = type;
    drawn.room = room;
    draw_text(view, {x, middle(rect)}, text, drawn);
  }
  if (look.squiggle != nullptr) {
    const float a = x_of(view, text, look.squiggle->begin.column - 1, type);
    const float b = x_of(view, text, look.squiggle->end.column - 1, type);
    draw_wave(view, x + a, x + b, bottom(rect) - view.px(3), view.palette.costly);
  }
  ImGui::PopClipRect();
  if (hit.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (hit.clicked) view.act(app::FocusField{id});
  ImGui::PopID();
}

namespace {

// Below the button where there is room for it, else above; in the window in any case. Whole rows.
Rect place_menu(const View& view, const Rect& button, std::size_t entries, const PopupLook& look) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float margin = view.px(8), row = view.px(look.row), gap = view.px(4);
  const float below = window.y - bottom(button) - 2 * margin, above = button.y - 2 * margin;
  const float wanted = row * static_cast<float>(entries) + 2 * margin;
  const bool under = wanted <= below || below >= above;
  const float rows = std::floor((std::min(wanted, under ? below : above) - 2 * margin) / row);
  const float width = std::min(view.px(look.width), window.x - 2 * margin);
  const float height = row * std::max(rows, 1.0f) + 2 * margin;
  const float x = std::clamp(button.x, margin, std::max(window.x - width - margin, margin));
  return {x, under ? bottom(button) + gap : button.y - gap - height, width, height};
}

}  // namespace

void draw_menu(const View& view, app::Menu::Of of, const Rect& button, const PopupLook& look) {
  if (!view.state.menu || view.state.menu->of != of || view.is_a) return;
  const std::vector<app::MenuEntry> entries = app::menu_entries(of, view.state, view.catalog);
  const scene::Palette& p = view.palette;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Window over(view, "menu", {0, 0, size.x, size.y}, true);
  const Rect box = place_menu(view, button, entries.size(), look);
  draw_box(box, p.cell, p.line, view.px(8));
  const float margin = view.px(8);
  const Rect list{box.x + margin, box.y + margin, box.width - 2 * margin, box.height - 2 * margin};
  const int selected = view.state.menu->selected;
  bool clicked = false;
  draw_list(view, "entries", list, static_cast<int>(entries.size()), view.px(look.row), selected,
            [&](int i, const Rect& row) {
              const app::MenuEntry& entry = entries[static_cast<std::size_t>(i)];
              const std::string label =
                  (entry.key.empty() ? entry.label : view.strings(entry.key)) + (entry.is_now ? "  ✓" : "");
              const Hit hit = hit_area(i, row);
              draw_row_ground(view, row, i == selected, hit.hovered);
              const Type type{look.size, p.text, Align::Left, look.face, row.width - view.px(16)};
              draw_text(view, {row.x + view.px(12), middle(row)}, label, type);
              if (hit.hovered && text_width(view, label, type) > type.room) tooltip(view, label);
              if (!hit.clicked) return;
              view.act(app::ChooseMenu{i});
              clicked = true;
            });
  if (!clicked && !contains(box, ImGui::GetIO().MousePos) && ImGui::IsMouseClicked(0) &&
      ImGui::IsWindowHovered())
    view.act(app::CloseSheet{});
}

}  // namespace warplens::panels
