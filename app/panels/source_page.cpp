#include "app/panels/source_page.h"

#include <algorithm>
#include <cmath>

namespace warplens::panels {
namespace {

// "^ 12:5 what is wrong — what to do", in rows as wide as the pane.
std::vector<SourceNote> notes_of(const View& view, const Rect& area) {
  std::vector<SourceNote> notes;
  for (const session::Problem& problem : view.sim.problems) {
    if (!problem.range) continue;
    SourceNote note{&problem, {}, {}};
    note.words = "^ " + std::to_string(problem.range->begin.line) + ":" +
                 std::to_string(problem.range->begin.column) + " " + problem.message;
    if (!problem.remedy.empty()) note.words += " — " + problem.remedy;
    note.lines = wrapped(view, note.words, area.width - view.px(16), {13});
    notes.push_back(std::move(note));
  }
  return notes;
}

float gutter_of(const View& view, const CodeText& code, float advance) {
  const auto digits = std::max<std::size_t>(std::to_string(code.lines.size()).size(), 2);
  return (static_cast<float>(digits) + (view.comparison != nullptr ? 2.8f : 1.6f)) * advance;
}

session::RowRequest request_of(const View& view, const SourcePage& page) {
  session::RowRequest request;
  const float room = page.area.width - page.gutter;
  const auto columns = [&](float width) { return static_cast<int>(width / page.advance); };
  request.columns = std::max(columns(room - view.px(6)), 8);
  for (const MarginLine& cost : page.costs) {
    const int beside = columns(room - margin_width(view, cost));
    request.reserved.push_back({cost.line - 1, std::max(request.columns - beside, 0)});
  }
  std::ranges::sort(request.reserved, {}, &session::RowRequest::Reserve::line);
  for (const SourceNote& note : page.notes)
    request.notes.push_back({note.problem->range->begin.line - 1, static_cast<int>(note.lines.size())});
  request.empty_end = view.state.editing;
  return request;
}

}  // namespace

SourcePage lay_out_source(const View& view, const CodeText& code, const Rect& area) {
  SourcePage page{code, nullptr, margin_lines(view), notes_of(view, area), 14, 8, 20, 0, area};
  session::RowRequest request;
  for (const float size : {14.0f, 13.0f}) {
    page.size = size;
    page.advance = view.fonts.width(Face::Code, view.px(size), "0000000000") / 10;
    page.gutter = gutter_of(view, code, page.advance);
    request = request_of(view, page);
    if (session::fits_unbroken(code, request)) break;
  }
  page.row = std::round(view.px(page.size) * 1.45f);
  page.rows = &kept_rows(code, request);
  return page;
}

float SourcePage::x_of(const CodeRow& r, int offset) const {
  return text_x() + advance * static_cast<float>(session::column_in_row(code, r, offset));
}

const CodeRow& SourcePage::row_under(float origin_y, float y) const {
  const auto at = static_cast<int>((y - origin_y) / row);
  return (*rows)[static_cast<std::size_t>(std::clamp(at, 0, static_cast<int>(rows->size()) - 1))];
}

int SourcePage::offset_under(float origin_y, ImVec2 mouse) const {
  const int column = static_cast<int>(std::floor((mouse.x - text_x()) / advance + 0.5f));
  return session::offset_in_row(code, row_under(origin_y, mouse.y), std::max(column, 0));
}

int SourcePage::offset_of(int line, int column) const {
  const auto last = static_cast<int>(code.lines.size());
  const session::CodeLine& l = code.lines[static_cast<std::size_t>(std::clamp(line, 1, last) - 1)];
  return std::clamp(l.begin + column - 1, l.begin, l.end);
}

}  // namespace warplens::panels
