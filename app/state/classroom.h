// What a class is in the middle of: a lesson, a prediction, and which lessons are done. A part of State.
//   lesson open  -> its step's settings and place; the question, if any, hides the costs
//                   until the answer is locked
//   predicting   -> the same for any access that is stepped to
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/platform/system.h"
#include "app/vote/round.h"
#include "sim/lesson/grade.h"
#include "sim/lesson/lesson.h"

namespace warplens::app {

// An answer on its way: a number as typed, or one of the choices. The first that is wrong is told why, and
// another try is left; locked, no more is, and the truth is shown.
struct Guess {
  std::string typed;
  int chosen = -1;
  std::uint32_t marks = 0;  // places in the picture, a bit each
  int at = -1;              // the place that the keyboard has come to; -1: it has not been used
  bool locked = false;
  bool waiting = false;               // given before the simulator knew: it is judged as soon as it does
  std::optional<std::int64_t> first;  // the first try, which was wrong
  bool low = false;                   // ... and less than the truth
  bool empty() const { return typed.empty() && chosen < 0 && marks == 0; }
  std::int64_t value() const;  // the number, the choice, or the marks
  friend bool operator==(const Guess&, const Guess&) = default;
};

// What is kept of a lesson between sessions (progress_file.h).
struct PredictionRecord {
  int tries = 0;
  bool first = false;  // the first try was right
  bool right = false;  // any was
  friend bool operator==(const PredictionRecord&, const PredictionRecord&) = default;
};
struct LessonRecord {
  int at = 0;          // the step last looked at; as many as there are steps: the challenge
  std::set<int> done;  // steps read, or whose prediction was locked
  std::map<int, PredictionRecord> predictions;
  bool passed = false;  // the challenge was met
  friend bool operator==(const LessonRecord&, const LessonRecord&) = default;
};
// How a step, or with their number as `step` the challenge, stands: a wrong answer is no success.
enum class StepStanding : std::uint8_t { Open, Done, Right, Wrong };
StepStanding standing_of(const LessonRecord& record, int step, int steps);
using Progress = std::map<std::string, LessonRecord>;  // by lesson_key()

// The lesson in progress.
struct ActiveLesson {
  std::shared_ptr<const lesson::Lesson> lesson;
  int step = 0;   // as many as there are steps: the challenge
  int hints = 0;  // shown
  Guess guess;
  // By the simulator, as soon as it has them (lesson_judge.h).
  std::optional<std::int64_t> answer;
  // Of the steps that were answered since the lesson was opened: what stands there again when one goes back.
  std::map<int, std::pair<Guess, std::int64_t>> answered{};
  std::shared_ptr<const lesson::Grade> grade;
  std::vector<Message> trouble;              // why there is none
  bool passed_before = false;                // the challenge, with whatever values
  std::optional<ViewId> put = std::nullopt;  // that a step asked for; it goes with the step. None: none did

  bool in_challenge() const { return step >= static_cast<int>(lesson->steps.size()); }
  const lesson::View& view() const;
  const lesson::Prediction* prediction() const;  // of the step; null: none
  int hint_count() const;
  bool passed() const { return in_challenge() && grade != nullptr && grade->passed(); }
  // As it stands, or as it stood with other values.
  bool was_passed() const { return in_challenge() && (passed() || passed_before); }
};

// A question about whatever access is looked at.
struct Predicting {
  int question = 0;  // which of those that fit the access (question.h)
  Guess guess;
};

struct PaletteEntries;  // palette.h

// The command palette; what is typed into it is the one-line input "palette".
struct CommandPalette {
  // Everything; every scenario and file, by ladders; the lessons.
  enum class Offer : std::uint8_t { Commands, Scenarios, Lessons };
  Offer offer = Offer::Commands;
  std::shared_ptr<const PaletteEntries> entries;  // null: not listed yet
  int selected = 0;                               // of those that fit
};

struct Classroom {
  std::optional<ActiveLesson> active;
  std::optional<Predicting> predicting;
  std::optional<int> tour;  // the stop
  std::optional<CommandPalette> palette;
  Progress progress;
};

// A built-in lesson by its name, the user's own by its file.
std::string lesson_key(const lesson::Lesson& lesson, bool built_in);

// Every text of a lesson in a language: what a font must have.
std::vector<std::string> words_of(const lesson::Lesson& lesson, const std::string& language);

// What may not be seen while a question is open.
struct Hidden {
  bool costs = false;  // of every access: sectors, banks, wavefronts, verdicts
  bool lanes = false;  // which lanes are active
  // Of every access but the one looked at, and of the whole grid: they would answer what is asked next.
  // Always where the costs are.
  bool rest = false;
  // Measured times of more than the launch looked at: this question, or a later one of the lesson, is about
  // times.
  bool times = false;
  friend bool operator==(const Hidden&, const Hidden&) = default;
};
Hidden hidden_by(const Classroom& classroom);

// A class that votes on the question on screen, as far as the lecturer is in the middle of it. A part of
// State.

// Where phones find it, and whether they do. The window tells (app/desktop/class_vote.cpp).
struct ClassNetwork {
  std::vector<platform::NetworkAddress> addresses;  // of this machine
  int chosen = -1;                                  // of them; -1: none is listened on
  int port = 0;
  std::string code;     // the digits that are typed
  std::string key;      // of the QR code: more of them
  std::string trouble;  // why phones cannot vote, a key of the languages; empty: they can
  std::string words;    // the system's own about it
  int joined = 0;       // phones that are there
  int outside = 0;      // of all that came those on other machines
  bool ufw = false;     // Ubuntu's firewall says that it is on
  bool late = false;    // the vote has been open for long
  friend bool operator==(const ClassNetwork&, const ClassNetwork&) = default;
  const platform::NetworkAddress* address() const {
    return chosen >= 0 && chosen < static_cast<int>(addresses.size())
               ? &addresses[static_cast<std::size_t>(chosen)]
               : nullptr;
  }
};

// Which address phones are told before one is picked: the only one that a hall can be on. Where there are
// several the lecturer picks, and until then it is the last, this machine's own; -1: there is none.
int place_in_a_hall(const std::vector<platform::NetworkAddress>& addresses);

// Hands that are counted: so many for an answer, as they are typed.
struct HandCount {
  std::string answer, count;
  bool at_count = false;
  bool empty() const { return answer.empty() && count.empty(); }
};

struct Voting {
  bool wanted = false;  // phones may come
  int steps = 0;        // by which another address was asked for
  std::optional<vote::Round> round;
  std::optional<std::int64_t> truth;  // of the round, not told yet
  HandCount hand;
  ClassNetwork network;
  bool test = false;  // whether phones can come is looked at
};

}  // namespace warplens::app
