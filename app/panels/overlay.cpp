#include "app/panels/overlay.h"

namespace warplens::panels {

Overlay::Overlay(const View& view, const char* name, const Rect& window, float dimmed) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({window.width, window.height});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  if (dimmed > 0) fill(window, scene::with_alpha(view.palette.window, dimmed));
}

Overlay::~Overlay() {
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace warplens::panels
