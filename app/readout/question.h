// What is asked of a class, and how far its answer was from the truth.
//
//   predicting:  "How many sectors does this request touch?"     32
//   a lesson:    the step's own question
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/scene/memory/question_scene.h"
#include "app/simulate/simulation.h"
#include "app/vote/round.h"

namespace warplens::app {

struct Question {
  // Place: of which more or fewer means nothing; Draw: places are marked in the picture.
  enum class Kind : std::uint8_t { Number, Place, Choice, Draw };
  Kind kind = Kind::Number;
  std::string text;
  std::vector<std::string> choices;   // of Kind::Choice
  std::vector<std::int64_t> offered;  // of the others: answers to click on; any may be typed
  std::int64_t least = 0, most = vote::Question::kMost;     // of Kind::Number: what an answer can be
  std::optional<std::int64_t> answer;                       // not known yet: the simulator is at it
  std::string why;                                          // told with the answer
  std::vector<std::pair<std::int64_t, std::string>> wrong;  // answers, and why just they are wrong
  int lane = -1;                                            // that it is about
};

// One of the questions that fit the access; `which` goes round.
Question question_about(const PricedAccess& moment, int which, const language::Strings& strings);

// The question on screen: of the prediction, or of the lesson's step. Nothing: none is asked.
std::optional<Question> question_of(const State& state, const Simulation& simulation,
                                    const language::Strings& strings);
const Guess* guess_of(const Classroom& classroom);
// An answer is marked in the picture.
bool is_drawn(const State& state);
// What is marked of the access looked at; with the truth, once it is open. Nothing: another one is looked at.
std::optional<scene::PlacesView> places_of(const State& state, const Simulation& simulation);

// What the answer that was just opened speaks of, to be lit in the picture; -1, false: it speaks of none.
struct Lit {
  int lane = -1, bank = -1;
  bool sector = false;               // of the lane
  int said_lane = -1;                // what most of a class said instead
  std::array<int, 32> bank_votes{};  // of a class that was asked about a bank: how many named each
};
Lit lit_by_answer(const State& state, const Simulation& simulation);

// A question about the kernel on screen is open: what its text says in comments may answer it.
bool hides_comments(const State& state);

// What may not be seen now. A lesson's question hides nothing of another kernel that is opened beside
// it.
Hidden hidden_in(const State& state);

bool is_right(const Question& question, const Guess& guess);
// "You said 4. It is 32: 8 times as many."
std::string difference_words(const Question& question, const Guess& guess, const language::Strings& strings);
// "4 is too low.": of a first try that was wrong, nothing else of the truth.
std::string first_words(const Question& question, const Guess& guess, const language::Strings& strings);
// Why just that answer is wrong; empty: nobody has written it down.
std::string why_wrong(const Question& question, std::int64_t said);

}  // namespace warplens::app
