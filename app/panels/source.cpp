// The kernel's text: colours, the access looked at, what every line costs, what is wrong and where; and its
// editor.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/code_text.h"
#include "app/panels/panels.h"
#include "app/panels/source_margin.h"
#include "app/panels/tabs.h"
#include "app/panels/text_input.h"

namespace warplens::panels {
namespace {

using session::Problem;

// A line of the text, or a message below one.
struct Row {
  int line = 0;  // from 0
  const Problem* problem = nullptr;
};

struct Page {
  const CodeText& code;
  std::vector<Row> rows;
  std::vector<MarginLine> costs;
  float size = 14, advance = 8, row = 20;  // type (design), column and row (pixels)
  float gutter = 0, margin = 0;            // room for line numbers and for costs
  Rect area;
  float shift = 0;  // by which a long line is pushed aside, so that the caret is seen

  float text_x() const { return area.x + gutter - shift; }
};

std::vector<Row> rows_of(const View& view, const CodeText& code) {
  std::vector<Row> rows;
  // After the last line's end comes nothing, except for who wants to write there.
  const bool empty_end = code.lines.back().begin == code.lines.back().end && code.lines.size() > 1;
  const int count = static_cast<int>(code.lines.size()) - (empty_end && !view.state.editing ? 1 : 0);
  for (int line = 0; line < count; ++line) {
    rows.push_back({line, nullptr});
    for (const Problem& problem : view.sim.problems) {
      if (problem.range && problem.range->begin.line == line + 1) rows.push_back({line, &problem});
    }
  }
  return rows;
}

// Of the widest line of code, with its cost where it has one.
float needed_width(const Page& page) {
  float width = page.advance * static_cast<float>(page.code.widest);
  for (const MarginLine& cost : page.costs) {
    if (cost.line > static_cast<int>(page.code.lines.size())) continue;
    const int columns = page.code.lines[static_cast<std::size_t>(cost.line - 1)].columns;
    width = std::max(width, page.advance * static_cast<float>(columns) + page.margin);
  }
  return width;
}

// How far the text must go to the left for the caret to be in view.
float shift_of(const View& view, const Page& page) {
  const int offset = view.state.caret.offset;
  for (const CodeLine& line : page.code.lines) {
    if (offset < line.begin || offset > line.end) continue;
    const std::string_view chars =
        std::string_view(page.code.text)
            .substr(static_cast<std::size_t>(line.begin), static_cast<std::size_t>(line.end - line.begin));
    const float caret = page.advance * static_cast<float>(column_of(chars, offset - line.begin));
    return std::max(0.0f, caret - (page.area.width - page.gutter - 4 * page.advance));
  }
  return 0;
}

// The largest type in which the widest line of code fits beside its costs.
Page lay_out_page(const View& view, const CodeText& code, const Rect& area) {
  Page page{code, rows_of(view, code), margin_lines(view), 14, 0, 0, 0, 0, area};
  page.margin = view.px(view.state.editing ? 12 : 92);
  for (const float size : {14.0f, 13.0f, 12.0f, 11.0f}) {
    page.size = size;
    page.advance = view.fonts.width(Face::Code, view.px(size), "0000000000") / 10;
    page.gutter = (view.comparison != nullptr ? 4.8f : 3.6f) * page.advance;
    const float room = area.width - page.gutter;
    const bool comments_fit = page.advance * static_cast<float>(page.code.widest_comment) <= room;
    if (needed_width(page) <= room && (comments_fit || size <= 12)) break;
  }
  page.row = std::round(view.px(page.size) * 1.45f);
  if (view.state.editing) page.shift = shift_of(view, page);
  return page;
}

void draw_squiggle(const View& view, float x, float end, float y, const Color& color) {
  const float step = view.px(2.5f);
  std::vector<ImVec2> points;
  bool up = false;
  for (float at = x; at <= std::max(end, x + 4 * step); at += step, up = !up)
    points.push_back({at, up ? y - step : y});
  add_polyline(ImGui::GetWindowDrawList(), points.data(), static_cast<int>(points.size()), color_of(color),
               std::max(1.2f, view.px(1.4f)));
}

Color severity_color(const View& view, const Problem& problem) {
  return problem.severity == cuda::Severity::Error ? view.palette.costly : view.palette.secondary;
}

void draw_message(const View& view, const Page& page, const Problem& problem, const Rect& row) {
  const Color ink = severity_color(view, problem);
  fill(row, scene::with_alpha(ink, 0.14f));
  const int column = problem.range->begin.column;
  const std::string place = std::to_string(problem.range->begin.line) + ":" + std::to_string(column) + " ";
  std::string words = place + problem.message;
  if (!problem.remedy.empty()) words += " — " + problem.remedy;
  const float x = page.area.x + view.px(8);
  draw_text(view, {x, middle(row)}, "^ " + words,
            {13, ink, Align::Left, Face::Words, right(row) - x - view.px(8)});
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsWindowHovered() && mouse.y >= row.y && mouse.y < bottom(row)) tooltip(view, words);
}

void draw_problem_marks(const View& view, const Page& page, int line, const Rect& row) {
  const CodeLine& l = page.code.lines[static_cast<std::size_t>(line)];
  const std::string_view chars =
      std::string_view(page.code.text)
          .substr(static_cast<std::size_t>(l.begin), static_cast<std::size_t>(l.end - l.begin));
  for (const Problem& problem : view.sim.problems) {
    if (!problem.range || problem.range->begin.line != line + 1) continue;
    const auto x = [&](int column) {
      return page.text_x() + page.advance * static_cast<float>(column_of(chars, column - 1));
    };
    const bool one_line = problem.range->end.line == line + 1;
    const float end = one_line ? x(problem.range->end.column) : x(static_cast<int>(chars.size()) + 1);
    draw_squiggle(view, x(problem.range->begin.column), end, bottom(row) - 1, severity_color(view, problem));
  }
}

void draw_selection(const View& view, const Page& page, int line, const Rect& row) {
  const session::Caret& caret = view.state.caret;
  const CodeLine& l = page.code.lines[static_cast<std::size_t>(line)];
  const std::string_view chars =
      std::string_view(page.code.text)
          .substr(static_cast<std::size_t>(l.begin), static_cast<std::size_t>(l.end - l.begin));
  const auto x = [&](int offset) {
    return page.text_x() + page.advance * static_cast<float>(column_of(chars, offset - l.begin));
  };
  const int from = std::min(caret.offset, caret.anchor), to = std::max(caret.offset, caret.anchor);
  if (from < to && from <= l.end && to >= l.begin) {
    const float a = x(std::max(from, l.begin));
    const float b = x(std::min(to, l.end)) + (to > l.end ? 0.5f * page.advance : 0);
    fill({a, row.y, b - a, row.height}, scene::with_alpha(view.palette.accent, 0.30f));
  }
  if (caret.offset >= l.begin && caret.offset <= l.end) {
    fill({std::round(x(caret.offset)) - 1, row.y + 1, std::max(2.0f, view.px(2)), row.height - 2},
         view.palette.accent);
  }
}

// A│B: the other text has no such line.
bool differs(const View& view, int line) {
  if (view.comparison == nullptr) return false;
  const std::vector<bool>& lines = view.is_a ? view.comparison->lines.a : view.comparison->lines.b;
  return line < static_cast<int>(lines.size()) && lines[static_cast<std::size_t>(line)];
}

void draw_row(const View& view, const Page& page, const Row& r, const Rect& row) {
  if (r.problem != nullptr) return draw_message(view, page, *r.problem, row);
  const scene::Palette& p = view.palette;
  for (const Problem& problem : view.sim.problems) {
    if (problem.range && problem.range->begin.line == r.line + 1)
      fill({row.x, row.y, view.px(4), row.height}, severity_color(view, problem));
  }
  const session::Moment* now =
      view.sim.fresh && view.sim.now && !view.state.editing ? &*view.sim.now : nullptr;
  const bool current = now != nullptr && now->site->range.begin.line == r.line + 1;
  if (current) {
    fill(row, scene::mix(p.panel, p.accent, 0.18f));
    fill({row.x, row.y, view.px(3), row.height}, p.accent);
  }
  if (differs(view, r.line)) {
    fill(row, scene::with_alpha(p.accent, 0.10f));
    draw_text(view, {row.x + view.px(5), middle(row)}, "≠",
              {page.size, p.accent, Align::Left, Face::CodeBold});
  }
  draw_text(view, {page.area.x + page.gutter - page.advance, middle(row)}, std::to_string(r.line + 1),
            {page.size - 1, current ? p.text : p.faint, Align::Right, Face::Code});
  const CodeLine& line = page.code.lines[static_cast<std::size_t>(r.line)];
  ImGui::PushClipRect({page.area.x + page.gutter - view.px(3), row.y}, bottom_right(row), true);
  if (view.state.editing) draw_selection(view, page, r.line, row);
  const Color tinted = scene::mix(p.panel, p.accent, 0.18f);
  draw_code_line(view, page.code, line, {page.text_x(), middle(row)}, page.size, page.advance,
                 current ? &tinted : nullptr);
  if (current && now->site->range.end.line == r.line + 1) {  // the access itself
    const auto x = [&](int column) { return page.text_x() + page.advance * static_cast<float>(column - 1); };
    const float from = x(now->site->range.begin.column), to = x(now->site->range.end.column);
    fill({from, bottom(row) - view.px(2.5f), to - from, view.px(2)}, p.accent);
  }
  draw_problem_marks(view, page, r.line, row);
  ImGui::PopClipRect();
  if (const MarginLine* cost = margin_of(page.costs, r.line + 1)) {
    const float code_end = page.text_x() + page.advance * static_cast<float>(line.columns);
    draw_margin(view, *cost, row, page.margin - view.px(8), code_end,
                current ? scene::mix(p.panel, p.accent, 0.18f) : p.panel);
  }
}

// Keeps the line looked at (or the caret) in view when it changes.
void follow_line(const Page& page, int line, float view_height) {
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("line");
  if (storage->GetInt(id, -1) == line) return;
  storage->SetInt(id, line);
  int row = 0;
  while (row < static_cast<int>(page.rows.size()) && page.rows[static_cast<std::size_t>(row)].line < line)
    ++row;
  const float y = page.row * static_cast<float>(row), scroll = ImGui::GetScrollY();
  const float spare = 2 * page.row;
  if (y < scroll + spare) ImGui::SetScrollY(std::max(0.0f, y - spare));
  if (y + page.row > scroll + view_height - spare) ImGui::SetScrollY(y + page.row + spare - view_height);
}

int line_of_offset(const CodeText& code, int offset) {
  const auto after = std::upper_bound(code.lines.begin(), code.lines.end(), offset,
                                      [](int o, const CodeLine& l) { return o < l.begin; });
  return std::max(0, static_cast<int>(after - code.lines.begin()) - 1);
}

// The offset in the text that the mouse points at.
int offset_under(const Page& page, float origin_y, ImVec2 mouse) {
  const auto row = static_cast<int>((mouse.y - origin_y) / page.row);
  const Row& r =
      page.rows[static_cast<std::size_t>(std::clamp(row, 0, static_cast<int>(page.rows.size()) - 1))];
  const CodeLine& l = page.code.lines[static_cast<std::size_t>(r.line)];
  const std::string_view chars =
      std::string_view(page.code.text)
          .substr(static_cast<std::size_t>(l.begin), static_cast<std::size_t>(l.end - l.begin));
  const int column = static_cast<int>(std::floor((mouse.x - page.text_x()) / page.advance + 0.5f));
  return l.begin + offset_at(chars, std::max(column, 0));
}

Actions mouse_actions(const View& view, const Page& page, float origin_y) {
  Actions actions;
  const Rect felt{page.area.x, origin_y, page.area.width, page.row * static_cast<float>(page.rows.size())};
  const Hit hit = hit_area("text", felt);
  if (!hit.hovered && !hit.held) return actions;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int offset = offset_under(page, origin_y, mouse);
  if (view.state.editing) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (ImGui::IsItemActivated()) {
      const bool extend = ImGui::GetIO().KeyShift;
      actions.push_back(session::SetCaret{{offset, extend ? view.state.caret.anchor : offset}});
    } else if (hit.held && offset != view.state.caret.offset) {
      actions.push_back(session::SetCaret{{offset, view.state.caret.anchor}});
    }
  } else if (hit.double_clicked) {
    actions.push_back(session::SetEditing{true});
    actions.push_back(session::SetCaret{{offset, offset}});
  } else if (hit.clicked) {
    actions.push_back(session::GoToLine{line_of_offset(page.code, offset) + 1});
  } else if (hit.hovered && mouse.x > right(page.area) - page.margin) {
    const std::string tip = margin_tip(view, line_of_offset(page.code, offset) + 1);
    if (!tip.empty()) tooltip(view, tip);
  }
  return actions;
}

