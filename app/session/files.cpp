#include "app/session/files.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "app/session/commands.h"
#include "app/session/own_kernel.h"
#include "app/session/progress_file.h"
#include "app/session/session_file.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/text_file.h"

namespace warplens::session {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 2000, kMostRecent = 12;
constexpr double kKeepSeconds = 2;

// Measurements of a whole gallery are longer than any text that somebody writes.
constexpr std::size_t kMostDocumentBytes = std::size_t{64} << 20;

bool is_kernel_file(const fs::path& file) {
  const std::string e = file.extension().string();
  return e == ".cu" || e == ".cuh";
}

bool is_session_file(const fs::path& file) {
  return file.string().ends_with(".warplens.json");
}

bool is_lesson_file(const fs::path& file) {
  return file.string().ends_with(".lesson.json");
}

bool is_other_file(const fs::path& file) {
  return file.string().ends_with(".scenario.json") || file.string().ends_with(".lesson.json");
}

std::string full_path(const fs::path& path) {
  std::error_code failed;
  const fs::path full = fs::absolute(path, failed);
  return (failed ? path : full).lexically_normal().string();
}

bool is_inside(const fs::path& file, const fs::path& folder) {
  if (folder.empty()) return false;
  std::error_code failed;
  const fs::path a = fs::weakly_canonical(file, failed), b = fs::weakly_canonical(folder, failed);
  const auto [end, unused] = std::mismatch(b.begin(), b.end(), a.begin(), a.end());
  return end == b.end();
}

Actions told(std::string words) {
  return {Tell{{"files.trouble", std::move(words), true, false}}};
}

// The words stand in the chooser where it is open: CouldNotSave says them there, and elsewhere in the notice.
Actions trouble(const State& state, std::string words) {
  if (state.dialog) return {CouldNotSave{{}, std::move(words), false, {}, false}};
  return told(std::move(words));
}

Actions list_folder(const ListFolder& request, const State& state, const Places& places) {
  std::error_code failed;
  fs::path folder = request.folder.empty() ? fs::current_path(failed) : fs::path(request.folder);
  if (failed || folder.empty()) folder = "/";
  fs::directory_iterator entries(folder, fs::directory_options::skip_permission_denied, failed);
  if (failed) return trouble(state, folder.string() + ": cannot be opened: " + failed.message());
  ShowFolder shown;
  shown.folder = full_path(folder);
  shown.recent = recent_files(places);
  for (; entries != fs::directory_iterator() && shown.entries.size() < kMostEntries;
       entries.increment(failed)) {
    if (failed) break;
    const fs::path& path = entries->path();
    std::error_code unknown;
    const bool is_folder = entries->is_directory(unknown);
    const std::string name = path.filename().string();
    if (name.starts_with(".")) continue;
    if (is_folder || is_kernel_file(path) || is_session_file(path) || is_other_file(path))
      shown.entries.push_back({name, is_folder});
  }
  std::sort(shown.entries.begin(), shown.entries.end(), [](const FileEntry& a, const FileEntry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
  });
  return {std::move(shown)};
}

// Reading a pipe or a device may never end.
bool is_endless(const fs::path& file) {
  std::error_code failed;
  const fs::file_type type = fs::status(file, failed).type();
  return type == fs::file_type::fifo || type == fs::file_type::socket || type == fs::file_type::character ||
         type == fs::file_type::block;
}

Actions read_session(const fs::path& file, const State& state, const Catalog& catalog) {
  auto loaded = load_session(file, catalog);
  if (!loaded) return trouble(state, loaded.errors.front());
  TakeSettings take{loaded.value->settings, loaded.value->position, {}, {}, loaded.value->pinned};
  if (take.settings.own && !take.settings.own->file.empty()) {
    take.path = take.settings.own->file.string();
    const auto disk =
        is_endless(take.path) ? scenario::Outcome<std::string>{} : scenario::read_text(take.path);
    if (disk) take.on_disk = *disk.value;
  }
  return {std::move(take)};
}

// A lesson of somebody's own: what is wrong with it is told with file, line and field.
Actions read_lesson(const fs::path& file, const State& state, const Catalog& catalog, const Places& places) {
  const auto loaded = open_lesson(file, catalog);
  if (!loaded) {
    std::string words = loaded.errors.front();
    if (loaded.errors.size() > 1) words += " (and " + std::to_string(loaded.errors.size() - 1) + " more)";
    return trouble(state, words);
  }
  remember_file(places, file.string());
  return {TakeLesson{*loaded.value}};
}

Actions keep(const KeepProgress& request, const Places& places) {
  if (places.state.empty()) return {};
  const std::string words = keep_progress(places.state / "lessons.json", request.lesson, request.record);
  return words.empty() ? Actions{} : told(words);
}

// What a JSON document says it is: "warplens.scenario/1"; empty: none of ours.
std::string schema_of(const fs::path& file, const std::string& text) {
  if (file.extension() != ".json") return {};
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_object()) return "?";
  const auto schema = document.find("schema");
  return schema != document.end() && schema->is_string() ? schema->get<std::string>() : "?";
}

