// An animated GIF: one palette for all its pictures, so that a colour means the same throughout.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/budget.h"
#include "sim/base/message.h"

namespace warplens::scene {

struct GifFrame {
  std::filesystem::path png;  // all of one size
  double seconds = 1;
};

// What went wrong in words; empty: nothing. It plays again and again. Throws Stopped where the budget ends.
Message gif_bytes(const std::vector<GifFrame>& frames, std::string* bytes,
                  Budget& budget = Budget::endless());

}  // namespace warplens::scene
