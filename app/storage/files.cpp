#include "app/storage/files.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/input/palette.h"
#include "app/platform/system.h"
#include "app/state/sheets.h"
#include "app/state/user_kernel.h"
#include "app/storage/link.h"
#include "app/storage/session_file.h"
#include "app/storage/teaching_files.h"
#include "sim/file/temporary.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/text_file.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 2000, kMostRecent = 12;

// Measurements of a whole gallery are longer than any text written by hand.
constexpr std::size_t kMostDocumentBytes = std::size_t{64} << 20;

bool is_file_of(const fs::path& file, std::string_view ending) {
  return file.string().ends_with(ending);
}

constexpr std::string_view kSessionEnding = ".warplens.json", kLessonEnding = ".lesson.json";

bool is_other_file(const fs::path& file) {
  return is_file_of(file, ".scenario.json") || is_file_of(file, kLessonEnding) ||
         is_file_of(file, kLectureEnding) || scenario::is_launch_document(file);
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

// The words stand in the chooser where it is open then, and elsewhere in the notice.
Actions trouble(Message words, std::string key = "files.trouble") {
  return {CouldNotSave{{}, std::move(key), std::move(words), {}}};
}

// Carries requests out, one by one.
struct Performer {
  const State& state;
  const Catalog& catalog;
  const Places& places;
  const Means& means;

  Actions operator()(const ListFolder& request) const {
    std::error_code failed;
    fs::path folder = request.folder.empty() ? fs::current_path(failed) : fs::path(request.folder);
    if (failed || folder.empty()) folder = "/";
    fs::directory_iterator entries(folder, fs::directory_options::skip_permission_denied, failed);
    if (failed) return trouble(Message::verbatim(folder.string()), "files.no_folder");
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
      if (is_folder || scenario::is_kernel_text(path) || scenario::holds_kernel_text(path) ||
          is_file_of(path, kSessionEnding) || is_other_file(path) || is_profile_file(path))
        shown.entries.push_back({name, is_folder});
    }
    std::sort(shown.entries.begin(), shown.entries.end(), [](const FileEntry& a, const FileEntry& b) {
      return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
    });
    return {std::move(shown)};
  }

  Actions read_session(const fs::path& file) const {
    auto loaded = load_session(file, catalog, means);
    if (!loaded) return trouble(loaded.errors.front());
    const State& s = *loaded.value;
    TakeSettings take{s.settings, s.position, {}, {}, s.pinned, s.lecturing.lecture, s.lecturing.scene};
    if (take.settings.own && !take.settings.own->file.empty()) {
      take.path = take.settings.own->file.string();
      const auto disk = file::special_kind(take.path).empty()
                            ? scenario::read_text(take.path, scenario::most_bytes_of(take.path))
                            : scenario::Outcome<std::string>{};
      if (disk) take.on_disk = *disk.value;
    }
    Actions actions{std::move(take)};
    if (s.profile && s.shown == ViewId::Profile) actions.push_back(TakeProfile{s.profile});
    if (s.notice) actions.push_back(ShowNotice{*s.notice});
    return actions;
  }

  // What a file holds, as an action; what is wrong with it is told with file, line and field.
  template <typename Take, typename Value>
  Actions take_read(const scenario::Outcome<Value>& loaded, const fs::path& file) const {
    if (const auto& wrong = loaded.errors; !loaded)  // the first, and how many more there are
      return trouble(wrong.size() > 1 ? Message("{} (+ {})", wrong[0], wrong.size() - 1) : wrong[0]);
    remember_file(places, file.string());
    return {Take{*loaded.value}};
  }

  Actions read_lecture_file(const fs::path& file) const {
    const auto loaded = load_lecture(file, catalog, means);
    if (loaded && (*loaded.value)->file.empty()) return {TakeLecture{*loaded.value}};  // the program's own
    return take_read<TakeLecture>(loaded, file);
  }

  // What Nsight Compute printed: beside the kernel on screen.
  Actions read_profile_file(const fs::path& file) const {
    Actions actions = take_read<TakeProfile>(load_profile(file, *means.budget), file);
    if (actions.front().as<TakeProfile>() != nullptr) actions.insert(actions.begin(), CloseSheet{});
    return actions;
  }

  Actions operator()(const KeepProgress& request) const {
    if (places.state.empty()) return {};
    KeptProgress kept = keep_progress(places.state / "lessons.json", request.lesson, request.record);
    Actions actions;
    // What another window wrote meanwhile is known here too.
    if (kept.progress) actions.push_back(TakeProgress{std::move(*kept.progress)});
    if (!kept.trouble.empty())
      actions.push_back(ShowNotice{{"files.trouble", std::move(kept.trouble), true, false}});
    return actions;
  }

  // What a JSON document says it is: "warplens.scenario/1"; empty: none of ours.
  static std::string schema_of(const fs::path& file, const std::string& text) {
    if (file.extension() != ".json") return {};
    auto document = scenario::JsonDocument::parse(text, file.string(), {.bytes = kMostDocumentBytes});
    return document.ok() ? document.root().optional_text("schema", "?") : "?";
  }

  // A Warplens file that the app adds to what it has.
  static Actions adopt(const fs::path& file, const std::string& schema) {
    for (const char* known : {"warplens.scenario/1", "warplens.measurement/1", "warplens.pack/1"}) {
      if (schema != known) continue;
      auto read = std::make_shared<Adopted>(read_adopted(file.string(), schema));
      return {CloseSheet{}, AdoptFile{file.string(), schema, std::move(read)}};
    }
    return trouble(Message::verbatim(file.string()), "files.unknown");
  }

  Actions read_file(const std::string& path) const {
    const fs::path file = full_path(path);
    std::error_code failed;
    if (fs::is_directory(file, failed)) {
      if (state.dialog) return (*this)(ListFolder{file.string()});
      return trouble(Message::verbatim(file.string()), "files.folder");
    }
    if (!file::special_kind(file).empty()) return trouble(Message::verbatim(file.string()), "write.no_file");
    if (is_file_of(file, kSessionEnding)) return read_session(file);
    if (is_file_of(file, kLessonEnding)) return take_read<TakeLesson>(open_lesson(file, catalog), file);
    if (is_file_of(file, kLectureEnding)) return read_lecture_file(file);
    if (is_profile_file(file)) return read_profile_file(file);
    const bool document = file.extension() == ".json";
    const auto text =
        scenario::read_text(file, document ? kMostDocumentBytes : scenario::most_bytes_of(file));
    if (!text) return trouble(text.errors.front());
    const bool is_launch = scenario::is_launch_document(file);
    if (const std::string schema = is_launch ? "" : schema_of(file, *text.value); !schema.empty()) {
      if (schema == "warplens.session/1") return read_session(file);
      if (schema == "warplens.lecture/1") return read_lecture_file(file);
      if (schema == "warplens.lesson/1") return take_read<TakeLesson>(open_lesson(file, catalog), file);
      return adopt(file, schema);
    }
    auto source = opened_source(file, *text.value, places, means);
    if (!source) return trouble(source.errors.front());
    if (means.budget->look() == StopReason::Cancelled) return {};
    remember_file(places, file.string());
    OpenedSource& opened = *source.value;
    return {OpenText{opened.file.string(), std::move(opened.text), std::move(opened.kernel), opened.is_part}};
  }

  // Of a text that was copied; what is wrong with it is told, and nothing changes.
  Actions operator()(const OpenLink& request) const {
    const auto read = read_link(request.text, catalog, means);
    if (means.budget->look() == StopReason::Cancelled) return {};
    if (!read) {
      Message words;
      for (const Message& error : read.errors)
        words = words.empty() ? error : Message("{}; {}", words, error);
      return {EndReading{}, ShowNotice{{"share.bad_place", words, true, false}}};
    }
    Actions actions = actions_of(*read.value, state, true);
    actions.insert(actions.begin(), EndReading{});
    return actions;
  }

  // Dropped together: those that cannot be opened are told once, when the others have been.
  Actions operator()(const ReadFile& request) const {
    Actions all{EndReading{}};
    std::vector<CouldNotSave> refused;
    std::vector<std::string> paths{request.path};
    paths.insert(paths.end(), request.more.begin(), request.more.end());
    for (const std::string& path : paths) {
      for (Action& action : read_file(path)) {
        const auto* trouble = action.as<CouldNotSave>();
        if (trouble != nullptr)
          refused.push_back(*trouble);
        else
          all.push_back(std::move(action));
      }
    }
    if (refused.size() > 1)
      refused.front().words = Message("{} (+ {})", refused.front().words, refused.size() - 1);
    if (!refused.empty()) all.emplace_back(std::move(refused.front()));
    keep_aside(all, state, places);
    return all;
  }

  // Why a file could not be written, of the languages.
  static std::string key_of(file::Trouble trouble) {
    using T = file::Trouble;
    constexpr std::pair<T, const char*> kKeys[] = {{T::Folder, "write.folder"},
                                                   {T::NoFolder, "write.no_folder"},
                                                   {T::NotAllowed, "write.not_allowed"},
                                                   {T::ReadOnly, "write.read_only"},
                                                   {T::AnothersFile, "write.anothers_file"},
                                                   {T::AnothersLink, "write.link"},
                                                   {T::Links, "write.link"},
                                                   {T::NoRoom, "write.no_room"},
                                                   {T::NameTooLong, "write.name_too_long"},
                                                   {T::Pipe, "write.no_file"},
                                                   {T::Socket, "write.no_file"},
                                                   {T::Device, "write.no_file"}};
    const auto known = std::ranges::find(kKeys, trouble, &std::pair<T, const char*>::first);
    return known == std::end(kKeys) ? "files.trouble" : known->second;  // else in the system's words
  }

  // What has to be asked first, of the languages; or empty.
  static std::string question_before(const WriteFile& request, const std::string& found) {
    const bool is_new = request.known.empty() && found == kNoFile;  // as what was taken out of a notebook
    if (found == request.known || is_new) return {};
    if (request.as) return found == kNoFile ? std::string() : "files.exists";
    if (found == fingerprint_of(request.text)) return {};
    return found == kNoFile ? "files.gone" : "files.changed";
  }

  Actions operator()(const WriteFile& request) const {
    if (is_inside(request.path, places.gallery))
      return {CouldNotSave{request.path, "files.gallery", Message::verbatim(request.path), {}}};
    std::error_code code;
    // What is no file is refused by the writer.
    if (!fs::is_directory(request.path, code) && file::special_kind(request.path).empty()) {
      const std::string found = fingerprint(request.path);
      if (const std::string key = question_before(request, found); !key.empty())
        return {CouldNotSave{request.path, key, Message::verbatim(request.path), found}};
    }
    if (const file::Written written = file::write_whole(request.path, request.text); !written) {
      const std::string key = key_of(written.trouble);
      return {CouldNotSave{
          request.path, key, key == "files.trouble" ? written.words : Message::verbatim(request.path), {}}};
    }
    remember_file(places, request.path);
    return {WasSaved{request.path, request.text}};
  }

  // The same of a lecture, whose text is made here.
  Actions operator()(const WriteLecture& request) const {
    WriteFile file = request.file;
    file.text = lecture_text(*request.lecture);
    Actions actions = (*this)(file);
    for (Action& action : actions) {
      if (action.as<WasSaved>() != nullptr) action = LectureSaved{file.path, fingerprint_of(file.text)};
    }
    return actions;
  }

  // The next of what is left, or that there is none.
  Action next_offer() const {
    const auto notice = offer_of(places);
    return notice ? Action{ShowNotice{*notice}} : Action{DismissNotice{}};
  }

  Actions operator()(const ReadRecovery&) const {
    if (!places.recovery) return {DismissNotice{}};
    const auto files = places.recovery->left_over();
    if (files.empty()) return {DismissNotice{}};
    Actions actions = read_session(files.front());
    for (Action& action : actions) {
      if (action.as<TakeSettings>() == nullptr) continue;
      TakeSettings take = *action.as<TakeSettings>();
      take.unsaved = take.lecture != nullptr;
      const std::string name = take.unsaved ? Recovery::kLecture : Recovery::name_of(take.settings);
      action = std::move(take);
      places.recovery->set_aside(name, state);
      // This run's own from now on. What could not be read stays: it is the only copy.
      if (!places.recovery->claim(files.front(), name)) return {next_offer()};
      if (const auto more = offer_of(places)) actions.push_back(ShowNotice{*more});
      break;
    }
    return actions;
  }

  Actions operator()(const DiscardRecovery&) const {
    if (!places.recovery) return {DismissNotice{}};
    const auto files = places.recovery->left_over();
    if (!files.empty()) places.recovery->discard(files.front());
    return {next_offer()};
  }

  Actions operator()(const ListCommands&) const {
    std::string error;
    const fs::path words = scenario::data_folder("assets") / "languages";
    return {TakeCommands{std::make_shared<const PaletteEntries>(
        palette_entries(state, catalog, load_words(words, state.language, &error),
                        load_words(words, "en", &error), recent_files(places), shipped_lectures()))}};
  }
  template <typename Other>
  Actions operator()(const Other&) const {
    return {};  // the app's own
  }
};

}  // namespace

