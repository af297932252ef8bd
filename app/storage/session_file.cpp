#include "app/storage/session_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/actions/apply.h"
#include "app/actions/plot_actions.h"
#include "app/readout/question.h"
#include "app/state/chosen_kernel.h"
#include "app/state/user_kernel.h"
#include "app/storage/class_json.h"
#include "sim/scenario/json_document.h"

namespace warplens::app {
namespace {

using nlohmann::json;

constexpr const char* kTabs[] = {"totals", "counters", "lines"};
constexpr const char* kPlots[] = {"none", "timeline", "landscape"};
constexpr const char* kOps[] = {"load", "store", "atomic", "reduction"};

json position_json(const Position& position) {
  json out{{"block", {position.block.x, position.block.y, position.block.z}},
           {"warp", position.warp},
           {"wavefront", position.wavefront}};
  if (position.access.number >= 0) {
    out["access"] = {{"number", position.access.number}};
  } else if (!position.access.any) {
    out["access"] = {{"array", position.access.array},
                     {"op", kOps[static_cast<std::size_t>(position.access.op)]},
                     {"space", position.access.space == memory::Space::Shared ? "shared" : "global"},
                     {"nth", position.access.nth},
                     {"ordinal", position.access.ordinal}};
  }
  return out;
}

json own_json(const UserKernel& own) {
  json fields = json::object();
  for (const std::string& field : form_fields(own)) fields[field] = field_text(own.form, field);
  for (const auto& buffer : own.form.buffers) fields["fill." + buffer.name] = fill_name(buffer.fill);
  return {{"file", own.file.string()}, {"kernel", own.form.kernel}, {"fields", std::move(fields)}};
}

json settings_json(const Settings& settings) {
  json out{{"scenario", settings.scenario}, {"values", settings.values}};
  if (settings.text) out["text"] = *settings.text;
  if (settings.own) out["own"] = own_json(*settings.own);
  return out;
}

json map_json(const MapView& map) {
  return {{"shown", map.shown},
          {"array", map.array},
          {"scope", static_cast<int>(map.scope)},
          {"row", map.position.row},
          {"column", map.position.column},
          {"zoom", map.position.zoom}};
}

json plot_json(const PlotView& plot) {
  json out{{"shown", kPlots[static_cast<std::size_t>(plot.shown)]},
           {"x", plot.x},
           {"y", plot.y},
           {"measure", static_cast<int>(plot.measure)},
           {"held", plot.held},
           {"zoom", plot.timeline.zoom}};
  if (plot.pointed) out["pointed"] = {plot.pointed->x, plot.pointed->y};
  return out;
}

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

json seen_json(const Simulation& s) {
  json out{{"fresh", s.fresh},   {"busy", s.busy},         {"compiling", s.compiling},
           {"halted", s.halted}, {"progress", s.progress}, {"problems", json::array()}};
  for (const Problem& problem : s.problems) {
    json p{{"message", problem.message}};
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
    out["op"] = kOps[static_cast<std::size_t>(s.now->access.op)];
    if (s.now->known != Known::All) return out;
    out["units"] = shared ? s.now->cost.wavefronts : s.now->cost.sectors;
    out["ideal"] = shared ? s.now->cost.ideal_wavefronts : s.now->cost.ideal_sectors;
  }
  return out;
}

using scenario::JsonValue;

void read(const JsonValue& object, const char* name, std::string* out) {
  *out = object.optional_text(name, *out);
}
void read(const JsonValue& object, const char* name, bool* out) {
  *out = object.optional_flag(name, *out);
}
void read(const JsonValue& object, const char* name, float* out) {
  *out = static_cast<float>(object.optional_number(name, static_cast<double>(*out)));
}
// A count, or an index.
void read(const JsonValue& object, const char* name, int* out) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const std::int64_t value = object.optional_integer(name, *out);
  if (object.has(name) && (value < 0 || value > kMost))
    object.error(name, "must be from 0 to " + std::to_string(kMost));
  else
    *out = static_cast<int>(value);
}

// The object of that name, where there is one.
std::optional<JsonValue> object_in(const JsonValue& object, const char* name) {
  if (!object.has(name)) return std::nullopt;
  JsonValue found = object.member(name);
  if (!found.is_object()) return std::nullopt;
  return found;
}

void read_position(const JsonValue& position, Position* out) {
  read(position, "warp", &out->warp);
  read(position, "wavefront", &out->wavefront);
  if (position.has("block")) {
    const nlohmann::json& block = position.member("block").json();
    const bool sound =
        block.is_array() && block.size() == 3 && std::all_of(block.begin(), block.end(), [](const json& v) {
          return v.is_number_integer() && v >= 0 && v <= 0x7fffffff;
        });
    if (!sound) return position.error("block", "must be three numbers from 0");
    out->block = {block[0], block[1], block[2]};
  }
  const auto access = object_in(position, "access");
  if (!access) return;
  out->access.any = false;
  read(*access, "number", &out->access.number);
  read(*access, "array", &out->access.array);
  read(*access, "nth", &out->access.nth);
  read(*access, "ordinal", &out->access.ordinal);
  std::string op = "load", space = "global";
  read(*access, "op", &op);
  read(*access, "space", &space);
  out->access.space = space == "shared" ? memory::Space::Shared : memory::Space::Global;
  for (std::size_t i = 0; i < std::size(kOps); ++i) {
    if (op == kOps[i]) out->access.op = static_cast<memory::Op>(i);
  }
}

void read_values(const JsonValue& object, const scenario::Scenario& scenario, Settings* settings) {
  for (const auto& [name, value] : object.optional_members("values")) {
    const scenario::ScenarioParameter* parameter = find_parameter(scenario, name);
    if (parameter == nullptr) return value.error("the scenario has no such parameter");
    settings->values[name] = clamped(*parameter, value.as_integer().value_or(parameter->fallback));
  }
}

// A user's own kernel: its text and form are in the session, so that it opens without the file.
std::optional<Settings> read_own(const JsonValue& own, const std::string& text, const Means& means) {
  std::string file, kernel;
  read(own, "file", &file);
  read(own, "kernel", &kernel);
  if (const std::string why = refusal(file.empty() ? "kernel.cu" : file, text, means); !why.empty()) {
    // An unfinished text is worth keeping; one without any kernel has nothing to keep a form for.
    if (text.find("__global__") == std::string::npos) {
      own.error("text: " + why);
      return std::nullopt;
    }
  }
  UserKernel made = opened_kernel(file, text, means);
  if (!kernel.empty() && made.form.kernel != kernel) made = with_kernel(made, kernel, text, means);
  LaunchForm form = made.form;
  for (const auto& [name, value] : own.optional_members("fields"))
    if (const auto field = value.as_text()) set_field(&form, name, *field);
  return settings_of(with_form(made, std::move(form)), std::make_shared<const std::string>(text));
}

// The settings that an object describes: a session's own, or those pinned in it as A. Errors are the
// document's.
std::optional<Settings> read_settings(const JsonValue& object, const Catalog& catalog, const Means& means) {
  std::string name, text;
  read(object, "scenario", &name);
  read(object, "text", &text);
  if (const auto own = object_in(object, "own"); own && !own->json().empty())
    return read_own(*own, text, means);
  const scenario::Scenario* scenario = catalog.find(name);
  if (scenario == nullptr) {
    object.error("scenario", "there is none named \"" + name + "\"");
    return std::nullopt;
  }
  Settings settings = opening(catalog, name).settings;
  read_values(object, *scenario, &settings);
  if (!text.empty()) settings.text = std::make_shared<const std::string>(text);
  return settings;
}

void read_plot(const JsonValue& object, State* state) {
  std::string shown = kPlots[0];
  int measure = 0;
  auto zoom = static_cast<float>(state->plot.timeline.zoom);
  read(object, "shown", &shown);
  read(object, "x", &state->plot.x);
  read(object, "y", &state->plot.y);
  read(object, "measure", &measure);
  read(object, "zoom", &zoom);
  for (std::size_t i = 0; i < std::size(kPlots); ++i) {
    if (shown == kPlots[i]) state->plot.shown = static_cast<Plot>(i);
  }
  if (state->map.shown || state->phases) state->plot.shown = Plot::None;
  state->plot.measure =
      static_cast<LandscapeMeasure>(std::min(measure, static_cast<int>(LandscapeMeasure::SectorsARequest)));
  state->plot.timeline.zoom = timeline_zoom(static_cast<double>(zoom));
}

}  // namespace

