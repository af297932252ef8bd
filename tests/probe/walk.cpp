#include "app/gl/damage.h"
#include "sim/text/shown.h"
#include "tests/probe/probes.h"
#include "tests/probe/walker.h"

namespace warplens::desktop {
// So that some frames fall into the middle of a movement.
static constexpr double kWalkFrameSeconds = 0.04;

int walk(App& app, OffscreenTarget& studio, int frames, bool whole) {
  Walker walker;
  FrameInput in = input_of(studio);
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
