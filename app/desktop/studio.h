// A context without a display and a framebuffer to draw into; the app's graphics end before them.
#pragma once

#include <memory>

#include "app/desktop/app.h"
#include "app/gl/framebuffer.h"
#include "app/platform/headless.h"

namespace warplens::desktop {

inline constexpr int kCannot = 3;

struct Studio {
  App* app = nullptr;
  std::unique_ptr<platform::HeadlessContext> context;
  std::unique_ptr<gl::Framebuffer> framebuffer;
  ~Studio() {
    if (app != nullptr) app->destroy_graphics();
  }
};

// false: what went wrong has been told.
bool open_studio(App& app, int width, int height, Studio* studio);
// One frame at that time.
void draw(App& app, Studio& studio, double now = 0);

}  // namespace warplens::desktop
