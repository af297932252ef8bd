// What the lists under buttons offer: the rungs of the ladder, the kernels of a file of one's own, the
// launches that its host code makes, the pictures whose tabs a narrow panel has no room for.
#pragma once

#include <string>
#include <vector>

#include "app/state/action.h"
#include "app/state/catalog.h"

namespace warplens::app {

struct MenuEntry {
  std::string label;  // in the language of the state
  Action chosen;
  bool is_now = false;     // what is on screen
  std::string_view key{};  // of the languages, in place of a label
};
std::vector<MenuEntry> menu_entries(Menu::Of of, const State& state, const Catalog& catalog);

}  // namespace warplens::app
