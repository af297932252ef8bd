// The gallery and its lessons as the repository has them, read once.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "app/actions/apply.h"
#include "app/input/commands.h"
#include "app/language/strings.h"
#include "app/state/catalog.h"

namespace warplens::app {

inline const Catalog& gallery() {
  static const Catalog kCatalog = [] {
    Catalog c = load_catalog(WARPLENS_SOURCE_DIR "/kernels");
    load_lessons(WARPLENS_SOURCE_DIR "/assets/lessons", &c);
    return c;
  }();
  return kCatalog;
}

// The words on screen: "en" or "zh-CN".
inline const language::Strings& strings_of(const std::string& language) {
  static std::map<std::string, language::Strings> known;
  auto [place, is_new] = known.try_emplace(language);
  std::string error;
  if (is_new)
    place->second = language::Strings::load(WARPLENS_SOURCE_DIR "/assets/languages", language, &error);
  EXPECT_EQ(error, "");
  return place->second;
}

inline const language::Strings& english() {
  return strings_of("en");
}

// A state that keys and actions change, with nothing simulated for it.
struct Unsimulated {
  explicit Unsimulated(const std::string& scenario = "transpose_naive_row")
      : state(opening(gallery(), scenario)) {}
  virtual ~Unsimulated() = default;

  virtual Unsimulated& act(const Action& action) {
    state = apply(std::move(state), action, Simulation(), gallery());
    return *this;
  }
  virtual Unsimulated& press(const KeyPress& press) {
    for (const Action& action : actions_of(press, state, gallery(), Clipboard{})) act(action);
    return *this;
  }
  Unsimulated& key(Key key, bool shift = false, bool control = false) {
    return press({key, 0, {}, shift, control});
  }
  Unsimulated& letter(char c, bool shift = false, bool control = false) {
    return press({Key::Character, c, {}, shift, control});
  }
  virtual Unsimulated& type(const std::string& text) { return act(EditField{text}); }

  State state;
};

inline State done(State state, const Actions& actions) {
  for (const Action& action : actions) state = apply(std::move(state), action, Simulation(), gallery());
  return state;
}

// What actions make of the gallery as it opens, with no requests left.
inline State after(const Actions& actions) {
  State state = done(opening(gallery(), "transpose_shared"), actions);
  state.requests.clear();
  return state;
}

}  // namespace warplens::app
