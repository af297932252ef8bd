// From the command line to an app that shows what it names: what the window, pictures and probes begin with.
#pragma once

#include <memory>

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

struct Started {
  std::unique_ptr<App> app;  // null: what is wrong has been told
  int exit_code = 0;
};
// The catalog, the measurements that are shipped, and what `options` asks to look at.
// Those that are shipped, into the app; again, where more of them have come.
void load_measurements(App* app);

Started start(const Options& options, AppOptions app_options);

}  // namespace warplens::desktop
