// A list that opens under a button.
#pragma once

#include "app/panels/widgets/ui.h"

namespace warplens::panels {

struct PopupLook {
  float width = 340, row = 32;  // of the design
  float size = 15;
  Face face = Face::Words;
};
// Of the popup that ImGui::OpenPopup(id) opened; the entry that was chosen, once.
std::optional<std::size_t> popup_list(const View& view, const char* id,
                                      const std::vector<std::string>& entries, const PopupLook& look);

}  // namespace warplens::panels
