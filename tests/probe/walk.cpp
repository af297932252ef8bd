#include "tests/probe/walk.h"

#include <cstdio>

#include "app/desktop/window.h"
#include "app/gl/damage.h"
#include "sim/text/shown.h"
#include "tests/probe/walker.h"

namespace warplens::desktop {
namespace {

constexpr double kWalkFrameSeconds = 0.04;  // so that some frames fall into the middle of a movement

}  // namespace

int walk(App& app, const Options& options, int frames, bool whole) {
  OffscreenTarget studio;
  if (!open_target(app, options.width, options.height, &studio)) return kCannot;
  Walker walker;
  FrameInput in;
  in.input.width = options.width;
  in.input.height = options.height;
  in.input.seconds = kWalkFrameSeconds;
  for (int i = 0; i < frames; ++i) {
    const char* name = "rest";
    if (walker.below(3) != 0) app.act({walker.action(app, &name)});
    if (walker.below(2) != 0) walker.move_mouse(&in.input);
    in.now += kWalkFrameSeconds;
    if (whole) app.forget_picture();
    studio.framebuffer->bind();
    app.frame(in);
    const scene::Image image = studio.framebuffer->read();
    text::say(stdout, "%d %s %016llx\n", i, name,
              static_cast<unsigned long long>(gl::hash_of(image.rgba.data(), image.rgba.size())));
  }
  return 0;
}

}  // namespace warplens::desktop
