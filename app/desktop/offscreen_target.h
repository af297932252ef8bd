// A context without a display and a framebuffer to draw into; the app's graphics end before them.
#pragma once

#include <memory>

#include "app/desktop/app.h"
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

}  // namespace warplens::desktop
