#include "app/panels/widgets/popup.h"

namespace warplens::panels {

std::optional<std::size_t> popup_list(const View& view, const char* id,
                                      const std::vector<std::string>& entries, const PopupLook& look) {
  std::optional<std::size_t> chosen;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {view.px(8), view.px(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, view.px(8));
  ImGui::PushStyleColor(ImGuiCol_PopupBg, color_of(view.palette.cell));
  ImGui::PushStyleColor(ImGuiCol_Border, color_of(view.palette.line));
  if (ImGui::BeginPopup(id)) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const Rect row{at.x, at.y, view.px(look.width), view.px(look.row)};
      const Hit hit = hit_area(static_cast<int>(i), row);
      if (hit.hovered) fill(row, view.palette.line, view.px(5));
      draw_text(view, {row.x + view.px(12), middle(row)}, entries[i],
                {look.size, view.palette.text, Align::Left, look.face, row.width - view.px(16)});
      if (hit.clicked) chosen = i;
    }
    if (chosen) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
  return chosen;
}

}  // namespace warplens::panels
