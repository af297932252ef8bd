#include "app/session/bindings.h"

namespace warplens::session {
namespace {

KeyPress press(Key key, bool shift = false, bool control = false) {
  return {key, 0, {}, shift, control};
}
KeyPress letter(char c, bool shift = false) {
  return {Key::Character, c, {}, shift, false};
}
KeyPress control(char c, bool shift = false) {
  return {Key::Character, c, {}, shift, true};
}

std::vector<KeyPress> digits() {
  std::vector<KeyPress> all;
  for (char c = '1'; c <= '9'; ++c) all.push_back(letter(c));
  return all;
}

std::vector<KeyPress> letters() {
  std::vector<KeyPress> all;
  for (char c = 'a'; c <= 'z'; ++c) all.push_back(letter(c)), all.push_back(letter(c, true));
  return all;
}

std::vector<KeyPress> answers() {
  std::vector<KeyPress> all{press(Key::Enter), letter('0'), letter('-'), press(Key::Backspace)};
  for (const KeyPress& digit : digits()) all.push_back(digit);
  return all;
}

std::vector<Binding> all_bindings() {
  return {
      {"Space", "help.play", {press(Key::Space)}},
      {"→ ←", "help.access", {press(Key::Right), press(Key::Left)}},
      {"Ctrl → ←", "help.wavefront", {press(Key::Right, false, true), press(Key::Left, false, true)}},
      {"Shift → ←", "help.line", {press(Key::Right, true), press(Key::Left, true)}},
      {"↓ ↑", "help.warp", {press(Key::Down), press(Key::Up)}},
      {"PgDn PgUp", "help.block", {press(Key::PageDown), press(Key::PageUp)}},
      {"Home End", "help.ends", {press(Key::Home), press(Key::End)}},
      {"1 … 9", "help.rung", digits(), false},
      {"] [", "help.next_rung", {letter(']'), letter('[')}},
      {"P X Y …", "help.parameter", letters(), false},
      {"Ctrl Z", "help.undo", {control('z')}},
      {"Ctrl Y", "help.redo", {control('y'), control('z', true)}},
      {"E  F2", "help.edit", {press(Key::F2), letter('e')}},
      {"W", "help.margin", {letter('w')}},
      {"Ctrl O", "help.open", {control('o')}},
      {"Ctrl S", "help.save", {control('s'), control('s', true)}},
      {"Ctrl E", "help.share", {control('e')}},
      {"Ctrl C  Ctrl V", "help.place", {control('c'), control('v')}, false},
      {"L", "help.form", {letter('l')}},
      {"I", "help.index", {letter('i')}},
      {"Ctrl .", "help.stop", {control('.')}},
      {"Ctrl K", "help.check", {control('k')}},
      {"Ctrl P", "help.palette", {control('p')}, false},
      {"F8", "help.lessons", {press(Key::F8)}},
      {"Ctrl PgDn PgUp",
       "help.lesson_step",
       {press(Key::PageDown, false, true), press(Key::PageUp, false, true)}},
      {"Ctrl H", "help.lesson_hint", {control('h')}},
      {"Ctrl R", "help.lesson_back", {control('r')}},
      {"Shift F8", "help.lesson_leave", {press(Key::F8, true)}},
      {"F9", "help.predict", {press(Key::F9)}},
      {"0 … 9  Enter", "help.answer", answers(), false},
      {"Tab", "help.question", {press(Key::Tab), press(Key::Tab, true)}},
      {"F3", "help.compare", {press(Key::F3)}},
      {"Shift F3", "help.compare_rungs", {press(Key::F3, true)}},
      {"F4", "help.swap", {press(Key::F4), press(Key::F4, true)}},
      {"F10", "help.map", {press(Key::F10), press(Key::F10, true)}},
      {"+ − 0 .", "help.map_view", {letter('+'), letter('='), letter('-'), letter('0'), letter('.')}, false},
      {"Enter  ↑ ↓ → ←", "help.map_hold", {press(Key::Enter)}, false},
      {"F11", "help.phases", {press(Key::F11)}},
      {"F12", "help.stills", {press(Key::F12)}},
      {"F5", "help.present", {press(Key::F5)}},
      {"F6", "help.theme", {press(Key::F6)}},
      {"F7", "help.language", {press(Key::F7)}},
      {"Ctrl + − 0", "help.zoom", {control('+'), control('='), control('-'), control('0')}},
      {"Shift F1", "help.tour", {press(Key::F1, true)}},
      {"F1", "help.help", {press(Key::F1)}},
      {"Esc", "help.escape", {press(Key::Escape)}, false},
      {"Ctrl Q", "help.quit", {control('q')}, false},
  };
}

}  // namespace

std::span<const Binding> bindings() {
  static const std::vector<Binding> kAll = all_bindings();
  return kAll;
}

}  // namespace warplens::session
