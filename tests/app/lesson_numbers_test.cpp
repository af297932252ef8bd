// What lessons say of times and of what times follow from is held against the packs that are shipped, and
// every number in the texts of those lessons against the rules that `says`, questions and parameters hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "app/language/strings.h"
#include "sim/lesson/figures.h"
#include "sim/lesson/grade.h"
#include "tests/app/recorded.h"

namespace warplens::app {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(LessonNumbers, EveryLessonIsSoundWithThePacksThatAreShipped) {
  int recorded = 0;
  for (const auto& one : gallery().lessons) {
    if (!lesson::needs_recorded(*one)) continue;  // tests/lesson has the others
    EXPECT_THAT(lesson::problems_of(*one, with_packs()), IsEmpty()) << one->name;
    ++recorded;
  }
  EXPECT_EQ(recorded, 3);
}

TEST(LessonNumbers, AFigureThatHasDriftedIsFoundOut) {
  for (const auto& one : gallery().lessons) {
    if (!lesson::needs_recorded(*one)) continue;
    lesson::Lesson drifted = *one;
    drifted.steps[1].says.push_back("recorded_ns < 1000");
    EXPECT_THAT(lesson::problems_of(drifted, with_packs()),
                Contains(HasSubstr("does not hold: recorded_ns = ")))
        << one->name;
  }
}

// "1,081,344" -> 1081344, "2.8" -> 28; not those of names such as L1, H200, y2.
std::set<std::string> numbers_in(const std::string& text) {
  std::set<std::string> numbers;
  const auto is = [&](std::size_t at, auto test) {
    return at < text.size() && test(static_cast<unsigned char>(text[at])) != 0;
  };
  const auto digit = [](unsigned char c) { return std::isdigit(c); };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is(at, digit)) continue;
    const bool named =
        at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_');
    std::string number;
    for (; is(at, digit) || ((text[at] == ',' || text[at] == '.') && is(at + 1, digit)); ++at) {
      if (is(at, digit)) number += text[at];
    }
    if (!named) numbers.insert(number);
  }
  return numbers;
}

TEST(LessonNumbers, AreReadFromTexts) {
  EXPECT_EQ(numbers_in("L1: 1,081,344 of 2.8 µs, 32×16; H200, float4, 88 %."),
            (std::set<std::string>{"1081344", "28", "32", "16", "88"}));
  EXPECT_EQ(numbers_in("用时 59 µs，共 1024³。"), (std::set<std::string>{"59", "1024"}));
}

// Those that a step's rules and its view's parameters have.
std::set<std::string> numbers_of(const lesson::View& view) {
  std::set<std::string> numbers;
  for (const auto& [name, value] : view.values) numbers.insert(std::to_string(value));
  for (const lesson::View& beside : view.beside) numbers.merge(numbers_of(beside));
  return numbers;
}

void expect_known(const lesson::LocalText& text, const std::set<std::string>& known,
                  const std::string& where) {
  for (const std::string& language : language::languages()) {
    const std::string& words = scenario::in_language(text, language);
    for (const std::string& number : numbers_in(words))
      EXPECT_TRUE(known.contains(number)) << where << ": no rule has the " << number << " of: " << words;
  }
}

TEST(LessonNumbers, EveryNumberInATextIsOneOfARule) {
  for (const auto& one : gallery().lessons) {
    if (!lesson::needs_recorded(*one)) continue;
    for (std::size_t i = 0; i < one->steps.size(); ++i) {
      const lesson::Step& step = one->steps[i];
      const std::string where = one->name + ", step " + std::to_string(i + 1);
      std::set<std::string> known = numbers_of(step.view);
      for (const std::string& rule : lesson::rules_of(step)) known.merge(numbers_in(rule));
      expect_known(step.text, known, where);
      if (!step.prediction) continue;
      for (const lesson::LocalText* text :
           {&step.prediction->question, &step.prediction->hint, &step.prediction->why})
        expect_known(*text, known, where);
      for (const lesson::Choice& choice : step.prediction->choices) expect_known(choice.words, known, where);
      for (const lesson::WrongAnswer& wrong : step.prediction->wrong) {
        std::set<std::string> with = known;
        with.insert(std::to_string(wrong.answer));
        expect_known(wrong.why, with, where);
      }
    }
  }
}

}  // namespace
}  // namespace warplens::app
