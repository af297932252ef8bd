// Rows below each other in a box: as high as they like where there is room, and scrolled where there is not.
#pragma once

#include <algorithm>

#include "app/panels/widgets/ui.h"

namespace warplens::panels {

// Calls draw(i, rect) for every row. Between `natural` and `least` (pixels) they share the room; where
// `least` does not fit either, the wheel scrolls them and none stands on another. Nothing is drawn where not
// even one has room.
template <typename Draw>
void draw_rows(const View& view, const char* id, const Rect& box, int count, float natural, float least,
               Draw draw) {
  if (count <= 0 || box.height < least) return;
  const auto row_at = [&](float top, float width, float height, int i) {
    return Rect{box.x, top + height * static_cast<float>(i), width, height};
  };
  const float share = box.height / static_cast<float>(count);
  if (share >= least) {
    for (int i = 0; i < count; ++i) draw(i, row_at(box.y, box.width, std::min(natural, share), i));
    return;
  }
  const float bar = view.px(10);  // the scrollbar's room
  ImGui::SetCursorScreenPos(top_left(box));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(id, {box.width, box.height}, false, ImGuiWindowFlags_NoNav);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  for (int i = 0; i < count; ++i) {
    const Rect row = row_at(origin.y, box.width - bar, least, i);
    if (bottom(row) > box.y && row.y < bottom(box)) draw(i, row);
  }
  ImGui::SetCursorScreenPos({origin.x, origin.y + least * static_cast<float>(count) - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace warplens::panels