json to_json(const State& state, const Simulation& seen, bool with_answers) {
  json out{{"schema", "warplens.session/1"},
           {"position", position_json(state.position)},
           {"playing", state.playback.playing},
           {"theme", state.theme == Theme::Dark ? "dark" : "light"},
           {"language", state.language},
           {"present", state.present},
           {"zoom", state.zoom},
           {"stills", state.stills},
           {"map", map_json(state.map)},
           {"phases", state.phases},
           {"plot", plot_json(state.plot)},
           {"speed", state.playback.speed},
           {"optimised", state.optimised},
           {"grid_tab", kTabs[static_cast<std::size_t>(state.grid_tab)]},
           {"editing", state.editing},
           {"help", state.help},
           {"undo", state.past.size()},
           {"redo", state.future.size()},
           {"seen", seen_json(seen)}};
  out.update(settings_json(state.settings));
  if (state.pinned) out["a"] = settings_json(*state.pinned);
  json& on_screen = out["seen"];
  on_screen["edited"] = is_edited(state);
  on_screen["form"] = state.form && state.settings.own;
  on_screen["field"] = {{"id", state.field.id}, {"text", state.field.text}};
  on_screen["class"] = class_json(state, seen, with_answers);
  if (state.dialog) on_screen["dialog"] = dialog_json(state);
  if (state.share) {
    on_screen["share"] = {{"row", row_of_sheet(*state.share)},
                          {"busy", state.share->busy},
                          {"bad", state.share->bad},
                          {"told", state.share->told},
                          {"words", state.share->words}};
  }
  if (state.reading) on_screen["reading"] = *state.reading;
  if (state.notice) on_screen["notice"] = {{"key", state.notice->key}, {"words", state.notice->words}};
  return out;
}

