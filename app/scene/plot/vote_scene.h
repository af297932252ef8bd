// A class's vote on the stage: where to go with a phone and how many have voted; once it is revealed how many
// gave each answer, in the first vote and in the second, and the truth.
//
//   192.168.1.23:8090        ▄▄▄ ▄ ▄▄▄        |      first        second
//   code  123 456            █▄█ ▀ █▄█        |   4  ███ 12       █ 3
//   143 of 180               ▄▄▄ ▀▄▄ █        | = 32 ██████ 30    ██████████ 51
#pragma once

#include <string>
#include <vector>

#include "app/scene/views.h"

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
  std::vector<std::string> lines;  // what to do, what is wrong
  std::string urgent;              // in the accent colour: it is time to close
  std::vector<VoteRow> rows;       // once it is revealed
  bool with_second = false;
  std::vector<std::string> first, second;  // headings, with how many of each were right: a line each
};

Scene vote_scene(const VoteView& view, const Canvas& canvas);
// Address, code and count alone, as large as a strip allows, with what to do below.
Scene vote_line_scene(const VoteView& view, const Canvas& canvas);

}  // namespace warplens::scene
