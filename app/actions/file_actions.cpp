// The file chooser, opening and saving: what they ask for is done outside (files.h).
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "app/actions/appliers.h"
#include "app/explain/explanation.h"
#include "app/input/palette.h"
#include "app/platform/system.h"
#include "app/readout/question.h"
#include "app/readout/verdict.h"
#include "app/simulate/simulation.h"
#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/state/loaded_profile.h"
#include "app/state/share_sheet.h"
#include "app/state/sheets.h"
#include "app/state/state.h"
#include "app/state/teaching.h"
#include "app/state/user_kernel.h"
#include "app/views/counts.h"
#include "app/views/views.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

bool is_path(const std::string& typed) {
  return typed.starts_with("/") || typed.starts_with("~") || typed.starts_with("./") ||
         typed.starts_with("../");
}

std::string typed_path(const State& state) {
  const std::filesystem::path typed = platform::without_tilde(state.field.text);
  return typed.is_absolute()
             ? typed.string()
             : (std::filesystem::path(state.dialog->folder) / typed).lexically_normal().string();
}

std::filesystem::path typed_folder(const State& state) {
  return std::filesystem::path(typed_path(state)).parent_path();
}

// What the list is searched for: letters of a name, also behind the path of the folder that is listed.
std::string typed_name(const State& state) {
  if (state.field.id != kDialogField || state.dialog->saving) return {};
  if (!is_path(state.field.text)) return state.field.text;
  return typed_folder(state) == state.dialog->folder
             ? std::filesystem::path(state.field.text).filename().string()
             : std::string();
}

}  // namespace

std::vector<ShownEntry> shown_entries(const State& state) {
  std::vector<ShownEntry> shown;
  if (!state.dialog) return shown;
  const FileDialog& dialog = *state.dialog;
  const std::string wanted = text::lower_case(typed_name(state));
  const auto fits = [&](const std::string& name) {
    return wanted.empty() || text::lower_case(name).find(wanted) != std::string::npos;
  };
  if (!dialog.saving && !is_path(state.field.text)) {
    for (const std::string& path : dialog.recent) {
      const std::string name = std::filesystem::path(path).filename().string();
      if (fits(name)) shown.push_back({path, name, false, true});
    }
  }
  const std::filesystem::path folder = dialog.folder;
  if (wanted.empty() && folder.has_parent_path() && folder != folder.root_path())
    shown.push_back({folder.parent_path().string(), "..", true, false});
  for (const FileEntry& entry : dialog.entries) {
    if (fits(entry.name))
      shown.push_back({(folder / entry.name).string(), entry.name, entry.is_folder, false});
  }
  return shown;
}

void Appliers::operator()(const ShowDialog& a) {
  FileDialog dialog;
  dialog.saving = a.saving;
  dialog.lecture = a.lecture && state.lecturing.lecture != nullptr;
  dialog.selected = a.saving ? -1 : 0;
  const bool has_file = state.settings.own && state.settings.own->file.is_absolute();
  if (has_file) dialog.folder = state.settings.own->file.parent_path().string();
  make_room(&state, Sheet::Dialog);
  state.dialog = std::move(dialog);
  std::string name;
  if (state.dialog->lecture) {
    const std::filesystem::path& file = state.lecturing.lecture->file;
    if (file.is_absolute()) state.dialog->folder = file.parent_path().string();
    name = file.empty() ? std::string("my") + kLectureEnding : file.filename().string();
  } else if (a.saving) {
    const scenario::Scenario* s = scenario_of(catalog, state.settings);
    name = has_file ? state.settings.own->file.filename().string()
                    : (s ? "my_" + s->source.filename().string() : "kernel.cu");
  }
  state.field = {kDialogField, name, name};
  state.playback.playing = false;
  state.requests.emplace_back(ListFolder{state.dialog->folder});
}

void Appliers::operator()(const CloseSheet&) {
  make_room(&state, std::nullopt);
}

void Appliers::operator()(const SelectEntry& a) {
  if (!state.dialog) return;
  const int count = static_cast<int>(shown_entries(state).size());
  state.dialog->selected = std::clamp(a.entry, state.dialog->saving ? -1 : 0, std::max(count - 1, 0));
  state.dialog->trouble = {};
}

