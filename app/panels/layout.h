// Where panels go: a pure function of the window. Fixed and resizable, so that in a lecture things are where
// they were.
//
//   ┌ top ───────────────────────────────────────────────┐
//   ├ source ────┬ picture ────────────────┬ access ─────┤
//   ├ lanes ─────┤                         ├ grid, times ┤
//   ├ map ───────┴ transport ──────────────┴ parameters ─┤
#pragma once

#include "app/scene/scene.h"
#include "app/scene/views.h"
#include "app/state/state.h"

namespace warplens::panels {

// One of A and B, where they stand beside each other.
struct Pane {
  scene::Rect head;  // none where the picture's heading says whose it is
  scene::Rect source, picture, strip;
};

struct Layout {
  float scale = 1;     // screen pixels a unit of the design
  float enlarged = 1;  // how many times more than without Ctrl +
  float height = 0;    // of the window
  scene::Rect top, source, lanes, picture, access, grid, times, map, transport, parameters;
  scene::Rect lesson;  // or a prediction, in place of lanes and form; presenting, below source or picture
  scene::Rect vote;    // of the class; what stands there without one gives way to it
  // Presenting, the picture has the window, and below it a strip says what the access costs and how long the
  // kernel takes; `floats`: top and bottom lie over them, and come and go with the mouse.
  bool floats = false;
  scene::Rect strip;  // on the desk too
  // No panel stands around the picture, as in the first minute: the keys that go on from there are below it.
  bool is_bare = false;
  scene::Rect keys;
  // Where something has to be read or typed beside it, the source stands at the left, and below it the
  // speaker's notes; beside another pane the notes are a strip.
  scene::Rect notes;
  // A│B: B's source and picture are in its pane, and lanes, access, grid and times give way to the
  // table; when presenting to a sentence.
  Pane a, b;
  scene::Rect divider;  // what is drawn of it, between both
  scene::Rect table, differences;
  scene::Rect form;          // of a user's own kernel, below the source; empty without one
  scene::Rect index;         // of an index expression, above the source; empty without one
  scene::Rect hint;          // a line below the top bar; empty without one
  bool hint_floats = false;  // or over the picture
  scene::Rect bottom;        // the ground under map, transport and parameters
};

inline constexpr float kTourWords = 30;  // what that sentence needs, in units of the design

struct LayoutOptions {
  float width = 1920, height = 1080;  // screen pixels
  float zoom = 1;
  float density = 0;       // Input::density
  bool parameters = true;  // some are offered
  bool alone = false;      // the picture of the memory looked at with the transport, and no other panel
  bool present = false;    // a stage: large type, and the picture
  bool source = false;     // presenting: something is read or typed, and the source stands beside the picture
  bool hint = false;
  bool passes = false;  // ... it will be gone when what is under way is done
  bool tour = false;    // a sentence of the tour stands above the keys of the first minute
  bool lesson = false;  // a lesson or a prediction has its place
  bool asks = false;    // ... presenting, a prediction: below the picture, as the strip is
  bool open = false;    // ... that, or the vote, is not answered: nothing is turned meanwhile
  bool vote = false;    // the class votes
  bool notes = false;   // the speaker's are shown, presenting
  bool map = false;     // the matrix map is shown
  bool form = false;    // the launch form is shown, in place of the lanes
  bool index = false;   // there is an index expression to type
  int grid_rows = 5;
  bool compare = false;    // A and B beside each other
  float divider = 0.5f;    // ... A's part of the room
  bool same_text = false;  // A and B run the same text: presenting, the line alone says where they are
  bool headed = false;     // ... presenting, their pictures' headings say what they are of
  bool editing = false;
  app::Panels panels{app::kAllPanels};  // all of them where one is needed
  bool tall_grid = false;               // the panel of the whole grid takes the place of the times as well
};
Layout lay_out(const LayoutOptions& options);
// A screen as small as a phone's, or a window that was made as small, has no room for three columns.
bool has_room_for_the_picture_only(const LayoutOptions& options);

// Heights of a picture's heading in units of the design: on the desk, and on the stage with its key message.
inline constexpr float kHeading = 38, kStageHeading = 66, kKeyMessage = 46, kStageStrip = 46;
// What the picture's letters and height would be without Ctrl +: all beside it grows with them.
void tell_plain(float enlarged, float window_height, scene::Canvas* canvas);
// The room that a picture has inside its panel.
scene::Rect picture_room(const scene::Rect& panel, float scale, bool present);

}  // namespace warplens::panels
