#include "app/panels/sheets/overlay.h"

namespace warplens::panels {

void push_scrollbars(const View& view) {
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, view.px(10));
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarRounding, view.px(5));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  ImGui::PushStyleColor(ImGuiCol_ScrollbarBg, 0);
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, color_of(view.palette.line));
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrabHovered, color_of(view.palette.faint));
  ImGui::PushStyleColor(ImGuiCol_ScrollbarGrabActive, color_of(view.palette.faint));
}

void pop_scrollbars() {
  ImGui::PopStyleColor(5);
  ImGui::PopStyleVar(2);
}

Overlay::Overlay(const View& view, const char* name, const Rect& window, float dimmed) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({window.width, window.height});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  push_scrollbars(view);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  if (dimmed > 0) fill(window, scene::with_alpha(view.palette.window, dimmed));
}

Overlay::~Overlay() {
  ImGui::End();
  pop_scrollbars();
  ImGui::PopStyleVar(2);
}

}  // namespace warplens::panels
