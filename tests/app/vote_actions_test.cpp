// A class's vote at the lecturer's keys: what each does to the state, and what the stage says of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "app/input/commands.h"
#include "app/readout/question.h"
#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "app/simulate/simulator.h"
#include "app/storage/teaching_files.h"
#include "app/views/vote.h"
#include "app/vote/ballot_box.h"
#include "tests/app/desk.h"
#include "tests/scene/checks.h"

namespace warplens::app::vote_actions_test {

using testing::HasSubstr;
using vote::Phase;

// The app's loop without a window; the round is made as the app makes it.
struct Hall : Windowless {
  int rounds = 0;

  Hall& act(const Action& action) override {
    Windowless::act(action);
    for (const Request& request : std::exchange(state.requests, {}))
      if (std::holds_alternative<MakeRound>(request)) make_round();
    return *this;
  }
  void make_round() {
    auto asked = round_on_screen(state, *seen, gallery(), {&strings_of("en"), &strings_of("zh-CN")});
    ASSERT_TRUE(asked);
    asked->round.id = "r" + std::to_string(++rounds);
    act(TakeRound{asked->round, asked->truth});
  }
  Hall& type(const std::string& characters) override {
    for (const char c : characters) press({Key::Character, c, {}, false, false});
    return *this;
  }
  Hall& ask() {
    key(Key::F9, false, true);
    return *this;
  }
  Hall& votes(const vote::Counts& counts) {
    return act(TakeVotes{state.voting.round->ballot(), counts, false});
  }
  const vote::Round& round() const { return *state.voting.round; }
};

TEST(VoteKeys, AskTheClassTheQuestionOnScreenInEveryLanguage) {
  Hall hall;
  hall.ask();
  ASSERT_TRUE(hall.state.voting.round);
  EXPECT_TRUE(hall.state.voting.wanted);
  EXPECT_TRUE(hall.state.classroom.predicting) << "where nothing was asked, a prediction is";
  EXPECT_TRUE(hidden_in(hall.state).costs);
  EXPECT_EQ(hall.round().phase(), Phase::First);
  EXPECT_THAT(hall.round().question.text.at("en"), HasSubstr("wavefronts"));
  EXPECT_THAT(hall.round().question.text.at("zh-CN"), HasSubstr("波前"));
  EXPECT_FALSE(hall.round().truth) << "what phones are told is made of the round";
  EXPECT_EQ(hall.state.voting.truth, 16);
  EXPECT_EQ(hall.round().question.least, 0) << "no request has fewer wavefronts than none";
  EXPECT_EQ(hall.round().question.most, 32 * 4) << "nor more than bytes";
}

TEST(VoteKeys, ADigitWhileTheClassTalksIsAnswered) {
  Hall hall;
  hall.ask().key(Key::Enter).type("4");
  ASSERT_EQ(hall.round().phase(), Phase::Discussion);
  ASSERT_TRUE(hall.state.notice);
  EXPECT_EQ(hall.state.notice->key, "vote.hand.closed");
  EXPECT_TRUE(hall.state.voting.hand.empty());
}

TEST(VoteKeys, HandsThatAreTakenBackLeavePhonesToCount) {
  Hall hall;
  hall.ask().votes({{99, 5}});
  hall.type("4").key(Key::Tab).type("12").key(Key::Tab);
  EXPECT_TRUE(hall.round().by_hands);
  hall.votes({{99, 7}});
  EXPECT_EQ(hall.round().first, (vote::Counts{{4, 12}})) << "phones do not count";
  hall.type("4").key(Key::Tab).type("9").key(Key::Backspace).key(Key::Backspace).key(Key::Backspace);
  EXPECT_EQ(hall.round().phase(), Phase::First) << "Backspace took back what was typed";
  hall.type("4").key(Key::Tab).type("0").key(Key::Tab);
  EXPECT_FALSE(hall.round().by_hands) << "no hand is left";
  hall.votes({{99, 6}});
  EXPECT_EQ(hall.round().first, (vote::Counts{{99, 6}}));
}

// Two keys between two looks at the phones: the last votes of the first vote are counted in it.
TEST(VoteKeys, VotesOfTheFirstVoteAreTakenAlsoInTheSecond) {
  Hall hall;
  hall.ask().votes({{16, 5}});
  const std::string first = hall.round().ballot();
  hall.key(Key::Enter).key(Key::Enter);
  hall.act(TakeVotes{first, {{16, 6}}, true});
  EXPECT_EQ(hall.round().first, (vote::Counts{{16, 6}}));
  EXPECT_EQ(hall.round().second, vote::Counts{});
  hall.act(TakeVotes{"another-1", {{16, 9}}, true});
  EXPECT_EQ(hall.round().first, (vote::Counts{{16, 6}})) << "of another round's none";
}

// A lesson's question: the first of a step that asks one.
void open_question(Hall* hall) {
  hall->act(OpenLesson{"strides"});
  const auto& steps = hall->state.classroom.active->lesson->steps;
  for (std::size_t i = 0; i < steps.size() && hall->state.classroom.active->prediction() == nullptr; ++i)
    hall->act(GoToLessonStep{static_cast<int>(i)});
  ASSERT_NE(hall->state.classroom.active->prediction(), nullptr);
}

TEST(VoteKeys, TheTruthThatComesLateIsTold) {
  Hall hall;
  open_question(&hall);
  const auto lesson = hall.state.classroom.active->lesson;
  const int step = hall.state.classroom.active->step;
  hall.ask().votes({{3, 5}});
  hall.type("r").act(TakeVotes{hall.round().ballot(), {{3, 5}}, true});
  EXPECT_FALSE(hall.round().truth) << "the simulator is still working";
  hall.act(LessonAnswered{lesson, step, 3, {}});
  EXPECT_EQ(hall.round().truth, 3);
  const auto& record = hall.state.classroom.progress.at(lesson->name);
  EXPECT_EQ(record.predictions.at(step).tries, 1);
  hall.key(Key::Backspace);
  EXPECT_FALSE(hall.round().truth) << "taken back, it is hidden again";
}

TEST(VoteKeys, ALessonCountsTheClassAsOneThatAnswered) {
  Hall hall;
  open_question(&hall);
  const auto lesson = hall.state.classroom.active->lesson;
  const int step = hall.state.classroom.active->step;
  hall.act(LessonAnswered{lesson, step, 3, {}});
  hall.ask().votes({{3, 5}, {4, 1}});
  hall.type("r");
  EXPECT_EQ(hall.round().truth, 3);
  hall.act(TakeVotes{hall.round().ballot(), {{3, 5}, {4, 2}}, true});
  const auto record = hall.state.classroom.progress.at(lesson->name).predictions.at(step);
  EXPECT_EQ(record.tries, 1);
  EXPECT_TRUE(record.right);
  EXPECT_TRUE(hall.state.classroom.active->guess.locked);
}

TEST(VoteKeys, AskAnewSkipAndLeave) {
  Hall hall;
  hall.ask().type("n");
  EXPECT_EQ(hall.round().id, "r2");
  hall.key(Key::Escape);
  EXPECT_EQ(hall.round().phase(), Phase::Skipped);
  EXPECT_TRUE(hidden_in(hall.state).costs) << "what was skipped is not told";
  hall.key(Key::Backspace);
  EXPECT_EQ(hall.round().phase(), Phase::First);
  hall.key(Key::F9, true, true);
  EXPECT_FALSE(hall.state.voting.wanted);
  EXPECT_FALSE(hall.state.voting.round);
}

TEST(VoteKeys, TheRevealComesBackToWhatWasAsked) {
  Hall hall;
  hall.ask().votes({{16, 5}});
  hall.act(SetParameter{"pad", 1, {}}).act(StepAccess{-1});
  hall.type("r");
  EXPECT_EQ(hall.state.settings.values.at("pad"), 0);
  EXPECT_EQ(hall.seen->now->cost.wavefronts, 16);
  hall.act(TakeVotes{hall.round().ballot(), {{16, 5}}, true});
  EXPECT_TRUE(hall.state.classroom.predicting->guess.locked);
  EXPECT_EQ(hall.state.classroom.predicting->guess.typed, "16") << "what most said";
}

TEST(VoteKeys, AnotherQuestionEndsTheVote) {
  Hall hall;
  hall.ask().votes({{16, 5}});
  hall.act(NextQuestion{1});
  EXPECT_EQ(hall.round().phase(), Phase::Skipped);
  EXPECT_EQ(hall.round().first, (vote::Counts{{16, 5}}));
  ASSERT_TRUE(hall.state.notice);
}

// A lecturer who skips, takes back, asks anew, steps, turns and switches at any moment, a few thousand times:
// before the reveal nothing that is shown or told to phones has the truth or a count by answer.
TEST(VoteKeys, InNoOrderTellBeforeTheReveal) {
  std::mt19937 random(18);
  int revealed = 0, asked = 0;
  for (int lesson = 0; lesson < 2; ++lesson) {
    Hall hall;
    if (lesson == 1) open_question(&hall);
    for (int i = 0; i < 1500; ++i) {
      const auto& active = hall.state.classroom.active;
      const auto vote = [&] {
        if (hall.state.voting.round) hall.votes({{770077, 3}, {880088, 2}});
      };
      const std::function<void()> moves[] = {
          [&] { hall.ask(); },
          [&] { hall.key(Key::Enter); },
          [&] { hall.key(Key::Enter).key(Key::Enter); },
          [&] { hall.key(Key::Backspace); },
          [&] { hall.key(Key::Escape); },
          [&] { hall.key(Key::Tab); },
          [&] { hall.key(Key::Right); },
          [&] { hall.key(Key::F9); },
          [&] { hall.key(Key::F9, true, true); },
          [&] { hall.type("r"); },
          [&] { hall.type("n"); },
          [&] { hall.type("7"); },
          [&] { hall.type("p"); },
          vote,
          vote,
          [&] {
            hall.act(SetGuess{"16", -1}).act(LockGuess{});
          },
          [&] { hall.act(SetLanguage{i % 2 == 0 ? "en" : "zh-CN"}); },
          [&] { hall.act(SetTheme{i % 2 == 0 ? Theme::Light : Theme::Dark}); },
          [&] { hall.act(SetPresent{i % 2 == 0}); },
          [&] { hall.act(NextQuestion{1}); },
          [&] { hall.act(StepLesson{i % 2 == 0 ? 1 : -1}); },
          [&] { hall.act(PinA{}); },
          [&] { hall.act(app::Undo{}); },
          [&] {
            if (active) hall.act(LessonAnswered{active->lesson, active->step, 990099, {}});
          }};
      moves[random() % std::size(moves)]();
      if (!hall.state.voting.round) continue;
      ++asked;
      if (hall.round().phase() == Phase::Revealed) {
        ++revealed;
        continue;
      }
      const scene::VoteView view = vote_view(hall.state.voting, true, strings_of(hall.state.language));
      const std::string told = vote::Notice(hall.round()).text({});
      // Nothing is asked of another kernel, which undo may bring back.
      const bool elsewhere = active && !hall.state.classroom.predicting &&
                             hall.state.settings.scenario != active->view().scenario;
      ASSERT_TRUE(hall.round().phase() == Phase::Skipped || elsewhere || hidden_in(hall.state).costs) << i;
      ASSERT_FALSE(hall.round().truth) << i;
      ASSERT_TRUE(view.rows.empty() && view.answer.empty()) << i;
      for (const char* secret : {"770077", "880088", "990099", "truth"})
        ASSERT_THAT(told, testing::Not(HasSubstr(secret))) << i;
    }
  }
  EXPECT_GT(revealed, 100);
  EXPECT_GT(asked, 500) << "so much was looked at";
}

// A code that leads nowhere helps nobody, and which of two networks is the hall's only the lecturer knows.
TEST(VoteNetwork, TheOnlyOneIsTakenAtOnce) {
  using Kind = platform::NetworkAddress::Kind;
  const auto place = [](const std::vector<Kind>& kinds) {
    std::vector<platform::NetworkAddress> addresses;
    for (const Kind kind : kinds) addresses.push_back({"", "", kind});
    return place_in_a_hall(addresses);
  };
  EXPECT_EQ(place({}), -1);
  EXPECT_EQ(place({Kind::Loopback}), 0);
  EXPECT_EQ(place({Kind::Cable, Kind::Loopback}), 0);
  EXPECT_EQ(place({Kind::Wifi, Kind::Virtual, Kind::Loopback}), 0);
  EXPECT_EQ(place({Kind::Virtual, Kind::Loopback}), 1) << "of a virtual machine or a container";
  EXPECT_EQ(place({Kind::Wifi, Kind::Cable, Kind::Loopback}), 2);
}

TEST(VoteWords, TellTheNumberOfVotesAloneBeforeTheReveal) {
  Hall hall;
  hall.ask().votes({{77, 40}, {88, 3}});
  ClassNetwork network;
  network.addresses = {{"wlan0", "192.168.1.23", platform::NetworkAddress::Kind::Wifi}};
  network.chosen = 0, network.port = 8090, network.code = "123456", network.joined = 50;
  hall.act(TakeNetwork{network});
  for (const char* language : {"en", "zh-CN"}) {
    const scene::VoteView view = vote_view(hall.state.voting, true, strings_of(language));
    EXPECT_TRUE(view.rows.empty());
    EXPECT_THAT(view.count, HasSubstr("43"));
    EXPECT_EQ(view.address, "192.168.1.23:8090");
    EXPECT_EQ(view.code, "123 456");
    Voting guessed = hall.state.voting;
    guessed.network.code = "12345678", guessed.network.key = "123456789012";
    EXPECT_EQ(vote_view(guessed, true, strings_of(language)).code, "123 456 78");
    EXPECT_THAT(url_of(guessed.network), testing::EndsWith("/#123456789012"));
    EXPECT_NE(view.urgent, "") << "43 of 50 have voted";
  }
  network.addresses = {{"lo", "127.0.0.1", platform::NetworkAddress::Kind::Loopback}};
  Voting alone = hall.state.voting;
  alone.network = network;
  const scene::VoteView none = vote_view(alone, true, strings_of("en"));
  EXPECT_EQ(none.side, 0) << "a code that leads nowhere";
  EXPECT_EQ(none.address + none.code, "");
  const auto says = [&](const Voting& voting, const char* key) {
    const auto lines = vote_view(voting, true, strings_of("en")).lines;
    return std::ranges::find(lines, strings_of("en")(key)) != lines.end();
  };
  EXPECT_TRUE(says(alone, "vote.alone")) << "no other network can be chosen";
  alone.network.addresses.insert(alone.network.addresses.begin(),
                                 {"eth0", "192.0.2.2", platform::NetworkAddress::Kind::Cable});
  alone.network.chosen = 1;
  EXPECT_TRUE(says(alone, "vote.pick"));
  alone.hand.answer = "4", alone.hand.count = "12", alone.hand.at_count = true;
  const scene::VoteView hands = vote_view(alone, true, strings_of("en"));
  EXPECT_EQ(hands.hands_for + hands.count, "Hands for 4:12_") << "the figure apart, which is large";
  alone.hand = {};
  alone.round->by_hands = true;
  alone.round->first = {{4, 12}, {8, 3}};
  const scene::VoteView total = vote_view(alone, true, strings_of("en"));
  EXPECT_EQ(total.hands_for + total.count, "Hands:15") << "and so is the total";
  hall.type("r");
  const scene::VoteView told = vote_view(hall.state.voting, true, strings_of("en"));
  ASSERT_EQ(told.rows.size(), 3u);
  EXPECT_TRUE(told.rows[0].truth);
  EXPECT_TRUE(told.rows[1].majority);
  EXPECT_EQ(told.side, 0) << "whoever comes now comes too late";
}

// Hands are counted by the numbers of choices: a hall without phones has to see them.
TEST(VoteWords, GiveTheChoicesTheirNumbersOnTheStage) {
  Hall hall;
  hall.act(OpenLesson{"strides"}).act(GoToLessonStep{3}).ask();
  ASSERT_EQ(hall.round().question.choices.size(), 3u);
  const scene::VoteView view = vote_view(hall.state.voting, true, strings_of("en"));
  EXPECT_THAT(view.choices, testing::ElementsAre("1  more, about 64", "2  the same, 32", "3  fewer"));
  EXPECT_TRUE(vote_view(hall.state.voting, false, strings_of("en")).choices.empty())
      << "the lesson's panel has them";
}

// Two histograms beside long answers leave little room: what is above them is told whole.
TEST(VoteWords, AboveTheHistogramsAreWhole) {
  Hall hall;
  hall.act(OpenLesson{"strides"}).act(GoToLessonStep{3}).ask().votes({{0, 150}, {1, 80}});
  hall.key(Key::Enter).key(Key::Enter);
  hall.votes({{0, 80}, {1, 150}}).key(Key::Enter);
  const scene::VoteView view = vote_view(hall.state.voting, true, strings_of("en"));
  const scene::Scene drawn =
      scene::vote_scene(view, {300, 400, 1, &scene::dark_palette(), &strings_of("en")});
  const std::string all = scene::checks::words_of(drawn);
  EXPECT_THAT(all, HasSubstr("votes"));
  EXPECT_THAT(all, testing::Not(HasSubstr("…"))) << all;
}

TEST(KeptRounds, AreKeptOnceHoweverOftenTheyAreRevealed) {
  const scenario::Folder own;
  Hall hall;
  hall.ask().votes({{16, 5}}).type("r");
  for (int reveal = 0; reveal < 2; ++reveal) EXPECT_EQ(keep_round(own.path(), hall.round()).english(), "");
  const KeptRounds kept = load_rounds(rounds_file(own.path()));
  ASSERT_EQ(kept.rounds.size(), 1u);
  EXPECT_EQ(kept.rounds[0], hall.round());
}

TEST(VoteKeys, NoSlipOfTheMouseLocksAnAnswerWhileTheClassVotes) {
  Hall hall;
  hall.ask().votes({{16, 5}}).act(SetGuess{"16", -1}).act(LockGuess{});
  EXPECT_TRUE(hidden_in(hall.state).costs);
  hall.key(Key::Enter).act(SetGuess{"16", -1}).act(LockGuess{});
  EXPECT_TRUE(hidden_in(hall.state).costs) << "nor while it talks";
}

}  // namespace warplens::app::vote_actions_test