scenario::Outcome<OpenedSource> opened_source(const fs::path& file, std::string text, const Places& places,
                                              const Means& means, double soon) {
  OpenedSource opened;
  if (scenario::is_launch_document(file)) {
    auto setup = scenario::load_launch(file, means.budget);
    if (!setup) return {std::nullopt, std::move(setup.errors)};
    opened.file = setup.value->source_name;
    opened.kernel = std::make_shared<const UserKernel>(given_kernel(*setup.value, opened.file, means));
    const std::string& named = setup.value->compile.kernel;
    if (opened.kernel->facts.sound && !named.empty() && opened.kernel->facts.find(named) == nullptr)
      return {std::nullopt, {Message("the file has no kernel '{}'", named)}};
    opened.text = std::move(setup.value->compile.text);
    return {std::move(opened), {}};
  }
  auto kernels = scenario::kernel_text(std::move(text), file);
  if (!kernels) return {std::nullopt, std::move(kernels.errors)};
  const std::vector<std::string> recent = recent_files(places);
  const bool is_known = std::find(recent.begin(), recent.end(), file.string()) != recent.end();
  if (Message why = cannot_open(file, *kernels.value, means, true, is_known); !why.empty())
    return {std::nullopt, {std::move(why)}};
  opened.is_part = scenario::holds_kernel_text(file);
  opened.file = file.string() + (opened.is_part ? ".cu" : "");
  opened.text = std::move(*kernels.value);
  Allowance allowance = means.budget->allowance();
  allowance.deadline = std::min(allowance.deadline, Budget::in(soon));
  Budget budget(allowance);
  UserKernel kernel = opened_kernel(opened.file, opened.text, {means.programs, &budget});
  if (budget.stopped() == StopReason::TimeLimit) kernel = wishing_setup(opened.file, {});
  opened.kernel = std::make_shared<const UserKernel>(std::move(kernel));
  return {std::move(opened), {}};
}

