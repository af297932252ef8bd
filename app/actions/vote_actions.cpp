#include "app/actions/vote_actions.h"

#include <algorithm>

#include "app/state/sheets.h"
#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

constexpr std::size_t kMostHandDigits = 4;

Guess* guess_in(Classroom* c) {
  if (c->predicting) return &c->predicting->guess;
  return c->active && c->active->prediction() != nullptr ? &c->active->guess : nullptr;
}

std::int64_t number_of(const std::string& text) {
  return number_in<std::int64_t>(text).value_or(0);
}

}  // namespace

std::string key_of_question(const Classroom& c) {
  if (c.predicting) return "predicting " + std::to_string(c.predicting->question);
  if (!c.active || c.active->prediction() == nullptr) return {};
  return c.active->lesson->name + " " + std::to_string(c.active->step);
}

void end_vote_on_other_question(State* state) {
  std::optional<vote::Round>& round = state->voting.round;
  if (!round || round->is_over() || !state->asked_at) return;
  if (key_of_question(state->classroom) == state->asked_at->question) return;
  vote::move(&*round, vote::Move::Skip);
  state->notice = Notice{"vote.other_question", {}, false, false};
}

void tell_late_truth(State* state) {
  Voting& v = state->voting;
  const Classroom& c = state->classroom;
  if (!v.round || v.round->phase() != vote::Phase::Revealed || v.round->truth || !state->asked_at) return;
  if (c.predicting || !c.active || key_of_question(c) != state->asked_at->question) return;
  v.truth = v.round->truth = c.active->answer;
}

void VoteActions::operator()(const AskClass&) {
  Classroom& c = state.classroom;
  if (key_of_question(c).empty()) again(SetPredicting{true});
  make_room(&state, std::nullopt);
  state.playback.playing = false;
  *guess_in(&c) = {};
  state.voting.wanted = true;
  state.hint = false;
  state.requests.emplace_back(MakeRound{});
}

void VoteActions::operator()(const TakeRound& a) {
  Voting& v = state.voting;
  v.round = a.round;
  v.truth = a.truth;
  v.hand = {};
  v.network.late = false;
  state.asked_at = AskedAt{state.settings, state.position, key_of_question(state.classroom)};
}

void VoteActions::operator()(const MoveRound& a) {
  Voting& v = state.voting;
  if (!v.round) return;
  const bool revealed = v.round->phase() == vote::Phase::Revealed;
  if (!vote::move(&*v.round, a.what)) return;
  v.hand = {};
  v.network.late = false;
  if (v.round->phase() == vote::Phase::Revealed) {
    const auto& active = state.classroom.active;
    if (!v.truth && active && !state.classroom.predicting) v.truth = active->answer;
    v.round->truth = v.truth;
    if (state.asked_at && !(state.asked_at->settings == state.settings)) change(state.asked_at->settings);
    if (state.asked_at) state.position = state.asked_at->position;
    open_answer(false);
  } else if (revealed) {
    v.round->truth.reset();
    if (Guess* guess = guess_in(&state.classroom)) *guess = {};
  }
}

// What most said is the class's answer: it is held against the truth as a person's own would be. `last`: all
// votes are in, and it is the lesson's.
void VoteActions::open_answer(bool last) {
  Guess* guess = guess_in(&state.classroom);
  const vote::Round& round = *state.voting.round;
  if (guess == nullptr) return;
  *guess = {};
  if (const auto said = vote::majority(round.counts())) {
    if (round.question.kind == vote::Question::Kind::Choice)
      guess->chosen = static_cast<int>(*said);
    else
      guess->typed = std::to_string(*said);
  }
  if (last) again(LockGuess{});
  guess->locked = true;
}

void VoteActions::operator()(const EndRound&) {
  state.voting.round.reset();
  state.voting.truth.reset();
  state.voting.test.reset();
  state.asked_at.reset();
}

void VoteActions::operator()(const LeaveClass&) {
  (*this)(MoveRound{vote::Move::Skip});
  (*this)(EndRound{});
  state.voting.wanted = false;
}

void VoteActions::operator()(const TakeNetwork& a) {
  state.voting.network = a.network;
}

void VoteActions::operator()(const TakeVotes& a) {
  std::optional<vote::Round>& round = state.voting.round;
  if (!round || (a.ballot != round->id + "-1" && a.ballot != round->id + "-2")) return;
  if (!round->by_hands) (a.ballot == round->id + "-1" ? round->first : round->second) = a.counts;
  if (a.last && round->phase() == vote::Phase::Revealed) open_answer(true);
}

void VoteActions::operator()(const PickAddress& a) {
  state.voting.steps += a.by;
  state.voting.test.reset();
}

void VoteActions::operator()(const TestNetwork&) {
  state.voting.test = state.voting.test ? std::nullopt : std::optional(SelfTest{});
}

void VoteActions::operator()(const TakeTest& a) {
  if (state.voting.test) state.voting.test = a.test;
}

// ---- hands ------------------------------------------------------------------------------------------------

void VoteActions::operator()(const TypeHand& a) {
  Voting& v = state.voting;
  if (!v.round || !v.round->takes_votes()) return;
  std::string& text = v.hand.at_count ? v.hand.count : v.hand.answer;
  if (text.size() < (v.hand.at_count ? kMostHandDigits : kMostDigits)) text += a.digit;
}

void VoteActions::operator()(const NextHand&) {
  Voting& v = state.voting;
  if (!v.round || !v.round->takes_votes() || v.hand.answer.empty()) return;
  const bool choice = v.round->question.kind == vote::Question::Kind::Choice;
  const std::int64_t answer = number_of(v.hand.answer) - (choice ? 1 : 0);  // choices are numbered from 1
  if (!v.round->question.takes(answer)) return v.hand = {}, void();
  if (!v.hand.at_count || v.hand.count.empty()) return v.hand.at_count = true, void();
  if (!v.round->by_hands) v.round->counts().clear();  // from here on hands are what counts
  v.round->by_hands = true;
  const auto count = static_cast<int>(number_of(v.hand.count));
  if (count > 0)
    v.round->counts()[answer] = count;
  else
    v.round->counts().erase(answer);
  if (v.round->counts().empty()) v.round->by_hands = false;  // none is left: phones count again
  v.hand = {};
}

void VoteActions::operator()(const EraseHand&) {
  HandCount& hand = state.voting.hand;
  if (hand.at_count && hand.count.empty()) hand.at_count = false;
  std::string& text = hand.at_count ? hand.count : hand.answer;
  if (!text.empty()) text.pop_back();
}

}  // namespace warplens::app
