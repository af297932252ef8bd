#include "app/input/text_keys.h"

#include <algorithm>

#include "app/state/chosen_kernel.h"
#include "app/state/text_edit.h"

namespace warplens::app {
namespace {

std::optional<Move> move_of(const KeyPress& p) {
  switch (p.key) {
    case Key::Left:
      return p.control ? Move::WordLeft : Move::Left;
    case Key::Right:
      return p.control ? Move::WordRight : Move::Right;
    case Key::Up:
      return Move::Up;
    case Key::Down:
      return Move::Down;
    case Key::PageUp:
      return Move::PageUp;
    case Key::PageDown:
      return Move::PageDown;
    case Key::Home:
      return p.control ? Move::TextStart : Move::LineStart;
    case Key::End:
      return p.control ? Move::TextEnd : Move::LineEnd;
    default:
      return std::nullopt;
  }
}

Actions with_clipboard(const KeyPress& p, const std::string& text, const Caret& caret,
                       const Clipboard& clipboard) {
  const std::string chosen(selected(text, caret));
  const auto change = [](Edited edited) {
    return Actions{SetText{std::move(edited.text), edited.caret, {}}};
  };
  switch (p.character) {
    case 'a':
      return {SetCaret{{static_cast<int>(text.size()), 0}}};
    case 'c':
      if (!chosen.empty()) clipboard.set(chosen);
      return {};
    case 'x':
      if (chosen.empty()) return {};
      clipboard.set(chosen);
      return change(insert(text, caret, {}));
    case 'v':
      return change(insert(text, caret, clipboard.get()));
    default:
      return {};
  }
}

}  // namespace

Actions in_editor(const KeyPress& p, In in) {
  const std::string& text = text_of(in.catalog, in.state.settings);
  const Caret caret = valid(text, in.state.caret);
  if (const std::optional<Move> move = move_of(p)) return {SetCaret{moved(text, caret, *move, p.shift)}};
  // A run of typing is undone as one.
  const auto change = [](Edited edited, const char* gesture) {
    return Actions{SetText{std::move(edited.text), edited.caret, gesture}};
  };
  switch (p.key) {
    case Key::Text:
      return change(insert(text, caret, p.text), "typing");
    case Key::Enter:
      return change(break_line(text, caret), "");
    case Key::Tab:
      return change(insert(text, caret, "  "), "typing");
    case Key::Backspace:
      return change(erase_before(text, caret), "erasing");
    case Key::Delete:
      return change(erase_after(text, caret), "erasing");
    case Key::Character:
      return p.control ? with_clipboard(p, text, caret, in.clipboard) : Actions{};
    default:
      return {};
  }
}

}  // namespace warplens::app
