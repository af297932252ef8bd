#include "app/desktop/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>

#include "app/actions/apply.h"
#include "app/cli/target.h"
#include "app/derive/comparison.h"
#include "app/input/commands.h"
#include "app/language/strings.h"
#include "app/state/catalog.h"
#include "app/state/teaching.h"
#include "app/state/user_kernel.h"
#include "app/storage/files.h"
#include "app/storage/link.h"
#include "app/storage/session_file.h"
#include "sim/memory/gpu_model.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/permalink.h"
#include "sim/scenario/target.h"
#include "sim/scenario/text_file.h"
#include "sim/text/shown.h"

namespace warplens::desktop {
namespace {

constexpr std::uint32_t kLeastSide = 200, kMostSide = 16384;

void take_size(const std::string& text, Options* options) {
  const auto size = scenario::parse_extents(text, "--size");
  const auto fits = [](std::uint32_t side) { return side >= kLeastSide && side <= kMostSide; };
  if (!size || size.value->z != 1 || !fits(size.value->x) || !fits(size.value->y))
    throw CLI::ValidationError("--size", "must be WIDTHxHEIGHT, each from 200 to 16384: '" + text + "'");
  options->width = static_cast<int>(size.value->x);
  options->height = static_cast<int>(size.value->y);
  options->size_given = true;
}

// "sm_60", "sm_61", ...
std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (const memory::GpuModel& gpu : memory::gpu_models()) names.emplace_back(gpu.name);
  return names;
}

// What is opened, how it is measured and predicted, and in which words.
void add_subject(CLI::App& app, Options& o) {
  app.add_option("TARGET", o.target,
                 "a scenario (transpose_shared), a pasted 'warplens:...', FILE.cu, FILE.ptx, "
                 "FILE.launch.json, FILE.warplens.json or "
                 "FILE.lecture.json");
  app.add_option("--set", o.sets, "NAME=VALUE: a parameter of the scenario; may be repeated")->take_all();
  app.add_option("--via", o.via,
                 "a launcher for warplens-gpu on another machine: \"ssh host\", \"srun -p gpu\"");
  app.add_option("--gpu", o.gpu, "the architecture to predict for (sm_61); default: sm_90")
      ->check(CLI::IsMember(gpu_names()));
  app.add_flag("--present", o.present, "show a large picture for a projector");
  app.add_option("--lang", o.language, language::language_choice())
      ->check(CLI::IsMember(language::languages()));
  app.add_option("--theme", o.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
}

// Where in it the picture stands, and what stands beside it.
void add_place(CLI::App& app, Options& o) {
  cli::add_number(app, "--step", &o.step, 1, cli::kMostNumber, "the access to look at, from 1");
  cli::add_number(app, "--wavefront", &o.wavefront, 1, cli::kMostNumber,
                  "the wavefront of that access, from 1");
  cli::add_number(app, "--warp", &o.warp, 0, cli::kMostNumber, "the warp of the block, from 0");
  app.add_option("--block", o.block, "X[,Y[,Z]]: the block of the grid, from 0");
  app.add_option("--compare", o.a_sets,
                 "A│B: what to show beside TARGET as A: \"rung\", the rung before, or NAME=VALUE; may be "
                 "repeated")
      ->take_all();
}

// Lessons, lectures and questions.
void add_classroom(CLI::App& app, Options& o) {
  app.add_option("--lesson", o.lesson, "a lesson by its name (padding), or FILE.lesson.json");
  cli::add_number(app, "--lesson-step", &o.lesson_step, 1, cli::kMostNumber,
                  "the step of the lesson, from 1; the number after the last step is the challenge");
  app.add_option("--lecture", o.lecture, "a lecture by its name (ten-minutes), or FILE.lecture.json");
  cli::add_number(app, "--scene", &o.scene, 1, cli::kMostNumber, "the scene of the lecture, from 1");
  app.add_flag("--notes", o.notes, "open the speaker's window");
  app.add_flag("--predict", o.predict, "hide the costs and ask");
}

// What the panels show.
void add_views(CLI::App& app, Options& o) {
  app.add_option("--tab", o.tab, "what the panel of the whole grid shows: totals, counters or lines")
      ->check(CLI::IsMember({"totals", "counters", "lines"}));
  app.add_option("--view", o.view, "the view in place of the access: memory, reuse, map, phases, ...")
      ->check(CLI::IsMember(std::vector<std::string>(kViewNames.begin(), kViewNames.end())));
  app.add_option("--profile", o.profile, "the output of ncu --csv, to compare with the target");
  app.add_option("--keys", o.keys, "keys to press at the end, as F1 writes them: \"Ctrl Shift L, Enter\"")
      ->check([](const std::string& keys) {
        return app::presses_of(keys).empty() ? "'" + keys + "' names no key" : std::string();
      });
}

// What tests and pictures ask for.
void add_pictures(CLI::App& app, Options& o) {
  app.add_option("--state-file", o.state_file, "keep the state on screen in this file, as JSON");
  cli::add_number(app, "--at", &o.at, 0.0, 3600.0,
                  "with --screenshot: seconds after arriving at the access, or after --then");
  app.add_option("--then", o.then, "NAME=VALUE: a parameter to change before the picture, for --at")
      ->take_all();
  app.add_flag("--still", o.still, "turn animation off");
  app.add_flag("--alone", o.alone, "show only the picture with its transport, as in a page that embeds it");
  app.add_option_function<std::string>(
      "--panels",
      [&o](const std::string& names) {
        o.panels = app::panels_named(names);
        if (!o.panels)
          throw CLI::ValidationError(
              "--panels", "none, all, or names of source, lanes, access, grid, times: '" + names + "'");
      },
      "the panels around the picture: all, none, or some of source,lanes,access,grid,times");
  app.add_option("--controls", o.controls,
                 "with --alone: the parameters to offer, such as pad,nrows; a comma alone: none")
      ->needs("--alone");
  app.add_flag("--tell-answers", o.tell_answers, "with --state-file: also those of an open question")
      ->group("");
}

}  // namespace

Parsed parse_options(int argc, char** argv) {
  Parsed parsed;
  Options& o = parsed.options;
  CLI::App app("Warplens shows where a warp's 32 lanes go: GPU memory access, step by step.", "warplens");
  std::string size;
  app.set_version_flag("--version", "warplens " WARPLENS_VERSION);
  add_subject(app, o);
  app.add_option("--size", size, "WIDTHxHEIGHT of the window or picture, for example 1920x1080");
  app.add_option("--screenshot", o.screenshot, "write a PNG and end; needs no display");
  add_place(app, o);
  add_classroom(app, o);
  add_views(app, o);
  add_pictures(app, o);
  try {
    app.parse(argc, argv);
    if (!size.empty()) take_size(size, &o);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, wrong;
    const int code = app.exit(error, out, wrong);
    const bool printed = text::print(stdout, out.str()) || errno == EPIPE;
    if (!printed) wrong << "warplens: standard output cannot be written: " << std::strerror(errno) << '\n';
    text::print(stderr, wrong.str());
    parsed.exit_code = code != 0 ? 2 : printed ? 0 : 3;
  }
  return parsed;
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream in(list);
  for (std::string name; std::getline(in, name, ',');)
    if (!name.empty()) names.push_back(std::move(name));
  return names;
}

namespace {

using Opened = scenario::Outcome<app::State>;

Opened failed(std::vector<Message> errors) {
  return {std::nullopt, std::move(errors)};
}

// The transpose ladder, at the naive store: the first picture of all.
std::string default_scenario(const app::Catalog& catalog) {
  if (const auto* first = catalog.find("transpose_naive_row")) return first->name;
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
Opened open_kernel(const std::string& what, const app::Means& means, double soon) {
  const std::filesystem::path named = std::filesystem::absolute(what).lexically_normal();
  const bool is_launch = scenario::is_launch_document(named);
  auto text = is_launch ? scenario::Outcome<std::string>{"", {}}
                        : scenario::read_text(named, scenario::most_bytes_of(named));
  if (!text) return failed(text.errors);
  const app::Places places = app::usual_places();
  auto source = app::opened_source(named, std::move(*text.value), places, means, soon);
  if (!source) return failed(std::move(source.errors));
  app::OpenedSource& opened = *source.value;
  app::State state;
  const auto shared = std::make_shared<const std::string>(std::move(opened.text));
  if (!opened.is_part) state.on_disk[opened.file.string()] = shared;
  state.chosen.insert(opened.file.string());
  state.settings = app::settings_of(*opened.kernel, shared);
  state.form = true;
  app::remember_file(places, named.string());
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
  app::look_from(&state, link);
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
  if (scenario::is_kernel_text(what) || scenario::holds_kernel_text(what) ||
      scenario::is_launch_document(what)) {
    constexpr double kSoon = 1, kNeeded = 20;  // seconds: what is set is set in the form
    return open_kernel(what, means, sets ? kNeeded : kSoon);
  }
  std::vector<std::string> names;
  for (const scenario::Scenario& s : catalog->scenarios) names.push_back(s.name);
  return failed(
      {Message("there is no scenario \"{}\"{}\n  a kernel file ends in .cu or .ptx, a launch in "
               ".launch.json, a session in .warplens.json, a lesson in "
               ".lesson.json, a lecture in .lecture.json",
               what, scenario::did_you_mean(what, names))});
}

// NAME=VALUE into the settings; what is wrong, in words, or empty.
std::string set_value(const std::string& text, const app::Catalog& catalog, app::Settings* settings) {
  if (settings->own) return set_field(text, settings);
  const auto setting = read_setting("--set", text, *catalog.find(settings->scenario));
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
  const std::string error = set_value(text, catalog, &*state->pinned);
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
    const std::string error = set_value(text, *catalog, &state.settings);
    if (!error.empty()) return failed({Message::verbatim(error)});
  }
  for (const std::string& text : options.a_sets) {
    const std::string error = set_a(text, *catalog, &state);
    if (!error.empty()) return failed({Message::verbatim(error)});
  }
  if (!options.language.empty()) state.language = options.language;
  if (!options.theme.empty()) state.theme = options.theme == "light" ? app::Theme::Light : app::Theme::Dark;
  if (options.panels) state.panels = *options.panels;
  if (state.panels.any()) state.workbench = state.panels;
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
