#include "app/storage/session_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/actions/appliers.h"
#include "app/actions/apply.h"
#include "app/input/palette.h"
#include "app/language/strings.h"
#include "app/readout/question.h"
#include "app/simulate/matrix_shape.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "app/storage/teaching_files.h"
#include "app/views/timeline.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/json_document.h"

namespace warplens::app {

using nlohmann::json;
using scenario::Fields;
using scenario::json_of;
using scenario::JsonValue;
using scenario::write_fields;

static void describe(Fields& f, Position& position) {
  f.extents("block", position.block, 0, Message("must be three numbers from 0"));
  f("warp", position.warp);
  f("wavefront", position.wavefront);
  AccessId& access = position.access;
  if (!f.reads() && access.any && access.number < 0) return;
  f.object("access", [&](Fields& a) {
    if (a.reads()) access.any = false;
    if (a.reads() || access.number >= 0) a("number", access.number);
    if (!a.reads() && access.number >= 0) return;
    a("array", access.array);
    a("nth", access.nth);
    a("ordinal", access.ordinal);
    if (a.reads() || access.or_costlier) a("or_costlier", access.or_costlier);
    a.choice("op", access.op, kOpNames);
    a.choice("space", access.space, kSpaces);
  });
}

static void describe(Fields& f, MapView& map) {
  f("array", map.array);
  f("moved", map.moved);
  int scope = static_cast<int>(map.scope);
  f.between("scope", scope, 0, 2);  // older files have a third, of the grid
  map.scope = scope == 0 ? MapScope::Warp : MapScope::Block;
  f.between("row", map.position.row, 0.0, 1.0);
  f.between("column", map.position.column, 0.0, 1.0);
  f.between("zoom", map.position.zoom, 1.0, kMostZoom);
}

static void describe(Fields& f, PlotView& plot) {
  f("x", plot.x);
  f("y", plot.y);
  // Older files have two more, of a request: 2 and 4.
  constexpr LandscapeMeasure kRead[] = {LandscapeMeasure::Usual, LandscapeMeasure::Wavefronts,
                                        LandscapeMeasure::Wavefronts, LandscapeMeasure::Sectors,
                                        LandscapeMeasure::Sectors};
  int measure = plot.measure == LandscapeMeasure::Sectors ? 3 : static_cast<int>(plot.measure);
  f.between("measure", measure, 0, 4);
  plot.measure = kRead[measure];
  f("launch", plot.launch);
  f("zoom", plot.timeline_zoom);
  if (f.reads()) plot.timeline_zoom = views::timeline_zoom(plot.timeline_zoom);
}

// Map, phases and reuse have members of their own: they were there before the plots.
static void describe(Fields& f, Viewpoint& view) {
  static const std::string kNoPlot = "none";
  bool map_shown = view.shown == ViewId::Map, phases_shown = view.shown == ViewId::Phases,
       reuse_shown = view.shown == ViewId::Reuse;
  std::string plot_shown = is_plot(view.shown) ? std::string(name_of(view.shown)) : kNoPlot;
  f.object("position", [&](Fields& position) { describe(position, view.position); });
  f.object("map", [&](Fields& map) { map("shown", map_shown), describe(map, view.plot.map); });
  f("phases", phases_shown);
  f("reuse", reuse_shown);
  f.object("plot", [&](Fields& plot) { plot("shown", plot_shown), describe(plot, view.plot); });
  if (f.reads()) {
    const std::optional<ViewId> named = view_named(plot_shown);
    if (map_shown)
      view.shown = ViewId::Map;
    else if (phases_shown)
      view.shown = ViewId::Phases;
    else if (named && is_plot(*named))
      view.shown = *named;
    else if (plot_shown != kNoPlot)
      view.gone = plot_shown;
    if (reuse_shown && view.shown == ViewId::Memory) view.shown = ViewId::Reuse;
  }
  f("optimised", view.optimised);
  if (f.reads() || view.divider != kMiddle) f.between("divider", view.divider, kLeastPane, 1 - kLeastPane);
  f.choice("time_unit", view.time_unit, kTimeUnits);
  if (view.time_unit > scene::TimeUnit::Operations)
    view.time_unit = scene::TimeUnit::Time;  // older files have a fourth
  f.choice("grid_tab", view.grid_tab, kGridTabs);
  if (!f.reads() && !view.question) return;
  f.object("predict", [&](Fields& predict) {
    predict("question", view.question ? *view.question : view.question.emplace(0));
  });
}

namespace {

json own_json(const UserKernel& own) {
  json fields = json::object();
  for (const std::string& field : form_fields(own)) fields[field] = field_text(own.form, field);
  for (const auto& buffer : own.form.buffers)
    fields["fill." + buffer.name] = field_text(own.form, "fill." + buffer.name);
  for (const auto& buffer : own.form.buffers)
    if (!buffer.offset.empty()) fields["offset." + buffer.name] = buffer.offset;
  for (const auto& [field, text] : given_fields(own.form)) fields[field] = text;
  json out{{"file", own.file.string()}, {"kernel", own.form.kernel}, {"fields", std::move(fields)}};
  if (!own.facts.source.empty()) out["source"] = own.facts.source, out["source_name"] = own.facts.source_name;
  if (!own.facts.parameters.empty()) out["parameters"] = own.facts.parameters, out["entry"] = own.facts.entry;
  if (!own.compiler.empty()) out["compiler"] = own.compiler;
  if (own.launch) out["launch"] = *own.launch;
  return out;
}

void read_values(const JsonValue& object, const scenario::Scenario& scenario, Settings* settings,
                 std::string* lost) {
  const auto lose = [&](const std::string& what) { *lost += (lost->empty() ? "" : ", ") + what; };
  for (const auto& [name, value] : object.optional_members("values")) {
    const scenario::ScenarioParameter* parameter = find_parameter(scenario, name);
    if (parameter == nullptr) {
      std::vector<std::string> names;
      for (const scenario::ScenarioParameter& known : scenario.parameters) names.push_back(known.name);
      // Close to a parameter's name it is mistyped; any other one is a setting that is gone.
      if (const Message meant = scenario::did_you_mean(name, names); !meant.empty()) {
        value.error(Message("{} has no parameter \"{}\"{}", scenario.name, name, meant));
        continue;
      }
      value.replaced(Message("the scenario has no such parameter"));
      lose(name);
      continue;
    }
    const std::int64_t given = value.as_integer().value_or(parameter->fallback),
                       possible = clamped(*parameter, given);
    if (given != possible) {
      value.replaced(Message("is {}, which {} cannot be", given, name));
      lose(name + " = " + std::to_string(given));
    }
    settings->values[name] = possible;
  }
}

// A user's own kernel: its text and form are in the session, so that it opens without the file.
std::optional<Settings> read_own(const JsonValue& own, const std::string& text, const Means& means) {
  std::string file, kernel;
  Fields fields(own);
  fields("file", file);
  fields("kernel", kernel);
  // Whatever the text has become: what was saved comes back.
  if (const Message why = cannot_open(file.empty() ? "kernel.cu" : file, text, means, false, true);
      !why.empty()) {
    own.error(Message("text: {}", why));
    return std::nullopt;
  }
  // Nothing is read but the session.
  scenario::Setup given;
  fields("source", given.compile.source);
  fields("source_name", given.compile.source_name);
  fields("entry", given.compile.kernel);
  for (const JsonValue& name : own.optional_list("parameters"))
    given.compile.parameters.push_back(name.as_text().value_or(""));
  given.compile.text = text;
  UserKernel made =
      given.compile.source.empty() ? opened_kernel({}, text, means) : given_kernel(given, {}, means);
  fields("compiler", made.compiler);
  if (made.facts.kernels.empty() && means.budget->stopped() != StopReason::None) {
    own.error(Message("text: {}", means.budget->why(Stage::Parsing).message()));
    return std::nullopt;
  }
  made.file = file;
  if (!kernel.empty() && made.form.kernel != kernel) made = with_kernel(made, kernel, text, means);
  // What the program writes before that launch is worked out again; it is in no session.
  if (int launch = 0; own.has("launch")) {
    fields("launch", launch);
    const auto chosen = static_cast<std::size_t>(launch);
    if (launch >= 0 && chosen < made.facts.launches.size() && made.facts.launches[chosen].kernel == kernel)
      made = with_launch(made, chosen, text, means);
  }
  LaunchForm form = made.form;
  for (const auto& [name, value] : own.optional_members("fields"))
    if (const auto field = value.as_text(); field && !set_field(&form, name, *field))
      value.replaced(Message("is not a field of the kernel's launch"));
  return settings_of(with_form(made, std::move(form)), std::make_shared<const std::string>(text));
}

std::optional<Settings> read_kernel(const JsonValue& object, const Catalog& catalog, const Means& means,
                                    std::string* lost) {
  std::string name, text;
  Fields fields(object);
  fields("scenario", name);
  fields("text", text);
  if (const auto own = Fields::object_in(object, "own"); own && !own->json().empty()) {
    if (object.has("text")) return read_own(*own, text, means);
    object.error("text", Message("is missing"));
    return std::nullopt;
  }
  const scenario::Scenario* scenario = catalog.find(name);
  if (scenario == nullptr) {
    object.error("scenario", Message("there is none named \"{}\"", name));
    return std::nullopt;
  }
  Settings settings = opening(catalog, name).settings;
  read_values(object, *scenario, &settings, lost);
  if (!text.empty()) settings.text = std::make_shared<const std::string>(text);
  return settings;
}

constexpr std::string_view kLiteral = "literal: each access of the text counts, without a setting";

// The settings that an object describes: a session's own, or those pinned in it as A. Errors are the
// document's.
std::optional<Settings> read_settings(const JsonValue& object, const Catalog& catalog, const Means& means,
                                      std::string* lost) {
  auto settings = read_kernel(object, catalog, means, lost);
  Fields fields(object);
  // An older version's choice, which is all that there is now.
  bool literal = false;
  fields("literal", literal);
  if (literal && !lost->ends_with(kLiteral)) *lost += (lost->empty() ? "" : ", ") + std::string(kLiteral);
  return settings;
}

}  // namespace

json settings_json(const Settings& settings) {
  json out{{"scenario", settings.scenario}, {"values", settings.values}};
  if (settings.text) out["text"] = *settings.text;
  if (settings.own) out["own"] = own_json(*settings.own);
  return out;
}

json to_json(const Viewpoint& view) {
  json out = json_of(view);
  // Told to scripts, and not taken back.
  out["plot"]["held"] = view.plot.held;
  if (view.plot.pointed) out["plot"]["pointed"] = {view.plot.pointed->x, view.plot.pointed->y};
  out.update(settings_json(view.settings));
  if (view.pinned) out["a"] = settings_json(*view.pinned);
  return out;
}

std::optional<Viewpoint> read_viewpoint(const JsonValue& object, const Catalog& catalog, const Means& means) {
  Viewpoint view;
  auto settings = read_settings(object, catalog, means, &view.lost);
  if (settings) view.settings = std::move(*settings);
  if (const auto a = Fields::object_in(object, "a"); a && !a->json().empty())
    view.pinned = read_settings(*a, catalog, means, &view.lost);
  Fields fields(object);
  describe(fields, view);
  if (!settings) return std::nullopt;
  return view;
}

namespace {

json dialog_json(const State& state) {
  json out{{"saving", state.dialog->saving},           {"folder", state.dialog->folder},
           {"selected", state.dialog->selected},       {"trouble", state.dialog->trouble},
           {"trouble_key", state.dialog->trouble_key}, {"entries", json::array()}};
  for (const ShownEntry& entry : shown_entries(state)) out["entries"].push_back(entry.label);
  return out;
}

std::string row_of_sheet(const ShareSheet& sheet) {
  const ShareRow& row = share_rows()[static_cast<std::size_t>(sheet.row)];
  return std::string(row.name) + extension_of(row.formats[static_cast<std::size_t>(sheet.column)]);
}

json guess_json(const Guess& guess) {
  json out{{"locked", guess.locked}};
  if (!guess.typed.empty()) out["typed"] = guess.typed;
  if (guess.chosen >= 0) out["chosen"] = guess.chosen;
  if (guess.marks != 0) out["marks"] = guess.marks;
  if (guess.at >= 0) out["at"] = guess.at;
  if (guess.waiting) out["waiting"] = true;
  if (guess.first) out["first"] = *guess.first;
  return out;
}

json lesson_json(const ActiveLesson& active, bool with_answers) {
  json out{
      {"name", active.lesson->name},        {"step", active.step},   {"steps", active.lesson->steps.size()},
      {"challenge", active.in_challenge()}, {"hints", active.hints}, {"guess", guess_json(active.guess)},
      {"trouble", active.trouble}};
  out["answer_known"] = active.answer.has_value();
  if (active.answer && (with_answers || active.guess.locked)) out["answer"] = *active.answer;
  if (active.grade) out["passed"] = active.grade->passed();
  return out;
}

// Of a class: its lesson, its question, how far it has come.
json class_json(const State& state, const Simulation& seen, bool with_answers) {
  const Classroom& c = state.classroom;
  json out{{"hidden", hidden_in(state).costs}};
  if (c.tour) out["tour"] = *c.tour;
  if (c.palette) {
    out["palette"] = {{"selected", c.palette->selected}, {"found", json::array()}};
    if (c.palette->entries) {
      for (const int i : fitting(*c.palette->entries, state.field.text))
        out["palette"]["found"].push_back(c.palette->entries->all[static_cast<std::size_t>(i)].label);
    }
  }
  if (c.predicting) {
    out["predicting"] = guess_json(c.predicting->guess);
    out["predicting"]["question"] = c.predicting->question;
  }
  if (c.active) {
    out["lesson"] = lesson_json(*c.active, with_answers);
    out["lesson"]["as_put"] = is_as_put(state, seen);
  }
  return out;
}

json seen_json(const Simulation& s) {
  json out{{"fresh", s.fresh},
           {"busy", s.busy},
           {"compiling", s.compiling},
           {"halted", s.halted},
           {"problems", json::array()}};
  for (const Problem& problem : s.problems) {
    json p{{"message", problem.message.english()}};
    if (problem.range) p["line"] = problem.range->begin.line, p["column"] = problem.range->begin.column;
    out["problems"].push_back(std::move(p));
  }
  if (s.empty()) return out;
  out["block"] = {s.place.block.x, s.place.block.y, s.place.block.z};
  out["warp"] = s.place.warp;
  out["warps"] = (s.compiled->setup.launch.block.count() + memory::kWarpLanes - 1) / memory::kWarpLanes;
  out["access"] = s.place.event;
  out["accesses"] = s.event_count();
  if (s.place.event >= 0)
    out["event"] = (*s.events)[static_cast<std::size_t>(s.place.event)].event;  // of the block
  out["wavefront"] = s.place.wavefront;
  out["totals"] = s.totals != nullptr || (s.hidden.rest && s.totals_progress >= 1);
  if (s.now) {
    const bool shared = s.now->access.space == memory::Space::Shared;
    out["text"] = s.now->site->text;
    out["space"] = shared ? "shared" : "global";
    out["op"] = kOpNames[static_cast<std::size_t>(s.now->access.op)];
    if (s.now->known != Known::All) return out;
    out["units"] = shared ? s.now->cost.wavefronts : s.now->cost.sectors;
    out["ideal"] = shared ? s.now->cost.ideal_wavefronts : s.now->cost.ideal_sectors;
  }
  return out;
}

}  // namespace

// How it is shown, whatever is looked at.
static void describe(Fields& f, State& state) {
  f.choice("theme", state.theme, kThemes);
  f.one_of("language", state.language, language::kLanguages);
  f("present", state.present);
  f("stills", state.stills);
  f.between("zoom", state.zoom, 0.5f, 3.0f);
  f.between("speed", state.playback.speed, kSlowest, kFastest);
}

json to_json(const State& state, const Simulation& seen, bool with_answers) {
  json out{{"schema", "warplens.session/1"}, {"playing", state.playback.playing},
           {"editing", state.editing},       {"help", state.help},
           {"undo", state.past.size()},      {"redo", state.future.size()},
           {"seen", seen_json(seen)},        {"panels", json::array()}};
  for (std::size_t i = 0; i < kPanelNames.size(); ++i)
    if (state.panels.test(i)) out["panels"].push_back(kPanelNames[i]);
  write_fields(state, &out);
  out.update(to_json(viewpoint_of(state)));
  if (state.lecturing.lecture) {
    out["lecture"] = to_json(*state.lecturing.lecture);
    if (state.lecturing.scene >= 0) out["scene"] = state.lecturing.scene;
  }
  if (state.profile) out["profile"] = profile_json(*state.profile);
  json& on_screen = out["seen"];
  on_screen["edited"] = is_edited(state);
  on_screen["form"] = state.form && state.settings.own;
  on_screen["field"] = {{"id", state.field.id}, {"text", state.field.text}};
  on_screen["class"] = class_json(state, seen, with_answers);
  if (state.race) on_screen["race"] = {state.race->part(true), state.race->part(false)};
  if (state.lecturing.list) on_screen["scenes"] = *state.lecturing.list;
  on_screen["notes"] = state.lecturing.notes;
  on_screen["lecture_unsaved"] = state.lecturing.unsaved;
  if (state.dialog) on_screen["dialog"] = dialog_json(state);
  if (state.share) {
    on_screen["share"] = {{"row", row_of_sheet(*state.share)},
                          {"busy", state.share->told.busy},
                          {"bad", state.share->told.bad},
                          {"told", state.share->told.key},
                          {"words", state.share->told.words}};
  }
  if (state.reading) on_screen["reading"] = *state.reading;
  if (state.notice)
    on_screen["notice"] = {{"key", state.notice->key}, {"words", state.notice->words.english()}};
  return out;
}

scenario::Outcome<State> load_session(const std::filesystem::path& file, const Catalog& catalog,
                                      const Means& means) {
  auto document = scenario::JsonDocument::load(file, {.bytes = kMostLectureBytes, .strict = means.strict});
  if (!document.ok() || !document.has_schema("session")) return {std::nullopt, document.errors()};
  const scenario::JsonValue root = document.root();
  State state;
  if (auto view = read_viewpoint(root, catalog, means)) {
    state.settings = view->settings;
    look_from(&state, *view);
    if (view->question) state.classroom.predicting = Predicting{*view->question, {}};
  }
  Fields fields(root);
  describe(fields, state);
  if (const auto lecture = Fields::object_in(root, "lecture"))
    state.lecturing.lecture = std::make_shared<const Lecture>(read_lecture(*lecture, catalog, means));
  if (state.lecturing.lecture && root.has("scene")) {
    int scene = 0;
    fields("scene", scene);
    const int last = static_cast<int>(state.lecturing.lecture->scenes.size()) - 1;
    state.lecturing.scene = std::min(scene, last);
  }
  if (const auto profile = Fields::object_in(root, "profile")) state.profile = read_profile(*profile);
  if (!document.ok()) return {std::nullopt, document.errors()};
  state.form = state.settings.own != nullptr;
  return {std::move(state), {}};
}

}  // namespace warplens::app
