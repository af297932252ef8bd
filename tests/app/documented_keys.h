// Keys as the pages write them between <kbd> and </kbd>.
#pragma once

#include <cctype>
#include <map>
#include <optional>
#include <string>

#include "app/input/keys.h"

namespace warplens::session {

// "→", "F9", "P"; nothing where no key is called so.
inline std::optional<KeyPress> key_named(const std::string& name) {
  static const std::map<std::string, Key> kNamed{{"Space", Key::Space},
                                                 {"←", Key::Left},
                                                 {"→", Key::Right},
                                                 {"↑", Key::Up},
                                                 {"↓", Key::Down},
                                                 {"PgUp", Key::PageUp},
                                                 {"PgDn", Key::PageDown},
                                                 {"Home", Key::Home},
                                                 {"End", Key::End},
                                                 {"Enter", Key::Enter},
                                                 {"Esc", Key::Escape},
                                                 {"Tab", Key::Tab},
                                                 {"Backspace", Key::Backspace},
                                                 {"Delete", Key::Delete}};
  if (const auto known = kNamed.find(name); known != kNamed.end())
    return KeyPress{known->second, 0, {}, false, false};
  if (name.size() > 1 && name[0] == 'F' && name.find_first_not_of("0123456789", 1) == std::string::npos)
    return KeyPress{
        static_cast<Key>(static_cast<int>(Key::F1) + std::stoi(name.substr(1)) - 1), 0, {}, false, false};
  const std::string plain = name == "−" ? "-" : name;
  if (plain.size() != 1) return std::nullopt;
  const auto character = static_cast<char>(std::tolower(static_cast<unsigned char>(plain[0])));
  return KeyPress{Key::Character, character, {}, false, false};
}

}  // namespace warplens::session
