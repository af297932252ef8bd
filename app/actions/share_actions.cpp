// What the sheet of exports does, and the line of text that stands for what is on screen.
#include <algorithm>

#include "app/actions/user_kernel_actions.h"
#include "app/state/link.h"
#include "app/state/share_sheet.h"
#include "app/state/sheets.h"
#include "app/state/user_kernel.h"
#include "app/views/views.h"

namespace warplens::app {

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
  constexpr const char* kNames[] = {"PNG",    "SVG",     "CSV",     "GIF",     "JSON",
                                    "Ctrl C", "360×240", "800×450", "1120×630"};
  return kNames[static_cast<std::size_t>(format)];
}

const char* extension_of(ShareFormat format) {
  constexpr const char* kExtensions[] = {".png", ".svg", ".csv", ".gif", ".warplens.json", "", "", "", ""};
  return kExtensions[static_cast<std::size_t>(format)];
}

bool ShareSheet::is_on(ShareWhat what) const {
  return share_rows()[static_cast<std::size_t>(row)].what == what;
}

void UserKernelActions::operator()(const ShowShare& a) {
  if (!a.share) {
    state.share.reset();
    state.field = {};
    return;
  }
  make_room(&state, Sheet::Share);
  state.share = ShareSheet{};
  state.playback.playing = false;
}

void UserKernelActions::operator()(const ChooseShare& a) {
  if (!state.share) return;
  const auto rows = share_rows();
  ShareSheet& sheet = *state.share;
  sheet.row = std::clamp(a.row, 0, static_cast<int>(rows.size()) - 1);
  const auto& formats = rows[static_cast<std::size_t>(sheet.row)].formats;
  sheet.column = std::clamp(a.column, 0, static_cast<int>(formats.size()) - 1);
}

void UserKernelActions::operator()(const MoveShare& a) {
  if (state.share) (*this)(ChooseShare{state.share->row + a.rows, state.share->column + a.columns});
}

void UserKernelActions::operator()(const Export&) {
  if (!state.share || state.share->busy) return;
  const ShareRow& row = share_rows()[static_cast<std::size_t>(state.share->row)];
  const ShareFormat format = row.formats[static_cast<std::size_t>(state.share->column)];
  if (row.what == ShareWhat::Place) return (*this)(CopyPlace{});
  state.share->told.clear();
  if (row.what == ShareWhat::Figure)
    state.requests.emplace_back(CopyFigure{format});
  else
    state.requests.emplace_back(ShareRequest{row.what, format, state.share_folder});
}

void UserKernelActions::operator()(const OfferParameter& a) {
  if (!state.share || !state.share->is_on(ShareWhat::Figure)) return;
  if (state.share->left_out.erase(a.name) == 0) state.share->left_out.insert(a.name);
}

void UserKernelActions::operator()(const ShareTold& a) {
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

void UserKernelActions::operator()(const TakeIn& a) {
  state.requests.emplace_back(AdoptFile{a.path, a.schema, a.read});
}

void UserKernelActions::operator()(const CopyPlace&) {
  state.requests.emplace_back(CopyLink{});
}

void UserKernelActions::operator()(const OpenPlace& a) {
  constexpr std::size_t kLongestPlace = 200;  // that is shown
  state.reading = a.text.substr(0, std::min(a.text.find('#'), kLongestPlace));
  state.requests.emplace_back(OpenLink{a.text});
}

void UserKernelActions::operator()(const TakeLink& a) {
  const Link& link = *a.link;
  change(link.view.settings, {});
  state.pinned = link.view.pinned;
  look_from(&state, link.view);
  state.classroom.predicting.reset();
  if (link.view.question) state.classroom.predicting = Predicting{*link.view.question, {}};
  if (!link.language.empty()) state.language = link.language;
  if (link.theme) state.theme = *link.theme;
  state.present = link.present;
  state.playback = {};
  state.form = state.settings.own != nullptr;
  state.editing = false;
  const std::string& named =
      link.view.settings.own ? link.view.settings.own->form.kernel : state.settings.scenario;
  if (a.pasted && link.view.gone.empty() && link.view.lost.empty())
    state.notice = Notice{"share.opened", Message::verbatim(named), false, false};
}

}  // namespace warplens::app
