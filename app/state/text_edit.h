// Editing a text as functions of values: text and caret in, text and caret out.
#pragma once

#include <string>
#include <string_view>

#include "app/state/state.h"

namespace warplens::app {

struct Edited {
  std::string text;
  Caret caret;
};

enum class Move : std::uint8_t {
  Left,
  Right,
  WordLeft,
  WordRight,
  Up,
  Down,
  PageUp,
  PageDown,
  LineStart,
  LineEnd,
  TextStart,
  TextEnd
};
// `extend`: the anchor stays, so that the text between is selected.
Caret moved(std::string_view text, const Caret& caret, Move move, bool extend);

// In place of the selection.
Edited insert(std::string_view text, const Caret& caret, std::string_view what);
// A line's end, with the indentation of the line before.
Edited break_line(std::string_view text, const Caret& caret);
// The selection, or the character before (after) the caret.
Edited erase_before(std::string_view text, const Caret& caret);
Edited erase_after(std::string_view text, const Caret& caret);

std::string_view selected(std::string_view text, const Caret& caret);
// Inside the text and on the boundary of a character.
Caret valid(std::string_view text, Caret caret);

}  // namespace warplens::app
