// One question that a class votes on, from its opening to the truth, as a value.
//
//   First ──close──▶ Discussion ──second──▶ Second ──reveal──▶ Revealed
//     └───────────────────┴──── reveal ───────────────────────────▲        undo takes back the last of these
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"

namespace warplens::vote {

using Counts = std::map<std::int64_t, int>;  // votes by their answer
using scenario::LocalText;

// What a phone is told of it: never the truth.
struct Question {
  enum class Kind : std::uint8_t { Number, Choice, Lane, Bank, Sector };
  Kind kind = Kind::Number;
  LocalText text;
  std::vector<LocalText> choices;  // of Kind::Choice
  int places = 0;                  // lanes, banks or sectors to tap: 0 to places - 1
  static constexpr std::int64_t kMost = 999'999'999;
  std::int64_t least = 0, most = kMost;  // of Kind::Number: what an answer can be
  friend bool operator==(const Question&, const Question&) = default;
  bool takes(std::int64_t answer) const;
};

enum class Phase : std::uint8_t { First, Discussion, Second, Revealed, Skipped };
inline constexpr const char* kPhases[] = {"first", "discussion", "second", "revealed", "skipped"};
enum class Move : std::uint8_t { Close, Second, Reveal, Skip, Undo };

struct Round {
  std::string id;
  Question question;
  std::string lesson, place;  // where it was asked: a lesson's name, and the view as a line of text
  std::vector<Phase> phases{Phase::First};  // passed through; the last is the present one
  Counts first, second;
  bool by_hands = false;              // hands were counted
  std::optional<std::int64_t> truth;  // once it is known; told when it is revealed
  std::string began;                  // "2026-11-23T22:10:05Z", by this machine's clock

  Phase phase() const { return phases.back(); }
  bool takes_votes() const { return phase() == Phase::First || phase() == Phase::Second; }
  bool has_second() const;
  bool is_over() const { return phase() == Phase::Revealed || phase() == Phase::Skipped; }
  // The name of the vote that is taken, or was taken last: an answer to the first is no vote in the second.
  std::string ballot() const { return id + (has_second() ? "-2" : "-1"); }
  Counts& counts() { return has_second() ? second : first; }
  const Counts& counts() const { return has_second() ? second : first; }
  friend bool operator==(const Round&, const Round&) = default;
};

// false: it means nothing now, and the round stays as it is.
bool move(Round* round, Move what);

int total(const Counts& counts);
// The answer that most gave; of several the least. Nothing: nobody answered.
std::optional<std::int64_t> majority(const Counts& counts);
// How many in a hundred are right; negative: nobody answered, or the truth is not known.
double percent_right(const Counts& counts, const std::optional<std::int64_t>& truth);

// warplens.class/1: a round in a line.
nlohmann::json to_json(const Round& round);
std::optional<Round> round_of(const nlohmann::json& json);

// A text that nobody guesses, of the given letters: a round's name, a phone's cookie, the hall's code.
std::string random_text(std::size_t length, std::string_view letters);

// As they are kept and shown: the last of each id counts, those that were taken back and asked again once.
std::vector<Round> without_repeats(std::vector<Round> rounds);
std::string csv_of(const std::vector<Round>& rounds);
std::string answer_words(const Question& question, std::int64_t answer, const std::string& language);

}  // namespace warplens::vote
