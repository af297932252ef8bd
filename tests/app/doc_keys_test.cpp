// Every key that the documentation names does something in the app: <kbd>Ctrl</kbd> + <kbd>P</kbd>.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "app/input/commands.h"
#include "tests/app/gallery.h"

namespace warplens::app {
namespace doc_keys_test {

const std::filesystem::path kSource = WARPLENS_SOURCE_DIR;

// The states that the pages speak of.
const std::vector<State>& states() {
  static const std::vector<State> kStates = [] {
    std::vector<State> all{
        after({}),
        after({OpenLesson{"padding"}}),
        after({SetPredicting{true}}),
        after({ShowView{ViewId::Map}}),
        after({PinA{}}),
        after({ShowShare{true}}),
        after({AskClass{}, TakeRound{vote::Round(), 16}}),
        after({ShowDialog{false}}),
        after({SelectScenario{"index_expression"}}),
        after({OpenText{"/tmp/k.cu", "__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"}})};
    State presenting = all.front();
    presenting.present = true;
    all.push_back(presenting);
    all.push_back(after({SetPresent{true}, KeepScene{}}));
    return all;
  }();
  return kStates;
}

bool does_something(const KeyPress& press) {
  for (const State& state : states()) {
    if (!actions_of(press, state, gallery(), {}).empty()) return true;
  }
  return false;
}

TEST(DocumentedKeys, DoSomething) {
  std::vector<std::filesystem::path> pages{kSource / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  const std::regex chord("((?:<kbd>(?:Ctrl|Shift)</kbd> (?:\\+ )?)*)<kbd>([^<]*)</kbd>");
  int keys = 0;
  for (const auto& page : pages) {
    std::stringstream text;
    text << std::ifstream(page).rdbuf();
    const std::string words = text.str();
    for (std::sregex_iterator at(words.begin(), words.end(), chord), end; at != end; ++at) {
      const std::string with = (*at)[1], name = (*at)[2];
      if (name == "Shift" || name == "Ctrl") continue;  // "with Shift for less"
      const std::vector<KeyPress> presses =
          presses_of(std::regex_replace(with, std::regex("<[^>]*>|\\+"), " ") + name);
      ASSERT_EQ(presses.size(), 1u) << page << ": no key is called " << name;
      EXPECT_TRUE(does_something(presses[0])) << page.filename() << ": " << at->str() << " does nothing";
      ++keys;
    }
  }
  EXPECT_GT(keys, 60);
  EXPECT_FALSE(does_something({Key::Character, '#', {}, false, true})) << "a key that is not bound";
}

}  // namespace doc_keys_test
}  // namespace warplens::app
