// What a link says: what is on screen and how, without its words (app/storage/link.h).
#pragma once

#include <optional>
#include <string>

#include "app/state/teaching.h"

namespace warplens::app {

struct Link {
  Viewpoint view;
  std::string language;        // empty: as it is
  std::optional<Theme> theme;  // none: as it is
  bool present = false;
  std::string lesson;  // empty: none is open
  int step = 0;        // of it; as many as there are: its challenge
};

}  // namespace warplens::app
