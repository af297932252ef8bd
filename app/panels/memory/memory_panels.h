// What the two memory panels share.
#pragma once

#include <string>

#include "app/panels/panels.h"
#include "app/picture/pictures.h"

namespace warplens::panels {

// What the view's pictures are of.
picture::Inputs inputs_of(const View& view);

// Draws a scene in a panel whose heading is the scene's own title and answer.
Actions draw_scene_panel(const View& view, const Rect& rect, scene::Scene scene, bool active,
                         float reserve = 0);

// The matrix map in place of the lanes, and the switch between the pictures at the right of a panel's
// heading; gives the width drawn.
Actions draw_matrix_map(const View& view, const Rect& rect);
bool shows_map(const View& view);
float map_switch_width(const View& view, const Rect& panel);
float draw_map_switch(const View& view, const Rect& panel, Actions* actions);

// Presenting: the panel's ground and frame with the verdict large at its left, `reserve` pixels free at its
// right. Gives the width taken.
float draw_large_verdict(const View& view, const Rect& rect, float reserve = 0);

// The room that a scene has inside a panel.
Rect scene_room(const View& view, const Rect& rect);

// A question is about times: when they are shown.
std::string times_hidden_words(const View& view);

// A panel that has nothing to show, and says why.
void draw_calm_panel(const View& view, const Rect& rect, const std::string& title, const std::string& words);

}  // namespace warplens::panels
