#include "app/storage/session_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/actions/apply.h"
#include "app/actions/lesson_actions.h"
#include "app/input/palette.h"
#include "app/readout/question.h"
#include "app/state/chosen_kernel.h"
#include "app/state/user_kernel.h"
#include "app/storage/fields.h"
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

json guess_json(const Guess& guess) {
  json out{{"locked", guess.locked}};
  if (!guess.typed.empty()) out["typed"] = guess.typed;
  if (guess.chosen >= 0) out["chosen"] = guess.chosen;
  return out;
}

json lesson_json(const ActiveLesson& active, bool with_answers) {
  json out{{"name", active.lesson->name},
           {"step", active.step},
           {"steps", active.lesson->steps.size()},
           {"challenge", active.in_challenge()},
           {"hints", active.hints},
           {"asks", active.prediction() != nullptr},
           {"guess", guess_json(active.guess)},
           {"trouble", active.trouble}};
  out["answer_known"] = active.answer.has_value();
  if (active.answer && (with_answers || active.guess.locked)) out["answer"] = *active.answer;
  if (active.grade) {
    out["passed"] = active.grade->passed();
    out["output_right"] = active.grade->output_right;
    for (const lesson::GoalVerdict& goal : active.grade->goals)
      out["goals"].push_back({{"rule", goal.rule}, {"holds", goal.holds}, {"figures", goal.figures}});
  }
  return out;
}

// Of a class: its lesson, its question, how far it has come.
json class_json(const State& state, const Simulation& seen, bool with_answers) {
  const Classroom& c = state.classroom;
  const Hidden hidden = hidden_in(state);
  json out{{"hidden", hidden.costs}, {"rest_hidden", hidden.rest}, {"times_hidden", hidden.times}};
  if (c.list) out["list"] = *c.list;
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
  for (const auto& [name, record] : c.progress)
    out["progress"][name] = {{"at", record.at}, {"done", record.done.size()}, {"passed", record.passed}};
  return out;
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

// How it is shown, whatever is looked at.
static void describe(Fields& f, State& state) {
  f.choice("theme", state.theme, kThemes);
  f("language", state.language);
  f("present", state.present);
  f("stills", state.stills);
  f.between("zoom", state.zoom, 0.5f, 3.0f);
  f.between("speed", state.playback.speed, kSlowest, kFastest);
}

json to_json(const State& state, const Simulation& seen, bool with_answers) {
  json out{{"schema", "warplens.session/1"}, {"playing", state.playback.playing},
           {"editing", state.editing},       {"help", state.help},
           {"names", state.names},           {"undo", state.past.size()},
           {"redo", state.future.size()},    {"seen", seen_json(seen)}};
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
  auto document = scenario::JsonDocument::load(file, {.bytes = kMostLectureBytes});
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