Places usual_places() {
  Places places;
  places.gallery = scenario::data_folder("kernels");
  places.state = platform::state_folder();
  return places;
}

// Another text comes, of a file or scenario that is on screen or was left unsaved: that one stays for the
// next start.
void keep_aside(const Actions& actions, const State& state, const Places& places) {
  if (!places.recovery) return;
  for (const Action& action : actions) {
    const auto* open = action.as<OpenText>();
    const auto* take = action.as<TakeSettings>();
    if (open != nullptr) places.recovery->set_aside(Recovery::name_of(fs::path(open->path)), state);
    if (take != nullptr) places.recovery->set_aside(Recovery::name_of(take->settings), state);
  }
}

// What a session was kept for: its scenes, or "matmul.cu", or the scenario that was typed into.
Message kept_for(const fs::path& session) {
  auto document = scenario::JsonDocument::load(session, {.bytes = kMostLectureBytes});
  if (document.root().has("lecture")) return Message("the scenes of a lecture");
  std::string name = document.root().optional_text("scenario", {});
  for (const auto& [key, value] : document.root().optional_members("own"))
    if (const auto file = key == "file" ? value.as_text() : std::nullopt)
      name = fs::path(*file).filename().string();
  return Message::verbatim(name);
}

std::optional<Notice> offer_of(const Places& places) {
  const auto files = places.recovery ? places.recovery->left_over() : std::vector<fs::path>{};
  if (files.empty()) return std::nullopt;
  if (files.size() == 1) return Notice{"files.recover", kept_for(files[0]), false, true};
  return Notice{"files.recover.more", Message("{}", files.size()), false, true};
}

