// Goes through the app without a display and has its texts checked everywhere.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// At the size given. `all`: every scenario in every view, language and theme, every step
// of every lesson, every sheet, every pair of rungs; else each of these once, in one language and theme.
// The complaints of TextCheck, then a line that tells how much was looked at. The exit code is 0 whether or
// not there are any: who reads them knows which are meant (tests/app/check_texts.py).
int check_texts(App& app, const Options& options, bool all);

}  // namespace warplens::desktop
