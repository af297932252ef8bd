// Rounds that a class has voted in, kept in the state folder of this user: what was asked, how many gave each
// answer, and the truth. Nobody's vote is in it.
//
//   class/rounds.jsonl   a round a line, warplens.class/1; of lines with the same id the last counts
//   class/rounds.csv     the same as a table
//   class/round.jsonl    the round that is under way, with its phones' tokens; it goes when the round ends
#pragma once

#include <filesystem>
#include <vector>

#include "app/vote/round.h"

namespace warplens::app {

struct KeptRounds {
  std::vector<vote::Round> rounds;
  int not_read = 0;  // lines that are none
  Message trouble;   // the file cannot be read
};
// Of a file of rounds, or of the journal of one.
KeptRounds load_rounds(const std::filesystem::path& file);

std::filesystem::path rounds_file(const std::filesystem::path& state_folder);
std::filesystem::path journal_file(const std::filesystem::path& state_folder);
// What went wrong, in words, or empty.
Message keep_round(const std::filesystem::path& state_folder, const vote::Round& round);
Message delete_rounds(const std::filesystem::path& state_folder);

}  // namespace warplens::app