void Appliers::operator()(const GoToParent&) {
  if (!state.dialog) return;
  const std::filesystem::path folder = state.dialog->folder;
  if (folder.has_parent_path()) state.requests.emplace_back(ListFolder{folder.parent_path().string()});
}

void Appliers::save_as_typed() {
  if (state.field.text.empty()) return trouble({}, "files.no_name");
  std::string path = typed_path(state);
  const bool lecture = state.dialog->lecture;
  if (lecture && !path.ends_with(kLectureEnding)) path += kLectureEnding;
  if (std::filesystem::path(path).extension().empty()) path += ".cu";
  WriteFile write;
  write.path = path;
  if (!lecture) write.text = text();
  write.as = true;
  if (state.dialog->overwrite == path) write.known = state.dialog->overwrite_found;
  if (lecture) return state.requests.push_back(WriteLecture{state.lecturing.lecture, std::move(write)});
  state.requests.emplace_back(std::move(write));
}

void Appliers::read(const std::string& path, std::vector<std::string> more) {
  state.reading = std::filesystem::path(path).filename().string();
  state.requests.emplace_back(ReadFile{path, std::move(more)});
}

void Appliers::operator()(const ChooseEntry&) {
  if (!state.dialog) return;
  const std::vector<ShownEntry> shown = shown_entries(state);
  const int selected = state.dialog->selected;
  if (state.dialog->saving && selected < 0) return save_as_typed();
  if (!state.dialog->saving && is_path(state.field.text)) {
    // The path, unless its end is but the beginning of a name that the list has.
    const std::string name = typed_name(state);
    const bool whole =
        name.empty() ? selected == 0 || typed_folder(state) != state.dialog->folder
                     : shown.empty() || std::ranges::find(shown, name, &ShownEntry::label) != shown.end();
    if (whole) return read(typed_path(state));
  }
  if (selected < 0 || selected >= static_cast<int>(shown.size())) {
    if (!state.field.text.empty()) read(typed_path(state));
    return;
  }
  const ShownEntry& entry = shown[static_cast<std::size_t>(selected)];
  if (entry.is_folder) {
    state.requests.emplace_back(ListFolder{entry.path});
  } else if (state.dialog->saving) {
    state.field.text = entry.label;
    state.dialog->selected = -1;
  } else {
    read(entry.path);
  }
}

void Appliers::operator()(const ShowFolder& a) {
  if (!state.dialog) return;
  state.dialog->folder = a.folder;
  state.dialog->entries = a.entries;
  state.dialog->recent = a.recent;
  state.dialog->trouble = {};
  state.dialog->overwrite.clear();
  state.dialog->selected = state.dialog->saving ? -1 : 0;
  const bool on_the_way = is_path(state.field.text) && typed_folder(state) == a.folder;
  if (!state.dialog->saving && !on_the_way) state.field.text.clear();
}

void Appliers::operator()(const Save& a) {
  const std::string path = state.settings.own ? state.settings.own->file.string() : std::string();
  if (a.as || !state.chosen.contains(path)) return (*this)(ShowDialog{true});
  WriteFile write;
  write.path = path;
  write.text = text();
  const auto told = state.told.find(path);
  const auto disk = state.on_disk.find(path);
  if (told != state.told.end()) {
    write.known = told->second;
  } else if (disk != state.on_disk.end()) {
    write.known = fingerprint_of(*disk->second);
  }
  state.requests.emplace_back(std::move(write));
}

void Appliers::operator()(const WasSaved& a) {
  const auto text = std::make_shared<const std::string>(a.text);
  state.on_disk[a.path] = text;
  state.chosen.insert(a.path);
  state.told.erase(a.path);
  if (state.dialog) (*this)(CloseSheet{});
  state.notice = Notice{"files.saved", Message::verbatim(a.path), false, false};
  if (state.settings.own && state.settings.own->file == a.path) return;
  Settings saved = state.settings;
  saved.text = text;
  if (saved.own) return change(with_own(saved, with_file(*saved.own, a.path)), {});
  // A text of the gallery became the user's own file; it is launched as before.
  const scenario::Scenario* s = catalog.find(state.settings.scenario);
  const auto setup =
      s ? scenario::make_setup(*s, state.settings.values, a.text) : scenario::Outcome<scenario::Setup>{};
  change(with_own(saved, wishing_setup(a.path, setup ? *setup.value : scenario::Setup{})), {});
}

