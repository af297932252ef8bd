// The app in its window: what is done to it in, frames out. Sleeps while nothing changes.
#pragma once

#include <memory>
#include <string>

#include "app/desktop/app.h"
#include "app/desktop/options.h"

namespace warplens::desktop {

// Returns the exit code: 3 where there is no display or no OpenGL 3.3, told in words. In a browser it returns
// at once, and the page goes on calling the app.
int run_window(std::unique_ptr<App> app, const Options& options);

// Of --state-file beside a picture, for which no window is open.
void write_state(App& app, const Options& options);

// For what is asked from outside while the window is open. null, and empty: none is.
App* app_on_screen();
std::string state_on_screen();  // as --state-file has it

// From the command line to an app that shows what it names: what the window, pictures and probes begin with.

struct Started {
  std::unique_ptr<App> app;  // null: what is wrong has been told
  int exit_code = 0;
};
// The measurements that are shipped, into the app; again, where more of them have come.
void load_measurements(App* app);
// The catalog, those measurements, and what `options` asks to look at.
Started start(const Options& options, AppOptions app_options);

}  // namespace warplens::desktop
