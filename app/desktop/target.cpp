#include "app/desktop/target.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "app/actions/apply.h"
#include "app/derive/comparison.h"
#include "app/state/chosen_kernel.h"
#include "app/state/teaching/lecture.h"
#include "app/state/user_kernel.h"
#include "app/storage/files.h"
#include "app/storage/link.h"
#include "app/storage/session_file.h"
#include "sim/scenario/command_line.h"
#include "sim/scenario/permalink.h"

namespace warplens::desktop {
namespace {

using Opened = scenario::Outcome<app::State>;

Opened failed(std::vector<Message> errors) {
  return {std::nullopt, std::move(errors)};
}

// The transpose ladder, at the naive store: the first picture of all.
std::string default_scenario(const app::Catalog& catalog) {
  for (const char* name : {"transpose_naive_row"}) {
    if (catalog.find(name) != nullptr) return name;
  }
  return catalog.scenarios.empty() ? std::string() : catalog.scenarios.front().name;
}

Opened add_scenario(scenario::Outcome<scenario::Scenario> loaded, app::Catalog* catalog) {
  if (!loaded) return failed(std::move(loaded.errors));
  scenario::Scenario scenario = std::move(*loaded.value);
  // The user's own file goes before a gallery's of the same name.
  if (catalog->find(scenario.name) != nullptr) scenario.name += " (" + scenario.file.string() + ")";
  const std::string name = scenario.name;
  catalog->scenarios.push_back(std::move(scenario));
  return {app::opening(*catalog, name), {}};
}

// A user's own kernel, with a launch that fits it. What takes longer to find out is found out beside the
// window.
Opened open_kernel(const std::string& what, double seconds) {
  const std::filesystem::path file = std::filesystem::absolute(what).lexically_normal();
  const auto text = scenario::read_text(file);
  if (!text) return failed(text.errors);
  Allowance allowance = app::app_allowance(nullptr);
  allowance.deadline = Budget::in(seconds);
  Budget budget(allowance);
  const app::Means means{nullptr, &budget};
  const std::vector<std::string> recent = app::recent_files(app::usual_places());
  const bool is_known = std::find(recent.begin(), recent.end(), file.string()) != recent.end();
  if (const Message why = app::cannot_open(file, *text.value, means, true, is_known); !why.empty())
    return failed({why});
  app::UserKernel kernel = app::opened_kernel(file, *text.value, means);
  if (budget.stopped() != StopReason::None) kernel = app::wishing_setup(file, {});
  app::State state;
  const auto shared = std::make_shared<const std::string>(*text.value);
  state.on_disk[file.string()] = shared;
  state.chosen.insert(file.string());
  state.settings = app::settings_of(std::move(kernel), shared);
  state.form = true;
  app::remember_file(app::usual_places(), file.string());
  return {std::move(state), {}};
}

// NAME=VALUE into the launch form: a parameter's name or a field's (grid.x).
std::string set_field(const std::string& text, app::Settings* settings) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || name.empty()) return "--set " + text + ": must be NAME=VALUE";
  const app::UserKernel& own = *settings->own;
  app::LaunchForm form = own.form;
  for (const std::string& field : {name, app::field_of(own, name), "scalar." + name, "elements." + name}) {
    if (field.empty() || !app::set_field(&form, field, text.substr(equals + 1))) continue;
    *settings = app::with_own(*settings, app::with_form(own, std::move(form)));
    const auto& errors = settings->own->values.errors;
    const auto wrong = errors.find(field);
    return wrong == errors.end() ? std::string() : "--set " + text + ": " + wrong->second.english();
  }
  return "--set " + text + ": " + form.kernel + " has no parameter \"" + name + "\"" +
         scenario::did_you_mean(name, app::form_fields(own)).english();
}

// A scenario with its parameters and place, as pasted.
Opened open_place(const std::string& what, const app::Catalog& catalog, const app::Means& means) {
  auto read = app::read_link(what, catalog, means);
  if (!read) return failed(std::move(read.errors));
  const app::Link& link = **read.value;
  app::State state =
      link.view.settings.own ? app::State() : app::opening(catalog, link.view.settings.scenario);
  state.settings = link.view.settings;
  app::look_from(&state, link.view);
  if (link.view.question) state.classroom.predicting = app::Predicting{*link.view.question, {}};
  state.form = state.settings.own != nullptr;
  if (!link.language.empty()) state.language = link.language;
  if (link.theme) state.theme = *link.theme;
  state.present = link.present;
  return {std::move(state), {}};
}