// Saving again replaces what is there: that has been told.
void Appliers::operator()(const CouldNotSave& a) {
  if (!state.dialog) {
    if (!a.found.empty()) state.told[a.path] = a.found;
    state.notice = Notice{a.key, a.words, true, false};
    return;
  }
  state.dialog->trouble = a.words;
  state.dialog->trouble_key = a.key;
  state.dialog->overwrite = a.found.empty() ? std::string() : a.path;
  state.dialog->overwrite_found = a.found;
}

// What the sheet of exports does, and the line of text that stands for what is on screen.

std::span<const ShareRow> share_rows() {
  using W = ShareWhat;
  using F = ShareFormat;
  static const std::vector<ShareRow> kRows = [] {
    std::vector<ShareRow> all{{W::Slide, "slide", {F::Png, F::Svg}},
                              {W::Global, "global", {F::Png, F::Svg}},
                              {W::Shared, "shared", {F::Png, F::Svg}},
                              {W::Map, "map", {F::Png, F::Svg}}};
    for (const views::Row& view : views::rows())
      if (view.file != nullptr) all.push_back({view.id, view.file, {F::Png, F::Svg}});
    const ShareRow others[] = {{W::Comparison, "comparison", {F::Png, F::Svg}},
                               {W::Source, "source", {F::Png, F::Svg, F::Csv}},
                               {W::Lanes, "lanes", {F::Png, F::Svg, F::Csv}},
                               {W::Times, "times", {F::Png, F::Svg, F::Csv}},
                               {W::Counters, "counters", {F::Csv}},
                               {W::Steps, "steps", {F::Png, F::Svg, F::Gif}},
                               {W::Session, "session", {F::File}},
                               {W::Launch, "launch", {F::Launch}},
                               {W::Place, "place", {F::Text}},
                               {W::Figure, "figure", {F::Html}}};
    all.insert(all.end(), std::begin(others), std::end(others));
    return all;
  }();
  return kRows;
}

const ShareRow& row_of(ShareWhat what) {
  return *std::ranges::find(share_rows(), what, &ShareRow::what);
}

const char* name_of(ShareFormat format) {
  constexpr const char* kNames[] = {"PNG", "SVG", "CSV", "GIF", "JSON", "Ctrl C", "HTML", "JSON"};
  return kNames[static_cast<std::size_t>(format)];
}

const char* extension_of(ShareFormat format) {
  constexpr const char* kExtensions[] = {".png",           ".svg", ".csv", ".gif",
                                         ".warplens.json", "",     "",     ".launch.json"};
  return kExtensions[static_cast<std::size_t>(format)];
}

void Appliers::operator()(const ShowShare& a) {
  if (!a.on) return (*this)(CloseSheet{});
  make_room(&state, Sheet::Share);
  state.share = ShareSheet{};
  state.playback.playing = false;
}

void Appliers::operator()(const ChooseShare& a) {
  if (!state.share) return;
  const auto rows = share_rows();
  ShareSheet& sheet = *state.share;
  sheet.row = std::clamp(a.row, 0, static_cast<int>(rows.size()) - 1);
  const auto& formats = rows[static_cast<std::size_t>(sheet.row)].formats;
  sheet.column = std::clamp(a.column, 0, static_cast<int>(formats.size()) - 1);
}

void Appliers::operator()(const Export&) {
  if (!state.share) return;
  const ShareRow& row = share_rows()[static_cast<std::size_t>(state.share->row)];
  const ShareFormat format = row.formats[static_cast<std::size_t>(state.share->column)];
  if (row.what == ShareWhat::Place) return void(state.requests.emplace_back(CopyLink{}));
  if (!state.share->told.busy) state.share->told = {};
  if (row.what == ShareWhat::Figure)
    state.requests.emplace_back(CopyFigure{});
  else
    state.requests.emplace_back(ShareRequest{row.what, format, state.share_folder});
}

