// What the two memory panels share.
#pragma once

#include <string>

#include "app/panels/panels.h"
#include "app/views/inputs.h"

namespace warplens::panels {

// What the view's pictures are of.
views::Inputs inputs_of(const View& view);

// "padding 0 → 1: wavefronts 16 → 2": what turning a parameter did to the access looked at. Empty: none was.
std::string change_words(const View& view);

// The panel's ground with a heading of the scene's title and answer; presenting, with the verdict where it is
// asked for.
void draw_heading(const View& view, const Rect& rect, const scene::Scene& scene, bool active, float reserve,
                  bool with_verdict);

// The switch between the views at the right of a panel's heading; gives the width drawn.
float view_switch_width(const View& view, const Rect& panel);
float draw_view_switch(const View& view, const Rect& panel);

// Presenting: the panel's ground and frame with the verdict large at its left, `reserve` pixels free at its
// right. Gives the width taken.
float draw_large_verdict(const View& view, const Rect& rect, float reserve = 0);

// The room that a scene has inside a panel.
// `captioned`: presenting, the indices of the statement are told below the verdict.
Rect scene_room(const View& view, const Rect& rect, bool captioned = true);

// A panel that has nothing to show, and says why.
void draw_calm_panel(const View& view, const Rect& rect, const std::string& title, const std::string& words);

// Under the verdict: where the kernel loses most, or went wrong, what mends it, and the way there. Draws into
// the upper end of `room` and gives the height that it took; 0: there is nothing to say.
float draw_diagnosis(const View& view, const Rect& room);

}  // namespace warplens::panels
