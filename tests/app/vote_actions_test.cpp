// A class's vote at the lecturer's keys: what each does to the state, and what the stage says of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "app/actions/apply.h"
#include "app/input/keys.h"
#include "app/readout/question.h"
#include "app/readout/vote_words.h"
#include "app/simulate/simulator.h"
#include "app/storage/class_file.h"
#include "tests/app/gallery.h"
#include "tests/app/waits.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using vote::Phase;

const language::Strings& words(const std::string& language) {
  static std::map<std::string, language::Strings> all;
  const auto [found, is_new] = all.try_emplace(language);
  if (is_new) {
    std::string error;
    found->second = load_words(fs::path(WARPLENS_SOURCE_DIR) / "assets" / "languages", language, &error);
  }
  return found->second;
}

// The app's loop without a window; the round is made as the app makes it.
struct Hall {
  State state = opening(gallery(), "transpose_shared");
  jobs::Runner runner{jobs::waits_for_all()};
  Simulator simulator{&gallery(), runner};
  std::shared_ptr<const Simulation> seen = simulator.derive(state);
  int rounds = 0;

  Hall& act(const Action& action) {
    state = apply(std::move(state), action, *seen, gallery());
    const auto requests = std::exchange(state.requests, {});
    seen = simulator.derive(state);
    for (const Request& request : requests) {
      if (std::holds_alternative<MakeRound>(request)) make_round();
    }
    return *this;
  }
  void make_round() {
    auto asked = round_on_screen(state, *seen, gallery(), {&words("en"), &words("zh-CN")});
    ASSERT_TRUE(asked);
    asked->round.id = "r" + std::to_string(++rounds);
    act(TakeRound{asked->round, asked->truth});
  }
  Hall& press(const KeyPress& key) {
    for (const Action& action : actions_of(key, state, gallery(), {})) act(action);
    return *this;
  }
  Hall& key(Key k, bool shift = false, bool control = false) { return press({k, 0, {}, shift, control}); }
  Hall& type(const std::string& characters) {
    for (const char c : characters) press({Key::Character, c, {}, false, false});
    return *this;
  }
  Hall& ask() { return key(Key::F9, false, true); }
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
}

TEST(VoteKeys, GoFromVoteToVoteToTheTruth) {
  Hall hall;
  hall.ask().votes({{1, 7}, {16, 3}});
  hall.key(Key::Enter);
  EXPECT_EQ(hall.round().phase(), Phase::Discussion);
  hall.key(Key::Backspace);
  EXPECT_EQ(hall.round().phase(), Phase::First);
  hall.key(Key::Enter).key(Key::Enter).votes({{1, 2}, {16, 8}});
  EXPECT_EQ(hall.round().phase(), Phase::Second);
  EXPECT_TRUE(hidden_in(hall.state).costs);
  hall.key(Key::Enter);
  EXPECT_EQ(hall.round().phase(), Phase::Revealed);
  EXPECT_EQ(hall.round().truth, 16);
  EXPECT_FALSE(hidden_in(hall.state).costs);
  EXPECT_EQ(hall.state.classroom.predicting->guess.typed, "16")
      << "what most said is the answer that is locked";
  hall.key(Key::Backspace);
  EXPECT_TRUE(hidden_in(hall.state).costs) << "taken back, the truth is hidden again";
  EXPECT_FALSE(hall.round().truth);
  hall.type("r").key(Key::Enter);
  EXPECT_FALSE(hall.state.voting.round);
}

TEST(VoteKeys, CountHands) {
  Hall hall;
  hall.ask().votes({{99, 1}});
  hall.type("4").key(Key::Tab).type("12").key(Key::Tab);
  hall.type("32").key(Key::Tab).type("30").key(Key::Enter);
  EXPECT_TRUE(hall.round().by_hands);
  EXPECT_EQ(hall.round().first, (vote::Counts{{4, 12}, {32, 30}}));
  hall.votes({{99, 5}});
  EXPECT_EQ(hall.round().first, (vote::Counts{{4, 12}, {32, 30}})) << "phones no longer count";
  hall.type("4").key(Key::Tab).type("9").key(Key::Backspace).key(Key::Backspace).key(Key::Backspace);
  EXPECT_EQ(hall.round().phase(), Phase::First) << "Backspace took back what was typed";
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
}

TEST(VoteKeys, AnotherQuestionEndsTheVote) {
  Hall hall;
  hall.ask().votes({{16, 5}});
  hall.act(NextQuestion{1});
  EXPECT_EQ(hall.round().phase(), Phase::Skipped);
  EXPECT_EQ(hall.round().first, (vote::Counts{{16, 5}}));
  ASSERT_TRUE(hall.state.notice);
}

TEST(VoteWords, TellTheNumberOfVotesAloneBeforeTheReveal) {
  Hall hall;
  hall.ask().votes({{77, 40}, {88, 3}});
  ClassNetwork network;
  network.addresses = {{"wlan0", "192.168.1.23", platform::NetworkAddress::Kind::Wifi}};
  network.chosen = 0, network.port = 8090, network.code = "123456", network.joined = 50;
  hall.act(TakeNetwork{network});
  for (const char* language : {"en", "zh-CN"}) {
    const scene::VoteView view = vote_view(hall.state.voting, true, words(language));
    EXPECT_TRUE(view.rows.empty());
    EXPECT_THAT(view.count, HasSubstr("43"));
    EXPECT_EQ(view.address, "192.168.1.23:8090");
    EXPECT_EQ(view.code, "123 456");
    EXPECT_NE(view.urgent, "") << "43 of 50 have voted";
  }
  hall.type("r");
  const scene::VoteView told = vote_view(hall.state.voting, true, words("en"));
  ASSERT_EQ(told.rows.size(), 3u);
  EXPECT_TRUE(told.rows[0].truth);
  EXPECT_TRUE(told.rows[1].majority);
  EXPECT_EQ(told.side, 0) << "whoever comes now comes too late";
}

TEST(KeptRounds, ComeBackAndGo) {
  const fs::path folder = fs::temp_directory_path() / ("warplens_kept_" + std::to_string(::getpid()));
  Hall hall;
  hall.ask().votes({{16, 5}}).type("r");
  EXPECT_EQ(keep_round(folder, hall.round()).english(), "");
  EXPECT_EQ(keep_round(folder, hall.round()).english(), "") << "revealed once more";
  const KeptRounds kept = load_rounds(rounds_file(folder));
  ASSERT_EQ(kept.rounds.size(), 1u);
  EXPECT_EQ(kept.rounds[0], hall.round());
  EXPECT_TRUE(fs::exists(folder / "class" / "rounds.csv"));
  EXPECT_EQ(delete_rounds(folder).english(), "");
  EXPECT_TRUE(load_rounds(rounds_file(folder)).rounds.empty());
  fs::remove_all(folder);
}

}  // namespace
}  // namespace warplens::app