Opened open_what(const std::string& what, bool sets, app::Catalog* catalog, const app::Means& means) {
  if (what.empty()) {
    const std::string name = default_scenario(*catalog);
    if (name.empty())
      return failed({Message("no scenario was found; WARPLENS_DATA can name the folder that has kernels/")});
    return {app::opening(*catalog, name), {}};
  }
  if (scenario::is_permalink(what)) return open_place(what, *catalog, means);
  if (catalog->find(what) != nullptr) return {app::opening(*catalog, what), {}};
  // A lesson and a lecture bring their own scenarios.
  if (what.ends_with(".lesson.json") || what.ends_with(app::kLectureEnding))
    return open_what({}, false, catalog, means);
  if (what.ends_with(".warplens.json")) return app::load_session(what, *catalog, means);
  if (what.ends_with(".scenario.json")) return add_scenario(scenario::load_scenario(what), catalog);
  if (what.ends_with(".cu") || what.ends_with(".cuh")) {
    constexpr double kSoon = 1, kNeeded = 20;  // seconds: what is set is set in the form
    return open_kernel(what, sets ? kNeeded : kSoon);
  }
  std::vector<std::string> names;
  for (const scenario::Scenario& s : catalog->scenarios) names.push_back(s.name);
  return failed({Message(
      "there is no scenario \"{}\"{}\n  a kernel file ends in .cu, a session in .warplens.json, a lesson in "
      ".lesson.json, a lecture in .lecture.json",
      what, scenario::did_you_mean(what, names))});
}

// NAME=VALUE into the settings; what is wrong, in words, or empty.
std::string set_value(const std::string& text, const scenario::Scenario& scenario, app::Settings* settings) {
  const auto setting = read_setting("--set", text, scenario);
  if (!setting) return setting.errors.front();
  settings->values[setting.value->first] = setting.value->second;
  return {};
}

// --compare: the settings pinned as A; what is wrong, in words, or empty.
std::string set_a(const std::string& text, const app::Catalog& catalog, app::State* state) {
  if (text == "rung") {
    state->pinned = app::neighbour_rung(catalog, state->settings);
    return state->pinned ? std::string() : "--compare rung: this is not a rung of a ladder";
  }
  if (!state->pinned) state->pinned = state->settings;
  if (text == "accesses") {
    state->pinned->literal = !state->settings.literal;
    return {};
  }
  const std::string error = state->pinned->own
                                ? set_field(text, &*state->pinned)
                                : set_value(text, *catalog.find(state->pinned->scenario), &*state->pinned);
  return error.empty() ? error : "--compare: " + error;
}

}  // namespace

scenario::Outcome<std::pair<std::string, std::int64_t>> read_setting(const std::string& option,
                                                                     const std::string& text,
                                                                     const scenario::Scenario& scenario) {
  const std::string at = option + " " + text;
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || name.empty()) return {{}, {Message("{}: must be NAME=VALUE", at)}};
  const scenario::ScenarioParameter* parameter = app::find_parameter(scenario, name);
  if (parameter == nullptr) {
    std::vector<std::string> names;
    for (const auto& p : scenario.parameters) names.push_back(p.name);
    return {{},
            {Message("{}: {} has no parameter \"{}\"{}", at, scenario.name, name,
                     scenario::did_you_mean(name, names))}};
  }
  const std::string value = text.substr(equals + 1);
  const auto& texts = parameter->texts;
  if (const auto named = std::find(texts.begin(), texts.end(), value); named != texts.end())
    return {std::pair(name, parameter->choices[static_cast<std::size_t>(named - texts.begin())]), {}};
  const bool choices = !parameter->choices.empty();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min(),
                 kMost = std::numeric_limits<std::int64_t>::max();
  const auto number = scenario::parse_whole(value, at, choices ? kLeast : parameter->minimum,
                                            choices ? kMost : parameter->maximum);
  if (!number) return {{}, number.errors};
  if (app::clamped(*parameter, *number.value) != *number.value)
    return {{}, {Message("{}: is not one of the choices of {}", at, name)}};
  return {std::pair(name, *number.value), {}};
}

Opened open_target(const Options& options, app::Catalog* catalog, const app::Means& means) {
  const bool sets = !options.sets.empty() || !options.a_sets.empty();
  Opened opened = open_what(options.target, sets, catalog, means);
  if (!opened) return opened;
  app::State& state = *opened.value;
  for (const auto& [option, texts] : {std::pair("--set", &options.sets), {"--compare", &options.a_sets}}) {
    if (auto twice = scenario::given_twice(option, *texts); !twice.empty()) return failed(std::move(twice));
  }
  for (const std::string& text : options.sets) {
    const std::string error = state.settings.own
                                  ? set_field(text, &state.settings)
                                  : set_value(text, *catalog->find(state.settings.scenario), &state.settings);
    if (!error.empty()) return failed({Message::verbatim(error)});
  }
  if (options.literal) state.settings.literal = true;
  for (const std::string& text : options.a_sets) {
    const std::string error = set_a(text, *catalog, &state);
    if (!error.empty()) return failed({Message::verbatim(error)});
  }
  if (!options.language.empty()) state.language = options.language;
  if (!options.theme.empty()) state.theme = options.theme == "light" ? app::Theme::Light : app::Theme::Dark;
  if (options.target.empty()) state.playback.playing = true;  // the first minute: something happens
  if (options.present || !options.lecture.empty()) state.present = true;
  if (options.warp >= 0) state.position.warp = options.warp;
  if (!options.block.empty()) {
    const auto block = scenario::parse_index(options.block, "--block");
    if (!block) return failed(block.errors);
    state.position.block = *block.value;
  }
  return opened;
}

}  // namespace warplens::desktop
