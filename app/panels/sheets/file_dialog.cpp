// The file chooser: recent files, then the folder. Everything that it shows is in the state.
#include <algorithm>

#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/text_input.h"

namespace warplens::panels {
namespace {

// A folder, or a page with its corner folded.
void draw_entry_icon(const View& view, const session::ShownEntry& entry, ImVec2 at, const Color& color) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 ink = color_of(color);
  const float h = view.px(6), thick = std::max(1.2f, view.px(1.3f));
  if (entry.is_folder) {
    list->AddRectFilled({at.x - h, at.y - 0.75f * h}, {at.x - 0.1f * h, at.y}, ink, 1);
    list->AddRectFilled({at.x - h, at.y - 0.4f * h}, {at.x + 1.1f * h, at.y + 0.9f * h}, ink, 1);
    return;
  }
  add_rect(list, {at.x - 0.75f * h, at.y - h}, {at.x + 0.75f * h, at.y + h}, ink, 1, thick);
  for (const float y : {-0.35f, 0.1f, 0.55f})
    list->AddLine({at.x - 0.4f * h, at.y + y * h}, {at.x + 0.4f * h, at.y + y * h}, ink, 1);
}

Actions draw_list(const View& view, const Rect& rect) {
  Actions actions;
  const scene::Palette& p = view.palette;
  const session::FileDialog& dialog = *view.state.dialog;
  const std::vector<session::ShownEntry> entries = session::shown_entries(view.state);
  fill(rect, p.cell, view.px(5));
  if (entries.empty()) {
    draw_text(view, {rect.x + view.px(14), rect.y + view.px(22)}, view.strings("dialog.empty"),
              {14, p.faint});
    return actions;
  }
  ImGui::SetCursorScreenPos({rect.x + view.px(4), rect.y + view.px(4)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  const float width = rect.width - view.px(8), height = rect.height - view.px(8), row = view.px(28);
  ImGui::BeginChild("entries", {width, height}, false, ImGuiWindowFlags_NoNav);
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID kept = ImGui::GetID("kept");
  if (storage->GetInt(kept, -2) != dialog.selected) {
    storage->SetInt(kept, dialog.selected);
    const float y = row * static_cast<float>(std::max(dialog.selected, 0));
    if (y < ImGui::GetScrollY()) ImGui::SetScrollY(y);
    if (y + row > ImGui::GetScrollY() + height) ImGui::SetScrollY(y + row - height);
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const auto count = static_cast<int>(entries.size());
  const int first = std::clamp(static_cast<int>(ImGui::GetScrollY() / row), 0, count);
  const int last = std::clamp(first + static_cast<int>(height / row) + 2, 0, count);
  for (int i = first; i < last; ++i) {
    const session::ShownEntry& entry = entries[static_cast<std::size_t>(i)];
    const Rect line{origin.x, origin.y + row * static_cast<float>(i), width - view.px(12), row};
    const Hit hit = hit_area(i, line);
    const bool chosen = i == dialog.selected;
    if (chosen || hit.hovered) fill(line, chosen ? scene::with_alpha(p.accent, 0.28f) : p.line, view.px(4));
    draw_entry_icon(view, entry, {line.x + view.px(16), middle(line)},
                    entry.is_folder ? p.accent : p.secondary);
    const float x = line.x + view.px(34);
    const float used = draw_text(view, {x, middle(line)}, entry.label,
                                 {14, p.text, Align::Left, Face::Words, 0.6f * line.width});
    if (entry.is_recent) {
      const std::size_t slash = entry.path.find_last_of('/');
      draw_text(
          view, {right(line) - view.px(8), middle(line)},
          view.strings("dialog.recent") + " · " + entry.path.substr(0, std::max<std::size_t>(slash, 1)),
          {13, chosen ? p.text : p.secondary, Align::Right, Face::Words, line.width - used - view.px(60)});
    }
    // One click takes it, as in a menu; keys choose first.
    if (hit.clicked) {
      actions.push_back(session::SelectEntry{i});
      actions.push_back(session::ChooseEntry{});
    }
  }
  ImGui::SetCursorScreenPos({origin.x, origin.y + row * static_cast<float>(count)});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return actions;
}

}  // namespace

Actions draw_file_dialog(const View& view, const Rect& window) {
  Actions actions;
  const scene::Palette& p = view.palette;
  const session::FileDialog& dialog = *view.state.dialog;
  const Overlay overlay(view, "chooser", window, 0.72f);
  const float width = std::min(view.px(760), window.width - view.px(60));
  const float height = std::min(view.px(620), window.height - view.px(60));
  const Rect sheet{std::round(window.x + 0.5f * (window.width - width)),
                   std::round(window.y + 0.45f * (window.height - height)), width, height};
  fill(sheet, p.panel, view.px(10));
  outline(sheet, p.accent, view.px(10), view.px(1.5f));
  const float margin = view.px(24), left = sheet.x + margin, room = sheet.width - 2 * margin;
  draw_text(view, {left, sheet.y + view.px(32)}, view.strings(dialog.saving ? "dialog.save" : "dialog.open"),
            {19, p.text, Align::Left, Face::WordsBold});
  draw_text(view, {right(sheet) - margin - view.px(30), sheet.y + view.px(32)}, dialog.folder,
            {13, p.secondary, Align::Right, Face::Words, 0.6f * room});
  const float cross = view.px(24);
  if (icon_button(view, "close",
                  {right(sheet) - margin - cross + view.px(6), sheet.y + view.px(20), cross, cross},
                  Icon::Cross, false)
          .clicked)
    actions.push_back(session::CloseDialog{});
  const Rect input{left, sheet.y + view.px(58), room, view.px(34)};
  InputLook look;
  look.size = 15;
  look.placeholder = view.strings(dialog.saving ? "dialog.name" : "dialog.filter");
  for (Action& action : draw_input(view, "dialog", input, {}, look)) actions.push_back(std::move(action));

  const Type small{13, p.costly, Align::Left, Face::Words};
  const std::string words =
      dialog.trouble.empty() ? std::string() : view.strings(dialog.trouble_key, {{"words", dialog.trouble}});
  const auto lines = wrapped(view, words, room, small);
  const float trouble = lines.empty() ? 0 : view.px(18) * static_cast<float>(lines.size()) + view.px(8);
  const float top = bottom(input) + view.px(12), foot = bottom(sheet) - view.px(44);
  for (Action& action : draw_list(view, {left, top, room, foot - trouble - top}))
    actions.push_back(std::move(action));
  float y = foot - trouble + view.px(14);
  for (const std::string& line : lines) {
    draw_text(view, {left, y}, line, small);
    y += view.px(18);
  }
  draw_text(view, {left, bottom(sheet) - view.px(20)},
            view.strings(dialog.saving ? "dialog.keys.save" : "dialog.keys"),
            {13, p.faint, Align::Left, Face::Words, room});
  return actions;
}

}  // namespace warplens::panels