Actions perform(const Request& request, const State& state, const Catalog& catalog, const Places& places,
                const Means& means) {
  return std::visit(Performer{state, catalog, places, means}, request);
}

scenario::Outcome<std::shared_ptr<const lesson::Lesson>> open_lesson(const fs::path& file,
                                                                     const Catalog& catalog) {
  for (const auto& known : catalog.lessons) {
    std::error_code failed;
    if (fs::equivalent(known->file, file, failed)) return {known, {}};
  }
  auto loaded = lesson::load_lesson(file);
  if (!loaded) return {std::nullopt, loaded.errors};
  std::vector<Message> errors;
  const auto check = [&](const lesson::View& view, const std::string& field) {
    const scenario::Scenario* s = catalog.find(view.scenario);
    const std::string where = file.string() + ": " + field;
    if (s == nullptr) {
      errors.push_back(Message("{}.scenario: there is no scenario \"{}\"", where, view.scenario));
      return;
    }
    for (const auto& [name, value] : view.values) {
      if (find_parameter(*s, name) == nullptr)
        errors.push_back(Message("{}.set.{}: {} has no such parameter", where, name, view.scenario));
    }
  };
  const auto check_all = [&](const lesson::View& view, const std::string& field) {
    check(view, field);
    for (const lesson::View& beside : view.beside) check(beside, field + ".beside");
  };
  const lesson::Lesson& one = *loaded.value;
  for (std::size_t i = 0; i < one.steps.size(); ++i)
    check_all(one.steps[i].view, "steps[" + std::to_string(i) + "].show");
  check_all(one.challenge.view, "challenge.show");
  if (!errors.empty()) return {std::nullopt, std::move(errors)};
  return {std::make_shared<const lesson::Lesson>(std::move(*loaded.value)), {}};
}