scenario::Outcome<State> load_session(const std::filesystem::path& file, const Catalog& catalog,
                                      const Means& means) {
  auto document = scenario::JsonDocument::load(file);
  if (!document.ok() || !document.has_schema("session")) return {std::nullopt, document.errors()};
  const JsonValue root = document.root();
  std::string theme = "dark", tab = kTabs[0];
  State state;
  if (auto settings = read_settings(root, catalog, means)) state.settings = std::move(*settings);
  if (const auto a = object_in(root, "a"); a && !a->json().empty())
    state.pinned = read_settings(*a, catalog, means);
  if (const auto position = object_in(root, "position")) read_position(*position, &state.position);
  read(root, "theme", &theme);
  read(root, "language", &state.language);
  read(root, "present", &state.present);
  read(root, "zoom", &state.zoom);
  read(root, "stills", &state.stills);
  read(root, "phases", &state.phases);
  int scope = static_cast<int>(MapScope::Block);
  if (const auto map = object_in(root, "map")) {
    read(*map, "shown", &state.map.shown);
    read(*map, "array", &state.map.array);
    read(*map, "scope", &scope);
  }
  state.map.scope = static_cast<MapScope>(std::min(scope, 2));
  state.phases = state.phases && !state.map.shown;
  if (const auto plot = object_in(root, "plot")) read_plot(*plot, &state);
  float speed = 1;
  read(root, "speed", &speed);
  read(root, "optimised", &state.optimised);
  read(root, "grid_tab", &tab);
  if (!document.ok()) return {std::nullopt, document.errors()};
  state.theme = theme == "light" ? Theme::Light : Theme::Dark;
  state.form = state.settings.own != nullptr;
  state.zoom = std::clamp(state.zoom, 0.5f, 3.0f);
  state.playback.speed = std::clamp(static_cast<double>(speed), kSlowest, kFastest);
  for (std::size_t i = 0; i < std::size(kTabs); ++i) {
    if (tab == kTabs[i]) state.grid_tab = static_cast<GridTab>(i);
  }
  return {std::move(state), {}};
}

}  // namespace warplens::app
