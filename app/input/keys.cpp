#include "app/input/keys.h"

#include <algorithm>
#include <optional>

#include "app/input/class_keys.h"
#include "app/language/languages.h"
#include "app/source/index_expression.h"
#include "app/state/chosen_kernel.h"
#include "app/state/text_edit.h"

namespace warplens::session {
namespace {

// Those that open a sheet: from everywhere, also from another one, which gives way (sheets.h).
std::optional<Actions> of_sheets(const KeyPress& p, const State& state) {
  const Classroom& c = state.classroom;
  if (p.key == Key::F1) return p.shift ? Actions{ShowTour{!c.tour}} : Actions{SetHelp{!state.help}};
  if (p.key == Key::F8 && !p.shift) return Actions{ShowLessons{!c.list}};
  if (p.key != Key::Character || !p.control) return std::nullopt;
  switch (p.character) {
    case 'o':
      // A second one would forget what is typed.
      return state.dialog && !state.dialog->saving ? Actions{} : Actions{ShowDialog{false}};
    case 'p':
      return Actions{ShowPalette{!c.palette}};
    case 's':
      return state.dialog && state.dialog->saving ? Actions{} : Actions{Save{p.shift}};
    case 'e':
      return Actions{ShowShare{!state.share}};
    default:
      return std::nullopt;
  }
}

// Those that mean the same whether or not a text is being edited.
std::optional<Actions> everywhere(const KeyPress& p, const State& state) {
  switch (p.key) {
    case Key::F2:
      return Actions{SetEditing{!state.editing}};
    case Key::F3:
      if (p.shift) return Actions{CompareRungs{}};
      return state.pinned ? Actions{LeaveComparison{}} : Actions{PinA{}};
    case Key::F4:
      return p.shift ? Actions{ReturnToA{}} : Actions{SwapAB{}};
    case Key::F5:
      return Actions{SetPresent{!state.present}};
    case Key::F6:
      return Actions{SetTheme{state.theme == Theme::Dark ? Theme::Light : Theme::Dark}};
    case Key::F7:
      return Actions{SetLanguage{language::next_language(state.language)}};
    case Key::F10:
      if (p.shift && state.map.shown)
        return Actions{SetMapScope{static_cast<MapScope>((static_cast<int>(state.map.scope) + 1) % 3)}};
      return Actions{ShowMap{!state.map.shown}};
    case Key::F11:
      return Actions{ShowPhases{!state.phases}};
    case Key::F12:
      return Actions{SetStills{!state.stills}};
    case Key::Escape:
      if (state.help) return Actions{SetHelp{false}};
      if (state.notice) return Actions{DismissNotice{}};
      if (state.editing) return Actions{SetEditing{false}};
      if (state.map.held) return Actions{HoldMap{false}};
      if (state.present) return Actions{SetPresent{false}};
      if (state.pinned) return Actions{LeaveComparison{}};
      return Actions{};
    default:
      break;
  }
  if (p.key != Key::Character || !p.control) return std::nullopt;
  switch (p.character) {
    case 'z':
      return p.shift ? Actions{Redo{}} : Actions{Undo{}};
    case 'y':
      return Actions{Redo{}};
    case 'k':
      return Actions{CheckKernel{}};
    case '.':
      return Actions{Halt{!state.halted}};
    case '+':
    case '=':
      return Actions{SetZoom{state.zoom * 1.1f}};
    case '-':
      return Actions{SetZoom{state.zoom / 1.1f}};
    case '0':
      return Actions{SetZoom{1}};
    default:
      return std::nullopt;
  }
}

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

// A change of a one-line input by the keys that every input has; nothing where the key means nothing to it.
std::optional<Actions> in_line(const KeyPress& p, const TextField& field, const Clipboard& clipboard) {
  const Caret caret = valid(field.text, field.caret);
  const auto change = [](Edited edited) {
    std::replace_if(
        edited.text.begin(), edited.text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return Actions{EditField{std::move(edited.text), edited.caret}};
  };
  const std::optional<Move> move = move_of(p);
  if (move && p.key != Key::Up && p.key != Key::Down && p.key != Key::PageUp && p.key != Key::PageDown)
    return Actions{EditField{field.text, moved(field.text, caret, *move, p.shift)}};
  if (p.key == Key::Text) return change(insert(field.text, caret, p.text));
  if (p.key == Key::Backspace) return change(erase_before(field.text, caret));
  if (p.key == Key::Delete) return change(erase_after(field.text, caret));
  if (p.key != Key::Character || !p.control) return std::nullopt;
  const std::string chosen(selected(field.text, caret));
  switch (p.character) {
    case 'a':
      return Actions{EditField{field.text, {static_cast<int>(field.text.size()), 0}}};
    case 'c':
      if (!chosen.empty()) clipboard.set(chosen);
      return Actions{};
    case 'x':
      if (!chosen.empty()) clipboard.set(chosen);
      return change(insert(field.text, caret, {}));
    case 'v':
      return change(insert(field.text, caret, clipboard.get()));
    default:
      return std::nullopt;
  }
}

std::optional<Actions> in_dialog(const KeyPress& p, const State& state, const Clipboard& clipboard) {
  switch (p.key) {
    case Key::Escape:
      return Actions{CloseDialog{}};
    case Key::Enter:
      return Actions{ChooseEntry{}};
    case Key::Up:
      return Actions{MoveSelection{-1}};
    case Key::Down:
      return Actions{MoveSelection{1}};
    case Key::PageUp:
      return Actions{MoveSelection{-10}};
    case Key::PageDown:
      return Actions{MoveSelection{10}};
    case Key::Backspace:
      if (state.field.text.empty()) return Actions{GoToParent{}};
      break;
    default:
      break;
  }
  if (std::optional<Actions> actions = in_line(p, state.field, clipboard)) return actions;
  const bool of_the_window = p.key == Key::F5 || p.key == Key::F6 || p.key == Key::F7 ||
                             (p.control && (p.character == '+' || p.character == '=' || p.character == '-' ||
                                            p.character == '0' || p.character == 'q'));
  return of_the_window ? std::nullopt : std::optional<Actions>(Actions{});
}

std::optional<Actions> in_palette(const KeyPress& p, const State& state, const Clipboard& clipboard) {
  switch (p.key) {
    case Key::Escape:
      return Actions{ShowPalette{false}};
    case Key::Enter:
      return Actions{ChooseCommand{}};
    case Key::Up:
      return Actions{MovePalette{-1}};
    case Key::Down:
      return Actions{MovePalette{1}};
    case Key::PageUp:
      return Actions{MovePalette{-10}};
    case Key::PageDown:
      return Actions{MovePalette{10}};
    default:
      break;
  }
  if (std::optional<Actions> actions = in_line(p, state.field, clipboard)) return actions;
  const bool of_the_window = p.key == Key::F5 || p.key == Key::F6 || p.key == Key::F7;
  return of_the_window ? std::nullopt : std::optional<Actions>(Actions{});
}

std::optional<Actions> in_field(const KeyPress& p, const State& state, const Clipboard& clipboard) {
  switch (p.key) {
    case Key::Escape:
      return Actions{LeaveField{false}};
    case Key::Enter:
      return Actions{LeaveField{true}};
    case Key::Tab:
      return Actions{NextField{p.shift ? -1 : 1}};
    case Key::Up:
      return Actions{NextField{-1}};
    case Key::Down:
      return Actions{NextField{1}};
    default:
      return in_line(p, state.field, clipboard);
  }
}

Actions editing(const KeyPress& p, const State& state, const Catalog& catalog, const Clipboard& clipboard) {
  const std::string& text = text_of(catalog, state.settings);
  const Caret caret = valid(text, state.caret);
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
      return p.control ? with_clipboard(p, text, caret, clipboard) : Actions{};
    default:
      return {};
  }
}

Actions of_character(const KeyPress& p, const State& state, const Catalog& catalog) {
  const scenario::Scenario* s = scenario_of(catalog, state.settings);
  if (s == nullptr || p.control) return {};
  for (const scenario::ScenarioParameter& parameter : s->parameters) {
    if (parameter.key.size() == 1 && parameter.key[0] == p.character) {
      return {StepParameter{parameter.name, p.shift ? -1 : 1}};
    }
  }
  if (state.map.shown) {
    if (p.character == '+' || p.character == '=') return {ZoomMap{2}};
    if (p.character == '-') return {ZoomMap{0.5}};
    if (p.character == '0') return {MoveMap{}};
    if (p.character == '.') return {FindOnMap{}};
  }
  // A scenario's own key goes before these.
  if (p.character == 'e') return {SetEditing{true}};
  if (p.character == 'w') return {SetGridMargin{!state.grid_margin}};
  if (p.character == 'l' && state.settings.own) return {ShowForm{!state.form}};
  if (p.character == 'i' && find_index(text_of(catalog, state.settings))) return {FocusField{kIndexInput}};
  if (p.character >= '1' && p.character <= '9' && !state.settings.own) {
    const auto rungs = catalog.ladder_of(*s);
    const auto index = static_cast<std::size_t>(p.character - '1');
    if (index < rungs.size()) return {SelectScenario{rungs[index]->name}};
  }
  if (p.character == '[') return {StepRung{-1}};
  if (p.character == ']') return {StepRung{1}};
  return {};
}

// Without an editor the clipboard holds places: the line of text that stands for what is on screen.
std::optional<Actions> of_clipboard(const KeyPress& p, const Clipboard& clipboard) {
  if (p.key != Key::Character || !p.control) return std::nullopt;
  if (p.character == 'c') return Actions{CopyPlace{}};
  if (p.character == 'v') return Actions{OpenPlace{clipboard.get()}};
  return std::nullopt;
}

// In the sheet of exports; its folder is a one-line input.
std::optional<Actions> in_share(const KeyPress& p, const State& state) {
  switch (p.key) {
    case Key::Escape:
      return Actions{ShowShare{false}};
    case Key::Enter:
    case Key::Space:
      return Actions{Export{}};
    case Key::Up:
      return Actions{MoveShare{-1, 0}};
    case Key::Down:
      return Actions{MoveShare{1, 0}};
    case Key::Left:
      return Actions{MoveShare{0, -1}};
    case Key::Right:
      return Actions{MoveShare{0, 1}};
    case Key::Home:
      return Actions{ChooseShare{0, 0}};
    case Key::End:
      return Actions{ChooseShare{1000, 0}};
    case Key::Tab:
      return Actions{FocusField{kShareFolder}};
    case Key::Character:
      if (p.control && p.character == 'c') return Actions{CopyPlace{}};
      if (p.control || state.share->busy) return std::nullopt;
      return Actions{};
    default:
      return std::nullopt;
  }
}

// The map has the arrow keys: a tenth of what is in view, with shift as much as is in view.
std::optional<Actions> on_map(const KeyPress& p, const State& state) {
  if (p.control) return std::nullopt;
  const double by = p.shift ? 0.9 : 0.1;
  switch (p.key) {
    case Key::Left:
      return Actions{PanMap{-by, 0}};
    case Key::Right:
      return Actions{PanMap{by, 0}};
    case Key::Up:
      return Actions{PanMap{0, -by}};
    case Key::Down:
      return Actions{PanMap{0, by}};
    case Key::PageUp:
      return Actions{ZoomMap{2}};
    case Key::PageDown:
      return Actions{ZoomMap{0.5}};
    case Key::Enter:
      return Actions{HoldMap{!state.map.held}};
    default:
      return std::nullopt;
  }
}

Actions stepping(const KeyPress& p, const State& state, const Catalog& catalog) {
  if (state.map.held || (state.map.shown && p.key == Key::Enter)) {
    if (std::optional<Actions> actions = on_map(p, state)) return *std::move(actions);
  }
  const auto across = [&](int by) -> Actions {
    if (p.control) return {StepWavefront{by}};
    if (p.shift) return {StepLine{by}};
    return {StepAccess{by}};
  };
  switch (p.key) {
    case Key::Space:
      return {SetPlaying{!state.playback.playing}};
    case Key::Left:
      return across(-1);
    case Key::Right:
      return across(1);
    case Key::Up:
      return {StepWarp{-1}};
    case Key::Down:
      return {StepWarp{1}};
    case Key::PageUp:
      return {StepBlock{-1}};
    case Key::PageDown:
      return {StepBlock{1}};
    case Key::Home:
      return {GoToEnd{false}};
    case Key::End:
      return {GoToEnd{true}};
    case Key::Tab:
      if (state.map.shown) return {StepMapArray{p.shift ? -1 : 1}};
      return {};
    case Key::Character:
      return of_character(p, state, catalog);
    default:
      return {};
  }
}

}  // namespace

Actions actions_of(const KeyPress& press, const State& state, const Catalog& catalog,
                   const Clipboard& clipboard) {
  if (press.key == Key::Escape && state.reading) return {EndReading{}};
  if (std::optional<Actions> actions = of_sheets(press, state)) return *std::move(actions);
  if (state.classroom.palette) {
    if (std::optional<Actions> actions = in_palette(press, state, clipboard)) return *std::move(actions);
  } else if (state.dialog) {
    if (std::optional<Actions> actions = in_dialog(press, state, clipboard)) return *std::move(actions);
  } else if (!state.field.id.empty()) {
    if (std::optional<Actions> actions = in_field(press, state, clipboard)) return *std::move(actions);
  }
  if (state.share && state.field.id.empty()) {
    if (std::optional<Actions> actions = in_share(press, state)) return *std::move(actions);
  }
  if (!state.dialog && state.field.id.empty()) {
    if (std::optional<Actions> actions = in_class(press, state, catalog)) return *std::move(actions);
  }
  if (std::optional<Actions> actions = everywhere(press, state)) return *std::move(actions);
  if (state.dialog || state.share || !state.field.id.empty()) return {};
  if (!state.editing) {
    if (std::optional<Actions> actions = of_clipboard(press, clipboard)) return *std::move(actions);
  }
  Actions actions =
      state.editing ? editing(press, state, catalog, clipboard) : stepping(press, state, catalog);
  if (!actions.empty() && state.hint) actions.push_back(DismissHint{});
  return actions;
}

bool is_quit(const KeyPress& press) {
  return press.key == Key::Character && press.control && press.character == 'q';
}

}  // namespace warplens::session
