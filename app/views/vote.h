// A class's vote on the stage: where to go with a phone and how many have voted; once it is revealed how many
// gave each answer, in the first vote and in the second, and the truth.
//
//   192.168.1.23:8090        ▄▄▄ ▄ ▄▄▄        |      first        second
//   code  123 456            █▄█ ▀ █▄█        |   4  ███ 12       █ 3
//   143 of 180               ▄▄▄ ▀▄▄ █        | = 32 ██████ 30    ██████████ 51
#pragma once

#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/scene/views.h"
#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/vote/round.h"

namespace warplens::scene {

struct VoteRow {
  std::string label;
  int first = 0, second = 0;
  bool truth = false, majority = false;
};

struct VoteView {
  std::string title, answer;
  std::string question;              // where nothing else on screen says it
  std::vector<std::string> choices;  // of the question, by the numbers that hands are counted with
  std::string address, code;         // large; empty: phones cannot come
  std::string code_word;  // "code", before it: a large font has figures, and not every script's words
  int side = 0;           // of the QR code
  std::vector<bool> black;
  std::string count;               // "143 votes of 180 phones"
  std::string hands_for;           // not empty: a figure alone is typed, which is large, and for which answer
  std::vector<std::string> lines;  // what to do, what is wrong
  std::string urgent;              // in the accent colour: it is time to close
  std::vector<VoteRow> rows;       // once it is revealed
  bool with_second = false;
  std::vector<std::string> first, second;  // headings, with how many of each were right: a line each
};

Scene vote_scene(const VoteView& view, const Canvas& canvas);

}  // namespace warplens::scene

namespace warplens::app {

struct AskedRound {
  vote::Round round;                  // but for its id and when it began
  std::optional<std::int64_t> truth;  // not known yet: the simulator is at it
};
// Of the question on screen, in each of the languages; nothing: none is asked.
std::optional<AskedRound> round_on_screen(const State& state, const Simulation& simulation,
                                          const Catalog& catalog,
                                          const std::vector<const language::Strings*>& languages);

// `question`: said here too. Precondition: a round.
scene::VoteView vote_view(const Voting& voting, bool question, const language::Strings& strings);
// "http://192.168.1.23:8090/#123456"; empty: phones cannot come.
std::string url_of(const ClassNetwork& network);

}  // namespace warplens::app
