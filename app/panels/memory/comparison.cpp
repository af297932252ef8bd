// A│B: who is who, what each comes to, and the table of all that is counted and measured on both sides.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/widgets/legible.h"
#include "app/readout/comparison_table.h"
#include "app/simulate/line_totals.h"

namespace warplens::panels {
namespace {

using session::Change;
using session::TableRow;

std::string name_of(const View& view) {
  const scenario::Scenario* s = view.scenario();
  if (s == nullptr) return {};
  const scenario::LocalText& text = s->rung_label.empty() ? s->title : s->rung_label;
  std::string name = scenario::in_language(text, view.state.language);
  if (session::is_edited(view.state)) name += view.strings("source.edited");
  return name;
}

std::string value_text(const View& view, const std::string& name, std::int64_t value) {
  const scenario::Scenario* s = view.scenario();
  const scenario::ScenarioParameter* p = s ? session::find_parameter(*s, name) : nullptr;
  if (p == nullptr) return std::to_string(value);
  const auto at =
      static_cast<std::size_t>(std::find(p->choices.begin(), p->choices.end(), value) - p->choices.begin());
  return at < p->texts.size() ? p->texts[at] : std::to_string(value);
}

// "≠ padding 2 · ≠ 12 lines"; "= same parameters, same text".
std::string differences_text(const View& view) {
  const session::Comparison& c = *view.comparison;
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "≠ " : " · ≠ ") + more; };
  const scenario::Scenario* s = view.scenario();
  for (const session::ParameterDifference& d : c.parameters) {
    const std::optional<std::int64_t>& mine = view.is_a ? d.a : d.b;
    const scenario::ScenarioParameter* p = s ? session::find_parameter(*s, d.name) : nullptr;
    if (!mine || p == nullptr) continue;
    add(scenario::in_language(p->label, view.state.language) + " " + value_text(view, d.name, *mine));
  }
  const int lines = view.is_a ? c.lines.count_a : c.lines.count_b;
  if (lines > 0) {
    add(view.strings(lines == 1 ? "compare.lines.one" : "compare.lines", {{"n", std::to_string(lines)}}));
  }
  if (text.empty() && c.parameters.empty() && c.lines.count_a + c.lines.count_b == 0)
    return "= " + view.strings("compare.same");
  return text;
}

void draw_badge(const View& view, const Rect& box) {
  const scene::Palette& p = view.palette;
  const Color ink = view.is_a ? p.secondary : p.accent;
  fill(box, scene::with_alpha(ink, 0.16f), view.px(6));
  outline(box, ink, view.px(6), std::max(1.5f, view.px(2)));
  draw_text(view, {box.x + 0.5f * box.width, middle(box)}, view.is_a ? "A" : "B",
            {box.height / view.scale * 0.62f, legible(ink, scene::mix(p.panel, ink, 0.16f), p), Align::Center,
             Face::WordsBold});
}

Color verdict_color(const View& view, const session::Judgement& j) {
  return j.verdict == session::Verdict::Costly ? view.palette.costly : view.palette.ideal;
}

// The verdict at the right end; gives its left end.
float draw_short_verdict(const View& view, const Rect& rect) {
  if (!view.sim.now) return right(rect);
  const session::Judgement j = session::judge(*view.sim.now, view.strings);
  const Color color = verdict_color(view, j);
  const float room = 0.48f * rect.width, end = right(rect) - view.px(14);
  const Type figure{30, color, Align::Right, Face::WordsBold}, words{14, color, Align::Right, Face::Words};
  const std::string sign = j.verdict == session::Verdict::Costly ? "" : "= ";
  const float figure_width = text_width(view, sign + j.figure, figure);
  const float free = room - figure_width - view.px(10);
  Type short_words = words;
  short_words.room = free;
  const float words_width = draw_text(view, {end, middle(rect) + view.px(5)}, j.words, short_words);
  const float left = end - words_width - view.px(10);
  draw_text(view, {left, middle(rect)}, sign + j.figure, figure);
  return left - figure_width;
}