// Problems without a place (a launch that cannot be made) stand below the text.
float draw_placeless(const View& view, const Rect& area) {
  float y = bottom(area);
  for (const Problem& problem : view.sim.problems) {
    if (problem.range) continue;
    const Type type{14, severity_color(view, problem)};
    std::string words = problem.message;
    if (!problem.remedy.empty()) words += " — " + problem.remedy;
    const auto lines = wrapped(view, words, area.width - view.px(20), type);
    const float step = view.px(20), height = step * static_cast<float>(lines.size()) + view.px(12);
    y -= height;
    const Rect box{area.x, y, area.width, height};
    fill(box, scene::mix(view.palette.panel, type.color, 0.14f), view.px(5));
    outline(box, type.color, view.px(5), 1);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      draw_text(view, {box.x + view.px(10), box.y + view.px(6) + step * (static_cast<float>(i) + 0.5f)},
                lines[i], type);
    }
    y -= view.px(6);
  }
  return bottom(area) - y;
}

Heading heading_of(const View& view) {
  Heading heading;
  if (const scenario::Scenario* s = view.scenario()) heading.title = s->source.filename().string();
  if (session::is_edited(view.state)) heading.title += view.strings("source.edited");
  const bool broken = cuda::Severity::Error ==
                      (view.sim.problems.empty() ? cuda::Severity::Note : view.sim.problems.front().severity);
  if (broken) {
    heading.answer = view.strings(view.sim.fresh ? "source.stopped" : "source.last_good");
    heading.answer_color = view.palette.costly;
  } else if (view.sim.busy) {
    heading.answer = view.strings("source.simulating",
                                  {{"percent", std::to_string(static_cast<int>(100 * view.sim.progress))}});
  } else if (view.state.editing) {
    heading.answer = view.strings("source.editing");
  }
  heading.active = view.state.editing;
  return heading;
}

