// The file chooser: recent files, then the folder. Everything that it shows is in the state.
#include <algorithm>

#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/row_list.h"
#include "app/panels/widgets/text_input.h"

namespace warplens::panels {
namespace {

// A folder, or a page with its corner folded.
void draw_entry_icon(const View& view, const app::ShownEntry& entry, ImVec2 at, const Color& color) {
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

void draw_entry(const View& view, const app::ShownEntry& entry, const Rect& line, bool chosen, bool hovered) {
  const scene::Palette& p = view.palette;
  if (chosen || hovered) fill(line, chosen ? scene::with_alpha(p.accent, 0.28f) : p.line, view.px(4));
  draw_entry_icon(view, entry, {line.x + view.px(16), middle(line)},
                  entry.is_folder ? p.accent : p.secondary);
  const float used = draw_text(view, {line.x + view.px(34), middle(line)}, entry.label,
                               {14, p.text, Align::Left, Face::Words, 0.6f * line.width});
  if (!entry.is_recent) return;
  const std::size_t slash = entry.path.find_last_of('/');
  draw_text(view, {right(line) - view.px(8), middle(line)},
            view.strings("dialog.recent") + " · " + entry.path.substr(0, std::max<std::size_t>(slash, 1)),
            {13, chosen ? p.text : p.secondary, Align::Right, Face::Words, line.width - used - view.px(60)});
}

Actions draw_entries(const View& view, const Rect& rect) {
  Actions actions;
  const std::vector<app::ShownEntry> entries = app::shown_entries(view.state);
  fill(rect, view.palette.cell, view.px(5));
  if (entries.empty())
    draw_text(view, {rect.x + view.px(14), rect.y + view.px(22)}, view.strings("dialog.empty"),
              {14, view.palette.faint});
  const int selected = view.state.dialog->selected;
  draw_list(view, "entries", inset(rect, view.px(4)), static_cast<int>(entries.size()), view.px(28), selected,
            [&](int i, const Rect& line) {
              const Hit hit = hit_area(i, line);
              draw_entry(view, entries[static_cast<std::size_t>(i)], line, i == selected, hit.hovered);
              // One click takes it, as in a menu; keys choose first.
              if (hit.clicked) {
                actions.push_back(app::SelectEntry{i});
                actions.push_back(app::ChooseEntry{});
              }
            });
  return actions;
}

}  // namespace

Actions draw_file_dialog(const View& view, const Rect& window) {
  const scene::Palette& p = view.palette;
  const app::FileDialog& dialog = *view.state.dialog;
  const Sheet sheet(view, window,
                    {"chooser", view.px(760), view.px(620), 0.45f, 24,
                     view.strings(dialog.saving ? "dialog.save" : "dialog.open"), true});
  Actions actions;
  if (sheet.closed()) actions.push_back(app::CloseDialog{});
  const float left = sheet.left(), room = sheet.room(), end = bottom(sheet.box());
  draw_text(view, {left + room - view.px(30), sheet.box().y + view.px(32)}, dialog.folder,
            {13, p.secondary, Align::Right, Face::Words, 0.6f * room});
  const Rect input{left, sheet.box().y + view.px(58), room, view.px(34)};
  InputLook look;
  look.size = 15;
  look.placeholder = view.strings(dialog.saving ? "dialog.name" : "dialog.filter");
  for (Action& action : draw_input(view, "dialog", input, {}, look)) actions.push_back(std::move(action));

  const Type small{13, p.costly, Align::Left, Face::Words};
  const std::string words = dialog.trouble.empty()
                                ? std::string()
                                : view.strings(dialog.trouble_key, {{"words", view.strings(dialog.trouble)}});
  const auto lines = wrapped(view, words, room, small);
  const float trouble = lines.empty() ? 0 : view.px(18) * static_cast<float>(lines.size()) + view.px(8);
  const float top = bottom(input) + view.px(12), foot = end - view.px(44);
  for (Action& action : draw_entries(view, {left, top, room, foot - trouble - top}))
    actions.push_back(std::move(action));
  float y = foot - trouble + view.px(14);
  for (const std::string& line : lines) {
    draw_text(view, {left, y}, line, small);
    y += view.px(18);
  }
  draw_text(view, {left, end - view.px(20)}, view.strings(dialog.saving ? "dialog.keys.save" : "dialog.keys"),
            {13, p.faint, Align::Left, Face::Words, room});
  return actions;
}

}  // namespace warplens::panels