void Appliers::operator()(const ShareTold& a) {
  if (state.share)
    state.share->told = a;
  else if (!a.busy)  // the sheet was closed before the file was there
    state.notice = Notice{a.key, a.words, a.bad, false};
}

void Appliers::operator()(const OpenPlace& a) {
  constexpr std::size_t kLongestPlace = 200;  // that is shown
  state.reading = a.text.substr(0, std::min(a.text.find('#'), kLongestPlace));
  state.requests.emplace_back(OpenLink{a.text});
}

void Appliers::operator()(const TakeLink& a) {
  const Link& link = *a.link;
  change(link.view.settings, {});
  look_from(&state, link);
  state.playback = {};
  state.editing = false;
  const std::string& named =
      link.view.settings.own ? link.view.settings.own->form.kernel : state.settings.scenario;
  if (a.pasted && link.view.gone.empty() && link.view.lost.empty())
    state.notice = Notice{"share.opened", Message::verbatim(named), false, false};
}

// ---- lists under buttons ----------------------------------------------------------------------------------

void Appliers::operator()(const ShowMenu& a) {
  state.menu.reset();
  if (!a.of) return;
  const std::vector<MenuEntry> entries = menu_entries(*a.of, state, catalog);
  if (entries.empty()) return;
  make_room(&state, std::nullopt);
  const auto now = std::ranges::find(entries, true, &MenuEntry::is_now);
  state.menu = Menu{*a.of, now == entries.end() ? 0 : static_cast<int>(now - entries.begin())};
}

void Appliers::operator()(const ChooseMenu& a) {
  if (!state.menu) return;
  const std::vector<MenuEntry> entries = menu_entries(state.menu->of, state, catalog);
  const int entry = a.entry >= 0 ? a.entry : state.menu->selected;
  state.menu.reset();
  if (entry < static_cast<int>(entries.size())) again(entries[static_cast<std::size_t>(entry)].chosen);
}

// Another row of the list that is open, as far as there are any.
void Appliers::operator()(const MoveSelection& a) {
  const auto move = [&](int* selected, std::size_t count) {
    *selected = std::clamp(*selected + a.by, 0, std::max(static_cast<int>(count) - 1, 0));
  };
  auto& palette = state.classroom.palette;
  if (palette) {
    if (palette->entries) move(&palette->selected, fitting(*palette->entries, state.field.text).size());
  } else if (state.dialog) {
    (*this)(SelectEntry{state.dialog->selected + a.by});
  } else if (state.menu) {
    move(&state.menu->selected, menu_entries(state.menu->of, state, catalog).size());
  } else if (state.share) {
    (*this)(ChooseShare{state.share->row + a.by, state.share->column});
  } else if (state.lecturing.list) {
    move(&*state.lecturing.list, static_cast<std::size_t>(scene_count()));
    state.field = {};
  }
}

// ---- values and places that are typed ---------------------------------------------------------------------

bool Appliers::take_typed() {
  const TextField field = state.field;
  if (field.text == field.before) {  // nothing was typed
    state.field = {};
    return true;
  }
  if (const scenario::ScenarioParameter* p = typed_parameter(catalog, state.settings, field.id)) {
    const auto value = value_in(*p, field.text);
    if (!value) return false;
    const std::string name = p->name;
    state.field = {};
    again(SetParameter{name, *value, {}});
    return true;
  }
  if (field.id == kBlockInput && !simulation.empty()) {
    const auto block = block_in(simulation.compiled->setup.launch.grid, field.text);
    if (!block) return false;
    state.field = {};
    again(GoToBlock{*block});
    return true;
  }
  state.field = {};
  return true;
}

bool Appliers::leave_typed(const LeaveField& a) {
  if (!is_typed_whole(state.field.id)) return false;
  if (a.keep && take_typed()) return true;
  if (!a.keep || a.away) state.field = {};
  return true;
}