// Left of the pencil: open, save where there is something to save, the launch. Gives their left end.
float file_buttons(const View& view, const Rect& pencil, Actions* actions) {
  float x = pencil.x;
  const auto button = [&](const char* id, Glyph glyph, bool active, const char* tip, Action action) {
    x -= pencil.width + view.px(6);
    const Hit hit = glyph_button(view, id, {x, pencil.y, pencil.width, pencil.height}, glyph, active);
    if (hit.hovered) tooltip(view, view.strings(tip));
    if (hit.clicked) actions->push_back(std::move(action));
  };
  if (view.state.settings.own)
    button("launch", Glyph::Launch, view.state.form, "form.tip", session::ShowForm{!view.state.form});
  if (session::is_edited(view.state)) button("save", Glyph::Save, false, "files.save.tip", session::Save{});
  button("open", Glyph::Open, false, "files.open.tip", session::ShowDialog{});
  return x;
}

// The first mistake in one line at the bottom, wherever the text is scrolled to; a click leads to its place.
// Gives its height.
float draw_first_problem(const View& view, const Rect& area, Actions* actions) {
  if (!view.state.editing) return 0;
  const auto first = std::find_if(view.sim.problems.begin(), view.sim.problems.end(),
                                  [](const Problem& problem) { return problem.range.has_value(); });
  if (first == view.sim.problems.end()) return 0;
  const Rect line{area.x, bottom(area) - view.px(26), area.width, view.px(26)};
  const Color ink = severity_color(view, *first);
  fill(line, scene::mix(view.palette.panel, ink, 0.16f), view.px(5));
  const std::string place =
      std::to_string(first->range->begin.line) + ":" + std::to_string(first->range->begin.column);
  const std::string words =
      place + "  " + first->message + (first->remedy.empty() ? "" : " — " + first->remedy);
  draw_text(view, {line.x + view.px(10), middle(line)}, words,
            {13, ink, Align::Left, Face::Words, line.width - view.px(20)});
  const Hit hit = hit_area("problem", line);
  if (hit.hovered) tooltip(view, words);
  const int offset = first->range->begin.offset;
  if (hit.clicked) actions->push_back(session::SetCaret{{offset, offset}});
  return line.height + view.px(4);
}

