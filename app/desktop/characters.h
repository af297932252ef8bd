// Which characters the fonts need for what a frame writes.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "app/language/strings.h"
#include "app/panels/widgets/fonts.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::desktop {

// Grows: a character once on screen stays loaded, so going back to a file or a language loads nothing.
class ScreenCharacters {
 public:
  // Those of `words` (the strings of the state's language), of the catalog in that language, and of all that
  // the state holds of the outside: text, file names, what was typed. Cheap where none of it has changed.
  const panels::Characters& of(const app::State& state, const app::Catalog& catalog,
                               const language::Strings& words);

 private:
  void add(std::string_view text) { panels::collect_characters(text, &characters_.all); }
  void add_catalog(const app::Catalog& catalog, const language::Strings& words, const std::string& language);
  void add_lesson(const lesson::Lesson& lesson, const std::string& language);
  void add_open(const app::State& state, const app::Catalog& catalog);

  panels::Characters characters_;
  // What they were collected from: language and scenarios; scenario and texts.
  std::pair<std::string, std::size_t> catalog_of_, open_of_;
};

}  // namespace warplens::desktop
