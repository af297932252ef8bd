// Whatever a text holds, what is shown of it steers nothing.
#include "sim/text/shown.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/text/scan.h"

namespace warplens::text {
namespace {

TEST(Shown, WritesControlsOut) {
  EXPECT_EQ(shown("a\x1b[31mb\x07"), "a\\x1b[31mb\\x07");
  EXPECT_EQ(shown("line\n\tnext\r"), "line\n\tnext\\r");
  EXPECT_EQ(shown(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(shown("\x7f"), "\\x7f");
  EXPECT_EQ(shown("\xc2\x9b"
                  "31m"),
            "\\u009b31m");  // CSI of 8 bits
  EXPECT_EQ(shown("a\xe2\x80\xae"
                  "b\xe2\x81\xa6"),
            "a\\u202eb\\u2066");  // right to left, isolate
  EXPECT_EQ(shown("\xef\xbf\xbe"), "\\ufffe");
  EXPECT_EQ(shown("\xf3\xa0\x81\x81"), "\\U000e0041");  // a tag
  EXPECT_EQ(shown_in_line("a\n\tb"), "a\\n\\tb");
}

TEST(Shown, LeavesWordsAlone) {
  const std::string words = "转置 │ ×16, µs, naïve, 🙂, \xef\xbf\xbd";
  EXPECT_EQ(shown(words), words);
  EXPECT_EQ(shown(words, Form::Json), words);
}

TEST(Shown, WritesBytesOutThatAreNoUtf8) {
  EXPECT_EQ(shown("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(shown("\xc0\x9b"), "\\xc0\\x9b");           // a longer way to write a control
  EXPECT_EQ(shown("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(shown("\x9b"
                  "31m"),
            "\\x9b31m");
}

TEST(Shown, RowsOfCsvKeepTheirEnds) {
  EXPECT_EQ(shown("a,b\r\nc\rd\r\n", Form::Csv), "a,b\r\nc\\rd\r\n");
}

TEST(Shown, JsonStaysTheSameDocument) {
  EXPECT_EQ(shown("{\"a\": \"\xc2\x9b\x7f\xe2\x80\xae\xf3\xa0\x81\x81\"}\n", Form::Json),
            "{\"a\": \"\\u009b\\u007f\\u202e\\udb40\\udc41\"}\n");
}

TEST(Shown, XmlHoldsOnlyWhatItMay) {
  EXPECT_EQ(xml("<a b=\"c\" d='e'>&"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
  EXPECT_EQ(xml("a\x1b"
                "b\nc\xef\xbf\xbe"
                "d\xff"),
            "a\xef\xbf\xbd"
            "b c\xef\xbf\xbd"
            "d\xef\xbf\xbd");
}

// Bytes at random, and such as look like UTF-8.
TEST(Shown, NothingGetsThrough) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      if (random() % 3 == 0)
        append_utf8(static_cast<char32_t>(random() % 0x3000), &text);
      else
        text += static_cast<char>(random());
    }
    const std::string out = shown_in_line(text);
    ASSERT_TRUE(is_utf8(out));
    ASSERT_TRUE(is_utf8(xml(text)));
    for (std::size_t at = 0; at < out.size();) ASSERT_FALSE(is_control(next_code_point(out, &at)));
  }
}

TEST(Utf8, ReadsWhatItWrites) {
  for (char32_t code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 251) {
    if (code >= 0xd800 && code < 0xe000) continue;
    std::string text;
    append_utf8(code, &text);
    std::size_t at = 0;
    ASSERT_EQ(next_code_point(text, &at), code);
    ASSERT_EQ(at, text.size());
    ASSERT_TRUE(is_utf8(text));
  }
}

}  // namespace
}  // namespace warplens::text
