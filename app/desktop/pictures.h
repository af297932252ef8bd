// A picture without a display, and what it is drawn into.
#pragma once

#include <memory>

#include "app/desktop/app.h"
#include "app/desktop/options.h"
#include "app/gl/framebuffer.h"
#include "app/platform/headless.h"

namespace warplens::desktop {

inline constexpr int kCannot = 3;

struct OffscreenTarget {
  App* app = nullptr;
  std::unique_ptr<platform::HeadlessContext> context;
  std::unique_ptr<gl::Framebuffer> framebuffer;
  ~OffscreenTarget() {
    if (app != nullptr) app->destroy_graphics();
  }
};

// false: what went wrong has been told.
bool open_target(App& app, int width, int height, OffscreenTarget* target);
// One frame at that time.
void draw(App& app, OffscreenTarget& target, double now = 0);

// Returns an exit code, and has told what went wrong.
int write_screenshot(App& app, const Options& options);

// As the command line says.
void show_view(App& app, const Options& options);

double seconds_now();

}  // namespace warplens::desktop
