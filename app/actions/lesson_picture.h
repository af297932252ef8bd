// The picture that a lesson's step asks for, and the one that is on screen.
#pragma once

#include "app/state/state.h"

namespace warplens::app {

// What takes the place of the lanes and sectors or stands below them; Memory: none does, or one that no
// lesson can ask for.
lesson::Picture picture_on(const State& state);

// In the place of whatever is there. Picture::AsItIs: nothing happens.
void show_picture(State* state, lesson::Picture picture);

}  // namespace warplens::app
