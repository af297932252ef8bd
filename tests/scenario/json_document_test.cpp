// Errors of JSON that people write name file, line and field; no input is too odd.
#include "sim/scenario/json_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <random>

namespace warplens::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

JsonDocument parse(std::string text, JsonLimits limits = {}) {
  return JsonDocument::parse(std::move(text), "file.json", limits);
}

TEST(JsonDocument, ErrorsNameFileLineAndField) {
  JsonDocument document = parse("{\n  \"a\": [1,\n    {\"b\": true}]\n}");
  ASSERT_TRUE(document.ok());
  const JsonValue second = document.root().list("a")[1];
  EXPECT_EQ(second.field(), "a[1]");
  second.integer("b");
  second.text("c");
  EXPECT_THAT(document.errors(), ElementsAre("file.json:3: a[1].b: must be an integer, not boolean",
                                             "file.json:3: a[1].c: is missing"));
}

TEST(JsonDocument, LinesOfFields) {
  const JsonDocument document = parse("{\n\"a\": 1,\n\"b\": {\n\"c\": [\n10,\n20\n]}}");
  EXPECT_EQ(document.line_of("a"), 2);
  EXPECT_EQ(document.line_of("b"), 3);
  EXPECT_EQ(document.line_of("b.c"), 4);
  EXPECT_EQ(document.line_of("b.c[0]"), 5);
  EXPECT_EQ(document.line_of("b.c[1]"), 6);
  EXPECT_EQ(document.line_of("b.d"), 0);
}

TEST(JsonDocument, TruncatedTextIsPlaced) {
  const JsonDocument document = parse("{\"a\": [1, 2,\n");
  ASSERT_FALSE(document.ok());
  EXPECT_THAT(document.errors()[0], HasSubstr("file.json:"));
  EXPECT_THAT(document.errors()[0], HasSubstr("unexpected end of input"));
}

// Reading, each value asked for, and the memory that all of them take.
TEST(JsonDocument, GoesByItsBudget) {
  std::atomic<bool> cancel{false};
  Budget budget({.memory_bytes = 1 << 20, .cancel = &cancel});
  JsonLimits limits;
  limits.budget = &budget;
  const std::string text = "{\"a\": [" + std::string(9'999, ' ') + "1" + [] {
    std::string more;
    for (int i = 0; i < 5'000; ++i) more += ",1";
    return more;
  }() + "]}";
  {
    JsonDocument document = parse(text, limits);
    ASSERT_TRUE(document.ok());
    EXPECT_GT(budget.used_bytes(), 5'000u * 16);
    cancel = true;
    const auto go_through = [&] {
      for (const JsonValue& value : document.root().list("a")) value.as_integer();
    };
    EXPECT_THROW(go_through(), Stopped);
  }
  EXPECT_EQ(budget.used_bytes(), 0u) << "given back";
  EXPECT_THROW(parse(text, limits), Stopped);
  EXPECT_THROW(parse("{}", limits), Stopped) << "many small documents are as long as one that is large";

  Budget small({.memory_bytes = 100'000});
  limits.budget = &small;
  EXPECT_THROW(parse(text, limits), Stopped);
  EXPECT_EQ(small.stopped(), StopReason::MemoryLimit);
}

TEST(JsonDocument, EmptyTextIsAnError) {
  EXPECT_FALSE(parse("").ok());
}

TEST(JsonDocument, SizeAndDepthAreCapped) {
  JsonLimits limits;
  limits.bytes = 10;
  EXPECT_THAT(parse("[1,2,3,4,5,6]", limits).errors(), ElementsAre(HasSubstr("larger than 10 bytes")));
  std::string deep(100000, '[');
  EXPECT_THAT(parse(deep).errors(), ElementsAre(HasSubstr("nested deeper than 32 levels")));
  EXPECT_TRUE(parse(std::string(32, '[') + std::string(32, ']')).ok());
  EXPECT_FALSE(parse(std::string(33, '[') + std::string(33, ']')).ok());
}

TEST(JsonDocument, ANameGivenTwiceIsAnError) {
  EXPECT_THAT(parse("{\"a\": 1,\n\"a\": 2}").errors(), ElementsAre(HasSubstr("file.json:2:")));
}

TEST(JsonDocument, IntegersThatDoNotFit) {
  JsonDocument document = parse("{\"a\": 9223372036854775808, \"b\": 1.5, \"c\": 9223372036854775807}");
  document.root().integer("a");
  document.root().integer("b");
  EXPECT_EQ(document.root().integer("c"), 9223372036854775807);
  EXPECT_THAT(document.errors(), ElementsAre(HasSubstr("too large"), HasSubstr("not 1.5")));
}

TEST(JsonDocument, SchemasAndTheirVersions) {
  EXPECT_TRUE(parse("{\"schema\": \"warplens.scenario/1\"}").has_schema("scenario"));
  EXPECT_TRUE(parse("{\"schema\": \"warplens.scenario/1.3\"}").has_schema("scenario"));
  for (const char* wrong : {"{}", "[]", "{\"schema\": 1}", "{\"schema\": \"warplens.lesson/1\"}",
                            "{\"schema\": \"warplens.scenario/2\"}", "{\"schema\": \"warplens.scenario/\"}",
                            "{\"schema\": \"warplens.scenario/1x\"}"}) {
    JsonDocument document = parse(wrong);
    EXPECT_FALSE(document.has_schema("scenario")) << wrong;
    EXPECT_FALSE(document.ok()) << wrong;
  }
  JsonDocument newer = parse("{\"schema\": \"warplens.scenario/2\"}");
  newer.has_schema("scenario");
  EXPECT_THAT(newer.errors(), ElementsAre(HasSubstr("newer Warplens")));
}

TEST(JsonDocument, ManyErrorsAreCutShort) {
  JsonLimits limits;
  limits.errors = 3;
  JsonDocument document = parse("[]", limits);
  for (int i = 0; i < 100; ++i) document.add_error("", Message::verbatim("wrong"));
  EXPECT_EQ(document.errors().size(), 4u);
  EXPECT_THAT(document.errors().back(), HasSubstr("further errors"));
}

// Cut and scrambled documents: whatever comes, there is a result or an error, and the line is inside the
// text.
TEST(JsonDocument, AnyBytesEnd) {
  const std::string sound =
      "{\"schema\": \"warplens.scenario/1\", \"list\": [1, -2.5e3, true, null, {\"x\": \"\\u00e9\"}]}";
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text = sound.substr(0, random() % (sound.size() + 1));
    for (unsigned i = 0; i < random() % 4 && !text.empty(); ++i) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    JsonDocument document = parse(text);
    if (document.ok()) {
      document.root().optional_list("list");
      EXPECT_EQ(document.line_of("list[4].x") > 0,
                text.find("\"x\"") != std::string::npos && document.root().has("list") &&
                    document.json()["list"].is_array() && document.json()["list"].size() == 5 &&
                    document.json()["list"][4].contains("x"));
    } else {
      EXPECT_THAT(document.errors(), ::testing::Not(IsEmpty()));
    }
  }
}

TEST(JsonScan, LinesAndColumns) {
  EXPECT_EQ(line_at("ab\ncd", 0), 1);
  EXPECT_EQ(line_at("ab\ncd", 3), 2);
  EXPECT_EQ(column_at("ab\ncd", 1), 2);
  EXPECT_EQ(column_at("ab\ncd", 3), 1);
  EXPECT_EQ(column_at("ab\ncd", 99), 3);
}

}  // namespace
}  // namespace warplens::scenario
