// A class's vote: opened, closed, revealed, and hands that are counted.
#include "app/input/commands.h"

namespace warplens::app {
namespace {

using vote::Move;
using vote::Phase;

bool has_round(In in) {
  return in.state.voting.round.has_value();
}
const vote::Round& round_of(In in) {
  return *in.state.voting.round;
}
bool is_open(In in) {
  return has_round(in) && round_of(in).takes_votes();
}
bool is_under_way(In in) {
  return has_round(in) && !round_of(in).is_over();
}
bool counts_hands(In in) {
  return is_open(in) && (round_of(in).by_hands || !in.state.voting.hand.empty());
}

Actions go_on(In in) {
  if (!in.state.voting.hand.empty()) return {NextHand{}};
  switch (round_of(in).phase()) {
    case Phase::First:
      return {MoveRound{Move::Close}};
    case Phase::Discussion:
      return {MoveRound{Move::Second}};
    case Phase::Second:
      return {MoveRound{Move::Reveal}};
    default:
      return {EndRound{}};
  }
}
Actions take_back(In in) {
  return in.state.voting.hand.empty() ? Actions{MoveRound{Move::Undo}} : Actions{EraseHand{}};
}
Actions leave(In in) {
  return is_under_way(in) ? Actions{MoveRound{Move::Skip}} : Actions{EndRound{}};
}
Actions next_field(In in) {
  if (counts_hands(in)) return {NextHand{}};
  return {PickAddress{in.shift ? -1 : 1}};
}

constexpr const char* kAsk = "help.class_ask";
constexpr const char* kMoves = "help.vote_moves";
constexpr Command kVoteCommands[] = {
    {"class_ask", Focus::Anywhere, "Ctrl F9", "help.class_ask.now", does<AskClass>, kAsk},
    {"class_leave", Focus::Anywhere, "Ctrl Shift F9", "help.class_leave", does<LeaveClass>, kAsk,
     [](In in) { return in.state.voting.wanted; }},
    {"vote_next", Focus::Vote, "Enter", nullptr, go_on, kMoves, has_round, "Enter  R  N  T"},
    {"vote_reveal", Focus::Vote, "R", nullptr, does<MoveRound, Move::Reveal>, kMoves, is_under_way},
    {"vote_undo", Focus::Vote, "Backspace", nullptr, take_back, kMoves, has_round},
    {"vote_again", Focus::Vote, "N", nullptr, does<AskClass>, kMoves, has_round},
    {"vote_test", Focus::Vote, "T", nullptr, does<TestNetwork>, kMoves, has_round},
    {"vote_leave", Focus::Vote, "Esc", nullptr, leave, kMoves, has_round},
    {"vote_hands", Focus::Vote, "0 … 9", nullptr, [](In in) { return Actions{TypeHand{in.character}}; },
     "help.vote_hands", is_open, "0 … 9  Tab"},
    {"vote_address", Focus::Vote, "Tab", nullptr, next_field, "help.vote_hands", has_round},
};

}  // namespace

std::span<const Command> vote_commands() {
  return kVoteCommands;
}

}  // namespace warplens::app
