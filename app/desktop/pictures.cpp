#include "app/desktop/pictures.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "app/desktop/options.h"
#include "app/desktop/speaker.h"
#include "app/simulate/matrix_shape.h"
#include "app/state/catalog.h"
#include "sim/text/shown.h"

namespace warplens::desktop {

bool open_target(App& app, int width, int height, OffscreenTarget* target) {
  std::string error;
  target->app = &app;
  target->context = platform::HeadlessContext::create(&error);
  const bool usable = target->context && gl::load_functions(target->context->function_of, &error);
  if (usable) target->framebuffer = gl::Framebuffer::create(width, height, &error);
  if (target->framebuffer && app.create_graphics(&error)) return true;
  text::say(stderr, "warplens: %s\n", error.c_str());
  return false;
}

void draw(App& app, OffscreenTarget& target, double now) {
  FrameInput in;
  in.input.width = target.framebuffer->width();
  in.input.height = target.framebuffer->height();
  in.input.seconds = 1.0 / 60;
  in.now = now;
  target.framebuffer->bind();
  app.frame(in);
}

namespace {

bool write_picture(const OffscreenTarget& target, const std::filesystem::path& file) {
  Message error;
  if (scene::write_png(file, target.framebuffer->read(), &error)) return true;
  text::say(stderr, "warplens: %s\n", error.english().c_str());
  return false;
}

void go_to_step(App& app, const Options& options) {
  if (options.step > 0 || options.wavefront > 0) {
    const int event = options.step > 0 ? options.step - 1 : app.simulation().place.event;
    app.act({app::GoToEvent{event, std::max(options.wavefront - 1, 0)}});
  }
}

int told_problems(const App& app) {
  for (const app::Problem& problem : app.simulation().problems) {
    text::say(stderr, "warplens: %s\n", problem.message.english().c_str());
  }
  return app.simulation().empty() ? 2 : 0;
}

// NAME=VALUE each.
bool turn(App& app, const std::vector<std::string>& then) {
  for (const std::string& text : then) {
    const scenario::Scenario* s = app::scenario_of(app.catalog(), app.state().settings);
    if (s == nullptr) return false;
    const auto setting = read_setting("--then", text, *s);
    if (!setting) {
      text::say(stderr, "warplens: %s\n", setting.errors.front().english().c_str());
      return false;
    }
    app.act({app::SetParameter{setting.value->first, setting.value->second, {}}});
  }
  return true;
}

// In the middle of a motion: what leads to it is drawn at rest, then done, then drawn so much later.
int take_moving_picture(App& app, OffscreenTarget& target, const Options& options) {
  const app::ResolvedPosition place = app.simulation().place;
  if (options.then.empty()) {
    if (place.wavefront > 0) {
      app.act({app::GoToEvent{place.event, place.wavefront - 1}});
    } else {
      app.act({app::GoToEvent{place.event > 0 ? place.event - 1 : place.event + 1, 0}});
    }
  }
  for (const double now : {0.0, 100.0, 200.0}) draw(app, target, now);
  if (options.then.empty()) app.act({app::GoToEvent{place.event, place.wavefront}});
  if (!turn(app, options.then)) return 2;
  draw(app, target, 200.0);
  draw(app, target, 200.0 + options.at);
  return write_picture(target, options.screenshot) ? 0 : kCannot;
}

// Of the window that the speaker alone sees.
int write_speaker_picture(App& app, const Options& options) {
  gl::Offscreen offscreen;
  Message error;
  const scene::Image image =
      offscreen.draw(speaker_scene(app, options.width, options.height), 1, app.palette().window, &error);
  if (image.width > 0 && scene::write_png(options.screenshot, image, &error)) return 0;
  text::say(stderr, "warplens: %s\n", error.english().c_str());
  return kCannot;
}

}  // namespace

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int write_screenshot(App& app, const Options& options) {
  go_to_step(app, options);
  if (const int code = told_problems(app)) return code;
  if (options.notes && app::speaks(app.state())) return write_speaker_picture(app, options);
  OffscreenTarget target;
  if (!open_target(app, options.width, options.height, &target)) return kCannot;
  if (options.at >= 0) return take_moving_picture(app, target, options);
  if (!turn(app, options.then)) return 2;
  // Twice: scroll positions that follow the access are those of the frame before.
  draw(app, target);
  draw(app, target);
  return write_picture(target, options.screenshot) ? 0 : kCannot;
}

void show_view(App& app, const Options& options) {
  if (options.stills) app.act({app::SetStills{true}});
  if (!options.scope.empty())
    app.act({app::SetMapScope{options.scope == "warp" ? app::MapScope::Warp : app::MapScope::Block}});
  if (!options.view.empty()) app.act({app::ShowView{*view_named(options.view)}});
  if (options.axes.size() == 2) app.act({app::SetLandscapeAxes{options.axes[0], options.axes[1]}});
  if (!options.map_array.empty()) app.act({app::SetMapArray{options.map_array}});
  if (options.map_zoom < 1) return;
  scene::MapPosition position = app::place_of_map(app.simulation(), app.state().plot.map);
  position.zoom = options.map_zoom;
  app.act({app::MoveMap{position}});
}

}  // namespace warplens::desktop
