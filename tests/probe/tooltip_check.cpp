#include <optional>

#include "app/panels/widgets/text_input.h"
#include "sim/text/shown.h"
#include "tests/probe/probes.h"

namespace warplens::desktop {
namespace {

class Pointer {
 public:
  Pointer(App& app, const OffscreenTarget& studio) : app_(app), studio_(studio), in_(input_of(studio)) {}

  // The middle of a text on screen.
  std::optional<scene::Point> place_of(const std::string& text) {
    std::optional<scene::Point> place;
    frame([&](const panels::DrawnText& t) {
      if (t.whole == text) place = {t.rect.x + 0.5f * t.rect.width, t.rect.y + 0.5f * t.rect.height};
    });
    return place;
  }
  void go(scene::Point at) {
    in_.input.mouse_inside = true;
    in_.input.mouse_x = at.x, in_.input.mouse_y = at.y;
  }
  void press(app::KeyPress key) { in_.keys.push_back(std::move(key)); }
  // After two frames: what the mouse is over is known to the second.
  bool sees_tooltip() {
    bool seen = false;
    for (int i = 0; i < 2; ++i) {
      seen = false;
      frame([&](const panels::DrawnText& t) { seen |= t.window.starts_with("##Tooltip"); });
      in_.keys.clear();
    }
    return seen;
  }

 private:
  void frame(panels::TextObserver observer) {
    in_.now += 1;
    studio_.framebuffer->bind();
    panels::observe_texts(std::move(observer));
    app_.frame(in_);
    panels::observe_texts({});
  }

  App& app_;
  const OffscreenTarget& studio_;
  FrameInput in_;
};

}  // namespace

int check_tooltips(App& app, OffscreenTarget& studio) {
  Pointer pointer(app, studio);
  const auto button = pointer.place_of("Present");
  if (!button) {
    text::say(stdout, "there is no button to point at\n");
    return 1;
  }
  int wrong = 0;
  const auto expect = [&](bool there, const char* when) {
    if (pointer.sees_tooltip() == there) return;
    ++wrong;
    text::say(stdout, "%s, there is %s tooltip\n", when, there ? "no" : "a");
  };
  expect(false, "before the mouse is anywhere");
  pointer.go(*button);
  expect(false, "where the window opened under a mouse that rests");
  pointer.go({button->x + 8, button->y});
  expect(true, "over a button");
  pointer.press({app::Key::Right, 0, {}, false, false});
  expect(false, "after a key");
  pointer.go({button->x + 9, button->y});
  expect(false, "with a mouse that shakes by a pixel");
  pointer.go(*button);
  expect(true, "after the mouse has moved");
  if (wrong == 0) text::say(stdout, "a tooltip goes when a key is pressed, and comes again with the mouse\n");
  return wrong > 0;
}

}  // namespace warplens::desktop
