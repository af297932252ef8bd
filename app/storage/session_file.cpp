#include "app/storage/session_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/actions/apply.h"
#include "app/language/languages.h"
#include "app/readout/question.h"
#include "app/state/chosen_kernel.h"
#include "app/state/user_kernel.h"
#include "app/storage/class/json.h"
#include "app/storage/lecture_file.h"
#include "app/storage/profile_file.h"
#include "app/storage/viewpoint_json.h"
#include "sim/scenario/json_document.h"

namespace warplens::app {
namespace {

using nlohmann::json;

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

json to_json(const State& state, const Simulation& seen, bool with_answers) {
  json out{{"schema", "warplens.session/1"},
           {"playing", state.playback.playing},
           {"theme", kThemes[static_cast<std::size_t>(state.theme)]},
           {"language", state.language},
           {"present", state.present},
           {"zoom", state.zoom},
           {"stills", state.stills},
           {"speed", state.playback.speed},
           {"editing", state.editing},
           {"help", state.help},
           {"names", state.names},
           {"undo", state.past.size()},
           {"redo", state.future.size()},
           {"seen", seen_json(seen)}};
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
  if (state.lecturing.list) on_screen["scenes"] = *state.lecturing.list;
  on_screen["notes"] = state.lecturing.notes;
  on_screen["lecture_unsaved"] = state.lecturing.unsaved;
  if (state.dialog) on_screen["dialog"] = dialog_json(state);
  if (state.share) {
    on_screen["share"] = {{"row", row_of_sheet(*state.share)},
                          {"busy", state.share->busy},
                          {"bad", state.share->bad},
                          {"told", state.share->told},
                          {"words", state.share->words}};
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
  state.theme = static_cast<Theme>(read_name(root, "theme", kThemes, 0));
  read(root, "language", &state.language);
  if (root.has("language")) read_name(root, "language", language::kLanguages, 0);
  read(root, "present", &state.present);
  state.zoom = static_cast<float>(read_within(root, "zoom", static_cast<double>(state.zoom), 0.5, 3));
  read(root, "stills", &state.stills);
  state.playback.speed = read_within(root, "speed", 1, kSlowest, kFastest);
  if (const auto lecture = object_in(root, "lecture"))
    state.lecturing.lecture = std::make_shared<const Lecture>(read_lecture(*lecture, catalog, means));
  if (state.lecturing.lecture && root.has("scene")) {
    int scene = 0;
    read(root, "scene", &scene);
    const int last = static_cast<int>(state.lecturing.lecture->scenes.size()) - 1;
    state.lecturing.scene = std::min(scene, last);
  }
  if (const auto profile = object_in(root, "profile")) state.profile = read_profile(*profile);
  if (!document.ok()) return {std::nullopt, document.errors()};
  state.form = state.settings.own != nullptr;
  return {std::move(state), {}};
}

}  // namespace warplens::app
