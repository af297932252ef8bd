// What only tests ask of the app. Each draws into a target without a display, says what it sees on standard
// output, and returns an exit code.
#pragma once

#include <cstdint>
#include <filesystem>

#include "app/desktop/window.h"

namespace warplens::desktop {

// Draws many moments with a question open, points at everything, and says which figures show: a line each,
// "TEXT | WHERE", then how many moments were looked at. 1 where one shows, or where none shows although
// nothing is asked: the check itself does not see then.
int check_secrets(App& app, OffscreenTarget& target);

// A long lecture at high speed: random steps, toggles, scenarios, languages and edits, with a frame drawn
// every so often. A line at the start and every twentieth of the way ("10000 actions, 141.2 MB"), then
// "done". 1: memory has grown by more than a tenth and 20 MB from the first fifth to the end.
int soak(App& app, OffscreenTarget& target, int actions);

// So many frames, each after a few random actions and moves of the mouse, the same ones every time: a line a
// frame, its number, what was done, a hash of its pixels. `whole`: nothing of the frame before is kept.
int walk(App& app, OffscreenTarget& target, int frames, bool whole);

// Whether a tooltip goes when a key is pressed.
int check_tooltips(App& app, OffscreenTarget& target);

// What there is in the first picture, as JSON. `controls`: areas that answer to a click or a drag. `texts`:
// those of more than two characters, and one for each row of shorter ones. `panels`: framed areas beside the
// picture.
int count_picture(App& app, OffscreenTarget& target);

// All: every scenario in every view, language and theme, every step of every lesson, every sheet, every pair
// of rungs. Each: each of these once, in one language and theme. Few: some of the many alike.
enum class TextTourOf : std::uint8_t { All, Each, Few };

// Has the texts checked everywhere. `pictures`: a folder for a picture of every look, or empty. Says the
// complaints of TextCheck, then a line that tells how much was looked at. 0 whether or not there are any: who
// reads them knows which are meant (tests/app/check_texts.py).
int check_texts(App& app, OffscreenTarget& target, TextTourOf of, const std::filesystem::path& pictures);

// Benchmarks of frames, as JSON; none judges.
// Padding toggled: a new program, trace and totals each time, and the picture of it.
int bench_toggles(App& app, OffscreenTarget& target, int toggles);
// Playing the ladder at 60 frames a second, its padding or the rung turned every few seconds.
int bench_motion(App& app, OffscreenTarget& target, int frames);
// Zooming from all of the matrix to one element and back, and panning.
int bench_map(App& app, OffscreenTarget& target, int frames);
// To the first frame, from `started`, in seconds of seconds_now().
int bench_start(App& app, OffscreenTarget& target, double started);

inline FrameInput input_of(const OffscreenTarget& target) {
  FrameInput in;
  in.input.width = target.framebuffer->width();
  in.input.height = target.framebuffer->height();
  return in;
}

}  // namespace warplens::desktop
