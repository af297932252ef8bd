// A list that opens under a button, walked through by keys (menu_commands in sheet_commands.cpp).
#pragma once

#include "app/panels/panels.h"

namespace warplens::panels {

struct PopupLook {
  float width = 340, row = 32;  // of the design
  float size = 15;
  Face face = Face::Words;
};
// The menu of the state, where it is this one, under (or above) the button that it belongs to.
Actions draw_menu(const View& view, app::Menu::Of of, const Rect& button, const PopupLook& look);

}  // namespace warplens::panels