// A file of ours that the app itself takes in.
Actions adopt(const fs::path& file, const std::string& schema, const State& state) {
  for (const char* known : {"warplens.scenario/1", "warplens.measurement/1", "warplens.pack/1"}) {
    if (schema == known) return {CloseDialog{}, TakeIn{file.string(), schema}};
  }
  return trouble(state, file.string() +
                            ": is none of the files that open here: a kernel (.cu), a scenario, a session, "
                            "measurements or a lesson");
}

Actions read_file(const ReadFile& request, const State& state, const Catalog& catalog, const Places& places) {
  const fs::path file = full_path(request.path);
  std::error_code failed;
  if (fs::is_directory(file, failed)) {
    if (state.dialog) return list_folder({file.string()}, state, places);
    return trouble(state, file.string() + ": is a folder; open a kernel file (.cu)");
  }
  if (is_endless(file)) return trouble(state, file.string() + ": is no file but a pipe or a device");
  if (is_session_file(file)) return read_session(file, state, catalog);
  if (is_lesson_file(file)) return read_lesson(file, state, catalog, places);
  const bool document = file.extension() == ".json";
  const auto text = scenario::read_text(file, document ? kMostDocumentBytes : scenario::kMaxTextBytes);
  if (!text) return trouble(state, text.errors.front());
  if (const std::string schema = schema_of(file, *text.value); !schema.empty()) {
    if (schema == "warplens.session/1") return read_session(file, state, catalog);
    if (schema == "warplens.lesson/1") return read_lesson(file, state, catalog, places);
    return adopt(file, schema, state);
  }
  if (refusal(file, *text.value).empty()) remember_file(places, file.string());
  return {OpenText{file.string(), *text.value}};
}

Actions write_file(const WriteFile& request, const Places& places) {
  const auto failed = [&](std::string words) {
    return Actions{CouldNotSave{request.path, std::move(words), false, {}, false}};
  };
  if (is_inside(request.path, places.gallery))
    return failed("the gallery's files stay as they are: choose another folder");
  std::error_code code;
  if (fs::is_directory(request.path, code)) return failed(request.path + ": is a folder");
  if (is_endless(request.path)) return failed(request.path + ": is no file but a pipe or a device");
  if (fs::exists(request.path, code) && !request.overwrite) {
    const auto found = scenario::read_text(request.path);
    if (!request.has_expected)
      return {CouldNotSave{
          request.path,
          fs::path(request.path).filename().string() + " is there already; Enter again replaces it",
          true,
          {},
          false}};
    if (found && *found.value != request.expected && *found.value != request.text)
      return {
          CouldNotSave{request.path,
                       fs::path(request.path).filename().string() +
                           " has been changed by another program since it was read; save again to replace it",
                       true, *found.value, true}};
  }
  if (const file::Written written = file::write_whole(request.path, request.text); !written)
    return failed(written.words);
  remember_file(places, request.path);
  return {WasSaved{request.path, request.text}};
}

fs::path recovery_file(const Places& places) {
  return places.state / ("recovery-" + std::to_string(::getpid()) + ".warplens.json");
}

Actions recover(const State& state, const Catalog& catalog, const Places& places) {
  const auto files = Recovery::left_over(places);
  Actions actions{DismissNotice{}};
  if (files.empty()) return actions;
  Actions read = read_session(files.front(), state, catalog);
  const bool brought_back =
      std::ranges::any_of(read, [](const Action& action) { return action.as<TakeSettings>() != nullptr; });
  // This app's own from now on, so that there is a copy at every moment. What could not be read stays: it is
  // the only one.
  std::error_code failed;
  if (brought_back) fs::rename(files.front(), recovery_file(places), failed);
  for (Action& action : read) actions.push_back(std::move(action));
  return actions;
}

}  // namespace

Places usual_places() {
  Places places;
  places.gallery = scenario::data_folder("kernels");
  const char *state = std::getenv("XDG_STATE_HOME"), *home = std::getenv("HOME");
  if (state != nullptr && *state == '/') {
    places.state = fs::path(state) / "warplens";
  } else if (home != nullptr && *home == '/') {
    places.state = fs::path(home) / ".local" / "state" / "warplens";
  }
  return places;
}

Actions perform(const Request& request, const State& state, const Catalog& catalog, const Places& places) {
  if (const auto* list = std::get_if<ListFolder>(&request)) return list_folder(*list, state, places);
  if (const auto* read = std::get_if<ReadFile>(&request)) return read_file(*read, state, catalog, places);
  if (const auto* write = std::get_if<WriteFile>(&request)) return write_file(*write, places);
  if (std::holds_alternative<ListCommands>(request)) {
    std::string error;
    const fs::path words = scenario::data_folder("assets") / "languages";
    return {TakeCommands{std::make_shared<const Commands>(
        list_commands(catalog, language::Strings::load(words, state.language, &error),
                      language::Strings::load(words, "en", &error), recent_files(places)))}};
  }
  if (const auto* progress = std::get_if<KeepProgress>(&request)) return keep(*progress, places);
  if (std::holds_alternative<ReadRecovery>(request)) return recover(state, catalog, places);
  return {};  // the app's own
}

