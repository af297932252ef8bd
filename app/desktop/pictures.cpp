#include "app/desktop/pictures.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "app/desktop/options.h"
#include "app/desktop/speaker.h"
#include "app/simulate/matrix_shape.h"
#include "app/state/catalog.h"
#include "sim/base/numbers.h"
#include "sim/file/whole_file.h"
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

// Twice: scroll positions that follow the access are those of the frame before.
bool take_picture(App& app, OffscreenTarget& target, const std::filesystem::path& file) {
  draw(app, target);
  draw(app, target);
  return write_picture(target, file);
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

struct Stop {
  const char* name;
  const char* scenario;
  std::vector<std::pair<const char*, std::int64_t>> values;
  int step;       // from 1; 0: the costliest access
  int wavefront;  // from 1
  app::Theme theme;
  const char* language;
  bool present;
};

const std::vector<Stop>& stops() {
  using app::Theme;
  static const std::vector<Stop> kStops{
      {"copy", "copy_row", {}, 1, 0, Theme::Dark, "en", false},
      {"naive_load", "transpose_naive_row", {}, 1, 0, Theme::Dark, "en", false},
      {"naive_store", "transpose_naive_row", {}, 2, 0, Theme::Dark, "en", false},
      {"tile_conflict", "transpose_shared", {}, 3, 3, Theme::Dark, "en", false},
      {"tile_padded_1", "transpose_shared", {{"pad", 1}}, 3, 1, Theme::Dark, "en", false},
      {"tile_padded_2", "transpose_shared", {{"pad", 2}}, 3, 1, Theme::Dark, "en", false},
      {"swizzle", "transpose_swizzle", {}, 3, 1, Theme::Dark, "en", false},
      {"stride", "copy_stride", {{"stride", 8}}, 1, 0, Theme::Light, "en", false},
      {"float4", "copy", {{"element", 16}}, 1, 0, Theme::Light, "zh-CN", false},
      {"present", "transpose_shared", {}, 3, 3, Theme::Light, "en", true},
  };
  return kStops;
}

app::Actions journey(const App& app, const Stop& stop) {
  app::Actions actions{app::SetTheme{stop.theme}, app::SetLanguage{stop.language},
                       app::SetPresent{stop.present}, app::SelectScenario{stop.scenario}};
  const scenario::Scenario* s = app.catalog().find(stop.scenario);
  if (s != nullptr) actions.emplace_back(app::SetValues{scenario::defaults(*s)});
  actions.emplace_back(app::SetValues{{stop.values.begin(), stop.values.end()}});
  if (stop.step > 0) actions.push_back(app::GoToEvent{stop.step - 1, std::max(stop.wavefront - 1, 0)});
  return actions;
}

std::string page(const std::string& figures) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Warplens: the "
         "tour</title>\n<style>\n"
         "body{background:#0e1116;color:#e8ecf1;font:16px/1.5 Inter,'DejaVu "
         "Sans',sans-serif;max-width:1280px;"
         "margin:32px auto;padding:0 16px}\nfigure{margin:0 0 40px}\nimg{width:100%;border-radius:8px;"
         "border:1px solid #2a323d}\nfigcaption{color:#9aa6b5;margin-top:8px}\nh1{font-size:26px}\n"
         "</style></head><body>\n<h1>Warplens: where a warp's 32 lanes go</h1>\n"
         "<p>The app, rendered without a display. On a machine with one, <code>./run</code> opens it.</p>\n" +
         figures + "</body></html>\n";
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

void show_plot(App& app, const Options& options) {
  if (options.plot.empty()) return;
  app.act({app::ShowView{*view_named(options.plot)}});
  app.act({app::ZoomTimeline{options.plot_zoom}});
  if (options.axes.size() == 2) app.act({app::SetLandscapeAxes{options.axes[0], options.axes[1]}});
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
  return take_picture(app, target, options.screenshot) ? 0 : kCannot;
}

int write_tour(App& app, const Options& options) {
  OffscreenTarget target;
  if (!open_target(app, options.width, options.height, &target)) return kCannot;
  std::error_code code;
  std::filesystem::create_directories(options.tour, code);
  std::string figures;
  int number = 0;
  for (const Stop& stop : stops()) {
    if (app.catalog().find(stop.scenario) == nullptr) continue;
    app.act(journey(app, stop));
    const std::string name = formatted("%02d_%s.png", ++number, stop.name);
    if (!take_picture(app, target, options.tour / name)) return kCannot;
    const scenario::Scenario& s = *app.catalog().find(stop.scenario);
    const std::string& title = scenario::in_language(s.title, "en");
    figures += "<figure><img src=\"" + name + "\" alt=\"" + text::xml(title) + "\"><figcaption><b>" +
               text::xml(title) + ".</b> " +
               (s.teaches.empty() ? std::string() : text::xml(scenario::in_language(s.teaches, "en"))) +
               "</figcaption></figure>\n";
  }
  if (const file::Written written = file::write_whole(options.tour / "index.html", page(figures)); !written) {
    text::say(stderr, "warplens: %s\n", written.words.english().c_str());
    return kCannot;
  }
  text::say(stdout, "%d pictures and index.html in %s\n", number, options.tour.c_str());
  return 0;
}

void show_map(App& app, const Options& options) {
  if (options.stills) app.act({app::SetStills{true}});
  if (options.phases) app.act({app::ShowView{ViewId::Phases}});
  if (options.reuse) app.act({app::ShowView{ViewId::Reuse}});
  show_plot(app, options);
  if (options.map.empty()) return;
  using app::MapScope;
  const MapScope scope = options.map == "warp" ? MapScope::Warp : MapScope::Block;
  app.act({app::SetMapScope{scope}, app::ShowView{ViewId::Map}});
  if (!options.map_array.empty()) app.act({app::SetMapArray{options.map_array}});
  if (options.map_zoom < 1) return;
  scene::MapPosition position = app::place_of_map(app.simulation(), app.state().plot.map);
  position.zoom = options.map_zoom;
  app.act({app::MoveMap{position}});
}

}  // namespace warplens::desktop