Color change_color(const View& view, Change change) {
  switch (change) {
    case Change::Better:
      return view.palette.ideal;
    case Change::Worse:
      return view.palette.costly;
    case Change::Other:
      return view.palette.text;
    case Change::None:
      break;
  }
  return view.palette.faint;
}

session::TableInput table_input(const View& view) {
  return {view.comparison, &view.other->sim, &view.sim, session::measurement_of(view.other->times),
          session::measurement_of(view.times)};
}

struct Columns {
  float a = 0, b = 0, difference = 0, factor = 0;  // right ends; no difference: it is left out
  bool brief = false;                              // large counts are rounded; tooltips have all digits
};

// "37.8 M" for "37,814,272"; anything but a large count as it is.
std::string figure_text(const std::string& text, bool brief) {
  constexpr std::size_t kLong = 9;  // of a million
  std::string digits;
  for (const char c : text) {
    if (c >= '0' && c <= '9') digits += c;
    if ((c < '0' || c > '9') && c != ',') return text;
  }
  return brief && text.size() >= kLong ? session::short_count(std::stoull(digits.substr(0, 19))) : text;
}

bool labels_fit(const View& view, const std::vector<TableRow>& rows, const Rect& inner, float size,
                const Columns& columns) {
  return std::all_of(rows.begin(), rows.end(), [&](const TableRow& row) {
    if (row.heading) return true;
    const float figure =
        text_width(view, figure_text(row.a, columns.brief), {size, {}, Align::Right, Face::Code});
    return inner.x + text_width(view, row.label, {size}) <= columns.a - figure - view.px(8);
  });
}

Columns columns_of(const View& view, const std::vector<TableRow>& rows, const Rect& inner, float size,
                   bool brief) {
  const Type code{size, {}, Align::Right, Face::Code}, bold{size, {}, Align::Right, Face::CodeBold};
  float b = 0, difference = view.px(12), factor = 0;
  for (const TableRow& row : rows) {
    b = std::max(b, text_width(view, figure_text(row.b, brief), code));
    difference = std::max(difference, text_width(view, row.difference, bold));
    factor = std::max(factor, text_width(view, row.factor, bold));
  }
  const float gap = view.px(12);
  Columns c;
  c.brief = brief;
  c.factor = right(inner);
  c.difference = c.factor - factor - gap;
  c.b = c.difference - difference - gap;
  c.a = c.b - b - gap;
  // Where that leaves no room for the labels, differences give way to factors, then digits to rounded
  // figures.
  if (!labels_fit(view, rows, inner, size, c)) {
    c.difference = 0;
    c.b = c.factor - factor - gap;
    c.a = c.b - b - gap;
  }
  return brief || labels_fit(view, rows, inner, size, c) ? c : columns_of(view, rows, inner, size, true);
}

void draw_table_row(const View& view, const TableRow& line, const Rect& row, const Columns& columns,
                    float size, int id) {
  const scene::Palette& p = view.palette;
  if (line.heading) {
    const float y = std::round(bottom(row) - 0.42f * row.height);
    const float width =
        draw_text(view, {row.x, y}, line.label,
                  {size, scene::mix(p.secondary, p.text, 0.55f), Align::Left, Face::WordsBold, row.width});
    // Beside the words: below them, in a low window, it would cut their descenders.
    const float left = row.x + width + view.px(8);
    if (left < right(row)) fill({left, y, right(row) - left, 1}, p.line);
    return;
  }
  const Color color = change_color(view, line.change);
  const float y = middle(row);
  const float a = draw_text(view, {columns.a, y}, figure_text(line.a, columns.brief),
                            {size, p.text, Align::Right, Face::Code});
  draw_text(view, {columns.b, y}, figure_text(line.b, columns.brief),
            {size, p.text, Align::Right, Face::Code});
  if (columns.difference > 0)
    draw_text(view, {columns.difference, y}, line.difference, {size, color, Align::Right, Face::CodeBold});
  const bool equal = line.change == Change::None;
  draw_text(view, {columns.factor, y}, columns.difference <= 0 && equal ? line.difference : line.factor,
            {size, color, Align::Right, Face::CodeBold});
  draw_text(view, {row.x, y}, line.label,
            {size, p.secondary, Align::Left, Face::Words, columns.a - a - row.x - view.px(8)});
  if (hit_area(id, row).hovered)
    tooltip(view, line.label + "\nA " + line.a + "\nB " + line.b + "\nB − A " + line.difference + " " +
                      line.factor);
}

