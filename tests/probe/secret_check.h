// Draws many moments with a question open, points at everything, and says which figures show.
#pragma once

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// One line a figure on standard output, "TEXT | WHERE", then how many moments were looked at. The exit code
// is 1 where one shows, or where none shows although nothing is asked: the check itself does not see then.
int check_secrets(App& app, const Options& options);

}  // namespace warplens::desktop
