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

}  // namespace warplens::desktop
