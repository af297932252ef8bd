#include "app/panels/widgets/tabs.h"

#include <algorithm>
#include <cmath>

namespace warplens::panels {

namespace {

Type type_of(const View& view, const Tab& tab) {
  const scene::Palette& p = view.palette;
  return {13, tab.active ? p.text : p.secondary, Align::Right, tab.active ? Face::WordsBold : Face::Words};
}

constexpr float kGap = 12;

}  // namespace

float tabs_width(const View& view, std::span<const Tab> tabs) {
  float width = 0;
  for (const Tab& tab : tabs) width += text_width(view, tab.label, type_of(view, tab)) + view.px(kGap);
  return width;
}

TabChoice draw_tabs(const View& view, const char* id, ImVec2 end, std::span<const Tab> tabs) {
  const scene::Palette& p = view.palette;
  TabChoice choice;
  const float gap = view.px(kGap), height = view.px(22);
  float x = end.x;
  ImGui::PushID(id);
  for (std::size_t i = tabs.size(); i-- > 0;) {
    const Tab& tab = tabs[i];
    const Type type = type_of(view, tab);
    const float width = text_width(view, tab.label, type);
    const Rect felt{x - width - 0.4f * gap, end.y - 0.5f * height, width + 0.8f * gap, height};
    const Hit hit = hit_area(static_cast<int>(i), felt);
    Type shown = type;
    if (hit.hovered) shown.color = p.text;
    draw_text(view, {x, end.y}, tab.label, shown);
    if (tab.active) {
      fill({x - width, std::round(end.y + view.px(9)), width, std::max(1.5f, view.px(2))}, p.accent);
    }
    if (hit.hovered && !tab.tip.empty()) tooltip(view, tab.tip);
    if (hit.clicked && !tab.active) choice.clicked = static_cast<int>(i);
    x -= width + gap;
  }
  ImGui::PopID();
  choice.width = end.x - x;
  return choice;
}

}  // namespace warplens::panels
