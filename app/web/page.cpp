// What a page asks of the app, as window.warplens and embedding pages do; what a person does comes in through
// app/platform/web/window.cpp. Texts are UTF-8; those returned live until the next call.
#include <emscripten.h>
#include <malloc.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "app/desktop/options.h"
#include "app/desktop/window.h"
#include "app/input/commands.h"
#include "app/platform/window.h"
#include "app/state/catalog.h"
#include "app/storage/link.h"
#include "sim/report/report.h"
#include "sim/scenario/permalink.h"

namespace {

using nlohmann::json;
using namespace warplens;

constexpr double kReportSeconds = 20;

const char* keep(std::string text) {
  static std::string answer;
  answer = std::move(text);
  return answer.c_str();
}
const char* keep(const nlohmann::ordered_json& document) {
  return keep(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}
const char* fail(const std::string& words) {
  return keep(nlohmann::ordered_json{{"error", words}});
}

// A parameter of the scenario on screen, "pad=1", or a command of the palette, "access_next". Words, or
// empty.
std::string carry_out(desktop::App& app, const std::string& text) {
  if (const auto equals = text.find('='); equals != std::string::npos) {
    const scenario::Scenario* scenario = app.catalog().find(app.state().settings.scenario);
    if (scenario == nullptr) return text + ": a kernel of one's own has no parameters by name";
    const auto setting = desktop::read_setting("act", text, *scenario);
    if (!setting) return setting.errors.front();
    app.act({app::SetParameter{setting.value->first, setting.value->second, {}}});
    return {};
  }
  for (const app::Command* command : app::commands()) {
    if (command->id != text) continue;
    const app::Situation situation{app.state(), app.catalog(), app.clipboard};
    if (command->when != nullptr && !command->when(situation)) return text + ": not now";
    app.act(command->act(situation));
    return {};
  }
  return "\"" + text +
         "\" is not a link (warplens:…), NAME=VALUE or a command; docs/keys.md and the palette list them";
}

scenario::Outcome<scenario::Setup> setup_of(const app::Catalog& catalog, const app::Settings& settings) {
  const scenario::Scenario* scenario = app::scenario_of(catalog, settings);
  if (scenario == nullptr) return {};
  return scenario::make_setup(*scenario, settings.values, settings.text ? *settings.text : scenario->text);
}

report::Report report_of(const scenario::Setup& setup, bool brute_force, Budget* budget) {
  auto prepared = scenario::prepare(setup, memory::default_gpu_model(), budget);
  if (!prepared) throw std::runtime_error(prepared.errors.front());
  sim::TotalsOptions options;
  options.limits.budget = budget;
  options.brute_force = brute_force;
  const sim::Totals totals =
      sim::grid_totals(prepared.value->program, prepared.value->setup.launch, *prepared.value->gpu, options);
  if (totals.error) throw std::runtime_error(totals.error->message.english());
  report::Report report = report::make_report(*prepared.value, totals);
  report::add_assembled(report, *prepared.value, options);
  return report;
}

}  // namespace

extern "C" {

// What the address bar shows behind its #; empty: nothing can be said in a line.
EMSCRIPTEN_KEEPALIVE const char* wl_link() {
  desktop::App* app = desktop::app_on_screen();
  if (app == nullptr) return keep(std::string());
  return keep(app::address_of(app::write_link(app->state(), app->simulation(), app->catalog())));
}

EMSCRIPTEN_KEEPALIVE const char* wl_state() {
  return keep(desktop::state_on_screen());
}

// A link, a parameter or a command. {"ok": true}, or {"error": words} and what is on screen stays.
EMSCRIPTEN_KEEPALIVE const char* wl_act(const char* text) {
  desktop::App* app = desktop::app_on_screen();
  if (app == nullptr) return fail("no window is open");
  std::string words;
  app->runner().begin_frame();  // what is soon there is waited for, and the next frame shows it
  if (app::is_link(text)) {
    Budget budget;
    const auto read = app::read_link(text, app->catalog(), {app->programs().get(), &budget});
    if (read)
      app->act(app::actions_of(*read.value, app->state(), false));
    else
      words = read.errors.front();
  } else {
    words = carry_out(*app, text);
  }
  platform::wake_window();
  return words.empty() ? keep(nlohmann::ordered_json{{"ok", true}}) : fail(words);
}

// warplens.report/1 of a link, or with an empty text of what is on screen. `how`: "brute-force", every block
// is simulated; or empty.
EMSCRIPTEN_KEEPALIVE const char* wl_report(const char* text, const char* how) {
  desktop::App* app = desktop::app_on_screen();
  if (app == nullptr) return fail("no window is open");
  Allowance allowance = app::app_allowance(nullptr);
  allowance.deadline = Budget::in(kReportSeconds);
  Budget budget(allowance);
  app::State state = app->state();
  if (std::string_view(text).size() > 0) {
    const auto read = app::read_link(text, app->catalog(), {app->programs().get(), &budget});
    if (!read) return fail(read.errors.front());
    state.settings = (*read.value)->view.settings;
  }
  const auto setup = setup_of(app->catalog(), state.settings);
  if (!setup)
    return fail(setup.errors.empty() ? "the launch is not whole yet" : setup.errors.front().english());
  try {
    return keep(
        report::report_json(report_of(*setup.value, std::string_view(how) == "brute-force", &budget)));
  } catch (const Stopped& stopped) {
    return fail(stopped.message().english());
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

// The access looked at and what it costs, for those who do not see the picture.
EMSCRIPTEN_KEEPALIVE const char* wl_spoken() {
  desktop::App* app = desktop::app_on_screen();
  return keep(app == nullptr ? std::string() : app->spoken());
}

// Whether an input takes what is typed, and where its caret stands, in pixels of the canvas.
EMSCRIPTEN_KEEPALIVE const char* wl_typing() {
  desktop::App* app = desktop::app_on_screen();
  const auto typing = app == nullptr ? desktop::App::Typing{} : app->typing();
  return keep(
      nlohmann::ordered_json{{"on", typing.on}, {"x", typing.x}, {"y", typing.y}, {"height", typing.height}});
}

// The question that was answered last and is still on screen, as JSON; or empty.
EMSCRIPTEN_KEEPALIVE const char* wl_answered() {
  desktop::App* app = desktop::app_on_screen();
  return keep(app == nullptr ? std::string() : app->answered());
}

// HTML that shows this in another page.
EMSCRIPTEN_KEEPALIVE const char* wl_figure() {
  desktop::App* app = desktop::app_on_screen();
  return keep(app == nullptr ? std::string() : app->figure());
}

// Bytes that are in use. What the page has reserved only grows, and tells of growth late.
EMSCRIPTEN_KEEPALIVE double wl_used() {
  return static_cast<double>(static_cast<unsigned>(mallinfo().uordblks));
}

EMSCRIPTEN_KEEPALIVE int wl_is_picture(double x, double y) {
  desktop::App* app = desktop::app_on_screen();
  return app != nullptr && app->is_picture(static_cast<float>(x), static_cast<float>(y)) ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE int wl_unsaved() {
  desktop::App* app = desktop::app_on_screen();
  return app != nullptr && app->places().recovery != nullptr && app->places().recovery->unsaved() > 0 ? 1 : 0;
}

// A file that the page fetched lies in the program's file system now.
EMSCRIPTEN_KEEPALIVE void wl_arrived(const char* path) {
  desktop::App* app = desktop::app_on_screen();
  if (app == nullptr) return;
  const std::string_view file = path;
  if (file.find("/fonts/") != std::string_view::npos) app->fonts_changed();
  if (file.find("/recorded/") != std::string_view::npos) desktop::load_measurements(app);
  platform::wake_window();
}

}  // extern "C"
