// What the speaker alone is told while a lecture is presented, in a window of its own: the scene's notes, the
// time, what comes next, and the answer to the question that the hall is asked.
#pragma once

#include <string>

#include "app/scene/views.h"
#include "app/simulate/simulation.h"
#include "app/state/teaching.h"

namespace warplens::app {

struct SpeakerTold {
  std::string place, name, notes;     // "3 / 9"; of the scene on the stage
  std::string question, answer, why;  // all empty: none is asked
  std::string next;                   // its name, or that there is none
  std::string clock, since;           // "14:05", "12 min"
  friend bool operator==(const SpeakerTold&, const SpeakerTold&) = default;
};

// A lecture is presented, and the window asked for that its notes have.
bool speaks(const State& state);
// Null: there is none.
const LectureScene* next_scene(const State& state);
// What the stage will show of it. Where the hall sees it now, not `apart`: as a question, if it is one or
// while one is open, which the scene after it often answers.
State state_of_next(const State& state, const LectureScene& next, bool apart);
// `simulation` is whole: nothing is hidden from the speaker. `seconds` since the lecture began.
SpeakerTold told_to_speaker(const State& state, const Simulation& simulation,
                            const language::Strings& strings, std::string clock, double seconds,
                            bool apart = true);

// Where the picture of the next scene goes, on a page as large as the canvas.
scene::Rect next_room(const scene::Canvas& canvas);
// As large as the canvas; `next` as large as its room, null: there is none yet.
scene::Scene speaker_page(const SpeakerTold& told, const scene::Scene* next, const scene::Canvas& canvas);

}  // namespace warplens::app
