#include "app/panels/source/row.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/panels/widgets/ui.h"

namespace warplens::panels {
namespace {

using app::Problem;

void draw_squiggle(const View& view, float x, float end, float y, const Color& color) {
  const float step = view.px(2.5f);
  std::vector<ImVec2> points;
  bool up = false;
  for (float at = x; at <= std::max(end, x + 4 * step); at += step, up = !up)
    points.push_back({at, up ? y - step : y});
  add_polyline(ImGui::GetWindowDrawList(), points.data(), static_cast<int>(points.size()), color_of(color),
               std::max(1.2f, view.px(1.4f)));
}

// What of a range of the text stands in a row, as its left and right end; `empty`: a range without length is
// drawn as well.
struct Span {
  float from = 0, to = 0;
};
std::optional<Span> span_in(const SourcePage& page, const CodeRow& row, int begin, int end, bool empty) {
  const int from = std::max(begin, row.begin), to = std::min(end, row.end);
  const bool last = row.end == page.code.lines[static_cast<std::size_t>(row.line)].end;
  const bool here = from < to || (empty && from == to && begin == end && (begin < row.end || last));
  if (!here) return std::nullopt;
  return Span{page.x_of(row, from), page.x_of(row, to)};
}

void draw_message(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect) {
  const SourceNote& note = page.notes[static_cast<std::size_t>(row.note)];
  const Color ink = severity_color(view, *note.problem);
  fill(rect, scene::with_alpha(ink, 0.14f));
  draw_text(view, {page.area.x + view.px(8), middle(rect)}, note.lines[static_cast<std::size_t>(row.part)],
            {13, legible(ink, scene::mix(view.palette.panel, ink, 0.14f), view.palette)});
}

void draw_problem_marks(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect) {
  for (const SourceNote& note : page.notes) {
    const auto& range = *note.problem->range;
    if (range.begin.line != row.line + 1) continue;
    const int begin = page.offset_of(range.begin.line, range.begin.column);
    const bool one_line = range.end.line == row.line + 1;
    const int line_end = page.code.lines[static_cast<std::size_t>(row.line)].end;
    const int end = one_line ? page.offset_of(range.end.line, range.end.column) : line_end;
    if (const auto span = span_in(page, row, begin, std::max(begin, end), true))
      draw_squiggle(view, span->from, span->to, bottom(rect) - 1, severity_color(view, *note.problem));
  }
}

void draw_selection(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect) {
  const app::Caret& caret = view.state.caret;
  const int line_end = page.code.lines[static_cast<std::size_t>(row.line)].end;
  const int from = std::min(caret.offset, caret.anchor), to = std::max(caret.offset, caret.anchor);
  if (from < to && from <= row.end && to >= row.begin && (from < row.end || row.end == line_end)) {
    const float a = page.x_of(row, std::max(from, row.begin));
    const bool onwards = to > row.end && row.end == line_end;  // the line's end is selected too
    const float b = page.x_of(row, std::min(to, row.end)) + (onwards ? 0.5f * page.advance : 0);
    fill({a, rect.y, b - a, rect.height}, scene::with_alpha(view.palette.accent, 0.30f));
  }
  if (caret.offset >= row.begin &&
      (caret.offset < row.end || (caret.offset == row.end && row.end == line_end))) {
    const float x = std::round(page.x_of(row, caret.offset)) - 1;
    fill({x, rect.y + 1, std::max(2.0f, view.px(2)), rect.height - 2}, view.palette.accent);
    set_text_caret({x, rect.y}, rect.height);
  }
}

bool selected(const View& view, const CodeRow& row) {
  const app::Caret& caret = view.state.caret;
  return view.state.editing && std::min(caret.offset, caret.anchor) < row.end &&
         std::max(caret.offset, caret.anchor) > row.begin;
}

// A│B: the other text has no such line.
bool differs(const View& view, int line) {
  if (view.comparison == nullptr) return false;
  const std::vector<bool>& lines = view.is_a ? view.comparison->lines.a : view.comparison->lines.b;
  return line < static_cast<int>(lines.size()) && lines[static_cast<std::size_t>(line)];
}

// Left of the text: the line's number, or that the line above goes on.
void draw_gutter(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect,
                 const Color& ground, bool current) {
  const scene::Palette& p = view.palette;
  if (row.part == 0) {
    if (differs(view, row.line))
      draw_text(view, {rect.x + view.px(5), middle(rect)}, "≠",
                {page.size, legible(p.accent, ground, p), Align::Left, Face::CodeBold});
    draw_text(view, {page.text_x() - page.advance, middle(rect)}, std::to_string(row.line + 1),
              {13, current ? p.text : legible(p.faint, ground, p), Align::Right, Face::Code});
    return;
  }
  const float x = std::round(page.text_x() + page.advance * (static_cast<float>(row.indent) - 1.4f)) + 0.5f;
  const float y = std::round(middle(rect)) + 0.5f;
  const ImVec2 hook[] = {{x, rect.y + 0.18f * rect.height}, {x, y}, {x + 0.9f * page.advance, y}};
  add_polyline(ImGui::GetWindowDrawList(), hook, 3, color_of(scene::with_alpha(p.faint, 0.7f)),
               std::max(1.0f, view.px(1)));
}

// The access itself.
void underline(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect,
               const cuda::SourceRange& range) {
  const int begin = page.offset_of(range.begin.line, range.begin.column);
  const auto span = span_in(page, row, begin, page.offset_of(range.end.line, range.end.column), false);
  if (span)
    fill({span->from, bottom(rect) - view.px(2.5f), span->to - span->from, view.px(2)}, view.palette.accent);
}

}  // namespace

Color severity_color(const View& view, const Problem& problem) {
  return problem.severity == cuda::Severity::Error ? view.palette.costly : view.palette.secondary;
}

void draw_source_row(const View& view, const SourcePage& page, const CodeRow& row, const Rect& rect) {
  if (row.note >= 0) return draw_message(view, page, row, rect);
  const scene::Palette& p = view.palette;
  for (const SourceNote& note : page.notes) {
    if (note.problem->range->begin.line == row.line + 1)
      fill({rect.x, rect.y, view.px(4), rect.height}, severity_color(view, *note.problem));
  }
  const app::PricedAccess* now =
      view.sim.fresh && view.sim.now && !view.state.editing ? &*view.sim.now : nullptr;
  const bool current = now != nullptr && now->site->range.begin.line == row.line + 1;
  Color ground = current ? scene::mix(p.panel, p.accent, 0.18f) : p.panel;
  if (current) {
    fill(rect, ground);
    fill({rect.x, rect.y, view.px(3), rect.height}, p.accent);
  }
  if (differs(view, row.line)) {
    fill(rect, scene::with_alpha(p.accent, 0.10f));
    ground = scene::mix(ground, p.accent, 0.10f);
  }
  draw_gutter(view, page, row, rect, ground, current);
  if (view.state.editing) draw_selection(view, page, row, rect);
  const bool tinted = current || differs(view, row.line);
  const Color under_selection = scene::mix(ground, p.accent, 0.30f);
  draw_code_row(view, page.code, row, {page.text_x(), middle(rect)}, page.size, page.advance,
                selected(view, row) ? &under_selection
                : tinted            ? &ground
                                    : nullptr);
  if (now != nullptr) underline(view, page, row, rect, now->site->range);
  draw_problem_marks(view, page, row, rect);
  const MarginLine* cost = row.part == 0 ? margin_of(page.margin.costs, row.line + 1) : nullptr;
  if (cost != nullptr) draw_margin(view, *cost, rect, view.px(84), page.x_of(row, row.end), ground);
}

}  // namespace warplens::panels