bool Appliers::next_typed(const NextField& a) {
  if (!is_typed_whole(state.field.id)) return false;
  const scenario::ScenarioParameter* p = typed_parameter(catalog, state.settings, state.field.id);
  if (p == nullptr) return true;
  const std::string name = p->name;
  if (!take_typed()) return true;  // to be corrected first
  const scenario::Scenario* s = scenario_of(catalog, state.settings);
  if (s == nullptr || s->parameters.empty()) return true;
  const auto order = parameters_in_order(*s);
  const auto here = std::ranges::find(order, name, &scenario::ScenarioParameter::name);
  const auto count = static_cast<std::ptrdiff_t>(order.size());
  const std::ptrdiff_t to = ((here - order.begin() + a.by) % count + count) % count;
  again(FocusField{std::string(kValueInput) + order[static_cast<std::size_t>(to)]->name});
  return true;
}

// ---- what is wrong, and what would mend it ----------------------------------------------------------------

void Appliers::operator()(const ShowFix&) {
  const Diagnosis* found = diagnosis_of(state);
  if (found == nullptr || !found->fix || hidden_in(state).rest) return;
  leave_answered();
  state.pinned = state.settings, state.paired = true;
  if (state.settings.own) state.playback.playing = false;
  change(found->fix->settings);
  leave_text();
}

void Appliers::operator()(const GoToWorst&) {
  if (simulation.empty() || hidden_in(state).rest) return;
  const std::vector<views::WorstLine>& worst = views::worst_lines(simulation);
  if (const auto to = costliest_access(simulation, worst.empty() ? 0 : worst[0].line)) again(LookAt{*to});
}

void Appliers::operator()(const GoToError& a) {
  const auto found = std::ranges::find_if(simulation.problems,
                                          [](const Problem& problem) { return problem.at.has_value(); });
  if (hidden_in(state).rest) return;
  if (found == simulation.problems.end()) {
    state.notice = Notice{"errors.none", {}, false};
    return;
  }
  const RunPlace at = *found->at;
  Position to;
  to.block = at.block;
  to.warp = std::max(at.warp, 0);
  to.access = AccessId::numbered(kLastAccess);  // the one that could not be made
  state.halted = false;
  const Message words = found->message;  // with thread, lane, warp and block
  again(LookAt{to});
  if (a.says) state.notice = Notice{"errors.at", words, true};
}

// What is on screen stays where the profile is of another kernel.
void Appliers::operator()(const TakeProfile& a) {
  const std::string kernel = kernel_name_of(catalog, state.settings);
  if (!kernel.empty() && explain::launches_of(a.profile->profile, kernel).empty()) {
    const auto choice = explain::choose_launch(a.profile->profile, {{kernel}, {}}, a.profile->file);
    state.notice = Notice{"explain.other_kernel", choice.errors.front(), true, false};
    return;
  }
  state.profile = a.profile;
  state.plot.launch.clear();
  show_view(&state, ViewId::Profile);
}

void Appliers::operator()(const StepProfileLaunch& a) {
  if (!state.profile) return;
  const std::string kernel = kernel_name_of(catalog, state.settings);
  const std::vector<std::string> ids = explain::launches_of(state.profile->profile, kernel);
  if (ids.empty()) return;
  std::string shown = state.plot.launch;
  if (shown.empty() && !simulation.empty()) {
    const scenario::Setup& setup = simulation.compiled->setup;
    const auto fits = explain::choose_launch(
        state.profile->profile,
        {{kernel}, setup.compile.template_arguments, setup.launch.grid, setup.launch.block, {}},
        state.profile->file);
    if (fits) shown = state.profile->profile.launches[fits.value->launch].id;
  }
  const auto at = std::ranges::find(ids, shown);
  const auto count = static_cast<std::ptrdiff_t>(ids.size());
  const std::ptrdiff_t now = at == ids.end() ? (a.by > 0 ? -1 : 0) : at - ids.begin();
  state.plot.launch = ids[static_cast<std::size_t>(((now + a.by) % count + count) % count)];
}

// What is clicked stays under the pointer.
void Appliers::operator()(const GoToAccess& a) {
  if (simulation.empty() || !simulation.trace) return;
  const int warps = static_cast<int>(simulation.trace->warp_events.size());
  if (warps == 0) return;
  Position position = shown_position(state.position, simulation);
  position.warp = std::clamp(a.warp, 0, warps - 1);
  position.access = AccessId::numbered(std::max(a.event, 0));
  position.wavefront = 0;
  again(LookAt{position});
}

