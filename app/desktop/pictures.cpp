#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <utility>

#include "app/desktop/options.h"
#include "app/desktop/window.h"
#include "app/gl/framebuffer.h"
#include "app/input/commands.h"
#include "app/share/export.h"
#include "app/source/programs.h"
#include "app/state/catalog.h"
#include "sim/base/numbers.h"
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

void draw(App& app, OffscreenTarget& target, double now, std::vector<app::KeyPress> keys) {
  FrameInput in;
  in.keys = std::move(keys);
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
  const bool arrives = options.then.empty(), steps = arrives && place.wavefront > 0;
  if (steps) app.act({app::GoToEvent{place.event, place.wavefront - 1}});
  for (const double now : {0.0, 100.0, 200.0}) draw(app, target, now);
  if (steps)
    app.act({app::GoToEvent{place.event, place.wavefront}});
  else if (arrives)
    app.arrive();
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
  // A key may be about what only the frame before it finds, as the fix that is shown.
  for (const app::KeyPress& press : app::presses_of(options.keys))
    draw(app, target), draw(app, target, 0, {press});
  if (options.at >= 0) return take_moving_picture(app, target, options);
  if (!turn(app, options.then)) return 2;
  // Twice: scroll positions that follow the access are those of the frame before.
  draw(app, target);
  draw(app, target);
  return write_picture(target, options.screenshot) ? 0 : kCannot;
}

void show_view(App& app, const Options& options) {
  if (!options.view.empty()) app.act({app::ShowView{*view_named(options.view)}});
  if (!options.screenshot.empty() && !options.notes) return;
  for (const app::KeyPress& press : app::presses_of(options.keys)) app.press(press);
}

namespace {

std::string clock_now() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return formatted("%02d:%02d", local.tm_hour, local.tm_min);
}

scene::Canvas page_canvas(App& app, int width, int height) {
  const auto wide = static_cast<float>(width), high = static_cast<float>(height);
  return {.width = wide,
          .height = high,
          .scale = std::max(0.25f, std::min(wide / 1280, high / 720)),  // units of 1280 x 720
          .palette = &app.palette(),
          .strings = &app.words(app.state().language)};
}

// The room of the next scene's picture, and letters as small as that is.
scene::Canvas next_canvas(const scene::Canvas& page) {
  constexpr float kSmall = 0.6f;
  const scene::Rect room = app::next_room(page);
  scene::Canvas canvas = page;
  canvas.width = room.width, canvas.height = room.height, canvas.scale = kSmall * page.scale;
  return canvas;
}

app::Catalog catalog_of(const app::Catalog& all, const app::State& state) {
  app::Catalog one;
  if (const scenario::Scenario* s = app::scenario_of(all, state.settings)) one.scenarios.push_back(*s);
  return one;
}

}  // namespace

scene::Scene speaker_scene(App& app, int width, int height) {
  const app::State& state = app.state();
  const scene::Canvas page = page_canvas(app, width, height);
  scene::Scene picture;
  if (const app::LectureScene* next = app::next_scene(state)) {
    Budget budget(app::app_allowance(nullptr));
    picture = share::preview(app::state_of_next(state, *next, true), app.catalog(), *page.strings,
                             next_canvas(page), budget);
  }
  return app::speaker_page(app::told_to_speaker(state, app.simulation(), *page.strings, clock_now(), 0),
                           &picture, page);
}

void SpeakersWindow::close() {
  // What was made on the window's context is given back there.
  window_.draw_second([this] { drawing_.reset(); });
  window_.close_second();
  next_.cancel();
  told_.reset();
  picture_.reset();
  next_of_.clear();
}

void SpeakersWindow::ask_for_next(App& app, const app::LectureScene* scene, const scene::Canvas& canvas,
                                  bool apart) {
  const app::State& state = app.state();
  const std::string of =
      formatted("%p %d %s %d %.0f %.0f %d %d", static_cast<const void*>(scene), static_cast<int>(state.theme),
                state.language.c_str(), state.lecturing.scene, canvas.width, canvas.height, apart,
                app::notes_wait(state));
  if (of != next_of_) {
    next_of_ = of;
    picture_.reset();
    next_.cancel();
    if (scene != nullptr) {
      app::State next = app::state_of_next(state, *scene, apart);
      next_.start([next, catalog = catalog_of(app.catalog(), next), strings = *canvas.strings, canvas](
                      const std::atomic<bool>* cancel, std::atomic<double>*) {
        Budget budget(app::app_allowance(cancel));
        scene::Canvas with_words = canvas;
        with_words.strings = &strings;
        return share::preview(next, catalog, strings, with_words, budget);
      });
    }
  }
}

void SpeakersWindow::update(App& app, double now, bool stale) {
  const app::State& state = app.state();
  if (const auto& lecture = state.lecturing.lecture; lecture != nullptr && state.present) {
    const std::string of = lecture->file.string() + "\n" + app::scene_words(lecture->title, "en");
    if (std::exchange(lecture_, of) != of || (!presented_ && state.lecturing.scene <= 0)) began_ = now;
  }
  presented_ = state.present;
  if (!app::speaks(state)) {
    if (told_) close();
    return;
  }
  const language::Strings& strings = app.words(state.language);
  if (!told_ && !window_.open_second(strings("speaker.title")))
    return app.act({app::ShowNotes{false}, app::ShowNotice{{"speaker.no_window", {}, true, false}}});
  const bool apart = window_.has_apart();
  app::SpeakerTold told =
      app::told_to_speaker(state, app.simulation(), strings, clock_now(), now - began_, apart);
  const platform::WindowSize size = window_.second_size();
  if (size.width <= 0 || size.height <= 0) return;
  const scene::Canvas page = page_canvas(app, size.width, size.height);
  const std::string before = next_of_;
  ask_for_next(app, app::next_scene(state), next_canvas(page), apart);
  auto picture = next_.take();
  if (told == told_ && !stale && !picture && before == next_of_) return;
  if (picture) picture_ = std::move(picture);
  told_ = std::move(told);
  const scene::Scene scene = app::speaker_page(*told_, picture_ ? &*picture_ : nullptr, page);
  window_.draw_second([&] {
    if (!drawing_) drawing_ = std::make_unique<gl::Offscreen>(gl::Offscreen::Context::Current);
    Message error;
    if (const auto painted = drawing_->paint(scene, 1, page.palette->window, &error)) painted->copy_to(0);
  });
}

}  // namespace warplens::desktop
