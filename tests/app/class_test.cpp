// Lessons and predictions: every action and key, what is hidden, words, progress on disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "app/actions/appliers.h"
#include "app/derive/lesson_judge.h"
#include "app/readout/question.h"
#include "app/simulate/simulation.h"
#include "app/simulate/simulator.h"
#include "app/storage/files.h"
#include "app/storage/teaching_files.h"
#include "tests/app/desk.h"
#include "tests/app/recorded.h"
#include "tests/scenario/folder.h"

namespace warplens::app::class_test {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

const fs::path kSource = WARPLENS_SOURCE_DIR;

struct Class : Windowless {
  LessonJudge judge{runner};
  std::vector<Request> requests;

  Class() = default;
  explicit Class(const std::string& lesson_name) { act(OpenLesson{lesson_name}).ask(); }

  Class& act(const Action& action) override {
    Windowless::act(action);
    requests.insert(requests.end(), state.requests.begin(), state.requests.end());
    state.requests.clear();
    return *this;
  }
  Class& ask() {
    for (int i = 0; i < 100 && (i == 0 || judge.busy()); ++i) {
      for (const Action& action : judge.update(state, recorded_in_packs)) act(action);
    }
    return *this;
  }
  Class& press(const KeyPress& key) override {
    Windowless::press(key);
    return ask();
  }
  Class& type(const std::string& characters) override {
    for (const char c : characters) press({Key::Character, c, {}, false, false});
    return *this;
  }
  ActiveLesson& lesson() { return *state.classroom.active; }
  // The palette, as the window fills it.
  const CommandPalette& list() {
    const auto all = palette_entries(state, gallery(), english(), english(), {});
    act(TakeCommands{std::make_shared<const PaletteEntries>(all)});
    return *state.classroom.palette;
  }
};

// ---- lessons ----

TEST(Lessons, StepThroughStopAtBothEndsAndGoOnWhereTheyWereLeft) {
  Class c("padding");
  const int steps = static_cast<int>(c.lesson().lesson->steps.size());
  c.key(Key::PageUp, true);
  EXPECT_EQ(c.lesson().step, 0);
  c.key(Key::PageDown, true);
  EXPECT_EQ(c.lesson().step, 1);
  c.act(GoToLessonStep{steps + 7});
  EXPECT_EQ(c.lesson().step, steps);
  EXPECT_TRUE(c.lesson().in_challenge());
  c.act(StepLesson{1});
  EXPECT_EQ(c.lesson().step, steps);
  c.act(GoToLessonStep{2}).act(LeaveLesson{});
  EXPECT_FALSE(c.state.classroom.active);
  c.act(OpenLesson{"padding"});
  EXPECT_EQ(c.lesson().step, 2);
}

TEST(Lessons, AParameterTurnedKeepsLookingAtTheStepsAccess) {
  Class c("padding");
  c.act(SetGuess{"32", -1}).act(LockGuess{});
  const int event = c.seen->place.event;
  c.act(StepParameter{"pad", 1});
  EXPECT_EQ(c.seen->place.event, event);
  EXPECT_LT(c.state.position.access.number, 0);
  EXPECT_FALSE(c.state.position.access.any);
  c.act(StepAccess{-1}).act(PutBack{});
  EXPECT_TRUE(is_as_put(c.state, *c.seen));
  EXPECT_EQ(c.seen->place.event, event);
}

TEST(Lessons, HideTheCostsUntilTheGuessIsLocked) {
  Class c("padding");
  EXPECT_TRUE(hidden_by(c.state.classroom).costs);
  c.act(LockGuess{});  // nothing was guessed
  EXPECT_TRUE(hidden_by(c.state.classroom).costs);
  ASSERT_TRUE(c.state.notice) << "and that is said";
  EXPECT_EQ(c.state.notice->key, "class.nothing_yet");
  c.act(SetGuess{"3", -1}).act(LockGuess{}).act(SetGuess{"3", -1}).act(LockGuess{});
  EXPECT_FALSE(hidden_by(c.state.classroom).costs);
  c.act(SetGuess{"4", -1});
  EXPECT_EQ(c.lesson().guess.typed, "3") << "locked is locked";
}

TEST(Lessons, HideCostsAndCommentsOfTheKernelThatIsAskedAboutAndOfNoOther) {
  Class c("padding");
  const auto hides = [&](bool costs, bool comments) {
    EXPECT_EQ(hidden_in(c.state).costs, costs);
    EXPECT_EQ(hides_comments(c.state), comments);
  };
  hides(true, true);
  c.act(OpenText{"/tmp/mine.cu", "__global__ void k(float* a) { a[threadIdx.x] = 1; }  // 4 sectors\n"});
  hides(false, false);
  EXPECT_FALSE(hidden_in(c.state).rest);
  c.act(SetPredicting{true});
  hides(true, false);  // one's own text says what one knows
  c.act(SetPredicting{false}).act(PutBack{});
  hides(true, true);
  c.act(SelectScenario{"copy_row"});
  hides(false, false);
  c.act(SetPredicting{true});
  hides(true, true);
  c.act(SetPredicting{false}).act(PutBack{}).act(SetGuess{"32", -1}).act(LockGuess{});
  hides(false, false);
}

// Whoever goes back finds what was right, and scores nothing anew; what was wrong may be tried again.
TEST(Lessons, GoingBackFindsTheRightAnswers) {
  Class c("padding");
  c.act(SetGuess{"3", -1}).act(LockGuess{}).act(SetGuess{"32", -1}).act(LockGuess{});
  c.act(StepLesson{1}).ask();
  EXPECT_FALSE(c.lesson().guess.locked);
  EXPECT_TRUE(hidden_by(c.state.classroom).costs);
  c.act(StepLesson{-1}).ask();
  EXPECT_TRUE(c.lesson().guess.locked);
  EXPECT_EQ(c.lesson().guess.typed, "32");
  EXPECT_EQ(c.lesson().answer, 32);
  EXPECT_FALSE(hidden_by(c.state.classroom).costs);
  EXPECT_EQ(c.state.classroom.progress.at("padding").predictions.at(0).tries, 2);
  c.act(LeaveLesson{}).act(OpenLesson{"padding"}).act(GoToLessonStep{0}).ask();
  EXPECT_FALSE(c.lesson().guess.locked) << "opened anew, it asks anew";
}

// "Which lane holds ...?" is asked of plain numbers, and read off the fragments all the same.
TEST(Lessons, WhatTheAnswerWillLightIsHidden) {
  Class c("fragments");
  c.act(GoToLessonStep{1}).ask();
  ASSERT_EQ(c.state.shown, ViewId::Fragments);
  EXPECT_TRUE(hidden_in(c.state).costs);
  c.act(SetGuess{"14", -1}).act(LockGuess{});
  EXPECT_FALSE(hidden_in(c.state).costs);
}

// An exercise's claims are to be made before what they are about is seen.
TEST(Exercises, OpenWithThePredictionAskedAsLongAsAClaimIsOpen) {
  const std::string text = "__global__ void k(float* a) {\n  a[threadIdx.x] = a[0] > 1 ? 1 : 2;";
  Class c;
  c.act(OpenText{"/tmp/asked.cu", text + "  // a: ? sectors\n}\n"});
  EXPECT_TRUE(c.state.classroom.predicting && hidden_in(c.state).costs);
  c.act(SetPredicting{false}).act(OpenText{"/tmp/claimed.cu", text + "  // a: 4 sectors\n}\n"});
  EXPECT_FALSE(c.state.classroom.predicting);
}

// The transpose's load is asked about before its store, and both are on one line.
TEST(Lessons, HideWhatALaterStepAsksOfTheSameKernel) {
  Class c("transpose");
  c.act(SetGuess{"4", -1}).act(LockGuess{}).act(LockGuess{});
  EXPECT_FALSE(hidden_by(c.state.classroom).costs);
  EXPECT_TRUE(hidden_by(c.state.classroom).rest) << "the store's cost stands beside the line";
  c.act(StepLesson{1}).act(SetGuess{"32", -1}).act(LockGuess{}).act(LockGuess{});
  EXPECT_FALSE(hidden_by(c.state.classroom).rest) << "the next step looks at another kernel";
  c.act(GoToLessonStep{3});
  ASSERT_NE(c.lesson().prediction(), nullptr);
  EXPECT_FALSE(hidden_by(c.state.classroom).costs) << "figures do not answer it";
}

// The bars of a ladder tell the time of every rung: they wait for the lesson's last question about a time.
TEST(Lessons, HideTimesUntilNoQuestionIsAboutThem) {
  Class c("reuse");
  const int steps = static_cast<int>(c.lesson().lesson->steps.size());
  EXPECT_TRUE(hidden_by(c.state.classroom).times) << "asked in the next step";
  c.act(SetGuess{"12", -1}).act(LockGuess{}).act(LockGuess{});
  EXPECT_FALSE(hidden_by(c.state.classroom).costs);
  EXPECT_TRUE(hidden_by(c.state.classroom).times);
  EXPECT_TRUE(visible(c.seen, hidden_in(c.state))->hidden.times);
  EXPECT_EQ(visible(c.seen, hidden_in(c.state))->trace, c.seen->trace) << "nothing else is";
  c.act(GoToLessonStep{steps - 1});
  EXPECT_TRUE(hidden_by(c.state.classroom).times);
  c.act(SetGuess{{}, 0}).act(LockGuess{}).act(LockGuess{});
  EXPECT_FALSE(hidden_by(c.state.classroom).times);
  c.act(GoToLessonStep{steps});
  EXPECT_FALSE(hidden_by(c.state.classroom).times);
  Class counts("padding");
  EXPECT_FALSE(hidden_by(counts.state.classroom).times);
}

TEST(Lessons, AStepPutsItsPictureAndTakesItAway) {
  Class c("reuse");
  EXPECT_EQ(c.state.shown, ViewId::Reuse);
  EXPECT_TRUE(is_as_put(c.state, *c.seen));
  c.act(StepLesson{1});
  EXPECT_EQ(c.state.shown, ViewId::Why);
  c.act(ShowView{});
  EXPECT_FALSE(is_as_put(c.state, *c.seen));
  c.act(PutBack{});
  EXPECT_EQ(c.state.shown, ViewId::Why);
  c.act(OpenLesson{"padding"});  // whose steps ask for none
  EXPECT_EQ(c.state.shown, ViewId::Memory);
  c.act(ShowView{ViewId::Map}).act(StepLesson{1});
  EXPECT_EQ(c.state.shown, ViewId::Map) << "a student's own stays";
  EXPECT_TRUE(is_as_put(c.state, *c.seen));
  c.act(OpenLesson{"reuse"}).act(LeaveLesson{});
  EXPECT_EQ(c.state.shown, ViewId::Memory) << "it goes with the lesson";
}

// The first wrong answer shows no truth, and another try is left; the record counts the first.
TEST(Lessons, AWrongAnswerLeavesASecondTry) {
  Class c("padding");
  const std::int64_t truth = *c.lesson().answer;
  const Guess& guess = c.lesson().guess;
  const auto question = [&] { return *question_of(c.state, *c.seen, english()); };
  c.act(SetGuess{std::to_string(truth - 1), -1}).act(LockGuess{});
  EXPECT_FALSE(guess.locked);
  EXPECT_TRUE(guess.empty() && guess.first == truth - 1);
  EXPECT_TRUE(hidden_in(c.state).costs) << "the picture waits for the second try";
  EXPECT_THAT(first_words(question(), guess, english()), HasSubstr("too low"));
  EXPECT_FALSE(c.state.classroom.progress.at("padding").done.contains(0));
  c.act(SetGuess{std::to_string(truth), -1}).act(LockGuess{});
  EXPECT_TRUE(guess.locked);
  EXPECT_FALSE(hidden_in(c.state).costs);
  EXPECT_TRUE(is_right(question(), guess));
  EXPECT_EQ(c.state.classroom.progress.at("padding").predictions.at(0), (PredictionRecord{2, false, true}));

  c.act(OpenLesson{"padding"}).act(GoToLessonStep{0}).ask();
  c.act(SetGuess{std::to_string(truth + 1), -1}).act(LockGuess{});
  EXPECT_THAT(first_words(question(), guess, english()), HasSubstr("too high"));
  c.act(LockGuess{});  // nothing more is tried
  EXPECT_TRUE(guess.locked && guess.empty());
  EXPECT_EQ(c.state.classroom.progress.at("padding").predictions.at(0).tries, 3);
  EXPECT_TRUE(c.state.classroom.progress.at("padding").done.contains(0));
}

// A mistake that the lesson knows is told why; of another one the hint says what there is to say.
TEST(Lessons, AWrongAnswerIsToldItsOwnWhy) {
  Class c("padding");
  lesson::Lesson mine = *c.lesson().lesson;
  const std::int64_t truth = *c.lesson().answer;
  mine.steps[0].prediction->wrong = {{truth + 1, {{"en", "One lane is counted twice."}}}};
  const auto taken = std::make_shared<const lesson::Lesson>(mine);
  const auto say = [&](std::int64_t said) {
    c.act(TakeLesson{taken}).act(GoToLessonStep{0}).ask();
    c.act(SetGuess{std::to_string(said), -1}).act(LockGuess{});
    return why_wrong(*question_of(c.state, *c.seen, english()), said);
  };
  EXPECT_EQ(say(truth + 1), "One lane is counted twice.");
  EXPECT_EQ(c.lesson().hints, 0);
  EXPECT_EQ(say(truth + 2), "");
  EXPECT_EQ(c.lesson().hints, 1);
}

// "Which sectors?" is answered in the picture, by the mouse or by arrows and Space.
TEST(Lessons, PlacesAreMarkedInThePicture) {
  Class c("misalignment");
  EXPECT_FALSE(places_of(c.state, *c.seen));
  c.act(GoToLessonStep{1}).ask();
  const Guess& guess = c.lesson().guess;
  ASSERT_TRUE(places_of(c.state, *c.seen));
  EXPECT_TRUE(hidden_in(c.state).costs);
  EXPECT_FALSE(places_of(c.state, *c.seen)->truth);
  const Position here = c.state.position;
  c.key(Key::Right).key(Key::Space).key(Key::Right).key(Key::Space);
  c.key(Key::Down).type("7").key(Key::Space).key(Key::Left);
  EXPECT_EQ(guess.marks, 1u << 0 | 1u << 1 | 1u << 9);
  EXPECT_EQ(guess.at, 8);
  EXPECT_TRUE(guess.typed.empty());
  EXPECT_TRUE(c.state.position == here && !c.state.playback.playing);
  c.act(AskClass{});
  EXPECT_EQ(c.state.notice->key, "vote.drawn") << "a class cannot vote on it";
  c.act(MarkPlace{9}).act(MarkPlace{2}).act(MarkPlace{3}).act(MarkPlace{32}).act(MarkPlace{-1});
  EXPECT_EQ(guess.marks, 0b1111u) << "a second click takes a mark away; other places are none";
  c.key(Key::Enter);
  EXPECT_FALSE(guess.locked);
  EXPECT_EQ(guess.marks, 0b1111u) << "to be put right";
  EXPECT_THAT(why_wrong(*question_of(c.state, *c.seen, english()), *guess.first), HasSubstr("fit into 4"));
  c.act(MarkPlace{4}).key(Key::Enter);
  ASSERT_TRUE(guess.locked);
  const auto question = question_of(c.state, *c.seen, english());
  EXPECT_TRUE(is_right(*question, guess));
  EXPECT_THAT(difference_words(*question, guess, english()), HasSubstr("all 5"));
  ASSERT_TRUE(places_of(c.state, *c.seen)->truth);
  EXPECT_EQ((*places_of(c.state, *c.seen)->truth)[4], memory::LaneMask{1} << 31);
  EXPECT_EQ(c.state.classroom.progress.at("misalignment").predictions.at(1),
            (PredictionRecord{2, false, true}));
  c.act(MarkPlace{5});
  EXPECT_EQ(guess.marks, 0b11111u) << "locked is locked";
  c.act(StepWarp{1});
  EXPECT_FALSE(places_of(c.state, *c.seen)) << "they are of another access";
}

TEST(Lessons, WhatWasMarkedIsHeldAgainstTheTruth) {
  Class c("banks");
  c.act(GoToLessonStep{2}).ask();
  for (const int place : {0, 8, 1}) c.act(MarkPlace{place});
  c.key(Key::Enter).key(Key::Enter);  // unchanged, it opens the answer
  ASSERT_TRUE(c.lesson().guess.locked);
  EXPECT_THAT(difference_words(*question_of(c.state, *c.seen, english()), c.lesson().guess, english()),
              HasSubstr("It is 4: 2 right, 2 missed, 1 too many"));
  EXPECT_EQ(c.state.classroom.progress.at("banks").predictions.at(2).tries, 1);
}

// Of two choices the other one is no try.
TEST(Lessons, OfTwoChoicesTheFirstOpensTheAnswer) {
  Class c("misalignment");
  c.act(GoToLessonStep{3}).ask();
  ASSERT_EQ(c.lesson().prediction()->choices.size(), 2u);
  c.act(SetGuess{{}, static_cast<int>(1 - *c.lesson().answer)}).act(LockGuess{});
  EXPECT_TRUE(c.lesson().guess.locked);
}

TEST(Lessons, AWrongAnswerIsNoSuccess) {
  Class c("padding");
  const auto standing = [&](int step) {
    const auto known = c.state.classroom.progress.find("padding");
    const int steps = static_cast<int>(c.lesson().lesson->steps.size());
    return known == c.state.classroom.progress.end() ? StepStanding::Open
                                                     : standing_of(known->second, step, steps);
  };
  EXPECT_EQ(standing(0), StepStanding::Open);
  c.act(SetGuess{std::to_string(*c.lesson().answer + 1), -1}).act(LockGuess{}).act(LockGuess{});
  EXPECT_EQ(standing(0), StepStanding::Wrong);
  c.act(GoToLessonStep{0}).ask();
  c.act(SetGuess{std::to_string(*c.lesson().answer), -1}).act(LockGuess{});
  EXPECT_EQ(standing(0), StepStanding::Right);
  EXPECT_EQ(standing(1), StepStanding::Open);
  EXPECT_EQ(standing(static_cast<int>(c.lesson().lesson->steps.size())), StepStanding::Open);
  LessonRecord read;
  read.done.insert(0);
  EXPECT_EQ(standing_of(read, 0, 4), StepStanding::Done);
  read.passed = true;
  EXPECT_EQ(standing_of(read, 4, 4), StepStanding::Right);
}

TEST(Lessons, PassedEnterGoesToTheNext) {
  Class c("padding");
  const auto next = gallery().after(*c.lesson().lesson);
  ASSERT_NE(next, nullptr);
  c.act(GoToLessonStep{100}).ask().key(Key::Enter);
  ASSERT_TRUE(c.lesson().in_challenge()) << "not before it is passed";
  c.act(SetParameter{"pad", 2, {}}).ask();
  ASSERT_TRUE(c.lesson().passed());
  c.act(SetParameter{"pad", 0, {}}).ask();
  EXPECT_TRUE(!c.lesson().passed() && c.lesson().was_passed());
  c.key(Key::Enter);  // once passed, it goes on whatever the values are now
  EXPECT_EQ(c.lesson().lesson, next);
  EXPECT_EQ(c.lesson().step, 0);
  c.act(OpenLesson{gallery().lessons.back()->name}).act(NextLesson{});
  EXPECT_EQ(c.lesson().lesson, gallery().lessons.back());
  ASSERT_TRUE(c.state.classroom.palette) << "after the last one, all of them";
  EXPECT_EQ(c.state.classroom.palette->offer, CommandPalette::Offer::Lessons);
}

// What the opened answer speaks of is lit, and nothing before.
TEST(Lessons, TheAnswerLightsWhatItNames) {
  Class lane("warps");
  EXPECT_FALSE(hidden_by(lane.state.classroom).costs) << "the first step asks nothing";
  lane.act(GoToLessonStep{3});
  EXPECT_TRUE(hidden_by(lane.state.classroom).lanes) << "they are asked for";
  lane.act(GoToLessonStep{1}).ask();
  EXPECT_FALSE(hidden_by(lane.state.classroom).lanes);
  EXPECT_EQ(lit_by_answer(lane.state, *lane.seen).lane, -1);
  lane.act(SetGuess{"3", -1}).act(LockGuess{}).act(LockGuess{});
  EXPECT_EQ(lit_by_answer(lane.state, *lane.seen).lane, 21);
  lane.act(StepWarp{1});
  EXPECT_EQ(lit_by_answer(lane.state, *lane.seen).lane, -1) << "lane 21 of another warp is another thread";

  Class bank("banks");
  bank.act(GoToLessonStep{1}).ask().act(SetGuess{"3", -1}).act(LockGuess{}).act(LockGuess{});
  const Lit lit = lit_by_answer(bank.state, *bank.seen);
  EXPECT_EQ(lit.lane, 17);
  EXPECT_EQ(lit.bank, 2);
}

// Of what most of a class took for the answer, a lane or a bank is lit as well; the truth is not lit twice.
TEST(Lessons, TheWrongMajorityIsLitBesideTheTruth) {
  const auto lit_of = [](const char* lesson, vote::Question::Kind kind, const char* said) {
    Class c(lesson);
    c.act(GoToLessonStep{1}).ask().act(SetGuess{said, -1}).act(LockGuess{});
    c.act(SetGuess{said, -1}).act(LockGuess{});
    EXPECT_EQ(lit_by_answer(c.state, *c.seen).said_lane, -1) << "nobody has voted";
    vote::Round round;
    round.question.kind = kind;
    round.first = {{2, 5}, {3, 7}};
    round.phases = {vote::Phase::First, vote::Phase::Revealed};
    c.state.voting.round = round;
    return lit_by_answer(c.state, *c.seen);
  };
  const Lit lane = lit_of("warps", vote::Question::Kind::Lane, "3");
  EXPECT_EQ(lane.lane, 21);
  EXPECT_EQ(lane.said_lane, 3);
  EXPECT_EQ(lit_of("warps", vote::Question::Kind::Lane, "21").said_lane, -1) << "most were right";
  const Lit bank = lit_of("banks", vote::Question::Kind::Bank, "3");
  EXPECT_EQ(bank.bank_votes[3], 7);
  EXPECT_EQ(bank.bank_votes[2], 5);
  EXPECT_EQ(std::ranges::count(bank.bank_votes, 0), 30);
  EXPECT_EQ(bank.said_lane, -1);
}

TEST(Predict, TheAnswerLightsWhatItNames) {
  for (const bool global : {false, true}) {
    Class c;
    if (global) c.act(GoToEnd{false});
    c.act(SetPredicting{true}).act(NextQuestion{global ? 2 : 1});
    const auto question = question_of(c.state, *c.seen, english());
    ASSERT_GE(question->lane, 0);
    EXPECT_EQ(lit_by_answer(c.state, *c.seen).lane, -1);
    c.act(SetGuess{"1", -1}).act(LockGuess{}).act(LockGuess{});
    const Lit lit = lit_by_answer(c.state, *c.seen);
    EXPECT_EQ(lit.lane, question->lane);
    EXPECT_EQ(lit.sector, global);
    EXPECT_EQ(lit.bank, global ? -1 : static_cast<int>(*question->answer));
    c.act(NextQuestion{1}).act(SetGuess{"1", -1}).act(LockGuess{}).act(LockGuess{});
    EXPECT_EQ(lit_by_answer(c.state, *c.seen).lane, -1) << "a count names no lane";
  }
}

TEST(Lessons, AnAnswerThatComesAfterTheLockIsScoredToo) {
  Class c;
  c.act(OpenLesson{"padding"}).act(SetGuess{"1000", -1}).act(LockGuess{});
  EXPECT_FALSE(c.state.classroom.progress.at("padding").predictions.contains(0));
  EXPECT_TRUE(hidden_in(c.state).costs) << "it may be a first try";
  c.act(SetGuess{"7", -1});
  EXPECT_EQ(c.lesson().guess.typed, "1000");
  c.ask();
  EXPECT_EQ(c.lesson().guess.first, 1000);
  EXPECT_EQ(c.state.classroom.progress.at("padding").predictions.at(0).tries, 1);
}

TEST(Lessons, HintsComeOneByOneAndEnd) {
  Class c("broadcast");
  c.act(GoToLessonStep{99});
  ASSERT_EQ(c.lesson().hint_count(), 2);
  for (const int shown : {1, 2, 2}) {
    c.act(ShowHint{});
    EXPECT_EQ(c.lesson().hints, shown);
  }
}

TEST(Lessons, AChallengeLocksWhatIsNotFree) {
  Class c("padding");
  c.act(GoToLessonStep{99});
  const scenario::Scenario& s = *gallery().find(c.state.settings.scenario);
  for (const scenario::ScenarioParameter& p : s.parameters) {
    const Settings before = c.state.settings;
    EXPECT_EQ(is_locked(c.state, p.name), p.name != "pad");
    c.act(StepParameter{p.name, -1}).act(SetParameter{p.name, p.minimum, {}});
    EXPECT_EQ(c.state.settings == before, p.name != "pad") << p.name;
    if (p.name != "pad") {
      EXPECT_EQ(c.state.notice->key, "class.locked");
    }
    c.act(PutBack{}).act(DismissNotice{});
  }
  c.act(GoToLessonStep{0}).ask();
  EXPECT_TRUE(is_locked(c.state, "pad")) << "what is asked is asked of this padding";
  const Settings asked = c.state.settings;
  c.act(StepParameter{"pad", 1}).act(SetValues{{{"pad", 2}}});
  EXPECT_TRUE(c.state.settings == asked);
  c.act(SetGuess{"32", -1}).act(LockGuess{});
  EXPECT_FALSE(is_locked(c.state, "pad")) << "an answered step's own play is free";
  c.act(GoToLessonStep{99}).act(SelectScenario{"copy_row"});
  EXPECT_FALSE(is_locked(c.state, "nrows")) << "and that of another kernel";
}

TEST(Lessons, EveryOneCanBeWalkedAndEveryQuestionIsAnswered) {
  for (const auto& one : gallery().lessons) {
    Class c(one->name);
    for (int step = 0; step < static_cast<int>(one->steps.size()); ++step) {
      c.act(GoToLessonStep{step}).ask();
      ASSERT_EQ(c.lesson().step, step) << one->name;
      EXPECT_TRUE(c.seen->fresh) << one->name << step;
      EXPECT_TRUE(is_as_put(c.state, *c.seen)) << one->name << " step " << step;
      if (c.lesson().prediction() == nullptr) continue;
      ASSERT_TRUE(c.lesson().answer) << one->name << " step " << step;
      const auto question = question_of(c.state, *c.seen, english());
      ASSERT_TRUE(question);
      c.act(question->kind == Question::Kind::Choice ? SetGuess{{}, static_cast<int>(*question->answer)}
                                                     : SetGuess{std::to_string(*question->answer), -1});
      for (int place = 0; question->kind == Question::Kind::Draw && place < lesson::kDrawnPlaces; ++place) {
        if ((*question->answer >> place & 1) != 0) c.act(MarkPlace{place});
      }
      c.act(LockGuess{});
      EXPECT_TRUE(c.state.classroom.progress.at(one->name).predictions.at(step).first) << one->name << step;
    }
    EXPECT_EQ(c.state.classroom.progress.at(one->name).done.size(), one->steps.size()) << one->name;
  }
}

TEST(Lessons, ANameThatIsNotThereChangesNothing) {
  Class c;
  c.act(OpenLesson{"nonsense"}).act(TakeLesson{nullptr}).act(StepLesson{1}).act(PutBack{}).act(ShowHint{});
  c.act(LockGuess{}).act(SetGuess{"1", -1}).act(NextQuestion{1}).act(MoveSelection{1});
  EXPECT_FALSE(c.state.classroom.active);
}

// ---- keys ----

TEST(LessonKeys, TheListOpensAtTheFirstThatIsNotPassedAndIsChosenFrom) {
  Class c;
  LessonRecord passed;
  passed.passed = true;
  c.act(TakeProgress{{{gallery().lessons[0]->name, passed}}}).key(Key::F8);
  EXPECT_EQ(c.list().selected, 1);
  c.act(MoveSelection{100});
  EXPECT_EQ(c.state.classroom.palette->selected, static_cast<int>(gallery().lessons.size()) - 1);
  c.key(Key::Escape).act(TakeProgress{{}}).key(Key::F8);
  const CommandPalette& list = c.list();
  EXPECT_EQ(list.entries->all.size(), gallery().lessons.size());
  EXPECT_THAT(list.entries->all[0].keys, testing::EndsWith(" min")) << "until it was begun";
  c.key(Key::Down).key(Key::Down).key(Key::Up);
  EXPECT_EQ(list.selected, 1);
  c.key(Key::PageDown).key(Key::PageUp);
  EXPECT_EQ(list.selected, 1);
  c.type("e");
  EXPECT_FALSE(c.state.editing) << "keys of the picture behind the list do nothing";
  c.key(Key::Up).key(Key::Enter);
  ASSERT_TRUE(c.state.classroom.active);
  EXPECT_EQ(c.lesson().lesson->name, gallery().lessons[0]->name);
  c.key(Key::F8).key(Key::Escape);
  EXPECT_FALSE(c.state.classroom.palette);
}

TEST(LessonKeys, ChoicesAreChosenByTheirNumber) {
  Class c("transpose");
  c.act(GoToLessonStep{3}).ask();
  c.type("9");
  EXPECT_TRUE(c.lesson().guess.empty());
  c.type("2").key(Key::Enter);
  EXPECT_EQ(c.lesson().guess.chosen, 1);
  EXPECT_TRUE(c.state.classroom.progress.at("transpose").predictions.at(3).first);
}

TEST(LessonKeys, EnterIsTheEditorsWhileEditing) {
  Class c("padding");
  c.act(SetEditing{true}).key(Key::Enter);
  EXPECT_EQ(c.lesson().step, 0);
  EXPECT_TRUE(c.state.settings.text);
}

// ---- predicting anywhere ----

TEST(Predict, AsksAnewAtEveryOtherAccessAndParameterButNotAtAWavefront) {
  Class c;
  c.act(SetPredicting{true});
  const auto lock = [&] { c.act(SetGuess{"16", -1}).act(LockGuess{}).act(LockGuess{}); };
  lock();
  c.act(StepWavefront{1}).act(HoverLane{3}).act(SetTheme{Theme::Light});
  EXPECT_TRUE(c.state.classroom.predicting->guess.locked);
  c.act(StepAccess{-1});
  EXPECT_FALSE(c.state.classroom.predicting->guess.locked);
  lock();
  c.act(SetParameter{"pad", 3, {}});
  EXPECT_FALSE(c.state.classroom.predicting->guess.locked);
  lock();
  c.act(StepWarp{1});
  EXPECT_FALSE(c.state.classroom.predicting->guess.locked);
}

TEST(Predict, TabAsksSomethingElseWithTheRightAnswer) {
  Class c;
  c.act(SetPredicting{true});
  std::vector<std::string> asked;
  for (int i = 0; i < 3; ++i) {
    const auto question = question_of(c.state, *c.seen, english());
    asked.push_back(question->text);
    if (question->lane >= 0) {
      const memory::Address at = c.seen->now->access.addresses[static_cast<std::size_t>(question->lane)];
      EXPECT_EQ(*question->answer, static_cast<std::int64_t>(at / 4 % 32));
    }
    c.key(Key::Tab);
  }
  EXPECT_EQ(std::set<std::string>(asked.begin(), asked.end()).size(), 3u);
  EXPECT_EQ(question_of(c.state, *c.seen, english())->text, asked[0]);
  c.key(Key::Tab, true);
  EXPECT_EQ(question_of(c.state, *c.seen, english())->text, asked[2]);
}

TEST(Predict, WorksOnGlobalAccessesAndWhilePresenting) {
  Class c;
  c.act(SetPresent{true}).act(GoToEnd{false}).key(Key::F9);
  const auto question = question_of(c.state, *c.seen, english());
  ASSERT_TRUE(question);
  EXPECT_EQ(*question->answer, c.seen->now->cost.sectors);
  EXPECT_TRUE(c.state.present);
  c.key(Key::Escape);
  EXPECT_TRUE(c.state.classroom.predicting) << "one key by mistake shows no answer to a class";
  ASSERT_TRUE(c.state.notice);
  c.key(Key::Escape);
  EXPECT_FALSE(c.state.classroom.predicting);
  EXPECT_FALSE(c.state.notice);
  EXPECT_TRUE(c.state.present) << "Escape ends one thing at a time";
}

TEST(Predict, GivesWayToAComparisonOnceItIsAnswered) {
  Class c;
  c.act(SetPresent{true}).key(Key::F9).act(PinA{});
  EXPECT_TRUE(c.state.classroom.predicting) << "beside A the answer would show";
  c.type("1").key(Key::Enter).key(Key::Enter);
  ASSERT_TRUE(c.state.classroom.predicting && c.state.classroom.predicting->guess.locked);
  c.act(PinA{});
  EXPECT_FALSE(c.state.classroom.predicting);
  EXPECT_TRUE(c.state.pinned);
}

TEST(Predict, GoesBeforeTheLessonsOwnQuestion) {
  Class c("padding");
  c.key(Key::F9).type("5");
  EXPECT_EQ(c.state.classroom.predicting->guess.typed, "5");
  EXPECT_TRUE(c.lesson().guess.empty());
}

TEST(Words, TellTheDifference) {
  Question q;
  q.answer = 32;
  const auto said = [&](const std::string& typed) {
    Guess guess;
    guess.typed = typed, guess.locked = true;
    return difference_words(q, guess, english());
  };
  EXPECT_EQ(said("32"), "✓ Right: 32.");
  EXPECT_EQ(said("4"), "✗ Not 4, but 32: 8 times as many.");
  EXPECT_EQ(said("30"), "✗ Not 30, but 32.");
  EXPECT_EQ(said("40"), "✗ Not 40, but 32.");
  q.kind = Question::Kind::Place;
  EXPECT_EQ(said("4"), "✗ Not 4, but 32.");
  q.kind = Question::Kind::Choice;
  q.choices = {"more", "less"};
  q.answer = 1;
  Guess first;
  first.chosen = 0, first.locked = true;
  EXPECT_EQ(difference_words(q, first, english()), "✗ more");
  q.answer.reset();
  EXPECT_EQ(difference_words(q, first, english()), "The simulator is working.");
}

TEST(Words, TheNumbersOfferedDoNotDependOnTheAnswer) {
  PricedAccess moment;
  moment.access.active = ~memory::LaneMask{0};
  moment.cost.sectors = 5;
  const auto offered = question_about(moment, 0, english()).offered;
  EXPECT_THAT(offered, IsSupersetOf({1, 2, 4, 5, 8, 9, 16, 17, 32})) << "and the usual ones are among them";
  for (const int answer : {1, 7, 19, 31, 64}) {
    moment.cost.sectors = moment.cost.lines = answer;
    EXPECT_EQ(question_about(moment, 0, english()).offered, offered) << answer;
    EXPECT_EQ(question_about(moment, 1, english()).offered, offered) << answer;
  }
}

TEST(Guesses, AreNumbersOfBoundedLength) {
  Class c;
  c.act(SetPredicting{true});
  for (const char* wrong : {"x", "1x", "1234567890123", "--1"}) {
    c.act(SetGuess{wrong, -1});
    EXPECT_EQ(c.state.classroom.predicting->guess.typed, "") << wrong;
  }
  c.act(SetGuess{"-", -1}).act(LockGuess{});
  EXPECT_FALSE(c.state.classroom.predicting->guess.locked);
  c.act(SetGuess{"12", -1}).key(Key::Backspace);
  EXPECT_EQ(c.state.classroom.predicting->guess.typed, "1");
}

// ---- files ----

// Each knows what it did itself; the file knows all of it, and tells the later one.
TEST(ProgressFile, TwoWindowsDoNotUndoEachOther) {
  const scenario::Folder folder;
  const fs::path file = folder.path() / "lessons.json";
  LessonRecord one, other;
  one.at = 1;
  one.done = {0, 1};
  one.predictions[1] = {1, true, true};
  other.at = 3;
  other.done = {3};
  other.predictions[3] = {2, false, true};
  other.passed = true;
  const Places places{{}, folder.path()};
  EXPECT_FALSE(perform(KeepProgress{"padding", one}, {}, gallery(), places).empty());
  EXPECT_EQ(keep_progress(file, "banks", {}).trouble, "");
  const KeptProgress kept = keep_progress(file, "padding", other);
  ASSERT_TRUE(kept.progress);
  const LessonRecord both = load_progress(file).progress.at("padding");
  EXPECT_EQ(both, kept.progress->at("padding"));
  EXPECT_EQ(both.at, 3);
  EXPECT_EQ(both.done, (std::set<int>{0, 1, 3}));
  EXPECT_EQ(both.predictions.at(1), one.predictions[1]);
  EXPECT_EQ(both.predictions.at(3), other.predictions[3]);
  EXPECT_TRUE(both.passed);
  // The first window again, with what it knows: nothing of the other's goes.
  EXPECT_EQ(keep_progress(file, "padding", one).trouble, "");
  EXPECT_TRUE(load_progress(file).progress.at("padding").passed);
  EXPECT_EQ(load_progress(file).progress.size(), 2u);
  // Both answered the same: the first try of all is the first.
  LessonRecord late;
  late.predictions[1] = {1, false, false};
  EXPECT_EQ(merged(late, both).predictions.at(1), (PredictionRecord{1, true, true}));
}

TEST(ProgressFile, ThatIsBrokenIsSetAsideAndKept) {
  const char* broken[] = {
      "",
      "{",
      "[]",
      R"({"schema": "warplens.progress/2", "lessons": {}})",
      R"({"schema": "warplens.progress/1"})",
      R"({"schema": "warplens.progress/1", "lessons": {"a": 1}})",
      R"({"schema": "warplens.progress/1", "lessons": {"a": {"at": -1}}})",
      R"({"schema": "warplens.progress/1", "lessons": {"a": {"at": 1e300}}})",
      R"({"schema": "warplens.progress/1", "lessons": {"a": {"done": [99999999]}}})",
      R"({"schema": "warplens.progress/1", "lessons": {"a": {"predictions": {"x": {}}}}})",
      R"({"schema": "warplens.progress/1", "lessons": {"a": {"passed": "yes"}}})"};
  for (const char* text : broken) {
    const scenario::Folder folder;
    const fs::path file = folder.write("lessons.json", text);
    const LoadedProgress loaded = load_progress(file);
    EXPECT_TRUE(loaded.progress.empty()) << text;
    EXPECT_THAT(loaded.trouble, HasSubstr("lessons.json.broken-1")) << text;
    EXPECT_EQ(folder.read("lessons.json.broken-1"), text);
    EXPECT_FALSE(fs::exists(file));
    folder.write("lessons.json", "[");  // once more
    EXPECT_NE(keep_progress(file, "a", {}).trouble, "");
    EXPECT_EQ(folder.read("lessons.json.broken-1"), text);
    EXPECT_EQ(folder.read("lessons.json.broken-2"), "[");
    EXPECT_EQ(load_progress(file).progress.size(), 1u);
  }
}

TEST(LessonFiles, OfOnesOwnAreOpenedByTheirPath) {
  const scenario::Folder folder;
  fs::copy_file(kSource / "assets/lessons/10-padding.lesson.json", folder.path() / "mine.lesson.json");
  const Places places{{}, folder.path() / "state"};
  Class c;
  for (const Action& action :
       perform(ReadFile{(folder.path() / "mine.lesson.json").string()}, c.state, gallery(), places))
    c.act(action);
  ASSERT_TRUE(c.state.classroom.active);
  EXPECT_TRUE(c.state.classroom.progress.contains((folder.path() / "mine.lesson.json").string()))
      << "its progress is not the built-in lesson's";
  EXPECT_THAT(recent_files(places), ElementsAre((folder.path() / "mine.lesson.json").string()));
}

// What else can be wrong: tests/lesson.
TEST(LessonFiles, AreToldTheirMistakesWithFileLineAndField) {
  const scenario::Folder folder;
  fs::copy_file(kSource / "assets/lessons/10-padding.lesson.json", folder.path() / "good.lesson.json");
  for (const auto& [from, to, told] :
       {std::tuple{"\"order\": 10", "\"order\": \"ten\"", "bad.lesson.json:4: order"},
        {"\"transpose_shared\"", "\"transpose_shred\"", "].show.scenario"}}) {
    std::string text = folder.read("good.lesson.json");
    text.replace(text.find(from), std::string_view(from).size(), to);
    Class c;
    for (const Action& action :
         perform(ReadFile{folder.write("bad.lesson.json", text).string()}, c.state, gallery(), {}))
      c.act(action);
    EXPECT_FALSE(c.state.classroom.active) << to;
    ASSERT_TRUE(c.state.notice);
    EXPECT_THAT(c.state.notice->words, testing::AllOf(HasSubstr("bad.lesson.json"), HasSubstr(told)));
  }
}

}  // namespace warplens::app::class_test
