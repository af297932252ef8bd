// The gallery and its lessons as the repository has them, read once.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "app/actions/apply.h"
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

// What actions make of the gallery as it opens, with nothing simulated and no requests left.
inline State after(const std::vector<Action>& actions) {
  State state = opening(gallery(), "transpose_shared");
  const Simulation nothing;
  for (const Action& action : actions) state = apply(std::move(state), action, nothing, gallery());
  state.requests.clear();
  return state;
}

}  // namespace warplens::app
