#include "app/session/keys.h"

#include <optional>

#include "app/session/text_edit.h"

namespace warplens::session {
namespace {

const std::string& text_of(const State& state, const Catalog& catalog) {
  static const std::string kNone;
  if (state.settings.text) return *state.settings.text;
  const scenario::Scenario* s = catalog.find(state.settings.scenario);
  return s ? s->text : kNone;
}

// Those that mean the same whether or not a text is being edited.
std::optional<Actions> everywhere(const KeyPress& p, const State& state) {
  switch (p.key) {
    case Key::F1:
      return Actions{SetHelp{!state.help}};
    case Key::F2:
      return Actions{SetEditing{!state.editing}};
    case Key::F5:
      return Actions{SetPresent{!state.present}};
    case Key::F6:
      return Actions{SetTheme{state.theme == Theme::Dark ? Theme::Light : Theme::Dark}};
    case Key::F7:
      return Actions{SetLanguage{state.language == "en" ? "zh-CN" : "en"}};
    case Key::Escape:
      if (state.help) return Actions{SetHelp{false}};
      if (state.editing) return Actions{SetEditing{false}};
      if (state.present) return Actions{SetPresent{false}};
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

Actions editing(const KeyPress& p, const State& state, const Catalog& catalog, const Clipboard& clipboard) {
  const std::string& text = text_of(state, catalog);
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
  const scenario::Scenario* s = catalog.find(state.settings.scenario);
  if (s == nullptr || p.control) return {};
  for (const scenario::ScenarioParameter& parameter : s->parameters) {
    if (parameter.key.size() == 1 && parameter.key[0] == p.character) {
      return {StepParameter{parameter.name, p.shift ? -1 : 1}};
    }
  }
  if (p.character >= '1' && p.character <= '9') {
    const auto rungs = catalog.ladder_of(*s);
    const auto index = static_cast<std::size_t>(p.character - '1');
    if (index < rungs.size()) return {SelectScenario{rungs[index]->name}};
  }
  if (p.character == '[') return {StepRung{-1}};
  if (p.character == ']') return {StepRung{1}};
  return {};
}

Actions stepping(const KeyPress& p, const State& state, const Catalog& catalog) {
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
    case Key::Character:
      return of_character(p, state, catalog);
    default:
      return {};
  }
}

}  // namespace

Actions actions_of(const KeyPress& press, const State& state, const Catalog& catalog,
                   const Clipboard& clipboard) {
  if (std::optional<Actions> actions = everywhere(press, state)) return *std::move(actions);
  Actions actions =
      state.editing ? editing(press, state, catalog, clipboard) : stepping(press, state, catalog);
  if (!actions.empty() && state.hint) actions.push_back(DismissHint{});
  return actions;
}

bool is_quit(const KeyPress& press) {
  return press.key == Key::Character && press.control && press.character == 'q';
}

}  // namespace warplens::session
