// Draws many moments of the app and says what is wrong with their texts.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// Every scenario, language, theme and view at the size given (and presenting): one line a complaint on
// standard output, "WHAT | WHERE | TEXT | figures". The exit code is 0 whether or not there are any: who
// reads them knows which are meant (tests/app/check_texts.py).
int check_texts(App& app, const Options& options);

}  // namespace warplens::desktop
