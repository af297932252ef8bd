#include "app/panels/source/page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

namespace warplens::panels {
namespace {

// "^ 12:5 what is wrong — what to do", in rows as wide as the pane.
std::vector<SourceNote> notes_of(const View& view, const Rect& area) {
  std::vector<SourceNote> notes;
  for (const app::Problem& problem : view.sim.problems) {
    if (!problem.range) continue;
    SourceNote note{&problem, {}, {}, {}};
    note.words = "^ " + std::to_string(problem.range->begin.line) + ":" +
                 std::to_string(problem.range->begin.column) + " " +
                 view.strings(problem.message, problem.remedy);
    note.lines = wrapped(view, note.words, area.width - view.px(16), {13});
    notes.push_back(std::move(note));
  }
  return notes;
}

constexpr float kMostOfRow = 0.4f;    // for the costs of a line's accesses
constexpr std::size_t kMostRows = 3;  // of messages a line, where two texts share the window

// Beside another text a pane is low: of the messages of a line only the first rows, then how many more.
void keep_few(const View& view, std::vector<SourceNote>* notes) {
  std::map<int, std::vector<SourceNote*>> by_line;
  for (SourceNote& note : *notes) by_line[note.problem->range->begin.line].push_back(&note);
  for (auto& [line, of_line] : by_line) {
    std::size_t rows = 0;
    std::string whole;
    for (const SourceNote* note : of_line) {
      rows += note->lines.size();
      whole += (whole.empty() ? "" : "\n") + note->words;
    }
    if (rows <= kMostRows) continue;
    std::size_t left = of_line.size() > 1 ? kMostRows - 1 : kMostRows, hidden = 0;
    SourceNote* last = nullptr;
    for (SourceNote* note : of_line) {
      note->whole = whole;
      if (left == 0) ++hidden, note->lines.clear();
      if (left == 0) continue;
      last = note;
      if (note->lines.size() > left) note->lines.resize(left), note->lines.back() += " …";
      left -= note->lines.size();
    }
    if (hidden > 0) last->lines.push_back(view.strings("source.more", {{"n", std::to_string(hidden)}}));
  }
}

// Made anew where something that it follows from has changed, not in every frame: a long text has a hundred
// thousand costs. One for each half of the window.
const MarginPage& margin_page(const View& view, float width) {
  struct Kept {
    std::shared_ptr<const void> of;  // kept alive: another one must not come to its place
    bool grid = false, shown = false;
    float width = 0, scale = 0;
    std::string language;
    MarginPage page;
  };
  static std::array<Kept, 2> kept;
  Kept& mine = kept[view.is_a ? 1 : 0];
  const bool grid = view.state.grid_margin, shown = shows_margin(view);
  const std::shared_ptr<const void> of =
      grid ? std::shared_ptr<const void>(view.sim.totals) : std::shared_ptr<const void>(view.sim.lines);
  if (mine.of == of && mine.grid == grid && mine.shown == shown && mine.width == width &&
      mine.scale == view.scale && mine.language == view.state.language)
    return mine.page;
  mine = {of, grid, shown, width, view.scale, view.state.language, {margin_lines(view), {}}};
  for (MarginLine& cost : mine.page.costs) {
    cost = fitting(view, std::move(cost), kMostOfRow * width);
    mine.page.widths.push_back(margin_width(view, cost));
  }
  return mine.page;
}

float gutter_of(const View& view, const CodeText& code, float advance) {
  const auto digits = std::max<std::size_t>(std::to_string(code.lines.size()).size(), 2);
  return (static_cast<float>(digits) + (view.comparison != nullptr ? 2.8f : 1.6f)) * advance;
}

app::RowRequest request_of(const View& view, const SourcePage& page) {
  app::RowRequest request;
  const float room = page.area.width - page.gutter;
  const auto columns = [&](float width) { return static_cast<int>(width / page.advance); };
  request.columns = std::max(columns(room - view.px(6)), 8);
  const MarginPage& margin = page.margin;
  for (std::size_t i = 0; i < margin.costs.size(); ++i) {
    const int beside = columns(room - margin.widths[i]);
    request.reserved.push_back({margin.costs[i].line - 1, std::max(request.columns - beside, 0)});
  }
  std::ranges::sort(request.reserved, {}, &app::RowRequest::Reserve::line);
  for (const SourceNote& note : page.notes)
    request.notes.push_back({note.problem->range->begin.line - 1, static_cast<int>(note.lines.size())});
  request.empty_end = view.state.editing;
  return request;
}

}  // namespace

SourcePage lay_out_source(const View& view, const CodeText& code, const Rect& area) {
  SourcePage page{code, nullptr, margin_page(view, area.width), notes_of(view, area), 14, 8, 20, 0, area};
  if (view.comparison != nullptr) keep_few(view, &page.notes);
  app::RowRequest request;
  const bool stage = view.state.present;
  const bool low = area.height < view.px(8 * kStageType);
  for (const float size : {!stage ? 14.0f : low ? kStageType : 18.0f, stage ? kStageType : 13.0f}) {
    page.size = size;
    page.advance = view.fonts.width(Face::Code, view.px(size), "0000000000") / 10;
    page.gutter = gutter_of(view, code, page.advance);
    request = request_of(view, page);
    if (app::fits_unbroken(code, request)) break;
  }
  page.row = std::round(view.px(page.size) * (stage ? 1.42f : 1.45f));
  page.rows = &kept_rows(code, request);
  return page;
}

float SourcePage::x_of(const CodeRow& r, int offset) const {
  return text_x() + advance * static_cast<float>(app::column_in_row(code, r, offset));
}

const CodeRow& SourcePage::row_under(float origin_y, float y) const {
  const auto at = static_cast<int>((y - origin_y) / row);
  return (*rows)[static_cast<std::size_t>(std::clamp(at, 0, static_cast<int>(rows->size()) - 1))];
}

int SourcePage::offset_under(float origin_y, ImVec2 mouse) const {
  const int column = static_cast<int>(std::floor((mouse.x - text_x()) / advance + 0.5f));
  return app::offset_in_row(code, row_under(origin_y, mouse.y), std::max(column, 0));
}

int SourcePage::offset_of(int line, int column) const {
  const auto last = static_cast<int>(code.lines.size());
  const app::CodeLine& l = code.lines[static_cast<std::size_t>(std::clamp(line, 1, last) - 1)];
  return std::clamp(l.begin + column - 1, l.begin, l.end);
}

}  // namespace warplens::panels