namespace {

std::string gesture_of(const std::string& field) {
  return "field:" + field;
}

}  // namespace

bool is_edited(const State& state) {
  if (!state.settings.text) return false;
  if (!state.settings.own) return true;
  const auto disk = state.on_disk.find(state.settings.own->file.string());
  return disk == state.on_disk.end() || *disk->second != *state.settings.text;
}

// ---- kernels of one's own ---------------------------------------------------------------------------------

void Appliers::trouble(const Message& words, const std::string& key) {
  if (state.dialog) {
    state.dialog->trouble = words;
    state.dialog->trouble_key = key;
  } else {
    state.notice = Notice{key, words, true, false};
  }
}

// "// ?-way", "// in: ? sectors": an exercise whose answers are still to be written must not open with them.
static bool leaves_claims_open(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string comment = line.substr(std::min(line.find("//"), line.size()));
    for (const char* open : {" ?-way", " ? sectors", " ? lines", " ? wavefronts"})
      if (comment.find(open) != std::string::npos) return true;
  }
  return false;
}

void Appliers::operator()(const OpenText& a) {
  if (a.kernel == nullptr) {
    if (const Message why = cannot_open(a.path, a.text); !why.empty()) return trouble(why);
  }
  auto text = std::make_shared<const std::string>(a.text);
  if (!a.is_part) state.on_disk[a.path] = text;
  state.chosen.insert(a.path);
  state.told.erase(a.path);
  change(settings_of(a.kernel ? *a.kernel : opened_kernel(a.path, a.text), text), {});
  state.position = {};
  state.playback.playing = false;
  state.caret = {};
  state.form = true;
  make_room(&state, std::nullopt);
  state.notice.reset();
  if (leaves_claims_open(a.text)) again(SetPredicting{true});
}

void Appliers::operator()(const TakeSettings& a) {
  if (!a.path.empty()) {
    state.on_disk[a.path] = std::make_shared<const std::string>(a.on_disk);
    state.chosen.erase(a.path);  // it was chosen for another text
  }
  const bool alone = a.pinned && !state.pinned && state.settings != a.settings;
  change(a.settings, {});
  if (alone) state.past.back().alone = true;
  state.pinned = a.pinned;
  state.paired = false;
  state.position = a.position;
  state.caret = {};
  state.form = a.settings.own != nullptr;
  make_room(&state, std::nullopt);
  state.notice.reset();
  if (a.lecture == nullptr) return;
  state.lecturing = Lecturing();
  state.lecturing.lecture = a.lecture;
  state.lecturing.scene = a.scene;
  state.lecturing.unsaved = a.unsaved;
}

void Appliers::operator()(const SetFormField& a) {
  if (!state.settings.own) return;
  LaunchForm form = state.settings.own->form;
  if (!set_field(&form, a.field, a.text)) return;
  change(with_own(state.settings, with_form(*state.settings.own, std::move(form))), a.gesture);
}

void Appliers::operator()(const ChooseKernel& a) {
  if (!state.settings.own || a.kernel == state.settings.own->form.kernel) return;
  change(with_own(state.settings, wishing_kernel(*state.settings.own, a.kernel)), {});
  state.position = {};
  state.field = {};
}

void Appliers::operator()(const UseLaunch& a) {
  if (!state.settings.own || a.launch < 0) return;
  change(with_own(state.settings, wishing_launch(*state.settings.own, static_cast<std::size_t>(a.launch))),
         {});
  state.field = {};
}

void Appliers::operator()(const SetIndexExpression& a) {
  const std::string before = text();
  if (!find_index(before)) return;
  const auto valued = [&](const std::string& name) {
    return typed_parameter(catalog, state.settings, std::string(kValueInput) + name);
  };
  const scenario::ScenarioParameter* element = valued("element");
  const std::int64_t bytes = element == nullptr ? 4 : value_of(*element, state.settings.values);
  const TypedIndex typed = typed_index(before, a.expression, static_cast<int>(bytes));
  Settings next = with_text(catalog, state.settings, with_index(before, typed.expression));
  // A layout says how large the tile is.
  const auto turn = [&](const std::string& name, std::int64_t to) {
    const scenario::ScenarioParameter* parameter = valued(name);
    if (parameter != nullptr && value_in(*parameter, std::to_string(to))) next.values[name] = to;
  };
  if (typed.layout) turn("rows", typed.layout->rows()), turn("columns", typed.layout->columns());
  change(next, a.gesture);
}

