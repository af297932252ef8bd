// Keys, and how they are written: "Ctrl Shift Z", "← →", "1 … 9".
#pragma once

#include <string_view>
#include <vector>

#include "app/platform/input.h"

namespace warplens::app {

using platform::Key;
using platform::KeyPress;

// The presses that a text names, in its order. "Ctrl" and "Shift" are of every key behind them up to a comma;
// "1 … 9" is every character from one to the other; a word that names no key is left out.
std::vector<KeyPress> presses_of(std::string_view keys);

}  // namespace warplens::app
