// What there is in the first picture to press and to read, counted from what is drawn.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// `controls`: areas that answer to a click or a drag. `texts`: those of more than two characters, and one for
// each row of shorter ones. `panels`: framed areas beside the picture.
struct PictureCount {
  int controls = 0, texts = 0, panels = 0;
};
PictureCount count_picture(App& app, const Options& options);
// Prints it as JSON.
int print_first_picture(App& app, const Options& options);

}  // namespace warplens::desktop