scenario::Outcome<std::shared_ptr<const lesson::Lesson>> open_lesson(const fs::path& file,
                                                                     const Catalog& catalog) {
  for (const auto& known : catalog.lessons) {
    std::error_code failed;
    if (fs::equivalent(known->file, file, failed)) return {known, {}};
  }
  auto loaded = lesson::load_lesson(file);
  if (!loaded) return {std::nullopt, loaded.errors};
  std::vector<std::string> errors;
  const auto check = [&](const lesson::View& view, const std::string& field) {
    const scenario::Scenario* s = catalog.find(view.scenario);
    const std::string where = file.string() + ": " + field;
    if (s == nullptr) {
      errors.push_back(where + ".scenario: there is no scenario \"" + view.scenario + "\"");
      return;
    }
    for (const auto& [name, value] : view.values) {
      if (find_parameter(*s, name) == nullptr)
        errors.push_back(where + ".set." + name + ": " + view.scenario + " has no such parameter");
    }
  };
  const lesson::Lesson& one = *loaded.value;
  for (std::size_t i = 0; i < one.steps.size(); ++i)
    check(one.steps[i].view, "steps[" + std::to_string(i) + "].show");
  check(one.challenge.view, "challenge.show");
  if (!errors.empty()) return {std::nullopt, std::move(errors)};
  return {std::make_shared<const lesson::Lesson>(std::move(*loaded.value)), {}};
}

std::vector<std::string> recent_files(const Places& places) {
  std::vector<std::string> files;
  if (places.state.empty()) return files;
  const auto text = scenario::read_text(places.state / "recent.json");
  if (!text) return files;
  const nlohmann::json list = nlohmann::json::parse(*text.value, nullptr, false);
  if (!list.is_array()) return files;
  std::error_code failed;
  for (const auto& entry : list) {
    if (entry.is_string() && fs::is_regular_file(entry.get<std::string>(), failed) &&
        files.size() < kMostRecent)
      files.push_back(entry.get<std::string>());
  }
  return files;
}

void remember_file(const Places& places, const std::string& path) {
  if (places.state.empty()) return;
  std::vector<std::string> files = recent_files(places);
  std::erase(files, path);
  files.insert(files.begin(), path);
  if (files.size() > kMostRecent) files.resize(kMostRecent);
  std::error_code failed;
  fs::create_directories(places.state, failed);
  const auto text = nlohmann::json(files).dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  (void)file::write_whole(places.state / "recent.json", text + "\n");  // a list that is lost is no loss
}

// ---- recovery ---------------------------------------------------------------------------------------------

namespace {

std::string file_of(const Settings& settings) {
  return settings.own ? settings.own->file.string() : settings.scenario;
}

// The state with the settings that were last left with unsaved text for another file or scenario.
std::optional<State> left_unsaved(const State& state) {
  State before = state;
  std::set<std::string> seen{file_of(state.settings)};
  for (auto at = state.past.rbegin(); at != state.past.rend(); ++at) {
    if (!seen.insert(file_of(*at)).second) continue;  // as it was left, not as it once was
    before.settings = *at;
    if (is_edited(before)) return before;
  }
  return std::nullopt;
}

}  // namespace

void Recovery::keep(const State& state, double now, bool at_once) {
  if (places_.state.empty()) return;
  const auto& text = state.settings.text;
  const bool edited = is_edited(state);
  if (edited != edited_ || seen_ != text || seen_own_ != state.settings.own ||
      seen_scenario_ != state.settings.scenario) {
    seen_ = text;
    seen_own_ = state.settings.own;
    seen_scenario_ = state.settings.scenario;
    edited_ = edited;
    left_ = left_unsaved(state).has_value();
    changed_at_ = now;
    pending_ = true;
  }
  std::error_code failed;
  if (!edited && !left_) {
    // Also where this has not written it: what was brought back became this app's own file.
    if (written_ || pending_) fs::remove(recovery_file(places_), failed);
    pending_ = false;
    written_ = false;
    return;
  }
  if (!pending_ || (now - changed_at_ < kKeepSeconds && !at_once)) return;
  pending_ = false;
  fs::create_directories(places_.state, failed);
  const std::string document = to_json(edited ? state : left_unsaved(state).value_or(state), Simulation{})
                                   .dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  written_ = file::write_whole(recovery_file(places_), document) || written_;
}

double Recovery::due_in(double now) const {
  return pending_ ? std::max(0.0, changed_at_ + kKeepSeconds - now) : -1;
}

std::vector<fs::path> Recovery::left_over(const Places& places) {
  std::vector<fs::path> files;
  std::error_code failed;
  if (places.state.empty()) return files;
  for (fs::directory_iterator at(places.state, failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with("recovery-") || !is_session_file(name)) continue;
    const int process = std::atoi(name.c_str() + 9);
    if (process > 0 && (process == ::getpid() || ::kill(process, 0) == 0)) continue;  // still running
    files.push_back(at->path());
  }
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    std::error_code unknown;
    return fs::last_write_time(a, unknown) > fs::last_write_time(b, unknown);
  });
  return files;
}

}  // namespace warplens::session
