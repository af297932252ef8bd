#include "app/storage/session_file.h"

#include <algorithm>

#include "app/actions/apply.h"
#include "app/readout/question.h"
#include "app/state/chosen_kernel.h"
#include "app/state/own_kernel.h"
#include "app/storage/class_json.h"
#include "sim/scenario/text_file.h"

namespace warplens::session {
namespace {

using nlohmann::json;

constexpr const char* kTabs[] = {"totals", "counters", "lines"};
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

json own_json(const OwnKernel& own) {
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

// Reads fields of one kind each; the first that is wrong is the error.
class Reader {
 public:
  Reader(const json& document, std::string file) : document_(document), file_(std::move(file)) {}

  template <typename T>
  void read(const json& object, const char* name, T* out) {
    const auto found = object.find(name);
    if (found == object.end() || !error_.empty()) return;
    if (!fits(*found, static_cast<T*>(nullptr))) {
      error_ = file_ + ": " + name + ": has the wrong kind or is out of range";
      return;
    }
    *out = found->template get<T>();
  }
  const json& object(const char* name) {
    static const json kEmpty = json::object();
    const auto found = document_.find(name);
    if (found == document_.end()) return kEmpty;
    if (found->is_object()) return *found;
    if (error_.empty()) error_ = file_ + ": " + name + ": must be an object";
    return kEmpty;
  }
  void fail(const std::string& words) {
    if (error_.empty()) error_ = file_ + ": " + words;
  }
  const std::string& error() const { return error_; }

 private:
  static bool fits(const json& v, std::string*) { return v.is_string(); }
  static bool fits(const json& v, bool*) { return v.is_boolean(); }
  static bool fits(const json& v, float*) { return v.is_number(); }
  static bool fits(const json& v, int*) { return v.is_number_integer() && v >= 0 && v <= 1'000'000'000; }
  static bool fits(const json& v, std::int64_t*) {
    return v.is_number_integer() && !(v.is_number_unsigned() && v > std::numeric_limits<std::int64_t>::max());
  }

  const json& document_;
  std::string file_, error_;
};

void read_position(Reader* reader, const json& position, Position* out) {
  reader->read(position, "warp", &out->warp);
  reader->read(position, "wavefront", &out->wavefront);
  if (const auto block = position.find("block"); block != position.end()) {
    const bool sound = block->is_array() && block->size() == 3 &&
                       std::all_of(block->begin(), block->end(), [](const json& v) {
                         return v.is_number_integer() && v >= 0 && v <= 0x7fffffff;
                       });
    if (!sound) return reader->fail("position.block: must be three numbers from 0");
    out->block = {(*block)[0], (*block)[1], (*block)[2]};
  }
  const auto access = position.find("access");
  if (access == position.end() || !access->is_object()) return;
  out->access.any = false;
  reader->read(*access, "number", &out->access.number);
  reader->read(*access, "array", &out->access.array);
  reader->read(*access, "nth", &out->access.nth);
  reader->read(*access, "ordinal", &out->access.ordinal);
  std::string op = "load", space = "global";
  reader->read(*access, "op", &op);
  reader->read(*access, "space", &space);
  out->access.space = space == "shared" ? memory::Space::Shared : memory::Space::Global;
  for (std::size_t i = 0; i < std::size(kOps); ++i) {
    if (op == kOps[i]) out->access.op = static_cast<memory::Op>(i);
  }
}

void read_values(Reader* reader, const json& values, const scenario::Scenario& scenario, Settings* settings) {
  for (const auto& [name, unused] : values.items()) {
    const scenario::ScenarioParameter* parameter = find_parameter(scenario, name);
    if (parameter == nullptr) {
      reader->fail("values." + name + ": the scenario has no such parameter");
      return;
    }
    std::int64_t value = parameter->fallback;
    reader->read(values, name.c_str(), &value);
    settings->values[name] = clamped(*parameter, value);
  }
}

// A user's own kernel: its text and form are in the session, so that it opens without the file.
std::optional<Settings> read_own(Reader* reader, const json& own, const std::string& text,
                                 const Means& means) {
  std::string file, kernel;
  reader->read(own, "file", &file);
  reader->read(own, "kernel", &kernel);
  if (!reader->error().empty()) return std::nullopt;
  if (const std::string why = refusal(file.empty() ? "kernel.cu" : file, text, means); !why.empty()) {
    // An unfinished text is worth keeping; one without any kernel has nothing to keep a form for.
    if (text.find("__global__") == std::string::npos) {
      reader->fail("text: " + why);
      return std::nullopt;
    }
  }
  OwnKernel made = opened_kernel(file, text, means);
  if (!kernel.empty() && made.form.kernel != kernel) made = with_kernel(made, kernel, text, means);
  LaunchForm form = made.form;
  const auto fields = own.find("fields");
  if (fields != own.end() && fields->is_object()) {
    for (const auto& [name, value] : fields->items()) {
      if (!value.is_string()) {
        reader->fail("own.fields." + name + ": must be a text");
      } else {
        set_field(&form, name, value.get<std::string>());
      }
    }
  }
  return settings_of(with_form(made, std::move(form)), std::make_shared<const std::string>(text));
}

// The settings that an object describes: a session's own, or those pinned in it as A.
std::optional<Settings> read_settings(Reader* reader, const json& object, const Catalog& catalog,
                                      const Means& means) {
  std::string name, text;
  reader->read(object, "scenario", &name);
  reader->read(object, "text", &text);
  if (!reader->error().empty()) return std::nullopt;
  if (const auto own = object.find("own"); own != object.end() && own->is_object() && !own->empty()) {
    auto settings = read_own(reader, *own, text, means);
    return reader->error().empty() ? settings : std::nullopt;
  }
  if (const auto own = object.find("own"); own != object.end() && !own->is_object()) {
    reader->fail("own: must be an object");
    return std::nullopt;
  }
  const scenario::Scenario* scenario = catalog.find(name);
  if (scenario == nullptr) {
    reader->fail("scenario: there is none named \"" + name + "\"");
    return std::nullopt;
  }
  Settings settings = opening(catalog, name).settings;
  const auto values = object.find("values");
  if (values != object.end() && !values->is_object()) reader->fail("values: must be an object");
  if (values != object.end() && values->is_object()) read_values(reader, *values, *scenario, &settings);
  if (!text.empty()) settings.text = std::make_shared<const std::string>(text);
  return reader->error().empty() ? std::optional(settings) : std::nullopt;
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
  scenario::Outcome<State> outcome;
  const auto text = scenario::read_text(file);
  if (!text) return {std::nullopt, text.errors};
  const auto fail = [&](std::string words) {
    outcome.errors.push_back(std::move(words));
    return outcome;
  };
  const json document = json::parse(*text.value, nullptr, false);
  if (document.is_discarded()) return fail(file.string() + ": is not sound JSON");
  if (!document.is_object()) return fail(file.string() + ": must be a JSON object");
  Reader reader(document, file.string());
  std::string schema, theme = "dark";
  reader.read(document, "schema", &schema);
  if (schema != "warplens.session/1") return fail(file.string() + ": schema: must be \"warplens.session/1\"");
  State state;
  auto settings = read_settings(&reader, document, catalog, means);
  if (!settings) return fail(reader.error());
  state.settings = std::move(*settings);
  if (const json& a = reader.object("a"); !a.empty()) {
    Reader reader_of_a(a, file.string() + ": a");
    state.pinned = read_settings(&reader_of_a, a, catalog, means);
    if (!state.pinned) return fail(reader_of_a.error());
  }
  read_position(&reader, reader.object("position"), &state.position);
  reader.read(document, "theme", &theme);
  reader.read(document, "language", &state.language);
  reader.read(document, "present", &state.present);
  reader.read(document, "zoom", &state.zoom);
  reader.read(document, "stills", &state.stills);
  reader.read(document, "phases", &state.phases);
  int scope = static_cast<int>(MapScope::Block);
  const json& map = reader.object("map");
  reader.read(map, "shown", &state.map.shown);
  reader.read(map, "array", &state.map.array);
  reader.read(map, "scope", &scope);
  state.map.scope = static_cast<MapScope>(std::min(scope, 2));
  state.phases = state.phases && !state.map.shown;
  float speed = 1;
  std::string tab = kTabs[0];
  reader.read(document, "speed", &speed);
  reader.read(document, "optimised", &state.optimised);
  reader.read(document, "grid_tab", &tab);
  if (!reader.error().empty()) return fail(reader.error());
  state.theme = theme == "light" ? Theme::Light : Theme::Dark;
  state.form = state.settings.own != nullptr;
  state.zoom = std::clamp(state.zoom, 0.5f, 3.0f);
  state.playback.speed = std::clamp(static_cast<double>(speed), kSlowest, kFastest);
  for (std::size_t i = 0; i < std::size(kTabs); ++i) {
    if (tab == kTabs[i]) state.grid_tab = static_cast<GridTab>(i);
  }
  outcome.value = std::move(state);
  return outcome;
}

}  // namespace warplens::session
