#include "app/storage/viewpoint_json.h"

#include <algorithm>

#include "app/actions/apply.h"
#include "app/simulate/matrix_shape.h"
#include "app/state/chosen_kernel.h"
#include "app/state/user_kernel.h"
#include "app/storage/fields.h"
#include "app/views/timeline.h"

namespace warplens::app {

using nlohmann::json;
using scenario::JsonValue;

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
  f.number_of("scope", map.scope, MapScope::Grid);
  f.between("row", map.position.row, 0.0, 1.0);
  f.between("column", map.position.column, 0.0, 1.0);
  f.between("zoom", map.position.zoom, 1.0, kMostZoom);
}

static void describe(Fields& f, PlotView& plot) {
  f("x", plot.x);
  f("y", plot.y);
  f.number_of("measure", plot.measure, LandscapeMeasure::SectorsARequest);
  f("launch", plot.launch);
  f("zoom", plot.timeline.zoom);
  if (f.reads()) plot.timeline.zoom = views::timeline_zoom(plot.timeline.zoom);
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
  f.choice("time_unit", view.time_unit, kTimeUnits);
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
  for (const auto& buffer : own.form.buffers) fields["fill." + buffer.name] = sim::name_of(buffer.fill);
  for (const auto& buffer : own.form.buffers)
    if (!buffer.offset.empty()) fields["offset." + buffer.name] = buffer.offset;
  return {{"file", own.file.string()}, {"kernel", own.form.kernel}, {"fields", std::move(fields)}};
}

void read_values(const JsonValue& object, const scenario::Scenario& scenario, Settings* settings,
                 std::string* lost) {
  for (const auto& [name, value] : object.optional_members("values")) {
    const scenario::ScenarioParameter* parameter = find_parameter(scenario, name);
    if (parameter == nullptr) {
      value.replaced(Message("the scenario has no such parameter"));
      *lost += (lost->empty() ? "" : ", ") + name;
      continue;
    }
    const std::int64_t given = value.as_integer().value_or(parameter->fallback),
                       possible = clamped(*parameter, given);
    if (given != possible) value.replaced(Message("is {}, which {} cannot be", given, name));
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
  UserKernel made = opened_kernel({}, text, means);  // nothing is read but the session
  if (made.facts.kernels.empty() && means.budget->stopped() != StopReason::None) {
    own.error(Message("text: {}", means.budget->why(Stage::Parsing).message()));
    return std::nullopt;
  }
  made.file = file;
  if (!kernel.empty() && made.form.kernel != kernel) made = with_kernel(made, kernel, text, means);
  LaunchForm form = made.form;
  for (const auto& [name, value] : own.optional_members("fields"))
    if (const auto field = value.as_text(); field && !set_field(&form, name, *field))
      value.replaced(Message("is no field of the kernel's launch"));
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

// The settings that an object describes: a session's own, or those pinned in it as A. Errors are the
// document's.
std::optional<Settings> read_settings(const JsonValue& object, const Catalog& catalog, const Means& means,
                                      std::string* lost) {
  auto settings = read_kernel(object, catalog, means, lost);
  Fields fields(object);
  if (settings) fields("literal", settings->literal);
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

}  // namespace warplens::app
