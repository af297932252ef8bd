// A lesson: text and pictures in steps, predictions on the way, and a challenge at the end.
//
//   assets/lessons/05-padding.lesson.json  ->  Lesson  ->  the app shows it, `warplens-cli check` grades it
//
// A lesson holds no answer: every answer and every verdict is worked out by the simulator, so that a lesson
// cannot be wrong about a kernel. The file's format is warplens.lesson/1, described in docs/lessons.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/lesson/view_id.h"
#include "sim/scenario/scenario.h"

namespace warplens::lesson {

using scenario::LocalText;
using scenario::Outcome;
using scenario::ParameterValues;

// What is looked at: a scenario with values, and one warp access of it.
struct View {
  std::string scenario;
  ParameterValues values;  // those left out take the scenario's defaults
  sim::Dim3 block{0, 0, 0};
  int warp = 0;
  int access = 0;                                // of the warp, from 0, in the order in which they run
  std::optional<ViewId> picture = std::nullopt;  // none: as it is
  std::string code{};                            // that the kernel has here; empty: its own
  // One at most: another launch that rules compare with (figures.h); it is not shown.
  std::vector<View> beside{};
  friend bool operator==(const View&, const View&) = default;
};

struct Choice {
  LocalText words;
  std::string when;  // a rule over the view's figures (figures.h): this choice is right where it is not 0
};

// What an answer numbers, if it is no count: the picture lights it once the answer is open.
enum class Names : std::uint8_t { Nothing, Lane, Bank };

// What is marked in the picture: the sectors that an access touches, of the 32 from the line of its first
// byte on, or the banks that it uses.
enum class Draw : std::uint8_t { Nothing, Sectors, Banks };
inline constexpr int kDrawnPlaces = 32;

// A mistake that is likely, and why it is one: told of that answer alone.
struct WrongAnswer {
  std::int64_t answer = 0;  // a number, or the index of a choice; how many were marked
  LocalText why;
};

// A question to answer before the answer is shown. One of `ask`, `choices` and `draw` is given.
struct Prediction {
  LocalText question, hint, why;  // `why` is told once the answer is open
  std::string ask;                // an expression over the view's figures: "wavefronts"
  std::vector<Choice> choices;    // exactly one of them is right
  Draw draw = Draw::Nothing;
  std::vector<WrongAnswer> wrong;
  Names names = Names::Nothing;  // "names"; left out: a bank where a lane's is asked for
  int lane() const;              // whose bank is asked for: 17 of "bank_17"; or -1
  std::string rules() const;     // all that it asks of the figures
};

struct Step {
  LocalText text;
  View view;
  std::vector<std::string> says;  // rules over the view's figures that its texts rely on: none may be 0
  std::optional<Prediction> prediction;
};

// `rule` over the whole grid's figures must not be 0: "shared_load_bank_conflicts == 0".
using Goal = scenario::Requirement;

struct Challenge {
  LocalText text;
  View view;  // where the student begins; the goals do not hold there
  std::vector<std::string>
      free;  // parameters that the student may turn; the text of the kernel is always free
  std::vector<Goal> goals;
  std::vector<LocalText> hints;
  ParameterValues trial;  // sizes at which an edited kernel's output is compared, beside the challenge's own
  ParameterValues solution;  // of free parameters: reaches the goals; empty where only editing does
};

struct Lesson {
  std::string name;
  int order = 0;  // in the course, from 1
  int minutes = 0;
  LocalText title, goal;
  std::vector<Step> steps;
  Challenge challenge;
  std::filesystem::path file;
};

// Where a budget is given and ends, these throw Stopped.
Outcome<Lesson> load_lesson(const std::filesystem::path& file, Budget* budget = nullptr);
// All of a folder by order, then by name. Files that cannot be read are reported beside the others' value.
Outcome<std::vector<Lesson>> load_lessons(const std::filesystem::path& folder, Budget* budget = nullptr);

}  // namespace warplens::lesson
