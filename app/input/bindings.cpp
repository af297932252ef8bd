#include "app/input/bindings.h"

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

// A pair of keys, backwards first, with what each does.
Binding pair(const char* keys, const char* text, KeyWay first, KeyWay second) {
  return {keys, text, {first.press, second.press}, true, {std::move(first), std::move(second)}};
}

std::vector<Binding> steps() {
  const auto shifted = [](Key key) { return press(key, true); };
  const auto controlled = [](Key key) { return press(key, false, true); };
  return {
      {"Space", "help.play", {press(Key::Space)}},
      pair("← →", "help.access", {"←", "help.access.previous", press(Key::Left)},
           {"→", "help.access.next", press(Key::Right)}),
      pair("Ctrl ← →", "help.wavefront", {"Ctrl ←", "help.wavefront.previous", controlled(Key::Left)},
           {"Ctrl →", "help.wavefront.next", controlled(Key::Right)}),
      pair("Shift ← →", "help.line", {"Shift ←", "help.line.previous", shifted(Key::Left)},
           {"Shift →", "help.line.next", shifted(Key::Right)}),
      pair("↑ ↓", "help.warp", {"↑", "help.warp.previous", press(Key::Up)},
           {"↓", "help.warp.next", press(Key::Down)}),
      pair("PgUp PgDn", "help.block", {"PgUp", "help.block.previous", press(Key::PageUp)},
           {"PgDn", "help.block.next", press(Key::PageDown)}),
      pair("Home End", "help.ends", {"Home", "help.ends.first", press(Key::Home)},
           {"End", "help.ends.last", press(Key::End)}),
      {"1 … 9", "help.rung", digits(), false},
      pair("[ ]", "help.next_rung", {"[", "help.rung.previous", letter('[')},
           {"]", "help.rung.next", letter(']')}),
  };
}

std::vector<Binding> others() {
  return {
      {"P X Y …", "help.parameter", letters(), false},
      {"Ctrl Z", "help.undo", {control('z')}},
      {"Ctrl Y", "help.redo", {control('y'), control('z', true)}},
      {"E  F2", "help.edit", {press(Key::F2), letter('e')}},
      {"W", "help.margin", {letter('w')}},
      {"Ctrl O", "help.open", {control('o')}},
      {"Ctrl S",
       "help.save",
       {control('s'), control('s', true)},
       true,
       {{"Ctrl S", "help.save.here", control('s')}, {"Ctrl Shift S", "help.save.as", control('s', true)}}},
      {"Ctrl E", "help.share", {control('e')}},
      {"Ctrl C  Ctrl V", "help.place", {control('c'), control('v')}, false},
      {"L", "help.form", {letter('l')}},
      {"I", "help.index", {letter('i')}},
      {"Ctrl .", "help.stop", {control('.')}},
      {"Ctrl K", "help.check", {control('k')}},
      {"Ctrl P", "help.palette", {control('p')}, false},
      {"F8", "help.lessons", {press(Key::F8)}},
      pair("Ctrl PgUp PgDn", "help.lesson_step",
           {"Ctrl PgUp", "help.lesson_step.previous", press(Key::PageUp, false, true)},
           {"Ctrl PgDn", "help.lesson_step.next", press(Key::PageDown, false, true)}),
      {"Ctrl H", "help.lesson_hint", {control('h')}},
      {"Ctrl R", "help.lesson_back", {control('r')}},
      {"Shift F8", "help.lesson_leave", {press(Key::F8, true)}},
      {"F9", "help.predict", {press(Key::F9)}},
      {"0 … 9  Enter", "help.answer", answers(), false},
      {"Tab", "help.question", {press(Key::Tab), press(Key::Tab, true)}},
      {"F3", "help.compare", {press(Key::F3)}},
      {"Shift F3", "help.compare_rungs", {press(Key::F3, true)}},
      {"F4",
       "help.swap",
       {press(Key::F4), press(Key::F4, true)},
       true,
       {{"F4", "help.swap.both", press(Key::F4)}, {"Shift F4", "help.swap.back", press(Key::F4, true)}}},
      {"F10",
       "help.map",
       {press(Key::F10), press(Key::F10, true)},
       true,
       {{"F10", "help.map.show", press(Key::F10)}, {"Shift F10", "help.map.scope", press(Key::F10, true)}}},
      {"+ − 0 . Tab",
       "help.map_view",
       {letter('+'), letter('-'), letter('0'), letter('.'), press(Key::Tab), letter('=')},
       false},
      {"Enter  ← → ↑ ↓", "help.map_hold", {press(Key::Enter)}, false},
      {"F11", "help.phases", {press(Key::F11)}},
      {"F12", "help.stills", {press(Key::F12)}},
      {"F5", "help.present", {press(Key::F5)}},
      {"F6", "help.theme", {press(Key::F6)}},
      {"F7", "help.language", {press(Key::F7)}},
      {"Ctrl + − 0",
       "help.zoom",
       {control('+'), control('-'), control('0'), control('=')},
       true,
       {{"Ctrl +", "help.zoom.larger", control('+')},
        {"Ctrl −", "help.zoom.smaller", control('-')},
        {"Ctrl 0", "help.zoom.before", control('0')}}},
      {"Shift F1", "help.tour", {press(Key::F1, true)}},
      {"F1", "help.help", {press(Key::F1)}},
      {"Esc", "help.escape", {press(Key::Escape)}, false},
      {"Ctrl Q", "help.quit", {control('q')}, false},
  };
}

}  // namespace

std::span<const Binding> bindings() {
  static const std::vector<Binding> kAll = [] {
    std::vector<Binding> all = steps();
    for (Binding& binding : others()) all.push_back(std::move(binding));
    return all;
  }();
  return kAll;
}

}  // namespace warplens::session
