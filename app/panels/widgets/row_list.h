// Rows below each other in a box, scrolled where they have no room.
#pragma once

#include <algorithm>
#include <cmath>

#include "app/panels/widgets/ui.h"

namespace warplens::panels {

inline constexpr float kScrollbarRoom = 12;  // of the design

// Calls draw(i, rect) for every row in view; all have the same height (pixels). The `selected` one comes into
// view when it becomes another one; -1: there is none.
template <typename Draw>
void draw_list(const View& view, const char* id, const Rect& box, int count, float row, int selected,
               Draw draw) {
  ImGui::SetCursorScreenPos(top_left(box));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(id, {box.width, box.height}, false, ImGuiWindowFlags_NoNav);
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
  ImGui::SetCursorScreenPos({origin.x, origin.y + row * static_cast<float>(count) - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  ImGui::PopStyleVar();
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

}  // namespace warplens::panels
