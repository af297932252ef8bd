// While a question is open nothing gives the answer away: stepping, playing, the state on screen, undo. What
// panels draw is watched by `warplens-probe secrets`, what is written by tests/share.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/readout/question.h"
#include "app/simulate/simulation.h"
#include "app/storage/session_file.h"
#include "tests/app/desk.h"

namespace warplens::app::secrets_test {

struct Class : Windowless {
  // What panels, pictures and files are given.
  std::shared_ptr<const Simulation> shown() const { return visible(seen, hidden_in(state)); }
};

// The way from one access to the next is as long whatever it costs: counting steps or seconds tells nothing.
TEST(WhileAQuestionIsOpen, AnAccessIsOneStep) {
  Class c;
  c.act(SelectScenario{"transpose_shared"});
  c.act(GoToEnd{false});
  c.act(StepAccess{2});
  ASSERT_EQ(c.seen->wavefronts_of(c.seen->place.event), 16);
  c.act(StepWavefront{1});
  ASSERT_EQ(c.seen->place.event, 2) << "nothing is asked: one of sixteen wavefronts";
  c.act(StepWavefront{-1});
  c.act(SetPredicting{true});
  c.act(StepWavefront{1});
  EXPECT_EQ(c.seen->place.event, 3);
  c.act(StepWavefront{-1});
  EXPECT_EQ(c.seen->place.event, 2);
  for (const int event : {0, 2}) {  // 4 sectors, 16 wavefronts
    c.act(GoToEvent{event, 0});
    c.act(SetPlaying{true});
    c.act(Tick{kAccessSeconds - 0.01});
    EXPECT_EQ(c.seen->place.event, event);
    EXPECT_EQ(c.seen->place.wavefront, 0);
    c.act(Tick{0.02});
    EXPECT_EQ(c.seen->place.event, event + 1);
  }
}

TEST(WhileAQuestionIsOpen, TheStateOnScreenHoldsNoAnswer) {
  Class c;
  c.act(SelectScenario{"transpose_shared"});
  const auto on_screen = [&] { return to_json(c.state, *c.shown())["seen"]; };
  ASSERT_TRUE(on_screen().contains("units"));
  c.act(SetPredicting{true});
  EXPECT_FALSE(on_screen().contains("units"));
  EXPECT_FALSE(on_screen().contains("ideal"));
  EXPECT_TRUE(on_screen()["totals"]) << "they are known, and not told";
  EXPECT_TRUE(to_json(c.state, *c.seen, true)["seen"].contains("units"));
  c.act(SetGuess{"3", -1});
  c.act(LockGuess{});
  c.act(LockGuess{});
  EXPECT_TRUE(on_screen().contains("units"));
  c.act(SetPredicting{false});

  c.act(OpenLesson{"padding"});
  c.act(LessonAnswered{c.state.classroom.active->lesson, 0, 16, {}});
  const auto lesson = [&](bool with_answers) {
    return to_json(c.state, *c.seen, with_answers)["seen"]["class"]["lesson"];
  };
  EXPECT_FALSE(lesson(false).contains("answer"));
  EXPECT_TRUE(lesson(false)["answer_known"]);
  EXPECT_EQ(lesson(true)["answer"], 16);
  c.act(SetGuess{"16", 0});
  c.act(LockGuess{});
  c.act(LockGuess{});
  EXPECT_EQ(lesson(false)["answer"], 16);
}

// What is not there cannot be told: neither costs, nor what they would follow from.
TEST(WhileAQuestionIsOpen, TheDataHoldsNoAnswer) {
  Class c;
  c.act(SelectScenario{"transpose_shared"});
  c.act(GoToEnd{false});
  c.act(StepAccess{2});
  ASSERT_EQ(c.shown(), c.seen) << "nothing is asked";
  c.act(SetPredicting{true});
  const auto asked = c.shown();
  EXPECT_EQ(asked->trace, nullptr);
  EXPECT_EQ(asked->lines, nullptr);
  EXPECT_EQ(asked->totals, nullptr);
  ASSERT_TRUE(asked->now && asked->global);
  EXPECT_EQ(asked->now->known, Known::Addresses);
  EXPECT_EQ(asked->now->access.addresses, c.seen->now->access.addresses) << "they are what is asked about";
  EXPECT_EQ(asked->now->cost.wavefronts, memory::Cost{}.wavefronts);
  EXPECT_EQ(asked->now->plan.degree, memory::BankPlan{}.degree);
  EXPECT_EQ(asked->global->known, Known::Nothing);
  EXPECT_EQ(asked->global->site, nullptr);
  EXPECT_EQ(asked->global->access.active, memory::WarpAccess{}.active);
  for (const PricedEvent& event : *asked->events) EXPECT_EQ(event.units + event.ideal, 0);
  EXPECT_EQ(asked->wavefronts_of(2), 1);
  const auto question = question_of(c.state, *asked, english());
  ASSERT_TRUE(question.has_value());
  EXPECT_FALSE(question->answer.has_value());

  c.act(SetGuess{"3", -1});
  c.act(LockGuess{});
  c.act(LockGuess{});
  const auto locked = c.shown();
  EXPECT_EQ(locked->now->known, Known::All);
  EXPECT_EQ(locked->trace, nullptr) << "phases, reuse, map, timeline and landscape would tell of the next";
  EXPECT_EQ(locked->lines, nullptr);
  EXPECT_EQ(locked->totals, nullptr);
  EXPECT_EQ(locked->global->known, Known::Nothing) << "it is asked about next";
  for (int i = 0; i < locked->event_count(); ++i)
    EXPECT_EQ((*locked->events)[static_cast<std::size_t>(i)].units != 0, i == 2) << i;
  EXPECT_EQ(question_of(c.state, *locked, english())->answer, 16);
}

TEST(WhileAQuestionIsOpen, WhichLanesAreActiveIsNotThere) {
  Class c;
  const auto seen = visible(c.seen, {.costs = true, .lanes = true, .rest = true});
  EXPECT_EQ(seen->now->access.active, ~memory::LaneMask{0});
  EXPECT_EQ(seen->now->access.addresses, memory::WarpAccess{}.addresses);
  EXPECT_EQ(seen->variables, nullptr);
}

// Settings are taken back under an open question, and it stays one.
TEST(WhileAQuestionIsOpen, UndoAndRedoAskAnew) {
  Class c;
  c.act(SelectScenario{"transpose_shared"});
  c.act(SetParameter{"pad", 1, {}});
  c.act(SetPredicting{true});
  c.act(SetGuess{"2", -1});
  c.act(LockGuess{});
  c.act(LockGuess{});
  ASSERT_FALSE(hidden_in(c.state).costs);
  for (const Action& action : {Action(Undo{}), Action(Redo{})}) {
    c.act(action);
    EXPECT_TRUE(hidden_in(c.state).costs) << "of other settings nothing was guessed";
    EXPECT_TRUE(c.state.classroom.predicting->guess.empty());
  }
  EXPECT_EQ(c.state.settings.values["pad"], 1);
}

}  // namespace warplens::app::secrets_test
