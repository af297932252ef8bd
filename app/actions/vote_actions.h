// What actions do that concern a class's vote: the part of apply() that apply.cpp hands on.
#pragma once

#include <functional>

#include "app/state/action.h"

namespace warplens::app {

struct VoteActions {
  State& state;
  std::function<void(const Action&)> again;  // does another action
  std::function<void(Settings)> change;      // makes these the settings; those before can be had again

  void operator()(const AskClass& a);
  void operator()(const TakeRound& a);
  void operator()(const MoveRound& a);
  void operator()(const EndRound& a);
  void operator()(const LeaveClass& a);
  void operator()(const TakeNetwork& a);
  void operator()(const TakeVotes& a);
  void operator()(const PickAddress& a);
  void operator()(const TestNetwork& a);
  void operator()(const TakeTest& a);
  void operator()(const TypeHand& a);
  void operator()(const NextHand& a);
  void operator()(const EraseHand& a);

 private:
  void open_answer(bool last);
};

// The action is one of these.
template <typename A>
concept IsOfVotes = requires(VoteActions actions, const A& action) {
  actions(action);
};

// Which question is asked now, whatever is turned meanwhile; empty: none.
std::string key_of_question(const Classroom& classroom);
// A vote is about one question: with another on screen it is over, and what was voted is kept.
void end_vote_on_other_question(State* state);
// Revealed before the simulator had the answer, it is told as soon as that is there.
void tell_late_truth(State* state);

}  // namespace warplens::app