void Appliers::operator()(const ShowForm& a) {
  state.form = a.on && state.settings.own != nullptr;
  state.menu.reset();
  if (!state.form && !state.dialog) state.field = {};
}

// ---- one-line inputs --------------------------------------------------------------------------------------

void Appliers::operator()(const FocusField& a) {
  const std::string value = field_value(catalog, state, a.id);
  state.field = {a.id, value, value};
  state.editing = false;
  state.playback.playing = false;
  state.gesture.clear();
}

void Appliers::operator()(const EditField& a) {
  if (state.field.id.empty()) return;
  const bool changed = state.field.text != a.text;
  state.field.text = a.text;
  if (!changed) return;
  const std::string id = state.field.id;
  if (state.classroom.palette) {
    state.classroom.palette->selected = 0;
    return;
  }
  if (id == kDialogField) {
    if (!state.dialog) return;
    state.dialog->selected = state.dialog->saving ? -1 : 0;
    state.dialog->trouble = {};
    state.dialog->overwrite.clear();
    if (!state.dialog->saving && is_path(a.text) && typed_folder(state) != state.dialog->folder)
      state.requests.emplace_back(ListFolder{typed_folder(state).string()});
  } else if (id == kShareFolder) {
    state.share_folder = a.text;
  } else if (id == kSceneName || id == kSceneNotes) {
    set_scene_field(id, a.text);
  } else if (is_typed_whole(id)) {
    return;  // counts when it is finished: on the way to 1023 there is no 10
  } else if (id == kIndexInput) {
    (*this)(SetIndexExpression{a.text, gesture_of(id)});
  } else {
    (*this)(SetFormField{id, a.text, gesture_of(id)});
  }
}

void Appliers::operator()(const LeaveField& a) {
  if (leave_typed(a)) return;
  if (state.dialog) return;
  // As long as it is wrong it is typed at: the next letters are no commands.
  if (state.field.id == kIndexInput && a.keep && !a.away &&
      (index_problem(state.field.text) || index_trouble(true, simulation) == "expression.fails"))
    return;
  if (!a.keep) (*this)(EditField{state.field.before});
  state.field = {};
  state.gesture.clear();
}

void Appliers::operator()(const NextField& a) {
  if (next_typed(a)) return;
  if (state.field.id == kShareFolder) return (*this)(LeaveField{true});
  if (state.field.id == kSceneName || state.field.id == kSceneNotes)
    return (*this)(FocusField{state.field.id == kSceneName ? kSceneNotes : kSceneName});
  if (!state.settings.own || state.dialog || state.field.id == kIndexInput) return;
  const std::vector<std::string> fields = form_fields(*state.settings.own);
  const auto at = std::find(fields.begin(), fields.end(), state.field.id) - fields.begin();
  const auto count = static_cast<std::ptrdiff_t>(fields.size());
  if (count == 0) return;
  const std::ptrdiff_t to = at == count ? 0 : ((at + a.by) % count + count) % count;
  (*this)(FocusField{fields[static_cast<std::size_t>(to)]});
}

// ---- work beside the frame --------------------------------------------------------------------------------

void Appliers::operator()(const KernelSettled& a) {
  const auto settle = [&](Settings& settings) {
    if (settings.own == a.before) settings = with_own(settings, *a.after);
  };
  settle(state.settings);
  if (state.pinned) settle(*state.pinned);
  for (Settings& settings : state.past) settle(settings);
  for (Settings& settings : state.future) settle(settings);
}
void Appliers::operator()(const ShowNotice& a) {
  if (a.notice.asks_to_leave) make_room(&state, std::nullopt);  // nothing lies over the question
  state.notice = a.notice;
}

}  // namespace warplens::app