void draw_pencil(const View& view, const Rect& button, Actions* actions) {
  const Hit edit = icon_button(view, "edit", button, view.state.editing ? Icon::Cross : Icon::Pencil, false);
  if (edit.hovered) tooltip(view, view.strings(view.state.editing ? "source.edit.done" : "source.edit.tip"));
  if (edit.clicked) actions->push_back(session::SetEditing{!view.state.editing});
}

}  // namespace

Actions draw_source(const View& view, const Rect& rect) {
  Actions actions;
  // Room for the pencil at the right of the heading.
  Heading heading = heading_of(view);
  const float pencil = view.px(26);
  Rect inner = draw_panel(view, rect, {"", "", {}, heading.active});
  const Rect button{right(rect) - view.px(12) - pencil, rect.y + view.px(7), pencil, pencil};
  const float buttons = view.is_a ? right(rect) - view.px(4) : file_buttons(view, button, &actions);
  const Type answer{14, heading.answer_color.value_or(view.palette.secondary), Align::Right,
                    heading.answer_color ? Face::WordsBold : Face::Words, 0.42f * rect.width};
  const float y = rect.y + view.px(20);
  float taken = 0;
  if (heading.answer.empty()) {  // which costs the margin shows
    const bool grid = view.state.grid_margin;
    const std::array tabs{Tab{view.strings("source.cost"), view.strings("source.cost.tip"), !grid},
                          Tab{view.strings("source.grid"), view.strings("source.grid.tip"), grid}};
    const TabChoice choice = draw_tabs(view, "margin", {buttons - view.px(10), y}, tabs);
    if (choice.clicked >= 0) actions.push_back(session::SetGridMargin{choice.clicked == 1});
    taken = choice.width;
  } else {
    taken = draw_text(view, {buttons - view.px(10), y}, heading.answer, answer);
  }
  draw_text(view, {inner.x, y}, heading.title,
            {15, scene::mix(view.palette.secondary, view.palette.text, 0.55f), Align::Left, Face::WordsBold,
             std::max(view.px(30), buttons - inner.x - taken - view.px(24))});
  if (!view.is_a) draw_pencil(view, button, &actions);

  const CodeText& code = code_text(view.source());
  inner.x = rect.x + 1;
  inner.width = rect.width - 2;
  const auto foot = [&] {
    return Rect{rect.x + view.px(6), inner.y, rect.width - view.px(12), inner.height};
  };
  inner.height -= draw_placeless(view, foot());
  inner.height -= draw_first_problem(view, foot(), &actions);
  const float bar = view.px(12);  // the scrollbar's room
  const Page page = lay_out_page(view, code, {inner.x, inner.y, inner.width - bar, inner.height});
  ImGui::SetCursorScreenPos({inner.x, inner.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("code", {inner.width, inner.height}, false, ImGuiWindowFlags_NoNav);
  const bool has_now = view.sim.now && view.sim.fresh;
  const int line = view.state.editing ? line_of_offset(code, view.state.caret.offset)
                   : has_now          ? view.sim.now->site->range.begin.line - 1
                                      : 0;
  follow_line(page, line, inner.height);
  const float origin = ImGui::GetCursorScreenPos().y;
  const auto count = static_cast<int>(page.rows.size());
  const int first = std::clamp(static_cast<int>((inner.y - origin) / page.row), 0, count);
  const int last = std::clamp(static_cast<int>((inner.y + inner.height - origin) / page.row) + 1, 0, count);
  for (int i = first; i < last; ++i) {
    const Rect row{inner.x, origin + page.row * static_cast<float>(i), page.area.width, page.row};
    draw_row(view, page, page.rows[static_cast<std::size_t>(i)], row);
  }
  const Actions mouse = mouse_actions(view, page, origin);
  actions.insert(actions.end(), mouse.begin(), mouse.end());
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return actions;
}

}  // namespace warplens::panels
