#include "app/panels/widgets/popup.h"

#include <algorithm>
#include <cmath>

#include "app/input/menu.h"
#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/row_list.h"

namespace warplens::panels {
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

Actions draw_menu(const View& view, app::Menu::Of of, const Rect& button, const PopupLook& look) {
  Actions actions;
  if (!view.state.menu || view.state.menu->of != of || view.is_a) return actions;
  const std::vector<app::MenuEntry> entries = app::menu_entries(of, view.state, view.catalog);
  const scene::Palette& p = view.palette;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Overlay overlay(view, "menu", {0, 0, size.x, size.y}, 0);
  const Rect box = place_menu(view, button, entries.size(), look);
  fill(box, p.cell, view.px(8));
  outline(box, p.line, view.px(8), 1);
  const float margin = view.px(8);
  const Rect list{box.x + margin, box.y + margin, box.width - 2 * margin, box.height - 2 * margin};
  const int selected = view.state.menu->selected;
  bool clicked = false;
  draw_list(view, "entries", list, static_cast<int>(entries.size()), view.px(look.row), selected,
            [&](int i, const Rect& row) {
              const app::MenuEntry& entry = entries[static_cast<std::size_t>(i)];
              const std::string label = entry.key.empty() ? entry.label : view.strings(entry.key);
              const Hit hit = hit_area(i, row);
              if (i == selected) fill(row, scene::with_alpha(p.accent, 0.26f), view.px(5));
              if (i == selected) outline(row, p.accent, view.px(5), view.px(1.5f));
              if (hit.hovered && i != selected) fill(row, p.line, view.px(5));
              const Type type{look.size, p.text, Align::Left, look.face, row.width - view.px(16)};
              draw_text(view, {row.x + view.px(12), middle(row)}, label, type);
              if (hit.hovered && text_width(view, label, type) > type.room) tooltip(view, label);
              if (!hit.clicked) return;
              actions.push_back(app::ChooseMenu{i});
              clicked = true;
            });
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = mouse.x >= box.x && mouse.x < right(box) && mouse.y >= box.y && mouse.y < bottom(box);
  if (!clicked && !over && ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered())
    actions.push_back(app::ShowMenu{});
  return actions;
}

}  // namespace warplens::panels
