// The file chooser, opening and saving: what they ask for is done outside (files.h).
#include <algorithm>
#include <filesystem>

#include "app/actions/appliers.h"
#include "app/platform/system.h"
#include "app/state/catalog.h"
#include "app/state/share_sheet.h"
#include "app/state/sheets.h"
#include "app/state/teaching.h"
#include "app/state/user_kernel.h"
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

}  // namespace

std::vector<ShownEntry> shown_entries(const State& state) {
  std::vector<ShownEntry> shown;
  if (!state.dialog) return shown;
  const FileDialog& dialog = *state.dialog;
  const bool typing = state.field.id == kDialogField && !dialog.saving && !is_path(state.field.text);
  const std::string wanted = typing ? text::lower_case(state.field.text) : std::string();
  const auto fits = [&](const std::string& name) {
    return wanted.empty() || text::lower_case(name).find(wanted) != std::string::npos;
  };
  if (!dialog.saving) {
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

void Appliers::operator()(const CloseDialog&) {
  state.dialog.reset();
  state.field = {};
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
    read(typed_path(state));
    return;
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
  if (!state.dialog->saving) state.field.text.clear();
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
  if (state.dialog) (*this)(CloseDialog{});
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
    std::vector<ShareRow> all{{W::Window, "window", {F::Png}},
                              {W::Slide, "slide", {F::Png, F::Svg}},
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
                               {W::Figure, "figure", {F::Small, F::Medium, F::Large}}};
    all.insert(all.end(), std::begin(others), std::end(others));
    return all;
  }();
  return kRows;
}

const ShareRow& row_of(ShareWhat what) {
  return *std::ranges::find(share_rows(), what, &ShareRow::what);
}

const char* name_of(ShareFormat format) {
  constexpr const char* kNames[] = {"PNG",    "SVG",     "CSV",     "GIF",      "JSON",
                                    "Ctrl C", "360×240", "800×450", "1120×630", "JSON"};
  return kNames[static_cast<std::size_t>(format)];
}

const char* extension_of(ShareFormat format) {
  constexpr const char* kExtensions[] = {".png", ".svg", ".csv", ".gif", ".warplens.json",
                                         "",     "",     "",     "",     ".launch.json"};
  return kExtensions[static_cast<std::size_t>(format)];
}

bool ShareSheet::is_on(ShareWhat what) const {
  return share_rows()[static_cast<std::size_t>(row)].what == what;
}

void Appliers::operator()(const ShowShare& a) {
  if (!a.on) {
    state.share.reset();
    state.field = {};
    return;
  }
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

void Appliers::operator()(const MoveShare& a) {
  if (state.share) (*this)(ChooseShare{state.share->row + a.rows, state.share->column + a.columns});
}

void Appliers::operator()(const Export&) {
  if (!state.share || state.share->busy) return;
  const ShareRow& row = share_rows()[static_cast<std::size_t>(state.share->row)];
  const ShareFormat format = row.formats[static_cast<std::size_t>(state.share->column)];
  if (row.what == ShareWhat::Place) return void(state.requests.emplace_back(CopyLink{}));
  state.share->told.clear();
  if (row.what == ShareWhat::Figure)
    state.requests.emplace_back(CopyFigure{format});
  else
    state.requests.emplace_back(ShareRequest{row.what, format, state.share_folder});
}

void Appliers::operator()(const OfferParameter& a) {
  if (!state.share || !state.share->is_on(ShareWhat::Figure)) return;
  if (state.share->left_out.erase(a.name) == 0) state.share->left_out.insert(a.name);
}

void Appliers::operator()(const ShareTold& a) {
  if (!state.share) {  // the sheet was closed before the file was there
    if (!a.busy) state.notice = Notice{a.key, a.words, a.bad, false};
    return;
  }
  state.share->busy = a.busy;
  state.share->progress = a.progress;
  state.share->bad = a.bad;
  state.share->told = a.key;
  state.share->words = a.words;
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

}  // namespace warplens::app
