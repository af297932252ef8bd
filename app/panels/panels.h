// The panels, one a file. Each draws values into a rectangle; what a person did in it is in View::actions.
#pragma once

#include <string>
#include <vector>

#include "app/panels/layout.h"
#include "app/panels/widgets/ui.h"
#include "app/readout/question.h"
#include "app/state/teaching.h"
#include "app/views/compare.h"
#include "app/views/inputs.h"

namespace warplens::panels {

using app::Action;

void draw_top_bar(const View& view, const Rect& rect);
void draw_source(const View& view, const Rect& rect);
void draw_lanes(const View& view, const Rect& rect);
void draw_picture(const View& view, const Rect& rect);
// Below it; beside A `narrower` is the width of the narrower of both sides' strips.
void draw_strip(const View& view, const Rect& rect, float narrower);
// Before the name of a counter what it counts, in a sentence.
std::string with_meaning(const View& view, const std::string& counter);
std::string turned_words(const View& view);                // the parameter in play: "padding 2  [P]"
void draw_first_keys(const View& view, const Rect& rect);  // ... and where nothing else is there
void draw_access(const View& view, const Rect& rect);
// The verdict in one figure with its words, at the left end and middle given; the room that it may take.
// A click on the figure counts it out (CountOut).
void draw_verdict(const View& view, const app::CostSummary& summary, ImVec2 at, float room, float size);
// With its words in that size; 20 where there is room.
float verdict_width(const View& view, const app::CostSummary& summary, float size, float words = 20);
void draw_grid(const View& view, const Rect& rect);
void draw_times(const View& view, const Rect& rect);
// Presenting: what the speaker means to say; which scene this is.
void draw_notes(const View& view, const Rect& rect);
void draw_scene_place(const View& view, const Rect& rect);
// A class's vote, and where it stands while there is one.
void draw_vote(const View& view, const Rect& rect);
void draw_block_map(const View& view, const Rect& rect);
void draw_transport(const View& view, const Rect& rect);
void draw_parameters(const View& view, const Rect& rect);
void draw_help(const View& view, const Rect& window);
void draw_launch_form(const View& view, const Rect& rect);
void draw_index_input(const View& view, const Rect& rect);
void draw_file_dialog(const View& view, const Rect& window);
void draw_share(const View& view, const Rect& window);
void draw_scenes(const View& view, const Rect& window);
// The line in which the block to go to is typed.
void draw_block_prompt(const View& view, const Rect& window);
// What is done sooner is not spoken of, and cannot be stopped.
inline constexpr double kPatienceSeconds = 0.4;
// What is urgent; has_message: there is something.
void draw_message_strip(const View& view, const Rect& rect);
bool has_message(const app::State& state, const app::Simulation& simulation, double working);
void draw_staleness(const View& view, const Layout& layout);

LayoutOptions layout_options(const app::State& state, const app::Simulation& simulation, float width,
                             float height);
// A│B: who this is; what is counted on both sides; when presenting, the gist of it.
void draw_pane_head(const View& view, const Rect& rect);
// Is dragged; from `left` on the panes are as wide as `both`.
void draw_divider(const View& view, const Rect& rect, float left, float both);
void draw_comparison(const View& view, const Rect& rect);
void draw_differences(const View& view, const Rect& rect);
// The whole window.
void draw_all(const View& view, const Layout& layout);

// In the lesson's place in the layout: the prediction, or the lesson's step.
void draw_lesson_panel(const View& view, const Rect& rect);
// A prediction on the stage, in the strip's place: the class reads the question, and what was typed.
void draw_asked(const View& view, const Rect& rect);
void draw_command_palette(const View& view, const Rect& window);
// Something takes the lesson's place.
bool has_lesson_panel(const app::State& state);

// Text that flows down a column of the panel; `y` moves on.
struct Column {
  const View& view;
  float x = 0, y = 0, width = 0;
  // What must be in sight before all else: a question with the box of its answer, or its truth. Heights of
  // the window as `y`; from < 0: nothing.
  float from = -1, to = -1;
  std::vector<float> lines{};  // tops of its lines: where it is scrolled to, none is cut
  bool from_first = true;      // where not all of it has room: its beginning, not its end
  bool alone = false;          // what stands above it was read, and is out of sight whole
  void paragraph(std::string_view words, const Type& type, float after = 8);
  void gap(float units) { y += view.px(units); }
};

// "padding 0 → 1: wavefronts 16 → 2": what turning a parameter did to the access looked at. Empty: none was.
std::string change_words(const View& view);

// A panel that has nothing to show, and says why.
void draw_calm_panel(const View& view, const Rect& rect, const std::string& title, const std::string& words);

// Under the verdict: where the kernel loses most, or went wrong, what mends it, and the way there. Draws into
// the upper end of `room` and gives the height that it took; 0: there is nothing to say.
float draw_diagnosis(const View& view, const Rect& room);

}  // namespace warplens::panels
