#include "app/input/key.h"

#include <cctype>
#include <optional>
#include <sstream>
#include <utility>

namespace warplens::app {
namespace {

constexpr std::pair<std::string_view, Key> kNamed[] = {
    {"Space", Key::Space},
    {"←", Key::Left},
    {"→", Key::Right},
    {"↑", Key::Up},
    {"↓", Key::Down},
    {"PgUp", Key::PageUp},
    {"PgDn", Key::PageDown},
    {"Home", Key::Home},
    {"End", Key::End},
    {"Enter", Key::Enter},
    {"Backspace", Key::Backspace},
    {"Delete", Key::Delete},
    {"Tab", Key::Tab},
    {"Esc", Key::Escape},
    {"F1", Key::F1},
    {"F2", Key::F2},
    {"F3", Key::F3},
    {"F4", Key::F4},
    {"F5", Key::F5},
    {"F6", Key::F6},
    {"F7", Key::F7},
    {"F8", Key::F8},
    {"F9", Key::F9},
    {"F10", Key::F10},
    {"F11", Key::F11},
    {"F12", Key::F12},
};

std::optional<KeyPress> press_of(std::string_view word) {
  for (const auto& [name, key] : kNamed) {
    if (name == word) return KeyPress{key, 0, {}, false, false};
  }
  if (word == "−") word = "-";
  if (word.size() != 1) return std::nullopt;
  const auto character = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
  return KeyPress{Key::Character, character, {}, false, false};
}

}  // namespace

std::vector<KeyPress> presses_of(std::string_view keys) {
  std::vector<KeyPress> presses;
  std::istringstream words{std::string(keys)};
  bool control = false, shift = false, range = false;
  for (std::string word; words >> word;) {
    const bool last = word.size() > 1 && word.back() == ',';
    if (last) word.pop_back();
    if (word == "Ctrl") control = true;
    if (word == "Shift") shift = true;
    if (std::optional<KeyPress> press = press_of(word)) {
      press->control = control, press->shift = shift;
      while (range && !presses.empty() && presses.back().character + 1 < press->character) {
        presses.push_back(presses.back());
        ++presses.back().character;
      }
      presses.push_back(std::move(*press));
    }
    range = word == "…";
    if (last) control = shift = false;
  }
  return presses;
}

}  // namespace warplens::app