// Swap, back to A, leave; at the right of the heading. Gives their left end.
float draw_buttons(const View& view, const Rect& rect, Actions* actions) {
  float x = right(rect) - view.px(10);
  const float height = view.px(26), y = rect.y + view.px(7);
  const Hit leave = icon_button(view, "leave", {x -= height, y, height, height}, Icon::Cross, false);
  if (leave.hovered) tooltip(view, view.strings("compare.leave.tip"));
  if (leave.clicked) actions->push_back(session::LeaveComparison{});
  const auto button = [&](const char* id, const char* label, const char* tip, Action action) {
    const std::string text = view.strings(label);
    const float width = pill_width(view, text, false);
    const Hit hit = pill(view, id, {x -= width + view.px(6), y, width, height}, text, false);
    if (hit.hovered) tooltip(view, view.strings(tip));
    if (hit.clicked) actions->push_back(std::move(action));
  };
  button("return", "compare.return", "compare.return.tip", session::ReturnToA{});
  button("swap", "compare.swap", "compare.swap.tip", session::SwapAB{});
  return x;
}

// Presenting, nothing below says what is accessed: at the right end, if there is room right of `left`.
void draw_accessed(const View& view, const Rect& rect, float left) {
  if (!view.sim.now || view.sim.now->site == nullptr) return;
  const std::string text =
      session::op_text(view.sim.now->access.op, view.strings) + " " + view.sim.now->site->text;
  const Type type{14, view.palette.text, Align::Right, Face::Words};
  const float end = right(rect) - view.px(10);
  if (end - text_width(view, text, type) >= left) draw_text(view, {end, middle(rect)}, text, type);
}

}  // namespace

Actions draw_pane_head(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  fill_ground(view, rect, p.panel, view.px(8));
  outline(rect, view.is_a ? p.line : p.accent, view.px(8), view.is_a ? 1 : view.px(1.5f));
  const float badge = rect.height - view.px(14);
  const Rect box{rect.x + view.px(7), rect.y + view.px(7), badge, badge};
  draw_badge(view, box);
  const float x = right(box) + view.px(12);
  const bool narrow = rect.height < view.px(50);
  const float end = narrow ? right(rect) - view.px(10) : draw_short_verdict(view, rect);
  const float room = end - x - view.px(12);
  const std::string differences = differences_text(view);
  const float upper = narrow ? middle(rect) : rect.y + 0.34f * rect.height;
  const float width =
      draw_text(view, {x, upper}, name_of(view), {16, p.text, Align::Left, Face::WordsBold, room});
  const ImVec2 second =
      narrow ? ImVec2{x + width + view.px(14), upper} : ImVec2{x, rect.y + 0.70f * rect.height};
  const float left = narrow ? room - width - view.px(14) : room;
  std::string words = differences;
  if (view.is_a && !view.comparison->a_follows)
    words = view.strings("compare.no_such_access") + (words.empty() ? "" : " · " + words);
  if (left > view.px(20))
    draw_text(view, second, words, {14, view.is_a ? p.secondary : p.accent, Align::Left, Face::Words, left});
  if (narrow) draw_accessed(view, rect, second.x + text_width(view, words, {14}) + view.px(20));
  if (hit_area("head", rect).hovered) tooltip(view, name_of(view) + "\n" + words);
  return {};
}

