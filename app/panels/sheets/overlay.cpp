#include "app/panels/sheets/overlay.h"

#include <algorithm>
#include <cmath>

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

Sheet::Sheet(const View& view, const Rect& window, const SheetLook& look)
    : overlay_(view, look.name, window, 0.72f), margin_(view.px(look.margin)) {
  const scene::Palette& p = view.palette;
  const float width = std::min(look.width, window.width - view.px(40));
  const float height = std::min(look.height, window.height - view.px(24));
  box_ = {std::round(window.x + 0.5f * (window.width - width)),
          std::round(window.y + look.rise * (window.height - height)), width, height};
  fill(box_, p.panel, view.px(10));
  outline(box_, p.accent, view.px(10), view.px(1.5f));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = mouse.x >= box_.x && mouse.x < right(box_) && mouse.y >= box_.y && mouse.y < bottom(box_);
  closed_ = !over && !look.stays && ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered();
  if (look.title.empty()) return;
  const float side = view.px(24);
  draw_text(view, {left(), box_.y + view.px(32)}, look.title, {19, p.text, Align::Left, Face::WordsBold});
  const Rect cross{left() + room() - side + view.px(6), box_.y + view.px(20), side, side};
  closed_ = icon_button(view, "close", cross, Icon::Cross, false).clicked || closed_;
}

}  // namespace warplens::panels
