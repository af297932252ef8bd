// Keys of an input method, as GLFW reports them: each letter, and the text at the end.
#include <gtest/gtest.h>

#include "app/input/commands.h"

namespace warplens::app {
namespace {

struct Keyboard {
  Composition composition;
  bool types = true;

  bool letter(char c) { return composition.is_the_apps({Key::Character, c, {}, false, false}, types); }
  bool text(const char* words) { return composition.is_the_apps({Key::Text, 0, words, false, false}, types); }
  bool key(Key k) { return composition.is_the_apps({k, 0, {}, false, false}, types); }
};

TEST(Composition, KeepsItsKeysUntilItsTextComes) {
  Keyboard k;
  k.letter('n'), k.letter('i'), k.letter('h');
  EXPECT_FALSE(k.key(Key::Backspace)) << "one letter less of the composition, not of the text";
  EXPECT_FALSE(k.key(Key::Down)) << "the next candidate";
  EXPECT_TRUE(k.key(Key::F7));
  EXPECT_TRUE(k.text("你"));
  EXPECT_TRUE(k.key(Key::Backspace));
}

TEST(Composition, EndsWithEscapeOrItsLastLetter) {
  Keyboard k;
  k.letter('n'), k.letter('i');
  EXPECT_FALSE(k.key(Key::Escape));
  EXPECT_TRUE(k.key(Key::Escape)) << "this one closes the chooser";
  k.letter('n'), k.letter('i');
  EXPECT_FALSE(k.key(Key::Backspace));
  EXPECT_FALSE(k.key(Key::Backspace));
  EXPECT_TRUE(k.key(Key::Backspace));
  k.letter('n');
  EXPECT_FALSE(k.key(Key::Enter)) << "the letters as they are";
  EXPECT_TRUE(k.key(Key::Enter));
}

TEST(Composition, IsNotWhereLettersAreTypedOrNothingTakesThem) {
  Keyboard k;
  for (const char c : {'a', 'b'}) k.letter(c), k.text("x");
  EXPECT_TRUE(k.key(Key::Backspace));
  EXPECT_TRUE(k.composition.is_the_apps({Key::Character, 'a', {}, false, true}, true)) << "Ctrl A";
  EXPECT_TRUE(k.key(Key::Enter));
  k.types = false;
  k.letter('p');
  EXPECT_TRUE(k.key(Key::Left));
}

}  // namespace
}  // namespace warplens::app
