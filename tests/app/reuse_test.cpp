// The reuse picture in a session: who touched the sectors on screen, what is said of it, when it is hidden.
#include "app/views/reuse.h"

#include <gmock/gmock.h>

#include "app/derive/comparison.h"
#include "app/readout/question.h"
#include "app/simulate/simulation.h"
#include "app/simulate/simulator.h"
#include "sim/scenario/scenario.h"
#include "tests/app/desk.h"

namespace warplens::app::reuse_test {

using namespace views;

using sim::Origin;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Driver : Windowless {
  explicit Driver(const std::string& scenario, const std::vector<Action>& first = {}) : Windowless(scenario) {
    derive();
    for (const Action& action : first) act(action);
  }
  void derive() override {
    Windowless::derive();
    shown = visible(seen, hidden_in(state));
    reuse = worker.derive(state, *shown).second;
  }
  std::string words() const { return sharing_words(*reuse, *shown, english()); }
  std::string origins() const {
    std::string text;
    for (const Origin origin : origins_of(*reuse, *shown)) text += "fwb"[static_cast<std::size_t>(origin)];
    return text;
  }

  PlotWorker worker{&gallery(), runner};
  std::shared_ptr<const Simulation> shown;
  std::shared_ptr<const Reuse> reuse;
};

TEST(Reuse, OfColumnsIsThatOfTheBlocksWarps) {
  Driver d("copy_col", {SetParameter{"nrows", 64, {}}, SetParameter{"ncols", 64, {}}, GoToEnd{false}});
  EXPECT_EQ(d.words(),
            "12.5 % of these sectors' bytes are used now, 100 % with the other warps of this block");
  EXPECT_EQ(bytes_of_block(&*d.reuse, *d.shown), 1024) << "all that is moved";
  d.act(ShowView{ViewId::Reuse});
  EXPECT_EQ(d.origins(), std::string(32, 'f'));
  d.act(GoToWarp{1});
  EXPECT_EQ(d.origins(), std::string(32, 'b'));
}

TEST(Reuse, OfAWalkAlongTheRowIsThatOfTheNextSteps) {
  Driver d("sgemm_naive",
           {SetParameter{"m", 32, {}}, SetParameter{"n", 32, {}}, SetParameter{"k", 32, {}}, GoToEnd{false}});
  EXPECT_EQ(d.words(),
            "12.5 % of these sectors' bytes are used now, 100 % with the other loads of this warp");
}

TEST(Reuse, IsNotSpokenOfWhereNothingIsGained) {
  for (const char* scenario : {"copy_row", "copy", "sum_soa", "copy_stride"}) {
    Driver d(scenario, {GoToEnd{false}});
    EXPECT_EQ(d.words(), "") << scenario;
  }
}

TEST(Reuse, IsHiddenWhileAQuestionIsOpen) {
  Driver d("sum_aos", {SetParameter{"n", 8192, {}}, GoToEnd{false}, ShowView{ViewId::Reuse}});
  ASSERT_EQ(d.origins(), std::string(12, 'f'));
  d.act(SetPredicting{true});
  EXPECT_EQ(d.reuse, nullptr);
  d.act(SetGuess{"4", -1});
  d.act(LockGuess{}), d.act(LockGuess{});
  EXPECT_EQ(d.reuse, nullptr) << "it would tell of what is asked next";
  d.act(SetPredicting{false});
  EXPECT_EQ(d.origins(), std::string(12, 'f'));
}

TEST(Reuse, IsOfTheLanesAndTheirSectors) {
  Driver d("transpose_shared");
  d.act(ShowView{ViewId::Reuse});
  d.act(PinA{});
  EXPECT_EQ(state_of_a(d.state, *d.seen).shown, ViewId::Reuse) << "A│B: both sides";
  d.act(Halt{true});
  EXPECT_NE(d.origins(), "") << "what is known stays";
}

// Of every rung and every first access: what is said has both languages' words, and no place left open.
TEST(Reuse, IsSaidOfTheWholeGallery) {
  int said = 0;
  for (const scenario::Scenario& scenario : gallery().scenarios) {
    Driver d(scenario.name);
    if (!d.reuse) continue;
    for (int i = 0; i < std::min(4, d.shown->event_count()); ++i) {
      d.act(GoToEvent{i, 0});
      for (const language::Strings* strings : {&english(), &strings_of("zh-CN")}) {
        const std::string words = sharing_words(*d.reuse, *d.shown, *strings);
        EXPECT_EQ(words.find('{'), std::string::npos) << scenario.name << ": " << words;
        EXPECT_EQ(words.find("x[i], x[i]"), std::string::npos) << "it does not share with itself: " << words;
        said += !words.empty();
      }
    }
  }
  EXPECT_GT(said, 40);
}

}  // namespace warplens::app::reuse_test