Actions draw_comparison(const View& view, const Rect& rect) {
  Actions actions;
  const Rect inner = draw_panel(view, rect, {"", "", {}, false});
  const float end = draw_buttons(view, rect, &actions);
  draw_text(view, {inner.x, rect.y + view.px(20)}, "A│B",
            {15, scene::mix(view.palette.secondary, view.palette.text, 0.55f), Align::Left, Face::WordsBold,
             end - inner.x});
  std::vector<TableRow> rows = session::comparison_table(table_input(view), view.strings);
  const float titles = view.px(20), note = view.px(20);
  const Rect room{inner.x, inner.y + titles, inner.width, inner.height - titles - note};
  const float least = view.px(18.5f);
  rows =
      session::fitting_rows(std::move(rows), static_cast<std::size_t>(std::max(room.height / least, 1.0f)));
  const float step =
      std::min(view.px(27), room.height / static_cast<float>(std::max<std::size_t>(rows.size(), 1)));
  const float size = 13;
  const Columns columns = columns_of(view, rows, inner, size, false);
  const Type title{size, view.palette.faint, Align::Right, Face::WordsBold};
  const float y = inner.y + 0.5f * titles;
  draw_text(view, {columns.a, y}, "A", title);
  draw_text(view, {columns.b, y}, "B", title);
  const bool roomy = columns.difference - columns.b > text_width(view, "B − A", title) + view.px(6);
  if (columns.difference > 0) draw_text(view, {columns.difference, y}, roomy ? "B − A" : "Δ", title);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    draw_table_row(view, rows[i], {room.x, room.y + step * static_cast<float>(i), room.width, step}, columns,
                   size, static_cast<int>(i));
  }
  const bool counting = view.comparison->counts.empty();
  draw_text(view, {inner.x, bottom(inner) - 0.3f * note},
            view.strings(counting ? "compare.counting" : "compare.note"),
            {13, view.palette.faint, Align::Left, Face::Words, inner.width});
  return actions;
}

// One line: what differs most, of this access and of the whole grid, and the time.
Actions draw_differences(const View& view, const Rect& rect) {
  const scene::Palette& p = view.palette;
  fill_ground(view, rect, p.panel, view.px(8));
  outline(rect, p.line, view.px(8), 1);
  std::vector<TableRow> rows = session::comparison_table(table_input(view), view.strings);
  std::string section;
  for (TableRow& row : rows) {
    if (row.heading) section = row.label;
    if (!row.heading && !row.is_time && section != view.strings("compare.access"))
      row.label.insert(0, section + " ");
  }
  std::erase_if(
      rows, [](const TableRow& row) { return row.heading || row.rank > 0 || row.change == Change::None; });
  float x = rect.x + view.px(14);
  const float end = right(rect) - view.px(14), size = 15;
  if (rows.empty())
    draw_text(view, {x, middle(rect)}, "= " + view.strings("compare.same_counts"), {size, p.text});
  // The time comes last in the table and first here: it is what the class waits for.
  std::stable_partition(rows.begin(), rows.end(), [](const TableRow& row) { return row.is_time; });
  for (const TableRow& row : rows) {
    const std::string figures = " " + row.a + " → " + row.b + "  ";
    const std::string gist = row.factor.empty() ? row.difference : row.factor;
    const float width = text_width(view, row.label + figures, {size}) +
                        text_width(view, gist, {size, {}, Align::Left, Face::CodeBold}) + view.px(28);
    if (x + width - view.px(28) > end) break;
    float at = x;
    at += draw_text(view, {at, middle(rect)}, row.label, {size, p.secondary});
    at += draw_text(view, {at, middle(rect)}, figures, {size, p.text});
    draw_text(view, {at, middle(rect)}, gist,
              {size, change_color(view, row.change), Align::Left, Face::CodeBold});
    x += width;
  }
  return {};
}

}  // namespace warplens::panels
