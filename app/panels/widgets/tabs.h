// A choice of a few words in a panel's heading: quiet, the chosen one underlined.
#pragma once

#include <span>

#include "app/panels/widgets/ui.h"

namespace warplens::panels {

struct Tab {
  std::string label, tip;
  bool active = false;
};
struct TabChoice {
  float width = 0;   // drawn, to the left of `end`
  int clicked = -1;  // which, or none
};
float tabs_width(const View& view, std::span<const Tab> tabs);  // as TabChoice::width
// `end`: the row's right end and vertical middle.
TabChoice draw_tabs(const View& view, const char* id, ImVec2 end, std::span<const Tab> tabs);

}  // namespace warplens::panels
