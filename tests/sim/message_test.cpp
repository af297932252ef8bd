// What a message is made of, and how its places are filled.
#include "sim/base/message.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace warplens {
namespace {

TEST(Message, IsItsPatternFilledIn) {
  const std::string name = "goto";
  const Message message("'{}' is not supported", name);
  EXPECT_EQ(message.english(), "'goto' is not supported");
  EXPECT_EQ(message.pattern(), "'{}' is not supported");
  ASSERT_EQ(message.arguments().size(), 1u);
  EXPECT_EQ(message.arguments()[0].english(), "goto");
  EXPECT_TRUE(message.arguments()[0].pattern().empty());
  EXPECT_EQ(Message("{} of {} bytes, {}", std::string_view("load"), std::uint64_t{16}, 'x').english(),
            "load of 16 bytes, x");
}

TEST(Message, HoldsMessages) {
  const Message inner("the end of the file");
  const Message outer("expected {}, not {}", "a name", inner);
  EXPECT_EQ(outer.english(), "expected a name, not the end of the file");
  EXPECT_EQ(outer.arguments()[1].pattern(), "the end of the file");
}

TEST(Message, PlacesMayStandInAnyOrder) {
  EXPECT_EQ(filled("{1} before {0}", {"a", "b"}), "b before a");
  EXPECT_EQ(filled("{0}, {0}", {"a"}), "a, a");
  EXPECT_EQ(filled("{}, {}", {"a", "b"}), "a, b");
  EXPECT_EQ(filled("'{' {x} {...} {} }", {"a"}), "'{' {x} {...} a }") << "other braces are text";
  EXPECT_EQ(filled("{} {3} {", {"a"}), "a {3} {") << "a place without a value stays";
  EXPECT_EQ(filled("{}", {"{} {0}"}), "{} {0}") << "what fills a place is not filled again";
  EXPECT_EQ(values_needed("'{' {x} {1} {"), 2u);
  EXPECT_EQ(values_needed("{} {}"), 2u);
  EXPECT_EQ(values_needed("none"), 0u);
}

TEST(Message, SaysVerbatimWhatNoLanguageChanges) {
  const Message message = Message::verbatim("nvcc: {} [-Wall]");
  EXPECT_EQ(message.english(), "nvcc: {} [-Wall]");
  EXPECT_TRUE(message.pattern().empty());
  EXPECT_TRUE(Message().empty());
  EXPECT_EQ(system_words(ENOENT).pattern(), "No such file or directory");
}

TEST(Message, MayHaveItsAuthorsOwnTexts) {
  const Message message = Message::of_languages({{"en", "a square block"}, {"zh-CN", "方形线程块"}});
  EXPECT_EQ(message.english(), "a square block");
  ASSERT_NE(message.text_in("zh-CN"), nullptr);
  EXPECT_EQ(*message.text_in("zh-CN"), "方形线程块");
  EXPECT_EQ(message.text_in("fr"), nullptr);
}

TEST(Message, ComesFromElsewhereAsItWas) {
  const Message message("lane {} of warp {}", 3, 1);
  EXPECT_EQ(Message::received(message.pattern(), message.arguments()), message);
}

}  // namespace
}  // namespace warplens
