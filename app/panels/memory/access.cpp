// This access: the verdict in one figure, what the kernel loses most by, and the formula that leads to the
// figure.
#include <algorithm>

#include "app/panels/lessons/lesson_panels.h"
#include "app/panels/memory/diagnosis.h"
#include "app/panels/widgets/ui.h"
#include "app/scene/text.h"

namespace warplens::panels {
namespace {

// The title with what is accessed beside it; below it, in one row or two, where it is long. Gives the room
// left, and in `heading_rows` how many rows the heading has.
Rect draw_heading(const View& view, const Rect& rect, int* heading_rows) {
  const std::string title = view.strings("access.title");
  if (!view.sim.now || view.shows_other_kernel()) return draw_panel(view, rect, {title, "", {}, false});
  const std::string op = app::op_text(view.sim.now->access.op, view.strings);
  const std::string& text = view.sim.now->site->text;
  const float inside = view.px(14), room = rect.width - 2 * inside;
  const Type type{13, view.palette.secondary};
  const float answer = text_width(view, op + " " + text, {14});
  const float one_row =
      text_width(view, title, {15, {}, Align::Left, Face::WordsBold}) + view.px(14) + answer;
  if (one_row <= room && answer <= 0.62f * rect.width)
    return draw_panel(view, rect, {title, op + " " + text, {}, false});
  Rect inner = draw_panel(view, rect, {"", "", {}, false});
  draw_text(view, {rect.x + inside, rect.y + view.px(12)}, title,
            {13, scene::mix(view.palette.secondary, view.palette.text, 0.55f), Align::Left, Face::WordsBold});
  draw_text(view, {right(rect) - inside, rect.y + view.px(12)}, op, {13, type.color, Align::Right});
  std::vector<std::string> rows = wrapped(view, text, room, type);
  const bool cut = rows.size() > 2;
  if (cut) rows = {rows[0], rows[1] + "…"};
  *heading_rows = 1 + static_cast<int>(rows.size());
  const float step = view.px(16), first = rect.y + view.px(28);
  for (std::size_t i = 0; i < rows.size(); ++i)
    draw_text(view, {rect.x + inside, first + step * static_cast<float>(i)}, rows[i],
              {13, type.color, Align::Left, Face::Words, room});
  if (cut) tell_whole(view, {rect.x + inside, first - 0.5f * step, room, 2 * step}, text);
  const float more = step * static_cast<float>(rows.size() - 1);
  return {inner.x, inner.y + more, inner.width, inner.height - more};
}

// A step's name beside its value: in two lines where it is long.
std::vector<std::string> label_lines(const View& view, const app::FormulaStep& step, float width) {
  const float value = text_width(view, step.value, {14, {}, Align::Right, Face::CodeBold});
  const float room = width - value - view.px(10);
  if (text_width(view, step.label, {14}) <= room) return {step.label};
  return wrapped(view, step.label, room, {14});
}

// The formula that leads to the figure, a step a row.
void draw_steps(const View& view, const app::CostSummary& j, const Rect& box) {
  const int count = static_cast<int>(j.steps.size());
  const auto long_in = [&](float width) {
    return std::ranges::any_of(
        j.steps, [&](const app::FormulaStep& step) { return label_lines(view, step, width).size() > 1; });
  };
  const float line = view.px(16);
  const bool tall = long_in(rows_width(view, box, count, view.px(19)));
  const float least = tall ? 2 * line + view.px(4) : view.px(19), natural = std::max(least, view.px(27));
  draw_rows(view, "steps", box, count, natural, least, [&](int i, const Rect& row) {
    const app::FormulaStep& step = j.steps[static_cast<std::size_t>(i)];
    const Color ink = step.result ? app::verdict_color(view.palette, j.verdict) : view.palette.text;
    draw_text(view, {right(row), middle(row)}, step.value,
              {14, ink, Align::Right, step.result ? Face::CodeBold : Face::Code});
    std::vector<std::string> lines = label_lines(view, step, row.width);
    if (lines.size() > 2) lines = {lines[0], lines[1] + "…"};
    float y = middle(row) - 0.5f * line * static_cast<float>(lines.size() - 1);
    for (const std::string& words : lines) {
      draw_text(view, {row.x, y}, words, {14, view.palette.secondary});
      y += line;
    }
    if (!step.tooltip.empty() && hit_area(i, row).hovered) tooltip(view, step.tooltip);
  });
}

// Whether others use what this access fetches in vain, in whole sentences on three lines at most; gives the
// height taken.
float draw_sharing(const View& view, const Rect& room) {
  const bool looked_at = view.sim.global && view.sim.global->event == view.sim.place.event;
  if (view.reuse == nullptr || !looked_at) return 0;
  const std::string words = views::sharing_words(*view.reuse, view.sim, view.strings);
  const Type type{13, view.palette.text};
  const float step = view.px(17);
  if (words.empty() || room.height < 6 * step) return 0;
  const auto fits = [&](const std::string& text) {
    constexpr std::size_t kMost = 3;
    const std::string_view rest = std::string_view(words).substr(text.size());
    const bool ends = rest.empty() || rest.starts_with(";") || rest.starts_with("；");  // no half comparison
    return ends && wrapped(view, text, room.width, type).size() <= kMost;
  };
  const auto lines = wrapped(view, scene::whole_clauses(words, fits), room.width, type);
  const float height = step * static_cast<float>(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    draw_text(view, {room.x, room.y + step * (static_cast<float>(i) + 0.5f)}, lines[i], type);
  if (hit_area("sharing", {room.x, room.y, room.width, height}).hovered)
    tooltip(view, words + "\n" + view.strings("reuse.sharing.tip"));
  return height + view.px(4);
}

}  // namespace

void draw_verdict(const View& view, const app::CostSummary& j, ImVec2 at, float room, float size) {
  const Color color = app::verdict_color(view.palette, j.verdict);
  // The figure gives way before its words are cut.
  while (size > 26 && verdict_width(view, j, size, 13) > room) size -= 4;
  const float width = draw_text(view, at, j.figure, {size, color, Align::Left, Face::WordsBold});
  const float left = at.x + width + view.px(12);
  Type type{20, color, Align::Left, Face::Words, at.x + room - left};
  for (const float smaller : {17.0f, 15.0f, 13.0f}) {
    if (text_width(view, j.words, type) > type.room) type.size = smaller;
  }
  draw_text(view, {left, at.y + view.px(0.2f * size)}, j.words, type);
}

float verdict_width(const View& view, const app::CostSummary& j, float size, float words) {
  return text_width(view, j.figure, {size, {}, Align::Left, Face::WordsBold}) + view.px(12) +
         text_width(view, j.words, {words, {}, Align::Left, Face::Words});
}

Actions draw_access(const View& view, const Rect& rect) {
  Actions actions;
  int heading_rows = 1;
  const Rect inner = draw_heading(view, rect, &heading_rows);
  if (view.shows_other_kernel()) return actions;
  if (!view.sim.now) {
    draw_diagnosis(view, inner, &actions);
    return actions;
  }
  const app::CostSummary j = app::judge(*view.sim.now, view.strings);
  // Below a heading of two rows the figure is lower, so that it keeps off the expression.
  const bool high = heading_rows == 1;
  draw_verdict(view, j, {inner.x, inner.y + view.px(high ? 24 : 28)}, inner.width, high ? 46 : 38);
  if (j.verdict == app::Verdict::Hidden) {
    Column column{view, inner.x, inner.y + view.px(58), inner.width};
    column.paragraph(view.strings("class.hidden"), {14, view.palette.secondary});
  }
  float top = inner.y + view.px(58);
  const auto rest = [&] { return Rect{inner.x, top, inner.width, bottom(inner) - top}; };
  top += draw_sharing(view, rest());
  top += draw_diagnosis(view, rest(), &actions);
  const Rect box{inner.x, top, inner.width, bottom(inner) - top};
  draw_steps(view, j, box);
  return actions;
}

}  // namespace warplens::panels
