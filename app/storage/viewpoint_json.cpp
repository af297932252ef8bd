#include "app/storage/viewpoint_json.h"

#include <algorithm>

#include "app/actions/apply.h"
#include "app/simulate/matrix_shape.h"
#include "app/state/chosen_kernel.h"
#include "app/state/user_kernel.h"
#include "app/views/timeline.h"

namespace warplens::app {

using nlohmann::json;
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
    object.error(name, Message("must be from 0 to {}", kMost));
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

namespace {

json position_json(const Position& position) {
  json out{{"block", {position.block.x, position.block.y, position.block.z}},
           {"warp", position.warp},
           {"wavefront", position.wavefront}};
  if (position.access.number >= 0) {
    out["access"] = {{"number", position.access.number}};
  } else if (!position.access.any) {
    out["access"] = {{"array", position.access.array},
                     {"op", kOpNames[static_cast<std::size_t>(position.access.op)]},
                     {"space", position.access.space == memory::Space::Shared ? "shared" : "global"},
                     {"nth", position.access.nth},
                     {"ordinal", position.access.ordinal}};
    if (position.access.or_costlier) out["access"]["or_costlier"] = true;
  }
  return out;
}

json own_json(const UserKernel& own) {
  json fields = json::object();
  for (const std::string& field : form_fields(own)) fields[field] = field_text(own.form, field);
  for (const auto& buffer : own.form.buffers) fields["fill." + buffer.name] = sim::name_of(buffer.fill);
  for (const auto& buffer : own.form.buffers)
    if (!buffer.offset.empty()) fields["offset." + buffer.name] = buffer.offset;
  return {{"file", own.file.string()}, {"kernel", own.form.kernel}, {"fields", std::move(fields)}};
}

json map_json(const Viewpoint& view) {
  const MapView& map = view.map;
  return {{"shown", view.shown == ViewId::Map},
          {"array", map.array},
          {"scope", static_cast<int>(map.scope)},
          {"moved", map.moved},
          {"row", map.position.row},
          {"column", map.position.column},
          {"zoom", map.position.zoom}};
}

constexpr const char* kNoPlot = "none";

json plot_json(const Viewpoint& view) {
  const PlotView& plot = view.plot;
  json out{{"shown", is_plot(view.shown) ? std::string(name_of(view.shown)) : kNoPlot},
           {"x", plot.x},
           {"y", plot.y},
           {"measure", static_cast<int>(plot.measure)},
           {"held", plot.held},
           {"launch", plot.launch},
           {"zoom", plot.timeline.zoom}};
  if (plot.pointed) out["pointed"] = {plot.pointed->x, plot.pointed->y};
  return out;
}

void read_position(const JsonValue& position, Position* out) {
  read(position, "warp", &out->warp);
  read(position, "wavefront", &out->wavefront);
  if (position.has("block")) {
    const JsonValue value = position.member("block");
    const nlohmann::json& block = value.json();
    const bool sound =
        block.is_array() && block.size() == 3 && std::all_of(block.begin(), block.end(), [](const json& v) {
          return v.is_number_integer() && v >= 0 && v <= 0x7fffffff;
        });
    if (!sound) return position.error("block", Message("must be three numbers from 0"));
    out->block = {block[0], block[1], block[2]};
  }
  const auto access = object_in(position, "access");
  if (!access) return;
  out->access.any = false;
  read(*access, "number", &out->access.number);
  read(*access, "array", &out->access.array);
  read(*access, "nth", &out->access.nth);
  read(*access, "ordinal", &out->access.ordinal);
  read(*access, "or_costlier", &out->access.or_costlier);
  std::string op = "load", space = "global";
  read(*access, "op", &op);
  read(*access, "space", &space);
  out->access.space = space == "shared" ? memory::Space::Shared : memory::Space::Global;
  for (std::size_t i = 0; i < std::size(kOpNames); ++i) {
    if (op == kOpNames[i]) out->access.op = static_cast<memory::Op>(i);
  }
}

void read_map(const JsonValue& map, MapView* out) {
  read(map, "array", &out->array);
  read(map, "moved", &out->moved);
  int scope = static_cast<int>(out->scope);
  read(map, "scope", &scope);
  out->scope = static_cast<MapScope>(std::min(scope, 2));
  out->position.row = std::clamp(map.optional_number("row", out->position.row), 0.0, 1.0);
  out->position.column = std::clamp(map.optional_number("column", out->position.column), 0.0, 1.0);
  out->position.zoom = std::clamp(map.optional_number("zoom", out->position.zoom), 1.0, kMostZoom);
}

void read_plot(const JsonValue& object, PlotView* out) {
  int measure = 0;
  auto zoom = static_cast<float>(out->timeline.zoom);
  read(object, "x", &out->x);
  read(object, "y", &out->y);
  read(object, "measure", &measure);
  read(object, "launch", &out->launch);
  read(object, "zoom", &zoom);
  out->measure =
      static_cast<LandscapeMeasure>(std::min(measure, static_cast<int>(LandscapeMeasure::SectorsARequest)));
  out->timeline.zoom = views::timeline_zoom(static_cast<double>(zoom));
}

// Map and phases have their own members: they were there before the others.
void read_shown(const JsonValue& object, Viewpoint* out) {
  bool map = false, phases = false;
  std::string plot = kNoPlot;
  read(object, "phases", &phases);
  if (const auto of_map = object_in(object, "map")) read(*of_map, "shown", &map);
  if (const auto of_plot = object_in(object, "plot")) read(*of_plot, "shown", &plot);
  const std::optional<ViewId> named = view_named(plot);
  if (map)
    out->shown = ViewId::Map;
  else if (phases)
    out->shown = ViewId::Phases;
  else if (named && is_plot(*named))
    out->shown = *named;
  else if (plot != kNoPlot)
    out->gone = plot;
}

void read_values(const JsonValue& object, const scenario::Scenario& scenario, Settings* settings) {
  for (const auto& [name, value] : object.optional_members("values")) {
    const scenario::ScenarioParameter* parameter = find_parameter(scenario, name);
    if (parameter == nullptr) return value.error(Message("the scenario has no such parameter"));
    settings->values[name] = clamped(*parameter, value.as_integer().value_or(parameter->fallback));
  }
}

// A user's own kernel: its text and form are in the session, so that it opens without the file.
std::optional<Settings> read_own(const JsonValue& own, const std::string& text, const Means& means) {
  std::string file, kernel;
  read(own, "file", &file);
  read(own, "kernel", &kernel);
  // Whatever the text has become: what was saved comes back.
  if (const Message why = cannot_open(file.empty() ? "kernel.cu" : file, text, means, false, true);
      !why.empty()) {
    own.error(Message("text: {}", why));
    return std::nullopt;
  }
  UserKernel made = opened_kernel({}, text, means);  // nothing is read but the session
  if (made.facts.kernels.empty() && means.budget->stopped() != StopReason::None) {
    own.error(Message("text: {}", means.budget->why(Stage::Parsing).message()));
    return std::nullopt;
  }
  made.file = file;
  if (!kernel.empty() && made.form.kernel != kernel) made = with_kernel(made, kernel, text, means);
  LaunchForm form = made.form;
  for (const auto& [name, value] : own.optional_members("fields"))
    if (const auto field = value.as_text()) set_field(&form, name, *field);
  return settings_of(with_form(made, std::move(form)), std::make_shared<const std::string>(text));
}

std::optional<Settings> read_kernel(const JsonValue& object, const Catalog& catalog, const Means& means) {
  std::string name, text;
  read(object, "scenario", &name);
  read(object, "text", &text);
  if (const auto own = object_in(object, "own"); own && !own->json().empty()) {
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
  read_values(object, *scenario, &settings);
  if (!text.empty()) settings.text = std::make_shared<const std::string>(text);
  return settings;
}

// The settings that an object describes: a session's own, or those pinned in it as A. Errors are the
// document's.
std::optional<Settings> read_settings(const JsonValue& object, const Catalog& catalog, const Means& means) {
  auto settings = read_kernel(object, catalog, means);
  if (settings) read(object, "literal", &settings->literal);
  return settings;
}

}  // namespace

json settings_json(const Settings& settings) {
  json out{{"scenario", settings.scenario}, {"values", settings.values}};
  if (settings.literal) out["literal"] = true;
  if (settings.text) out["text"] = *settings.text;
  if (settings.own) out["own"] = own_json(*settings.own);
  return out;
}

json to_json(const Viewpoint& view) {
  json out{{"position", position_json(view.position)},
           {"map", map_json(view)},
           {"phases", view.shown == ViewId::Phases},
           {"reuse", view.reuse},
           {"plot", plot_json(view)},
           {"optimised", view.optimised},
           {"time_unit", kTimeUnits[static_cast<std::size_t>(view.time_unit)]},
           {"grid_tab", kGridTabs[static_cast<std::size_t>(view.grid_tab)]}};
  if (view.question) out["predict"] = {{"question", *view.question}};
  out.update(settings_json(view.settings));
  if (view.pinned) out["a"] = settings_json(*view.pinned);
  return out;
}

std::optional<Viewpoint> read_viewpoint(const JsonValue& object, const Catalog& catalog, const Means& means) {
  Viewpoint view;
  auto settings = read_settings(object, catalog, means);
  if (settings) view.settings = std::move(*settings);
  if (const auto a = object_in(object, "a"); a && !a->json().empty())
    view.pinned = read_settings(*a, catalog, means);
  if (const auto position = object_in(object, "position")) read_position(*position, &view.position);
  read(object, "reuse", &view.reuse);
  if (const auto map = object_in(object, "map")) read_map(*map, &view.map);
  if (const auto plot = object_in(object, "plot")) read_plot(*plot, &view.plot);
  read_shown(object, &view);
  read(object, "optimised", &view.optimised);
  std::string tab = kGridTabs[0];
  read(object, "grid_tab", &tab);
  for (std::size_t i = 0; i < std::size(kGridTabs); ++i) {
    if (tab == kGridTabs[i]) view.grid_tab = static_cast<GridTab>(i);
  }
  std::string unit = kTimeUnits[0];
  read(object, "time_unit", &unit);
  for (std::size_t i = 0; i < std::size(kTimeUnits); ++i) {
    if (unit == kTimeUnits[i]) view.time_unit = static_cast<scene::TimeUnit>(i);
  }
  if (const auto predict = object_in(object, "predict")) {
    int question = 0;
    read(*predict, "question", &question);
    view.question = question;
  }
  if (!settings) return std::nullopt;
  return view;
}

}  // namespace warplens::app
