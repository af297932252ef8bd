// The panels, one a file. Each draws values into a rectangle; what a person did in it is in View::actions.
#pragma once

#include "app/panels/layout.h"
#include "app/panels/widgets/ui.h"
#include "app/views/compare.h"

namespace warplens::panels {

using app::Action;

void draw_top_bar(const View& view, const Rect& rect);
void draw_source(const View& view, const Rect& rect);
void draw_lanes(const View& view, const Rect& rect);
void draw_picture(const View& view, const Rect& rect);
void draw_strip(const View& view, const Rect& rect);       // below it
void draw_first_keys(const View& view, const Rect& rect);  // ... and where nothing else is there
// Another view in the place of both; shows_plot: one is asked for and nothing hides it.
void draw_plot(const View& view, const Rect& rect);
bool shows_plot(const View& view);
bool shows_map(const View& view);  // in the place of global memory
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
void draw_vote_line(const View& view, const Rect& rect);  // the stage's: where to go, in large letters
Rect vote_place(const View& view, const Layout& layout);
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
views::TableInput table_input(const View& view);
void draw_pane_head(const View& view, const Rect& rect);
// Is dragged; from `left` on the panes are as wide as `both`.
void draw_divider(const View& view, const Rect& rect, float left, float both);
void draw_comparison(const View& view, const Rect& rect);
void draw_differences(const View& view, const Rect& rect);
// The whole window.
void draw_all(const View& view, const Layout& layout);

}  // namespace warplens::panels
