// The sheet of exports: what there is, in which forms, where to, and what became of the last one.
#include <algorithm>
#include <cmath>

#include "app/panels/sheets/overlay.h"
#include "app/panels/widgets/text_input.h"
#include "app/platform/system.h"
#include "app/state/share_sheet.h"

namespace warplens::panels {
namespace {

// A row's words at the left, a pill for each of its formats at the right. A click chooses and writes.
void draw_row(const View& view, int index, const Rect& row) {
  const scene::Palette& p = view.palette;
  const app::ShareSheet& sheet = *view.state.share;
  const app::ShareRow& entry = app::share_rows()[static_cast<std::size_t>(index)];
  const bool here = index == sheet.row;
  if (here) fill(row, scene::with_alpha(p.accent, 0.16f), view.px(5));
  float end = right(row) - view.px(8);
  // Low rows leave nothing between the pills: a letter that stands out of its own is on another ground.
  const float inset = std::clamp((row.height - view.px(22)) / 2, 0.0f, view.px(3));
  ImGui::PushID(index);
  for (int i = static_cast<int>(entry.formats.size()) - 1; i >= 0; --i) {
    const std::string label = app::name_of(entry.formats[static_cast<std::size_t>(i)]);
    const float width = std::max(view.px(62), pill_width(view, label, true));
    const Rect button{end - width, row.y + inset, width, row.height - 2 * inset};
    if (pill(view, label.c_str(), button, label, here && i == sheet.column).clicked) {
      view.act(app::ChooseShare{index, i});
      view.act(app::Export{});
    }
    end -= width + view.px(6);
  }
  ImGui::PopID();
  const Hit words = hit_area(entry.name, {row.x, row.y, end - row.x, row.height});
  if (words.clicked) view.act(app::ChooseShare{index, 0});
  draw_text(view, {row.x + view.px(12), middle(row)}, view.strings(std::string("share.what.") + entry.name),
            {15, p.text, Align::Left, here ? Face::WordsBold : Face::Words, end - row.x - view.px(16)});
}

// The folder of files, or of a figure the address of its site.
void draw_place(const View& view, const Rect& rect, bool figure) {
  const float label =
      draw_text(view, {rect.x, middle(rect)}, view.strings(figure ? "share.site" : "share.folder"),
                {14, view.palette.secondary}) +
      view.px(12);
  const char* empty = figure                    ? "share.site.here"
                      : platform::has_folders() ? "share.folder.here"
                                                : "share.folder.downloads";
  draw_input(view, figure ? app::kShareSite : app::kShareFolder,
             {rect.x + label, rect.y, rect.width - label, rect.height},
             figure ? view.state.share_site : view.state.share_folder,
             {.placeholder = view.strings(empty), .size = 14});
}

// The parameters of a figure: those that are lit are offered below its picture.
void draw_offered(const View& view, const Rect& rect) {
  const scenario::Scenario* scenario = view.scenario();
  if (scenario == nullptr || scenario->parameters.empty()) return;
  float x =
      rect.x +
      draw_text(view, {rect.x, middle(rect)}, view.strings("share.offered"), {14, view.palette.secondary}) +
      view.px(10);
  const float gap = view.px(5), count = static_cast<float>(scenario->parameters.size());
  const float most = (right(rect) - x - gap * (count - 1)) / count;
  for (std::size_t i = 0; i < scenario->parameters.size(); ++i) {
    const std::string& parameter = scenario->parameters[i].name;
    const bool offered = !view.state.share->left_out.contains(parameter);
    const float width = std::min(pill_width(view, parameter, offered), most);
    const Rect box{x, rect.y + view.px(3), width, rect.height - view.px(6)};
    const std::string name =
        shortened(view, parameter, width - view.px(6), {14, {}, Align::Center, Face::Words});
    answer(view, pill(view, ("offer " + parameter).c_str(), box, name, offered),
           view.strings(offered ? "share.offered.tip" : "share.not_offered.tip",
                        {{"name", parameter}, {"n", std::to_string(i + 1)}}),
           app::OfferParameter{parameter});
    x += width + gap;
  }
}

// What became of the last one, on two lines at most.
void draw_told(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  const app::ShareSheet& sheet = *view.state.share;
  if (sheet.told.empty()) return;
  const std::string text = view.strings(
      sheet.told,
      {{"words", view.strings(sheet.words)}, {"n", std::to_string(static_cast<int>(100 * sheet.progress))}});
  const Type type{14, sheet.bad ? p.costly : p.text, Align::Left, Face::Words, rect.width};
  auto lines = wrapped(view, text, rect.width, type);
  if (lines.size() > 2) lines = {lines[0], lines[1] + "…"};
  draw_lines(view, top_left(rect), lines, view.px(20), type);
  if (hit_area("told", rect).hovered) tooltip(view, text);
}

}  // namespace

void draw_share(const View& view, const Rect& window) {
  const auto rows = static_cast<int>(app::share_rows().size());
  const float above = view.px(104), below = view.px(84);
  const float row =
      std::min(view.px(34), (window.height - view.px(24) - above - below) / static_cast<float>(rows));
  const bool figure = view.state.share->is_on(app::ShareWhat::Figure);
  const Sheet sheet(view, window,
                    {"share", view.px(780), above + below + row * static_cast<float>(rows), 0.5f, 24,
                     view.strings("share.title"), figure ? "share.keys.figure" : "share.keys"});
  if (sheet.closed()) view.act(app::ShowShare{false});
  const Rect& box = sheet.box();
  const float left = sheet.left(), room = sheet.room();
  const float half = figure ? std::round(0.42f * room) : room;
  draw_place(view, {left, box.y + view.px(58), half, view.px(32)}, figure);
  if (figure) {
    const float from = left + half + view.px(16);
    draw_offered(view, {from, box.y + view.px(58), left + room - from, view.px(32)});
  }
  for (int i = 0; i < rows; ++i)
    draw_row(
        view, i,
        {box.x + view.px(12), box.y + above + row * static_cast<float>(i), box.width - view.px(24), row});
  draw_told(view, {left, bottom(box) - view.px(78), room, view.px(42)});
}

}  // namespace warplens::panels
