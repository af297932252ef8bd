// Lessons and predictions on screen.
#pragma once

#include <vector>

#include "app/panels/panels.h"
#include "app/readout/question.h"
#include "app/state/teaching.h"

namespace warplens::panels {

// In the lesson's place in the layout: the prediction, or the lesson's step.
void draw_lesson_panel(const View& view, const Rect& rect);
// A prediction on the stage, in the strip's place: the class reads the question, and what was typed.
void draw_asked(const View& view, const Rect& rect);
void draw_command_palette(const View& view, const Rect& window);
void draw_lesson_list(const View& view, const Rect& window);
// Something takes the lesson's place.
bool has_lesson_panel(const app::State& state);

// Text that flows down a column of the panel; `y` moves on.
struct Column {
  const View& view;
  float x = 0, y = 0, width = 0;
  // What must be in sight before all else: a question with the box of its answer, or its truth. Heights of
  // the window as `y`; from < 0: nothing.
  float from = -1, to = -1;
  bool from_first = true;  // where not all of it has room: its beginning, not its end
  void paragraph(std::string_view words, const Type& type, float after = 8);
  void gap(float units) { y += view.px(units); }
};
float line_height(const View& view, const Type& type);

// The question with its answers to type or click, and once locked how far off it was.
void draw_question(const app::Question& question, const app::Guess& guess, Column* column);

}  // namespace warplens::panels