std::vector<std::string> recent_files(const Places& places) {
  std::vector<std::string> files;
  if (places.state.empty()) return files;
  const auto document = scenario::JsonDocument::load(places.state / "recent.json");
  std::error_code failed;
  for (const auto& entry : document.json()) {
    if (entry.is_string() && fs::is_regular_file(entry.get<std::string>(), failed) &&
        files.size() < kMostRecent)
      files.push_back(entry.get<std::string>());
  }
  return files;
}

void remember_file(const Places& places, const std::string& path) {
  if (places.state.empty()) return;
  std::error_code failed;
  fs::create_directories(places.state, failed);
  const auto lock = file::Lock::take(places.state / kStateLock, kLockSeconds);  // another window adds its own
  std::vector<std::string> files = recent_files(places);
  std::erase(files, path);
  files.insert(files.begin(), path);
  if (files.size() > kMostRecent) files.resize(kMostRecent);
  const auto text = nlohmann::json(files).dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  (void)file::write_whole(places.state / "recent.json", text + "\n");  // a list that is lost is no loss
}

Adopted read_adopted(const std::string& path, const std::string& schema) {
  Adopted out;
  if (schema == "warplens.scenario/1") {
    auto loaded = scenario::load_scenario(path);
    out.scenario = std::move(loaded.value);
    out.errors = std::move(loaded.errors);
  } else if (schema == "warplens.pack/1") {
    auto loaded = measure::load_pack(path);
    out.pack = std::move(loaded.value);
    out.errors = std::move(loaded.errors);
  } else {
    auto loaded = measure::load_measurement(path);
    out.errors = std::move(loaded.errors);
    if (!loaded.value) return out;
    loaded.value->recorded = true;
    measure::Pack& pack = out.pack.emplace();
    pack.device = loaded.value->device;
    pack.when = loaded.value->when.substr(0, 10);
    pack.measurements.push_back(std::move(*loaded.value));
    pack.index();
  }
  return out;
}

namespace {

constexpr const char* kWindowSchema = "warplens.window/1";

}  // namespace

std::optional<Panels> panels_named(std::string_view names) {
  if (names == "none") return Panels();
  if (names == "all") return Panels(kAllPanels);
  Panels panels;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    const auto at = std::ranges::find(kPanelNames, name);
    if (at == kPanelNames.end()) return std::nullopt;
    panels.set(static_cast<std::size_t>(at - kPanelNames.begin()));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
  }
  return panels;
}

std::optional<Panels> load_panels(const std::filesystem::path& state_folder) {
  const auto text = scenario::read_text(state_folder / "window.json");
  if (!text) return std::nullopt;
  const nlohmann::json document = nlohmann::json::parse(*text.value, nullptr, false);
  const bool is_ours = document.is_object() && document.contains("schema") &&
                       document["schema"] == kWindowSchema && document.contains("panels") &&
                       document["panels"].is_array();
  if (!is_ours) return std::nullopt;
  std::string names;
  for (const nlohmann::json& name : document["panels"])
    if (name.is_string()) names += (names.empty() ? "" : ",") + name.get<std::string>();
  return panels_named(names.empty() ? "none" : names);
}

void keep_panels(const std::filesystem::path& state_folder, const Panels& panels) {
  if (state_folder.empty()) return;  // there is no home to keep it in
  nlohmann::json names = nlohmann::json::array();
  for (std::size_t i = 0; i < kPanelNames.size(); ++i)
    if (panels.test(i)) names.push_back(kPanelNames[i]);
  std::error_code failed;
  std::filesystem::create_directories(state_folder, failed);
  file::write_whole(state_folder / "window.json",
                    nlohmann::json{{"schema", kWindowSchema}, {"panels", names}}.dump() + "\n");
}

}  // namespace warplens::app
